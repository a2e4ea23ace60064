/* Mirostat (Basu et al., 2021, arXiv:2007.14966): in the place of all filters, candidates are cut
 * so that the surprise of what is chosen, -log2 p, comes near to mirostat_ent on average. Version 1
 * estimates from the shape of the distribution how many to keep; version 2 keeps those that
 * surprise no more than mu. Both learn mu from what was chosen. */
#ifndef SOTTO_SAMPLER_MIROSTAT_H
#define SOTTO_SAMPLER_MIROSTAT_H

#include "sampler/candidates.h"
#include "sampler/params.h"

/* What goes from token to token of a reply; zero at its start. */
struct mirostat {
	double mu; /* bits */
	bool is_begun;
};

/* Cuts candidates, at the temperature `temp` > 0, and sorts the others. n_vocab is the number of
 * tokens that there are. */
void mirostat_cut(struct mirostat *m, struct candidates *c, const struct sampler_params *params,
                  double temp, size_t n_vocab);
/* A token of that probability among what is left was chosen. */
void mirostat_learn(struct mirostat *m, const struct sampler_params *params, double p);

#endif
