/* Choosing a chat: /load, /list, and F5, which shows all chats, or those that contain a text, and what can
 * be done with them. The finder's thread searches; its rows are shown here. */
#include "ui/app_chats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/date.h"
#include "base/file.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "chat/export.h"
#include "dialog/dialog.h"
#include "journal/trash.h"
#include "ui/app_find.h"
#include "ui/app_open.h"
#include "ui/app_panel.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/tell.h"
#include "view/panel_chats.h"

static void chosen(struct app *app, const struct panel *panel);
static void changed(struct app *app, const struct panel *panel);
static void closed(struct app *app);
static void look(struct app *app, struct panel *panel);

static const struct panel_use use = {.flags = PANEL_NEEDS_IDLE, .chosen = chosen, .changed = changed,
                                     .closed = closed, .look = look};

static void drop_rows(struct app_chats *chats)
{
	finder_rows_free(chats->found, chats->n);
	free(chats->rows);
	chats->found = NULL;
	chats->rows = NULL;
	chats->n = chats->cap = chats->cap_rows = 0;
}

void app_chats_free(struct app *app)
{
	finder_end(app->chats->finder);
	app->chats->finder = NULL;
	drop_rows(app->chats);
}

static void ask(struct app *app)
{
	const char *text = panel_chats_text(app->panel);

	finder_ask(app->chats->finder, text, strlen(text), app->chats->order, app->chats->in_trash);
	app->waits = true;
}

static void set_title(struct app *app)
{
	static const char *const orders[ORDER_COUNT] = {"newest first", "oldest first", "by title",
	                                                "longest first"};
	char title[64];

	snprintf(title, sizeof title, "%s, %s", app->chats->in_trash ? "Trash" : "Chats",
	         orders[app->chats->order]);
	panel_chats_set_title(app->panel, title, app->chats->in_trash);
}

static void set_note(struct app *app, const struct finder_news *news)
{
	const size_t n = app->chats->n;
	char note[ERROR_TEXT_MAX];

	if (news->err.status)
		snprintf(note, sizeof note, "%s", news->err.text);
	else if (!news->is_done)
		snprintf(note, sizeof note, "searching\u2026");
	else if (!n && panel_chats_text(app->panel)[0])
		snprintf(note, sizeof note, "no chat contains that");
	else if (!n)
		snprintf(note, sizeof note, app->chats->in_trash ? "the trash is empty" : "no chats are saved yet");
	else if (panel_chats_text(app->panel)[0])
		snprintf(note, sizeof note, "%s%zu of %zu chat%s", n >= FINDER_ROWS_MAX ? "the first " : "", n,
		         news->n_chats, news->n_chats == 1 ? "" : "s");
	else
		snprintf(note, sizeof note, "%zu chat%s", n, n == 1 ? "" : "s");
	panel_chats_set_note(app->panel, note);
}

/* Takes over the rows. */
static bool add_rows(struct app_chats *chats, struct finder_row *found, size_t n)
{
	if (!alloc_grow(&chats->found, &chats->cap, chats->n + n, sizeof *chats->found, LIMIT_TRANSCRIPTS) ||
	    !alloc_grow(&chats->rows, &chats->cap_rows, chats->n + n, sizeof *chats->rows, LIMIT_TRANSCRIPTS))
		return false;
	for (size_t i = 0; i < n; i++, chats->n++) {
		const struct finder_row *row = &found[i];

		chats->found[chats->n] = *row;
		chats->rows[chats->n] = (struct chats_row){
			.path = row->path, .id = row->id, .title = row->title, .model = row->model,
			.line = row->line, .len = row->len, .from = row->from, .to = row->to, .role = row->role,
			.modified = row->modified, .n_messages = row->n_messages, .twin = row->twin};
	}
	return true;
}

void app_take_found(struct app *app)
{
	struct app_chats *chats = app->chats;
	struct finder_news news;

	finder_take(chats->finder, &news);
	if (!app->panel || app->panel_use != &use) {
		finder_rows_free(news.rows, news.n);
		return;
	}
	chats->is_outdated |= news.is_new;
	if (chats->is_outdated && (news.n || news.is_done || news.err.status)) {
		chats->is_outdated = false;
		drop_rows(chats);
	}
	if (news.n && !add_rows(chats, news.rows, news.n)) {
		error_no_memory(&news.err, "for the list");
		finder_rows_free(news.rows, news.n);
	} else {
		free(news.rows);
	}
	panel_chats_set(app->panel, chats->rows, chats->n);
	set_note(app, &news);
	if (news.is_done || news.err.status)
		app->waits = false;
	app->draw.now = true;
}

static bool is_here(const struct app *app, const char *path)
{
	return app->dialog->journal && journal_is_at(app->dialog->journal, path);
}

/* Takes the selected row out, before the finder has seen that it is gone. */
static void remove_selected(struct app *app)
{
	struct app_chats *chats = app->chats;
	size_t at = (size_t)(panel_chats_selected(app->panel) - chats->rows);
	struct finder_row *gone = malloc(sizeof *gone);

	if (gone) {
		*gone = chats->found[at];
		finder_rows_free(gone, 1);
		memmove(chats->found + at, chats->found + at + 1, (chats->n - at - 1) * sizeof *chats->found);
		memmove(chats->rows + at, chats->rows + at + 1, (chats->n - at - 1) * sizeof *chats->rows);
		chats->n--;
		panel_chats_set(app->panel, chats->rows, chats->n);
	}
	finder_look(chats->finder);
}

static void delete_chat(struct app *app, const struct chats_row *row)
{
	struct error err;

	if (is_here(app, row->path)) {
		app_message(app, STYLE_WARNING, "this chat is open here: begin another one with /new, then delete it");
		return;
	}
	if (trash_put(row->path, &io_system, &err)) {
		app_message(app, STYLE_ERROR, "not deleted: %s", err.text);
		finder_look(app->chats->finder);
		return;
	}
	app_message(app, STYLE_STATUS, "moved to the trash: Ctrl+T shows it, and Enter there restores the chat");
	remove_selected(app);
}

static void rename_chat(struct app *app, const struct chats_row *row, const char *title)
{
	enum status status;
	struct error err;

	status = is_here(app, row->path) ? dialog_store_title(app->dialog, title, &err)
	                                 : journal_rename(row->path, title, &io_system, &err);
	app_tell_facts(app);
	if (status)
		app_message(app, STYLE_ERROR, "not renamed: %s", err.text);
	finder_look(app->chats->finder);
}

static enum status write_export(const char *path, const char *to, const struct export_format *format,
                                struct error *err)
{
	enum { MODE = 0666 };
	struct tree *tree = NULL;
	struct buf title = {.max = LIMIT_RECORD}, text = {.max = LIMIT_TRANSCRIPT};
	size_t n_damaged;
	enum status status;

	status = journal_load(path, &tree, &n_damaged, &title, err);
	if (!status && format->write(tree, buf_text(&title), &text))
		status = error_no_memory(err, "for the whole chat");
	if (!status)
		status = file_write(&io_system, to, buf_text(&text), text.len, false, MODE, err);
	tree_free(tree);
	buf_free(&title);
	buf_free(&text);
	return status;
}

static void export_chat(struct app *app, const struct chats_row *row, const char *name)
{
	const struct export_format *format = export_of_file(name);
	enum status status;
	struct error err;
	struct buf path = {.max = KIB(16)};

	status = home_path_put_typed(&path, name, &err);
	if (!format)
		app_message(app, STYLE_ERROR, "the file's name must end in " EXPORT_NAMES(".") ", which sets the "
		            "format");
	else if (status)
		app_message(app, STYLE_ERROR, "%s", err.text);
	else if (write_export(row->path, buf_text(&path), format, &err))
		app_message(app, STYLE_ERROR, "not exported: %s", err.text);
	else
		app_message(app, STYLE_SUCCESS, "exported to %s", buf_text(&path));
	buf_free(&path);
}

static void empty_trash(struct app *app)
{
	struct journal_entry *entries;
	size_t n, n_removed = 0;
	struct error err;
	enum status status = trash_list(&entries, &n, &err);

	if (!status) {
		status = trash_empty(entries, n, &n_removed, &io_system, &err);
		journal_list_free(entries, n);
	}
	if (status)
		app_message(app, STYLE_ERROR, "%zu deleted, then an error: %s", n_removed, err.text);
	else
		app_message(app, STYLE_STATUS, "%zu chat%s deleted for good", n_removed,
		            n_removed == 1 ? " was" : "s were");
	finder_look(app->chats->finder);
}

static void changed(struct app *app, const struct panel *panel)
{
	const struct chats_row *row = panel_chats_selected(panel);
	const char *answer = panel_chats_answer(panel);

	switch (panel_chats_act(panel)) {
	case CHATS_SELECT: break;
	case CHATS_SEARCH: ask(app); break;
	case CHATS_SORT:
		app->chats->order = (app->chats->order + 1) % ORDER_COUNT;
		set_title(app);
		ask(app);
		break;
	case CHATS_TRASH:
		app->chats->in_trash = !app->chats->in_trash;
		drop_rows(app->chats); /* Enter means something else now */
		panel_chats_set(app->panel, NULL, 0);
		set_title(app);
		ask(app);
		break;
	case CHATS_DELETE:
		if (row)
			delete_chat(app, row);
		break;
	case CHATS_RENAME:
		if (row)
			rename_chat(app, row, answer);
		break;
	case CHATS_EXPORT:
		if (row && answer[0])
			export_chat(app, row, answer);
		break;
	case CHATS_EMPTY: empty_trash(app); break;
	}
}

static void chosen(struct app *app, const struct panel *panel)
{
	const struct chats_row *row = panel_chats_selected(panel);
	const char *text = panel_chats_text(panel);
	const struct command_call find = {.argument = text, .argument_len = strlen(text)};
	struct error err;

	if (app->chats->in_trash) {
		if (trash_restore(row->path, &io_system, &err))
			app_message(app, STYLE_ERROR, "not restored: %s", err.text);
		else
			app_message(app, STYLE_SUCCESS, "restored: %s lists it again", app_key(app, "load"));
	} else if (app_open_chat(app, row->path) && row->line && app->front->is_screen) {
		app_find(app, &find); /* shows the place */
	}
}

static void closed(struct app *app)
{
	finder_pause(app->chats->finder);
	app->waits = false;
}

static void look(struct app *app, struct panel *panel)
{
	(void)panel;
	finder_look(app->chats->finder);
}

static void open_chats(struct app *app)
{
	struct error err;

	if (!app->chats->finder && finder_start(&app->chats->finder, &err)) {
		app_error(app, &err);
		return;
	}
	drop_rows(app->chats);
	app->chats->in_trash = false;
	app_open_panel(app, panel_chats_open(app->dialog->journal ? journal_path(app->dialog->journal) : NULL, date_text),
	               &use, NULL);
	if (!app->panel)
		return;
	set_title(app);
	panel_chats_set_note(app->panel, "looking for chats\u2026");
	ask(app);
}

bool app_load(struct app *app, const struct command_call *call)
{
	if (call->argument[0])
		return app_open_chat(app, call->argument);
	open_chats(app);
	return true;
}

/* The latest chats, the newest last, where the eye is; F5 has them all. */
bool app_list_chats(struct app *app, const struct command_call *call)
{
	enum { LISTED = 20, TITLE_BYTES = 60 };
	struct journal_entry *entries;
	struct error err;
	struct buf text = {.max = KIB(64)};
	size_t n;

	(void)call;
	if (journal_list(&entries, &n, &err)) {
		app_error(app, &err);
		return true;
	}
	if (n == 0)
		buf_puts(&text, "No chats are saved yet.");
	if (n > LISTED)
		buf_printf(&text, "The latest %d of %zu chats; %s shows them all.\n", LISTED, n,
		           app_key(app, "load"));
	for (size_t i = n < LISTED ? n : LISTED; i-- > 0;) {
		const char *title = entries[i].title ? entries[i].title : "";
		size_t len = strlen(title), shown = utf8_cut(title, len, TITLE_BYTES);
		char date[DATE_TEXT_MAX];

		date_text(entries[i].modified, date);
		buf_printf(&text, "%s  %s  %.*s%s", entries[i].id, date, (int)shown, title,
		           shown < len ? "\342\200\246" : "");
		if (entries[i].n_messages)
			buf_printf(&text, " (%zu message%s%s%s)", entries[i].n_messages,
			           entries[i].n_messages == 1 ? "" : "s", entries[i].model ? ", " : "",
			           entries[i].model ? entries[i].model : "");
		if (i)
			buf_putc(&text, '\n');
	}
	if (!buf_status(&text))
		app_notice(app, STYLE_SYSTEM, "%s", buf_text(&text));
	buf_free(&text);
	journal_list_free(entries, n);
	return true;
}
