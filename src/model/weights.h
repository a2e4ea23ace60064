/* The weights of a model: names of tensors turned into pointers once.
 *
 * Every family describes its tensors in a table of rows (name, where it goes,
 * shape); loading checks each against the file and fails with found and
 * expected. A tensor of the file that no row names is an error: computing
 * without it would give wrong answers quietly. */
#ifndef SOTTO_MODEL_WEIGHTS_H
#define SOTTO_MODEL_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gguf/reader.h"
#include "kernels/matmul.h"
#include "model/hparams.h"

struct threadpool;

/* Shapes: rows x cols, as the product y[rows] = m * x[cols] sees them. What a
 * family lacks is a matrix without data or a NULL. */
struct layer_weights {
	const float *attn_norm;  /* [n_embd] */
	struct matrix wq;        /* n_head * head_dim_k x n_embd */
	struct matrix wk;        /* n_head_kv * head_dim_k x n_embd */
	struct matrix wv;        /* n_head_kv * head_dim_v x n_embd */
	struct matrix wo;        /* n_embd x n_head * head_dim_v */
	const float *bq, *bk, *bv, *bo; /* [rows] of the matrix; may be NULL */

	const float *ffn_norm;   /* [n_embd] */
	struct matrix ffn_gate;  /* n_ff x n_embd */
	struct matrix ffn_up;    /* n_ff x n_embd */
	struct matrix ffn_down;  /* n_embd x n_ff */
	const float *ffn_gate_bias, *ffn_up_bias, *ffn_down_bias; /* may be NULL */
};

struct weights {
	struct matrix token_embd;  /* n_vocab x n_embd */
	const float *output_norm;  /* [n_embd] */
	struct matrix output;      /* n_vocab x n_embd; token_embd where the file has none */
	const float *rope_freqs;   /* [rope_dim / 2] divisors of the frequencies; may be NULL */
	struct layer_weights *layers; /* [n_layer] */

	void *panels; /* owned mapping: all matrices that are multiplied (weights_pack) */
	size_t panels_bytes;
	void **vectors; /* owned: what the float pointers above point into */
	size_t n_vectors, cap_vectors;
	uint64_t n_params;
};

/* Lengths that depend on the hyper-parameters, some on the layer. */
enum weights_dim {
	DIM_ONE, DIM_EMBD, DIM_VOCAB, DIM_Q, DIM_K, DIM_V, DIM_HEADS, DIM_FF, DIM_ROPE
};

enum weights_kind {
	WEIGHTS_MATRIX,  /* used in place */
	WEIGHTS_VECTOR,  /* copied as floats */
	WEIGHTS_IGNORED, /* old files carry it; computed instead */
};

struct weights_row {
	const char *name; /* without "blk.N." for a layer's */
	enum weights_kind kind;
	size_t offset;    /* in struct weights or struct layer_weights */
	enum weights_dim rows, cols; /* a vector: rows */
	bool optional;
};

/* How much is done, 0..1; false = stop. */
typedef bool (*weights_progress)(void *ctx, float fraction);

struct weights_table {
	const struct weights_row *model, *layer;
	size_t n_model, n_layer;
};

enum status weights_load(struct weights *weights, const struct weights_table *table,
                         const struct gguf *gguf, const struct hparams *hp,
                         struct error *err) MUST_CHECK;
/* Packs the matrices that are multiplied (kernels/panels.h), on the threads of
 * `pool`, which may be NULL, and gives the file's pages of them back. `progress`
 * with its ctx may be NULL; false = stop (STATUS_CANCELLED). */
enum status weights_pack(struct weights *weights, const struct weights_table *table,
                         const struct gguf *gguf, const struct hparams *hp,
                         struct threadpool *pool, weights_progress progress, void *ctx,
                         struct error *err) MUST_CHECK;
void weights_free(struct weights *weights);

#endif
