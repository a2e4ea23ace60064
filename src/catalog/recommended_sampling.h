/* The sampling that a model's file recommends: general.sampling.*, which llama.cpp's
 * converter takes from the model's generation_config.json (gguf-py's constants.py,
 * Keys.General). The order of the samplers (general.sampling.sequence) is skipped. */
#ifndef SOTTO_CATALOG_RECOMMENDED_SAMPLING_H
#define SOTTO_CATALOG_RECOMMENDED_SAMPLING_H

#include <stddef.h>

#include "turn/turn.h"

struct gguf;

/* Reads values for some of sampler_options; returns how many. A value beyond the option's range
 * becomes the nearest in it: top_k -1 is off, as in llama.cpp. Values that are not numbers are
 * skipped. */
size_t recommended_sampling_read(const struct gguf *gguf, struct option_text out[RECOMMENDED_MAX]);

#endif
