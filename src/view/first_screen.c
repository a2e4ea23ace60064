#include "view/first_screen.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>

#include "view/panel.h"

static const char *const guide_questions[FIRST_QUESTIONS] = {
	"How do I get a better model?",
	"How do I change the temperature?",
	"How do I find an old chat?",
};

static const char *const model_questions[FIRST_QUESTIONS] = {
	"How does a hash table work?",
	"Draft a mail that moves a meeting.",
	"Suggest a quick dinner for two.",
};

static const char *const digits[FIRST_QUESTIONS] = {"1", "2", "3"};

const char *const *first_screen_questions(bool is_guide)
{
	return is_guide ? guide_questions : model_questions;
}

/* From the fullest to the shortest: the first that fits is used. */
enum form { FORM_FULL, FORM_SHORT, FORM_NO_QUESTIONS, FORM_KEYS, FORM_COUNT };

enum { INDENT = 2, KEY_COLS = 8, DIGIT_COLS = 3 };

/* What is being laid out; `row` is the next one. */
struct sheet {
	WINDOW *win; /* NULL: only counts */
	int row, indent, cols;
};

/* A text, after a column with what to press for it. */
static void put(struct sheet *sheet, const char *key, int key_cols, enum theme_role role,
                const char *text)
{
	int x = sheet->indent + key_cols, cols = sheet->cols - x;

	if (sheet->win && key)
		cells_puts(sheet->win, sheet->row, sheet->indent, key_cols, STYLE_PROMPT, key);
	sheet->row += panel_draw_text(sheet->win, sheet->row, x, 0, INT_MAX, cols > 1 ? cols : 1, role,
	                              text);
}

static void put_line(struct sheet *sheet, enum theme_role role, const char *text)
{
	put(sheet, NULL, 0, role, text);
}

static void put_form(struct sheet *sheet, const struct first_screen *first, enum form form)
{
	const bool full = form == FORM_FULL; /* blank rows, too */
	const char *who = full ? first->who : first->who_short;
	const char *quit = first->quit_key ? first->quit_key : "";
	char keys[96];

	sheet->indent = full ? INDENT : 0;
	sheet->row += full;
	if (form != FORM_KEYS) {
		put_line(sheet, STYLE_HEADING,
		         full ? first->is_elsewhere ? "sotto: a quiet talk with a language model"
		                                    : "sotto: a quiet talk with a language model, on your own machine"
		         : first->is_elsewhere ? "sotto: a quiet talk" : "sotto: a model on your own machine");
		sheet->row += full;
	}
	if (form != FORM_KEYS && who) {
		put_line(sheet, STYLE_ASSISTANT, who);
		sheet->row += full;
	}
	if (form != FORM_KEYS && first->offer) {
		put_line(sheet, STYLE_PROMPT, first->offer);
		sheet->row += full;
	}
	if (full) {
		put(sheet, first->help_key, KEY_COLS, STYLE_ASSISTANT,
		    "shows the keys and commands; /help WORD finds one");
		snprintf(keys, sizeof keys, "leaves%s%s", quit[0] ? ", and so does " : "", quit);
		put(sheet, "/quit", KEY_COLS, STYLE_ASSISTANT, keys);
		sheet->row++;
	} else {
		snprintf(keys, sizeof keys, "%s helps, /quit%s%s leaves.", first->help_key,
		         quit[0] ? " or " : "", quit);
		put_line(sheet, STYLE_ASSISTANT, keys);
	}
	if (form > FORM_SHORT || !first->questions)
		return;
	put_line(sheet, STYLE_HINT, "Try one: press 1, 2, 3 or Tab, then Enter.");
	for (int i = 0; i < FIRST_QUESTIONS; i++)
		put(sheet, digits[i], DIGIT_COLS, STYLE_USER, first->questions[i]);
	sheet->row += full;
}

struct first_layout first_screen_layout(const struct first_screen *first, int rows, int cols)
{
	struct first_layout layout = {.rows = 0};

	for (unsigned form = FORM_FULL; form < FORM_COUNT; form++) {
		struct sheet sheet = {.cols = cols};

		put_form(&sheet, first, (enum form)form);
		if (sheet.row > rows)
			continue;
		layout.rows = sheet.row;
		layout.form = form;
		layout.has_questions = first->questions && form <= FORM_SHORT;
		break;
	}
	return layout;
}

void first_screen_draw(const struct first_screen *first, const struct first_layout *layout,
                       WINDOW *win, int cols)
{
	struct sheet sheet = {.win = win, .cols = cols};

	if (layout->rows)
		put_form(&sheet, first, (enum form)layout->form);
}
