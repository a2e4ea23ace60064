/* Keys and the mouse in the panel of sliders. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "view/panel_sampler_internal.h"
#include "view/slider.h"

enum { COARSE = 10 }; /* steps of a coarse one */

static unsigned set_text(struct sampler_panel *sampler, const char *text)
{
	const struct option *option = sampler->sliders[sampler->selected];
	enum status status;

	sampler->error.text[0] = '\0';
	status = settings_set(sampler->settings, option->name, text, &sampler->error);
	sampler->typed[0] = '\0'; /* it may be `text` */
	sampler->distribution.has_moved |= !status;
	return PANEL_TAKEN | (status ? 0 : PANEL_CHANGED);
}

static unsigned set_number(struct sampler_panel *sampler, double value)
{
	char text[SLIDER_TEXT_MAX];

	slider_text(sampler->sliders[sampler->selected], value, text);
	return set_text(sampler, text);
}

static unsigned step_by(struct sampler_panel *sampler, double steps)
{
	const struct option *option = sampler->sliders[sampler->selected];

	return set_number(sampler, slider_step(option, settings_number(sampler->settings, option), steps));
}

static unsigned pick(struct sampler_panel *sampler, size_t to)
{
	sampler->typed[0] = '\0';
	sampler->error.text[0] = '\0';
	sampler->selected = to < sampler->n ? to : sampler->n - 1;
	return PANEL_TAKEN;
}

/* `0` switches the slider off. */
static unsigned switch_off(struct sampler_panel *sampler)
{
	const struct option *option = sampler->sliders[sampler->selected];
	struct buf value = {.max = VALUE_MAX};
	unsigned result;

	sampler->was_set = settings_origin_of(sampler->settings, option) == ORIGIN_SET;
	settings_value_text(sampler->settings, option, &value);
	snprintf(sampler->before, sizeof sampler->before, "%s", buf_text(&value));
	buf_free(&value);
	result = set_text(sampler, option->off ? option->off : "0");
	sampler->is_zeroed = true;
	return result;
}

/* After `0` a point: it was the beginning of a value, and nothing is switched off. */
static unsigned take_zero_back(struct sampler_panel *sampler)
{
	const struct option *option = sampler->sliders[sampler->selected];
	struct error err;
	unsigned result = PANEL_TAKEN | PANEL_CHANGED;

	if (sampler->was_set)
		result = set_text(sampler, sampler->before);
	else if (settings_unset(sampler->settings, option->name, &err))
		result = PANEL_TAKEN;
	snprintf(sampler->typed, sizeof sampler->typed, "0.");
	return result;
}

/* Digits begin a value; `0` alone switches the slider off. */
static unsigned type_char(struct sampler_panel *sampler, uint32_t cp)
{
	const struct option *option = sampler->sliders[sampler->selected];
	bool was_zeroed = sampler->is_zeroed;
	size_t n = strlen(sampler->typed);

	sampler->is_zeroed = false;
	if (cp == '0' && !n)
		return switch_off(sampler);
	if (cp == '.' && was_zeroed)
		return take_zero_back(sampler);
	if (cp == 'd') {
		pick(sampler, sampler->selected);
		if (settings_unset(sampler->settings, option->name, &sampler->error))
			return PANEL_TAKEN;
		sampler->distribution.has_moved = true;
		return PANEL_TAKEN | PANEL_CHANGED;
	}
	if (cp == 'q')
		return PANEL_TAKEN | PANEL_CLOSE;
	if ((cp < '0' || cp > '9') && cp != '.' && cp != '-')
		return PANEL_IGNORED;
	if (n < VALUE_COLS) {
		sampler->typed[n] = (char)cp;
		sampler->typed[n + 1] = '\0';
	}
	return PANEL_TAKEN;
}

/* With the number that is being typed. */
static unsigned keep(struct sampler_panel *sampler)
{
	unsigned result = sampler->typed[0] ? set_text(sampler, sampler->typed) : PANEL_TAKEN;

	return sampler->error.text[0] ? result : result | PANEL_KEEP;
}

/* Takes the value that is being typed; goes on from where the reply would have gone another way; or closes. */
static unsigned enter(struct sampler_panel *sampler)
{
	size_t at;
	int32_t id;

	if (sampler->typed[0])
		return set_text(sampler, sampler->typed);
	distribution_look(&sampler->distribution);
	return PANEL_TAKEN | PANEL_CLOSE | (distribution_parts(&sampler->distribution, &at, &id) ? PANEL_CHOSEN : 0);
}

unsigned sampler_panel_key(struct panel *panel, struct key key)
{
	struct sampler_panel *sampler = (struct sampler_panel *)panel;
	const double steps = key.mods & MOD_SHIFT ? COARSE : 1;
	const size_t n_typed = strlen(sampler->typed);
	size_t row = sampler->selected;

	if (key_is(key, K_F2, 0))
		return PANEL_TAKEN | PANEL_CLOSE;
	if (key_is_char(key, 'k', MOD_CTRL))
		return keep(sampler);
	if (!sampler->n || (key.mods & ~(unsigned)MOD_SHIFT))
		return PANEL_IGNORED;
	if (key.name != K_CHAR)
		sampler->is_zeroed = false;
	if (panel_move_key(key, sampler->n, (size_t)sampler->rows, &row))
		return key.mods ? PANEL_IGNORED : pick(sampler, row); /* Shift+Up scrolls the transcript */
	switch (key.name) {
	case K_LEFT: return step_by(sampler, -steps);
	case K_RIGHT: return step_by(sampler, steps);
	case K_BACKSPACE:
		sampler->typed[n_typed - (n_typed > 0)] = '\0';
		return PANEL_TAKEN;
	case K_ENTER: return enter(sampler);
	case K_ESC:
		if (!n_typed)
			return PANEL_TAKEN | PANEL_CLOSE;
		sampler->typed[0] = '\0';
		return PANEL_TAKEN;
	case K_CHAR: return type_char(sampler, key.cp);
	default: return PANEL_IGNORED;
	}
}

static unsigned drag_to(struct sampler_panel *sampler, int x)
{
	double fraction = sampler->bar_cols > 1 ?
		(double)(x - sampler->bar_x) / (sampler->bar_cols - 1) : 0;

	return set_number(sampler, slider_value(sampler->sliders[sampler->selected], fraction));
}

unsigned sampler_panel_mouse(struct panel *panel, struct mouse mouse)
{
	struct sampler_panel *sampler = (struct sampler_panel *)panel;
	size_t row = sampler->top + (mouse.y > 0 ? (size_t)mouse.y : 0);
	bool on_row = mouse.y >= 0 && mouse.y < sampler->rows && row < sampler->n;

	switch (mouse.kind) {
	case MOUSE_PRESS:
		if (mouse.button != 1 || !on_row)
			return PANEL_TAKEN;
		pick(sampler, row);
		sampler->dragging = sampler->bar_cols && mouse.x >= sampler->bar_x &&
		                    mouse.x < sampler->bar_x + sampler->bar_cols;
		return sampler->dragging ? drag_to(sampler, mouse.x) : PANEL_TAKEN;
	case MOUSE_DRAG:
		return sampler->dragging ? drag_to(sampler, mouse.x) : PANEL_TAKEN;
	case MOUSE_RELEASE:
		sampler->dragging = false;
		return PANEL_TAKEN;
	case MOUSE_WHEEL_UP:
	case MOUSE_WHEEL_DOWN:
		/* Scrolling the conversation must not move a slider that comes under the
		 * pointer. */
		if (!on_row || row != sampler->selected)
			return PANEL_IGNORED;
		return step_by(sampler, mouse.kind == MOUSE_WHEEL_UP ? 1 : -1);
	}
	return PANEL_TAKEN;
}
