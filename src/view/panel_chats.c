#include "view/panel_chats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/utf8.h"

enum {
	TEXT_BYTES = 512, WANTED_COLS = 110, WANTED_ROWS = 60, NOTE_BYTES = 300,
	TITLE_BYTES = 64, MODEL_COLS_MAX = 24, COUNT_COLS = 8, DATE_COLS = 12,
	HEAD_ROWS = 2, NOTE_ROWS = 4,
	PRINTED_ROWS = 40, LINE_BYTES = 200,
};

/* What is typed. */
enum mode { MODE_SEARCH, MODE_RENAME, MODE_EXPORT, MODE_EMPTY };

struct chats {
	struct panel panel;
	chats_date_fn *date;
	char *here;      /* owned; NULL: none */
	char title[TITLE_BYTES];
	bool in_trash;
	const struct chats_row *rows; /* borrowed */
	size_t n, selected, top, page; /* page: chats on the screen, as last drawn */
	int model_cols;  /* what their models take */
	char *wanted;    /* owned: the path that is to stay selected; NULL: the first row is */
	enum mode mode;
	enum chats_act act;
	struct buf text, answer;
	char note[NOTE_BYTES];
};

static const char hint[] =
	"\u2191\u2193 Enter open  ^S sort  ^R rename  Del delete  ^E export  ^T trash  Esc";
static const char trash_hint[] = "\u2191\u2193 Enter restore  ^S sort  ^X empty the trash  ^T chats  Esc";
static const char answer_hint[] = "Enter done  Esc back";

static void set_mode(struct chats *chats, enum mode mode)
{
	chats->mode = mode;
	chats->panel.hint = mode != MODE_SEARCH ? answer_hint : chats->in_trash ? trash_hint : hint;
}

static bool is_searching(const struct chats *chats)
{
	return chats->text.len > 0;
}

static void measure(const struct panel *panel, int *rows, int *cols)
{
	(void)panel;
	*rows = WANTED_ROWS;
	*cols = WANTED_COLS;
}

static int draw_columns(const struct chats *chats, WINDOW *win, int y, int x, int cols,
                        enum theme_role role, const char *model, const char *count, const char *date)
{
	const char *const texts[3] = {model, count, date};
	const int widths[3] = {chats->model_cols, COUNT_COLS, DATE_COLS};

	return panel_draw_columns(win, y, x, cols, role, texts, widths, 3);
}

static void draw_title(const struct chats *chats, const struct chats_row *row, WINDOW *win, int y, int x,
                       int cols, enum theme_role role)
{
	char count[24] = "", date[32] = "", twin[24] = "";
	const char *title = row->title[0] ? row->title : row->id;
	int room, used;

	if (row->n_messages)
		snprintf(count, sizeof count, "%zu", row->n_messages);
	if (chats->here && strcmp(chats->here, row->path) == 0)
		snprintf(date, sizeof date, "open here");
	else
		chats->date(row->modified, date);
	if (row->twin)
		snprintf(twin, sizeof twin, " (%zu)", row->twin);
	cells_fill(win, y, x, cols, role);
	room = draw_columns(chats, win, y, x, cols, role, row->model, count, date);
	used = cells_puts(win, y, x, room - (int)strlen(twin), role, title);
	cells_puts(win, y, x + used, room - used, role == STYLE_SELECTION ? role : STYLE_PANEL_HINT, twin);
}

static const char *const who[] = {[ROLE_SYSTEM] = "system: ", [ROLE_USER] = "you: ",
                                  [ROLE_ASSISTANT] = "reply: "};

/* The line where the text stands, from where it can be seen. */
static void draw_line(const struct chats_row *row, WINDOW *win, int y, int x, int cols)
{
	struct style_run mark = {(uint32_t)row->from, (uint32_t)(row->to - row->from), STYLE_SELECTION};
	struct text_style style = {.role = STYLE_PANEL_HINT, .runs = &mark, .n_runs = 1};
	size_t from = 0;
	int used = 4;

	if (!row->line) {
		cells_puts(win, y, x + used, cols - used, STYLE_PANEL_HINT, row->id);
		return;
	}
	used += cells_puts(win, y, x + used, cols - used, STYLE_PANEL_HINT, who[row->role]);
	/* What is before it makes room, word by word. */
	while (from < row->from && cells_width(row->line + from, row->to - from) > cols - used) {
		const char *blank = memchr(row->line + from, ' ', row->from - from);

		from = blank ? (size_t)(blank - row->line) + 1 : row->from;
	}
	if (cols > used)
		cells_draw_styled(win, y, x + used, cols - used, &style, row->line, row->len, from, row->len);
}

/* The line that is typed; the end of a long one is in sight. */
static void draw_typed(struct chats *chats, WINDOW *win, int y, int x, int cols)
{
	static const char *const labels[] = {
		[MODE_SEARCH] = "Search: ", [MODE_RENAME] = "Title: ", [MODE_EXPORT] = "Export to: ",
		[MODE_EMPTY] = "Delete all chats in the trash for good? y/n "};
	const struct buf *typed = chats->mode == MODE_SEARCH ? &chats->text : &chats->answer;
	const char *text = buf_text(typed);
	int used = cells_puts(win, y, x, cols, chats->mode == MODE_EMPTY ? STYLE_PANEL_ERROR : STYLE_PANEL_HINT,
	                      labels[chats->mode]);
	size_t from = 0;
	int32_t cp;

	if (chats->mode != MODE_EMPTY) {
		while (from < typed->len && cells_width(text + from, typed->len - from) >= cols - used)
			from += utf8_decode(text + from, typed->len - from, &cp);
		used += cells_draw(win, y, x + used, cols - used, STYLE_PANEL, text + from, typed->len - from);
	}
	chats->panel.has_caret = used < cols;
	chats->panel.caret_y = y;
	chats->panel.caret_x = x + used;
}

/* Of the rows on the screen; none: no column. */
static void measure_models(struct chats *chats)
{
	chats->model_cols = 0;
	for (size_t i = chats->top; i < chats->n && i < chats->top + chats->page; i++)
		chats->model_cols = cells_widest(chats->model_cols, chats->rows[i].model);
	if (chats->model_cols > MODEL_COLS_MAX)
		chats->model_cols = MODEL_COLS_MAX;
}

/* The note, and at the right the id of the selected one. */
static void draw_foot(const struct chats *chats, WINDOW *win, int y, int x, int rows, int cols)
{
	const struct chats_row *row = panel_chats_selected(&chats->panel);
	int width = row ? cells_text_width(row->id) : 0;

	panel_draw_text(win, y, x, 0, rows, cols, STYLE_PANEL_HINT, chats->note);
	if (row && cells_text_width(chats->note) + PANEL_COLUMN_GAP + width <= cols)
		cells_puts(win, y, x + cols - width, width, STYLE_PANEL_HINT, row->id);
}

static void draw(struct panel *panel, WINDOW *win, int y, int x, int rows, int cols)
{
	struct chats *chats = (struct chats *)panel;
	const int height = is_searching(chats) ? 2 : 1;
	/* An error may be long. */
	const int lines = panel_text_rows(chats->note, cols, 1, NOTE_ROWS);
	const int foot = rows > HEAD_ROWS + lines + 3 ? lines + 1 : 0;

	draw_typed(chats, win, y, x, cols);
	chats->page = rows > HEAD_ROWS + foot ? (size_t)((rows - HEAD_ROWS - foot) / height) : 0;
	chats->top = panel_top(chats->top, chats->selected, chats->page);
	measure_models(chats);
	if (rows > HEAD_ROWS)
		draw_columns(chats, win, y + 1, x, cols, STYLE_PANEL_HINT, "model", "messages", "last used");
	for (size_t i = 0; i < chats->page && chats->top + i < chats->n; i++) {
		const struct chats_row *row = &chats->rows[chats->top + i];
		int at = y + HEAD_ROWS + (int)i * height;

		draw_title(chats, row, win, at, x, cols,
		           chats->top + i == chats->selected ? STYLE_SELECTION : STYLE_PANEL);
		if (height > 1)
			draw_line(row, win, at + 1, x, cols);
	}
	if (foot)
		draw_foot(chats, win, y + rows - lines, x, lines, cols);
}

const struct chats_row *panel_chats_selected(const struct panel *panel)
{
	const struct chats *chats = (const struct chats *)panel;

	return chats->selected < chats->n ? &chats->rows[chats->selected] : NULL;
}

static unsigned changed(struct chats *chats, enum chats_act act)
{
	chats->act = act;
	return PANEL_TAKEN | PANEL_CHANGED;
}

static void forget_wanted(struct chats *chats)
{
	free(chats->wanted);
	chats->wanted = NULL;
}

static unsigned select_row(struct chats *chats, size_t to)
{
	chats->selected = to < chats->n ? to : chats->n ? chats->n - 1 : 0;
	forget_wanted(chats);
	if (chats->n)
		chats->wanted = alloc_strndup(chats->rows[chats->selected].path,
		                              strlen(chats->rows[chats->selected].path));
	return changed(chats, CHATS_SELECT);
}

static unsigned choose(struct chats *chats)
{
	return panel_chats_selected(&chats->panel) ? PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN : PANEL_TAKEN;
}

/* What typing has come to, for the text that is looked for. */
static unsigned typed(struct chats *chats, unsigned result)
{
	if (!(result & PANEL_CHANGED))
		return result;
	forget_wanted(chats);
	return changed(chats, CHATS_SEARCH);
}

/* Asks for a title or a file's name, beginning with one. */
static unsigned begin(struct chats *chats, enum mode mode)
{
	const struct chats_row *row = panel_chats_selected(&chats->panel);

	if (!row)
		return PANEL_TAKEN;
	select_row(chats, chats->selected); /* it stays the one, whatever the search finds meanwhile */
	set_mode(chats, mode);
	buf_clear(&chats->answer);
	if (mode == MODE_RENAME)
		buf_puts(&chats->answer, row->title);
	else
		buf_printf(&chats->answer, "%s.md", row->id);
	if (buf_status(&chats->answer))
		buf_clear(&chats->answer);
	return PANEL_TAKEN;
}

/* Keys for the list, which would be for readline elsewhere. */
static unsigned control(struct chats *chats, uint32_t c)
{
	switch (c) {
	case 's': return changed(chats, CHATS_SORT);
	case 't':
		forget_wanted(chats);
		return changed(chats, CHATS_TRASH);
	case 'r': return chats->in_trash ? PANEL_TAKEN : begin(chats, MODE_RENAME);
	case 'e': return chats->in_trash ? PANEL_TAKEN : begin(chats, MODE_EXPORT);
	case 'x':
		if (chats->in_trash && chats->n)
			set_mode(chats, MODE_EMPTY);
		return PANEL_TAKEN;
	default: return PANEL_IGNORED;
	}
}

/* What the answer is about is still selected; else there is another one in its place. */
static bool has_wanted(struct chats *chats)
{
	const struct chats_row *row = panel_chats_selected(&chats->panel);

	if (row && chats->wanted && strcmp(row->path, chats->wanted) == 0)
		return true;
	panel_chats_set_note(&chats->panel, "that chat is not here any more");
	return false;
}

static unsigned answer_key(struct chats *chats, struct key key)
{
	static const enum chats_act acts[] = {[MODE_RENAME] = CHATS_RENAME, [MODE_EXPORT] = CHATS_EXPORT};
	enum mode mode = chats->mode;

	if (key_is(key, K_ESC, 0) || key_is_char(key, 'c', MOD_CTRL)) {
		set_mode(chats, MODE_SEARCH);
		return PANEL_TAKEN;
	}
	if (mode == MODE_EMPTY) {
		set_mode(chats, MODE_SEARCH);
		return key_is_char(key, 'y', 0) ? changed(chats, CHATS_EMPTY) : PANEL_TAKEN;
	}
	if (key_is(key, K_ENTER, 0)) {
		set_mode(chats, MODE_SEARCH);
		return has_wanted(chats) ? changed(chats, acts[mode]) : PANEL_TAKEN;
	}
	panel_type_key(&chats->answer, key);
	return PANEL_TAKEN;
}

static unsigned on_key(struct panel *panel, struct key key)
{
	struct chats *chats = (struct chats *)panel;
	size_t row = chats->selected;
	unsigned result;

	if (chats->mode != MODE_SEARCH)
		return answer_key(chats, key);
	if ((key.name == K_UP || key.name == K_DOWN) && key.mods)
		return PANEL_IGNORED;
	if (panel_move_key(key, chats->n, chats->page, &row))
		return select_row(chats, row);
	result = panel_type_key(&chats->text, key);
	if (result)
		return typed(chats, result);
	if (key.name == K_ENTER)
		return choose(chats);
	if (key.name == K_DELETE)
		return !chats->in_trash && panel_chats_selected(panel) ? changed(chats, CHATS_DELETE) : PANEL_TAKEN;
	return key.name == K_CHAR && key.mods == MOD_CTRL ? control(chats, key.cp) : PANEL_IGNORED;
}

static unsigned on_mouse(struct panel *panel, struct mouse mouse)
{
	struct chats *chats = (struct chats *)panel;
	size_t row = chats->selected;

	if (mouse.kind == MOUSE_WHEEL_UP)
		return select_row(chats, row - (row > 0));
	if (mouse.kind == MOUSE_WHEEL_DOWN)
		return select_row(chats, row + 1);
	if (mouse.kind != MOUSE_PRESS || mouse.button != 1 || mouse.y < HEAD_ROWS || chats->mode != MODE_SEARCH)
		return PANEL_TAKEN;
	row = (size_t)(mouse.y - HEAD_ROWS) / (is_searching(chats) ? 2 : 1);
	if (row >= chats->page || chats->top + row >= chats->n)
		return PANEL_TAKEN;
	row += chats->top;
	return row == chats->selected ? choose(chats) : select_row(chats, row);
}

/* The first line of it. */
static unsigned on_paste(struct panel *panel, const char *bytes, size_t n)
{
	struct chats *chats = (struct chats *)panel;
	const bool is_search = chats->mode == MODE_SEARCH;
	struct buf line = {.max = TEXT_BYTES};
	unsigned result = PANEL_TAKEN;
	size_t len = 0;

	while (len < n && bytes[len] != '\n' && bytes[len] != '\r')
		len++;
	if (utf8_repair(&line, bytes, len) == STATUS_OK && line.len)
		result = panel_type(is_search ? &chats->text : &chats->answer, line.data, line.len);
	buf_free(&line);
	return is_search ? typed(chats, result) : PANEL_TAKEN;
}

/* "3. Hash tables (2): Nov 21 09:30, 4 messages; you: how does one work?" */
static void print_row(const struct chats *chats, size_t i, struct buf *out)
{
	const struct chats_row *row = &chats->rows[i];
	char date[32];

	chats->date(row->modified, date);
	buf_printf(out, "\n%zu. %s", i + 1, row->title[0] ? row->title : row->id);
	if (row->twin)
		buf_printf(out, " (%zu)", row->twin);
	buf_printf(out, ": %s", chats->here && strcmp(chats->here, row->path) == 0 ? "open here" : date);
	if (row->n_messages)
		buf_printf(out, ", %zu message%s", row->n_messages, row->n_messages == 1 ? "" : "s");
	if (row->line)
		buf_printf(out, "; %s%.*s", who[row->role], (int)utf8_cut(row->line, row->len, LINE_BYTES), row->line);
}

static void on_print(const struct panel *panel, struct buf *out)
{
	const struct chats *chats = (const struct chats *)panel;

	buf_puts(out, chats->title);
	if (is_searching(chats))
		buf_printf(out, ", with \"%s\"", buf_text(&chats->text));
	for (size_t i = 0; i < chats->n && i < PRINTED_ROWS; i++)
		print_row(chats, i, out);
	if (chats->n > PRINTED_ROWS)
		buf_printf(out, "\nand %zu more", chats->n - PRINTED_ROWS);
	buf_printf(out, "\n%s", chats->note);
	buf_puts(out, chats->n ? "\nA number opens one, words search all chats; Enter alone closes the list."
	                       : "\nWords search all chats; Enter alone closes the list.");
}

/* A number, or what to look for; nothing ends it. */
static unsigned on_answer(struct panel *panel, const char *line)
{
	struct chats *chats = (struct chats *)panel;
	unsigned result = panel_answer_number(line, chats->n, &chats->selected);

	if (result)
		return result;
	buf_clear(&chats->text);
	buf_append(&chats->text, line, utf8_cut(line, strlen(line), TEXT_BYTES - UTF8_MAX));
	chats->act = CHATS_SEARCH;
	return PANEL_TAKEN | PANEL_CHANGED;
}

static void on_close(struct panel *panel)
{
	struct chats *chats = (struct chats *)panel;

	free(chats->here);
	free(chats->wanted);
	buf_free(&chats->text);
	buf_free(&chats->answer);
}

void panel_chats_set(struct panel *panel, const struct chats_row *rows, size_t n)
{
	struct chats *chats = (struct chats *)panel;

	chats->rows = rows;
	chats->n = n;
	if (!chats->wanted)
		chats->selected = 0;
	for (size_t i = 0; chats->wanted && i < n; i++)
		if (strcmp(rows[i].path, chats->wanted) == 0) {
			chats->selected = i;
			return;
		}
	if (chats->selected >= n) /* it has gone, or is yet to come */
		chats->selected = n ? n - 1 : 0;
}

void panel_chats_set_title(struct panel *panel, const char *title, bool in_trash)
{
	struct chats *chats = (struct chats *)panel;

	snprintf(chats->title, sizeof chats->title, "%s", title);
	chats->in_trash = in_trash;
	set_mode(chats, chats->mode);
}

void panel_chats_set_note(struct panel *panel, const char *note)
{
	struct chats *chats = (struct chats *)panel;
	size_t n = utf8_cut(note, strlen(note), NOTE_BYTES - 1);

	memcpy(chats->note, note, n);
	chats->note[n] = '\0';
}

enum chats_act panel_chats_act(const struct panel *panel)
{
	return ((const struct chats *)panel)->act;
}

const char *panel_chats_text(const struct panel *panel)
{
	return buf_text(&((const struct chats *)panel)->text);
}

const char *panel_chats_answer(const struct panel *panel)
{
	return buf_text(&((const struct chats *)panel)->answer);
}

struct panel *panel_chats_open(const char *here, chats_date_fn *date)
{
	static const struct panel_ops ops = {measure, draw, on_key, on_mouse, on_close, on_paste, on_print,
	                                     on_answer};
	struct chats *chats = alloc_array(1, sizeof *chats);

	if (!chats)
		return NULL;
	*chats = (struct chats){
		.panel = {.ops = &ops, .title = chats->title}, .date = date,
		.here = here ? alloc_strndup(here, strlen(here)) : NULL,
		.wanted = here ? alloc_strndup(here, strlen(here)) : NULL,
		.text.max = TEXT_BYTES, .answer.max = TEXT_BYTES};
	panel_chats_set_title(&chats->panel, "Chats", false);
	if (!here || chats->here)
		return &chats->panel;
	panel_close(&chats->panel);
	return NULL;
}
