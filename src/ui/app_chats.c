/* Choosing a chat: F5 and /load; /list. */
#include "ui/app_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/utf8.h"

void app_date_text(int64_t when, char text[APP_DATE_MAX])
{
	time_t then = (time_t)when, now = time(NULL);
	struct tm a, b;

	text[0] = '\0';
	if (localtime_r(&then, &a) && localtime_r(&now, &b))
		strftime(text, APP_DATE_MAX, a.tm_year == b.tm_year ? "%b %e %H:%M" : "%b %e %Y", &a);
}

/* Model, length and time tell apart chats that begin alike; the one on the screen is marked. The id
 * is shown below the list. */
static struct panel *chats_panel(const struct app *app, const struct journal_entry *entries,
                                 size_t n)
{
	static const char *const heads[] = {"model", "messages", "last used"};
	struct list_item *items = alloc_array(n, sizeof *items);
	struct texts {
		char count[24], date[APP_DATE_MAX];
	} *texts = alloc_array(n, sizeof *texts);
	const char *here = app->journal ? journal_path(app->journal) : NULL;
	struct panel *panel = NULL;

	for (size_t i = 0; items && texts && i < n; i++) {
		const struct journal_entry *entry = &entries[i];

		if (here && strcmp(entry->path, here) == 0)
			snprintf(texts[i].date, sizeof texts[i].date, "open here");
		else
			app_date_text(entry->modified, texts[i].date);
		if (entry->n_messages)
			snprintf(texts[i].count, sizeof texts[i].count, "%zu", entry->n_messages);
		items[i] = (struct list_item){
			.text = entry->title[0] ? entry->title : entry->id, .note = entry->id,
			.value = entry->path, .columns = {entry->model, texts[i].count, texts[i].date}};
	}
	if (items && texts)
		panel = panel_list_open("Chats", items, n, here);
	if (panel && !panel_list_set_columns(panel, heads, sizeof heads / sizeof heads[0])) {
		panel_close(panel);
		panel = NULL;
	}
	free(items);
	free(texts);
	return panel;
}

static void chosen(struct app *app, const struct panel *panel)
{
	app_open_chat(app, panel_list_selected(panel));
}

static void open_chats(struct app *app)
{
	static const struct panel_use use = {.flags = PANEL_NEEDS_IDLE, .chosen = chosen};
	struct journal_entry *entries;
	struct error err;
	size_t n;

	if (journal_list(&entries, &n, &err)) {
		app_error(app, &err);
		return;
	}
	if (n == 0)
		app_message(app, STYLE_STATUS, "no chats are kept yet");
	else
		app_open_panel(app, chats_panel(app, entries, n), &use, NULL);
	journal_list_free(entries, n);
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
	struct buf text;
	size_t n;

	(void)call;
	if (journal_list(&entries, &n, &err)) {
		app_error(app, &err);
		return true;
	}
	buf_init(&text, KIB(64));
	if (n == 0)
		buf_puts(&text, "No chats are kept yet.");
	if (n > LISTED)
		buf_printf(&text, "The latest %d of %zu chats; %s shows them all.\n", LISTED, n,
		           app_key(app, "load"));
	for (size_t i = n < LISTED ? n : LISTED; i-- > 0;) {
		const char *title = entries[i].title ? entries[i].title : "";
		size_t len = strlen(title), shown = utf8_cut(title, len, TITLE_BYTES);
		char date[APP_DATE_MAX];

		app_date_text(entries[i].modified, date);
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
