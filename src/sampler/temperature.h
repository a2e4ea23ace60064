/* The temperature of a token. */
#ifndef SOTTO_SAMPLER_TEMPERATURE_H
#define SOTTO_SAMPLER_TEMPERATURE_H

#include "sampler/candidates.h"
#include "sampler/params.h"

/* params->temp, or with a range around it one that follows the entropy of the candidates that the
 * filters have left: temp - range where one is certain, temp + range where all are equal. 0: the
 * best is to be taken. Leaves p and keys changed. */
double temperature_of(struct candidates *c, const struct sampler_params *params);

#endif
