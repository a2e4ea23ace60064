#include <criterion/criterion.h>
#include <math.h>

#include "compare/run.h"

enum { N_VOCAB = 5 };

/* Logits that tell at which position and behind which token they are, and what was asked for. */
struct fake {
	float bias;
	size_t n_tokens, n_rows, most;
	size_t stop_at; /* fails there; 0: nowhere */
};

static void fill(const struct fake *fake, int32_t id, size_t pos, float *row)
{
	for (size_t k = 0; k < N_VOCAB; k++)
		row[k] = (float)((size_t)id * 3 + pos * 7 + k * k) / 11 + (k == 2 ? fake->bias : 0);
	row[pos % N_VOCAB] += 2;
}

static enum status eval(void *ctx, const struct compared_text *text, const struct text_window *window, size_t pos,
                        size_t n, float *rows, struct error *err)
{
	struct fake *fake = ctx;

	fake->n_tokens += n;
	fake->most = n > fake->most ? n : fake->most;
	for (size_t i = 0; i < n; i++) {
		cr_assert_lt(pos + i, window->n);
		cr_assert_eq(text->counts[window->at + pos + i], rows != NULL);
		if (rows)
			fill(fake, text->ids[window->at + pos + i], pos + i, rows + i * N_VOCAB);
		fake->n_rows += rows != NULL;
	}
	if (fake->stop_at && fake->n_tokens >= fake->stop_at)
		return error_set(err, STATUS_CANCELLED, "stopped");
	return STATUS_OK;
}

static struct logits_source source_of(struct fake *fake)
{
	return (struct logits_source){.ctx = fake, .n_vocab = N_VOCAB, .floor = -INFINITY, .eval = eval};
}

static void cut(struct compared_text *text)
{
	int32_t ids[50];

	for (size_t i = 0; i < 50; i++)
		ids[i] = (int32_t)(i * i % N_VOCAB);
	cr_assert_eq(text_cut(text, ids, 50, 10, -1, NULL), STATUS_OK);
}

static void note(void *ctx, size_t done, size_t all)
{
	size_t *last = ctx;

	cr_assert_gt(done, *last);
	cr_assert_leq(done, all);
	*last = done;
}

/* The same whatever the stretches are. */
Test(run, comparison)
{
	struct compared_text text = {0};
	struct comparison_summary first;

	cut(&text);
	for (size_t at_once = 0; at_once < 5; at_once++) {
		size_t done = 0;
		struct fake judged = {.bias = 0.5f}, reference = {0};
		const struct logits_source a = source_of(&judged), b = source_of(&reference);
		const struct compare_run run = {.text = &text, .n_at_once = at_once, .progress = note, .progress_ctx = &done};
		struct comparison comparison = {0};
		struct comparison_summary got;

		cr_assert_eq(compare_run(&run, &a, &b, &comparison, NULL), STATUS_OK);
		cr_assert_eq(done, 50);
		cr_assert_eq(judged.n_tokens, 50);
		cr_assert_eq(judged.n_rows, 20);
		cr_assert_eq(comparison.n, 20);
		cr_assert(!at_once || judged.most <= at_once);
		cr_assert_eq(comparison.places[0].at, 5);
		cr_assert_eq(comparison.places[19].at, 48);
		cr_assert_eq(comparison_summarise(&comparison, &got, NULL), STATUS_OK);
		cr_assert_gt(got.mean, 0);
		if (!at_once)
			first = got;
		cr_assert_eq(got.mean, first.mean);
		cr_assert_eq(got.ratio, first.ratio);
		comparison_free(&comparison);
	}
	text_free(&text);
}

static void see_window(void *ctx, size_t index, const struct moments *surprise)
{
	size_t *n = ctx;

	cr_assert_eq(index, (*n)++);
	cr_assert_eq(surprise->n, *n * 4);
}

Test(run, perplexity)
{
	struct compared_text text = {0};
	struct fake fake = {0};
	const struct logits_source source = source_of(&fake);
	struct moments surprise;
	double sum = 0;
	size_t n_windows = 0;

	cut(&text);
	cr_assert_eq(perplexity_run(&(struct compare_run){.text = &text}, &source, see_window, &n_windows, &surprise, NULL),
	             STATUS_OK);
	cr_assert_eq(n_windows, 5);
	for (size_t i = 0; i < 50; i++) {
		float row[N_VOCAB];
		double all = 0;

		if (i % 10 < 5 || i % 10 == 9)
			continue;
		fill(&fake, text.ids[i], i % 10, row);
		for (size_t k = 0; k < N_VOCAB; k++)
			all += exp((double)row[k]);
		sum -= log(exp((double)row[text.ids[i + 1]]) / all);
	}
	cr_assert_lt(fabs(perplexity_of(&surprise) - exp(sum / 20)), 1e-5);
	cr_assert_gt(perplexity_error(&surprise), 0);
	text_free(&text);
}

Test(run, faults)
{
	struct compared_text text = {0};
	struct fake judged = {.stop_at = 20}, reference = {.bias = NAN};
	const struct logits_source a = source_of(&judged), b = source_of(&reference);
	const struct compare_run run = {.text = &text};
	struct logits_source log_p;
	struct comparison comparison = {0};
	struct error err;

	cut(&text);
	cr_assert_eq(compare_run(&run, &a, &b, &comparison, &err), STATUS_FORMAT);
	cr_assert_str_eq(err.text, "the reference: the logits behind token 5 are not numbers: `sotto doctor` looks for why");
	reference.bias = 0;
	comparison_free(&comparison);
	log_p = b;
	log_p.is_log_p = true;
	cr_assert_eq(compare_run(&run, &a, &log_p, &comparison, &err), STATUS_USAGE);
	cr_assert_str_eq(err.text, "the reference is damaged: its probabilities behind token 5 do not add up to 1");
	comparison_free(&comparison);
	judged = (struct fake){.stop_at = 20};
	cr_assert_eq(compare_run(&run, &a, &b, &comparison, &err), STATUS_CANCELLED);
	cr_assert_eq(comparison.n, 8);
	comparison_free(&comparison);
	text_free(&text);
}
