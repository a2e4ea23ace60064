/* The full screen. A frame: transcript, status bar, input line, and the panel above them.
 * Everything is drawn into stdscr; curses sends what has changed. */
#include <string.h>

#include "base/limits.h"
#include "dialog/dialog.h"
#include "dialog/model.h"
#include "line/input_line.h"
#include "terminal/style.h"
#include "terminal/term.h"
#include "ui/app_confidence.h"
#include "ui/app_files.h"
#include "ui/app_first.h"
#include "ui/app_inspect.h"
#include "ui/app_models.h"
#include "ui/app_open.h"
#include "ui/app_panel.h"
#include "ui/app_pick.h"
#include "ui/app_pull.h"
#include "ui/app_queue.h"
#include "ui/app_reply.h"
#include "ui/app_terminal.h"
#include "ui/app_wait.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/keymap.h"
#include "ui/tell.h"
#include "view/status.h"

enum {
	INPUT_ROWS_MAX = 10,
	MIN_ROWS = 5,
	MIN_COLS = 20,
	MARGIN_ROWS_MIN = 30,     /* of the screen: a blank row then stands above the bar */
	DOCKED_CHAT_ROWS_MIN = 4, /* with less, the panel takes the transcript's place */
	DOCKED_ROWS_MIN = 12,     /* that a docked panel may have, whatever the room */
};

static enum status_state state_of(const struct app *app)
{
	if (app->stopping)
		return STATE_STOPPING;
	switch (app->phase) {
	case PHASE_LOADING: return STATE_LOADING;
	case PHASE_PREFILL: return STATE_PREFILL;
	case PHASE_GENERATING: return STATE_GENERATING;
	case PHASE_READY: return app->failed ? STATE_FAILED : STATE_READY;
	case PHASE_NO_MODEL: break;
	}
	return app->failed ? STATE_FAILED : STATE_NO_MODEL;
}

/* "/NAME USAGE   HELP" */
static void draw_hint(int y, int cols, const char *name, const char *usage, const char *help)
{
	int x = 1;

	cells_fill(stdscr, y, 0, cols, STYLE_STATUS);
	x += cells_puts(stdscr, y, x, cols - x, STYLE_STATUS, "/");
	x += cells_puts(stdscr, y, x, cols - x, STYLE_STATUS, name) + 1;
	if (usage && x < cols)
		x += cells_puts(stdscr, y, x, cols - x, STYLE_STATUS, usage) + 1;
	if (x + 1 < cols)
		cells_puts(stdscr, y, x + 1, cols - x - 1, STYLE_STATUS, help);
}

enum { NAMES_MAX = 96 };

/* Commands and options that begin with the text. */
static size_t list_names(const struct command_table *commands, const struct settings *settings, const char *text, size_t len,
                         const char *names[NAMES_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < commands->n && n < NAMES_MAX; i++)
		if (strncmp(commands->rows[i].name, text, len) == 0)
			names[n++] = commands->rows[i].name;
	for (size_t i = 0; len && i < settings_n(settings) && n < NAMES_MAX; i++) {
		const struct option *option = settings_option(settings, i);

		if (commands_have_option(commands, option) && strncmp(option->name, text, len) == 0)
			names[n++] = option->name;
	}
	return n;
}

/* While a command is typed: which commands match, or what this one takes. */
static bool draw_command_hint(const struct command_table *commands,
                              const struct settings *settings, int y, int cols)
{
	const char *names[NAMES_MAX];
	size_t len, n = 0, name = 1;
	const char *text = input_line_text(&len), *word;
	const struct command *command;
	const struct option *option;

	if (!command_is(text, len) || memchr(text, '\n', len))
		return false;
	while (name < len && text[name] != ' ')
		name++;
	if (name == len)
		n = list_names(commands, settings, text + 1, len - 1, names);
	if (n > 1) {
		status_draw_list(stdscr, y, cols, names, n);
		return true;
	}
	word = n == 1 ? names[0] : text + 1;
	name = n == 1 ? strlen(word) : name - 1;
	command = command_find(commands, word, name);
	option = command ? NULL : command_option(settings, word, name);
	if (command)
		draw_hint(y, cols, command->name, command->usage, command->help);
	else if (option)
		draw_hint(y, cols, option->name, option->arg ? option->arg : "yes|no", option->help);
	return command || option;
}

static double tokens_per_second(const struct app *app)
{
	const struct dialog_turn *turn = &app->dialog->turn;
	uint64_t us = turn->last_token_us - turn->first_token_us;

	if (app->phase == PHASE_GENERATING)
		return turn->n_tokens > 1 && us ? (double)(turn->n_tokens - 1) * 1e6 / (double)us : 0;
	/* Below a millisecond the clock is too coarse. */
	if (app->phase == PHASE_READY && turn->has_stats && turn->stats.decode_ms >= 1)
		return (double)turn->stats.n_generated * 1e3 / turn->stats.decode_ms;
	return 0;
}

/* The keys for the picked message, in the bar's place. */
static void draw_pick_hints(const struct app *app, int y, int cols)
{
	struct buf text = {.max = KEY_HINTS_MAX};

	app_pick_hints(app, cols - 2, &text);
	status_draw_text(stdscr, y, 1, cols, STYLE_STATUS, buf_text(&text), text.len);
	buf_free(&text);
}

/* What one would look for now: how to stop a reply, or the help. */
static void write_hint(const struct app *app, struct buf *out)
{
	static const struct key_hint stop[] = {{"answer", "answers now"}, {"escape", "stops"}};
	bool can_answer = app_can_answer_now(app);
	static const struct key_hint help = {"help", "help"};

	if (app->panel || app->stopping || app->dialog->edit.queued) /* of which its own row says what Esc does */
		return;
	if (app_waits_for(app)[0] || app->phase == PHASE_PREFILL || app->phase == PHASE_GENERATING)
		key_hints(app->keys, can_answer ? stop : stop + 1, can_answer ? 2 : 1, KEY_HINTS_MAX, out);
	else if (app->phase == PHASE_READY && tree_leaf(app->dialog->tree)) /* an empty chat says it, too */
		key_hints(app->keys, &help, 1, KEY_HINTS_MAX, out);
}

static void draw_status(struct app *app, int y, int rows, int cols)
{
	int percent = chat_view_percent(app->view);
	struct buf hint = {.max = KEY_HINTS_MAX}, fetching = {.max = KIB(4)};
	struct status_info info = {
		.model = app->phase == PHASE_NO_MODEL ? NULL : app->model->name,
		.server = app->model->identity.server,
		.is_unverified = app->model->is_unverified,
		.template = strcmp(app->model->template_name, TEMPLATE_OWN) == 0 ? NULL : app->model->template_name,
		.prompt = app->dialog->template.name,
		.state = state_of(app), .waiting = app_waits_for(app),
		.load_fraction = app->models->load_fraction,
		.prefill_done = app->dialog->turn.prefill_done, .prefill_total = app->dialog->turn.prefill_total,
		.tokens_per_second = tokens_per_second(app),
		.ctx_used = app->gauge->used, .ctx_total = app->model->n_ctx, .is_estimated = app->gauge->is_estimated,
		.n_hidden = app->n_hidden,
		.no_save = !app->config->ui->save,
		.not_saved = app->config->ui->save &&
		             (!app->dialog->journal || journal_is_unsaved(app->dialog->journal)),
		.mouse = app->config->ui->mouse,
		.is_back = percent >= 0, .percent = percent,
	};
	size_t n;
	const char *const *candidates = input_line_candidates(&n);

	if (app->bar->until) {
		status_draw_text(stdscr, y, rows, cols, app->bar->role, app->bar->text,
		                 strlen(app->bar->text));
		return;
	}
	if (n) {
		input_line_candidates_drawn(status_draw_list(stdscr, y, cols, candidates, n));
		return;
	}
	if (!app->panel && draw_command_hint(app->commands, app->config->settings, y, cols))
		return;
	if (!app->panel && app_picked(app)) {
		draw_pick_hints(app, y, cols);
		return;
	}
	write_hint(app, &hint);
	if (app_pull_name(app))
		app_pull_put(app, &fetching);
	info.fetching = buf_text(&fetching);
	info.fetching_percent = app_pull_percent(app);
	info.hint = buf_text(&hint);
	status_draw(stdscr, y, cols, &info);
	buf_free(&hint);
	buf_free(&fetching);
}

/* How many of n notes are shown, on a screen of so many rows. */
static int note_rows_of(size_t n, int rows)
{
	size_t most = rows <= MIN_ROWS ? 0 : rows < 12 ? 1 : rows < 18 ? 2 : 3;

	return (int)(n < most ? n : most);
}

/* The bar's rows: a message that is too long for one takes more, so that its end can be read, too. */
static int status_rows_of(const struct app *app, int rows, int cols)
{
	size_t n = app->bar->until ? (size_t)status_text_rows(cols, app->bar->text, strlen(app->bar->text)) : 1;

	return 1 + note_rows_of(n - 1, rows);
}

/* Which message Enter replaces, and how to cancel. */
static void draw_edited(const struct app *app, int y, int cols)
{
	const struct node *node = tree_node(app->dialog->tree, app->dialog->edit.message);
	const struct key_hint cancel = {"escape", "cancels"};
	struct buf keys = {.max = KEY_HINTS_MAX};

	buf_puts(&keys, node->role == ROLE_USER ? "Enter sends it again, " : "Enter continues from it, ");
	key_hints(app->keys, &cancel, 1, KEY_HINTS_MAX, &keys);
	status_draw_note(stdscr, y, cols, "editing:", node->text,
	              attachments_words(&node->attachments, node->len), buf_text(&keys));
	buf_free(&keys);
}

/* Fits the open panel into the rows above the bar. Returns how many rows are left for the
 * transcript: all of them, unless the panel is docked below it. */
static int place_panel(struct app *app, int rows, int cols)
{
	int docked = rows * 3 / 5 > DOCKED_ROWS_MIN ? rows * 3 / 5 : DOCKED_ROWS_MIN;

	if (!app->panel)
		return rows;
	panel_layout(app->panel, 0, 0, rows, cols);
	if (!(app->panel_use->flags & PANEL_IS_DOCKED))
		return rows;
	/* At most three fifths, so that a reply can be read while the panel is used. */
	if (app->panel->rows > docked)
		panel_layout(app->panel, 0, 0, docked, cols);
	if (rows - app->panel->rows < DOCKED_CHAT_ROWS_MIN) {
		panel_layout(app->panel, 0, 0, rows, cols);
		return rows;
	}
	app->panel->y = rows - app->panel->rows;
	return app->panel->y;
}

/* A blank row between the transcript and what is below it, where there are rows enough. */
static int margin_rows(const struct app *app, int chat_rows)
{
	return LINES >= MARGIN_ROWS_MIN && chat_rows > 1 && !app->panel;
}

/* The transcript; in an empty chat it stands below the first screen, if notices leave room for
 * that. */
static void draw_chat(struct app *app, int rows, int cols)
{
	int first = 0;

	chat_view_resize(app->view, rows, cols, app->config->ui->width);
	if (tree_leaf(app->dialog->tree) == 0 && !app->chat->resuming) {
		first = app_draw_first(app, rows - chat_view_height(app->view, rows), cols);
		if (first == rows)
			return;
		chat_view_resize(app->view, rows - first, cols, app->config->ui->width);
	}
	chat_view_draw(app->view, stdscr, first, 0);
}

static void draw_screen(struct app *app)
{
	int rows = LINES, cols = COLS, input_rows, note_rows, file_rows, status_rows, chat_rows, margin, max, caret_y = 0, caret_x = 0;

	app->first->questions = NULL;
	if (rows < MIN_ROWS || cols < MIN_COLS) {
		erase();
		cells_puts(stdscr, 0, 0, cols, STYLE_WARNING, "window too small");
		curs_set(0);
		refresh();
		return;
	}
	max = rows / 3 < INPUT_ROWS_MAX ? rows / 3 : INPUT_ROWS_MAX;
	input_rows = input_line_rows(cols, max);
	note_rows = app->dialog->edit.message ? 1 : note_rows_of(app->dialog->queue.n, rows);
	file_rows = note_rows_of(dialog_files_n(&app->dialog->files), rows - input_rows - note_rows);
	status_rows = status_rows_of(app, rows - input_rows - note_rows - file_rows, cols);
	chat_rows = rows - input_rows - note_rows - file_rows - status_rows;
	if (app->part->at && app->part->node != app_picked(app))
		app_part_none(app);
	chat_view_set_picked(app->view, app_picked(app));
	chat_view_set_continue_key(app->view, dialog_can_continue(app->dialog) ? app_key(app, "continue") : NULL);
	app_shade(app);
	if (chat_view_sync(app->view) != STATUS_OK)
		app_message(app, STYLE_ERROR, "not enough memory to show everything");
	chat_view_show_raw(app->view, !app->config->ui->markdown);
	margin = margin_rows(app, chat_rows);
	cells_fill(stdscr, chat_rows - 1, 0, cols, STYLE_ASSISTANT);
	draw_chat(app, place_panel(app, chat_rows, cols) - margin, cols);
	if (app->panel && app->panel_use->flags & PANEL_IS_DOCKED) /* beside the docked panel */
		for (int y = app->panel->y; app->panel->y > 0 && y < chat_rows; y++)
			cells_fill(stdscr, y, 0, cols, STYLE_ASSISTANT);
	if (app->dialog->edit.message)
		draw_edited(app, chat_rows, cols);
	else if (note_rows)
		app_queue_draw(app, chat_rows, note_rows, cols);
	app_files_draw(app, chat_rows + note_rows, file_rows, cols);
	draw_status(app, chat_rows + note_rows + file_rows, status_rows, cols);
	input_line_draw(stdscr, rows - input_rows, 0, input_rows, cols, &caret_y, &caret_x);
	if (tree_leaf(app->dialog->tree) == 0 && input_line_is_empty()) /* for those who are new here */
		cells_puts(stdscr, caret_y, caret_x, cols - caret_x, STYLE_HINT,
		           "type a message or /help");
	if (app->panel)
		panel_draw(app->panel, stdscr);
	if (app->panel && app->panel->has_caret) {
		caret_y = app->panel->caret_y;
		caret_x = app->panel->caret_x;
	}
	curs_set(!app->panel || app->panel->has_caret);
	move(caret_y, caret_x);
	refresh();
	app_show_title(app);
}

static enum status open_screen(struct app *app, struct error *err)
{
	enum status status = term_open(&app->term, err);

	if (status)
		return status;
	app_set_terminal(app);
	style_start();
	return STATUS_OK;
}

/* It goes after what is now the last message. */
static enum status put_notice(struct app *app, enum notice_life life, enum theme_role role,
                              const char *text, size_t n)
{
	enum status status = chat_view_sync(app->view);

	return status ? status : chat_view_notice(app->view, life, role, text, n);
}

static void fold_reasoning(struct app *app)
{
	chat_view_toggle_reasoning(app->view);
}

/* ---- what the next frame shows anyway ---- */

static void nothing(struct app *app)
{
	(void)app;
}

static void nothing_if(struct app *app, bool is)
{
	(void)app;
	(void)is;
}

static void nothing_of(struct app *app, uint32_t id)
{
	(void)app;
	(void)id;
}

static void nothing_said(struct app *app, enum theme_role role, const char *text)
{
	(void)app;
	(void)role;
	(void)text;
}

const struct front front_screen = {
	.is_screen = true,
	.open = open_screen, .close = nothing, .draw = draw_screen, .resized = nothing,
	.restyle = nothing, .say = nothing_said, .notice = put_notice, .new_chat = nothing_if,
	.recanted = nothing, .repeat = nothing_of, .reasoning = fold_reasoning,
	.new_panel = nothing,
};
