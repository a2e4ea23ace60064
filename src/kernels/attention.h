/* Scaled dot-product attention over cached keys and values (Vaswani et al.
 * 2017), heads in groups that share keys and values (Ainslie et al. 2023,
 * "GQA"), optionally in a sliding window (Jiang et al. 2023, "Mistral 7B"). */
#ifndef SOTTO_KERNELS_ATTENTION_H
#define SOTTO_KERNELS_ATTENTION_H

#include <stddef.h>
#include <stdint.h>

#include "gguf/types.h"

struct compute;

enum { ATTENTION_MAX_DIM = 1024 }; /* elements of a head */

/* The keys and values of one layer, by absolute position. */
struct kv_layer {
	enum block_type type; /* BLOCK_F16 or BLOCK_F32 */
	size_t n_kv_head, n_ctx, k_dim, v_dim;
	void *k; /* [n_kv_head][n_ctx][k_dim] */
	void *v; /* [n_kv_head][n_ctx][v_dim] */
};

/* Stores k[n][n_kv_head][k_dim] and v[n][n_kv_head][v_dim] at positions pos ..
 * pos + n - 1 < n_ctx, rounded to the layer's type; what half precision cannot
 * hold becomes its largest number. */
void kv_store(const struct kv_layer *kv, size_t pos, size_t n, const float *k, const float *v);

struct attention {
	const struct kv_layer *kv;
	size_t n_head;  /* a multiple of kv->n_kv_head; head h uses h / (n_head / n_kv_head) */
	size_t window;  /* position p sees p - window + 1 .. p; 0 = everything before it */
	float scale;    /* of the scores, mostly 1 / sqrt(k_dim) */
	float *scores;  /* scratch [threads][n_head / n_kv_head][kv->n_ctx] */
};

/* out[n][n_head][v_dim] for q[n][n_head][k_dim] at positions pos .. pos + n - 1,
 * whose keys and values are stored already. Sums run over absolute positions
 * in rising order, so no split of the batch changes a bit. */
void attention(const struct compute *compute, const struct attention *a, const float *q,
               size_t pos, size_t n, float *out);

#endif
