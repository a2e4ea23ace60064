/* /find: goes from one match of a text in the chat to the next. */
#include "ui/app_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/text_find.h"
#include "base/utf8.h"
#include "dialog/dialog.h"
#include "line/input_line.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/tell.h"

enum { HITS_MAX = 1000000 };

static enum status add_hits(struct app_find *find, const struct node *node,
                            const struct buf *folded)
{
	struct app_hit hit = {.node = node->id};

	while (text_find(folded, node->text, node->len, hit.end, &hit.start, &hit.end)) {
		if (!alloc_grow(&find->hits, &find->cap, find->n + 1, sizeof *find->hits, HITS_MAX))
			return STATUS_NOMEM;
		find->hits[find->n++] = hit;
	}
	return STATUS_OK;
}

/* All of them, from the first message to the last. */
static enum status look(struct app *app, const struct buf *folded)
{
	size_t n;
	uint32_t *ids = tree_path_ids(app->dialog->tree, &n);
	enum status status = ids ? STATUS_OK : STATUS_NOMEM;

	for (size_t i = 0; !status && i < n; i++)
		status = add_hits(app->find, tree_node(app->dialog->tree, ids[i]), folded);
	free(ids);
	return status;
}

/* It stays until another message or the next key. */
static void tell(struct app *app)
{
	const struct app_find *find = app->find;
	double percent = (double)find->hits[find->at].p * 100;
	char figure[32] = "";

	if (percent > 0)
		snprintf(figure, sizeof figure, percent >= 10 ? ": %.0f %%" : ": %.2g %%", percent);
	app_message(app, STYLE_STATUS, "%s %zu of %zu%s  n next  N previous  Esc ends", find->what ? find->what : "match",
	            find->at + 1, find->n, figure);
	app->bar->lasts_ms = 0;
}

enum { LISTED_MAX = 20, AROUND_BYTES = 100 };

/* In lines: lists the matches; if there are many, the last ones. */
static void list_hits(struct app *app)
{
	const struct app_find *find = app->find;
	size_t first = find->n > LISTED_MAX ? find->n - LISTED_MAX : 0;
	struct buf text = {.max = LIMIT_MESSAGE};

	buf_printf(&text, "%zu match%s", find->n, find->n == 1 ? "" : "es");
	if (first)
		buf_printf(&text, ", of which the last %d are", LISTED_MAX);
	for (size_t i = first; i < find->n; i++) {
		const struct app_hit *hit = &find->hits[i];
		const struct node *node = tree_node(app->dialog->tree, hit->node);
		size_t from = hit->start, to;

		while (from && node->text[from - 1] != '\n' && hit->start - from < AROUND_BYTES)
			from--;
		while (from < hit->start && (node->text[from] & 0xC0) == 0x80)
			from++; /* not within a character */
		to = hit->end + utf8_cut(node->text + hit->end, strcspn(node->text + hit->end, "\n"),
		                         AROUND_BYTES);
		buf_printf(&text, "\n%s: %.*s", node->role == ROLE_USER ? "You" : "Reply", (int)(to - from),
		           node->text + from);
	}
	app_notice(app, STYLE_SYSTEM, "%s", buf_text(&text));
	buf_free(&text);
}

static void show(struct app *app)
{
	const struct app_hit *hit = &app->find->hits[app->find->at];

	chat_view_show_text(app->view, hit->node, hit->start, hit->end);
	tell(app);
}

void app_find_end(struct app *app)
{
	struct app_find *find = app->find;
	struct app_hit last = find->n ? find->hits[find->at] : find->last;

	free(find->hits);
	*find = (struct app_find){.last = last};
	if (app->view)
		chat_view_show_text(app->view, 0, 0, 0);
}

void app_find_places(struct app *app, const struct app_find *places)
{
	app_find_end(app);
	*app->find = *places;
	show(app);
}

/* Begins at the latest, from which N goes back; from the last, n goes on at the first. */
bool app_find(struct app *app, const struct command_call *call)
{
	struct buf folded = {.max = LIMIT_MESSAGE};
	enum status status;

	app_find_end(app);
	status = text_find_fold(&folded, call->argument, call->argument_len);
	if (!status && (status = chat_view_sync(app->view)) == STATUS_OK)
		status = look(app, &folded);
	buf_free(&folded);
	if (status) {
		app_find_end(app);
		app_message(app, STYLE_ERROR, "not enough memory for the search");
		return false;
	}
	if (!app->find->n) {
		app_message(app, STYLE_WARNING, "not found in this chat; %s searches all of them",
		            app_key(app, "load"));
		return false;
	}
	app->find->at = app->find->n - 1;
	if (!app->front->is_screen) {
		list_hits(app);
		app_find_end(app);
		return true;
	}
	show(app);
	return true;
}

/* Scrolling, and drawing again. */
static bool only_looks(struct key key)
{
	switch (key.name) {
	case K_CHAR: return key_is_char(key, 'l', MOD_CTRL);
	case K_PAGE_UP: case K_PAGE_DOWN: return true;
	case K_UP: case K_DOWN: return key.mods & MOD_SHIFT;
	case K_HOME: case K_END: return key.mods & MOD_CTRL;
	default: return false;
	}
}

bool app_find_key(struct app *app, struct key key)
{
	struct app_find *find = app->find;
	bool next = key_is_char(key, 'n', 0);

	if (!find->n)
		return false;
	if (input_line_is_empty() && (next || key_is_char(key, 'N', 0))) {
		find->at = (find->at + (next ? 1 : find->n - 1)) % find->n;
		show(app);
		return true;
	}
	if (only_looks(key)) {
		tell(app);
		return false;
	}
	app_find_end(app);
	return key.name == K_ESC && !key.mods;
}
