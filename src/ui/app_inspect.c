/* What the model sees: /context counts it, /inspect and F8 show it. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "chat/path.h"
#include "ui/app_internal.h"
#include "ui/input_line.h"

/* The conversation as Enter would send it: with what stands in the line, unless
 * that is a command. Borrows both. NULL without memory. */
static struct worker_message *messages_to_send(struct app *app, size_t *n)
{
	struct worker_message *path = app_path_messages(app->tree, n), *messages;
	const char *draft;
	size_t len;

	draft = input_line_text(&len);
	if (!path || !len || draft[0] == '/')
		return path;
	messages = alloc_array(*n + 1, sizeof *messages);
	if (messages) {
		memcpy(messages, path, *n * sizeof *messages);
		messages[(*n)++] = (struct worker_message){.role = ROLE_USER, .text = draft, .len = len};
	}
	free(path);
	return messages;
}

bool app_inspect(struct app *app, bool whole)
{
	struct worker_turn turn = {.sampler = *app->config->sampler,
	                           .reasoning = (enum reasoning_mode)app->config->engine->reasoning};
	struct worker_message *messages;
	struct error err;
	enum status status;
	struct buf help;
	size_t n;

	if (app->phase == PHASE_NO_MODEL || app->phase == PHASE_LOADING) {
		app_message(app, STYLE_WARNING, "no model: nothing can be counted");
		return false;
	}
	if (whole && app_is_busy(app)) {
		app_message(app, STYLE_WARNING, "a reply is under way; Esc stops it");
		return false;
	}
	messages = whole ? messages_to_send(app, &n) : app_path_messages(app->tree, &n);
	if (messages && !n) {
		free(messages);
		app_message(app, STYLE_WARNING, "there is no message yet");
		return true;
	}
	buf_init(&help, 2 * LIMIT_MESSAGE);
	turn.n_messages = n;
	turn.messages = messages = app_add_help(app, messages, &turn.n_messages, &help);
	if (!whole)
		app->counts_help = help.len > 0;
	status = messages ? worker_post_inspect(app->worker, &turn, whole, &err)
	                  : error_set(&err, STATUS_NOMEM, "not enough memory");
	free(messages);
	buf_free(&help);
	if (status)
		app_message(app, STYLE_ERROR, "%s", err.text);
	return true;
}

/* A line of /context: the message's beginning. */
static void put_count(struct buf *text, uint32_t n_tokens, enum role role, const char *message,
                      size_t len)
{
	size_t shown = len < 48 ? len : 48;
	const char *newline = memchr(message, '\n', shown);

	if (newline)
		shown = (size_t)(newline - message);
	while (shown && shown < len && (message[shown] & 0xc0) == 0x80)
		shown--;
	buf_printf(text, "\n%6u  %-9s  %.*s%s", n_tokens, role_name(role), (int)shown, message,
	           shown < len ? "\342\200\246" : "");
}

/* /context: who takes how much. */
static void show_counts(struct app *app, const struct worker_event *event)
{
	static const char help[] = "with the guide's help for the last question (F8)";
	const uint32_t *counts = event->u.inspect.message_tokens;
	struct buf text;
	size_t n, at = 0;
	uint32_t *ids = path_sent(app->tree, &n);

	if (!ids)
		return;
	buf_init(&text, MIB(1));
	buf_printf(&text, "Context: %u of %u tokens, %u of them in the cache", event->u.inspect.total,
	           event->u.inspect.n_ctx, event->u.inspect.cached);
	if (event->u.inspect.n_dropped)
		buf_printf(&text, "; the oldest %u messages are left out", event->u.inspect.n_dropped);
	if (app->counts_help && event->u.inspect.n_messages)
		put_count(&text, counts[at++], ROLE_SYSTEM, help, strlen(help));
	for (size_t i = 0; i < n && at < event->u.inspect.n_messages; i++) {
		const struct node *node = tree_node(app->tree, ids[i]);

		if (!app->counts_help || node->role != ROLE_SYSTEM)
			put_count(&text, counts[at++], node->role, node->text, node->len);
	}
	if (!buf_status(&text))
		app_notice(app, STYLE_SYSTEM, "%s", buf_text(&text));
	buf_free(&text);
	free(ids);
}

void app_on_inspect(struct app *app, const struct worker_event *event)
{
	if (event->error.status)
		app_error(app, &event->error);
	else if (event->u.inspect.tokens)
		app_open_panel(app, PANEL_KIND_INSPECT, panel_inspect_open(event));
	else
		show_counts(app, event);
}
