#include "view/panel_sampler.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/number.h"
#include "terminal/cells.h"
#include "view/panel_sampler_internal.h"
#include "view/slider.h"

enum {
	ORIGIN_COLS = 12,
	FOOT_MAX = 512,
	BAR_MAX = 36, BAR_MIN = 4,
	BESIDE_COLS = 72,      /* from which on the distribution is beside the sliders */
	BESIDE_MAX = 64,       /* columns that it takes */
	PLACE_COLS = 7,        /* "  12/21" */
	FOOT_ROWS_MAX = 4,
};

static int names_width(const struct sampler_panel *sampler)
{
	int width = 0;

	for (size_t i = 0; i < sampler->n; i++)
		width = cells_widest(width, sampler->sliders[i]->name);
	return width;
}

/* Why a slider changes nothing; NULL: it does. */
static const char *idle_reason(const struct sampler_panel *sampler, const struct option *option)
{
	return sampler->model ? model_info_idle(sampler->model, option->name) : NULL;
}

/* What the selected slider does, or what was wrong. */
static const char *foot_text(const struct sampler_panel *sampler, char text[FOOT_MAX])
{
	const struct option *option = sampler->n ? sampler->sliders[sampler->selected] : NULL;
	const char *why = option ? idle_reason(sampler, option) : NULL;

	if (sampler->error.text[0])
		return sampler->error.text;
	if (!why)
		return option ? option->help : "";
	snprintf(text, FOOT_MAX, "the server ignores it: %s", why);
	return text;
}

static int foot_rows(const struct sampler_panel *sampler, int cols)
{
	char text[FOOT_MAX];

	return panel_text_rows(foot_text(sampler, text), cols - PLACE_COLS, 1, FOOT_ROWS_MAX);
}

static void sampler_measure(const struct panel *panel, int *rows, int *cols)
{
	const struct sampler_panel *sampler = (const struct sampler_panel *)panel;
	int width = names_width(sampler) + BAR_MAX + VALUE_COLS + ORIGIN_COLS + 3;

	width += distribution_has(&sampler->distribution) ? BESIDE_MAX : 0;
	*cols = width < *cols ? width : *cols;
	*rows = (int)sampler->n + foot_rows(sampler, *cols);
}

/* What applies where nobody sets it. */
static double default_number(const struct sampler_panel *sampler, const struct option *option)
{
	const char *text = settings_default(sampler->settings, option);
	double number;

	return text && number_parse_double(text, &number) ? number : option->min;
}

static void draw_slider(struct sampler_panel *sampler, size_t index, WINDOW *win, int y, int x,
                        int cols, int names)
{
	const struct option *option = sampler->sliders[index];
	bool selected = index == sampler->selected;
	bool is_idle = idle_reason(sampler, option) != NULL;
	enum theme_role usual = is_idle ? STYLE_PANEL_HINT : STYLE_PANEL;
	enum theme_role role = selected ? STYLE_SELECTION : usual;
	int col = names + 1;
	struct buf value = {.max = VALUE_MAX};

	cells_fill(win, y, x, names, role);
	cells_puts(win, y, x, names, role, option->name);
	if (sampler->bar_cols) {
		slider_draw(win, y, x + sampler->bar_x, sampler->bar_cols, is_idle ? STYLE_PANEL_HINT : STYLE_SLIDER,
		            slider_fraction(option, settings_number(sampler->settings, option)),
		            slider_fraction(option, default_number(sampler, option)));
		col += sampler->bar_cols + 1;
	}
	if (col >= cols)
		return;
	if (selected && sampler->typed[0])
		buf_printf(&value, "%s_", sampler->typed);
	else
		settings_value_text(sampler->settings, option, &value);
	cells_puts(win, y, x + col, VALUE_COLS + 1, usual, buf_text(&value));
	buf_free(&value);
	col += VALUE_COLS + 1;
	if (cols - col >= ORIGIN_COLS)
		cells_puts(win, y, x + col, ORIGIN_COLS, STYLE_PANEL_HINT, is_idle ? "ignored" :
		           settings_origin_name(settings_origin_of(sampler->settings, option)));
}

/* At the right, where not all of the sliders are in sight, which the selected one is. */
static void draw_foot(const struct sampler_panel *sampler, WINDOW *win, int y, int x, int rows, int cols)
{
	char place[32] = "", text[FOOT_MAX];
	int used;

	if ((size_t)sampler->rows < sampler->n)
		snprintf(place, sizeof place, "  %zu/%zu", sampler->selected + 1, sampler->n);
	used = (int)strlen(place);
	if (used > cols / 3)
		used = 0;
	panel_draw_text(win, y, x, 0, rows, cols - used,
	                sampler->error.text[0] ? STYLE_PANEL_ERROR : STYLE_PANEL_HINT, foot_text(sampler, text));
	if (used)
		cells_puts(win, y + rows - 1, x + cols - used, used, STYLE_PANEL_HINT, place);
}

static void draw_sliders(struct sampler_panel *sampler, WINDOW *win, int y, int x, int rows, int cols)
{
	int names = names_width(sampler);
	int spare = cols - names - VALUE_COLS - 3;
	int foot = rows > FOOT_ROWS_MAX + 1 ? foot_rows(sampler, cols) : 1;

	/* If room is short, the origin is dropped first, then the bar. */
	if (spare - ORIGIN_COLS >= BAR_MIN)
		spare -= ORIGIN_COLS;
	if (spare < BAR_MIN)
		spare = 0;
	if (names > cols / 2 && !spare)
		names = cols / 2;
	sampler->bar_cols = spare < BAR_MAX ? spare : BAR_MAX;
	sampler->bar_x = names + 1;
	sampler->rows = rows > foot ? rows - foot : 1;
	sampler->top = panel_top(sampler->top, sampler->selected, (size_t)sampler->rows);
	for (int row = 0; row < sampler->rows && sampler->top + (size_t)row < sampler->n; row++)
		draw_slider(sampler, sampler->top + (size_t)row, win, y + row, x, cols, names);
	if (rows > 1 && sampler->n)
		draw_foot(sampler, win, y + rows - foot, x, foot, cols);
}

/* What the sliders do, where there is room for a line only; 0: for none, or there is nothing to say. */
static int draw_line(const struct sampler_panel *sampler, WINDOW *win, int y, int x, int rows, int cols)
{
	struct buf line = {.max = FOOT_MAX};
	int used = 0;

	distribution_line(&sampler->distribution, &line);
	if (line.len && rows > 3) {
		cells_puts(win, y + rows - 1, x, cols, STYLE_PANEL_MARK, buf_text(&line));
		used = 1;
	}
	buf_free(&line);
	return used;
}

static void sampler_draw(struct panel *panel, WINDOW *win, int y, int x, int rows, int cols)
{
	struct sampler_panel *sampler = (struct sampler_panel *)panel;
	int beside = 0;

	distribution_look(&sampler->distribution);
	if (distribution_has(&sampler->distribution) && cols >= BESIDE_COLS)
		beside = cols / 2 < BESIDE_MAX ? cols / 2 : BESIDE_MAX;
	if (!beside) {
		rows -= draw_line(sampler, win, y, x, rows, cols);
		draw_sliders(sampler, win, y, x, rows, cols);
		return;
	}
	draw_sliders(sampler, win, y, x, rows, cols - beside);
	panel_draw_divider(win, y, x + cols - beside + 1, rows);
	distribution_draw(&sampler->distribution, win, y, x + cols - beside + 3, rows, beside - 3);
}

static void sampler_print(const struct panel *panel, struct buf *out)
{
	const struct sampler_panel *sampler = (const struct sampler_panel *)panel;

	buf_puts(out, panel->title);
	for (size_t i = 0; i < sampler->n; i++) {
		const struct option *option = sampler->sliders[i];
		const char *why = idle_reason(sampler, option);

		buf_printf(out, "\n%s ", option->name);
		settings_value_text(sampler->settings, option, out);
		buf_printf(out, " (%s), from %g to %g: %s",
		           settings_origin_name(settings_origin_of(sampler->settings, option)), option->min,
		           option->max, option->help);
		if (why)
			buf_printf(out, "; the server ignores it: %s", why);
	}
	distribution_print(&sampler->distribution, out);
	buf_puts(out, "\n/set NAME VALUE changes one, /set NAME default resets it.");
}

bool panel_sampler_is_idle(const struct panel *panel)
{
	const struct sampler_panel *sampler = (const struct sampler_panel *)panel;

	return sampler->n && idle_reason(sampler, sampler->sliders[sampler->selected]);
}

struct token_choice panel_sampler_chosen(const struct panel *panel)
{
	const struct distribution *distribution = &((const struct sampler_panel *)panel)->distribution;
	struct token_choice choice = {.at = 0};

	(void)distribution_parts(distribution, &choice.at, &choice.id);
	choice.bytes = kept_text(distribution->reply, choice.id, &choice.len);
	return choice;
}

struct panel *panel_sampler_open(struct settings *settings, const struct model_info *model,
                                 const struct distribution_source *source)
{
	static const struct panel_ops ops = {sampler_measure, sampler_draw, sampler_panel_key,
	                                     sampler_panel_mouse, NULL, NULL, sampler_print, NULL};
	struct sampler_panel *sampler = alloc_array(1, sizeof *sampler);

	if (!sampler)
		return NULL;
	sampler->panel = (struct panel){
		.ops = &ops, .title = "Sampler",
		.hint = "\u2191\u2193 pick  \u2190\u2192 step  0 off  d default  type a number  Ctrl+K keep  Esc close"};
	sampler->settings = settings;
	sampler->model = model;
	if (source)
		sampler->distribution.source = *source;
	distribution_look(&sampler->distribution);
	for (size_t i = 0; i < settings_n(settings) && sampler->n < N_SLIDERS_MAX; i++)
		if (settings_option(settings, i)->flags & OPTION_SLIDER)
			sampler->sliders[sampler->n++] = settings_option(settings, i);
	return &sampler->panel;
}
