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
	uint64_t bytes; /* of weights in the file that a token reads: only its own experts */
};

/* Of one token through all layers, and of the logits of one. Embeddings are looked
 * up, not multiplied with: token_embd counts where it is the output's matrix. */
struct model_work {
	struct work layers, output;
	uint64_t memory; /* bytes of the loaded weights: as panels, and as floats */
	uint64_t token_memory; /* of these, bytes that a token reads: only its own experts */
	uint64_t active_params; /* parameters that a token uses, the embedding table counted whole */
	uint64_t in_file; /* bytes of tables whose rows are read from the file when needed */
	uint64_t unused; /* for images, sound, the prediction of several tokens: never read */
};

/* `plan`: NULL where it is not known. */
struct model_work model_work_of(const struct gguf *gguf, const struct plan *plan);

#endif
