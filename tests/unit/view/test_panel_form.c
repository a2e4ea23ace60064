#include <criterion/criterion.h>
#include <string.h>

#include "config/theme.h"
#include "pad.h"
#include "view/panel_form.h"

static const struct form_field fields[] = {
	{"from", "the language of the text", "auto", false},
	{"to", "the language to translate into", "", true},
	{"style", "", "plain", false},
};
static const char *const choices[] = {"from here on", "to the whole conversation"};

static struct panel *open_form(bool with_choices)
{
	struct form form = {.title = "translator", .intro = "Translates.", .fields = fields,
	                    .n_fields = 3, .choice_name = "applies", .choices = choices,
	                    .n_choices = with_choices ? 2 : 0};
	struct panel *panel = panel_form_open(&form);

	cr_assert(panel);
	panel_layout(panel, 0, 0, 22, 80);
	return panel;
}

static unsigned press(struct panel *panel, enum key_name name, unsigned mods)
{
	return panel_key(panel, (struct key){.name = name, .mods = mods});
}

static void type(struct panel *panel, const char *text)
{
	for (; *text; text++)
		cr_assert_eq(panel_key(panel, (struct key){.name = K_CHAR, .cp = (uint32_t)*text}),
		             PANEL_TAKEN);
}

static const char *printed(const struct panel *panel)
{
	static struct buf text;

	buf_free(&text);
	buf_init(&text, 4096);
	panel->ops->print(panel, &text);
	return buf_text(&text);
}

/* Where there is no screen: a question for each field, and for the choice. */
Test(panel_form, asks_one_after_the_other)
{
	const unsigned done = PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN;
	struct panel *panel = open_form(true);

	cr_assert(strstr(printed(panel), "translator: what is from? It is: the language of the text"));
	cr_assert(strstr(printed(panel), "Enter alone takes: auto"));
	cr_assert_eq(panel->ops->answer(panel, "Czech"), PANEL_TAKEN);
	cr_assert_str_eq(panel_form_value(panel, 0), "Czech");
	cr_assert_eq(panel->ops->answer(panel, ""), PANEL_TAKEN);
	cr_assert_str_eq(printed(panel), "to needs a value");
	cr_assert_eq(panel->ops->answer(panel, "3"), PANEL_TAKEN); /* any text is a value */
	cr_assert_eq(panel->ops->answer(panel, ""), PANEL_TAKEN);
	cr_assert_str_eq(panel_form_value(panel, 2), "plain");
	cr_assert(strstr(printed(panel), "applies\n1. from here on\n2. to the whole"));
	cr_assert_eq(panel->ops->answer(panel, "3"), PANEL_TAKEN);
	cr_assert_eq(panel->ops->answer(panel, "x"), PANEL_TAKEN);
	cr_assert_eq(panel->ops->answer(panel, "2"), done);
	cr_assert_eq(panel_form_choice(panel), 1);
	panel_close(panel);
	panel = open_form(false);
	panel->ops->answer(panel, "");
	panel->ops->answer(panel, "German");
	cr_assert_eq(panel->ops->answer(panel, ""), done);
	panel_close(panel);
}

static unsigned control(struct panel *panel, char c)
{
	return panel_key(panel, (struct key){.name = K_CHAR, .cp = (uint32_t)c, .mods = MOD_CTRL});
}

Test(panel_form, starts_where_a_value_is_needed_and_takes_what_is_typed)
{
	WINDOW *win = pad_open(24, 80);
	struct panel *panel = open_form(false);

	panel_draw(panel, win);
	cr_assert_geq(pad_find(win, "Translates."), 0);
	cr_assert_geq(pad_find(win, "from   auto"), 0);
	cr_assert_geq(pad_find(win, "into"), 0, "the help of the selected field");
	cr_assert(panel->has_caret);
	cr_assert_eq(panel->caret_y, pad_find(win, " to     "));
	type(panel, "German");
	panel_draw(panel, win);
	cr_assert_geq(pad_find(win, "to     German"), 0);
	cr_assert_eq(press(panel, K_ENTER, 0), PANEL_TAKEN, "to the next field");
	cr_assert_eq(press(panel, K_ENTER, 0), PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN);
	cr_assert_str_eq(panel_form_value(panel, 0), "auto");
	cr_assert_str_eq(panel_form_value(panel, 1), "German");
	cr_assert_str_eq(panel_form_name(panel, 2), "style");
	cr_assert_null(panel_form_name(panel, 3));
	panel_close(panel);
}

Test(panel_form, a_line_is_edited_by_whole_characters)
{
	struct panel *panel = open_form(false);

	cr_assert(panel_key(panel, (struct key){.name = K_CHAR, .cp = 0x4f60}) & PANEL_TAKEN);
	cr_assert(panel_key(panel, (struct key){.name = K_CHAR, .cp = 0x597d}) & PANEL_TAKEN);
	press(panel, K_LEFT, 0);
	type(panel, "x");
	cr_assert_str_eq(panel_form_value(panel, 1), "\xe4\xbd\xa0x\xe5\xa5\xbd");
	press(panel, K_BACKSPACE, 0);
	press(panel, K_BACKSPACE, 0);
	press(panel, K_BACKSPACE, 0);
	cr_assert_str_eq(panel_form_value(panel, 1), "\xe5\xa5\xbd");
	press(panel, K_DELETE, 0);
	press(panel, K_DELETE, 0);
	type(panel, "one two");
	press(panel, K_HOME, 0);
	type(panel, "(");
	press(panel, K_RIGHT, 0);
	press(panel, K_END, 0);
	type(panel, ")");
	cr_assert_str_eq(panel_form_value(panel, 1), "(one two)");
	control(panel, 'w');
	cr_assert_str_eq(panel_form_value(panel, 1), "(one ");
	control(panel, 'a');
	press(panel, K_RIGHT, 0);
	control(panel, 'k');
	cr_assert_str_eq(panel_form_value(panel, 1), "(");
	control(panel, 'u');
	cr_assert_str_eq(panel_form_value(panel, 1), "");
	cr_assert(panel->ops->paste(panel, "e\xcc\x81 \xff", 5) & PANEL_TAKEN);
	cr_assert_str_eq(panel_form_value(panel, 1), "e\xcc\x81 \xef\xbf\xbd", "repaired");
	press(panel, K_LEFT, 0);
	press(panel, K_LEFT, 0);
	press(panel, K_BACKSPACE, 0);
	cr_assert_str_eq(panel_form_value(panel, 1), " \xef\xbf\xbd", "with its accent");
	panel_close(panel);
}

Test(panel_form, a_needed_value_is_asked_for)
{
	WINDOW *win = pad_open(24, 80);
	struct panel *panel = open_form(true);

	press(panel, K_UP, 0);
	cr_assert_eq(press(panel, K_ENTER, MOD_CTRL), PANEL_TAKEN);
	panel_draw(panel, win);
	cr_assert_geq(pad_find(win, "to needs a value"), 0);
	cr_assert_eq(panel->caret_y, pad_find(win, " to     "));
	type(panel, "Welsh");
	panel_draw(panel, win);
	cr_assert_lt(pad_find(win, "needs a value"), 0);
	cr_assert_eq(press(panel, K_ENTER, MOD_ALT), PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN);
	panel_close(panel);
}

Test(panel_form, one_of_the_choices_holds)
{
	WINDOW *win = pad_open(24, 80);
	struct panel *panel = open_form(true);

	type(panel, "Welsh");
	panel_draw(panel, win);
	cr_assert_geq(pad_find(win, "applies  \u25CF from here on   \u25CB to the whole"), 0);
	press(panel, K_TAB, 0);
	press(panel, K_TAB, 0);
	cr_assert_eq(panel_form_choice(panel), 0);
	cr_assert(press(panel, K_RIGHT, 0) & PANEL_TAKEN);
	cr_assert_eq(panel_form_choice(panel), 1);
	panel_draw(panel, win);
	cr_assert_geq(pad_find(win, "\u25CB from here on   \u25CF to the whole"), 0);
	cr_assert_not(panel->has_caret);
	panel_key(panel, (struct key){.name = K_CHAR, .cp = ' '});
	cr_assert_eq(panel_form_choice(panel), 0);
	press(panel, K_TAB, 0); /* around */
	press(panel, K_TAB, MOD_SHIFT);
	cr_assert_eq(press(panel, K_ENTER, 0), PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN);
	cr_assert(press(panel, K_ESC, 0) & PANEL_CLOSE);
	panel_close(panel);
}

Test(panel_form, long_values_scroll_in_their_line)
{
	WINDOW *win = pad_open(24, 40);
	struct panel *panel = open_form(false);
	const char *row;

	panel_layout(panel, 0, 0, 24, 40);
	type(panel, "0123456789012345678901234567890123456789end");
	panel_draw(panel, win);
	row = pad_row(win, panel->caret_y);
	cr_assert(strstr(row, "9end"), "%s", row);
	cr_assert_lt(panel->caret_x, 38);
	press(panel, K_HOME, 0);
	panel_draw(panel, win);
	cr_assert(strstr(pad_row(win, panel->caret_y), "to     0123"));
	panel_close(panel);
}

Test(panel_form, fits_any_size)
{
	WINDOW *win = pad_open(24, 80);
	struct panel *panel = open_form(true);

	for (int rows = 1; rows < 24; rows++)
		for (int cols = 1; cols < 80; cols += 3) {
			werase(win);
			panel_layout(panel, 0, 0, rows, cols);
			for (int i = 0; i < 5; i++) {
				panel_draw(panel, win);
				cr_assert(!panel->has_caret || (panel->caret_y < rows && panel->caret_x < cols),
				          "%d,%d in %d x %d", panel->caret_y, panel->caret_x, rows, cols);
				press(panel, K_TAB, 0);
			}
			for (int y = rows; y < 24; y++)
				cr_assert_str_eq(pad_row(win, y), "", "%d x %d", rows, cols);
		}
	panel_close(panel);
}

Test(panel_form, the_mouse_picks_fields_and_places)
{
	WINDOW *win = pad_open(24, 80);
	struct panel *panel = open_form(true);
	struct mouse mouse = {.kind = MOUSE_PRESS, .button = 1};

	panel_draw(panel, win);
	mouse.y = pad_find(win, "from   ");
	mouse.x = panel->caret_x + 2;
	cr_assert(panel_mouse(panel, mouse) & PANEL_TAKEN);
	type(panel, "-");
	cr_assert_str_eq(panel_form_value(panel, 0), "au-to");
	mouse.y = pad_find(win, "applies");
	panel_mouse(panel, mouse);
	cr_assert_eq(panel_form_choice(panel), 0);
	panel_mouse(panel, mouse);
	cr_assert_eq(panel_form_choice(panel), 1);
	mouse.y = 0;
	mouse.x = 0;
	cr_assert(panel_mouse(panel, mouse) & PANEL_CLOSE);
	panel_close(panel);
}
