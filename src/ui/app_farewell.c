/* The end: what is kept of the chat, and what is said when the screen is closed. */
#include "ui/app_farewell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sanitize.h"
#include "base/utf8.h"
#include "chat/path.h"
#include "dialog/dialog.h"
#include "dialog/events.h"
#include "terminal/cells.h"
#include "terminal/wrap.h"
#include "ui/app_draft.h"
#include "ui/app_models.h"
#include "ui/app_pull.h"
#include "ui/state.h"
#include "view/line_flow.h"

/* ---- what stays of the chat in the terminal: its last lines, as plain text ---- */

/* Of a screenful: that messages are left out, how to go on with the chat, and the shell's prompt. */
enum { ROWS_BESIDE = 4 };

/* Where it begins: messages before the first are left out, and bytes of that one's text. */
struct tail {
	size_t first, from;
};

static const char *speaker(const struct node *node)
{
	switch (node->role) {
	case ROLE_USER: return "You";
	case ROLE_ASSISTANT: return node->model ? node->model : "Assistant";
	default: return "System";
	}
}

/* The beginning of the last messages that take `rows` rows of the terminal; of the first of them, what
 * there is room for. */
static struct tail find_tail(const struct tree *tree, const uint32_t *ids, size_t n, size_t rows, int cols)
{
	struct tail tail = {.first = n};
	struct wrap wrap = {.n = 0};

	while (tail.first && rows > 3) { /* a row for its name, one for the gap, and of its text */
		const struct node *node = tree_node(tree, ids[tail.first - 1]);
		size_t len = utf8_trimmed(node->text, node->len);

		wrap_free(&wrap);
		if (wrap_update(&wrap, node->text, len, cols))
			break;
		tail.first--;
		if (wrap.n + 2 > rows) {
			tail.from = wrap.lines[wrap.n - (rows - 2)].start;
			break;
		}
		rows -= wrap.n + 2;
	}
	wrap_free(&wrap);
	return tail;
}

static void put_message(struct buf *out, const struct node *node, size_t from, int cols)
{
	const char *name = speaker(node);
	struct line_flow flow = {.col = 0};

	sanitize_line(out, name, strlen(name));
	buf_printf(out, "%s:\n", tree_mark(node));
	if (from)
		line_flow_put(&flow, out, "\u2026 ", strlen("\u2026 "), cols);
	line_flow_put(&flow, out, node->text + from, utf8_trimmed(node->text, node->len) - from, cols);
	buf_puts(out, "\n\n");
}

void app_scrollback_put(const struct tree *tree, size_t rows, int cols, struct buf *out)
{
	size_t n;
	uint32_t *ids = path_with_text(tree, false, &n);
	struct tail tail;

	if (!ids)
		return;
	tail = find_tail(tree, ids, n, rows, cols);
	if (tail.first && tail.first < n)
		buf_printf(out, "(%zu earlier message%s left out)\n\n", tail.first, tail.first == 1 ? "" : "s");
	for (size_t i = tail.first; i < n; i++)
		put_message(out, tree_node(tree, ids[i]), i == tail.first ? tail.from : 0, cols);
	free(ids);
}

/* Prints them, once the screen is closed. */
static void print_scrollback(const struct app *app)
{
	int32_t rows = app->config->ui->scrollback;
	struct buf out = {.max = LIMIT_TRANSCRIPT};

	if (rows < 0)
		rows = LINES > ROWS_BESIDE ? LINES - ROWS_BESIDE : 0;
	if (rows < 1 || !app->config->ui->save || app->end.gone || app->end.exit_status >= 128 ||
	    !isatty(STDOUT_FILENO))
		return;
	app_scrollback_put(app->dialog->tree, (size_t)rows, COLS > 0 ? COLS : 80, &out);
	if (!buf_status(&out) && out.len) {
		fwrite(out.data, 1, out.len, stdout);
		fflush(stdout);
	}
	buf_free(&out);
}

/* ---- the farewell ---- */

void app_save_all(struct app *app, bool wanted_model, struct farewell *out)
{
	dialog_interrupt(app->dialog);
	app_draft_leave(app);
	out->lacks_model = wanted_model && !app->models->path && app->phase == PHASE_NO_MODEL;
	out->is_rescued = dialog_store_rescue(app->dialog, &out->save_error);
}

/* What --resume finds the chat by: its id, or its path where the id leads to another chat or to
 * none. */
static const char *name_to_resume(const struct journal *journal)
{
	const char *name = journal_id(journal);
	char *found;

	if (journal_resolve(name, &found, NULL))
		return journal_path(journal);
	if (!journal_is_at(journal, found))
		name = journal_path(journal);
	free(found);
	return name;
}

/* A path may hold anything. */
static void print_line(FILE *to, const char *before, const char *text)
{
	struct buf safe = {.max = KIB(64)};

	if (sanitize_line(&safe, text, strlen(text)) == STATUS_OK)
		fprintf(to, "%s%s\n", before, buf_text(&safe));
	buf_free(&safe);
	fflush(to);
}

/* A model that was on its way. */
static void print_pull(const struct app *app)
{
	struct buf text = {.max = KIB(4)};

	app_pull_put_farewell(app, &text);
	if (text.len)
		print_line(stdout, "", buf_text(&text));
	buf_free(&text);
}

/* On the screen from before the chat: how to continue it, or that something is lost. */
void app_farewell(const struct app *app, const struct farewell *farewell)
{
	print_scrollback(app);
	if (!app->end.gone)
		print_pull(app);
	if (!app->end.gone && farewell->lacks_model)
		fprintf(stderr, "sotto: the model given with -m could not be loaded\n");
	if (dialog_has_unsaved(app->dialog)) {
		print_line(stderr, "sotto: the last messages of this chat could not be saved: ",
		           farewell->save_error.text);
		return;
	}
	if (!app->dialog->journal || !app->dialog->store.recorded || journal_is_unsaved(app->dialog->journal))
		return;
	if (farewell->is_rescued)
		print_line(stderr, "sotto: this chat is saved in ",
		           journal_path(app->dialog->journal));
	if (app->end.gone)
		return;
	print_line(stdout, "Continue this chat with:  sotto --resume ", name_to_resume(app->dialog->journal));
}
