/* Choosing a chat. UI thread only. */
#ifndef SOTTO_UI_APP_CHATS_H
#define SOTTO_UI_APP_CHATS_H

#include <stdbool.h>
#include <stddef.h>

#include "search/finder.h"

struct app;
struct chats_row;
struct command_call;
struct finder;
struct finder_row;

/* What F5 shows. */
struct app_chats {
	struct finder *finder;    /* NULL: F5 has not been pressed yet */
	struct finder_row *found; /* owned */
	struct chats_row *rows;   /* owned; the same for the panel, borrowed from them */
	size_t n, cap, cap_rows;
	enum finder_order order;
	bool in_trash;
	bool is_outdated;         /* the rows are of the question before: the first new ones replace them */
};

void app_take_found(struct app *app); /* the finder has news */
void app_chats_free(struct app *app);
bool app_load(struct app *app, const struct command_call *call);
bool app_list_chats(struct app *app, const struct command_call *call);

#endif
