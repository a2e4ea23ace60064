/* How long picking a token takes, with large vocabularies.
 * usage: bench/sampler [RUNS]
 * The sum of the ids is there to compare versions: it must not change. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "bench.h"
#include "sampler/chain.h"

enum { N_MAX = 262144, N_DRAWS = 8, N_HISTORY = 8192 };

static int32_t history[N_HISTORY]; /* for DRY, which looks back at all of it */

static int compare_times(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* A bell of width 2.5 and a few words far above it, as models give; flat: the bell alone,
 * narrow, so that a nucleus takes half of the vocabulary. */
static void make_logits(float *logits, size_t n, bool flat, struct rng *rng)
{
	for (size_t i = 0; i < n; i++) {
		double sum = 0;

		for (int k = 0; k < 6; k++)
			sum += rng_uniform(rng) - 0.5;
		logits[i] = (float)(sum * (flat ? 1 : 3.5));
	}
	for (size_t i = 0; i < 200 && !flat; i++)
		logits[rng_next(rng) % n] = (float)(18 - 10 * rng_uniform(rng));
}

static void measure(const char *what, const struct sampler_params *params, size_t n, size_t n_top,
                    float *const logits[N_DRAWS], size_t runs)
{
	double *ms = alloc_array(runs, sizeof *ms);
	struct sampler_choice choice;
	struct sampler *sampler;
	struct error err;
	struct sampler_state state;
	uint64_t sum = 0;

	if (!ms || sampler_create(&sampler, n, &err))
		fail("not enough memory");
	sampler_state_init(&state, 1);
	for (size_t i = 0; i < runs; i++) {
		double start = 1e3 * processor_s();

		if (sampler_pick(sampler, logits[i % N_DRAWS], history, N_HISTORY, params, &state, n_top,
		                 &choice, &err))
			fail(err.text);
		ms[i] = 1e3 * processor_s() - start;
		sum += (uint64_t)choice.id * (i + 1);
	}
	qsort(ms, runs, sizeof *ms, compare_times);
	printf("%-30s %6zu   %9.3f ms   worst %9.3f ms   ids %" PRIu64 "\n", what, n, ms[runs / 2],
	       ms[runs - 1], sum);
	sampler_free(sampler);
	free(ms);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		float temp, top_p, min_p, typical;
		int32_t top_k;
		size_t n_top;
		bool flat;
		float top_n_sigma, xtc_probability, dynatemp_range;
		int32_t mirostat;
		float dry_multiplier;
	} rows[] = {
		{"defaults", 0.8f, 0.95f, 0.05f, 1, 40, 0, false},
		{"defaults, 48 kept", 0.8f, 0.95f, 0.05f, 1, 40, 48, false},
		{"greedy", 0, 0.95f, 0.05f, 1, 40, 0, false},
		{"top-p alone", 0.8f, 0.95f, 0, 1, 0, 0, false},
		{"top-p alone, flat", 0.8f, 0.95f, 0, 1, 0, 0, true},
		{"min-p alone", 0.8f, 1, 0.05f, 1, 0, 0, false},
		{"typical alone", 0.8f, 1, 0, 0.9f, 0, 0, false},
		{"temperature alone", 0.8f, 1, 0, 1, 0, 0, false},
		{"top-nsigma and defaults", 0.8f, 0.95f, 0.05f, 1, 40, 0, false, .top_n_sigma = 1},
		{"xtc and defaults", 0.8f, 0.95f, 0.05f, 1, 40, 0, false, .xtc_probability = 1},
		{"xtc alone", 0.8f, 1, 0, 1, 0, 0, false, .xtc_probability = 1},
		{"dynatemp and defaults", 0.8f, 0.95f, 0.05f, 1, 40, 0, false, .dynatemp_range = 0.5f},
		{"dry and defaults", 0.8f, 0.95f, 0.05f, 1, 40, 0, false, .dry_multiplier = 0.8f},
		{"mirostat 1", 0.8f, 0.95f, 0.05f, 1, 40, 0, false, .mirostat = 1},
		{"mirostat 2", 0.8f, 0.95f, 0.05f, 1, 40, 0, false, .mirostat = 2},
	};
	size_t runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 40;
	float *logits[2][N_DRAWS];
	struct rng rng;

	if (runs == 0)
		fail("usage: bench/sampler [RUNS]");
	rng_init(&rng, 7);
	for (size_t i = 0; i < N_HISTORY; i++)
		history[i] = (int32_t)(rng_next(&rng) % (i < N_HISTORY / 2 ? 4 : 4000));
	rng_init(&rng, 7);
	for (size_t flat = 0; flat < 2; flat++)
		for (size_t i = 0; i < N_DRAWS; i++) {
			logits[flat][i] = alloc_array(N_MAX, sizeof(float));
			if (!logits[flat][i])
				fail("not enough memory");
			make_logits(logits[flat][i], N_MAX, flat, &rng);
		}
	for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
		for (size_t n = N_MAX / 2; n <= N_MAX; n *= 2) {
			struct sampler_params params = sampler_params_default();

			params.temp = rows[r].temp;
			params.top_k = rows[r].top_k;
			params.top_p = rows[r].top_p;
			params.min_p = rows[r].min_p;
			params.typical = rows[r].typical;
			params.top_n_sigma = rows[r].top_n_sigma;
			params.xtc_probability = rows[r].xtc_probability;
			params.dynatemp_range = rows[r].dynatemp_range;
			params.mirostat = rows[r].mirostat;
			params.dry_multiplier = rows[r].dry_multiplier;
			params.dry_penalty_last_n = -1;
			measure(rows[r].name, &params, n, rows[r].n_top, logits[rows[r].flat], runs);
		}
	for (size_t flat = 0; flat < 2; flat++)
		for (size_t i = 0; i < N_DRAWS; i++)
			free(logits[flat][i]);
	return 0;
}
