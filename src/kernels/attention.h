/* Scaled dot-product attention over cached keys and values (Vaswani et al.
 * 2017), heads in groups that share keys and values (Ainslie et al. 2023,
 * "GQA"), optionally in a sliding window (Jiang et al. 2023, "Mistral 7B"). */
#ifndef SOTTO_KERNELS_ATTENTION_H
#define SOTTO_KERNELS_ATTENTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/kv_layer.h"

struct compute;

enum { ATTENTION_MAX_DIM = 1024 }; /* elements of a head */

struct attention {
	const struct kv_layer *kv;
	size_t n_head; /* a multiple of kv->n_kv_head; head h uses h / (n_head / n_kv_head) */
	size_t window; /* position p sees p - window + 1 .. p; 0 = everything before it */
	bool by_chunks; /* then position p sees p / window * window .. p (Meta 2025, "Llama 4") */
	float scale;   /* of the scores, mostly 1 / sqrt(k_dim) */
	float softcap; /* scores s become softcap * tanh(s / softcap); 0: they stay */
	const float *sinks; /* [n_head]: one more score in each head's softmax, without a value; NULL:
	                     * none (Xiao et al. 2023, "attention sinks"; gpt-oss) */
	float *tiles;  /* scratch [threads][attention_tile_floats]; 64-byte aligned */
	float *chunks; /* scratch [attention_chunks][attention_chunk_floats], likewise */
};

/* Sizes of the scratch, for groups of `group` heads. */
uint64_t attention_tile_floats(uint64_t group, uint64_t k_dim, uint64_t v_dim);
uint64_t attention_chunks(uint64_t n_ctx);
uint64_t attention_chunk_floats(uint64_t n_head, uint64_t v_dim);

/* out[n][n_head][v_dim] for q[n][n_head][k_dim] at positions pos .. pos + n - 1, whose keys
 * and values are stored already. Sums run over absolute positions in rising order and are cut
 * at fixed places, so that neither the split of the batch nor the number of threads changes a
 * bit. */
void attention(const struct compute *compute, const struct attention *a, const float *q,
               size_t pos, size_t n, float *out);

#endif
