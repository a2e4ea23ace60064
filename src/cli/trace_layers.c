/* Views of `sotto trace` about layers: the stream behind them, and what a head of one looks at. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/sanitize.h"
#include "cli/heat_map.h"
#include "cli/quote.h"
#include "cli/trace_views.h"
#include "terminal/cells.h"

/* ---- the stream ---- */

static bool wants_layers(const struct trace_params *params)
{
	return params->layers;
}

static enum status prepare_layers(struct trace *trace, struct error *err)
{
	return layers_trace_init(&trace->layers, model_plan(trace->evaluation.model)->n_layer, err);
}

static const struct figure_column layer_columns[] = {
	{"layer", true}, {"rms", false}, {"mean", false}, {"largest", false}, {"position", false}, {"element", false},
	{"growth", false}, {"plot", true}};
enum { N_LAYER_COLUMNS = sizeof layer_columns / sizeof layer_columns[0], PLOT_MIN = 8, PLOT_MAX = 40, BESIDE_PLOT = 70 };

static void name_layer(const struct trace *trace, size_t layer, char name[32])
{
	snprintf(name, 32, layer < trace->layers.n_layer ? "layer%zu" : "final", layer);
}

static void add_layer(const struct trace *trace, size_t layer, const char *format, struct figures *figures)
{
	struct layer_figures of = layers_figures(&trace->layers, layer);
	char name[32];

	name_layer(trace, layer, name);
	figures_string(figures, name);
	figures_number(figures, format, of.rms);
	figures_number(figures, format, of.mean);
	figures_number(figures, format, of.largest);
	figures_count(figures, of.pos);
	figures_count(figures, of.element);
	if (layer < trace->layers.n_layer)
		figures_number(figures, "%.4g", of.growth);
	else
		figures_none(figures);
}

static enum status fill_layers(struct trace *trace, struct figures *figures, struct error *err)
{
	(void)err;
	figures->columns = layer_columns;
	figures->n_columns = N_LAYER_COLUMNS - 1;
	for (size_t i = 0; i <= trace->layers.n_layer; i++)
		add_layer(trace, i, "%.9g", figures);
	return STATUS_OK;
}

static double largest_rms(const struct trace *trace)
{
	double most = 0;

	for (size_t i = 0; i < trace->layers.n_layer; i++)
		most = fmax(most, layers_figures(&trace->layers, i).rms);
	return most;
}

/* To a program as it has always been: name, root mean square, mean. */
static void put_plain(const struct trace *trace, struct buf *out)
{
	char name[32];

	for (size_t i = 0; i <= trace->layers.n_layer; i++) {
		struct layer_figures of = layers_figures(&trace->layers, i);

		name_layer(trace, i, name);
		buf_printf(out, "%s %.9g %.9g\n", name, of.rms, of.mean);
	}
}

static enum status put_layers(struct trace *trace, struct buf *out, struct error *err)
{
	struct figures figures = FIGURES("layers", layer_columns);
	size_t room = trace->columns > BESIDE_PLOT + PLOT_MIN ? trace->columns - BESIDE_PLOT : PLOT_MIN;
	double most = largest_rms(trace);

	(void)err;
	if (!trace->columns) {
		put_plain(trace, out);
		return STATUS_OK;
	}
	room = room < PLOT_MAX ? room : PLOT_MAX;
	for (size_t i = 0; i <= trace->layers.n_layer; i++) {
		double rms = layers_figures(&trace->layers, i).rms;
		char bar[PLOT_MAX + 1] = "";

		if (i < trace->layers.n_layer && most > 0 && isfinite(most) && isfinite(rms))
			memset(bar, '#', (size_t)(rms / most * (double)room + 0.5));
		add_layer(trace, i, "%.5g", &figures);
		figures_string(&figures, bar);
	}
	buf_printf(out, "what %zu tokens are behind each layer: root mean square, mean, the largest value\n"
	           "and where it is\n", trace->evaluation.ids.n);
	figures_put_text(&figures, out);
	figures_free(&figures);
	return STATUS_OK;
}

const struct trace_view trace_view_layers = {
	.name = "layers", .is_wanted = wants_layers, .needs_tokens = true, .evaluates = true, .prepare = prepare_layers,
	.fill = fill_layers, .put_text = put_layers};

/* ---- a head ---- */

enum { MAP_COLUMNS = 80, MAP_ROWS = 64 };

static bool wants_attention(const struct trace_params *params)
{
	return params->attention != NULL;
}

static enum status prepare_attention(struct trace *trace, struct error *err)
{
	const char *text = trace->params->attention;
	char end;

	if (strspn(text, "0123456789,") != strlen(text) ||
	    sscanf(text, "%9zu,%9zu%c", &trace->layer, &trace->head, &end) != 2)
		return error_set(err, STATUS_USAGE, "--attention: found '%.20s', expected a layer and a head, such as 0,3", text);
	if (attention_check(trace->evaluation.model, trace->layer, trace->head, err)) {
		error_prefix(err, "--attention");
		return err->status;
	}
	if (trace->evaluation.ids.n > ATTENTION_TRACE_MAX)
		return error_set(err, STATUS_USAGE, "--attention shows at most %d tokens, here are %zu", ATTENTION_TRACE_MAX,
		                 trace->evaluation.ids.n);
	attention_want(&trace->recorder, trace->evaluation.model, trace->layer);
	return STATUS_OK;
}

static enum status make_attention(struct trace *trace, struct error *err)
{
	attention_free(&trace->attention);
	return attention_make(&trace->attention, trace->evaluation.model, &trace->recorder, trace->layer, trace->head, err);
}

static const struct figure_column attention_columns[] = {{"query", false}, {"key", false}, {"weight", false}};

/* What goes to a sink has no key. */
static enum status fill_attention(struct trace *trace, struct figures *figures, struct error *err)
{
	enum status status = make_attention(trace, err);

	FIGURES_SET_COLUMNS(figures, attention_columns);
	for (size_t q = 0; q < trace->attention.n && !status; q++) {
		for (size_t k = attention_first(&trace->attention, q); k <= q; k++) {
			figures_count(figures, q);
			figures_count(figures, k);
			figures_number(figures, "%.6g", attention_row(&trace->attention, q)[k]);
		}
		if (trace->attention.sink) {
			figures_count(figures, q);
			figures_none(figures);
			figures_number(figures, "%.6g", trace->attention.sink[q]);
		}
	}
	return status;
}

/* The query's token, in so many columns. */
static void put_label(void *ctx, size_t q, size_t width, struct buf *out)
{
	const struct trace *trace = ctx;
	int32_t id = trace->evaluation.ids.ids[q];
	struct buf text = {.max = KIB(64)};
	struct safe_piece piece;
	size_t used = 0;

	if (trace->evaluation.tokenizer)
		quote_put_token(&text, trace->evaluation.tokenizer, id);
	else
		buf_printf(&text, "%d", (int)id);
	for (size_t at = 0; sanitize_next(buf_text(&text), text.len, at, &piece); at = piece.end) {
		size_t columns = (size_t)cells_piece_width(&piece, (int)used);

		if (used + columns > width)
			break;
		sanitize_append(out, &piece, true);
		used += columns;
	}
	buf_printf(out, "%*s", (int)(width - used), "");
	buf_free(&text);
}

static enum status put_attention(struct trace *trace, struct buf *out, struct error *err)
{
	const struct attention_trace *a = &trace->attention;
	enum status status = make_attention(trace, err);

	if (status)
		return status;
	buf_printf(out, "layer %zu, head %zu", a->layer, a->head);
	if (a->kv_layer != a->layer)
		buf_printf(out, ", keys and values of layer %zu", a->kv_layer);
	buf_printf(out, " (head %zu of keys and values)\na row is a token, a column what it looks at\n", a->kv_head);
	heat_map_put(a, trace->columns ? trace->columns : MAP_COLUMNS, MAP_ROWS, put_label, trace, out);
	return STATUS_OK;
}

const struct trace_view trace_view_attention = {
	.name = "attention", .is_wanted = wants_attention, .needs_tokens = true, .evaluates = true,
	.prepare = prepare_attention, .fill = fill_attention, .put_text = put_attention};
