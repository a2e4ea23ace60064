#include <criterion/criterion.h>
#include <math.h>

#include "sampler/penalties.h"

enum { N = 5 };

Test(penalties, lower_what_was_said_lately)
{
	static const struct {
		float repeat, frequency, presence;
		int32_t last_n;
		int32_t history[6];
		size_t n_history;
		float expected[N];
	} rows[] = {
		/* Logits before: 2 1 0 -1 -2. */
		{1, 0, 0, 64, {0, 1, 2, 3, 4}, 5, {2, 1, 0, -1, -2}},
		{2, 0, 0, 64, {0, 3}, 2, {1, 1, 0, -2, -2}},
		{2, 0, 0, 64, {0, 0, 0}, 3, {1, 1, 0, -1, -2}}, /* once, however often */
		{1, .5f, 0, 64, {0, 0, 4}, 3, {1, 1, 0, -1, -2.5f}},
		{1, 0, .5f, 64, {0, 0, 4}, 3, {1.5f, 1, 0, -1, -2.5f}},
		{1, -.5f, 0, 64, {2}, 1, {2, 1, .5f, -1, -2}},
		{2, .5f, .25f, 64, {0, 0}, 2, {1 - 1.25f, 1, 0, -1, -2}},
		{2, 0, 0, 0, {0, 1}, 2, {2, 1, 0, -1, -2}},     /* looks back at nothing */
		{2, 0, 0, 1, {0, 1}, 2, {2, .5f, 0, -1, -2}},   /* the last one only */
		{2, 0, 0, -1, {0, 1}, 2, {1, .5f, 0, -1, -2}},  /* at everything */
		{2, 0, 0, 64, {0}, 0, {2, 1, 0, -1, -2}},
		{2, 0, 0, 64, {-1, 5, 99, 0}, 4, {1, 1, 0, -1, -2}}, /* foreign ids */
		{0, 0, 0, 64, {0, 1}, 2, {2, 1, 0, -1, -2}},    /* would divide by nothing */
		{NAN, 0, 0, 64, {0, 1}, 2, {2, 1, 0, -1, -2}},
	};

	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
		float logits[N] = {2, 1, 0, -1, -2};
		struct sampler_params params = sampler_params_default();
		uint32_t counts[N] = {0};

		params.repeat_penalty = rows[r].repeat;
		params.frequency_penalty = rows[r].frequency;
		params.presence_penalty = rows[r].presence;
		params.repeat_last_n = rows[r].last_n;
		penalties_apply(logits, N, rows[r].history, rows[r].n_history, &params, counts);
		for (size_t i = 0; i < N; i++) {
			cr_assert_float_eq(logits[i], rows[r].expected[i], 1e-6, "row %zu id %zu: %g",
			                   r, i, (double)logits[i]);
			cr_assert_eq(counts[i], 0, "the zeros are given back");
		}
	}
}
