/* What a model's tokens cost at least, from the shapes of its matrices: the
 * multiply-adds of the products and the bytes of weights that are read.
 * Attention's own products, small for short contexts, are not counted. */
#ifndef SOTTO_MODEL_WORK_H
#define SOTTO_MODEL_WORK_H

#include <stdint.h>

#include "gguf/reader.h"
#include "model/plan.h"

struct work {
	/* Multiply-adds: with weights of eight bits or fewer, which can be done in
	 * integers, with BF16, for which there may be instructions of their own, and
	 * with others of more bits, which take floats. */
	uint64_t int8_macs, bf16_macs, f32_macs;
	uint64_t bytes; /* of weights, as the file has them; of experts, those that a token takes */
};

/* Of one token through all layers, and of the logits of one. Embeddings are looked
 * up, not multiplied with: token_embd counts where it is the output's matrix. */
struct model_work {
	struct work layers, output;
	uint64_t memory; /* bytes that these take while the model is loaded: as panels, and as floats */
	uint64_t token_memory; /* of them, what a token reads: of the experts, those that it takes */
	uint64_t active_params; /* weights that a token takes part with, the embeddings counted whole */
	uint64_t in_file; /* of what is looked up: read from the file, row by row */
	uint64_t unused; /* for images, sound, the prediction of several tokens: never read */
};

/* `plan`: NULL where it is not known. */
struct model_work model_work_of(const struct gguf *gguf, const struct plan *plan);

#endif
