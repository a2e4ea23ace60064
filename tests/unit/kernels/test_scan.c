#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "kernels/compute.h"
#include "kernels/isa.h"
#include "kernels/scan.h"
#include "kernels/threadpool.h"
#include "support/random.h"

enum { N = 9, HEADS = 4, GROUPS = 2, VALUE = 11 };

static float *floats(struct test_random *random, size_t n, float magnitude)
{
	float *x = alloc_array(n, sizeof *x);

	cr_assert(x);
	test_random_floats(random, x, n, magnitude);
	return x;
}

/* What the header says, in double. */
static void reference(const struct scan *s, double *state, double *out)
{
	for (size_t h = 0; h < s->n_head; h++)
		for (size_t row = 0; row < s->n_value; row++)
			for (size_t t = 0; t < s->n; t++) {
				size_t group = s->groups_alternate ? h % s->n_group : h / (s->n_head / s->n_group);
				const float *k = s->k + t * s->stride + group * s->n_key;
				const float *q = s->q + t * s->stride + group * s->n_key;
				double *row_state = state + (h * s->n_value + row) * s->n_key, dot = 0, learnt;
				size_t at = h * s->n_value + row;

				for (size_t i = 0; i < s->n_key; i++) {
					row_state[i] *= (double)s->decay[t * s->n_head + h];
					dot += row_state[i] * (double)k[i];
				}
				learnt = (double)s->beta[t * s->n_head + h] *
				         ((double)s->v[t * s->stride + at] - (s->is_delta ? dot : 0));
				dot = 0;
				for (size_t i = 0; i < s->n_key; i++) {
					row_state[i] += learnt * (double)k[i];
					dot += row_state[i] * (double)q[i];
				}
				out[t * s->n_head * s->n_value + at] = dot;
			}
}

static void check_scan(const struct isa *isa, size_t n_key, bool is_delta, bool alternate)
{
	struct test_random random = {n_key + is_delta};
	size_t stride = HEADS * VALUE + 2 * GROUPS * n_key, n_state = HEADS * VALUE * n_key;
	float *x = floats(&random, N * stride, 0.3f), *before = floats(&random, n_state, 1);
	float *decay = floats(&random, N * HEADS, 0.5f), *beta = floats(&random, N * HEADS, 0.5f);
	float *next = alloc_array(n_state, sizeof *next), *out = alloc_array(N * HEADS * VALUE, sizeof *out);
	float *split_next = alloc_array(n_state, sizeof *next);
	float *split_out = alloc_array(N * HEADS * VALUE, sizeof *out);
	double *state = alloc_array(n_state, sizeof *state);
	double *expected = alloc_array(N * HEADS * VALUE, sizeof *expected);
	struct threadpool *pool;
	struct scan scan = {.n = N, .n_head = HEADS, .n_group = GROUPS, .n_key = n_key, .n_value = VALUE,
	                    .is_delta = is_delta, .groups_alternate = alternate, .decay = decay,
	                    .beta = beta, .v = x, .k = x + HEADS * VALUE,
	                    .q = x + HEADS * VALUE + GROUPS * n_key, .stride = stride,
	                    .before = before, .next = next, .out = out};

	cr_assert(next && out && split_next && split_out && state && expected);
	for (size_t i = 0; i < N * HEADS; i++)
		decay[i] = fabsf(decay[i]);
	for (size_t i = 0; i < n_state; i++)
		state[i] = (double)before[i];
	reference(&scan, state, expected);
	scan_states(&(struct compute){NULL, isa}, &scan);
	for (size_t i = 0; i < n_state; i++)
		cr_assert_float_eq(next[i], state[i], 1e-5 * (fabs(state[i]) + 1), "%s, keys of %zu", isa->name, n_key);
	for (size_t i = 0; i < N * HEADS * VALUE; i++)
		cr_assert_float_eq(out[i], expected[i], 3e-5 * (fabs(expected[i]) + 1), "%s, keys of %zu", isa->name, n_key);

	/* token by token, on more threads: the same bits */
	cr_assert_eq(threadpool_create(&pool, 3, NULL), STATUS_OK);
	memcpy(split_next, before, n_state * sizeof *before);
	for (size_t t = 0; t < N; t++) {
		struct scan one = scan;

		one.n = 1;
		one.decay += t * HEADS;
		one.beta += t * HEADS;
		one.v += t * stride;
		one.k += t * stride;
		one.q += t * stride;
		one.before = one.next = split_next; /* in place is fine */
		one.out = split_out + t * HEADS * VALUE;
		scan_states(&(struct compute){pool, isa}, &one);
	}
	cr_assert_eq(memcmp(split_next, next, n_state * sizeof *next), 0, "%s: state", isa->name);
	cr_assert_eq(memcmp(split_out, out, N * HEADS * VALUE * sizeof *out), 0, "%s: output", isa->name);
	threadpool_free(pool);
	free(x);
	free(before);
	free(decay);
	free(beta);
	free(next);
	free(out);
	free(split_next);
	free(split_out);
	free(state);
	free(expected);
}

static void check_conv(const struct isa *isa, size_t n_taps, bool biased, bool activated)
{
	enum { CHANNELS = 37 };
	struct test_random random = {n_taps};
	float *x = floats(&random, N * CHANNELS, 1), *taps = floats(&random, n_taps * CHANNELS, 1);
	float *bias = floats(&random, CHANNELS, 1), *before = floats(&random, n_taps * CHANNELS, 1);
	float out[N * CHANNELS], next[CONV_MAX_TAPS * CHANNELS];
	struct conv conv = {.n = N, .n_channels = CHANNELS, .n_taps = n_taps, .taps = taps,
	                    .bias = biased ? bias : NULL, .activated = activated, .x = x,
	                    .before = before, .next = next, .out = out};

	convolve(&(struct compute){NULL, isa}, &conv);
	for (size_t t = 0; t < N; t++)
		for (size_t c = 0; c < CHANNELS; c++) {
			double sum = biased ? (double)bias[c] : 0;

			for (size_t j = 0; j < n_taps; j++) {
				size_t at = t + j;
				float value = at < n_taps - 1 ? before[at * CHANNELS + c]
				                              : x[(at - (n_taps - 1)) * CHANNELS + c];

				sum += (double)taps[j * CHANNELS + c] * (double)value;
			}
			if (activated)
				sum = sum / (1 + exp(-sum));
			cr_assert_float_eq(out[t * CHANNELS + c], sum, 1e-5, "%s, %zu taps", isa->name, n_taps);
		}
	for (size_t j = 0; j + 1 < n_taps; j++)
		for (size_t c = 0; c < CHANNELS; c++) {
			size_t at = N + j;

			cr_assert_eq(next[j * CHANNELS + c], at < n_taps - 1 ? before[at * CHANNELS + c]
			                                                   : x[(at - (n_taps - 1)) * CHANNELS + c]);
		}
	free(x);
	free(taps);
	free(bias);
	free(before);
}

Test(scan, follows_its_formulas_whatever_the_split)
{
	static const size_t keys[] = {3, 16, 32, 64, 128, 256};

	for (size_t i = 0; i < isa_n; i++)
		for (size_t k = 0; isa_usable(&isa_table[i]) && k < sizeof keys / sizeof keys[0]; k++)
			for (int kind = 0; kind < 4; kind++)
				check_scan(&isa_table[i], keys[k], kind & 1, kind & 2);
}

Test(scan, convolves_over_what_stood_before)
{
	for (size_t i = 0; i < isa_n; i++)
		for (size_t taps = 1; isa_usable(&isa_table[i]) && taps <= CONV_MAX_TAPS; taps += taps > 3 ? 12 : 1)
			for (int kind = 0; kind < 4; kind++)
				check_conv(&isa_table[i], taps, kind & 1, kind & 2);
}
