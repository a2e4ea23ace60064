/* Files that go with the next message: /read and /detach, the rows above the line that show them, and
 * how many tokens they take. */
#include "ui/app_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/amount.h"
#include "base/file_pattern.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/role.h"
#include "base/sanitize.h"
#include "base/text_file.h"
#include "base/words.h"
#include "chat/attachment.h"
#include "chat/turn.h"
#include "dialog/dialog.h"
#include "dialog/files.h"
#include "dialog/outgoing.h"
#include "engine/worker.h"
#include "terminal/cells.h"
#include "turn/event.h"
#include "turn/inspection.h"
#include "turn/turn.h"
#include "ui/app.h"
#include "ui/app_guide.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/keymap.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "view/status.h"

/* ---- the lists ---- */

/* `from` is empty afterwards. */
static void take_over(struct attached *to, struct attached *from)
{
	attached_free(to);
	*to = *from;
	attached_init(from);
}

void app_files_give(struct app *app, struct attached *files)
{
	take_over(&app->dialog->files.given, files);
	app->dialog->files.version++;
}

bool app_files_take_from(struct app *app, const char *text, const struct attachments *list)
{
	struct error err;

	if (!attached_add_all(&app->dialog->files.given, list, text, &err))
		return true;
	app_message(app, STYLE_ERROR, "%s", err.text);
	return false;
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

bool app_files_edit(struct app *app, uint32_t edited, const char *text, const struct attachments *list)
{
	struct dialog_files *files = &app->dialog->files;
	struct attached of_message;
	struct error err;

	attached_init(&of_message);
	if (attached_add_all(&of_message, list, text, &err)) {
		attached_free(&of_message);
		app_message(app, STYLE_ERROR, "%s", err.text);
		return false;
	}
	if (!files->edited)
		take_over(&files->aside, &files->given);
	app_files_give(app, &of_message);
	files->edited = edited;
	tell_in_lines(app, &files->given.list);
	return true;
}

void app_files_settle(struct app *app)
{
	bool goes_on = app->dialog->files.edited == FILES_OF_QUEUED ? app->dialog->queue.edited > 0
	                                                        : app->dialog->files.edited == app->dialog->edited;

	if (!app->dialog->files.edited || goes_on)
		return;
	app_files_give(app, &app->dialog->files.aside);
	app->dialog->files.edited = 0;
}

void app_files_keep_edited(struct app *app)
{
	struct dialog_files *files = &app->dialog->files;

	(void)!attached_add_all(&files->given, &files->aside.list, buf_text(&files->aside.text), NULL);
	attached_free(&files->aside);
	files->edited = 0;
}

void app_files_clear(struct app *app)
{
	attached_free(&app->dialog->files.given);
	attached_free(&app->dialog->files.mentioned);
	free(app->dialog->files.mentions);
	free(app->dialog->files.doubted);
	app->dialog->files.mentions = app->dialog->files.doubted = NULL;
	app->dialog->files.version++;
}

static size_t find_name(const struct attachments *list, const char *name)
{
	size_t i = 0;

	while (i < list->n && strcmp(list->items[i].name, name) != 0)
		i++;
	return i;
}

bool app_files_join(struct app *app, const char *words, size_t len, struct outgoing *out)
{
	const struct attached *given = &app->dialog->files.given, *mentioned = &app->dialog->files.mentioned;
	struct attached all;
	enum status status;
	struct error err;
	struct buf text;

	*out = (struct outgoing){.text = NULL};
	attached_init(&all);
	buf_init(&text, LIMIT_MESSAGE);
	status = attached_add_all(&all, &given->list, buf_text(&given->text), &err);
	if (!status)
		status = attached_add_all(&all, &mentioned->list, buf_text(&mentioned->text), &err);
	if (!status)
		status = attached_join(&all, words, len, &text, &out->files, &err);
	if (!status && !(out->text = buf_take(&text, &out->len)))
		status = error_set(&err, STATUS_NOMEM, "not enough memory for the message");
	attached_free(&all);
	buf_free(&text);
	if (!status)
		return true;
	outgoing_free(out);
	app_message(app, STYLE_ERROR, "%s", err.text);
	return false;
}

/* The file at an index over both lists; NULL: there is none. */
static struct attachment *file_at(const struct app *app, size_t index, const struct attached **of)
{
	const struct dialog_files *files = &app->dialog->files;
	const struct attached *list = &files->given;

	if (index >= list->list.n) {
		index -= list->list.n;
		list = &files->mentioned;
	}
	*of = list;
	return index < list->list.n ? &list->list.items[index] : NULL;
}

size_t app_files_n(const struct app *app)
{
	return app->dialog->files.given.list.n + app->dialog->files.mentioned.list.n;
}

/* ---- reading ---- */

static enum status add_file(struct attached *into, const char *path, struct error *err)
{
	enum status status;
	struct buf name;
	char *text = NULL;
	size_t len, old;

	if (into->text.len >= LIMIT_MESSAGE)
		return error_set(err, STATUS_LIMIT, "%s: a message with its files holds at most %zu MiB", path,
		                 LIMIT_MESSAGE >> 20);
	status = text_file_read(path, LIMIT_MESSAGE - into->text.len, &text, &len, err);
	if (status)
		return status;
	buf_init(&name, LIMIT_MESSAGE);
	if (!sanitize_line(&name, path, strlen(path))) {
		old = find_name(&into->list, buf_text(&name));
		attached_remove(into, old); /* nothing, if there is none */
	}
	buf_free(&name);
	status = attached_add(into, path, text, len, err);
	free(text);
	return status;
}

static enum status read_pattern(struct attached *into, const char *pattern, size_t *n_left_out,
                                struct error *err)
{
	struct error of_file;
	struct file_names names = {.n = 0};
	enum status status = file_pattern_expand(&names, pattern, LIMIT_PATTERN_FILES, err);
	size_t n_read = 0;

	if (!status && !names.n)
		status = error_set(err, STATUS_NOTFOUND, "%s: no file has a name like this", pattern);
	for (size_t i = 0; i < names.n && !status; i++) {
		status = add_file(into, names.items[i], &of_file);
		n_read += !status;
		if (status == STATUS_FORMAT || status == STATUS_IO) { /* no text, or not ours to read */
			status = STATUS_OK;
			++*n_left_out;
		} else if (status && err) {
			*err = of_file;
		}
	}
	if (!status && !n_read)
		status = error_set(err, STATUS_FORMAT, "%s: none of the files it names is text", pattern);
	file_names_free(&names);
	return status;
}

enum status app_files_read(struct attached *into, const char *name, size_t *n_left_out,
                           struct error *err)
{
	enum status status;
	struct stat st;
	struct buf path;

	buf_init(&path, KIB(16));
	home_path_put(&path, name);
	if (buf_status(&path))
		status = error_set(err, STATUS_LIMIT, "the file's name is too long");
	else if (stat(buf_text(&path), &st) == 0 && S_ISDIR(st.st_mode))
		status = error_set(err, STATUS_USAGE, "%s: is a folder; %s%s* attaches its files, %s%s** also those in its "
		                   "folders",
		                   name, name, name[strlen(name) - 1] == '/' ? "" : "/", name,
		                   name[strlen(name) - 1] == '/' ? "" : "/");
	else if (file_pattern_has_wildcards(buf_text(&path)) && stat(buf_text(&path), &st) != 0)
		status = read_pattern(into, buf_text(&path), n_left_out, err);
	else
		status = add_file(into, buf_text(&path), err);
	buf_free(&path);
	return status;
}

/* One name in quotes or that exists as it is, or several. */
static enum status read_names(struct attached *into, const struct command_call *call,
                              size_t *n_left_out, struct error *err)
{
	const char *rest = call->argument;
	size_t len = call->argument_len;
	enum status status = STATUS_OK;
	bool found = true;
	struct stat st;
	struct buf word;

	buf_init(&word, KIB(16));
	home_path_put(&word, call->argument);
	if (call->quoted || stat(buf_text(&word), &st) == 0) {
		buf_free(&word);
		return app_files_read(into, call->argument, n_left_out, err);
	}
	while (!status && !(status = words_next(&rest, &len, &word, &found, err)) && found)
		status = app_files_read(into, buf_text(&word), n_left_out, err);
	buf_free(&word);
	return status;
}

/* All of them or none; in the place of those with the same names. */
static enum status give_more(struct app *app, const struct attached *files, struct error *err)
{
	const struct attached *given = &app->dialog->files.given;
	enum status status;
	struct attached all;

	attached_init(&all);
	status = attached_add_all(&all, &given->list, buf_text(&given->text), err);
	for (size_t i = 0; i < files->list.n && !status; i++)
		attached_remove(&all, find_name(&all.list, files->list.items[i].name));
	if (!status)
		status = attached_add_all(&all, &files->list, buf_text(&files->text), err);
	if (!status)
		app_files_give(app, &all);
	attached_free(&all);
	return status;
}

bool app_read(struct app *app, const struct command_call *call)
{
	struct attached files;
	size_t n_left_out = 0;
	enum status status;
	struct error err;
	char what[128];

	attached_init(&files);
	status = read_names(&files, call, &n_left_out, &err);
	if (!status) {
		app_files_settle(app); /* the command has ended an edit */
		describe(&files.list, what, sizeof what);
		status = give_more(app, &files, &err);
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
	struct attached *given = &app->dialog->files.given;
	const char *argument = call->argument;
	int64_t nth;

	app_files_settle(app); /* the command has ended an edit: `given` are others now */
	nth = (int64_t)given->list.n;
	if (!given->list.n) {
		app_message(app, STYLE_WARNING, app->dialog->files.mentioned.list.n
		            ? "this file comes from the @ in your message: delete that to remove it"
		            : "no file is attached");
		return true;
	}
	if (strcmp(argument, "all") == 0) {
		attached_free(given);
		app->dialog->files.version++;
		app_message(app, STYLE_STATUS, "no files are attached any more");
		return true;
	}
	if (argument[0] && (!number_parse_int(argument, &nth) || nth < 1 || nth > (int64_t)given->list.n)) {
		app_message(app, STYLE_ERROR, "/detach takes all, or a number from 1 to %zu", given->list.n);
		return false;
	}
	app_message(app, STYLE_STATUS, "no longer attached: %s", given->list.items[nth - 1].name);
	attached_remove(given, (size_t)nth - 1);
	app->dialog->files.version++;
	return true;
}

/* ---- tokens ---- */

static bool can_count(const struct app *app)
{
	return app->phase != PHASE_NO_MODEL && app->phase != PHASE_LOADING;
}

/* One after the other, each as a prompt of its own. */
static void ask(struct app *app, size_t index)
{
	struct turn turn = chat_turn_of(app->config->engine, app->config->sampler);
	const struct attached *of;
	const struct attachment *item = file_at(app, index, &of);
	const struct attachment *next = item + 1;
	bool is_last = next == of->list.items + of->list.n;
	struct message block = {.role = ROLE_USER, .text = of->text.data + item->start,
	                        .len = (is_last ? of->text.len : next->start) - item->start};

	turn.raw = true;
	turn.messages = &block;
	turn.n_messages = 1;
	app->dialog->files.asked_index = index;
	app->dialog->files.asked_version = app->dialog->files.version;
	app->dialog->files.asked = worker_post_inspect(app->worker, &turn, INSPECT_FILE, NULL) == STATUS_OK;
}

void app_files_count(struct app *app)
{
	const struct attached *of;

	if (!app_files_n(app) || app->dialog->files.asked || !can_count(app))
		return;
	if (app->dialog->files.generation != app->model->generation) /* another model counts otherwise */
		for (size_t i = 0; i < app_files_n(app); i++)
			file_at(app, i, &of)->tokens = 0;
	app->dialog->files.generation = app->model->generation;
	for (size_t i = 0; i < app_files_n(app); i++)
		if (!file_at(app, i, &of)->tokens) {
			ask(app, i);
			return;
		}
}

static uint64_t count_tokens(const struct app *app)
{
	const struct attached *of;
	uint64_t total = 0;

	for (size_t i = 0; i < app_files_n(app); i++)
		total += file_at(app, i, &of)->tokens;
	return total;
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
	struct buf text;

	buf_init(&text, KIB(64));
	buf_puts(&text, "attached: ");
	put_file(&text, item);
	app_notice(app, STYLE_SYSTEM, "%s", buf_text(&text));
	buf_free(&text);
}

void app_files_counted(struct app *app, const struct event *event)
{
	const struct attached *of;
	struct attachment *item;
	bool had_room = count_tokens(app) < app->model->n_ctx;

	app->dialog->files.asked = false;
	if (app->dialog->files.asked_version != app->dialog->files.version || event->error->status)
		return; /* the next one is asked for again */
	item = file_at(app, app->dialog->files.asked_index, &of);
	if (item)
		item->tokens = event->u.inspected.total ? event->u.inspected.total : 1;
	if (item && !app->front->is_screen)
		say_file(app, item);
	if (item && had_room)
		app_files_have_room(app);
	app->draw.soon = true;
}

bool app_files_have_room(struct app *app)
{
	uint64_t total = count_tokens(app);

	if (!can_count(app) || total < app->model->n_ctx)
		return true;
	app_message(app, STYLE_ERROR, "the files have %llu tokens, the context %u; /detach one, or make it "
	            "larger: /set ctx-size N, then /model", (unsigned long long)total, app->model->n_ctx);
	return false;
}

/* ---- the rows above the line ---- */

/* "and 12 more: 30.1 KiB, 9000 tokens in all" */
static void put_rest(struct buf *out, const struct app *app, size_t from)
{
	const struct attached *of;
	char bytes[AMOUNT_TEXT_MAX];
	uint64_t n_bytes = 0;

	for (size_t i = 0; i < app_files_n(app); i++)
		n_bytes += file_at(app, i, &of)->len;
	buf_printf(out, "and %zu more: %s", app_files_n(app) - from, amount_bytes(bytes, n_bytes));
	if (count_tokens(app))
		buf_printf(out, ", %llu tokens", (unsigned long long)count_tokens(app));
	buf_puts(out, " in all");
}

void app_files_draw(const struct app *app, int y, int rows, int cols)
{
	const struct attached *of;
	const char *key = keymap_key_of(app->keys, "detach-file");
	size_t n = app_files_n(app);

	for (int i = 0; i < rows; i++) {
		bool is_rest = i + 1 == rows && n > (size_t)rows;
		char keys[64] = "";
		struct buf text;

		if (i + 1 == rows && app->dialog->files.given.list.n)
			snprintf(keys, sizeof keys, "%s removes", key ? key : "/detach");
		buf_init(&text, KIB(64));
		if (is_rest)
			put_rest(&text, app, (size_t)i);
		else
			put_file(&text, file_at(app, (size_t)i, &of));
		status_draw_note(stdscr, y + i, cols, "attached:", buf_text(&text), text.len, keys);
		buf_free(&text);
	}
}
