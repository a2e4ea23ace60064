#include "view/distribution.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kept/measures.h"
#include "view/candidate_rows.h"
#include "view/panel.h"
#include "view/token_text.h"

enum {
	TEXT_MIN = 8, TEXT_MAX = 18,
	PERCENT_COLS = 7,
	LINE_MAX = 512,
	STEPS_ROWS_MAX = 2, SAID_ROWS_MAX = 3,
	CANDIDATES_MIN = 3, /* rows of them that what is said besides leaves */
	IN_LINE = 4,        /* candidates in one line */
};

static const double ln_2 = 0.69314718055994530942;

static const struct kept_token *shown(const struct distribution *d)
{
	return kept_token(d->reply, d->at);
}

bool distribution_has(const struct distribution *d)
{
	return d->reply && d->at < d->n && shown(d)->n_candidates;
}

bool distribution_parts(const struct distribution *d, size_t *at, int32_t *id)
{
	*at = d->what.at;
	*id = d->what.id;
	return d->is_asked && d->what.end == WHAT_IF_OTHER;
}

/* ---- working it out ---- */

static bool is_same(const struct distribution *d)
{
	return d->reply == d->now.reply && (!d->reply || d->n == kept_n(d->reply)) && d->had_moved == d->has_moved &&
	       sampler_params_equal(&d->params, &d->now.params) &&
	       memcmp(&d->order, &d->now.order, sizeof d->order) == 0;
}

/* The token where the sliders make a difference; false: it is not known. */
static bool ask(struct distribution *d)
{
	struct error err;

	d->is_asked = d->has_moved && d->now.is_finished && d->now.n_runs &&
	              !kept_what_if(d->reply, d->now.runs, d->now.n_runs, &d->order, &d->params, &d->what, &err);
	if (!d->is_asked || d->what.end == WHAT_IF_SAME)
		return false;
	d->at = d->what.at;
	d->again = d->what.again;
	return true;
}

void distribution_look(struct distribution *d)
{
	struct sampler_state state;
	struct error err;

	if (!d->source.look)
		return;
	d->now = (struct distribution_now){0};
	d->source.look(d->source.ctx, &d->now);
	if (is_same(d))
		return;
	d->reply = d->now.reply;
	d->n = d->reply ? kept_n(d->reply) : 0;
	d->params = d->now.params;
	d->order = d->now.order;
	d->had_moved = d->has_moved;
	d->is_asked = false;
	if (!d->n || ask(d))
		return;
	d->at = d->n - 1;
	sampler_state_init(&state, 1); /* XTC's chance */
	if (kept_again(d->reply, d->at, &d->order, &d->params, &state, &d->again, &err))
		d->again = (struct again){.n_steps = 0};
}

/* ---- in words ---- */

/* What if, as a sentence; "" if it was not asked. */
static void put_what_if(const struct distribution *d, struct buf *out)
{
	if (!d->is_asked && d->has_moved && d->now.is_finished && !d->now.n_runs && d->now.no_what_if)
		buf_printf(out, "what if: not known, %s", d->now.no_what_if);
	if (!d->is_asked)
		return;
	if (d->what.end == WHAT_IF_SAME && d->what.from) {
		buf_printf(out, "what if: the same from token %zu on; those before were not drawn here", d->what.from + 1);
	} else if (d->what.end == WHAT_IF_SAME) {
		buf_printf(out, "what if: the same %zu tokens", d->n);
	} else if (d->what.end == WHAT_IF_UNKNOWN) {
		buf_printf(out, "what if: not known from token %zu on: %s", d->what.at + 1, d->what.lacks);
	} else {
		buf_printf(out, "what if: token %zu would be \u201c", d->what.at + 1);
		token_text_put_id(out, d->reply, d->what.id);
		buf_puts(out, "\u201d, not \u201c");
		token_text_put_id(out, d->reply, shown(d)->id);
		buf_puts(out, "\u201d; Enter goes on from there");
	}
}

static size_t count_left(const struct distribution *d)
{
	size_t n = 0;

	for (size_t i = 0; i < shown(d)->n_candidates && i < AGAIN_MAX; i++)
		n += d->again.fates[i].chosen_p > 0;
	return n;
}

/* "token 12: 3 of 48 left, entropy 2.10 to 0.85 bits"; the last token by that name */
static void put_figures(const struct distribution *d, struct buf *out)
{
	const struct kept_token *token = shown(d);

	if (d->at + 1 == d->n)
		buf_puts(out, "last token: ");
	else
		buf_printf(out, "token %zu: ", d->at + 1);
	buf_printf(out, "%zu of %zu left", count_left(d), token->n_candidates);
	if (isnan(token->entropy))
		buf_printf(out, ", entropy %.2f bits", d->again.entropy / ln_2);
	else
		buf_printf(out, ", entropy %.2f to %.2f bits", kept_entropy_bits(token), d->again.entropy / ln_2);
}

/* "top-k leaves 40, top-p 12, temp 12": how many each sampler leaves, in their order. */
static void put_steps(const struct distribution *d, struct buf *out)
{
	for (size_t i = 0; i < d->again.n_steps; i++)
		buf_printf(out, "%s%s%s %zu%s", i ? ", " : "", d->again.steps[i].name, i ? "" : " leaves", d->again.steps[i].n,
		           d->again.steps[i].has_more ? "+" : "");
}

/* What of it is not exact. */
static void put_lacks(const struct distribution *d, struct buf *out)
{
	if (d->again.lacks && !d->is_asked)
		buf_printf(out, "only roughly: %s", d->again.lacks);
}

/* ---- drawing ---- */

/* In whole columns, but a little of one at the least. */
static void draw_bar(WINDOW *win, int y, int x, int cols, double p)
{
	int n = (int)lround(p * cols);

	if (!n && p > 0)
		cells_puts(win, y, x, cols, STYLE_SLIDER, "\u258F");
	for (int col = 0; col < n && col < cols; col++)
		cells_puts(win, y, x + col, 1, STYLE_SLIDER, "\u2588");
}

/* "+" the token that it would have been, "-" the one that it is not any more, "\u25B8" the reply's. */
static const char *mark_of(const struct distribution *d, int32_t id)
{
	size_t at;
	int32_t other;

	if (!distribution_parts(d, &at, &other))
		return id == shown(d)->id ? "\u25B8" : "";
	return id == other ? "+" : id == shown(d)->id ? "-" : "";
}

static void draw_candidate(const struct distribution *d, size_t i, WINDOW *win, int y, int x, int cols)
{
	const struct again_fate *fate = &d->again.fates[i];
	int32_t id = shown(d)->candidates[i].id;
	const char *mark = mark_of(d, id);
	int text = cols / 2 < TEXT_MIN ? TEXT_MIN : cols / 2 > TEXT_MAX ? TEXT_MAX : cols / 2;
	enum theme_role role = mark[0] ? STYLE_PANEL_MARK : fate->chosen_p > 0 ? STYLE_PANEL : STYLE_PANEL_HINT;
	struct buf shown_text = {.max = LINE_MAX};
	char percent[8];

	text = text > cols - PERCENT_COLS - 3 ? cols - PERCENT_COLS - 3 : text;
	token_text_put_id(&shown_text, d->reply, id);
	cells_puts(win, y, x, 1, STYLE_PANEL_MARK, mark);
	cells_puts(win, y, x + 2, text, role, buf_text(&shown_text));
	buf_free(&shown_text);
	x += 2 + text + 1;
	cols -= 2 + text + 1;
	if (fate->cut_by) {
		candidate_cut_draw(win, y, x, cols, fate->cut_by);
		return;
	}
	candidate_percent(percent, fate->chosen_p);
	cells_puts(win, y, x + PERCENT_COLS - 1 - (int)strlen(percent), PERCENT_COLS, role, percent);
	draw_bar(win, y, x + PERCENT_COLS, cols - PERCENT_COLS, fate->chosen_p);
}

/* Draws what a buffer has in at most `most` rows from y on, or above it; returns how many. */
static int draw_said(WINDOW *win, int y, int x, int most, int cols, enum theme_role role, struct buf *text, bool above)
{
	int rows = text->len && most > 0 ? panel_text_rows(buf_text(text), cols, 1, most) : 0;

	if (rows)
		panel_draw_text(win, above ? y - rows : y, x, 0, rows, cols, role, buf_text(text));
	buf_free(text);
	return rows;
}

static int at_most(int a, int b)
{
	return a < b ? a : b;
}

/* Of those from `first` on the one in the last row, where there is no room for all: the other token, the reply's, the
 * first that was cut, or just the next one. */
static size_t find_last(const struct distribution *d, size_t first, size_t n)
{
	size_t best = first, at;
	int best_rank = 0;
	int32_t other;
	bool parts = distribution_parts(d, &at, &other);

	for (size_t i = first; i < n; i++) {
		int32_t id = shown(d)->candidates[i].id;
		int rank = parts && id == other ? 3 : id == shown(d)->id ? 2 : d->again.fates[i].cut_by ? 1 : 0;

		if (rank > best_rank) {
			best = i;
			best_rank = rank;
		}
	}
	return best;
}

static void draw_candidates(const struct distribution *d, size_t n, WINDOW *win, int y, int x, int rows, int cols)
{
	for (int row = 0; row < rows && (size_t)row < n; row++) {
		bool is_last = row == rows - 1 && (size_t)rows < n;

		draw_candidate(d, is_last ? find_last(d, (size_t)row, n) : (size_t)row, win, y + row, x, cols);
	}
}

void distribution_draw(const struct distribution *d, WINDOW *win, int y, int x, int rows, int cols)
{
	struct buf said = {.max = LINE_MAX}, figures = {.max = LINE_MAX}, steps = {.max = LINE_MAX};
	int used, end = y + rows;
	size_t n;

	if (!distribution_has(d)) {
		distribution_line(d, &said);
		draw_said(win, y, x, rows, cols, STYLE_PANEL_HINT, &said, false);
		return;
	}
	put_figures(d, &figures);
	used = draw_said(win, y, x, at_most(rows, 2), cols, STYLE_PANEL_HINT, &figures, false);
	put_what_if(d, &said);
	put_lacks(d, &said);
	used += draw_said(win, y + used, x, at_most(SAID_ROWS_MAX, rows - used - CANDIDATES_MIN), cols, STYLE_PANEL_MARK,
	                  &said, false);
	put_steps(d, &steps);
	end -= draw_said(win, end, x, at_most(STEPS_ROWS_MAX, rows - used - CANDIDATES_MIN), cols, STYLE_PANEL_HINT,
	                 &steps, true);
	n = shown(d)->n_candidates < KEPT_SHOWN ? shown(d)->n_candidates : KEPT_SHOWN;
	if (cols > PERCENT_COLS + 4)
		draw_candidates(d, n, win, y + used, x, end - y - used, cols);
}

void distribution_line(const struct distribution *d, struct buf *out)
{
	size_t told = 0;

	if (!distribution_has(d)) {
		buf_puts(out, d->now.none ? d->now.none : "");
		return;
	}
	put_what_if(d, out);
	if (out->len)
		return;
	buf_printf(out, "%zu left:", count_left(d));
	for (size_t i = 0; i < shown(d)->n_candidates && i < AGAIN_MAX && told < IN_LINE; i++) {
		char percent[8];

		if (!(d->again.fates[i].chosen_p > 0))
			continue;
		candidate_percent(percent, d->again.fates[i].chosen_p);
		buf_putc(out, ' ');
		token_text_put_id(out, d->reply, shown(d)->candidates[i].id);
		buf_printf(out, " %s", percent);
		told++;
	}
}

/* ---- in lines ---- */

static void print_candidate(const struct distribution *d, size_t i, struct buf *out)
{
	const struct again_fate *fate = &d->again.fates[i];
	char percent[8];

	candidate_percent(percent, fate->chosen_p);
	buf_puts(out, "\n  ");
	if (fate->cut_by)
		buf_printf(out, "cut by %s ", fate->cut_by);
	else
		buf_printf(out, "%s ", percent);
	token_text_put_id(out, d->reply, shown(d)->candidates[i].id);
}

void distribution_print(const struct distribution *d, struct buf *out)
{
	size_t left, n;

	if (!distribution_has(d)) {
		struct buf line = {.max = LINE_MAX};

		distribution_line(d, &line);
		if (line.len)
			buf_printf(out, "\n%s", buf_text(&line));
		buf_free(&line);
		return;
	}
	left = count_left(d);
	n = shown(d)->n_candidates < KEPT_SHOWN ? shown(d)->n_candidates : KEPT_SHOWN;
	buf_puts(out, "\nWhat these values leave of the ");
	put_figures(d, out);
	for (size_t i = 0; i < n && i < left + 3; i++) /* with the best of those that were cut */
		print_candidate(d, i, out);
	buf_puts(out, d->again.n_steps ? "\nIn their order " : "");
	put_steps(d, out);
	if (d->again.lacks)
		buf_printf(out, "\nThat is so only roughly: %s.", d->again.lacks);
}
