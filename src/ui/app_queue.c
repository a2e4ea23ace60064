/* Messages written while a reply runs: they are sent one after the other when it has ended. What is
 * not sent goes back to the input line, or is kept as the chat's draft. */
#include "ui/app_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "ui/input_line.h"

/* All of them together always fit into the input line. */
static size_t queue_bytes(const struct app_queue *queue)
{
	size_t bytes = 0;

	for (size_t i = 0; i < queue->n; i++)
		bytes += strlen(queue->texts[i]) + 1;
	return bytes;
}

bool app_queue_add(struct app *app, const char *text, size_t len)
{
	struct app_queue *queue = &app->queue;
	char *copy;

	if (queue->n == APP_QUEUE_MAX) {
		app_message(app, STYLE_WARNING, "%d messages are queued already; Esc stops the reply",
		            APP_QUEUE_MAX);
		return false;
	}
	if (len + 1 > LIMIT_MESSAGE - 1 - queue_bytes(queue)) {
		app_message(app, STYLE_WARNING, "queued messages may hold %zu MiB in all",
		            LIMIT_MESSAGE >> 20);
		return false;
	}
	copy = alloc_strndup(text, len);
	if (!copy) {
		app_message(app, STYLE_ERROR, "not enough memory");
		return false;
	}
	queue->texts[queue->n++] = copy;
	return true;
}

void app_queue_drop_first(struct app *app)
{
	struct app_queue *queue = &app->queue;

	free(queue->texts[0]);
	queue->n--;
	memmove(queue->texts, queue->texts + 1, queue->n * sizeof *queue->texts);
}

void app_queue_clear(struct app *app)
{
	while (app->queue.n)
		free(app->queue.texts[--app->queue.n]);
}

bool app_line_prepend(const char *text)
{
	size_t len, line_len;
	const char *line = input_line_text(&line_len);
	struct error err;
	struct buf joined;
	bool done;

	buf_init(&joined, 2 * LIMIT_MESSAGE);
	if (text[0] == '/') /* else Enter would take it for a command */
		buf_putc(&joined, '/');
	len = strlen(text);
	buf_append(&joined, text, len);
	if (line_len) {
		buf_putc(&joined, '\n');
		buf_append(&joined, line, line_len);
	}
	/* Set only if it fits: a refused line would be lost. */
	done = !buf_status(&joined) && joined.len <= LIMIT_MESSAGE &&
	       !input_line_set(buf_text(&joined), joined.len, &err);
	buf_free(&joined);
	return done;
}

/* All of them, one below the other. */
static enum status join(const struct app_queue *queue, struct buf *out)
{
	for (size_t i = 0; i < queue->n; i++) {
		if (i)
			buf_putc(out, '\n');
		buf_puts(out, queue->texts[i]);
	}
	return buf_status(out);
}

void app_queue_to_line(struct app *app)
{
	struct buf joined;

	if (app->queue.n == 0)
		return;
	buf_init(&joined, LIMIT_MESSAGE);
	if (!join(&app->queue, &joined) && app_line_prepend(buf_text(&joined)))
		app_queue_clear(app);
	else
		app_message(app, STYLE_ERROR, "the queued messages do not fit in the line; Up takes back one");
	buf_free(&joined);
}

bool app_queue_take_back(struct app *app)
{
	struct app_queue *queue = &app->queue;

	if (queue->n == 0 || app->chat.edited || !input_line_is_empty() ||
	    !app_line_prepend(queue->texts[queue->n - 1]))
		return false;
	free(queue->texts[--queue->n]);
	return true;
}

void app_queue_keep(struct app *app)
{
	size_t line_len;
	const char *line = input_line_text(&line_len);
	struct buf draft;

	if (!app->journal || (!app->chat.recorded && app->queue.n == 0))
		return;
	/* As a message, without the doubled slash of the line. */
	if (line_len > 1 && line[0] == '/' && line[1] == '/' && app->queue.n == 0) {
		line++;
		line_len--;
	}
	buf_init(&draft, LIMIT_MESSAGE);
	if (!join(&app->queue, &draft) && !app->chat.edited && line_len &&
	    line_len < LIMIT_MESSAGE - draft.len) { /* else only the queue: a draft has to fit */
		if (app->queue.n)
			buf_putc(&draft, '\n');
		buf_append(&draft, line, line_len);
	}
	/* An empty line keeps the old draft: the line must be emptied to type /quit. */
	if (!buf_status(&draft) && draft.len)
		app_store_draft(app, buf_text(&draft), draft.len);
	buf_free(&draft);
}

int app_queue_rows(const struct app *app, int rows)
{
	int n = (int)app->queue.n, most = rows / 6 < 3 ? rows / 6 : 3;

	if (rows <= APP_MIN_ROWS)
		return 0;
	most = most < 1 ? 1 : most;
	return n < most ? n : most;
}

void app_queue_draw(const struct app *app, int y, int rows, int cols)
{
	static const char key[] = "Up takes back the last";

	for (int i = 0; i < rows; i++) {
		const char *text = app->queue.texts[i];
		size_t n_more = app->queue.n - (size_t)rows;
		char keys[64] = "";

		if (i + 1 == rows && n_more)
			snprintf(keys, sizeof keys, "and %zu more, %s", n_more, key);
		else if (i + 1 == rows)
			snprintf(keys, sizeof keys, "%s", key);
		app_draw_note(y + i, cols, "queued:", text, strlen(text), keys);
	}
}
