/* Which fact a question means, or that none is meant, by weights that were learnt: a linear
 * classifier of low rank over the question's words and neighbours and the fact found before
 * (tools/guide/ranker.py, which trains it and says what its file has). Whole numbers up
 * to the last step, so that its scores are the specification's. Immutable once read. */
#ifndef SOTTO_GUIDE_RANKER_H
#define SOTTO_GUIDE_RANKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guide/facts.h"

struct ranker {
	char *bytes; /* of the file; NULL: there are no weights, and no fact is known */
	const int8_t *slots;    /* [n_slots][n_dims] */
	const int8_t **entries; /* of each fact: [n_dims]; NULL: it is newer than the weights */
	const int8_t *nothing;  /* as a fact's; NULL in a file that has none */
	const int8_t *same;     /* that the fact before is meant once more; NULL in a file that has none */
	size_t n_slots, n_dims;
	double scale; /* of a score */
};

/* What a question is to the ranker: some of the slots, each once. */
struct ranker_features {
	bool *has;    /* [n_slots] */
	int32_t *sum; /* [n_dims]: of the rows of the slots */
	size_t n;     /* slots */
};

/* Takes `bytes`, the text of a file of weights, also in an error; `name` stands in it.
 * STATUS_CONFIG for what is none. */
enum status ranker_read(struct ranker *ranker, const char *name, char *bytes, size_t len,
                        const struct facts *facts, struct error *err) MUST_CHECK;
void ranker_deinit(struct ranker *ranker); /* also of {0}, and after an error */

enum status ranker_features_init(const struct ranker *ranker,
                                 struct ranker_features *features) MUST_CHECK;
void ranker_features_deinit(struct ranker_features *features); /* also of {0} */
/* Adds a feature by its hash, FNV-1a. */
void ranker_add(const struct ranker *ranker, struct ranker_features *features, uint64_t hash);

bool ranker_knows(const struct ranker *ranker, size_t fact);
/* How much a fact is meant: of no meaning but beside the scores of other facts for the same
 * question. 0 of one that is not known. */
double ranker_score(const struct ranker *ranker, const struct ranker_features *features,
                    size_t fact);
/* How much no fact is meant. */
double ranker_score_nothing(const struct ranker *ranker, const struct ranker_features *features);
/* What is added to the score of the fact that answered the question before. */
double ranker_score_same(const struct ranker *ranker, const struct ranker_features *features);

#endif
