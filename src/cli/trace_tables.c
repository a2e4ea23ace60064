/* Views of `sotto trace` that are tables: rotations, experts, recurrent states. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/trace_views.h"
#include "trace/rotation.h"
#include "trace/routes.h"
#include "trace/states.h"

static const struct plan *plan_of(const struct trace *trace)
{
	return model_plan(trace->evaluation.model);
}

/* ---- rotations ---- */

static bool wants_rope(const struct trace_params *params)
{
	return params->rope >= 0;
}

static enum status prepare_rope(struct trace *trace, struct error *err)
{
	size_t pos = (size_t)trace->params->rope, n_ctx = session_n_ctx(trace->evaluation.session);

	if (!plan_of(trace)->n_ropes)
		return error_set(err, STATUS_USAGE, "--rope: this model rotates nothing");
	if (pos >= n_ctx)
		return error_set(err, STATUS_USAGE, "--rope: position %zu is not in the context of %zu tokens", pos, n_ctx);
	return STATUS_OK;
}

static const struct figure_column rope_columns[] = {
	{"set", false}, {"pair", false}, {"first", false}, {"second", false}, {"frequency", false}, {"angle", false},
	{"cosine", false}, {"sine", false}};

static void add_pairs(const struct rotation *rotation, size_t set, const char *format, struct figures *figures)
{
	for (size_t i = 0; i < rotation->n; i++) {
		const struct rotated_pair *pair = &rotation->pairs[i];

		figures_count(figures, set);
		figures_count(figures, i);
		figures_count(figures, pair->first);
		figures_count(figures, pair->second);
		figures_number(figures, format, pair->frequency);
		figures_number(figures, format, pair->angle);
		figures_number(figures, format, (double)pair->cosine);
		figures_number(figures, format, (double)pair->sine);
	}
}

static enum status add_sets(struct trace *trace, const char *format, struct figures *figures, struct error *err)
{
	enum status status = STATUS_OK;

	FIGURES_SET_COLUMNS(figures, rope_columns);
	for (size_t set = 0; set < plan_of(trace)->n_ropes && !status; set++) {
		struct rotation rotation;

		status = rotation_make(&rotation, trace->evaluation.model, session_n_ctx(trace->evaluation.session), set,
		                       (size_t)trace->params->rope, err);
		if (!status)
			add_pairs(&rotation, set, format, figures);
		rotation_free(&rotation);
	}
	return status;
}

static enum status fill_rope(struct trace *trace, struct figures *figures, struct error *err)
{
	return add_sets(trace, "%.9g", figures, err);
}

static bool rotates(const struct plan *plan, size_t layer, size_t set)
{
	return layer < plan->n_layer && (plan->layers[layer].mixers & MIXER_ATTENTION) &&
	       plan->layers[layer].rope == (int)set;
}

/* "layers 0-4 6": those with attention. */
static void put_layers_of_set(const struct plan *plan, size_t set, struct buf *out)
{
	buf_puts(out, "layers");
	for (size_t i = 0, first; i < plan->n_layer; i++) {
		if (!rotates(plan, i, set))
			continue;
		for (first = i; rotates(plan, i + 1, set);)
			i++;
		buf_printf(out, i > first ? " %zu-%zu" : " %zu", first, i);
	}
}

static enum status put_rope(struct trace *trace, struct buf *out, struct error *err)
{
	const struct plan *plan = plan_of(trace);
	struct figures figures = FIGURES("rope", rope_columns);
	enum status status;

	for (size_t set = 0; set < plan->n_ropes; set++) {
		const struct rope_plan *rope = &plan->ropes[set];

		buf_printf(out, "set %zu, position %d: base %.9g, ", set, (int)trace->params->rope, (double)rope->base);
		buf_puts(out, rope->pairing == ROPE_ADJACENT ? "pairs of neighbours" : "pairs of halves");
		if (rope->freq_scale > 0 && rope->freq_scale != 1)
			buf_printf(out, "\nfrequencies times %.6g%s", (double)rope->freq_scale, rope->yarn > 0 ? " (YaRN)" : "");
		if (rope->magnitude != 1)
			buf_printf(out, ", magnitude %.6g", (double)rope->magnitude);
		buf_putc(out, '\n');
		put_layers_of_set(plan, set, out);
		buf_putc(out, '\n');
	}
	status = add_sets(trace, "%.6g", &figures, err);
	figures_put_text(&figures, out);
	figures_free(&figures);
	return status;
}

const struct trace_view trace_view_rope = {
	.name = "rope", .is_wanted = wants_rope, .prepare = prepare_rope, .fill = fill_rope, .put_text = put_rope};

/* ---- experts ---- */

static bool wants_experts(const struct trace_params *params)
{
	return params->experts;
}

/* Asks for what the layers that have it show; false: none has it. */
static bool want_layers(struct trace *trace, bool (*has)(const struct model *model, size_t layer),
                        void (*want)(struct recorder *recorder, size_t layer))
{
	bool any = false;

	for (size_t i = 0; i < plan_of(trace)->n_layer; i++)
		if (has(trace->evaluation.model, i)) {
			want(&trace->recorder, i);
			any = true;
		}
	return any;
}

static enum status prepare_experts(struct trace *trace, struct error *err)
{
	return want_layers(trace, routes_has, routes_want)
	               ? STATUS_OK : error_set(err, STATUS_USAGE, "--experts: this model has no experts");
}

typedef void (*add_routes)(const struct routes_trace *routes, struct figures *figures);

static enum status each_routes(struct trace *trace, add_routes put, struct figures *figures, struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < plan_of(trace)->n_layer && !status; i++) {
		struct routes_trace routes;

		if (!routes_has(trace->evaluation.model, i))
			continue;
		status = routes_make(&routes, trace->evaluation.model, &trace->recorder, i, err);
		if (!status)
			put(&routes, figures);
	}
	return status;
}

static const struct figure_column expert_columns[] = {
	{"layer", false}, {"position", false}, {"rank", false}, {"expert", false}, {"weight", false}, {"entropy", false}};

static void add_all_routes(const struct routes_trace *routes, struct figures *figures)
{
	for (size_t t = 0; t < routes->n; t++)
		for (size_t rank = 0; rank < routes->n_used; rank++) {
			figures_count(figures, routes->layer);
			figures_count(figures, t);
			figures_count(figures, rank + 1);
			figures_count(figures, routes_chosen(routes, t, rank));
			figures_number(figures, "%.6g", (double)routes->weights[t * routes->n_used + rank]);
			figures_number(figures, "%.4g", routes_entropy(routes, t));
		}
}

static enum status fill_experts(struct trace *trace, struct figures *figures, struct error *err)
{
	FIGURES_SET_COLUMNS(figures, expert_columns);
	return each_routes(trace, add_all_routes, figures, err);
}

static const struct figure_column load_columns[] = {
	{"layer", false}, {"experts", false}, {"used", false}, {"busiest", false}, {"tokens", false}, {"entropy", false},
	{"last token's experts", true}};
enum { LAST_EXPERTS_WIDTH = 28 }; /* what 80 columns leave */

static void add_load(const struct routes_trace *routes, struct figures *figures)
{
	struct routes_load load = routes_load_of(routes);
	struct buf last = {.max = 4096};
	double entropy = 0;

	for (size_t t = 0; t < routes->n; t++)
		entropy += routes_entropy(routes, t) / (double)routes->n;
	for (size_t rank = 0; rank < routes->n_used && last.len < LAST_EXPERTS_WIDTH - 8; rank++)
		buf_printf(&last, "%s%zu (%.2f)", rank ? " " : "", routes_chosen(routes, routes->n - 1, rank),
		           (double)routes->weights[(routes->n - 1) * routes->n_used + rank]);
	figures_count(figures, routes->layer);
	figures_count(figures, routes->n_experts);
	figures_count(figures, load.n_with_tokens);
	figures_count(figures, load.busiest);
	figures_count(figures, load.n_busiest);
	figures_number(figures, "%.2f", entropy);
	figures_text(figures, buf_text(&last), last.len);
	buf_free(&last);
}

static enum status put_experts(struct trace *trace, struct buf *out, struct error *err)
{
	struct figures figures = FIGURES("experts", load_columns);
	enum status status = each_routes(trace, add_load, &figures, err);

	buf_printf(out, "experts of %zu tokens: how many were used, the busiest and its tokens; how\n"
	           "unsure the router was (entropy in bits: 0 sure, 1 as between two); the last\n"
	           "token's best experts and their weights (--csv has all)\n", trace->evaluation.ids.n);
	figures_put_text(&figures, out);
	figures_free(&figures);
	return status;
}

const struct trace_view trace_view_experts = {
	.name = "experts", .is_wanted = wants_experts, .needs_tokens = true, .evaluates = true, .prepare = prepare_experts,
	.fill = fill_experts, .put_text = put_experts};

/* ---- states ---- */

static bool wants_state(const struct trace_params *params)
{
	return params->state;
}

static enum status prepare_state(struct trace *trace, struct error *err)
{
	return want_layers(trace, states_has, states_want)
	               ? STATUS_OK
	               : error_set(err, STATUS_USAGE, "--state: no layer of this model is recurrent: it has no states");
}

typedef void (*add_state)(const struct state_trace *state, struct figures *figures);

static enum status each_state(struct trace *trace, add_state put, struct figures *figures, struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < plan_of(trace)->n_layer && !status; i++) {
		struct state_trace state;

		if (!states_has(trace->evaluation.model, i))
			continue;
		status = states_make(&state, trace->evaluation.model, &trace->recorder, i, err);
		if (!status)
			put(&state, figures);
	}
	return status;
}

static const struct figure_column state_columns[] = {
	{"layer", false}, {"mixer", true}, {"part", true}, {"norm", false}, {"largest", false}};

static void add_part(const struct state_trace *state, const char *name, struct state_part part, struct figures *figures)
{
	figures_count(figures, state->layer);
	figures_string(figures, state->mixer);
	figures_string(figures, name);
	figures_number(figures, "%.9g", part.norm);
	figures_number(figures, "%.9g", part.largest);
}

static void add_all_parts(const struct state_trace *state, struct figures *figures)
{
	char name[32];

	add_part(state, "last inputs", state->convolution, figures);
	for (size_t head = 0; head < state->n_head; head++) {
		snprintf(name, sizeof name, "head %zu", head);
		add_part(state, name, state_head(state, head), figures);
	}
}

static enum status fill_state(struct trace *trace, struct figures *figures, struct error *err)
{
	FIGURES_SET_COLUMNS(figures, state_columns);
	return each_state(trace, add_all_parts, figures, err);
}

static const struct figure_column heads_columns[] = {
	{"layer", false}, {"mixer", true}, {"last inputs", false}, {"heads", false}, {"least norm", false},
	{"most norm", false}, {"of head", false}, {"largest", false}};

static void add_heads(const struct state_trace *state, struct figures *figures)
{
	struct state_part least = {.norm = INFINITY}, most = {.norm = -1};
	double largest = 0;
	size_t of = 0;

	figures_count(figures, state->layer);
	figures_string(figures, state->mixer);
	figures_number(figures, "%.5g", state->convolution.norm);
	figures_count(figures, state->n_head);
	for (size_t head = 0; head < state->n_head; head++) {
		struct state_part part = state_head(state, head);

		if (!isnan(largest) && !(part.largest <= largest))
			largest = part.largest;
		if (!(part.norm >= least.norm))
			least = part;
		if (!(part.norm <= most.norm)) {
			most = part;
			of = head;
		}
	}
	if (!state->n_head) {
		for (size_t i = 0; i < 4; i++)
			figures_none(figures);
		return;
	}
	figures_number(figures, "%.5g", least.norm);
	figures_number(figures, "%.5g", most.norm);
	figures_count(figures, of);
	figures_number(figures, "%.5g", largest);
}

static enum status put_state(struct trace *trace, struct buf *out, struct error *err)
{
	struct figures figures = FIGURES("state", heads_columns);
	enum status status = each_state(trace, add_heads, &figures, err);

	buf_printf(out, "states behind the last of %zu tokens: norms of the convolution's last inputs,\nand of the heads\n",
	           trace->evaluation.ids.n);
	figures_put_text(&figures, out);
	figures_free(&figures);
	return status;
}

const struct trace_view trace_view_state = {
	.name = "state", .is_wanted = wants_state, .needs_tokens = true, .evaluates = true, .prepare = prepare_state,
	.fill = fill_state, .put_text = put_state};
