#include "view/panel_form.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/number.h"
#include "base/sanitize.h"
#include "base/utf8.h"
#include "terminal/cells.h"

enum {
	FORM_COLS = 66, NAME_GAP = 2,
	HELP_ROWS = 2,     /* if there is room enough; otherwise one */
	INTRO_ROWS = 3,    /* at the most */
	LABEL_MAX = 512,   /* bytes of a copied name, help ... */
	VALUE_MAX = 65536, /* bytes of a value */
	CHOICE_GAP = 3,
};

/* A line of text being edited. */
struct field {
	struct form_field of; /* its texts are the form's */
	struct buf value;
	size_t caret; /* bytes before it; at the edge of a piece */
	size_t left;  /* the first byte in sight */
};

struct form_panel {
	struct panel panel;
	struct form of;         /* without its fields, which are: */
	struct field *fields;   /* owned, [of.n_fields] */
	struct name_list texts; /* of the form and its fields */
	size_t choice;
	size_t selected; /* of.n_fields is the row of choices */
	size_t asked;    /* the same, where the form is printed */
	size_t top;      /* the first row in sight */
	int first, shown;        /* as last drawn: where the rows are */
	int value_x;             /* and the values */
	char error[ERROR_TEXT_MAX]; /* in the help's place; "" for none */
};

static size_t n_rows(const struct form_panel *form)
{
	return form->of.n_fields + (form->of.n_choices ? 1 : 0);
}

static bool is_choice(const struct form_panel *form, size_t row)
{
	return row == form->of.n_fields;
}

const char *panel_form_name(const struct panel *panel, size_t field)
{
	const struct form_panel *form = (const struct form_panel *)panel;

	return field < form->of.n_fields ? form->fields[field].of.name : NULL;
}

const char *panel_form_value(const struct panel *panel, size_t field)
{
	const struct form_panel *form = (const struct form_panel *)panel;

	return buf_text(&form->fields[field].value);
}

size_t panel_form_choice(const struct panel *panel)
{
	return ((const struct form_panel *)panel)->choice;
}

/* ---- one line of text ---- */

static size_t piece_after(const struct field *field, size_t at)
{
	struct safe_piece piece;

	return sanitize_next(buf_text(&field->value), field->value.len, at, &piece) ? piece.end : at;
}

static size_t piece_before(const struct field *field, size_t at)
{
	size_t before = 0, next;

	while ((next = piece_after(field, before)) < at && next > before)
		before = next;
	return before;
}

static bool insert_bytes(struct field *field, const char *bytes, size_t n)
{
	size_t after = field->value.len - field->caret;

	if (n > VALUE_MAX - field->value.len || buf_append(&field->value, bytes, n))
		return false;
	memmove(field->value.data + field->caret + n, field->value.data + field->caret, after);
	memcpy(field->value.data + field->caret, bytes, n);
	field->caret += n;
	return true;
}

static void delete_bytes(struct field *field, size_t from, size_t to)
{
	buf_remove(&field->value, from, to - from);
	field->caret = from;
}

/* Back over blanks and the word before them. */
static size_t word_before(const struct field *field)
{
	size_t at = field->caret;

	while (at && field->value.data[at - 1] == ' ')
		at--;
	while (at && field->value.data[at - 1] != ' ')
		at--;
	return at;
}

/* False for a key that does not edit. */
static bool edit(struct field *field, struct key key)
{
	bool control = key.name == K_CHAR && key.mods == MOD_CTRL;
	char bytes[UTF8_MAX];

	if (key_is(key, K_LEFT, 0))
		field->caret = piece_before(field, field->caret);
	else if (key_is(key, K_RIGHT, 0))
		field->caret = piece_after(field, field->caret);
	else if (key_is(key, K_HOME, 0) || (control && key.cp == 'a'))
		field->caret = 0;
	else if (key_is(key, K_END, 0) || (control && key.cp == 'e'))
		field->caret = field->value.len;
	else if (key_is(key, K_BACKSPACE, 0))
		delete_bytes(field, piece_before(field, field->caret), field->caret);
	else if (key_is(key, K_DELETE, 0))
		delete_bytes(field, field->caret, piece_after(field, field->caret));
	else if (control && key.cp == 'u')
		delete_bytes(field, 0, field->caret);
	else if (control && key.cp == 'k')
		delete_bytes(field, field->caret, field->value.len);
	else if (control && key.cp == 'w')
		delete_bytes(field, word_before(field), field->caret);
	else if (key.name == K_CHAR && !key.mods)
		return insert_bytes(field, bytes, utf8_encode(key.cp, bytes));
	else
		return false;
	return true;
}

/* Draws the part around the caret; returns the column where the caret is. */
static int draw_value(struct field *field, WINDOW *win, int y, int x, int cols,
                      enum theme_role role)
{
	const char *text = buf_text(&field->value);

	if (field->left > field->caret)
		field->left = field->caret;
	if (cells_width(text, field->value.len) < cols)
		field->left = 0;
	while (field->left < field->caret &&
	       cells_width(text + field->left, field->caret - field->left) >= cols)
		field->left = piece_after(field, field->left);
	cells_fill(win, y, x, cols, role);
	cells_draw_part(win, y, x, cols, role, text, field->value.len, field->left,
	                field->value.len);
	return cells_width(text + field->left, field->caret - field->left);
}

/* ---- the panel ---- */

static int names_width(const struct form_panel *form, int cols)
{
	int width = form->of.n_choices ? cells_text_width(form->of.choice_name) : 1;

	for (size_t i = 0; i < form->of.n_fields; i++)
		width = cells_widest(width, form->fields[i].of.name);
	return width < cols / 3 ? width : cols / 3;
}

/* Rows of a form's parts if it has all the room it wants. */
static int intro_rows(const struct form_panel *form, int cols)
{
	return form->of.intro[0] ? panel_text_rows(form->of.intro, cols, 1, INTRO_ROWS) + 1 : 0;
}

/* A blank row stands between fields and choices. */
static int choice_gap(const struct form_panel *form)
{
	return form->of.n_fields && form->of.n_choices ? 1 : 0;
}

/* Of an error, all of it. */
static int help_rows_of(const struct form_panel *form, int cols)
{
	return panel_text_rows(form->error, cols, HELP_ROWS, INT_MAX);
}

static int whole_rows(const struct form_panel *form, int cols)
{
	return intro_rows(form, cols) + (int)n_rows(form) + choice_gap(form) + 1 + help_rows_of(form, cols);
}

static void form_measure(const struct panel *panel, int *rows, int *cols)
{
	*cols = FORM_COLS < *cols ? FORM_COLS : *cols;
	*rows = whole_rows((const struct form_panel *)panel, *cols);
}

/* The columns of the widest choice. */
static int choice_width(const struct form_panel *form)
{
	int width = 0;

	for (size_t i = 0; i < form->of.n_choices; i++)
		width = cells_widest(width, form->of.choices[i]);
	return 2 + width;
}

/* All choices in a row, or only the chosen one if they do not fit. */
static void draw_choices(const struct form_panel *form, WINDOW *win, int y, int x, int cols,
                         bool is_selected)
{
	int width = -CHOICE_GAP, col = 0;

	for (size_t i = 0; i < form->of.n_choices; i++)
		width += 2 + cells_text_width(form->of.choices[i]) + CHOICE_GAP;
	for (size_t i = 0; i < form->of.n_choices; i++) {
		bool chosen = i == form->choice;
		enum theme_role role = !chosen ? STYLE_PANEL_HINT
		                       : is_selected ? STYLE_SELECTION : STYLE_PANEL;

		if (!chosen && width > cols)
			continue;
		if (col >= cols)
			break;
		col += cells_puts(win, y, x + col, cols - col, role, chosen ? "\u25CF " : "\u25CB ");
		col += cells_puts(win, y, x + col, cols - col, role, form->of.choices[i]);
		col += CHOICE_GAP;
	}
}

static void draw_field(struct form_panel *form, size_t row, WINDOW *win, int y, int x, int cols)
{
	bool selected = row == form->selected;
	int names = form->value_x - NAME_GAP;
	const char *name = is_choice(form, row) ? form->of.choice_name : form->fields[row].of.name;

	/* If room is short, the choice is more important than its name. */
	if (is_choice(form, row) && cols - form->value_x < choice_width(form)) {
		draw_choices(form, win, y, x, cols, selected);
		return;
	}
	cells_puts(win, y, x, names, selected ? STYLE_PANEL : STYLE_PANEL_HINT, name);
	x += form->value_x;
	cols -= form->value_x;
	if (is_choice(form, row)) {
		draw_choices(form, win, y, x, cols, selected);
	} else {
		int caret = draw_value(&form->fields[row], win, y, x, cols,
		                       selected ? STYLE_SELECTION : STYLE_PANEL);

		if (selected) {
			form->panel.has_caret = true;
			form->panel.caret_y = y;
			form->panel.caret_x = x + (caret < cols ? caret : cols - 1);
		} else if (form->fields[row].of.is_needed && !form->fields[row].value.len) {
			cells_puts(win, y, x, cols, STYLE_PANEL_HINT, "(needed)");
		}
	}
}

static const char *help_of(const struct form_panel *form)
{
	if (!is_choice(form, form->selected))
		return form->fields[form->selected].of.help;
	return "\u2190\u2192 changes it";
}

static void form_draw(struct panel *panel, WINDOW *win, int y, int x, int rows, int cols)
{
	struct form_panel *form = (struct form_panel *)panel;
	bool has_room = rows >= whole_rows(form, cols);
	int help_rows = has_room ? help_rows_of(form, cols) : rows > 1 ? 1 : 0;
	enum theme_role help_role = form->error[0] ? STYLE_PANEL_ERROR : STYLE_PANEL_HINT;

	panel->has_caret = false;
	form->first = 0;
	if (has_room) {
		form->first = intro_rows(form, cols);
		panel_draw_text(win, y, x, 0, INTRO_ROWS, cols, STYLE_PANEL, form->of.intro);
	}
	form->shown = rows - form->first - help_rows;
	form->value_x = names_width(form, cols) + NAME_GAP;
	form->top = panel_top(form->top, form->selected, (size_t)form->shown);
	for (size_t row = form->top; row < n_rows(form); row++) {
		int at = form->first + (int)(row - form->top);

		if (has_room && is_choice(form, row))
			at += choice_gap(form);
		if (at >= form->first + form->shown)
			break;
		draw_field(form, row, win, y + at, x, cols);
	}
	panel_draw_text(win, y + rows - help_rows, x, 0, help_rows, cols, help_role,
	                form->error[0] ? form->error : help_of(form));
}

static unsigned select_row(struct form_panel *form, size_t row)
{
	form->selected = row;
	form->error[0] = '\0';
	return PANEL_TAKEN;
}

static unsigned move_row(struct form_panel *form, bool down)
{
	size_t n = n_rows(form);

	return select_row(form, (form->selected + (down ? 1 : n - 1)) % n);
}

/* Closes with what is there, unless a needed value is missing. */
static unsigned accept(struct form_panel *form)
{
	for (size_t i = 0; i < form->of.n_fields; i++) {
		if (!form->fields[i].of.is_needed || form->fields[i].value.len)
			continue;
		select_row(form, i);
		snprintf(form->error, sizeof form->error, "%s needs a value",
		         form->fields[i].of.name);
		return PANEL_TAKEN;
	}
	return PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN;
}

static unsigned choose_key(struct form_panel *form, struct key key)
{
	if (key_is(key, K_LEFT, 0))
		form->choice = (form->choice + form->of.n_choices - 1) % form->of.n_choices;
	else if (key_is(key, K_RIGHT, 0) || key_is_char(key, ' ', 0))
		form->choice = (form->choice + 1) % form->of.n_choices;
	else
		return PANEL_IGNORED;
	return PANEL_TAKEN;
}

static unsigned form_key(struct panel *panel, struct key key)
{
	struct form_panel *form = (struct form_panel *)panel;
	size_t row = form->selected;

	if (key.name == K_ENTER && (key.mods || form->selected + 1 == n_rows(form)))
		return accept(form);
	if (key_is(key, K_ENTER, 0) || key_is(key, K_DOWN, 0) || key_is(key, K_TAB, 0))
		return move_row(form, true);
	if (key_is(key, K_UP, 0) || key_is(key, K_TAB, MOD_SHIFT))
		return move_row(form, false);
	if (!key.mods && (is_choice(form, form->selected) || (key.name != K_HOME && key.name != K_END)) &&
	    panel_move_key(key, n_rows(form), (size_t)form->shown, &row))
		return select_row(form, row);
	if (is_choice(form, form->selected))
		return choose_key(form, key);
	if (!edit(&form->fields[form->selected], key))
		return PANEL_IGNORED;
	form->error[0] = '\0';
	return PANEL_TAKEN;
}

static unsigned form_paste(struct panel *panel, const char *bytes, size_t n)
{
	struct form_panel *form = (struct form_panel *)panel;
	struct buf text = {.max = VALUE_MAX};

	if (is_choice(form, form->selected))
		return PANEL_TAKEN;
	form->error[0] = '\0';
	if (utf8_repair(&text, bytes, n) ||
	    !insert_bytes(&form->fields[form->selected], buf_text(&text), strlen(buf_text(&text))))
		snprintf(form->error, sizeof form->error, "a value holds at most %d KiB",
		         VALUE_MAX >> 10);
	buf_free(&text);
	return PANEL_TAKEN;
}

/* The piece under a column, or the end. */
static size_t find_column(const struct field *field, int col)
{
	size_t at = field->left, next;

	while ((next = piece_after(field, at)) > at &&
	       cells_width(buf_text(&field->value) + field->left, next - field->left) <= col)
		at = next;
	return at;
}

static unsigned form_mouse(struct panel *panel, struct mouse mouse)
{
	struct form_panel *form = (struct form_panel *)panel;
	int row = mouse.y - form->first + (int)form->top;

	if (mouse.kind == MOUSE_WHEEL_UP || mouse.kind == MOUSE_WHEEL_DOWN)
		return move_row(form, mouse.kind == MOUSE_WHEEL_DOWN);
	if (mouse.kind != MOUSE_PRESS || mouse.button != 1 || row < 0 ||
	    row >= (int)n_rows(form) + choice_gap(form))
		return PANEL_TAKEN;
	if (row >= (int)form->of.n_fields) {
		if (is_choice(form, form->selected))
			form->choice = (form->choice + 1) % form->of.n_choices;
		return select_row(form, form->of.n_fields);
	}
	if (mouse.x >= form->value_x)
		form->fields[row].caret = find_column(&form->fields[row], mouse.x - form->value_x);
	return select_row(form, (size_t)row);
}

/* The field that is asked for now. */
static void form_print(const struct panel *panel, struct buf *out)
{
	const struct form_panel *form = (const struct form_panel *)panel;
	const struct field *field = &form->fields[form->asked];

	if (form->error[0]) {
		buf_puts(out, form->error);
		return;
	}
	buf_printf(out, "%s: ", form->of.title);
	if (is_choice(form, form->asked)) {
		buf_printf(out, "%s", form->of.choice_name);
		for (size_t i = 0; i < form->of.n_choices; i++)
			buf_printf(out, "\n%zu. %s", i + 1, form->of.choices[i]);
		buf_printf(out, "\nA number chooses; Enter alone takes %zu, Esc cancels.", form->choice + 1);
		return;
	}
	buf_printf(out, "what is %s?%s%s", field->of.name, field->of.help[0] ? " It is: " : "",
	           field->of.help);
	if (field->value.len)
		buf_printf(out, "\nEnter alone takes: %s", buf_text(&field->value));
	buf_puts(out, "\nEsc cancels.");
}

static bool answer_choice(struct form_panel *form, const char *line)
{
	int64_t number = (int64_t)form->choice + 1;

	if (line[0] && (!number_parse_int(line, &number) || number < 1 ||
	                (size_t)number > form->of.n_choices)) {
		snprintf(form->error, sizeof form->error, "type a number from 1 to %zu",
		         form->of.n_choices);
		return false;
	}
	form->choice = (size_t)number - 1;
	return true;
}

static bool answer_field(struct form_panel *form, const char *line)
{
	struct field *field = &form->fields[form->asked];

	if (!line[0] && field->of.is_needed && !field->value.len) {
		snprintf(form->error, sizeof form->error, "%s needs a value", field->of.name);
		return false;
	}
	if (!line[0])
		return true;
	delete_bytes(field, 0, field->value.len);
	if (insert_bytes(field, line, strlen(line)))
		return true;
	snprintf(form->error, sizeof form->error, "a value holds at most %d KiB", VALUE_MAX >> 10);
	return false;
}

/* All values, one after the other; nothing takes what is there. */
static unsigned form_answer(struct panel *panel, const char *line)
{
	struct form_panel *form = (struct form_panel *)panel;

	form->error[0] = '\0';
	if (!(is_choice(form, form->asked) ? answer_choice(form, line) : answer_field(form, line)))
		return PANEL_TAKEN;
	if (++form->asked < n_rows(form))
		return PANEL_TAKEN;
	return PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN;
}

static void form_close(struct panel *panel)
{
	struct form_panel *form = (struct form_panel *)panel;

	for (size_t i = 0; form->fields && i < form->of.n_fields; i++)
		buf_free(&form->fields[i].value);
	free(form->fields);
	name_list_free(&form->texts);
}

static bool keep(struct form_panel *form, const char **text)
{
	return panel_keep_text(&form->texts, text, LABEL_MAX);
}

static bool copy_form(struct form_panel *form, const struct form *from)
{
	form->of = *from;
	form->fields = alloc_array(from->n_fields, sizeof *form->fields);
	if (!form->fields || !keep(form, &form->of.title) || !keep(form, &form->of.intro))
		return false;
	for (size_t i = 0; i < from->n_fields; i++) {
		struct field *field = &form->fields[i];

		field->of = from->fields[i];
		field->value.max = VALUE_MAX;
		if (!keep(form, &field->of.name) || !keep(form, &field->of.help) ||
		    !insert_bytes(field, field->of.value, strlen(field->of.value)))
			return false;
	}
	form->choice = from->choice < from->n_choices ? from->choice : 0;
	return true;
}

/* The first that is needed and empty, else the first. */
static size_t first_open(const struct form_panel *form)
{
	for (size_t i = 0; i < form->of.n_fields; i++)
		if (form->fields[i].of.is_needed && !form->fields[i].value.len)
			return i;
	return 0;
}

struct panel *panel_form_open(const struct form *config)
{
	static const struct panel_ops ops = {form_measure, form_draw, form_key, form_mouse,
	                                     form_close, form_paste, form_print, form_answer};
	struct form_panel *form = alloc_array(1, sizeof *form);

	if (!form)
		return NULL;
	form->panel = (struct panel){
		.ops = &ops,
		.hint = "\u2191\u2193 field  Enter next, on the last: accept  Esc cancel"};
	if (!copy_form(form, config)) {
		panel_close(&form->panel);
		return NULL;
	}
	form->panel.title = form->of.title;
	form->selected = first_open(form);
	return &form->panel;
}
