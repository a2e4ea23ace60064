/* Choosing a chat: /load; /list. F5 is app_chats_panel.c. */
#include "ui/app_chats.h"

#include <string.h>

#include "base/date.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "journal/journal.h"
#include "ui/app_chats_panel.h"
#include "ui/app_store.h"
#include "ui/command.h"
#include "ui/tell.h"

bool app_load(struct app *app, const struct command_call *call)
{
	if (call->argument[0])
		return app_open_chat(app, call->argument);
	app_open_chats(app);
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
