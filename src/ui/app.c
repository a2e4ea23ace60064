/* The loop: it waits for the terminal, the worker and signals, and sleeps when there is nothing to
 * do. Keys are drawn at once, tokens with the next frame. */
#include "ui/app.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"
#include "dialog/dialog.h"
#include "engine/worker.h"
#include "guide/guide.h"
#include "journal/importer.h"
#include "line/input_line.h"
#include "line/line_history.h"
#include "terminal/editor.h"
#include "terminal/signals.h"
#include "terminal/style.h"
#include "terminal/test_marks.h"
#include "ui/app_chats.h"
#include "ui/app_confidence.h"
#include "ui/app_convert.h"
#include "ui/app_copy.h"
#include "ui/app_draft.h"
#include "ui/app_events.h"
#include "ui/app_farewell.h"
#include "ui/app_files.h"
#include "ui/app_examine.h"
#include "ui/app_find.h"
#include "ui/app_first.h"
#include "ui/app_import.h"
#include "ui/app_inspect.h"
#include "ui/app_keymap.h"
#include "ui/app_keys.h"
#include "ui/app_load.h"
#include "ui/app_models.h"
#include "ui/app_open.h"
#include "ui/app_panel.h"
#include "ui/app_pick.h"
#include "ui/app_pull.h"
#include "ui/app_score.h"
#include "ui/app_send.h"
#include "ui/app_template.h"
#include "ui/app_terminal.h"
#include "ui/app_wait.h"
#include "ui/commands.h"
#include "ui/complete.h"
#include "ui/front.h"
#include "ui/keymap.h"
#include "ui/tell.h"

enum {
	READ_MAX = 65536,
	FRAME_MS = 17, /* tokens are drawn at most 60 times a second */
};

static void terminal_gone(struct app *app)
{
	app->end.gone = true;
	app_quit(app, 128 + SIGHUP);
}

/* One line that was typed ahead and entered is entered; several may have been pasted, and stay in
 * the input line. */
static void as_typed(char *bytes, size_t n)
{
	if (n && memchr(bytes, '\n', n) == bytes + n - 1)
		bytes[n - 1] = '\r';
}

static void read_terminal(struct app *app)
{
	char bytes[READ_MAX];
	ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
	size_t n_typed = n > 0 ? term_take_typed(app->term) : 0;

	if (n > 0 && n_typed <= (size_t)n)
		as_typed(bytes, n_typed);
	if (n > 0) {
		term_test_marks(app->term)->n_read += (size_t)n;
		input_feed(app->input, bytes, (size_t)n, sys_now_ms());
	} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
		terminal_gone(app);
	}
}

/* A key sequence or a paste that has stopped ends, but not while more of it waits to be read: it may
 * have been we who were held up. */
static void expire_input(struct app *app, uint64_t now)
{
	struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};
	struct test_marks *marks = term_test_marks(app->term);

	if (now >= input_deadline(app->input) && (app->editor->pid || poll(&fd, 1, 0) == 0))
		input_expire(app->input, now);
	if (input_deadline(app->input) == UINT64_MAX) /* nothing, or half a character, which may stay */
		marks->n_taken = marks->n_read;
}

static void on_signals(struct app *app)
{
	unsigned taken = signals_take();

	if (taken & SIGNAL_TERMINATE) {
		editor_kill(app->editor, SIGTERM);
		app_quit(app, 128 + SIGTERM);
	}
	if (taken & SIGNAL_HANGUP) {
		editor_kill(app->editor, SIGHUP);
		terminal_gone(app);
	}
	if (taken & SIGNAL_CHILD)
		app_after_editor(app);
	if (taken & SIGNAL_CHILD)
		app_part_look(app);
	if (app->editor->pid)
		return; /* the rest is about the screen, which is the editor's now */
	if (taken & SIGNAL_STOP) {
		input_line_hide();
		term_leave(app->term);
		signals_stop_self();
		taken |= SIGNAL_CONTINUE;
	}
	if (taken & SIGNAL_CONTINUE)
		term_return(app->term);
	if (taken & SIGNAL_RESIZE) {
		if (term_resize(app->term))
			app->front->resized(app);
		term_redraw(app->term); /* of a size that was another in between the terminal has not kept all */
	}
	if (taken & SIGNAL_INTERRUPT)
		app_interrupt(app, 0);
	if (taken)
		app->draw.now = true;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* When to wake up even if nothing comes in; mostly APP_NEVER. */
static uint64_t next_deadline(const struct app *app)
{
	uint64_t deadline = sooner(input_deadline(app->input), app->dialog->store.retry_at);

	if (app->bar->until)
		deadline = sooner(deadline, app->bar->until);
	deadline = sooner(deadline, app_panel_deadline(app));
	if (app->dialog->draft.due)
		deadline = sooner(deadline, app->dialog->draft.due);
	if (app->import->importer)
		deadline = sooner(deadline, app->import->look_at);
	deadline = sooner(deadline, clipboard_deadline(&app->copy->clipboard));
	if (app->draw.now)
		deadline = 0;
	else if (app->draw.soon)
		deadline = sooner(deadline, app->draw.at + FRAME_MS);
	return deadline;
}

/* The time of a message begins where it can be seen, however long that took. */
static void time_message(struct app *app)
{
	if (!app->bar->until || !app->bar->lasts_ms)
		return;
	app->bar->until = sys_now_ms() + app->bar->lasts_ms;
	app->bar->lasts_ms = 0;
	if (app->armed_until)
		app->armed_until = app->bar->until;
}

static void draw(struct app *app)
{
	struct test_marks *marks = term_test_marks(app->term);

	app->draw.now = app->draw.soon = false;
	app->draw.at = sys_now_ms();
	if (app->editor->pid)
		return; /* the screen is the editor's */
	test_marks_begin(marks);
	app->front->draw(app);
	test_marks_end(marks);
	time_message(app);
}

static void on_time(struct app *app, uint64_t now)
{
	expire_input(app, now);
	if (app->bar->until && now >= app->bar->until) {
		app->bar->until = app->armed_until = 0;
		app->draw.now = true;
	}
	if (dialog_store_step(app->dialog, now))
		app->draw.now = true;
	app_tell_facts(app);
	if (now >= app_panel_deadline(app))
		app_panel_look(app);
	app_copy_step(app, now);
	if (app->dialog->draft.due && now >= app->dialog->draft.due)
		app_draft_save(app, NULL);
	app_import_step(app, now);
	app_pull_step(app);
	app_convert_step(app);
	app_update_gauge(app);
	app_files_count(app);
	if (app->draw.now || (app->draw.soon && now >= app->draw.at + FRAME_MS) ||
	    test_marks_are_due(term_test_marks(app->term)))
		draw(app);
}

static int timeout_ms(uint64_t deadline, uint64_t now)
{
	if (deadline == APP_NEVER)
		return -1;
	if (deadline <= now)
		return 0;
	return deadline - now > 60000 ? 60000 : (int)(deadline - now);
}

static void loop(struct app *app)
{
	while (!app->end.quit) {
		struct pollfd fds[] = {
			{.fd = signals_fd(), .events = POLLIN},
			{.fd = worker_fd(app->worker), .events = POLLIN},
			/* While an editor runs, the keys are for it. */
			{.fd = app->editor->pid ? -1 : STDIN_FILENO, .events = POLLIN},
			{.fd = clipboard_fd(&app->copy->clipboard), .events = POLLOUT},
			{.fd = finder_fd(app->chats->finder), .events = POLLIN},
			{.fd = job_fd(&app->models->searcher.job), .events = POLLIN},
			{.fd = importer_fd(app->import->importer), .events = POLLIN}, /* looked at in on_time */
			{.fd = job_fd(&app->models->lister.job), .events = POLLIN},
			{.fd = app_pull_fd(app), .events = POLLIN},
			{.fd = app_convert_fd(app), .events = POLLIN},
		};
		int n = poll(fds, sizeof fds / sizeof fds[0], timeout_ms(next_deadline(app), sys_now_ms()));

		if (n < 0 && errno != EINTR && errno != EAGAIN) {
			app_quit(app, 1);
			break;
		}
		if (n > 0 && fds[0].revents)
			on_signals(app);
		if (n > 0 && fds[1].revents)
			app_take_events(app);
		if (n > 0 && fds[4].revents)
			app_take_found(app);
		if (n > 0 && fds[5].revents)
			app_take_catalog(app);
		if (n > 0 && fds[7].revents)
			app_take_servers(app);
		if (n > 0 && fds[8].revents)
			app_pull_news(app);
		if (n > 0 && fds[9].revents)
			app_convert_news(app);
		if (n > 0 && fds[2].revents & POLLIN && !app->editor->pid)
			read_terminal(app);
		else if (n > 0 && fds[2].revents & (POLLHUP | POLLERR | POLLNVAL))
			terminal_gone(app);
		on_time(app, sys_now_ms());
	}
}

static enum status load_theme(struct app *app, struct error *err)
{
	const char *name = app->config->ui->theme;
	enum status status = STATUS_OK;

	theme_default(app->theme);
	if (name && name[0] && strcmp(name, app->theme->name) != 0)
		status = theme_load(app->theme, name, err);
	style_apply(app->theme);
	app->front->restyle(app);
	return status;
}

static void on_complete(void *context, const char *line, size_t caret, struct complete_list *list)
{
	const struct app *app = context;

	complete_line(app->commands, app->config->settings, line, caret, list);
}

/* Before the first frame: nothing here is slow. */
static enum status open_front(struct app *app, struct error *err)
{
	const struct ui_params *ui = app->config->ui;
	struct input_line_config line = {.context = app, .submit = app_on_submit, .edit = app_on_edit,
	                                 .complete = on_complete};
	enum status status;

	term_set_locale();
	app->view = chat_view_create();
	if (!app->view)
		return error_no_memory(err, "for the screen");
	if (!app->front->is_screen) /* which draws the line */
		line.prompt = ui->accessible ? "You: " : "> ";
	status = input_line_open(&line, err);
	return status ? status : app->front->open(app, err);
}

/* A continued chat keeps its template unless the command line names one. */
static void start_template(struct app *app)
{
	if (tree_n(app->dialog->tree) == 0 ||
	    settings_is_from(app->config->settings, "template", ORIGIN_FLAG))
		app_template_start(app);
}

static bool wants_model(const struct app_config *config)
{
	return settings_is_from(config->settings, "model", ORIGIN_FLAG) && config->engine->model &&
	       config->engine->model[0];
}

/* Up to the first keys. */
static enum status begin(struct app *app, struct error *err)
{
	struct error theme_error, history_error;
	enum status status = open_front(app, err), theme_status;

	if (!status && !app_start_chat(app))
		status = error_no_memory(err, "for a chat");
	if (!status)
		status = worker_create(&app->worker, guide_decorate, app->config->backends, err);
	if (status)
		return status;
	worker_log_to(app->worker, app->config->log);
	theme_status = load_theme(app, &theme_error);
	if (app_wants_resume(app)) { /* a long chat takes a while to read: show the screen first */
		app->chat->resuming = true;
		draw(app);
		status = app_resume_chat(app, err);
		app->chat->resuming = false;
		if (status)
			return status;
	}
	if (theme_status)
		app_error(app, &theme_error);
	if (app->config->notice)
		app_notice(app, STYLE_WARNING, "%s", app->config->notice);
	app_load_keys(app);
	start_template(app);
	if (!tree_n(app->dialog->tree))
		app_draft_restore_lost(app);
	if (app->phase == PHASE_NO_MODEL && !app_load_first(app))
		app_model(app, &(struct command_call){.argument = ""});
	draw(app);
	if (line_history_load(&history_error))
		app_message(app, STYLE_WARNING, "%s", history_error.text);
	return STATUS_OK;
}

/* Gives the terminal back. */
static void close_front(struct app *app)
{
	if (app->panel)
		panel_close(app->panel);
	app->front->close(app);
	term_close(app->term);
	clipboard_deinit(&app->copy->clipboard);
	app_find_end(app);
}

static void free_all(struct app *app)
{
	app_chats_free(app);
	app_pull_free(app);
	app_convert_free(app);
	worker_destroy(app->worker);
	input_line_close();
	input_deinit(app->input);
	chat_view_free(app->view);
	dialog_deinit(app->dialog);
	searcher_end(&app->models->searcher);
	catalog_free(app->models->catalog);
	lister_end(&app->models->lister);
	remote_list_free(app->models->remote);
	keymap_deinit(app->keys);
	app_score_free(app->score);
	free(app->models->path);
}

/* The states that struct app points to: type and name. */
#define STATES(X) \
	X(app_chat, chat) X(app_chats, chats) X(app_confidence, confidence) X(app_convert, convert) X(app_copy, copy) X(dialog, dialog) X(editor, editor) \
	X(app_examine, examine) X(app_find, find) X(app_first, first) X(app_focus, focus) X(app_gauge, gauge) \
	X(app_import, import) X(input, input) X(keymap, keys) X(app_bar_message, bar) \
	X(model_info, model) X(app_models, models) X(app_part, part) X(theme, theme) \
	X(app_pull, pull) X(app_score, score) X(app_told, told) X(app_wait, wait)

struct whole {
	struct app app;
#define X(type, name) struct type name;
	STATES(X)
#undef X
};

static struct app *connect(struct whole *all)
{
	struct app *app = &all->app;
	const struct ui_params *ui = app->config->ui;

#define X(type, name) app->name = &all->name;
	STATES(X)
#undef X
	app->commands = &commands;
	app->front = ui->accessible || ui->inline_chat ? &front_lines : &front_screen;
	app->editor->servers = app->part->opener.servers = app->copy->clipboard.servers = &app->config->engine->servers;
	return app;
}

enum status app_run(const struct app_config *config, int *exit_status, struct error *err)
{
	struct whole all = {.app.config = config};
	struct app *app = connect(&all);
	const struct dialog_config dialog = {
		.settings = config->settings, .sampler = config->sampler, .engine = config->engine,
		.weight_rate = &app->models->weight_rate, .prompt_dir = config->ui->prompt_dir,
		.system_prompt = config->ui->system_prompt, .saves = config->ui->save,
		.keeps_candidates = &config->ui->keep_candidates, .sums_up = true};
	const bool wants = wants_model(config);
	struct farewell farewell;
	enum status status;

	keymap_init(app->keys, &bindings);
	input_init(app->input, app_on_input, app);
	dialog_init(app->dialog, &dialog);
	app->dialog->model = app->model;
	status = begin(app, err);
	if (!status) {
		loop(app);
		app_import_end(app);
		app_pull_end(app);
		app_convert_end(app);
		app_save_all(app, wants, &farewell);
		*exit_status = farewell.lacks_model && !app->end.exit_status ? status_exit_code(STATUS_NOTFOUND)
		                                                                : app->end.exit_status;
	}
	close_front(app); /* first: ending the worker may take a moment */
	if (!status)
		app_farewell(app, &farewell);
	free_all(app);
	return status;
}
