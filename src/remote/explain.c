/* `sotto servers check NAME`: everything about one server in plain words. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "remote/call.h"
#include "remote/list.h"
#include "remote/list_items.h"
#include "remote/probe.h"
#include "remote/remote.h"
#include "turn/engine_params.h"

enum { LISTED_MAX = 20, LINE_MAX_WIDTH = 78 };

/* Whom the backend asks whether to stop. */
struct asker {
	bool (*cancelled)(void *ctx);
	void *ctx;
};

static bool asker_cancelled(void *ctx)
{
	const struct asker *asker = ctx;

	return asker->cancelled && asker->cancelled(asker->ctx);
}

static enum status ignore_event(void *ctx, const struct event *event, struct error *err)
{
	(void)ctx;
	(void)event;
	(void)err;
	return STATUS_OK;
}

/* As a sentence, unless it is one, and in one line: part of it may be a server's. */
static void put_sentence(struct buf *out, const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0; i < n; i++)
		buf_putc(out, (unsigned char)text[i] < ' ' ? ' ' : text[i]);
	buf_puts(out, n > 0 && strchr(".?!", text[n - 1]) ? "\n" : ".\n");
}

static void put_place(struct buf *out, const struct remote *remote)
{
	static const char *const distances[] = {
		[HTTP_HERE] = "on this machine",
		[HTTP_NEAR] = "in this network",
		[HTTP_FAR] = "on the internet",
	};
	const struct server_config *server = remote->server;
	bool is_tls = strncmp(server->url, "https:", 6) == 0;

	buf_printf(out, "%s is %s, %s", server->name, remote->host, distances[remote->distance]);
	if (is_tls && server->is_unverified)
		buf_puts(out, "; what it says is encrypted, but its certificate is not looked at "
		              "(verify: no)");
	else if (is_tls)
		buf_puts(out, "; what is sent is encrypted, and its certificate is checked");
	else if (remote->distance != HTTP_HERE)
		buf_puts(out, "; what is sent is not encrypted: others in the network can read it");
	buf_putc(out, '\n');
}

static void put_key(struct buf *out, const struct remote *remote)
{
	const struct server_config *server = remote->server;

	if (!remote->key)
		buf_puts(out, "It is asked without a key.\n");
	else if (server->key_env)
		buf_printf(out, "It is sent the key that %s has.\n", server->key_env);
	else if (server->key_file)
		buf_printf(out, "It is sent the key of the file %s.\n", server->key_file);
	else if (server->key_command)
		buf_printf(out, "It is sent the key that %s prints.\n", server->key_command[0]);
	else
		buf_puts(out, "It is sent the key that stands in servers.yaml.\n");
}

static void put_dialect(struct buf *out, const struct remote *remote)
{
	buf_printf(out, "It answers. Its dialect is %s, that of %s", remote->dialect->name,
	           remote->dialect->title);
	buf_puts(out, remote->server->dialect ? ", as servers.yaml says.\n"
	                                      : ", which was found out.\n");
}

static void put_model(struct buf *out, const struct remote *remote,
                      const struct remote_model *model)
{
	buf_printf(out, "  %s", remote_model_name(model->id));
	if (strcmp(model->where, remote->host) != 0)
		buf_printf(out, ", runs at %s", model->where);
	if (remote_state_name(model->state)[0])
		buf_printf(out, ", %s", remote_state_name(model->state));
	if (model->n_ctx > 0)
		buf_printf(out, ", context of %" PRIu32 " tokens", model->n_ctx);
	else
		buf_puts(out, ", its context is not known");
	if (model->price_in >= 0 && model->price_out >= 0)
		buf_printf(out, ", $%.2f in and $%.2f out for a million tokens", model->price_in,
		           model->price_out);
	if (model->why)
		buf_printf(out, " (%s)", model->why);
	buf_putc(out, '\n');
}

static void put_models(struct buf *out, const struct remote *remote, const struct remote_list *list)
{
	buf_printf(out, "It has %s%zu model%s:\n", list->has_more ? "more than " : "", list->n, list->n == 1 ? "" : "s");
	for (size_t i = 0; i < list->n && i < LISTED_MAX; i++)
		put_model(out, remote, &list->items[i]);
	if (list->n > LISTED_MAX)
		buf_printf(out, list->has_more ? "  and more than %zu more\n" : "  and %zu more\n", list->n - LISTED_MAX);
}

/* What there is, and else what is not. */
static void put_power(struct buf *out, unsigned capabilities, unsigned which, const char *with,
                      const char *without)
{
	buf_printf(out, "  %s\n", capabilities & which ? with : without);
}

static void put_powers(struct buf *out, const struct model_info *info)
{
	unsigned can = info->capabilities;

	put_power(out, can, CAPABILITY_IDS,
	          "The prompt is made here and sent token by token: nothing typed becomes a "
	          "control token.",
	          "It is sent messages, and makes the prompt of them: text that looks like a "
	          "control token may become one.");
	put_power(out, can, CAPABILITY_COUNTS | CAPABILITY_IDS, "Tokens are counted exactly.",
	          "Tokens are estimated, and shown with ~.");
	put_power(out, can, CAPABILITY_REASONING,
	          "Thinking is shown apart from the answer, if the model thinks.",
	          "This model does not think before it answers.");
	if (can & CAPABILITY_REASONING)
		put_power(out, can, CAPABILITY_SWITCH, "Thinking can be switched on and off.",
		          "Thinking cannot be switched off.");
	if (can & CAPABILITY_REASONING)
		put_power(out, can, CAPABILITY_EFFORT, "It can be told how long to think.",
		          "It cannot be told how long to think.");
	if (can & CAPABILITY_REASONING)
		put_power(out, can, CAPABILITY_ANSWER_NOW,
		          "While it thinks, it can be told to answer now.",
		          "While it thinks, it cannot be told to answer now.");
	put_power(out, can, CAPABILITY_CONTINUE, "A reply that was cut can be continued.",
	          "A reply that was cut cannot be continued.");
	put_power(out, can, CAPABILITY_LOGITS, "It tells which other tokens were likely.",
	          "It does not tell which other tokens were likely.");
}

/* The options that have this reason, in lines that are not too long. */
static void put_reason(struct buf *out, const struct model_info *info, const char *why)
{
	size_t width = 0;

	buf_printf(out, "Options that change nothing, because %s:\n", why);
	for (size_t i = 0; i < info->n_idle; i++) {
		const char *name = info->idle[i].name;
		bool is_new = width == 0 || width + strlen(name) + 2 > LINE_MAX_WIDTH;

		if (strcmp(info->idle[i].why, why) != 0)
			continue;
		buf_printf(out, "%s%s", width == 0 ? "  " : is_new ? ",\n  " : ", ", name);
		width = (is_new ? 2 : width + 2) + strlen(name);
	}
	buf_putc(out, '\n');
}

static void put_idle(struct buf *out, const struct model_info *info)
{
	for (size_t i = 0; i < info->n_idle; i++) {
		bool is_told = false;

		for (size_t k = 0; k < i; k++)
			is_told |= strcmp(info->idle[i].why, info->idle[k].why) == 0;
		if (!is_told)
			put_reason(out, info, info->idle[i].why);
	}
}

/* What sotto can do with a model is known when it is opened; that loads nothing. */
static enum status put_opened(struct buf *out, const char *file, const char *path,
                              struct asker *asker, struct error *err)
{
	struct engine_params params = {.model = strdup(path),
	                               .servers = file ? strdup(file) : NULL};
	const struct backend_host host = {
		.ctx = asker, .cancelled = asker_cancelled, .event = ignore_event};
	struct model_info info = {.n_ctx = 0};
	struct backend *backend = NULL;
	enum status status = params.model && (!file || params.servers)
	                             ? STATUS_OK
	                             : error_no_memory(err, "to open the model");

	if (!status)
		status = remote_backend.open(&backend, &params, &host, &info, err);
	if (!status) {
		bool is_asleep = ((struct remote *)backend)->is_asleep;

		remote_backend.close(backend);
		buf_printf(out, "With %s:\n", info.name);
		if (is_asleep)
			buf_puts(out, "  It is not loaded: what it can do is known once it is, with the first reply.\n");
		else
			put_powers(out, &info);
		put_idle(out, &info);
		for (size_t i = 0; i < info.n_notes; i++)
			put_sentence(out, info.notes[i].text);
	}
	free(params.model);
	free(params.servers);
	return status;
}

/* `id`: the model to look at; "": the one that the server's name alone stands for. */
static enum status explain_models(struct remote *remote, const char *file, const char *id,
                                  struct asker *asker, struct buf *out, struct error *err)
{
	struct remote_list list = {.n = 0};
	char *path = list_path(remote->server->name, id);
	enum status status = path ? remote_list_server(remote, &list, err)
	                          : error_no_memory(err, "to open the model");

	if (!status && list.n > 0 && !list.items[0].id[0])
		status = error_set(err, list.items[0].status, "%s", list.items[0].why);
	if (!status) {
		put_dialect(out, remote);
		put_models(out, remote, &list);
		status = put_opened(out, file, path, asker, err);
	}
	list_empty(&list);
	free(path);
	return status;
}

static enum status explain(const struct server_config *server, const char *file, const char *id,
                           struct asker *asker, struct buf *out, struct error *err)
{
	struct remote remote;
	enum status status = remote_connect(&remote, server, asker->cancelled, asker->ctx, err);

	if (!status) {
		put_place(out, &remote);
		put_key(out, &remote);
		remote_probe_forget(&remote);
		status = explain_models(&remote, file, id, asker, out, err);
	}
	remote_disconnect(&remote);
	return status;
}

enum status remote_explain(const char *file, const char *name, struct buf *out,
                           bool (*cancelled)(void *ctx), void *ctx, struct error *err)
{
	struct asker asker = {.cancelled = cancelled, .ctx = ctx};
	struct servers servers;
	const struct server_config *server;
	struct error why;
	size_t len = strcspn(name, "/");
	enum status status = servers_open(&servers, file, name, len, &server, &why);

	if (!status)
		status =
			explain(server, file, name[len] ? name + len + 1 : "", &asker, out, &why);
	servers_free(&servers);
	if (!status)
		return buf_status(out);
	if (status != STATUS_NOMEM && status != STATUS_CANCELLED)
		put_sentence(out, why.text);
	return error_set(err, status, "%s", why.text);
}
