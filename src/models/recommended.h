/* The sampling that a model's file recommends: general.sampling.*, which
 * llama.cpp's converter makes of the model's generation_config.json (gguf-py's
 * constants.py, Keys.General). Those of its samplers that there is no option for
 * are passed over. */
#ifndef SOTTO_MODELS_RECOMMENDED_H
#define SOTTO_MODELS_RECOMMENDED_H

#include <stddef.h>

#include "engine/turn.h"

struct gguf;

/* Values for some of sampler_options; returns how many. One beyond the option's range
 * becomes the nearest within: top_k -1 is off, as in llama.cpp. What is no number is
 * passed over. */
size_t recommended_read(const struct gguf *gguf, struct option_text out[RECOMMENDED_MAX]);

#endif
