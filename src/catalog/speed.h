/* How fast a model will be on this machine, before it is loaded.
 *
 * Each token needs all weights once, so the speed follows from the rate at which
 * weights are read from memory and multiplied, which is measured with all threads. */
#ifndef SOTTO_CATALOG_SPEED_H
#define SOTTO_CATALOG_SPEED_H

#include <stdint.h>

#include "catalog/catalog.h"
#include "turn/engine_params.h"

/* Estimates assume this many tokens in the cache: a short conversation. */
enum { SPEED_CONTEXT = 1024 };

/* Bytes of weights a second; 0 if it could not be measured or was cancelled. Takes 30 to
 * 150 ms. If $SOTTO_TEST_WEIGHT_RATE is set, returns that instead. */
double speed_measure(const struct engine_params *params, catalog_cancelled cancelled, void *ctx);

/* Estimated tokens a second if each reads `token_bytes` of weights and cache; 0: unknown,
 * also if they fit in the processor's caches. */
double speed_estimate(double weight_rate, uint64_t token_bytes);

#endif
