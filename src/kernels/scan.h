/* What recurrent layers do with the tokens of a micro-batch: a causal convolution (llama.cpp's
 * ggml_ssm_conv), and a linear recurrence over states (ggml_ssm_scan, the gated delta net). A row
 * of a state is loaded into registers once, updated there for all tokens, and stored: one pass
 * over memory, and the same bits for any split of the tokens into micro-batches. */
#ifndef SOTTO_KERNELS_SCAN_H
#define SOTTO_KERNELS_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct compute;

/* out[t][c] = bias[c] + sum over j of taps[j][c] * x[t - n_taps + 1 + j][c], then silu where
 * `activated`. before[n_taps - 1][c] holds the inputs of the tokens before x[0];
 * next[n_taps - 1][c] becomes the same for the micro-batch that follows. bias may be NULL.
 * n_taps <= CONV_MAX_TAPS. */
enum { CONV_MAX_TAPS = 16 };
struct conv {
	size_t n, n_channels, n_taps; /* n tokens */
	const float *taps, *bias;
	bool activated;
	const float *x, *before;
	float *next, *out;
};
void convolve(const struct compute *compute, const struct conv *conv);

/* States S[n_head][n_value][n_key]. For each token, head and row s of its state:
 *
 *     s = decay * s
 *     s = s + beta * (v - s . k) * k    with `is_delta`, else    s = s + beta * v * k
 *     out = s . q
 *
 * decay, beta [n][n_head]; out [n][n_head][n_value]; v [n][n_head][n_value], k and q
 * [n][n_group][n_key], whose tokens are `stride` floats apart. Gated delta net (Yang et al. 2024)
 * and Mamba-2 (Dao and Gu 2024), where k is B, q is C, v is x and beta is dt. */
struct scan {
	size_t n, n_head, n_group, n_key, n_value; /* n tokens */
	bool is_delta;
	bool groups_alternate; /* head h has group h % n_group, else h / (n_head / n_group) */
	const float *decay, *beta;
	const float *k, *q, *v;
	size_t stride;
	const float *before; /* the states before the first token */
	float *next;         /* the states after the last one */
	float *out;
};
void scan_states(const struct compute *compute, const struct scan *scan);

#endif
