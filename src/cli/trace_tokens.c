/* Views of `sotto trace` about tokens: their bytes, and the best of them to come. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "cli/quote.h"
#include "cli/trace_views.h"

static void add_token(const struct trace *trace, int32_t id, struct figures *figures)
{
	const struct tokenizer *tokenizer = trace->evaluation.tokenizer;
	struct buf text = {.max = KIB(64)};
	size_t len;

	if (!tokenizer) {
		figures_none(figures);
	} else if (trace->params->json) {
		const char *name = tokenizer_shown(tokenizer, id, &len);

		figures_text(figures, name, len);
	} else {
		quote_put_token(&text, tokenizer, id);
		figures_text(figures, buf_text(&text), text.len);
	}
	buf_free(&text);
}

/* ---- the tokens ---- */

static bool wants_hex(const struct trace_params *params)
{
	return params->hex;
}

static const struct figure_column hex_columns[] = {
	{"position", false}, {"id", false}, {"bytes", false}, {"hex", true}, {"token", true}};

static enum status fill_hex(struct trace *trace, struct figures *figures, struct error *err)
{
	const struct evaluation *e = &trace->evaluation;

	if (!e->tokenizer)
		return error_set(err, STATUS_USAGE, "this model has no vocabulary: its tokens have no bytes");
	FIGURES_SET_COLUMNS(figures, hex_columns);
	for (size_t i = 0; i < e->ids.n; i++) {
		struct buf hex = {.max = MIB(1)};
		size_t len;
		const char *bytes = tokenizer_bytes(e->tokenizer, e->ids.ids[i], &len);

		figures_count(figures, i);
		figures_count(figures, (size_t)e->ids.ids[i]);
		figures_count(figures, len);
		for (size_t at = 0; at < len; at++)
			buf_printf(&hex, "%s%02x", at ? " " : "", (unsigned)(unsigned char)bytes[at]);
		figures_text(figures, buf_text(&hex), hex.len);
		add_token(trace, e->ids.ids[i], figures);
		buf_free(&hex);
	}
	return STATUS_OK;
}

const struct trace_view trace_view_hex = {
	.name = "hex", .is_wanted = wants_hex, .needs_tokens = true, .fill = fill_hex};

/* ---- the best ---- */

static bool wants_top(const struct trace_params *params)
{
	return params->top > 0;
}

static const struct figure_column top_columns[] = {
	{"rank", false}, {"id", false}, {"logit", false}, {"probability", false}, {"token", true}};

/* Before another one: the larger logit, of equals the smaller id. Those that are no numbers come first: they are a
 * fault. */
struct best {
	double logit;
	int32_t id;
};
static int compare_best(const void *a, const void *b)
{
	const struct best *x = a, *y = b;

	if (isnan(x->logit) || isnan(y->logit))
		return isnan(x->logit) == isnan(y->logit) ? (x->id > y->id) - (x->id < y->id) : isnan(x->logit) ? -1 : 1;
	if (x->logit != y->logit)
		return x->logit > y->logit ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

static double sum_of(const struct best *all, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += exp(all[i].logit - all[0].logit);
	return sum;
}

static enum status fill_top(struct trace *trace, struct figures *figures, struct error *err)
{
	const float *logits = session_logits(trace->evaluation.session);
	size_t n = model_plan(trace->evaluation.model)->n_vocab, most = (size_t)trace->params->top;
	struct best *all = alloc_array(n, sizeof *all);
	double sum;

	if (!all)
		return error_no_memory(err, "for the best tokens");
	FIGURES_SET_COLUMNS(figures, top_columns);
	for (size_t i = 0; i < n; i++)
		all[i] = (struct best){(double)logits[i], (int32_t)i};
	qsort(all, n, sizeof *all, compare_best);
	sum = sum_of(all, n);
	for (size_t i = 0; i < n && i < most; i++) {
		figures_count(figures, i + 1);
		figures_count(figures, (size_t)all[i].id);
		figures_number(figures, "%.9g", all[i].logit);
		figures_number(figures, "%.6g", exp(all[i].logit - all[0].logit) / sum);
		add_token(trace, all[i].id, figures);
	}
	free(all);
	return STATUS_OK;
}

const struct trace_view trace_view_top = {
	.name = "top", .is_wanted = wants_top, .needs_tokens = true, .evaluates = true, .fill = fill_top};
