/* Small models of every architecture, for tests. Tensors are exact multiples of a unit, made by a
 * hash of their name, so that any block type holds the same weights, Q8_0's included, and the same
 * parameters give the same model on every machine. */
#ifndef SOTTO_TESTS_FAMILY_MODEL_H
#define SOTTO_TESTS_FAMILY_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "gguf/writer.h"

/* In a spec 0 is the usual: see family_model.c. */
struct family_sizes {
	uint32_t n_ctx, n_vocab, n_embd, n_layer, n_head, n_head_kv, n_ff;
	uint32_t head_dim; /* a multiple of 8 */
	uint32_t window;
	uint32_t n_state_head, n_state_group, state_key, state_value; /* recurrent layers */
	uint32_t n_layer_embd; /* of a token's embedding for each layer */
	uint32_t n_shared;     /* last layers without keys and values of their own */
	uint32_t n_behind;     /* of the layers, those that predict several tokens */
	/* Experts: how many, and of a token's; lengths of each and of the one for all tokens; layers
	 * without any before them, and how many layers from one with them to the next. */
	uint32_t n_expert, n_expert_used, n_expert_ff, n_shared_ff, n_dense, expert_step;
	/* Latent attention, unless kv_rank is 0: head_dim is what is rotated then. */
	uint32_t kv_rank, q_rank, latent_key, latent_value;
};

/* Keys and tensors of a family. Lists are text, an entry a line; lengths are numbers or symbols
 * of lengths() in family_model.c. */
struct family_spec {
	const char *name, *architecture;
	struct family_sizes sizes;
	/* A letter for each layer, repeated: a attention, w the same with shorter heads (Gemma 4),
	 * d delta net, m Mamba-2, c convolution, f feed-forward alone. */
	const char *kinds;
	uint32_t rope_quarters; /* of a head that are rotated; 0: all four */
	const char *keys;       /* TYPE NAME VALUE; those that all have are not listed */
	const char *tensors;    /* LAYERS NAME LENGTH...; LAYERS: letters, * all, - none: a global;
	                         * E those with experts, D those without */
	/* Its layers make much of small differences: those between types and instruction sets. */
	bool sensitive;
};

extern const struct family_spec family_specs[]; /* the last has no name */
const struct family_spec *family_spec_find(const char *name); /* fails where there is none */

/* Byte-level; n_vocab is that of its tokens. */
enum family_vocabulary {
	FAMILY_NO_VOCABULARY,
	FAMILY_FEW_LETTERS,
	FAMILY_ALL_BYTES,
};

struct family_model {
	const struct family_spec *spec;
	struct family_sizes sizes;
	enum block_type type; /* of matrices: F32, F16, BF16 or Q8_0 where rows are whole blocks */
	uint64_t seed;
	enum family_vocabulary vocabulary;
	const char *without;  /* a key or tensor that is left out */
	const char *misshapen; /* a tensor with one more in its last dimension */
};
/* As the spec has it, F32, seed 1. */
struct family_model family_model_of(const char *name);

/* A writer with all keys and tensors; more may be set before it is written. */
struct family_file {
	struct gguf_writer *w;
	void **data; /* owned: of the tensors */
	size_t n, cap;
};
void family_file_init(struct family_file *file, const struct family_model *made);
void family_file_free(struct family_file *file);

enum status family_model_write(const struct family_model *made, struct buf *out, struct error *err);
enum status family_model_save(const struct family_model *made, const char *path, struct error *err);

#endif
