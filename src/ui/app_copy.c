/* /copy: a reply, a code block of it or the chat, to the clipboard. */
#include "ui/app_copy.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/number.h"
#include "base/sanitize.h"
#include "base/utf8.h"
#include "chat/code_blocks.h"
#include "chat/export.h"
#include "dialog/dialog.h"
#include "ui/app_pick.h"
#include "ui/command.h"
#include "ui/tell.h"

/* The picked message, or the last reply that says something, as far as it has got; NULL: there is
 * none. */
static const struct node *chosen(const struct app *app)
{
	const struct node *node = tree_node(app->dialog->tree, app_picked(app));

	if (node)
		return node;
	node = tree_node(app->dialog->tree, tree_leaf(app->dialog->tree));
	while (node && (node->role != ROLE_ASSISTANT || !node->len))
		node = tree_node(app->dialog->tree, node->parent);
	return node;
}

static enum status take_block(const struct node *node, const char *name, size_t nth, struct buf *text,
                              struct buf *what, struct error *err)
{
	struct code_blocks blocks;
	struct code_block block;
	size_t n = 0;

	code_blocks_begin(&blocks, node->text, node->len);
	while (n < nth && code_blocks_next(&blocks, &block, n + 1 == nth ? text : NULL))
		n++;
	if (n < nth) {
		if (!n)
			return error_set(err, STATUS_NOTFOUND, "%s has no code block", name);
		return error_set(err, STATUS_NOTFOUND, "%s has %zu code block%s", name, n,
		                 n == 1 ? "" : "s");
	}
	buf_printf(what, "code block %zu", nth);
	if (block.language_len)
		buf_printf(what, " (%.*s)", (int)utf8_cut(block.language, block.language_len, 20),
		           block.language);
	return STATUS_OK;
}

enum status app_take_text(const struct app *app, size_t block, struct buf *text, struct buf *what,
                          struct error *err)
{
	const struct node *node = chosen(app);
	const char *name = app_picked(app) ? "the picked message" : "the last reply";
	enum status status = STATUS_OK;

	if (!block && app_part_take(app, text, &block)) {
		buf_puts(what, "the address");
	} else if (!node) {
		return error_set(err, STATUS_NOTFOUND, "there is no reply yet");
	} else if (block) {
		status = take_block(node, name, block, text, what, err);
	} else {
		buf_append(text, node->text, node->len);
		buf_puts(what, node->state == NODE_STREAMING ? "the reply so far" : name);
	}
	if (!status && (buf_status(text) || buf_status(what)))
		status = error_set(err, STATUS_NOMEM, "not enough memory");
	return status;
}

static enum status take_chat(const struct app *app, struct buf *text, struct buf *what,
                             struct error *err)
{
	if (!tree_n(app->dialog->tree))
		return error_set(err, STATUS_NOTFOUND, "this chat is empty");
	buf_puts(what, "the chat");
	if (export_text(app->dialog->tree, "", text) || buf_status(what))
		return error_no_memory(err, "for the whole chat");
	return STATUS_OK;
}

/* "", "all", "2", "code 2". */
static enum status take_named(const struct app *app, const char *name, struct buf *text,
                              struct buf *what, struct error *err)
{
	int64_t block;

	if (!name[0])
		return app_take_text(app, 0, text, what, err);
	if (strcmp(name, "all") == 0)
		return take_chat(app, text, what, err);
	if (strncmp(name, "code ", 5) == 0)
		name += 5;
	if (!number_parse_int(name, &block) || block < 1)
		return error_set(err, STATUS_USAGE, "/copy takes the last reply, /copy 2 its second code "
		                 "block, /copy all the chat");
	return app_take_text(app, (size_t)block, text, what, err);
}

/* What a terminal would act on when the text is pasted there is left out: all control characters
 * but tabs and line breaks. Ill-formed bytes become U+FFFD, and line breaks at the end go: a pasted
 * command is not to run by itself. */
static void clean(const struct buf *text, struct buf *out, struct app_copy *copy)
{
	copy->n_characters = copy->n_controls = 0;
	for (size_t at = 0; at < text->len;) {
		int32_t cp;
		size_t n = utf8_decode(text->data + at, text->len - at, &cp);
		char replaced[UTF8_MAX];

		if (cp < 0) {
			buf_append(out, replaced, utf8_encode(UTF8_REPLACEMENT, replaced));
		} else if ((cp < 0x20 && cp != '\n' && cp != '\t') || (cp >= 0x7f && cp < 0xa0)) {
			copy->n_controls += cp != '\r' || at + 1 == text->len || text->data[at + 1] != '\n';
			copy->n_characters--;
		} else {
			buf_append(out, text->data + at, n);
		}
		copy->n_characters++;
		at += n;
	}
	while (out->len && out->data[out->len - 1] == '\n') {
		buf_remove(out, out->len - 1, 1);
		copy->n_characters--;
	}
	copy->n_hidden = sanitize_count_hidden(buf_text(out), out->len);
}

static void add_doubt(struct buf *text, bool is, const char *what, size_t n)
{
	if (!is)
		return;
	buf_puts(text, strchr(buf_text(text), '(') ? ", " : " (");
	if (n)
		buf_printf(text, "%zu ", n);
	buf_puts(text, what);
}

/* What was copied, how much, and by whom; doubts come first, since a narrow bar cuts the end. */
static void tell_copied(struct app *app)
{
	const struct app_copy *copy = app->copy;
	bool unsure = copy->clipboard.unsure;
	bool doubtful = copy->n_controls || copy->n_hidden || unsure;
	struct buf doubts = {.max = ERROR_TEXT_MAX};

	add_doubt(&doubts, copy->n_controls, copy->n_controls == 1 ? "control left out"
	          : "controls left out", copy->n_controls);
	add_doubt(&doubts, copy->n_hidden, "hidden", copy->n_hidden);
	add_doubt(&doubts, unsure, "some terminals take less", 0);
	app_message(app, doubtful ? STYLE_WARNING : STYLE_SUCCESS, "copied %s: %zu character%s%s%s, by %s",
	            copy->what, copy->n_characters, copy->n_characters == 1 ? "" : "s",
	            buf_text(&doubts), doubtful ? ")" : "", copy->clipboard.by);
	buf_free(&doubts);
}

void app_copy_step(struct app *app, uint64_t now)
{
	struct error err = {.status = STATUS_OK};

	if (!clipboard_step(&app->copy->clipboard, app->term, now, &err))
		return;
	app->waits = false;
	if (app_went_well(app, err.status, &err))
		tell_copied(app);
}

/* Copies what `name` stands for (take_named). */
static bool copy(struct app *app, const char *name)
{
	const char *how = app->config->ui->copy;
	struct buf text = {.max = LIMIT_TRANSCRIPT}, cleaned = {.max = LIMIT_TRANSCRIPT};
	struct buf what = {.max = sizeof app->copy->what - 1};
	struct error err;
	enum status status;
	char *taken;
	size_t len;

	status = take_named(app, name, &text, &what, &err);
	if (!status) {
		clean(&text, &cleaned, app->copy);
		memcpy(app->copy->what, buf_text(&what), what.len + 1);
		if (buf_status(&cleaned))
			status = error_no_memory(&err, "to copy");
		else if (!cleaned.len)
			status = error_set(&err, STATUS_NOTFOUND, "%s is empty", buf_text(&what));
	}
	if (!status) {
		taken = buf_take(&cleaned, &len);
		status = taken ? clipboard_copy(&app->copy->clipboard, app->term, how, taken, len, &err)
		               : error_no_memory(&err, "to copy");
	}
	buf_free(&text);
	buf_free(&cleaned);
	buf_free(&what);
	if (!app_went_well(app, status, &err))
		return false;
	if (clipboard_is_copying(&app->copy->clipboard))
		app->waits = true;
	else
		tell_copied(app);
	return true;
}

bool app_copy(struct app *app, const struct command_call *call)
{
	return copy(app, call->argument) || !call->argument_len; /* a number can be corrected */
}

bool app_copy_block(struct app *app, int by)
{
	const struct node *node = chosen(app);
	size_t n = node ? code_blocks_count(node->text, node->len) : 0;
	size_t before = node && app->copy->reply == node->id ? app->copy->block : 0;
	char name[24];

	(void)by;
	app->copy->block = before > 1 ? before - 1 : n;
	app->copy->reply = node ? node->id : 0;
	/* Where there is none, that is said. */
	snprintf(name, sizeof name, "%zu", n ? app->copy->block : 1);
	copy(app, name);
	return true;
}
