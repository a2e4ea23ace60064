#include "remote/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "remote/route.h"
#include "remote/waiting.h"

enum { CONNECT_HERE_MS = 2000, CONNECT_MS = 10000, QUOTE_MAX = 300 };

enum status remote_connect(struct remote *remote, const struct server_config *server, bool (*cancelled)(void *ctx),
                           void *ctx, struct error *err)
{
	enum status status = http_check_url(server->url, err);

	*remote = (struct remote){.server = server, .cancelled = cancelled, .cancel_ctx = ctx};
	if (!status && !(remote->url = remote_base(server->url)))
		status = error_no_memory(err, NULL);
	if (!status)
		status = server_key(&remote->key, server, cancelled, ctx, err);
	if (!status)
		status = http_create(&remote->http, err);
	if (status) {
		remote_name_error(remote, err);
		return status;
	}
	remote->distance = http_host(server->url, remote->host, sizeof remote->host);
	remote->target = (struct http_target){
		.url = remote->url, .key = remote->key, .n_headers = server->n_headers, .ca = server->ca,
		.is_unverified = server->is_unverified};
	/* The two are the same but for const. */
	remote->headers = alloc_array(server->n_headers, sizeof *remote->headers);
	if (!remote->headers)
		return error_no_memory(err, NULL);
	for (size_t i = 0; i < server->n_headers; i++)
		remote->headers[i] = (struct http_header){server->headers[i].name, server->headers[i].value};
	remote->target.headers = remote->headers;
	return STATUS_OK;
}

void remote_disconnect(struct remote *remote)
{
	http_free(remote->http);
	http_free(remote->aside);
	secret_free(remote->key);
	free(remote->headers);
	free(remote->url);
	remote->http = remote->aside = NULL;
	remote->key = NULL;
	remote->headers = NULL;
	remote->url = NULL;
}

enum status remote_aside(struct remote *remote, struct http **out, struct error *err)
{
	enum status status = remote->aside ? STATUS_OK : http_create(&remote->aside, err);

	*out = remote->aside;
	return status;
}

uint64_t remote_connect_ms(const struct remote *remote)
{
	return remote->distance == HTTP_HERE ? CONNECT_HERE_MS : CONNECT_MS;
}

static bool is_cancelled(void *ctx)
{
	const struct remote *remote = ctx;

	return remote->cancelled && remote->cancelled(remote->cancel_ctx);
}

static void tell_phase(void *ctx, enum http_phase phase, uint64_t ms)
{
	const struct remote *remote = ctx;

	if (remote->told)
		waiting_tell(remote, remote->told, phase, ms, false);
}

enum status remote_call(struct remote *remote, struct http *http, const char *path, const struct buf *body,
                        uint64_t ms, struct http_answer *answer, struct error *err)
{
	const struct http_call call = {
		.target = &remote->target, .path = path, .body = body ? buf_text(body) : NULL, .body_len = body ? body->len : 0,
		.limits = {.connect = remote_connect_ms(remote), .whole = ms, .bytes = REMOTE_CALL_BYTES},
		.cancelled = is_cancelled, .phase = tell_phase, .ctx = remote};
	enum status status;

	*answer = (struct http_answer){.code = 0};
	remote->refused = (struct http_answer){.code = 0};
	remote->is_loading = false;
	if (body && buf_status(body))
		return error_no_memory(err, "for the request");
	status = http_call(http, &call, answer, err);
	if (!status && answer->code / 100 == 2)
		return STATUS_OK;
	remote->refused = (struct http_answer){
		.code = answer->code, .trouble = answer->trouble, .retry_after_ms = answer->retry_after_ms};
	if (!status)
		return remote_refuse(remote, answer, err);
	remote_name_error(remote, err);
	return status;
}

enum status remote_call_values(struct remote *remote, const char *path, const struct buf *body, uint64_t ms,
                               const struct json_place *places, size_t n, void *out, int *code, struct error *err)
{
	struct http_answer answer;
	enum status status = remote_call(remote, remote->http, path, body, ms, &answer, err);

	if (code)
		*code = answer.code;
	if (!status)
		status = json_take(buf_text(&answer.body), answer.body.len, places, n, out, err);
	http_answer_free(&answer);
	return status;
}

void remote_name_error(const struct remote *remote, struct error *err)
{
	char name[64];

	if (!err || err->status == STATUS_CANCELLED || err->status == STATUS_NOMEM)
		return;
	server_mask(remote->server, remote->key, err->text);
	snprintf(name, sizeof name, "%s: ", remote->server->name);
	if (strncmp(err->text, name, strlen(name)) != 0)
		error_prefix(err, "%s", remote->server->name);
}

void remote_quote(const struct remote *remote, char *text)
{
	size_t len;

	server_mask(remote->server, remote->key, text);
	for (char *at = text; *at; at++)
		if ((unsigned char)*at < ' ')
			*at = ' ';
	len = strlen(text);
	len = utf8_trimmed(text, utf8_cut(text, len, QUOTE_MAX));
	len -= len > 1 && text[len - 1] == '.' && text[len - 2] != '.'; /* our sentences end without one */
	text[len] = '\0';
}

/* Where the key comes from, for who has to look there. */
static void describe_key(const struct server_config *server, char out[96])
{
	if (server->key_env)
		snprintf(out, 96, "check %.60s", server->key_env);
	else if (server->key_file)
		snprintf(out, 96, "check %.60s", server->key_file);
	else if (server->key_command)
		snprintf(out, 96, "check what %.60s prints", server->key_command[0]);
	else
		snprintf(out, 96, "check its key in servers.yaml");
}

static enum status refuse_key(const struct remote *remote, int code, const char *says, struct error *err)
{
	char where[96];

	if (!remote->key)
		return error_set(err, STATUS_DECLINED,
		                 "%s: the server wants a key (%d): give it one by key-env or key-command in servers.yaml",
		                 remote->server->name, code);
	describe_key(remote->server, where);
	return error_set(err, STATUS_DECLINED, "%s: the key was refused (%d): %s%s%s", remote->server->name, code, where,
	                 says[0] ? "; it says: " : "", says);
}

static enum status refuse_haste(const struct remote *remote, const struct http_answer *answer, const char *says,
                                struct error *err)
{
	char when[48] = "later";

	if (answer->retry_after_ms > 0)
		snprintf(when, sizeof when, "in %lld s", (long long)(answer->retry_after_ms + 999) / 1000);
	return error_set(err, STATUS_BUSY, "%s: too many requests (429): try again %s%s%s%s", remote->server->name, when,
	                 says[0] ? " (it says: " : "", says, says[0] ? ")" : "");
}

/* What the body says went wrong; "": nothing. */
static void read_words(const struct remote *remote, const struct http_answer *answer, char out[ERROR_TEXT_MAX])
{
	const char *body = buf_text(&answer->body);
	struct chunk chunk;

	chunk_init(&chunk);
	chunk_read_error(&chunk, body, answer->body.len, true);
	if (chunk.error.status)
		snprintf(out, ERROR_TEXT_MAX, "%s", chunk.error.text);
	else if (strcmp(answer->type, "text/plain") == 0)
		snprintf(out, ERROR_TEXT_MAX, "%s", body);
	else
		out[0] = '\0';
	remote_quote(remote, out);
	chunk_free(&chunk);
}

enum status remote_refuse(struct remote *remote, const struct http_answer *answer, struct error *err)
{
	const char *name = remote->server->name;
	char says[ERROR_TEXT_MAX];
	int code = answer->code;

	read_words(remote, answer, says);
	remote->is_loading = code == 503 && strcasestr(says, "loading");
	if (code == 401 || (code == 403 && !says[0]))
		return refuse_key(remote, code, says, err);
	if (remote->is_loading)
		return error_set(err, STATUS_BUSY, "%s: the server is loading its model", name);
	if (code == 404 && remote->model && strcasestr(says, "model"))
		return error_set(err, STATUS_NOTFOUND, "%s: there is no model '%.128s' (it says: %s)", name, remote->model,
		                 says);
	if ((code == 404 || code == 405) && !remote->model)
		return error_set(err, STATUS_CONFIG,
		                 "%s: %s answers, but has no list of models there (%d): check its url in servers.yaml, which "
		                 "ends where /v1 begins", name, remote->host, code);
	if (code == 402)
		return error_set(err, STATUS_DECLINED, "%s: the account has no credit (402)%s%s", name,
		                 says[0] ? ": " : "", says);
	if (code == 429)
		return refuse_haste(remote, answer, says, err);
	if (!says[0])
		return error_set(err, STATUS_IO, "%s: the server answers %d without saying why", name, code);
	return error_set(err, code == 403 ? STATUS_DECLINED : STATUS_IO, "%s: %s (%d)", name, says, code);
}
