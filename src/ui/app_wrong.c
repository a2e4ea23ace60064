#include "ui/app_wrong.h"

#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "chat/looks_wrong.h"
#include "chat/path.h"
#include "dialog/dialog.h"
#include "ui/app_models.h"
#include "ui/app_open.h"
#include "ui/tell.h"

enum {
	EVERY = 64,     /* tokens: how often a reply that is being made is looked at */
	PART_SHOWN = 40 /* bytes of what is repeated */
};

/* The answer, or while there is none what the model thinks. */
static struct wrong look(const struct node *reply, bool firmly, const char **text)
{
	size_t n_thought = reply->n_reasoning_ids < reply->n_ids ? reply->n_reasoning_ids : reply->n_ids;

	*text = reply->text;
	if (reply->len)
		return looks_wrong(reply->text, reply->len, reply->ids + n_thought, reply->n_ids - n_thought, firmly);
	*text = reply->reasoning;
	return looks_wrong(reply->reasoning, reply->reasoning_len, reply->ids, n_thought, firmly);
}

/* The path as a word of a shell's line. */
static void put_path(struct buf *out, const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:+,@%=-";

	if (path[strspn(path, plain)] == '\0') {
		buf_puts(out, path);
		return;
	}
	buf_putc(out, '\'');
	for (; *path; path++) {
		if (*path == '\'')
			buf_puts(out, "'\\''");
		else
			buf_putc(out, *path);
	}
	buf_putc(out, '\'');
}

static void put_what(struct buf *out, const struct wrong *wrong, const char *text)
{
	size_t len = utf8_cut(text + wrong->start, wrong->len, PART_SHOWN);

	switch (wrong->look) {
	case LOOKS_WELL: break;
	case LOOKS_LIKE_ONE_TOKEN:
		buf_printf(out, "This reply is the same token again and again, \"%.*s\".", (int)len, text + wrong->start);
		break;
	case LOOKS_LIKE_A_LOOP:
		buf_printf(out, "This reply says the same again and again: \"%.*s%s\".", (int)len, text + wrong->start,
		           len < wrong->len ? "\u2026" : "");
		break;
	case LOOKS_UNKNOWN: buf_puts(out, "This reply has bytes that are not characters."); break;
	}
}

static void tell(struct app *app, const struct wrong *wrong, const char *text)
{
	struct buf words = {.max = KIB(64)};

	put_what(&words, wrong, text);
	buf_puts(&words, " If nobody asked for that, this looks for a fault in the model's file and in its computing, in a "
	                 "shell: sotto doctor ");
	put_path(&words, app->models->path);
	if (wrong->look != LOOKS_UNKNOWN)
		buf_puts(&words, "\nIf it finds none, it is the sampling: a repeat-penalty of 1.1 makes loops rarer.");
	if (!buf_status(&words))
		app_notice(app, STYLE_WARNING, "%s", buf_text(&words));
	buf_free(&words);
}

void app_wrong_look(struct app *app, const struct event *event)
{
	bool ends = event->kind == EVENT_DONE;
	const struct node *reply;
	struct wrong wrong;
	const char *text;

	if (app->chat->told_wrong || !app->model->identity.isa[0] || !app->models->path ||
	    (!ends && (event->kind != EVENT_TOKEN || event->u.token.n_generated % EVERY)))
		return;
	reply = path_reply(app->dialog->tree);
	if (!reply || (ends && !app->dialog->turn.has_reply))
		return;
	wrong = look(reply, !ends, &text);
	if (wrong.look == LOOKS_WELL)
		return;
	app->chat->told_wrong = true;
	tell(app, &wrong, text);
}
