/* Hyper-parameters of a model: read once from `ARCH.*` keys, every field
 * checked against its range. Immutable afterwards. */
#ifndef SOTTO_MODEL_HPARAMS_H
#define SOTTO_MODEL_HPARAMS_H

#include <stdint.h>

#include "base/error.h"
#include "gguf/reader.h"
#include "kernels/rope.h"

enum { HPARAMS_MAX_LAYERS = 1024 };

/* What may differ from layer to layer. */
struct layer_hparams {
	uint32_t n_head;
	uint32_t n_head_kv; /* divides n_head */
	uint32_t n_ff;
	uint32_t window;    /* positions seen, itself counted; 0 = all before it */
};

struct hparams {
	uint32_t n_vocab;
	uint32_t n_ctx_train;
	uint32_t n_embd;
	uint32_t n_layer;

	uint32_t head_dim_k; /* elements of a head of Q and K */
	uint32_t head_dim_v; /* of V */
	float attention_scale; /* of the scores */

	float norm_eps;

	enum rope_pairing rope_pairing;
	uint32_t rope_dim;   /* elements of a head that are rotated, even */
	float rope_base;
	float rope_freq_scale; /* linear scaling: frequencies times this */
	float rope_attn_scale; /* factor on what is rotated; 1 for most */

	struct layer_hparams layers[HPARAMS_MAX_LAYERS]; /* n_layer of them */
};

/* The largest over all layers: for buffers. */
uint32_t hparams_max_head(const struct hparams *hp);
uint32_t hparams_max_head_kv(const struct hparams *hp);
uint32_t hparams_max_ff(const struct hparams *hp);

/* Fills what all families have in common from the keys of architecture `arch`;
 * fields that a family computes otherwise are its own business afterwards.
 * STATUS_FORMAT with key, found and expected; STATUS_UNSUPPORTED for a value
 * that is proper but not implemented. */
enum status hparams_read(struct hparams *hp, const struct gguf *gguf, const char *arch,
                         struct error *err) MUST_CHECK;

#endif
