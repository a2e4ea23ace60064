#include "pull/web.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "pull/again.h"

enum { WHOLE_MS = 300 * 1000 };

/* Where a request has been led to. */
struct asked {
	char *base, *path; /* owned */
	const struct secret *key;
};

const char *web_ca(void)
{
	return sys_variable("SSL_CERT_FILE");
}

enum status web_place_init(struct web_place *place, const char *base, const char *path, struct error *err)
{
	*place = (struct web_place){.base = alloc_strndup(base, strlen(base)), .path = alloc_strndup(path, strlen(path))};
	if (place->base && place->path)
		return STATUS_OK;
	web_place_free(place);
	return error_no_memory(err, "for the address");
}

void web_place_free(struct web_place *place)
{
	free(place->base);
	free(place->path);
	*place = (struct web_place){0};
}

void web_answer_free(struct web_answer *answer)
{
	buf_free(&answer->body);
	buf_free(&answer->head);
	web_place_free(&answer->next);
	*answer = (struct web_answer){0};
}

const char *web_header(const struct web_answer *answer, const char *name)
{
	const char *line = answer->head.data, *end = line + answer->head.len;
	size_t n = strlen(name);

	for (; line && line < end; line += strlen(line) + 1)
		if (strncmp(line, name, n) == 0 && strncmp(line + n, ": ", 2) == 0)
			return line + n + 2;
	return NULL;
}

static enum status call_once(struct web *web, const struct web_request *request, const struct asked *asked,
                             struct http_answer *got, struct error *err)
{
	const struct http_header accept = {"Accept", request->accept ? request->accept : "*/*"};
	const struct http_header plain[] = {accept, {"Accept-Encoding", "identity"}};
	const struct http_target target = {.url = asked->base, .key = asked->key, .ca = web_ca()};
	const struct http_call call = {
		.target = &target,
		.path = asked->path,
		.is_head = request->is_head,
		.stops_at_redirect = true,
		.headers = request->is_head ? plain : &accept,
		.n_headers = request->is_head ? 2 : 1,
		.limits = {.connect = WEB_CONNECT_MS, .first_byte = again_silence_ms(), .silence = again_silence_ms(), .whole = WHOLE_MS,
		           .bytes = request->limit ? request->limit : LIMIT_PULL_ANSWER},
		.cancelled = web->cancelled,
		.ctx = web->ctx,
	};

	return http_call(web->http, &call, got, err);
}

/* Until the server has given an answer that is one. */
static enum status call(struct web *web, const struct web_request *request, const struct asked *asked,
                        struct http_answer *got, struct error *err)
{
	char host[WEB_HOST_MAX];
	unsigned n = request->is_optional ? AGAIN_MAX : 0;

	http_host(asked->base, host, sizeof host);
	for (;;) {
		enum status status = call_once(web, request, asked, got, err);
		int64_t ms;

		if (status == STATUS_CANCELLED || status == STATUS_NOMEM)
			return status;
		if (status == STATUS_OK && !again_is_passing(got->code))
			return STATUS_OK;
		ms = again_wait(&n, got, false);
		if (ms < 0)
			return again_give_up(host, got, status, err);
		if (!again_pause(web, host, got, ms, n))
			return error_set(err, STATUS_CANCELLED, "cancelled");
		http_answer_free(got);
	}
}

static enum status set_asked(struct asked *asked, char *base, char *path, const struct secret *key)
{
	free(asked->base);
	free(asked->path);
	*asked = (struct asked){base, path, key};
	return STATUS_OK;
}

/* Reads where the answer leads. `stops`: that is the caller's to follow. */
static enum status follow(const struct web_request *request, struct asked *asked, const struct http_answer *got,
                          struct web_answer *answer, bool *stops, struct error *err)
{
	char host[WEB_HOST_MAX], *base, *path;
	bool is_same;

	http_host(asked->base, host, sizeof host);
	if (http_split_url(buf_text(&got->redirect), &base, &path, NULL) != STATUS_OK)
		return error_set(err, STATUS_IO, "%s sends us to an address that is not one", host);
	is_same = http_is_same_server(base, asked->base);
	if (http_leaves_tls(asked->base, base)) {
		free(base);
		free(path);
		return error_set(err, STATUS_IO, "%s sends us from https to http, where anybody may listen: not followed", host);
	}
	*stops = request->stops_at_redirect && !is_same;
	if (!*stops)
		return set_asked(asked, base, path, is_same ? asked->key : NULL);
	answer->next = (struct web_place){.base = base, .path = path};
	return STATUS_OK;
}

static void take_answer(struct web_answer *answer, struct http_answer *got)
{
	answer->code = got->code;
	answer->body = got->body;
	answer->head = got->head;
	for (size_t i = 0; i < answer->head.len; i++)
		if (answer->head.data[i] == '\n')
			answer->head.data[i] = 0;
	got->body = got->head = (struct buf){0};
}

static enum status get(struct web *web, const struct web_request *request, struct asked *asked,
                       struct web_answer *answer, struct error *err)
{
	char host[WEB_HOST_MAX];

	for (int i = 0; i <= WEB_REDIRECTS_MAX; i++) {
		struct http_answer got;
		bool stops = false;
		enum status status = call(web, request, asked, &got, err);
		bool is_over = status != STATUS_OK || got.redirect.len == 0;

		if (!is_over)
			status = follow(request, asked, &got, answer, &stops, err);
		if (status == STATUS_OK && (is_over || stops))
			take_answer(answer, &got);
		http_answer_free(&got);
		if (status != STATUS_OK || is_over || stops)
			return status;
	}
	http_host(request->base, host, sizeof host);
	return error_set(err, STATUS_IO, "%s sends us on and on: more than %d redirects", host, WEB_REDIRECTS_MAX);
}

enum status web_get(struct web *web, const struct web_request *request, struct web_answer *answer, struct error *err)
{
	struct asked asked = {.base = alloc_strndup(request->base, strlen(request->base)),
	                      .path = alloc_strndup(request->path, strlen(request->path)), .key = request->key};
	enum status status;

	*answer = (struct web_answer){0};
	if (asked.base && asked.path)
		status = get(web, request, &asked, answer, err);
	else
		status = error_no_memory(err, "for a request");
	free(asked.base);
	free(asked.path);
	return status;
}
