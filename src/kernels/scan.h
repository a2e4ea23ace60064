/* Recurrent layers over the tokens of a micro-batch: a causal convolution, and states that are
 * rows of floats, each of which all tokens go through while it is in registers: one pass over
 * memory, and the same bits for any split of the tokens. */
#ifndef SOTTO_KERNELS_SCAN_H
#define SOTTO_KERNELS_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct compute;

/* out[t][c] = bias[c] + sum over j of taps[j][c] * x[t - n_taps + 1 + j][c], then silu where
 * `activated`; what stands before x[0] is in before[n_taps - 1][c]. next[n_taps - 1][c] becomes
 * what stands before the token that follows. bias may be NULL. n_taps <= CONV_MAX_TAPS. */
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
 * decay, beta [n][n_head]; v, out [n][n_head][n_value], k and q [n][n_group][n_key], with these
 * many floats from token to token. Gated delta net (Yang et al. 2024) and Mamba-2 (Dao and Gu
 * 2024), where k is B, q is C, v is x and beta is dt. */
struct scan {
	size_t n, n_head, n_group, n_key, n_value;
	bool is_delta;
	bool groups_alternate; /* head h has group h % n_group, else h / (n_head / n_group) */
	const float *decay, *beta;
	const float *k, *q, *v;
	size_t stride; /* of k, q and v */
	const float *before;
	float *next, *out;
};
void scan_states(const struct compute *compute, const struct scan *scan);

#endif
