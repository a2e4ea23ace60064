/* Where keys, mouse and pastes go: the open panel, the key bindings, the
 * input line, in this order. */
#include "ui/app_keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "base/sanitize.h"
#include "base/sys.h"
#include "dialog/dialog.h"
#include "line/input_line.h"
#include "terminal/editor.h"
#include "terminal/signals.h"
#include "ui/app_convert.h"
#include "ui/app_draft.h"
#include "ui/app_edit.h"
#include "ui/app_files.h"
#include "ui/app_find.h"
#include "ui/app_first.h"
#include "ui/app_import.h"
#include "ui/app_inspect.h"
#include "ui/app_open.h"
#include "ui/app_panel.h"
#include "ui/app_pick.h"
#include "ui/app_pull.h"
#include "ui/app_queue.h"
#include "ui/app_reply.h"
#include "ui/app_send.h"
#include "ui/app_terminal.h"
#include "ui/front.h"
#include "ui/keymap.h"
#include "ui/tell.h"

enum {
	WHEEL_LINES = 3,
	HIDDEN_COUNTED_MAX = 65536,
	QUIT_ARM_MS = 2000, /* between the two Ctrl+C that quit */
};

/* In lines nothing else shows that it is closed. */
static void leave_panel(struct app *app)
{
	app_close_panel(app);
	if (!app->front->is_screen)
		app_message(app, STYLE_STATUS, "nothing was chosen");
}

bool app_interrupt(struct app *app, int by)
{
	uint64_t now = sys_now_ms();

	(void)by;
	if (app_is_busy(app)) {
		app_cancel(app);
	} else if (app->panel) {
		leave_panel(app);
	} else if (app_import_stop(app) || app_pull_interrupt(app) || app_convert_interrupt(app)) {
		return true;
	} else if (app->dialog->edit.message) {
		app_edit_leave(app);
	} else if (!input_line_is_empty()) {
		input_line_hide(); /* in lines it stays, as in a shell */
		if (input_line_kill() && app->front->is_screen)
			app_message(app, STYLE_STATUS, "the line is cleared; Ctrl+Y brings it back");
	} else if (app->armed_until && now < app->armed_until) {
		app_leave(app, false);
	} else {
		app_message(app, STYLE_STATUS, app_pull_name(app)
		            ? "press Ctrl+C again to quit; what is there of the model is kept" : "press Ctrl+C again to quit");
		app->armed_until = APP_NEVER; /* until it is drawn */
		app->bar->lasts_ms = QUIT_ARM_MS;
	}
	return true;
}

void app_on_edit(void *context)
{
	struct app *app = context;
	struct error err;
	size_t len;
	const char *text = input_line_text(&len);

	input_line_hide();
	app_went_well(app, editor_start(app->editor, app->term, text, len, &err), &err);
}

void app_after_editor(struct app *app)
{
	struct error err;
	char *text;
	size_t len;

	if (!editor_check(app->editor, app->term, &text, &len, &err))
		return;
	if (!text)
		app_message(app, STYLE_WARNING, "%s", err.text);
	else
		app_went_well(app, input_line_set(text, len, &err), &err);
	free(text);
	dialog_draft_touch(app->dialog, sys_now_ms());
	app->draw.now = true;
}

/* ---- what keys do that no command does ---- */

bool app_suspend(struct app *app, int by)
{
	(void)by;
	input_line_hide();
	term_leave(app->term);
	signals_stop_self();
	term_return(app->term);
	app->draw.now = true;
	return true;
}

bool app_newline(struct app *app, int by)
{
	struct error err;

	(void)by;
	if (input_line_is_searching())
		return false; /* Ctrl+J ends a search */
	/* In an editor's shell window it is what Enter is. */
	if (!app->front->is_screen && term_is_dumb())
		input_line_key((struct key){.name = K_ENTER}, "\r", 1);
	else
		app_went_well(app, input_line_insert("\n", 1, &err), &err);
	return true;
}

bool app_end_of_file(struct app *app, int by)
{
	(void)by;
	if (!input_line_is_empty())
		return false;
	app_leave(app, false);
	return true;
}

bool app_page(struct app *app, int by)
{
	chat_view_page(app->view, by);
	return true;
}

bool app_scroll(struct app *app, int by)
{
	chat_view_scroll(app->view, by);
	return true;
}

bool app_step(struct app *app, int by)
{
	chat_view_step(app->view, by);
	return true;
}

bool app_to_end(struct app *app, int by)
{
	if (by < 0)
		chat_view_to_top(app->view);
	else
		chat_view_to_bottom(app->view);
	return true;
}

bool app_unfold_reasoning(struct app *app, int by)
{
	(void)by;
	app->front->reasoning(app);
	return true;
}

bool app_unfold_paste(struct app *app, int by)
{
	(void)app;
	(void)by;
	return input_line_unfold();
}

/* In vi mode the key may be Esc and x. */
bool app_detach_last(struct app *app, int by)
{
	(void)by;
	if (!dialog_files_n(&app->dialog->files) && !input_line_is_empty())
		return false;
	app_call_line(app, "/detach");
	return true;
}

bool app_redraw(struct app *app, int by)
{
	(void)by;
	term_redraw(app->term);
	return true;
}

/* What was begun last ends first: a reply runs on while a message is picked or one that waits is
 * changed. */
bool app_escape(struct app *app, int by)
{
	(void)by;
	if (input_line_wants_escape())
		return false;
	if (app->dialog->edit.queued) {
		app_queue_edit_leave(app);
		app_send_waiting(app);
	} else if (app_unpick(app)) {
		return true;
	} else if (app_is_busy(app)) {
		app_cancel(app);
	} else if (app->panel) {
		leave_panel(app);
	} else if (!app_import_stop(app) && !app_inspect_leave(app) && app->dialog->edit.message) {
		app_edit_leave(app);
	}
	return true;
}

/* Without an argument, which may be the user's text. */
static void log_key(const struct app *app, const struct binding *binding)
{
	const char *name = binding->name ? binding->name : "of its own";

	log_line(app->config->log, LOG_UI, "key: %.*s", (int)strcspn(name, " "), name);
}

/* True when the key was taken. */
static bool run_binding(struct app *app, struct key key)
{
	const struct binding *binding = keymap_find(app->keys, key, input_line_is_empty());

	if (binding)
		log_key(app, binding);
	if (!binding)
		return false;
	if (binding->run && (app->front->is_screen || !binding->in_lines))
		return binding->run(app, binding->by);
	if (!binding->run)
		app_call_line(app, binding->name);
	else if (binding->in_lines[0])
		app_message(app, STYLE_STATUS, "%s", binding->in_lines);
	return true;
}

/* For users who try the row of function keys; the last three are often the terminal's own. */
static void tell_unbound(struct app *app, struct key key)
{
	char name[KEY_TEXT_MAX];

	if (key.mods == 0 && key.name >= K_F1 && key.name <= K_F9)
		app_message(app, STYLE_STATUS, "%s does nothing; %s shows the keys", key_text(key, name),
		            app_key(app, "help"));
}

static void on_key(struct app *app, const struct input_event *event)
{
	struct key key = event->key;
	bool interrupt = key_is_char(key, 'c', MOD_CTRL);
	struct panel *panel = app->front->is_screen ? app->panel : NULL; /* in lines it takes lines, not keys */

	app->bar->until = 0;
	if (!interrupt)
		app->armed_until = 0;
	/* Half a key sequence (Ctrl+X ...) is readline's to finish. */
	if (!panel && input_line_is_mid_sequence() && !interrupt) {
		input_line_key(key, event->bytes, event->len);
		return;
	}
	if (panel ? app_panel_answered(app, panel_key(panel, key))
	          : app_find_key(app, key) || app_part_key(app, key) || app_take_question(app, key))
		return;
	if (!panel && app_queue_key(app, key)) {
		if (!app->dialog->edit.queued)
			app_send_waiting(app);
		return;
	}
	if (run_binding(app, key) || panel)
		return;
	tell_unbound(app, key); /* readline may know it nevertheless */
	input_line_key(key, event->bytes, event->len);
}

static void on_mouse(struct app *app, struct mouse mouse)
{
	if (app->panel && app_panel_answered(app, panel_mouse(app->panel, mouse)))
		return;
	if (mouse.kind == MOUSE_WHEEL_UP)
		chat_view_scroll(app->view, -WHEEL_LINES);
	else if (mouse.kind == MOUSE_WHEEL_DOWN)
		chat_view_scroll(app->view, WHEEL_LINES);
}

static void on_paste(struct app *app, const struct input_event *event)
{
	struct error err;

	app->bar->until = 0;
	if (app->front->is_screen && app->panel && app->panel->ops->paste && !event->cut) {
		app_panel_answered(app, app->panel->ops->paste(app->panel, event->bytes, event->len));
		return;
	}
	if (app->panel && app->front->is_screen)
		app_close_panel(app); /* the text is for the input line */
	if (event->cut)
		app_message(app, STYLE_ERROR, "the paste is longer than %zu MiB and was dropped",
		            LIMIT_MESSAGE >> 20);
	else if (app_went_well(app, input_line_paste(event->bytes, event->len, &err), &err) &&
	         !app->front->is_screen && input_line_is_folded())
		app_message(app, STYLE_STATUS, "a long paste is shown in the line as %s and sent in full; %s unfolds it",
		            INPUT_LINE_FOLD, app_key(app, "unfold"));
}

/* For the badge about invisible characters; long lines are counted only when something is
 * pasted. */
static void count_hidden(struct app *app, bool pasted)
{
	size_t len;
	const char *text = input_line_text(&len);

	if (pasted || len <= HIDDEN_COUNTED_MAX)
		app->n_hidden = sanitize_count_hidden(text, len);
}

void app_on_input(void *context, const struct input_event *event)
{
	struct app *app = context;

	if (event->kind == INPUT_FOCUS) {
		app_on_focus(app, event->focused);
		return;
	}
	if (event->kind == INPUT_REPORT) {
		term_on_report(app->term, event->report, event->number);
		app->keys->has_no_shift_enter = term_keyboard(app->term) == KEYBOARD_PLAIN;
		return;
	}
	app->draw.now = true;
	app->focus->key_at = sys_now_ms();
	switch (event->kind) {
	case INPUT_FOCUS:
	case INPUT_REPORT: break;
	case INPUT_KEY: on_key(app, event); break;
	case INPUT_MOUSE: on_mouse(app, event->mouse); return;
	case INPUT_PASTE: on_paste(app, event); break;
	}
	count_hidden(app, event->kind == INPUT_PASTE);
	if (app->dialog->edit.queued && input_line_is_empty()) {
		app_queue_remove(app);
		app_send_waiting(app);
	}
	app_mentions_update(app);
	dialog_draft_touch(app->dialog, sys_now_ms());
}
