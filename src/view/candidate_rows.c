#include "view/candidate_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kept/measures.h"
#include "view/token_text.h"

enum {
	MARK_COLS = 2,
	TEXT_MIN = 9, TEXT_MAX = 22, TEXT_BYTES = 64,
	LOGIT_COLS = 8,   /* with a blank before it */
	PERCENT_COLS = 7, /* the same */
	BAR_MIN = 4, BAR_MAX = 24,
	WITH_LOGIT = 44,  /* columns from which on logits are shown */
	EIGHTHS = 8,
};

/* How the columns of a row are divided. */
struct columns {
	int text, logit, bar;
};

static int at_most(int a, int b)
{
	return a < b ? a : b;
}

static struct columns divide(int cols)
{
	struct columns columns = {.logit = cols >= WITH_LOGIT ? LOGIT_COLS : 0};
	int spare = cols - MARK_COLS - columns.logit - 2 * PERCENT_COLS - 2;

	columns.text = at_most(spare, at_most(spare / 3 > TEXT_MIN ? spare / 3 : TEXT_MIN, TEXT_MAX));
	columns.bar = at_most((spare - columns.text) / 2, BAR_MAX);
	if (columns.bar < BAR_MIN) {
		columns.text = spare;
		columns.bar = 0;
	}
	if (columns.text < 0)
		columns.text = 0;
	return columns;
}

bool candidates_tell_after(const struct kept_token *token)
{
	for (size_t i = 0; i < token->n_candidates; i++)
		if (token->candidates[i].chosen_p > 0 || token->candidates[i].cut_by)
			return true;
	return false;
}

size_t candidate_rows(struct candidate_row rows[CANDIDATE_ROWS_MAX], const struct kept_reply *reply,
                      const struct kept_token *token)
{
	const size_t n = token->n_candidates < KEPT_SHOWN ? token->n_candidates : KEPT_SHOWN;
	const bool tells_after = candidates_tell_after(token);
	bool has_taken = false;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct kept_candidate *from = &token->candidates[i];

		rows[i] = (struct candidate_row){.id = from->id, .logit = from->logit, .before = kept_candidate_p(token, from->logit),
		                                 .after = tells_after ? from->chosen_p : NAN, .cut_by = kept_cut_name(from->cut_by),
		                                 .is_taken = from->id == token->id};
		rows[i].bytes = kept_text(reply, from->id, &rows[i].len);
		has_taken |= rows[i].is_taken;
	}
	if (has_taken)
		return n;
	rows[i] = (struct candidate_row){.id = token->id, .before = kept_p(token),
	                                 .after = tells_after ? token->probability : NAN, .is_taken = true, .is_beyond = true};
	rows[i].bytes = kept_text(reply, token->id, &rows[i].len);
	return n + 1;
}

void candidate_percent(char out[8], double p)
{
	if (isnan(p))
		out[0] = '\0';
	else if (p > 0 && p < 0.0001)
		snprintf(out, 8, "<0.01%%");
	else
		snprintf(out, 8, p < 0.00995 ? "%.2f%%" : "%.1f%%", 100 * (p > 1 ? 1 : p));
}

/* In eighths of a column, so that small differences are seen. */
static void draw_bar(WINDOW *win, int y, int x, int cols, double p)
{
	static const char *const parts[] = {"", "\u258F", "\u258E", "\u258D", "\u258C", "\u258B", "\u258A", "\u2589"};
	int eighths = isnan(p) ? 0 : (int)lround((p > 1 ? 1 : p) * cols * EIGHTHS), col = 0;

	if (!eighths && p > 0)
		eighths = 1;
	for (; eighths >= EIGHTHS && col < cols; eighths -= EIGHTHS)
		cells_puts(win, y, x + col++, 1, STYLE_SLIDER, "\u2588");
	if (eighths > 0 && col < cols)
		cells_puts(win, y, x + col, 1, STYLE_SLIDER, parts[eighths]);
}

static int puts_right(WINDOW *win, int y, int x, int cols, enum theme_role role, const char *text)
{
	const int width = cells_text_width(text), pad = width < cols ? cols - width : 0;

	cells_puts(win, y, x + pad, cols - pad, role, text);
	return cols;
}

/* "before samplers" over a percentage and its bar, or where that is too long its first word. */
static void draw_word(WINDOW *win, int y, int x, int bar, const char *word)
{
	char text[24];

	snprintf(text, sizeof text, "%s samplers", word);
	if (PERCENT_COLS + bar > cells_text_width(text))
		cells_puts(win, y, x + 1, PERCENT_COLS + bar, STYLE_PANEL_HINT, text);
	else
		puts_right(win, y, x, PERCENT_COLS, STYLE_PANEL_HINT, word);
}

void candidate_rows_draw_head(bool tells_after, WINDOW *win, int y, int x, int cols)
{
	const struct columns columns = divide(cols);
	int col = MARK_COLS + columns.text;

	cells_puts(win, y, x + MARK_COLS, columns.text, STYLE_PANEL_HINT, "token");
	if (columns.logit)
		col += puts_right(win, y, x + col, columns.logit, STYLE_PANEL_HINT, "logit");
	draw_word(win, y, x + col, columns.bar, "before");
	col += PERCENT_COLS + 1 + columns.bar;
	if (tells_after)
		draw_word(win, y, x + col, columns.bar, "after");
	else if (cols > col)
		cells_puts(win, y, x + col, cols - col, STYLE_PANEL_HINT, " not told");
}

void candidate_cut_draw(WINDOW *win, int y, int x, int cols, const char *by)
{
	static const char cut[] = "cut by ";

	if ((int)(sizeof cut - 1 + strlen(by)) <= cols) {
		const int used = cells_puts(win, y, x, cols, STYLE_PANEL_HINT, cut);

		x += used;
		cols -= used;
	}
	cells_puts(win, y, x, cols, STYLE_PANEL_HINT, by);
}

/* What the samplers left of it. */
static void draw_after(const struct candidate_row *row, WINDOW *win, int y, int x, int cols, int bar)
{
	char percent[8];

	if (row->after > 0 || !row->cut_by) {
		candidate_percent(percent, row->after);
		puts_right(win, y, x, PERCENT_COLS, STYLE_PANEL, percent);
		draw_bar(win, y, x + PERCENT_COLS + 1, bar, row->after);
		return;
	}
	candidate_cut_draw(win, y, x + 1, cols - 1, row->cut_by);
}

void candidate_row_draw(const struct candidate_row *row, bool is_selected, WINDOW *win, int y, int x, int cols)
{
	const struct columns columns = divide(cols);
	const enum theme_role role = is_selected ? STYLE_SELECTION : row->is_taken ? STYLE_PANEL_MARK : STYLE_PANEL;
	struct buf text = {.max = TEXT_BYTES * 4};
	char number[16] = "";
	int col = MARK_COLS;

	token_text_put(&text, row->bytes, row->len);
	cells_puts(win, y, x, MARK_COLS, STYLE_PANEL_MARK, row->is_taken ? "\u25B8" : " ");
	if (is_selected)
		cells_fill(win, y, x + col, columns.text, role);
	cells_draw(win, y, x + col, columns.text, role, buf_text(&text), text.len);
	buf_free(&text);
	col += columns.text;
	if (!row->is_beyond)
		snprintf(number, sizeof number, "%.2f", (double)row->logit);
	if (columns.logit)
		col += puts_right(win, y, x + col, columns.logit, STYLE_PANEL_HINT, number);
	candidate_percent(number, row->before);
	col += puts_right(win, y, x + col, PERCENT_COLS, STYLE_PANEL, number) + 1;
	draw_bar(win, y, x + col, columns.bar, row->before);
	col += columns.bar;
	draw_after(row, win, y, x + col, cols - col, columns.bar);
}

void candidate_row_print(const struct candidate_row *row, size_t number, struct buf *out)
{
	char before[8], after[8], logit[16] = "";

	candidate_percent(before, row->before);
	candidate_percent(after, row->after);
	if (!row->is_beyond)
		snprintf(logit, sizeof logit, "%.2f", (double)row->logit);
	buf_printf(out, "%3zu%s ", number, row->is_taken ? "*" : " ");
	buf_printf(out, "%8s %7s  ", logit, before);
	if (row->after > 0 || !row->cut_by)
		buf_printf(out, "%-18s ", after);
	else
		buf_printf(out, "cut by %-11s ", row->cut_by);
	token_text_put(out, row->bytes, row->len);
	buf_putc(out, '\n');
}
