#include "cli/compare_result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/sanitize.h"
#include "cli/quote.h"

static const char *const titles[N_SIDES] = {"compared", "reference"};

/* ---- text ---- */

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void put_heads(const struct compare_result *result, struct buf *out)
{
	for (size_t side = 0; side < N_SIDES; side++) {
		buf_printf(out, "%-12s ", titles[side]);
		sanitize_line(out, result->name[side], strlen(result->name[side]));
		buf_printf(out, "%s%s\n", result->type[side][0] ? ", " : "", result->type[side]);
	}
	buf_printf(out, "%-12s ", "over");
	if (result->window)
		buf_printf(out, "%zu window%s of %zu tokens, the second half of each", result->text->n_windows,
		           plural(result->text->n_windows), result->window);
	else
		buf_printf(out, "%zu token%s%s", result->text->n, plural(result->text->n),
		           result->is_chats ? ", what the replies say" : "");
	buf_printf(out, ": %zu place%s\n\n", result->summary->n, plural(result->summary->n));
}

static void put_percent(struct buf *out, double share)
{
	buf_printf(out, share > 0 && share < 0.0095 ? "%.2g %%" : "%.0f %%", 100 * share);
}

/* Of too few places the error is not known. */
static void put_value(struct buf *out, int digits, double value, double error)
{
	buf_printf(out, "%.*f", digits, value);
	if (error > 0)
		buf_printf(out, " ± %.*f", digits, error);
}

static void put_perplexities(const struct comparison_summary *s, struct buf *out)
{
	buf_printf(out, "%-12s ", "perplexity");
	put_value(out, 4, s->perplexity[SIDE_JUDGED], s->perplexity_error[SIDE_JUDGED]);
	buf_printf(out, "\n%-12s of the reference ", "");
	put_value(out, 4, s->perplexity[SIDE_REFERENCE], s->perplexity_error[SIDE_REFERENCE]);
	buf_puts(out, ": ");
	put_value(out, 4, s->ratio, s->ratio_error);
	buf_printf(out, " times\n%-12s of the text's tokens changes by ", "probability");
	put_value(out, 3, 100 * s->p_rms, 100 * s->p_rms_error);
	buf_puts(out, " % (root mean square)\n");
}

static void put_figures(const struct comparison_summary *s, struct buf *out)
{
	buf_printf(out, "%-12s %s\n%-12s ", "in short", comparison_verdict(s), "divergence");
	put_value(out, 6, s->mean, s->mean_error);
	buf_printf(out, " nats a token (KL)\n%-12s median %.6f, 90 %% %.6f, 99 %% %.6f, most %.6f\n%-12s the same at ", "",
	           s->median, s->p90, s->p99, s->most, "first choice");
	put_value(out, 3, 100 * s->same, 100 * s->same_error);
	buf_puts(out, " % of the places");
	if (isfinite(s->each))
		buf_printf(out, ":\n%-12s another word every %.*f tokens", "", s->each < 9.95 ? 1 : 0, s->each);
	buf_putc(out, '\n');
	if (!isnan(s->ratio))
		put_perplexities(s, out);
}

/* One choice: by whom, and how probable it is to both. */
static void put_choice(const struct compare_result *result, const struct compared_place *place, enum compared_side side,
                       struct buf *out)
{
	buf_printf(out, "    %-10s ", titles[side]);
	quote_put_token(out, result->model->tokenizer, place->top[side]);
	buf_putc(out, ' ');
	put_percent(out, (double)place->top_p[side]);
	buf_printf(out, " (%s ", side == SIDE_JUDGED ? "reference" : "compared");
	put_percent(out, (double)place->other_p[side]);
	buf_puts(out, ")\n");
}

static void put_place(const struct compare_result *result, const char *title, const struct compared_place *place,
                      struct buf *out)
{
	size_t pos, window = text_window_of(result->text, place->at, &pos);
	int32_t next = text_next(result->text, &result->text->windows[window], place->at);

	buf_printf(out, "%s: behind token %zu", title, pos);
	if (result->text->windows[window].name)
		buf_printf(out, " of %s", result->text->windows[window].name);
	else if (result->text->n_windows > 1)
		buf_printf(out, " of window %zu", window + 1);
	buf_printf(out, ", divergence %.4f\n    behind     ", place->divergence);
	text_put_before(out, result->model, result->text, place->at);
	buf_putc(out, '\n');
	put_choice(result, place, SIDE_REFERENCE, out);
	put_choice(result, place, SIDE_JUDGED, out);
	if (next < 0)
		return;
	buf_puts(out, "    the text   ");
	quote_put_token(out, result->model->tokenizer, next);
	buf_puts(out, " reference ");
	put_percent(out, (double)place->next_p[SIDE_REFERENCE]);
	buf_puts(out, ", compared ");
	put_percent(out, (double)place->next_p[SIDE_JUDGED]);
	buf_putc(out, '\n');
}

static void put_places(const struct compare_result *result, struct buf *out)
{
	static const char *const worst[WORST_PLACES] = {"the worst place", "the second worst", "the third worst"};

	if (result->summary->first)
		put_place(result, "\nthe first other choice", result->summary->first, out);
	for (size_t i = 0; i < result->summary->n_worst; i++) {
		buf_putc(out, '\n');
		put_place(result, worst[i], result->summary->worst[i], out);
	}
}

/* How many places are how far apart, in powers of ten. */
static void put_histogram(const struct comparison *comparison, struct buf *out)
{
	static const char *const names[] = {"under 0.00001", "to 0.0001", "to 0.001", "to 0.01", "to 0.1", "to 1", "above 1"};
	enum { N = sizeof names / sizeof names[0], WIDTH = 40 };
	size_t counts[N] = {0};

	for (size_t i = 0; i < comparison->n; i++) {
		double power = floor(log10(fmax(comparison->places[i].divergence, 1e-9))) + 6;

		counts[power < 0 ? 0 : power > N - 1 ? N - 1 : (size_t)power]++;
	}
	buf_puts(out, "\nplaces by divergence\n");
	for (size_t i = 0; i < N; i++) {
		double share = (double)counts[i] / (double)comparison->n;

		buf_printf(out, "  %-14s %6.2f %%", names[i], 100 * share);
		for (size_t k = 0; k < (size_t)(share * WIDTH + 0.5); k++)
			buf_puts(out, k ? "█" : " █");
		buf_putc(out, '\n');
	}
}

static const struct figure_column layer_columns[] = {
	{"layer", true}, {"rms", false}, {"reference_rms", false}, {"difference", false}, {"cosine", false}};

struct figures compare_layer_figures(const struct layers *layers)
{
	struct figures figures = FIGURES("layers", layer_columns);

	for (size_t i = 0; i <= layers->n_layer; i++) {
		char name[32];

		snprintf(name, sizeof name, i < layers->n_layer ? "layer%zu" : "final", i);
		figures_string(&figures, name);
		figures_number(&figures, "%.9g", layers_rms(layers, i, SIDE_JUDGED));
		figures_number(&figures, "%.9g", layers_rms(layers, i, SIDE_REFERENCE));
		figures_number(&figures, "%.9g", layers_difference(layers, i));
		figures_number(&figures, "%.12g", layers_cosine(layers, i));
	}
	return figures;
}

static void put_layers(const struct layers *layers, struct buf *out)
{
	struct figures figures = compare_layer_figures(layers);

	buf_puts(out, "\nthe streams behind each layer: root mean squares of both and of their\n"
	              "difference (a share of the reference's); cosine 1 is the same direction\n");
	figures_put_text(&figures, out);
	figures_free(&figures);
}

void compare_result_text(const struct compare_result *result, struct buf *out)
{
	put_heads(result, out);
	put_figures(result->summary, out);
	put_histogram(result->comparison, out);
	put_places(result, out);
	if (result->layers)
		put_layers(result->layers, out);
}

/* ---- CSV ---- */

static const struct figure_column place_columns[] = {
	{"window", false}, {"position", false}, {"id", false}, {"next", false}, {"divergence", false}, {"next_p", false},
	{"reference_next_p", false}, {"top", false}, {"top_p", false}, {"reference_top", false}, {"reference_top_p", false}};

static void add_place(const struct compare_result *result, const struct compared_place *place, struct figures *figures)
{
	size_t pos, window = text_window_of(result->text, place->at, &pos);
	int32_t next = text_next(result->text, &result->text->windows[window], place->at);

	figures_count(figures, window);
	figures_count(figures, pos);
	figures_count(figures, (size_t)result->text->ids[place->at]);
	if (next >= 0)
		figures_count(figures, (size_t)next);
	else
		figures_none(figures);
	figures_number(figures, "%.9g", place->divergence);
	for (size_t side = 0; side < N_SIDES; side++)
		if (next >= 0)
			figures_number(figures, "%.9g", (double)place->next_p[side]);
		else
			figures_none(figures);
	for (size_t side = 0; side < N_SIDES; side++) {
		figures_count(figures, (size_t)place->top[side]);
		figures_number(figures, "%.9g", (double)place->top_p[side]);
	}
}

void compare_result_csv(const struct compare_result *result, struct buf *out)
{
	struct figures figures = FIGURES("places", place_columns);

	if (result->layers)
		figures = compare_layer_figures(result->layers);
	for (size_t i = 0; i < result->comparison->n && !result->layers; i++)
		add_place(result, &result->comparison->places[i], &figures);
	figures_put_csv(&figures, out);
	figures_free(&figures);
}
