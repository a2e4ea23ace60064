/* Going to another branch of the chat: the takes of a reply and the wordings of a message, one by
 * one or in the tree that /branches draws. Nothing is deleted: the leaf moves, and the journal says
 * where to. */
#include "ui/app_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "base/words.h"
#include "chat/branch.h"
#include "chat/path.h"

void app_move_leaf(struct app *app, uint32_t leaf)
{
	const struct node *system = path_system(app->tree);

	tree_set_leaf(app->tree, leaf);
	if (path_system(app->tree) != system)
		app_template_restore(app);
}

void app_go_to(struct app *app, uint32_t leaf)
{
	app->chat.edited = app->chat.picked = 0; /* they may not be on the path any more */
	if (leaf == tree_leaf(app->tree))
		return;
	app_move_leaf(app, leaf);
	if (app->journal && app->chat.n_stored < leaf) /* a template that was chosen and not used */
		app_store_message(app, leaf);
	app_store_leaf(app);
}

/* Shows a message: as part of the conversation that is on the screen, or of the newest one that it
 * is part of. */
static void show(struct app *app, uint32_t id)
{
	if (!branch_is_shown(app->tree, id))
		app_go_to(app, branch_newest(app->tree, id));
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
	if (app->chat.walked && app->chat.walked_leaf == tree_leaf(app->tree))
		return app->chat.walked;
	return branch_last_fork(app->tree);
}

static bool walk(struct app *app, int step)
{
	uint32_t from = walked(app), to = branch_beside(app->tree, from, step);
	struct branch_take take = branch_take_of(app->tree, from);
	bool picked = app_picked(app);
	const char *what;

	if (take.n == 1) {
		app_message(app, STYLE_STATUS,
		            "there is nothing else here yet: Alt+R asks for another reply, Alt+E changes your "
		            "message");
		return true;
	}
	what = tree_node(app->tree, from)->role == ROLE_USER ? "wording" : "reply";
	if (to)
		show(app, to);
	app->chat.walked = to ? to : from;
	app->chat.picked = picked ? app->chat.walked : 0;
	take = branch_take_of(app->tree, app->chat.walked);
	app->chat.walked_leaf = tree_leaf(app->tree);
	if (to)
		app_message(app, STYLE_STATUS, "%s %zu of %zu", what, take.index, take.n);
	else
		app_message(app, STYLE_STATUS, "this is the %s of %zu: %s %zu of %zu",
		            step < 0 ? "first" : "last", take.n, what, take.index, take.n);
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

/* What is drawn of the tree, by message: index 0 is none. */
struct drawing {
	const struct tree *tree;
	uint32_t *fork;  /* the nearest of a message and those above it that has siblings */
	bool *in_path;
	struct buf text; /* the rows' texts and values, each ended by a NUL */
};

/* A template that was tried before the chat began, or an empty place: it is not drawn. */
static bool is_unused(const struct drawing *drawing, const struct node *node)
{
	return node->role == ROLE_SYSTEM && !node->first_child && !drawing->in_path[node->id];
}

static bool has_next(const struct drawing *drawing, const struct node *node)
{
	while ((node = tree_node(drawing->tree, node->next)))
		if (!is_unused(drawing, node))
			return true;
	return false;
}

static bool has_previous(const struct drawing *drawing, const struct node *node)
{
	while ((node = tree_node(drawing->tree, node->previous)))
		if (!is_unused(drawing, node))
			return true;
	return false;
}

/* The lines that lead to a row: one column of two cells for each fork above it. */
static void put_indent(struct drawing *drawing, const struct node *node)
{
	const struct node *forks[INDENT_MAX];
	uint32_t at = drawing->fork[node->id];
	size_t n = 0;

	for (; at && n < INDENT_MAX; n++) {
		forks[n] = tree_node(drawing->tree, at);
		at = drawing->fork[forks[n]->parent];
	}
	while (n-- > 0) {
		bool last = !has_next(drawing, forks[n]);

		if (forks[n] == node)
			buf_puts(&drawing->text, last ? "\u2514 " : "\u251C ");
		else
			buf_puts(&drawing->text, last ? "  " : "\u2502 ");
	}
}

static const char *who(const struct node *node)
{
	if (node->role == ROLE_ASSISTANT)
		return node->model ? node->model : "Assistant";
	return node->role == ROLE_USER ? "You" : "System";
}

/* "You 2/3: what does it mean that ..." */
static void put_row(struct drawing *drawing, const struct node *node)
{
	const char *text = node->len ? node->text : node->reasoning_len ? node->reasoning : "";
	struct branch_take take = branch_take_of(drawing->tree, node->id);
	size_t line, shown;

	while (words_is_blank(*text))
		text++;
	line = strcspn(text, "\n");
	shown = utf8_cut(text, line, ROW_TEXT_BYTES);
	put_indent(drawing, node);
	buf_puts(&drawing->text, who(node));
	if (take.n > 1)
		buf_printf(&drawing->text, " %zu/%zu", take.index, take.n);
	buf_printf(&drawing->text, ": %.*s%s", (int)shown, text,
	           text[shown + strspn(text + shown, " \t\r\n")] ? "\342\200\246" : "");
	buf_putc(&drawing->text, '\0');
	buf_printf(&drawing->text, "%u", node->id);
	buf_putc(&drawing->text, '\0');
}

/* Fills the items, one for each message, in the order of the tree; returns how many there are. */
static size_t draw_tree(struct drawing *drawing, struct list_item *items)
{
	uint32_t leaf = tree_leaf(drawing->tree);
	const char *at;
	size_t n = 0;

	for (uint32_t id = branch_walk(drawing->tree, 0); id; id = branch_walk(drawing->tree, id)) {
		const struct node *node = tree_node(drawing->tree, id);

		drawing->fork[id] = has_previous(drawing, node) || has_next(drawing, node)
		                            ? id : drawing->fork[node->parent];
		if (is_unused(drawing, node))
			continue;
		put_row(drawing, node);
		items[n++] = (struct list_item){.detail = id == leaf ? "here" : NULL};
	}
	at = buf_text(&drawing->text); /* which stays where it is from now on */
	for (size_t i = 0; i < n && !buf_status(&drawing->text); i++) {
		items[i].text = at;
		items[i].value = at + strlen(at) + 1;
		at = items[i].value + strlen(items[i].value) + 1;
	}
	return n;
}

static struct panel *branches_panel(const struct tree *tree)
{
	size_t room = tree_n(tree) + 1, n = 0;
	struct drawing drawing = {.tree = tree, .fork = alloc_array(room, sizeof *drawing.fork),
	                          .in_path = alloc_array(room, sizeof *drawing.in_path)};
	struct list_item *items = alloc_array(room, sizeof *items);
	const struct node *node = tree_node(tree, tree_leaf(tree));
	struct panel *panel = NULL;
	char here[16];

	buf_init(&drawing.text, LIMIT_TRANSCRIPT);
	for (; drawing.in_path && node; node = tree_node(tree, node->parent))
		drawing.in_path[node->id] = true;
	if (drawing.fork && drawing.in_path && items)
		n = draw_tree(&drawing, items);
	snprintf(here, sizeof here, "%u", tree_leaf(tree));
	if (n && !buf_status(&drawing.text))
		panel = panel_list_open("Branches", items, n, here);
	buf_free(&drawing.text);
	free(drawing.fork);
	free(drawing.in_path);
	free(items);
	return panel;
}

static void chosen(struct app *app, const struct panel *panel)
{
	uint32_t id = (uint32_t)strtoul(panel_list_selected(panel), NULL, 10);

	show(app, id);
	app->chat.walked = branch_take_of(app->tree, id).n > 1 ? id : 0;
	app->chat.walked_leaf = tree_leaf(app->tree);
}

bool app_branches(struct app *app, const struct command_call *call)
{
	static const struct panel_use use = {.flags = PANEL_NEEDS_IDLE, .chosen = chosen};

	(void)call;
	if (tree_n(app->tree) == 0)
		app_message(app, STYLE_STATUS, "there is no message yet");
	else
		app_open_panel(app, branches_panel(app->tree), &use, NULL);
	return true;
}
