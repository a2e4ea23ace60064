#include "compare/run.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/limits.h"

/* Rows of logits that are held of each source. */
static size_t rows_held(const struct compare_run *run, size_t n_vocab)
{
	size_t rows = MIB(64) / (n_vocab * sizeof(float)) + 1, longest = text_longest(run->text);

	rows = rows < longest ? rows : longest;
	return run->n_at_once && run->n_at_once < rows ? run->n_at_once : rows;
}

/* A stretch of a window of which all tokens count, or none. */
struct stretch {
	const struct text_window *window;
	size_t pos, n;
	bool counts;
};

static struct stretch next_stretch(const struct compare_run *run, const struct text_window *window, size_t pos,
                                   size_t n_rows)
{
	const bool *counts = run->text->counts + window->at;
	struct stretch out = {.window = window, .pos = pos, .counts = counts[pos]};
	size_t most = out.counts || run->n_at_once ? n_rows : window->n;

	while (out.n < most && pos + out.n < window->n && counts[pos + out.n] == out.counts)
		out.n++;
	return out;
}

static void tell(const struct compare_run *run, const struct stretch *stretch)
{
	if (run->progress)
		run->progress(run->progress_ctx, stretch->window->at + stretch->pos + stretch->n, run->text->n);
}

static enum status check_row(const struct distribution *row, size_t at, const char *whose, struct error *err)
{
	if (isfinite(row->log_sum))
		return STATUS_OK;
	return error_set(err, STATUS_FORMAT, "%s: the logits behind token %zu are not numbers: `sotto doctor` looks for why",
	                 whose, at);
}

static enum status evaluate(const struct logits_source *source, const struct compare_run *run,
                            const struct stretch *stretch, float *rows, struct error *err)
{
	return source->eval(source->ctx, run->text, stretch->window, stretch->pos, stretch->n,
	                    stretch->counts ? rows : NULL, err);
}

/* ---- two sources ---- */

static const double sum_near = 0.1; /* ln of a sum of rounded probabilities, of which the small ones are rounded up */

static enum status take_reference(struct distribution *out, const struct logits_source *source, const float *row,
                                  size_t at, struct error *err)
{
	*out = distribution_of(row, source->n_vocab);
	if (!source->is_log_p)
		return check_row(out, at, "the reference", err);
	if (!(fabs(out->log_sum) < sum_near))
		return error_set(err, STATUS_USAGE, "the reference is damaged: its probabilities behind token %zu do not add up to 1",
		                 at);
	out->log_sum = 0; /* as the file has it, and llama-perplexity reckons with */
	return STATUS_OK;
}

static enum status compare_rows(const struct compare_run *run, const struct stretch *stretch, const float *judged,
                                const float *reference, const struct logits_source *source, struct comparison *out,
                                struct error *err)
{
	for (size_t i = 0; i < stretch->n; i++) {
		size_t at = stretch->window->at + stretch->pos + i, n_vocab = source->n_vocab;
		struct distribution a = distribution_of(judged + i * n_vocab, n_vocab), b;
		enum status status = check_row(&a, at, "the first model", err);

		if (!status)
			status = take_reference(&b, source, reference + i * n_vocab, at, err);
		if (!status)
			status = comparison_add(out, at, &a, &b, source->floor, text_next(run->text, stretch->window, at), err);
		if (status)
			return status;
	}
	return STATUS_OK;
}

static enum status compare_window(const struct compare_run *run, const struct text_window *window, float *rows,
                                  size_t n_rows, const struct logits_source *judged,
                                  const struct logits_source *reference, struct comparison *out, struct error *err)
{
	float *others = rows + n_rows * reference->n_vocab;
	enum status status = STATUS_OK;

	for (size_t pos = 0; pos < window->n && !status;) {
		struct stretch stretch = next_stretch(run, window, pos, n_rows);

		status = evaluate(reference, run, &stretch, rows, err);
		if (!status)
			status = evaluate(judged, run, &stretch, others, err);
		if (!status && stretch.counts)
			status = compare_rows(run, &stretch, others, rows, reference, out, err);
		tell(run, &stretch);
		pos += stretch.n;
	}
	return status;
}

enum status compare_run(const struct compare_run *run, const struct logits_source *judged,
                        const struct logits_source *reference, struct comparison *out, struct error *err)
{
	size_t n_rows = rows_held(run, reference->n_vocab);
	float *rows = alloc_array(2 * n_rows, reference->n_vocab * sizeof *rows);
	enum status status = STATUS_OK;

	if (!rows)
		return error_no_memory(err, "for the logits");
	for (size_t i = 0; i < run->text->n_windows && !status; i++)
		status = compare_window(run, &run->text->windows[i], rows, n_rows, judged, reference, out, err);
	free(rows);
	return status;
}

/* ---- one ---- */

static enum status add_surprises(const struct compare_run *run, const struct stretch *stretch, const float *rows,
                                 size_t n_vocab, struct moments *out, struct error *err)
{
	for (size_t i = 0; i < stretch->n; i++) {
		size_t at = stretch->window->at + stretch->pos + i;
		struct distribution row = distribution_of(rows + i * n_vocab, n_vocab);
		int32_t next = text_next(run->text, stretch->window, at);

		if (check_row(&row, at, "the model", err))
			return err ? err->status : STATUS_FORMAT;
		if (next >= 0)
			moments_add(out, -distribution_log_p(&row, next));
	}
	return STATUS_OK;
}

static enum status read_window(const struct compare_run *run, const struct text_window *window, float *rows,
                               size_t n_rows, const struct logits_source *source, struct moments *out,
                               struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t pos = 0; pos < window->n && !status;) {
		struct stretch stretch = next_stretch(run, window, pos, n_rows);

		status = evaluate(source, run, &stretch, rows, err);
		if (!status && stretch.counts)
			status = add_surprises(run, &stretch, rows, source->n_vocab, out, err);
		tell(run, &stretch);
		pos += stretch.n;
	}
	return status;
}

enum status perplexity_run(const struct compare_run *run, const struct logits_source *source,
                           void (*window)(void *ctx, size_t index, const struct moments *surprise), void *ctx,
                           struct moments *out, struct error *err)
{
	size_t n_rows = rows_held(run, source->n_vocab);
	float *rows = alloc_array(n_rows, source->n_vocab * sizeof *rows);
	enum status status = STATUS_OK;

	*out = (struct moments){0};
	if (!rows)
		return error_no_memory(err, "for the logits");
	for (size_t i = 0; i < run->text->n_windows && !status; i++) {
		status = read_window(run, &run->text->windows[i], rows, n_rows, source, out, err);
		if (!status && window)
			window(ctx, i, out);
	}
	free(rows);
	return status;
}

double perplexity_of(const struct moments *surprise)
{
	return surprise->n ? exp(moments_mean(surprise)) : (double)NAN;
}

double perplexity_error(const struct moments *surprise)
{
	return perplexity_of(surprise) * moments_error(surprise);
}
