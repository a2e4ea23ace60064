/* Picking a message with Alt+Up and Alt+Down: Alt+E, Alt+R, Alt+Left, Alt+Right and /fork act on it
 * instead of the last one. */
#include "ui/app_pick.h"

#include <string.h>

#include "base/utf8.h"
#include "chat/branch.h"
#include "chat/path.h"
#include "dialog/dialog.h"
#include "line/input_line.h"
#include "ui/app_find.h"
#include "ui/app_open.h"
#include "ui/command.h"
#include "ui/keymap.h"
#include "ui/tell.h"
#include "view/message_parts.h"

uint32_t app_picked(const struct app *app)
{
	return app->chat->picked && branch_is_shown(app->dialog->tree, app->chat->picked) ? app->chat->picked : 0;
}

const struct node *app_picked_reply(const struct app *app)
{
	const struct node *picked = tree_node(app->dialog->tree, app_picked(app));

	return picked && picked->role == ROLE_ASSISTANT ? picked : path_reply(app->dialog->tree);
}

void app_part_none(struct app *app)
{
	if (app->part->at && !app->find->n)
		chat_view_show_text(app->view, 0, 0, 0);
	app->part->at = app->part->asked = 0;
}

/* The nearest message from `node` upwards that somebody has said; NULL: there is none. */
static const struct node *said(const struct app *app, const struct node *node)
{
	while (node && node->role == ROLE_SYSTEM)
		node = tree_node(app->dialog->tree, node->parent);
	return node;
}

static const struct node *above(const struct app *app, uint32_t picked)
{
	const struct node *node = tree_node(app->dialog->tree, picked ? picked : tree_leaf(app->dialog->tree));

	return said(app, node && picked ? tree_node(app->dialog->tree, node->parent) : node);
}

static const struct node *below(const struct app *app, uint32_t picked)
{
	const struct node *node = said(app, tree_node(app->dialog->tree, tree_leaf(app->dialog->tree))), *found = NULL;

	for (; node && node->id != picked; node = said(app, tree_node(app->dialog->tree, node->parent)))
		found = node;
	return node ? found : NULL;
}

bool app_unpick(struct app *app)
{
	bool had_any = app_picked(app);

	app_part_none(app);
	app->chat->picked = 0;
	return had_any;
}

bool app_pick(struct app *app, int step)
{
	uint32_t picked = app_picked(app);
	const struct node *node = step < 0 ? above(app, picked) : below(app, picked);

	if (!node && step < 0) {
		app_message(app, STYLE_STATUS, picked ? "this is the first message" : "there is no message yet");
		return true;
	}
	if (!node) {
		app_unpick(app);
		chat_view_to_bottom(app->view);
		return true;
	}
	app_part_none(app);
	app->chat->picked = node->id;
	chat_view_show(app->view, node->id);
	return true;
}

void app_pick_hints(const struct app *app, int cols, struct buf *out)
{
	const struct node *node = tree_node(app->dialog->tree, app_picked(app));
	struct branch_take take = branch_take_of(app->dialog->tree, node->id);
	bool is_reply = node->role == ROLE_ASSISTANT;
	struct key_hint hints[8];
	size_t n = 0;

	/* The most wanted first: what there is no room for is left out. */
	hints[n++] = (struct key_hint){"edit", "edit"};
	if (is_reply)
		hints[n++] = (struct key_hint){"regen", "another reply"};
	hints[n++] = (struct key_hint){"=Enter", "copy"};
	hints[n++] = (struct key_hint){"=Tab", "parts"};
	if (take.n > 1)
		hints[n++] = (struct key_hint){take.index > 1 ? "prev" : "next", "other version"};
	hints[n++] = (struct key_hint){"escape", "unpick"};
	key_hints(app->keys, hints, n, cols, out);
}

/* ---- its code blocks and links ---- */

/* Tab goes from one to the next, Enter copies what is picked, or opens the link. A link is never
 * opened without Enter; the first one after the program was started needs a second Enter, with its
 * address in sight. */

/* Which part of the picked message is picked, from 1; 0: all of it. */
static size_t picked_part(const struct app *app)
{
	return app_picked(app) && app->part->node == app_picked(app) ? app->part->at : 0;
}

/* Where a link leads: the host, or what stands behind "mailto:". *whole: nothing stands before it
 * that could be taken for it. */
static const char *find_host(const char *address, size_t *len, bool *whole)
{
	const char *host = strstr(address, "://"), *at = NULL;

	*whole = true;
	if (!host || strncmp(address, "mailto:", 7) == 0) {
		host = address + (strncmp(address, "mailto:", 7) == 0 ? 7 : 0);
		*len = strcspn(host, "?");
		return host;
	}
	host += 3;
	*len = strcspn(host, "/?#\\");
	for (size_t i = 0; i < *len; i++)
		if (host[i] == '@')
			at = host + i;
	if (at) {
		*len -= (size_t)(at + 1 - host);
		host = at + 1;
		*whole = false;
	}
	return host;
}

static void tell_link(struct app *app, const char *address, const char *before)
{
	bool whole, takes = opener_takes(address);
	size_t len;
	const char *host = find_host(address, &len, &whole);

	if (takes)
		app_message(app, whole ? STYLE_STATUS : STYLE_WARNING,
		            "%s %.*s, %s copies the address: %s", before,
		            (int)utf8_cut(host, len, 200), host, app_key(app, "copy"), address);
	else
		app_message(app, STYLE_STATUS, "this link is not opened (only http, https and mailto are); %s "
		            "copies it: %s", app_key(app, "copy"), address);
	app->bar->lasts_ms = 0;
}

static void tell(struct app *app, const struct message_part *part)
{
	if (!part->block) {
		tell_link(app, part->target, "a link: Enter opens");
		return;
	}
	app_message(app, STYLE_STATUS, "code block %zu%s%.*s%s: Enter copies it, /write %zu FILE writes it",
	            part->block, part->language_len ? " (" : "",
	            (int)utf8_cut(part->language, part->language_len, 20), part->language,
	            part->language_len ? ")" : "", part->block);
	app->bar->lasts_ms = 0;
}

/* The next part (1), or the one before (-1); behind the last one, the message itself. */
static void step(struct app *app, const struct node *node, int by)
{
	struct message_parts parts;
	size_t at = picked_part(app);

	message_parts_find(&parts, node);
	if (at > parts.n) /* the message has changed */
		at = 0;
	if (!parts.n) {
		app_message(app, STYLE_STATUS, "this message has no code blocks or links");
	} else {
		at = by > 0 ? (at + 1) % (parts.n + 1) : at ? at - 1 : parts.n;
		app_part_none(app);
		app->part->node = node->id;
		app->part->at = at;
	}
	if (at && at <= parts.n) {
		const struct message_part *part = &parts.items[at - 1];

		chat_view_show_text(app->view, node->id, part->start,
		                    part->end > part->start ? part->end : part->start + 1);
		tell(app, part);
	} else if (parts.n) {
		app_message(app, STYLE_STATUS, "the whole message: Enter copies it");
	}
	message_parts_free(&parts);
}

static void open_link(struct app *app, const char *address, size_t at)
{
	struct error err;

	if (opener_takes(address) && !app->part->trusts && app->part->asked != at) {
		app->part->asked = at;
		tell_link(app, address, "Enter again opens");
	} else if (opener_open(&app->part->opener, address, &err)) {
		app_message(app, STYLE_ERROR, "%s; %s copies the address", err.text, app_key(app, "copy"));
	} else {
		app->part->trusts = true;
		app_message(app, STYLE_SUCCESS, "opened with %s: %s", app->part->opener.by, address);
	}
}

static void use(struct app *app, const struct node *node)
{
	size_t at = picked_part(app);
	struct message_parts parts;

	message_parts_find(&parts, node);
	if (at && at <= parts.n && !parts.items[at - 1].block)
		open_link(app, parts.items[at - 1].target, at);
	else
		command_find(app->commands, "copy", 4)->run(app, &(struct command_call){.argument = ""});
	message_parts_free(&parts);
}

bool app_part_take(const struct app *app, struct buf *text, size_t *block)
{
	const struct node *node = tree_node(app->dialog->tree, app_picked(app));
	size_t at = picked_part(app);
	struct message_parts parts;
	bool is_link;

	if (!at || !node)
		return false;
	message_parts_find(&parts, node);
	is_link = at <= parts.n && !parts.items[at - 1].block;
	if (is_link)
		buf_puts(text, parts.items[at - 1].target);
	else if (at <= parts.n)
		*block = parts.items[at - 1].block;
	message_parts_free(&parts);
	return is_link;
}

bool app_part_key(struct app *app, struct key key)
{
	const struct node *node = tree_node(app->dialog->tree, app_picked(app));

	if (!node || !input_line_is_empty() || input_line_is_searching())
		return false;
	if (key_is(key, K_TAB, 0) || key_is(key, K_TAB, MOD_SHIFT)) {
		step(app, node, key.mods ? -1 : 1);
		return true;
	}
	if (key_is(key, K_ENTER, 0)) {
		use(app, node);
		return true;
	}
	if (key_is(key, K_ESC, 0) && picked_part(app)) {
		app_part_none(app);
		return true;
	}
	return false;
}

void app_part_look(struct app *app)
{
	struct error err;

	if (opener_has_failed(&app->part->opener, &err))
		app_message(app, STYLE_ERROR, "%s; %s copies the address", err.text, app_key(app, "copy"));
}
