/* Going to another branch of the chat: the takes of a reply and the wordings of a message, one by
 * one or in the tree that /branches draws. Nothing is deleted: the leaf moves, and the journal says
 * where to. */
#include "ui/app_branch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "base/words.h"
#include "chat/branch.h"
#include "dialog/dialog.h"
#include "dialog/leaf.h"
#include "ui/app_open.h"
#include "ui/app_panel.h"
#include "ui/app_pick.h"
#include "ui/front.h"
#include "ui/tell.h"

void app_go_to(struct app *app, uint32_t leaf)
{
	app->chat->picked = 0; /* it may not be on the path any more */
	dialog_go_to(app->dialog, leaf);
	app_tell_facts(app);
}

/* Shows a message: as part of the conversation that is on the screen, or of the newest one that it
 * is part of. */
static void show(struct app *app, uint32_t id)
{
	if (!branch_is_shown(app->dialog->tree, id))
		app_go_to(app, branch_newest(app->dialog->tree, id));
	else
		app->front->repeat(app, id);
	if (chat_view_sync(app->view) == STATUS_OK)
		chat_view_show(app->view, id);
}

/* ---- one after the other ---- */

/* The message whose takes are walked through: the one that is picked, or that was walked to just now,
 * even if there are other forks below it; otherwise the last that has any. */
static uint32_t walked(const struct app *app)
{
	if (app_picked(app))
		return app_picked(app);
	if (app->chat->walked && app->chat->walked_leaf == tree_leaf(app->dialog->tree))
		return app->chat->walked;
	return branch_last_fork(app->dialog->tree);
}

static bool walk(struct app *app, int step)
{
	uint32_t from = walked(app), to = branch_beside(app->dialog->tree, from, step);
	struct branch_take take = branch_take_of(app->dialog->tree, from);
	bool picked = app_picked(app);

	if (take.n == 1) {
		app_message(app, STYLE_STATUS,
		            "there is only one version: %s asks for another reply, %s edits your "
		            "message", app_key(app, "regen"), app_key(app, "edit"));
		return true;
	}
	if (to)
		show(app, to);
	app->chat->walked = to ? to : from;
	app->chat->picked = picked ? app->chat->walked : 0;
	take = branch_take_of(app->dialog->tree, app->chat->walked);
	app->chat->walked_leaf = tree_leaf(app->dialog->tree);
	if (to)
		app_message(app, STYLE_STATUS, "version %zu of %zu", take.index, take.n);
	else
		app_message(app, STYLE_STATUS, "this is the %s one: version %zu of %zu",
		            step < 0 ? "first" : "last", take.index, take.n);
	return true;
}

bool app_previous_take(struct app *app, const struct command_call *call)
{
	(void)call;
	return walk(app, -1);
}

bool app_next_take(struct app *app, const struct command_call *call)
{
	(void)call;
	return walk(app, 1);
}

/* ---- the tree ---- */

enum { INDENT_MAX = 16, ROW_TEXT_BYTES = 160 };

/* "| You 2/3: what does it mean that ..." and the message's id, each ended by a NUL. */
static void put_row(struct buf *out, const struct tree *tree, const struct branch_row *row)
{
	const struct node *node = tree_node(tree, row->id);
	const char *text = node->len ? node->text : node->reasoning_len ? node->reasoning : "";
	struct branch_take take = branch_take_of(tree, row->id);
	size_t line, shown;

	while (words_is_blank(*text))
		text++;
	line = strcspn(text, "\n");
	shown = utf8_cut(text, line, ROW_TEXT_BYTES);
	for (uint32_t i = 1; i <= row->depth && i <= INDENT_MAX; i++)
		buf_puts(out, i == row->depth && row->begins ? "\u251C " : "\u2502 ");
	buf_puts(out, tree_speaker(node));
	if (take.n > 1)
		buf_printf(out, " %zu/%zu", take.index, take.n);
	buf_printf(out, ": %.*s%s", (int)shown, text,
	           text[shown + strspn(text + shown, " \t\r\n")] ? "\342\200\246" : "");
	buf_putc(out, '\0');
	buf_printf(out, "%u", node->id);
	buf_putc(out, '\0');
}

/* Fills the items, one for each row. */
static enum status put_items(struct list_item *items, struct buf *text, const struct tree *tree,
                             const struct branch_row *rows, size_t n)
{
	const char *at;

	for (size_t i = 0; i < n; i++)
		put_row(text, tree, &rows[i]);
	at = buf_text(text); /* which stays where it is from now on */
	for (size_t i = 0; i < n && !buf_status(text); i++) {
		items[i].text = at;
		items[i].value = at + strlen(at) + 1;
		items[i].detail = rows[i].id == tree_leaf(tree) ? "here" : NULL;
		at = items[i].value + strlen(items[i].value) + 1;
	}
	return buf_status(text);
}

static struct panel *branches_panel(const struct tree *tree)
{
	size_t n;
	struct branch_row *rows = branch_rows(tree, &n);
	struct list_item *items = alloc_array(n, sizeof *items);
	struct panel *panel = NULL;
	struct buf text = {.max = LIMIT_TRANSCRIPT};
	char here[16];

	snprintf(here, sizeof here, "%u", tree_leaf(tree));
	if (rows && items && !put_items(items, &text, tree, rows, n))
		panel = panel_list_open("Branches", items, n, here);
	buf_free(&text);
	free(items);
	free(rows);
	return panel;
}

static void chosen(struct app *app, const struct panel *panel)
{
	uint32_t id = (uint32_t)strtoul(panel_list_selected(panel), NULL, 10);

	show(app, id);
	app->chat->walked = branch_take_of(app->dialog->tree, id).n > 1 ? id : 0;
	app->chat->walked_leaf = tree_leaf(app->dialog->tree);
}

bool app_branches(struct app *app, const struct command_call *call)
{
	static const struct panel_use use = {.flags = PANEL_NEEDS_IDLE | PANEL_HAS_MESSAGES, .chosen = chosen};

	(void)call;
	if (tree_n(app->dialog->tree) == 0)
		app_message(app, STYLE_STATUS, "there is no message yet");
	else
		app_open_panel(app, branches_panel(app->dialog->tree), &use, NULL);
	return true;
}
