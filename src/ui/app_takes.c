/* Two takes side by side: the picked reply, or the last one, and another one of those to the same message, or to another
 * wording of a message above. */
#include "ui/app_takes.h"

#include <stdio.h>

#include "base/alloc.h"
#include "chat/branch.h"
#include "chat/takes.h"
#include "dialog/dialog.h"
#include "dialog/kept.h"
#include "ui/app_branch.h"
#include "ui/app_panel.h"
#include "ui/app_pick.h"
#include "ui/command.h"
#include "ui/tell.h"
#include "view/panel_takes.h"

enum { OTHERS_MAX = 256 };

/* The two that are shown, and what the first can be compared with. */
struct takes_use {
	uint32_t a, b;
	uint32_t others[OTHERS_MAX];
	size_t n;
};

/* "version 2 of 3", or of a reply below another wording of a message, which one that is of. */
static void name_take(const struct tree *tree, uint32_t a, uint32_t b, char out[TAKE_NAME_MAX])
{
	const struct node *node = tree_node(tree, a), *other = tree_node(tree, b);
	struct branch_take take;

	takes_fork(tree, &node, &other);
	take = branch_take_of(tree, node->id);
	snprintf(out, TAKE_NAME_MAX, node->id == a ? "version %zu of %zu" : "below version %zu of %zu", take.index, take.n);
}

static void compare(const struct app *app, const struct takes_use *use, struct takes *takes,
                    struct panel_takes_source *source)
{
	const struct tree *tree = app->dialog->tree;

	takes_compare(takes, tree, use->a, use->b);
	*source = (struct panel_takes_source){.takes = takes, .has_others = use->n > 1};
	name_take(tree, use->a, use->b, source->names[0]);
	name_take(tree, use->b, use->a, source->names[1]);
	source->kept[0] = dialog_kept_reply(app->dialog, use->a);
	source->kept[1] = dialog_kept_reply(app->dialog, use->b);
}

static void chosen(struct app *app, const struct panel *panel)
{
	const struct takes_use *use = panel->state;

	if (!branch_is_shown(app->dialog->tree, use->b))
		app_go_to(app, branch_newest(app->dialog->tree, use->b));
}

/* Another one beside the first. */
static void changed(struct app *app, const struct panel *panel)
{
	struct takes_use *use = panel->state;
	struct panel_takes_source source;
	struct takes takes;
	size_t at = 0;

	while (at < use->n && use->others[at] != use->b)
		at++;
	at = at < use->n ? (at + use->n + (size_t)(panel_takes_step(panel) < 0 ? use->n - 1 : 1)) % use->n : 0;
	use->b = use->others[at];
	compare(app, use, &takes, &source);
	panel_takes_replace(app->panel, &source);
}

/* "/takes", "/takes 3", "/takes 1 3": versions by their numbers. False: they are none, and the user was told. */
static bool read_takes(struct app *app, const char *argument, struct takes_use *use)
{
	const struct tree *tree = app->dialog->tree;
	struct branch_take take = branch_take_of(tree, use->a);
	unsigned long first = 0, second = 0;
	char rest;
	int n = argument[0] ? sscanf(argument, "%lu %lu %c", &first, &second, &rest) : 0;
	uint32_t id = use->a;

	if (!argument[0])
		return true;
	while (branch_beside(tree, id, -1))
		id = branch_beside(tree, id, -1);
	if ((n != 1 && n != 2) || !first || first > take.n || (n == 2 && (!second || second > take.n || first == second))) {
		app_message(app, STYLE_ERROR, "/takes takes the numbers of one or two versions: there are %zu", take.n);
		return false;
	}
	for (unsigned long at = 1; id; id = branch_beside(tree, id, 1), at++) {
		if (n == 2 && at == first)
			use->a = id;
		if (at == (n == 2 ? second : first))
			use->b = id;
	}
	return true;
}

static void show(struct app *app, const struct takes_use *shown)
{
	static const struct panel_use panel_use = {.flags = PANEL_NEEDS_IDLE | PANEL_HAS_MESSAGES, .chosen = chosen,
	                                           .changed = changed};
	struct takes_use *use = alloc_array(1, sizeof *use);
	struct panel_takes_source source;
	struct takes takes;

	if (use) {
		*use = *shown;
		compare(app, use, &takes, &source);
	}
	app_open_panel(app, use ? panel_takes_open(&source) : NULL, &panel_use, use);
}

bool app_takes(struct app *app, const struct command_call *call)
{
	const struct tree *tree = app->dialog->tree;
	const struct node *reply = app_picked_reply(app);
	struct takes_use use = {.a = reply ? reply->id : 0};

	use.b = reply ? takes_other(tree, use.a) : 0;
	if (!use.b) {
		app_message(app, STYLE_STATUS, "there is only one version: %s asks for another reply", app_key(app, "regen"));
		return true;
	}
	if (!read_takes(app, call ? call->argument : "", &use))
		return false;
	use.n = takes_others(tree, use.a, use.others, OTHERS_MAX);
	use.n = use.n < OTHERS_MAX ? use.n : OTHERS_MAX;
	if (use.a == use.b)
		app_message(app, STYLE_STATUS, "this is version %zu itself: name another one", branch_take_of(tree, use.a).index);
	else
		show(app, &use);
	return true;
}
