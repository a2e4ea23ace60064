#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "config/theme.h"
#include "pad.h"
#include "sampler/params.h"
#include "ui/commands.h"
#include "ui/keymap.h"
#include "ui/panel_help.h"
#include "view/panel.h"
#include "view/panel_sampler.h"

static struct key named(enum key_name name, unsigned mods)
{
	return (struct key){.name = name, .mods = mods};
}

static struct key typed(uint32_t cp)
{
	return (struct key){.name = K_CHAR, .cp = cp};
}

static struct settings *sampler_settings(struct sampler_params *params)
{
	const struct option_table table = {sampler_options, sampler_n_options, params};
	struct settings *settings;

	cr_assert_eq(settings_create(&settings, &table, 1, NULL), STATUS_OK);
	return settings;
}

static void lay_out(struct panel *panel, WINDOW *win, int rows, int cols)
{
	panel_layout(panel, 0, 0, rows, cols);
	panel_draw(panel, win);
}

static void press(struct panel *panel, WINDOW *win, enum key_name name)
{
	panel_key(panel, named(name, 0));
	panel_draw(panel, win);
}

static void type(struct panel *panel, const char *text)
{
	for (; *text; text++)
		panel_key(panel, typed((uint32_t)(unsigned char)*text));
}

static const char *printed(const struct panel *panel)
{
	static struct buf text;

	buf_free(&text);
	buf_init(&text, 1 << 16);
	panel->ops->print(panel, &text);
	return buf_text(&text);
}

/* Where there is no screen: numbered rows, and a line that answers. */
Test(panel, a_list_is_printed_and_answered)
{
	static const char *const heads[] = {"model", "messages"};
	const struct list_item items[] = {
		{.text = "apples", .value = "a", .columns = {"m1", "2"}},
		{.text = "pears", .value = "b", .note = "ripe", .detail = "here"},
		{.text = "more pears", .value = "c"},
	};
	struct panel *panel = panel_list_open("Fruit", items, 3, "b");

	cr_assert(panel);
	panel_list_set_extras(panel, &(struct list_extras){.heads = heads, .n_columns = 2});
	cr_assert(strstr(printed(panel), "Fruit\n1. apples: model m1, messages 2\n2. pears (here); ripe\n"));
	cr_assert_eq(panel->ops->answer(panel, "4"), PANEL_TAKEN, "there is no such row");
	cr_assert_eq(panel->ops->answer(panel, "0"), PANEL_TAKEN);
	cr_assert_eq(panel->ops->answer(panel, "PEAR"), PANEL_TAKEN);
	cr_assert(strstr(printed(panel), "Fruit with \"PEAR\"\n1. pears"));
	cr_assert_eq(panel->ops->answer(panel, "2"), PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN);
	cr_assert_str_eq(panel_list_selected(panel), "c");
	cr_assert_eq(panel->ops->answer(panel, "plums"), PANEL_TAKEN);
	cr_assert(strstr(printed(panel), "no match"));
	cr_assert_eq(panel->ops->answer(panel, "1"), PANEL_TAKEN, "nothing can be chosen");
	cr_assert_eq(panel->ops->answer(panel, ""), PANEL_TAKEN | PANEL_CLOSE);
	panel_close(panel);
}

Test(panel, sliders_are_picked_and_moved_with_keys)
{
	WINDOW *win = pad_open(40, 80);
	struct sampler_params params;
	struct settings *settings = sampler_settings(&params);
	struct panel *panel = panel_sampler_open(settings, NULL, NULL);
	const unsigned changed = PANEL_TAKEN | PANEL_CHANGED;
	size_t i;

	cr_assert(panel);
	lay_out(panel, win, 40, 80);
	for (i = 0; i < sampler_n_options; i++)
		cr_assert_eq(pad_find(win, sampler_options[i].name) >= 0,
		             !!(sampler_options[i].flags & OPTION_SLIDER), "%s", sampler_options[i].name);
	for (i = 0; strcmp(sampler_options[i].name, "temp"); i++)
		cr_assert(panel_key(panel, named(K_DOWN, 0)) & PANEL_TAKEN);
	cr_assert_eq(panel_key(panel, named(K_RIGHT, 0)), changed);
	cr_assert_float_eq(params.temp, 0.85, 1e-6);
	cr_assert_eq(panel_key(panel, named(K_LEFT, MOD_SHIFT)), changed);
	cr_assert_float_eq(params.temp, 0.35, 1e-6);
	panel_key(panel, named(K_LEFT, MOD_SHIFT));
	cr_assert_eq(params.temp, 0);
	panel_key(panel, named(K_HOME, 0)); /* they move, as in every panel, and change nothing */
	panel_key(panel, named(K_END, 0));
	panel_key(panel, named(K_PAGE_UP, 0));
	panel_key(panel, named(K_HOME, 0));
	cr_assert_eq(params.temp, 0);
	for (i = 0; strcmp(sampler_options[i].name, "temp"); i++)
		panel_key(panel, named(K_DOWN, 0));
	panel_key(panel, typed('d'));
	cr_assert_float_eq(params.temp, 0.8, 1e-6);
	/* nobody has set it now, so that a model, say, is listened to again */
	cr_assert(settings_is_from(settings, "temp", ORIGIN_DEFAULT));
	cr_assert_eq(settings_assign(settings, "temp", "0.6", ORIGIN_MODEL, NULL), STATUS_OK);
	cr_assert_float_eq(params.temp, 0.6, 1e-6);
	panel_key(panel, typed('0'));
	cr_assert_eq(params.temp, 0);
	/* a value typed, corrected, entered */
	for (const char *c = "1.26"; *c; c++)
		cr_assert_eq(panel_key(panel, typed((uint32_t)*c)), PANEL_TAKEN);
	press(panel, win, K_BACKSPACE);
	cr_assert_geq(pad_find(win, "1.2_"), 0);
	cr_assert_eq(params.temp, 0);
	cr_assert_eq(panel_key(panel, named(K_ENTER, 0)), changed);
	cr_assert_float_eq(params.temp, 1.2, 1e-6);
	panel_draw(panel, win);
	cr_assert(strstr(pad_row(win, pad_find(win, "temp ")), settings_origin_name(ORIGIN_SET)));
	/* 0 switches off, but for the 0 that a number begins with */
	cr_assert_eq(panel_key(panel, typed('0')), changed);
	cr_assert_eq(params.temp, 0);
	cr_assert_eq(panel_key(panel, typed('.')), changed);
	cr_assert_float_eq(params.temp, 1.2, 1e-6, "as it was");
	panel_key(panel, typed('7'));
	panel_draw(panel, win);
	cr_assert_geq(pad_find(win, "0.7_"), 0);
	cr_assert_eq(panel_key(panel, named(K_ENTER, 0)), changed);
	cr_assert_float_eq(params.temp, 0.7, 1e-6);
	panel_key(panel, typed('d'));
	panel_key(panel, typed('0'));
	panel_key(panel, typed('.'));
	panel_key(panel, named(K_ESC, 0));
	cr_assert(settings_is_from(settings, "temp", ORIGIN_MODEL), "nor is it set by that");
	panel_key(panel, typed('0'));
	panel_key(panel, named(K_RIGHT, 0));
	cr_assert_eq(panel_key(panel, typed('.')), PANEL_TAKEN, "a number of its own");
	cr_assert_float_eq(params.temp, 0.05, 1e-6);
	panel_key(panel, named(K_ESC, 0));
	cr_assert_eq(settings_set(settings, "temp", "1.2", NULL), STATUS_OK);
	/* one that is refused says why and changes nothing */
	panel_key(panel, typed('9'));
	cr_assert_eq(panel_key(panel, named(K_ENTER, 0)), PANEL_TAKEN);
	cr_assert_float_eq(params.temp, 1.2, 1e-6);
	panel_draw(panel, win);
	cr_assert_geq(pad_find(win, "expected a number from"), 0, "%s", pad_row(win, 15));
	/* between two steps: to the next one */
	cr_assert_eq(settings_set(settings, "temp", "0.33", NULL), STATUS_OK);
	panel_key(panel, named(K_RIGHT, 0));
	cr_assert_float_eq(params.temp, 0.35, 1e-6);
	cr_assert_eq(settings_set(settings, "temp", "0.33", NULL), STATUS_OK);
	panel_key(panel, named(K_LEFT, 0));
	cr_assert_float_eq(params.temp, 0.3, 1e-6);
	cr_assert_eq(panel_key(panel, named(K_UP, MOD_SHIFT)), PANEL_IGNORED);
	cr_assert_eq(panel_key(panel, typed('x')), PANEL_TAKEN);
	cr_assert(panel_key(panel, named(K_ESC, 0)) & PANEL_CLOSE);
	cr_assert(panel_key(panel, named(K_F2, 0)) & PANEL_CLOSE);
	panel_close(panel);
	settings_free(settings);
}

/* The columns of the row that holds a name. */
static int find_column(WINDOW *win, const char *name, const char *glyph)
{
	const char *row = pad_row(win, pad_find(win, name)), *at = strstr(row, glyph);
	int col = 0;

	for (const char *c = row; at && c < at; c++)
		col += ((unsigned char)*c & 0xc0) != 0x80;
	return at ? col : -1;
}

Test(panel, a_tick_shows_the_default)
{
	WINDOW *win = pad_open(40, 80);
	struct sampler_params params;
	struct settings *settings = sampler_settings(&params);
	struct panel *panel = panel_sampler_open(settings, NULL, NULL);
	int knob;

	lay_out(panel, win, 40, 80);
	knob = find_column(win, "temp ", "\u25CF");
	cr_assert_gt(knob, 0);
	cr_assert_eq(find_column(win, "temp ", "\u253F"), -1, "under the knob");
	cr_assert_eq(settings_set(settings, "temp", "3", NULL), STATUS_OK);
	panel_draw(panel, win);
	cr_assert_eq(find_column(win, "temp ", "\u253F"), knob);
	cr_assert_gt(find_column(win, "temp ", "\u25CF"), knob);
	cr_assert_eq(settings_set(settings, "temp", "0", NULL), STATUS_OK);
	panel_draw(panel, win);
	cr_assert_eq(find_column(win, "temp ", "\u253C"), knob);
	/* what the model recommends is the default */
	cr_assert_eq(settings_assign(settings, "temp", "4", ORIGIN_MODEL, NULL), STATUS_OK);
	panel_draw(panel, win);
	cr_assert_gt(find_column(win, "temp ", "\u253C"), knob);
	panel_close(panel);
	settings_free(settings);
}

Test(panel, says_where_one_is_among_sliders_out_of_sight)
{
	WINDOW *win = pad_open(40, 80);
	struct sampler_params params;
	struct settings *settings = sampler_settings(&params);
	struct panel *panel = panel_sampler_open(settings, NULL, NULL);

	lay_out(panel, win, 40, 80);
	cr_assert_lt(pad_find(win, "1/2"), 0, "all are in sight");
	panel_layout(panel, 0, 0, 12, 80);
	werase(win);
	panel_draw(panel, win);
	cr_assert_geq(pad_find(win, " 1/2"), 0);
	for (int i = 0; i < 10; i++)
		press(panel, win, K_DOWN);
	cr_assert_geq(pad_find(win, " 11/2"), 0);
	panel_close(panel);
	settings_free(settings);
}

/* `0` gives the value that means "off", which is not always zero. */
static const char *least_of(const struct option *option)
{
	static char text[32];

	snprintf(text, sizeof text, "%g", option->min);
	return text;
}

Test(panel, every_slider_switches_off_and_moves_its_whole_range)
{
	static const struct {
		const char *name;
		double off;
	} off[] = {
		{"temp", 0}, {"top-k", 0}, {"top-p", 1}, {"min-p", 0}, {"typical", 1},
		{"top-nsigma", -1}, {"xtc-probability", 0}, {"xtc-threshold", 1},
		{"repeat-penalty", 1}, {"repeat-last-n", 0}, {"presence-penalty", 0},
		{"frequency-penalty", 0}, {"dry-multiplier", 0},
		{"dry-base", 1}, {"dry-allowed-length", 0}, {"dry-penalty-last-n", 0}, {"dynatemp-range", 0}, {"dynatemp-exp", 1}, {"mirostat", 0},
		{"mirostat-ent", 0}, {"mirostat-lr", 0},
	};
	struct sampler_params params;
	struct settings *settings = sampler_settings(&params);
	struct panel *panel = panel_sampler_open(settings, NULL, NULL);

	for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
		const struct option *option = settings_find(settings, off[i].name);
		int steps = 0;

		panel_key(panel, typed('0'));
		cr_assert_float_eq(settings_number(settings, option), off[i].off, 1e-6, "%s", off[i].name);
		cr_assert_eq(settings_assign(settings, option->name, least_of(option), ORIGIN_SET, NULL), STATUS_OK);
		while (settings_number(settings, option) < option->max - 1e-6 && steps < 10000) {
			double before = settings_number(settings, option);

			panel_key(panel, named(K_RIGHT, 0));
			cr_assert_gt(settings_number(settings, option), before, "%s", off[i].name);
			steps++;
		}
		cr_assert_lt(steps, 10000);
		panel_key(panel, named(K_DOWN, 0));
	}
	panel_close(panel);
	settings_free(settings);
}

Test(panel, sliders_follow_the_mouse)
{
	WINDOW *win = pad_open(24, 80);
	struct sampler_params params;
	struct settings *settings = sampler_settings(&params);
	struct panel *panel = panel_sampler_open(settings, NULL, NULL);
	struct mouse mouse = {.kind = MOUSE_PRESS, .button = 1};
	int knob;

	panel_layout(panel, 2, 4, 20, 74);
	panel_draw(panel, win);
	mouse.y = pad_find(win, "top-p");
	cr_assert_geq(mouse.y, 0);
	/* far right, then dragged far left: both ends are reached */
	for (knob = 0; knob < 80 && !pad_has_role(win, mouse.y, knob, STYLE_SLIDER); knob++) {
	}
	mouse.x = knob;
	cr_assert(panel_mouse(panel, mouse) & PANEL_CHANGED);
	cr_assert_eq(params.top_p, 0);
	mouse.kind = MOUSE_DRAG;
	mouse.x = 79;
	cr_assert(panel_mouse(panel, mouse) & PANEL_CHANGED);
	cr_assert_eq(params.top_p, 1);
	mouse.kind = MOUSE_RELEASE;
	panel_mouse(panel, mouse);
	mouse.kind = MOUSE_DRAG;
	mouse.x = knob;
	panel_mouse(panel, mouse);
	cr_assert_eq(params.top_p, 1, "released");
	mouse.kind = MOUSE_WHEEL_DOWN;
	cr_assert(panel_mouse(panel, mouse) & PANEL_CHANGED);
	cr_assert_float_eq(params.top_p, 0.99, 1e-6);
	/* only the one that was picked: over the others the wheel scrolls the conversation */
	mouse.y = pad_find(win, "top-k");
	cr_assert_geq(mouse.y, 0);
	mouse.kind = MOUSE_WHEEL_UP;
	cr_assert_eq(panel_mouse(panel, mouse), PANEL_IGNORED);
	cr_assert_eq(params.top_k, 40);
	mouse = (struct mouse){.kind = MOUSE_PRESS, .button = 1, .y = 0, .x = 0};
	cr_assert(panel_mouse(panel, mouse) & PANEL_CLOSE, "outside");
	panel_close(panel);
	settings_free(settings);
}

static const struct keymap *default_keys(void)
{
	static struct keymap keys;

	keymap_init(&keys, &bindings);
	return &keys;
}

static struct panel *open_help(void)
{
	struct help_text help = {.n = 0};

	help_text_all(&help, default_keys(), &commands);
	return panel_help_open("Help", &help);
}

Test(panel, help_names_every_key_and_command)
{
	WINDOW *win = pad_open(200, 100);
	struct panel *panel = open_help();
	char name[KEY_TEXT_MAX], help[40];

	cr_assert(panel);
	lay_out(panel, win, 200, 100);
	for (size_t i = 0; i < bindings.n; i++) {
		cr_assert_geq(pad_find(win, key_text(bindings.rows[i].key, name)), 0, "%s", name);
		if (bindings.rows[i].help) { /* its first row, where it is long */
			snprintf(help, sizeof help, "%.36s", bindings.rows[i].help);
			cr_assert_geq(pad_find(win, help), 0, "%s", help);
		}
	}
	for (size_t i = 0; i < commands.n; i++) {
		snprintf(name, sizeof name, "/%s", commands.rows[i].name);
		cr_assert_geq(pad_find(win, name), 0, "%s", name);
	}
	panel_close(panel);
}

/* The panel of /help WORDS, drawn; NULL where nothing was found. */
static WINDOW *found_help(const char *words)
{
	WINDOW *win = pad_open(120, 100);
	struct sampler_params params;
	struct settings *settings = sampler_settings(&params);
	struct help_text help = {.n = 0};
	struct panel *panel;
	bool found;

	cr_assert_eq(settings_set(settings, "temp", "0.5", NULL), STATUS_OK);
	help_text_find(&help, default_keys(), &commands, settings, words);
	found = help.n;
	panel = panel_help_open(words, &help);
	cr_assert(panel);
	if (found) {
		lay_out(panel, win, 120, 100);
	}
	panel_close(panel);
	settings_free(settings);
	return found ? win : NULL;
}

Test(panel, help_finds_words)
{
	static const struct {
		const char *words, *has[8], *lacks[3];
	} rows[] = {
		/* about a command by name or alias, what /set sets, and where else the word is */
		{"set", {"/set NAME VALUE", "What it sets", "top-k N", "now 40", "Commands", "/show [NAME]"},
		        {"Options", "Keys"}},
		{"/info", {"/show [NAME]", "also", "/info, /config"}, {"What it sets"}},
		/* about an option: value, origin, default, range, another name */
		{"temp", {"/set temp T", "value  ", "0.5", "set by  ", "default  ", "0.8", "0 to 5",
		          "--temperature"}, {"/show"}},
		{"--temperature", {"/set temp T", "at once"}, {"/show"}},
		/* any case, in names and texts, all of several words */
		{"ALT+r", {"Keys", "Alt+R", "another reply", "/regen", "is kept (Alt+R)"}, {"Options", "Alt+E"}},
		{"saved CHATS", {"Commands", "/list"}, {"/save", "Keys"}},
		{"penalty", {"Options", "repeat-penalty X", "presence-penalty"}, {"Keys", "top-k"}},
		{"ten steps", {"In panels", "Shift+Left, Shift+Right"}, {"Commands"}},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		WINDOW *win = found_help(rows[i].words);

		cr_assert(win, "%s", rows[i].words);
		for (size_t k = 0; k < 8 && rows[i].has[k]; k++)
			cr_assert_geq(pad_find(win, rows[i].has[k]), 0, "%s: %s", rows[i].words,
			              rows[i].has[k]);
		for (size_t k = 0; k < 3 && rows[i].lacks[k]; k++)
			cr_assert_eq(pad_find(win, rows[i].lacks[k]), -1, "%s: %s", rows[i].words,
			             rows[i].lacks[k]);
	}
	cr_assert_null(found_help("xyzzy"));
	cr_assert_null(found_help("\xff\x1b["));
}

Test(panel, help_scrolls_between_its_ends)
{
	WINDOW *win = pad_open(12, 60);
	struct panel *panel = open_help();
	char first[200], last[200];

	lay_out(panel, win, 12, 60);
	cr_assert_eq(pad_find(win, "Keys"), 1);
	strcpy(first, pad_row(win, 2));
	cr_assert(panel_key(panel, named(K_DOWN, 0)) & PANEL_TAKEN);
	panel_draw(panel, win);
	cr_assert_str_eq(pad_row(win, 1), first);
	press(panel, win, K_END);
	strcpy(last, pad_row(win, 10));
	cr_assert(last[0]);
	press(panel, win, K_PAGE_DOWN);
	cr_assert_str_eq(pad_row(win, 10), last);
	press(panel, win, K_HOME);
	cr_assert_str_eq(pad_row(win, 2), first);
	/* made larger while at the end: no empty rows appear */
	panel_key(panel, named(K_END, 0));
	lay_out(panel, win, 12, 30);
	lay_out(panel, win, 12, 60);
	cr_assert_str_eq(pad_row(win, 10), last);
	panel_close(panel);
}

static const struct list_item items[] = {
	{.text = "Alpha", .detail = "today", .value = "a"},
	{.text = "Beta \x1B[31m", .value = "b"},
	{.text = "\u00DCbung", .detail = "monday", .value = "u"},
	{.text = "Alphabet", .value = "al"}, {.text = "Gamma", .value = "g"},
};

Test(panel, lists_filter_and_choose)
{
	WINDOW *win = pad_open(12, 60);
	struct panel *panel = panel_list_open("Chats", items, 5, "b");

	cr_assert(panel);
	lay_out(panel, win, 12, 60);
	cr_assert_str_eq(panel_list_selected(panel), "b");
	cr_assert_geq(pad_find(win, "Beta ^[[31m"), 0);
	cr_assert_geq(pad_find(win, "monday"), 0);
	cr_assert(panel_key(panel, named(K_DOWN, 0)) & PANEL_CHANGED);
	cr_assert_str_eq(panel_list_selected(panel), "u");
	cr_assert_eq(panel_key(panel, named(K_END, 0)) & PANEL_CHANGED, PANEL_CHANGED);
	cr_assert_eq(panel_key(panel, named(K_DOWN, 0)) & PANEL_CHANGED, 0);
	cr_assert_str_eq(panel_list_selected(panel), "g");
	type(panel, "aLPH");
	panel_draw(panel, win);
	cr_assert_str_eq(panel_list_selected(panel), "a");
	cr_assert_eq(pad_find(win, "Gamma"), -1);
	cr_assert_geq(pad_find(win, "Filter: aLPH_"), 0);
	panel_key(panel, named(K_DOWN, 0));
	cr_assert_str_eq(panel_list_selected(panel), "al");
	panel_key(panel, typed('x'));
	cr_assert_null(panel_list_selected(panel));
	panel_draw(panel, win);
	cr_assert_geq(pad_find(win, "(no match)"), 0);
	cr_assert_eq(panel_key(panel, named(K_ENTER, 0)), PANEL_TAKEN);
	panel_key(panel, (struct key){.name = K_CHAR, .cp = 'u', .mods = MOD_CTRL});
	panel_key(panel, typed(0xFC)); /* small u umlaut finds the great one */
	cr_assert_str_eq(panel_list_selected(panel), "u");
	press(panel, win, K_BACKSPACE);
	cr_assert_geq(pad_find(win, "Gamma"), 0);
	cr_assert_eq(panel_key(panel, named(K_ENTER, 0)), PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN);
	cr_assert_eq(panel_key(panel, named(K_ESC, 0)), PANEL_TAKEN | PANEL_CLOSE);
	panel_close(panel);
}

Test(panel, lists_take_clicks_and_may_be_empty)
{
	WINDOW *win = pad_open(12, 60);
	struct panel *panel = panel_list_open("Themes", items, 5, NULL);
	struct mouse mouse = {.kind = MOUSE_PRESS, .button = 1, .x = 20};

	lay_out(panel, win, 12, 60);
	mouse.y = pad_find(win, "Gamma");
	cr_assert_eq(panel_mouse(panel, mouse), PANEL_TAKEN | PANEL_CHANGED);
	cr_assert_str_eq(panel_list_selected(panel), "g");
	cr_assert(panel_mouse(panel, mouse) & PANEL_CHOSEN);
	mouse.y++;
	cr_assert_eq(panel_mouse(panel, mouse), PANEL_TAKEN, "below the last row");
	panel_close(panel);

	panel = panel_list_open("None", NULL, 0, "x");
	lay_out(panel, win, 12, 60);
	cr_assert_null(panel_list_selected(panel));
	panel_key(panel, named(K_DOWN, 0));
	panel_key(panel, typed('a'));
	cr_assert_eq(panel_key(panel, named(K_ENTER, 0)), PANEL_TAKEN);
	panel_close(panel);
}

static const struct list_item noted[] = {
	{.text = "coder", .note = "writes programs", .value = "coder"},
	{.text = "mine", .note = "mine.yaml:3: there is no key 'sytem', did you mean 'system'? It is one "
	                         "of name, description and so on", .value = "mine", .is_broken = true},
	{.text = "tutor", .note = "explains", .detail = "in use", .value = "tutor"},
};

Test(panel, notes_of_lists_stand_in_a_column_and_in_full_below)
{
	WINDOW *win = pad_open(20, 80);
	struct panel *panel = panel_list_open("Templates", noted, 3, "tutor");
	int row;

	lay_out(panel, win, 20, 80);
	cr_assert_geq(pad_find(win, "coder  writes programs"), 0);
	cr_assert_geq(pad_find(win, "tutor  explains"), 0);
	row = pad_find(win, "mine   mine.yaml:3: there is no key");
	cr_assert_geq(row, 0);
	cr_assert(strstr(pad_row(win, row), "\u2026"), "cut, and that shows");
	cr_assert_eq(pad_find(win, "and so on"), -1);
	press(panel, win, K_UP);
	cr_assert_geq(pad_find(win, "and so on"), 0);
	/* the other way round: the file is repaired, another one goes */
	type(panel, "YAML");
	cr_assert_str_eq(panel_list_selected(panel), "mine", "notes are filtered by, too");
	cr_assert(panel_list_replace(panel, (const struct list_item[]){
		{.text = "mine", .note = "from YAML", .value = "mine"}, noted[2]}, 2));
	cr_assert_str_eq(panel_list_selected(panel), "mine");
	lay_out(panel, win, 20, 80);
	cr_assert_geq(pad_find(win, "from YAML"), 0);
	cr_assert_eq(pad_find(win, "tutor"), -1, "the filter stays");
	panel_close(panel);
}

static const struct list_item tabled[] = {
	{.text = "Tiny", .note = "needs little \u00B7 /models/tiny.gguf", .value = "t",
	 .columns = {"2048", "Q4_K_M", "1.2 GiB", "fits"}},
	{.text = "A model whose name is very long indeed, and longer", .value = "l",
	 .note = "the architecture is not supported", .is_broken = true,
	 .columns = {NULL, "F16", "120.5 MiB", "unsupported"}},
};
static const char *const heads[] = {"context", "type", "size", "memory"};

Test(panel, a_list_whose_rows_come_late_has_its_first_one_selected)
{
	static const struct list_item early[] = {{.text = "guide", .value = "guide"}};
	static const struct list_item late[] = {{.text = "big", .value = "big"}, {.text = "guide", .value = "guide"}};
	static const struct list_item last[] = {{.text = "new", .value = "new"}, {.text = "big", .value = "big"}};
	WINDOW *win = pad_open(20, 80);
	struct panel *panel = panel_list_open("Models", early, 1, NULL);

	cr_assert(panel_list_replace(panel, late, 2));
	cr_assert_str_eq(panel_list_selected(panel), "big");
	press(panel, win, K_DOWN);
	press(panel, win, K_UP);
	cr_assert(panel_list_replace(panel, last, 2));
	cr_assert_str_eq(panel_list_selected(panel), "big", "where the user has been");
	panel_close(panel);
}

/* The first columns go where there is no room for all. */
Test(panel, columns_of_lists_stand_at_the_right)
{
	static const struct {
		int cols;
		const char *head, *row, *gone;
	} rows[] = {
		{120, "context    type       size       memory", "2048  Q4_K_M    1.2 GiB         fits", "@"},
		{64, "type       size       memory", "Q4_K_M    1.2 GiB         fits", "2048"},
		{50, "size       memory", "1.2 GiB         fits", "Q4_K_M"},
		{30, "", "Tiny", "1.2 GiB"},
	};
	WINDOW *win = pad_open(20, 120);
	struct panel *panel = panel_list_open("Models", NULL, 0, NULL);

	cr_assert(panel);
	panel_list_set_extras(panel, &(struct list_extras){.heads = heads, .n_columns = 4});
	cr_assert(panel_list_replace(panel, tabled, 2));
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		werase(win);
		lay_out(panel, win, 20, rows[i].cols);
		cr_assert_geq(pad_find(win, rows[i].head), 0, "%d: %s", rows[i].cols, rows[i].head);
		cr_assert_geq(pad_find(win, rows[i].row), 0, "%d: %s", rows[i].cols, rows[i].row);
		cr_assert_eq(pad_find(win, rows[i].gone), -1, "%d", rows[i].cols);
		cr_assert_geq(pad_find(win, "needs little"), 0, "the note is the foot");
	}
	type(panel, "ARCHI"); /* notes are filtered by, too */
	cr_assert_str_eq(panel_list_selected(panel), "l");
	panel_close(panel);
}

Test(panel, an_empty_list_may_say_more)
{
	WINDOW *win = pad_open(20, 80);
	struct panel *panel = panel_list_open("Models", NULL, 0, NULL);

	cr_assert(panel_list_set_empty(panel, "Looking ..."));
	cr_assert(panel_list_set_empty(panel, "There is none.\n\nGet one."));
	lay_out(panel, win, 20, 80);
	cr_assert_eq(pad_find(win, "Get one."), pad_find(win, "There is none.") + 2);
	panel_close(panel);
}

/* Every size down to one cell, with everything pressed. */
Test(panel, every_size_is_survived)
{
	WINDOW *win = pad_open(30, 90);
	struct sampler_params params;
	struct settings *settings = sampler_settings(&params);
	struct panel *panels[] = {open_help(), panel_sampler_open(settings, NULL, NULL),
	                          panel_list_open("List", items, 5, NULL),
	                          panel_list_open("Notes", noted, 3, "mine"),
	                          panel_list_open("Table", tabled, 2, NULL),
	                          panel_list_open("Empty", NULL, 0, NULL)};

	panel_list_set_extras(panels[4], &(struct list_extras){.heads = heads, .n_columns = 4});
	cr_assert(panel_list_set_empty(panels[5], "There is nothing here, and that takes a line or two"));

	for (size_t i = 0; i < sizeof panels / sizeof *panels; i++) {
		for (int rows = 1; rows <= 30; rows++)
			for (int cols = 1; cols <= 90; cols += cols < 40 ? 1 : 7) {
				panel_layout(panels[i], 0, 0, rows, cols);
				cr_assert(panels[i]->rows <= rows && panels[i]->cols <= cols);
				panel_draw(panels[i], win);
				for (int name = K_NONE; name < K_NAME_COUNT; name++)
					panel_key(panels[i], named((enum key_name)name, 0));
				for (int x = -2; x < cols + 2; x += 5)
					panel_mouse(panels[i], (struct mouse){.kind = MOUSE_PRESS,
					            .button = 1, .y = x % (rows + 1), .x = x});
				panel_draw(panels[i], win);
			}
		panel_close(panels[i]);
	}
	settings_free(settings);
}

/* What begins with blanks hangs where it is wrapped, unless the columns are few. */
Test(panel, wrapped_text_hangs_below_its_blanks)
{
	static const struct {
		int cols;
		const char *text, *rows[5];
	} cases[] = {
		{20, "one two three four five", {"one two three four", "five"}},
		{20, "  one two three four five", {"  one two three", "    four five"}},
		{20, "  one two\n\nthree\n", {"  one two", "", "three", ""}},
		{25, "  one two three four five", {"  one two three four five"}},
		{12, "  one two three", {"  one two", "three"}},
		{20, "", {NULL}},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		WINDOW *win = pad_open(6, 30);
		int n = panel_draw_text(win, 0, 0, 0, 6, cases[i].cols, STYLE_PANEL, cases[i].text);

		cr_expect_eq(n, panel_draw_text(NULL, 0, 0, 0, 0, cases[i].cols, STYLE_PANEL, cases[i].text));
		for (int y = 0; y < n; y++) {
			char row[31];
			size_t len;

			snprintf(row, sizeof row, "%s", pad_row(win, y));
			len = strlen(row);
			while (len && row[len - 1] == ' ')
				row[--len] = '\0';
			cr_assert(cases[i].rows[y], "%zu, row %d of %d: one too many: %s", i, y, n, row);
			cr_expect_str_eq(row, cases[i].rows[y]);
		}
		cr_assert_null(cases[i].rows[n], "%zu: a row too few", i);
	}
}

/* No name of a key is wrapped where there are 100 columns, and a low list of found words needs no scrolling. */
Test(panel, help_uses_the_columns_there_are)
{
	WINDOW *win = pad_open(100, 200);
	struct panel *panel = open_help();

	for (int cols = 100; cols <= 200; cols += 50) {
		werase(win);
		lay_out(panel, win, 100, cols);
		cr_expect_geq(pad_find(win, "Ctrl+J, Alt+Enter, Shift+Enter"), 0);
	}
	panel_close(panel);
}
