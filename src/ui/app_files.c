/* Files that go with the next message: /read and /detach, the rows above the line that show them, and
 * how many tokens they take. */
#include "ui/app_files.h"

#include <stdio.h>
#include <string.h>

#include "base/amount.h"
#include "base/limits.h"
#include "base/number.h"
#include "chat/attach.h"
#include "dialog/dialog.h"
#include "dialog/mention.h"
#include "engine/worker.h"
#include "line/input_line.h"
#include "ui/app_load.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/keymap.h"
#include "ui/tell.h"
#include "view/status.h"

bool app_files_take_from(struct app *app, const char *text, const struct attachments *list)
{
	struct error err;

	return app_went_well(app, dialog_files_add_from(&app->dialog->files, text, list, &err),
	                     &err);
}

/* "src/a.c" or "3 files". */
static void describe(const struct attachments *list, char *out, size_t size)
{
	if (list->n == 1)
		snprintf(out, size, "%s", list->items[0].name);
	else
		snprintf(out, size, "%zu files", list->n);
}

/* In lines no row shows what is attached. */
static void tell_in_lines(struct app *app, const struct attachments *list)
{
	char what[128];

	if (app->front->is_screen || !list->n)
		return;
	describe(list, what, sizeof what);
	app_message(app, STYLE_STATUS, "%s attached; /detach removes %s", what,
	            list->n == 1 ? "it" : "the last one");
}

void app_files_tell_edited(struct app *app)
{
	tell_in_lines(app, &app->dialog->files.given.list);
}

bool app_files_join(struct app *app, const char *words, size_t len, struct outgoing *out)
{
	struct error err;

	return app_went_well(app, dialog_files_join(&app->dialog->files, words, len, out, &err),
	                     &err);
}

bool app_read(struct app *app, const struct command_call *call)
{
	struct attached files;
	size_t n_left_out = 0;
	enum status status;
	struct error err;
	char what[128];

	attached_init(&files);
	status = call->quoted ? attach_files(&files, call->argument, &n_left_out, &err)
	                      : attach_named(&files, call->argument, call->argument_len, &n_left_out, &err);
	if (!status) {
		describe(&files.list, what, sizeof what);
		status = dialog_files_add(&app->dialog->files, &files, &err);
	}
	if (status)
		app_message(app, STYLE_ERROR, "%s", err.text);
	else if (n_left_out)
		app_message(app, STYLE_WARNING, "%s attached; %zu left out because %s not text", what, n_left_out,
		            n_left_out == 1 ? "it is" : "they are");
	else if (app_is_guide(app))
		app_message(app, STYLE_WARNING, "%s attached, but the guide cannot use files: %s loads another model",
		            what, app_key(app, "model"));
	else
		tell_in_lines(app, &files.list);
	attached_free(&files);
	return !status;
}

/* The last one, the Nth or all. */
bool app_detach(struct app *app, const struct command_call *call)
{
	struct dialog_files *files = &app->dialog->files;
	const struct attachments *given = &files->given.list;
	const char *argument = call->argument;
	int64_t nth = (int64_t)given->n;

	if (!given->n) {
		app_message(app, STYLE_WARNING, files->mentioned.list.n
		            ? "this file comes from the @ in your message: delete that to remove it"
		            : "no file is attached");
		return true;
	}
	if (strcmp(argument, "all") == 0) {
		dialog_files_remove_all(files);
		app_message(app, STYLE_STATUS, "no files are attached any more");
		return true;
	}
	if (argument[0] && (!number_parse_int(argument, &nth) || nth < 1 || nth > (int64_t)given->n)) {
		app_message(app, STYLE_ERROR, "/detach takes all, or a number from 1 to %zu", given->n);
		return false;
	}
	app_message(app, STYLE_STATUS, "no longer attached: %s", given->items[nth - 1].name);
	dialog_files_remove(files, (size_t)nth - 1);
	return true;
}

/* ---- tokens ---- */

/* One after the other, each as a prompt of its own. */
void app_files_count(struct app *app)
{
	struct dialog_files *files = &app->dialog->files;
	struct message block;
	struct turn turn;

	if (!app_has_model(app) || !dialog_files_next(files, app->model->generation, &block))
		return;
	turn = chat_turn_of(app->config->engine, app->config->sampler);
	turn.raw = true;
	turn.messages = &block;
	turn.n_messages = 1;
	dialog_files_asked(files, worker_post_inspect(app->worker, &turn, INSPECT_FILE, NULL) == STATUS_OK);
}

/* "src/a.c  1.2 KiB, 340 tokens, 2 invisible characters" */
static void put_file(struct buf *out, const struct attachment *item)
{
	buf_printf(out, "%s  ", item->name);
	attachment_put_size(out, item);
}

/* Without a screen, where no row above the line shows it. */
static void say_file(struct app *app, const struct attachment *item)
{
	struct buf text = {.max = KIB(64)};

	buf_puts(&text, "attached: ");
	put_file(&text, item);
	app_notice(app, STYLE_SYSTEM, "%s", buf_text(&text));
	buf_free(&text);
}

void app_files_counted(struct app *app, const struct event *event)
{
	struct dialog_files *files = &app->dialog->files;
	bool had_room = !app->model->n_ctx || dialog_files_tokens(files) < app->model->n_ctx;
	const struct attachment *item = NULL;

	if (event->error->status)
		dialog_files_not_counted(files);
	else
		item = dialog_files_counted(files, event->u.inspected.total, event->u.inspected.estimated);
	if (!item)
		return;
	if (!app->front->is_screen)
		say_file(app, item);
	if (had_room)
		app_files_have_room(app);
	app->draw.soon = true;
}

bool app_files_have_room(struct app *app)
{
	uint64_t total = dialog_files_tokens(&app->dialog->files);

	if (!app_has_model(app) || !app->model->n_ctx || total < app->model->n_ctx)
		return true;
	app_message(app, STYLE_ERROR, "the files have %s%llu tokens, the context %u; /detach one, or %s",
	            dialog_files_are_estimated(&app->dialog->files) ? "~" : "", (unsigned long long)total, app->model->n_ctx,
	            app->model->place[0] ? "have the server use a larger one"
	                                 : "make it larger: /set ctx-size N, then /model");
	return false;
}

/* ---- the rows above the line ---- */

/* "and 12 more: 30.1 KiB, 9000 tokens in all" */
static void put_rest(struct buf *out, const struct dialog_files *files, size_t from)
{
	uint64_t n_bytes = 0, n_tokens = dialog_files_tokens(files);
	char bytes[AMOUNT_TEXT_MAX];

	for (size_t i = 0; i < dialog_files_n(files); i++)
		n_bytes += dialog_file_at(files, i)->len;
	buf_printf(out, "and %zu more: %s", dialog_files_n(files) - from, amount_bytes(bytes, n_bytes));
	if (n_tokens)
		buf_printf(out, ", %s%llu tokens", dialog_files_are_estimated(files) ? "~" : "", (unsigned long long)n_tokens);
	buf_puts(out, " in all");
}

void app_files_draw(const struct app *app, int y, int rows, int cols)
{
	const struct dialog_files *files = &app->dialog->files;
	const char *key = keymap_key_of(app->keys, "detach-file");
	size_t n = dialog_files_n(files);

	for (int i = 0; i < rows; i++) {
		bool is_rest = i + 1 == rows && n > (size_t)rows;
		char keys[64] = "";
		struct buf text = {.max = KIB(64)};

		if (i + 1 == rows && files->given.list.n)
			snprintf(keys, sizeof keys, "%s removes", key ? key : "/detach");
		if (is_rest)
			put_rest(&text, files, (size_t)i);
		else
			put_file(&text, dialog_file_at(files, (size_t)i));
		status_draw_note(stdscr, y + i, cols, "attached:", buf_text(&text), text.len, keys);
		buf_free(&text);
	}
}

/* ---- @path in the line ---- */

/* A command mentions nothing. */
static size_t mentioning(const char *line, size_t len)
{
	return command_is(line, len) ? 0 : len;
}

void app_mentions_update_for(struct app *app, const char *line, size_t len)
{
	dialog_mentions_update(app->dialog, line, mentioning(line, len));
}

void app_mentions_update(struct app *app)
{
	size_t len;
	const char *line = input_line_text(&len);

	app_mentions_update_for(app, line, len);
}

bool app_mentions_refuse(struct app *app, const char *line, size_t len)
{
	const struct dialog_files *files = &app->dialog->files;
	struct error err;
	size_t n;

	if (!dialog_mentions_doubt(app->dialog, line, mentioning(line, len), &err))
		return false;
	n = files->mentioned.list.n;
	if (err.status)
		app_message(app, STYLE_WARNING, "%s; Enter again sends the message without it", err.text);
	else if (files->n_left_out)
		app_message(app, STYLE_WARNING, "%zu file%s attached, %zu left out because %s not text; Enter sends",
		            n, n == 1 ? "" : "s", files->n_left_out, files->n_left_out == 1 ? "it is" : "they are");
	else
		app_message(app, STYLE_STATUS, "%zu file%s attached; Enter sends", n, n == 1 ? "" : "s");
	return true;
}
