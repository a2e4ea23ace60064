#include "view/panel_tokens_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "terminal/cells.h"
#include "view/candidate_rows.h"
#include "view/sparkline.h"
#include "view/token_text.h"

enum {
	BESIDE_COLS = 81,  /* inside the frame: from here on the candidates stand beside the text */
	PANEL_COLS = 170,
	PANEL_ROWS = 28,
	FOOT_ROWS = 2,
};

size_t tokens_n(const struct tokens_panel *tokens)
{
	return kept_n(tokens->source.tokens);
}

const struct kept_token *tokens_at(const struct tokens_panel *tokens, size_t i)
{
	return kept_token(tokens->source.tokens, i);
}

static void compose(struct tokens_panel *tokens)
{
	token_text_compose(&tokens->text, tokens->source.tokens, tokens->source.reply);
	tokens->composed = tokens_n(tokens);
}

void tokens_go_to(struct tokens_panel *tokens, size_t at)
{
	tokens->at = at;
	tokens->top = tokens->selected = tokens->n_rows = 0;
	if (at >= tokens_n(tokens))
		return;
	tokens->n_rows = candidate_rows(tokens->rows, tokens->source.tokens, tokens_at(tokens, at));
	for (size_t i = 0; i < tokens->n_rows; i++)
		if (tokens->rows[i].is_taken)
			tokens->selected = i;
}

const char *tokens_why_none(const struct tokens_panel *tokens)
{
	return tokens_at(tokens, tokens->at)->flags & KEPT_PICKED ? "You put this token there." : tokens->source.no_candidates;
}

bool tokens_has_candidates(const struct tokens_panel *tokens)
{
	return tokens->at < tokens_n(tokens) && tokens_at(tokens, tokens->at)->n_candidates;
}

/* ---- drawing ---- */

static void tokens_measure(const struct panel *panel, int *rows, int *cols)
{
	(void)panel;
	*rows = *rows < PANEL_ROWS ? *rows : PANEL_ROWS;
	*cols = *cols < PANEL_COLS ? *cols : PANEL_COLS;
}

void tokens_put_figures(const struct tokens_panel *tokens, int cols, char line[TOKENS_LINE_MAX])
{
	const struct kept_token *token = tokens_at(tokens, tokens->at);
	char percent[8], parts[4][48] = {"", "", "", ""};
	size_t used = (size_t)snprintf(line, TOKENS_LINE_MAX, "%zu of %zu", tokens->at + 1, tokens_n(tokens));

	candidate_percent(percent, kept_p(token));
	if (percent[0])
		snprintf(parts[0], sizeof parts[0], "   p %s", percent);
	if (token->flags & KEPT_PICKED)
		snprintf(parts[1], sizeof parts[1], "   your choice");
	if (!isnan(token->entropy))
		snprintf(parts[2], sizeof parts[2], "   entropy %.2f bits", kept_entropy_bits(token));
	if (token->n_candidates && !candidates_tell_after(token))
		snprintf(parts[3], sizeof parts[3], "   the best %zu", token->n_candidates);
	else if (token->n_candidates)
		snprintf(parts[3], sizeof parts[3], "   %zu left of the best %zu", tokens_count_left(token), token->n_candidates);
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (used + strlen(parts[i]) <= (size_t)cols && used + strlen(parts[i]) < TOKENS_LINE_MAX)
			used += (size_t)snprintf(line + used, TOKENS_LINE_MAX - used, "%s", parts[i]);
}

/* How sure the model was all along: its entropy as a row of small columns, and the reply's perplexity. */
static void draw_course(const struct tokens_panel *tokens, WINDOW *win, int y, int x, int cols)
{
	enum { MOST = 60, WORD = 8 };
	struct buf line = {.max = 1024};
	struct kept_summary summary;
	char figure[40] = "";
	int room;

	if (kept_summarise(tokens->source.tokens, &summary))
		snprintf(figure, sizeof figure, "  perplexity %.2f", summary.perplexity);
	room = cols - WORD - (int)strlen(figure);
	if (room > 0)
		sparkline_put_entropy(&line, tokens->source.tokens, room < MOST ? room : MOST);
	if (line.len) {
		x += cells_puts(win, y, x, cols, STYLE_PANEL_HINT, "entropy ");
		x += cells_draw(win, y, x, room, STYLE_SLIDER, buf_text(&line), line.len);
	}
	cells_puts(win, y, x, (int)strlen(figure), STYLE_PANEL_HINT, line.len ? figure : figure + strspn(figure, " "));
	buf_free(&line);
}

static void draw_foot(const struct tokens_panel *tokens, WINDOW *win, int y, int x, int rows, int cols)
{
	struct buf text = {.max = 1024};

	tokens_put_foot(tokens, tokens->selected, &text);
	if (rows)
		panel_draw_text(win, y, x, 0, rows, cols, STYLE_PANEL_HINT, buf_text(&text));
	buf_free(&text);
}

static void draw_candidates(struct tokens_panel *tokens, WINDOW *win, struct tokens_area at)
{
	const int foot = at.rows > 11 ? FOOT_ROWS : at.rows > 6;
	const bool has_course = at.rows > 9;
	struct tokens_area *list = &tokens->rows_area;

	*list = at;
	if (at.rows < 2 || at.cols < 1)
		return;
	if (!tokens_has_candidates(tokens)) {
		panel_draw_text(win, at.y, at.x, 0, at.rows, at.cols, STYLE_PANEL_HINT, tokens_why_none(tokens));
		return;
	}
	candidate_rows_draw_head(candidates_tell_after(tokens_at(tokens, tokens->at)), win, at.y, at.x, at.cols);
	list->y++;
	list->rows -= 1 + (foot ? foot + 1 : 0) + has_course;
	tokens->top = panel_top(tokens->top, tokens->selected, (size_t)list->rows);
	for (int row = 0; row < list->rows && tokens->top + (size_t)row < tokens->n_rows; row++) {
		const size_t i = tokens->top + (size_t)row;

		candidate_row_draw(&tokens->rows[i], i == tokens->selected, win, list->y + row, at.x, at.cols);
	}
	if (has_course)
		draw_course(tokens, win, at.y + at.rows - foot - 1, at.x, at.cols);
	draw_foot(tokens, win, at.y + at.rows - foot, at.x, foot, at.cols);
}

static void draw_text(struct tokens_panel *tokens, WINDOW *win, struct tokens_area at)
{
	token_text_draw(&tokens->text, tokens->at, win, at.y, at.x, at.rows, at.cols);
	tokens->text_area = at;
}

/* The text's rows where the candidates are below it: what it needs, at most so many that half of them are in sight. */
static int text_rows(struct tokens_panel *tokens, int rows, int cols)
{
	const int want = token_text_rows(&tokens->text, cols), most = rows / 3 > 1 ? rows / 3 : 1;

	return want < most ? want : most;
}

static void tokens_draw(struct panel *panel, WINDOW *win, int y, int x, int rows, int cols)
{
	struct tokens_panel *tokens = (struct tokens_panel *)panel;
	const int left = cols * 2 / 5;
	char line[TOKENS_LINE_MAX];
	int n;

	if (tokens->composed != tokens_n(tokens))
		compose(tokens);
	if (tokens->at >= tokens_n(tokens))
		return;
	/* Their texts may have moved since: others were kept meanwhile. */
	tokens->n_rows = candidate_rows(tokens->rows, tokens->source.tokens, tokens_at(tokens, tokens->at));
	tokens_put_figures(tokens, cols, line);
	cells_puts(win, y, x, cols, STYLE_PANEL_MARK, line);
	if (cols >= BESIDE_COLS) {
		panel_draw_divider(win, y + 1, x + left + 1, rows - 1);
		draw_text(tokens, win, (struct tokens_area){y + 1, x, rows - 1, left});
		draw_candidates(tokens, win, (struct tokens_area){y + 1, x + left + 3, rows - 1, cols - left - 3});
		return;
	}
	n = text_rows(tokens, rows - 1, cols);
	draw_text(tokens, win, (struct tokens_area){y + 1, x, n, cols});
	if (rows >= 12) {
		for (int col = 0; col < cols; col++)
			cells_puts(win, y + 1 + n, x + col, 1, STYLE_BORDER, "\u2500");
		n++;
	}
	draw_candidates(tokens, win, (struct tokens_area){y + 1 + n, x, rows - 1 - n, cols});
}

/* ---- keys ---- */

static unsigned step(struct tokens_panel *tokens, int by)
{
	const size_t last = tokens_n(tokens) - 1;

	if (by < 0 ? tokens->at > 0 : tokens->at < last)
		tokens_go_to(tokens, by < 0 ? tokens->at - 1 : tokens->at + 1);
	return PANEL_TAKEN;
}

static unsigned step_unsure(struct tokens_panel *tokens, int by)
{
	const size_t to = kept_next_unsure(tokens->source.tokens, tokens->at, by);

	if (to < tokens_n(tokens))
		tokens_go_to(tokens, to);
	return PANEL_TAKEN;
}

unsigned tokens_choose(const struct tokens_panel *tokens)
{
	if (!tokens_has_candidates(tokens) || tokens->rows[tokens->selected].is_taken)
		return PANEL_TAKEN;
	return PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN;
}

static unsigned tokens_key(struct panel *panel, struct key key)
{
	struct tokens_panel *tokens = (struct tokens_panel *)panel;

	if (!tokens_n(tokens))
		return PANEL_IGNORED;
	if (key.name == K_LEFT || key.name == K_RIGHT)
		return step(tokens, key.name == K_LEFT ? -1 : 1);
	if (key.name == K_HOME || key.name == K_END) {
		tokens_go_to(tokens, key.name == K_HOME ? 0 : tokens_n(tokens) - 1);
		return PANEL_TAKEN;
	}
	if (key_is_char(key, 'n', 0) || key_is_char(key, 'N', 0))
		return step_unsure(tokens, key.cp == 'n' ? 1 : -1);
	if (key_is_char(key, 'b', 0)) {
		tokens->text.has_borders = !tokens->text.has_borders;
		compose(tokens);
		return PANEL_TAKEN;
	}
	if (key.name == K_ENTER)
		return tokens_choose(tokens);
	if (key.name == K_F3 || key_is_char(key, 'q', 0))
		return PANEL_TAKEN | PANEL_CLOSE;
	return panel_move_key(key, tokens->n_rows, (size_t)tokens->rows_area.rows, &tokens->selected) ? PANEL_TAKEN : PANEL_IGNORED;
}

static bool is_in(const struct tokens_area *area, int y, int x)
{
	return y >= area->y && y < area->y + area->rows && x >= area->x && x < area->x + area->cols;
}

static unsigned tokens_mouse(struct panel *panel, struct mouse mouse)
{
	struct tokens_panel *tokens = (struct tokens_panel *)panel;
	const struct tokens_area *text = &tokens->text_area, *list = &tokens->rows_area;
	const int y = mouse.y + panel->y + (panel->framed ? 1 : 0), x = mouse.x + panel->x + (panel->framed ? 2 : 0);
	size_t at;

	if (mouse.kind == MOUSE_WHEEL_UP || mouse.kind == MOUSE_WHEEL_DOWN)
		return step(tokens, mouse.kind == MOUSE_WHEEL_UP ? -1 : 1);
	if (mouse.kind != MOUSE_PRESS)
		return PANEL_TAKEN;
	if (is_in(list, y, x)) {
		at = tokens->top + (size_t)(y - list->y);
		tokens->selected = at < tokens->n_rows ? at : tokens->selected;
	} else if (is_in(text, y, x)) {
		at = token_text_at(&tokens->text, y - text->y, x - text->x);
		if (at < tokens_n(tokens))
			tokens_go_to(tokens, at);
	}
	return PANEL_TAKEN;
}

static void tokens_close(struct panel *panel)
{
	token_text_free(&((struct tokens_panel *)panel)->text);
}

/* ---- opening ---- */

struct panel *panel_tokens_open(const struct panel_tokens_source *source, size_t at)
{
	static const struct panel_ops ops = {tokens_measure, tokens_draw, tokens_key, tokens_mouse,
	                                     tokens_close, NULL, tokens_print, tokens_answer};
	struct tokens_panel *tokens = alloc_array(1, sizeof *tokens);

	if (!tokens)
		return NULL;
	tokens->panel = (struct panel){
		.ops = &ops, .title = "The reply's tokens",
		.hint = "\u2190\u2192 token  \u2191\u2193 candidate  n N unsure  Enter go on with it  Esc close"};
	tokens->source = *source;
	if (source->reader) {
		snprintf(tokens->title, sizeof tokens->title, "The reply's tokens, as %s takes them", source->reader);
		tokens->panel.title = tokens->title;
		tokens->source.reader = tokens->title;
	}
	token_text_init(&tokens->text);
	tokens->text.shade = source->shade;
	compose(tokens);
	tokens_go_to(tokens, at);
	return &tokens->panel;
}

struct token_choice panel_tokens_chosen(const struct panel *panel)
{
	const struct tokens_panel *tokens = (const struct tokens_panel *)panel;
	struct token_choice choice = {.at = tokens->at, .id = tokens->rows[tokens->selected].id};

	choice.bytes = kept_text(tokens->source.tokens, choice.id, &choice.len);
	return choice;
}
