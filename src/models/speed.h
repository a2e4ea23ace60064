/* How fast a model will speak on this machine, before there is one.
 *
 * A token takes all weights through the processor once, so that the rate at which
 * weights are multiplied, out of memory, says it: it is measured, on all threads. */
#ifndef SOTTO_MODELS_SPEED_H
#define SOTTO_MODELS_SPEED_H

#include <stdint.h>

#include "engine/params.h"
#include "models/catalog.h"

/* Tokens of cache that an estimate counts with: a short talk. */
enum { SPEED_CONTEXT = 1024 };

/* Bytes of weights a second; 0: could not be measured, or was cancelled. Some 30 to
 * 150 ms. $SOTTO_TEST_WEIGHT_RATE is taken instead where it is set. */
double speed_measure(const struct engine_params *params, catalog_cancelled cancelled, void *ctx);

/* Tokens a second, for bytes of weights and cache that each of them takes; 0: unknown,
 * as it is for what fits in caches. */
double speed_estimate(double weight_rate, uint64_t token_bytes);

#endif
