#include "fake_http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS_MAX = 16 };

static const struct fake_answer *script;
static size_t n_script, n_calls;
static char bodies[CALLS_MAX][4096], paths[CALLS_MAX][128];

void fake_http_begin(const struct fake_answer *answers, size_t n)
{
	script = answers;
	n_script = n;
	n_calls = 0;
}

size_t fake_http_calls(void)
{
	return n_calls;
}

const char *fake_http_body(size_t call)
{
	return bodies[call];
}

const char *fake_http_path(size_t call)
{
	return paths[call];
}

enum status http_create(struct http **out, struct error *err)
{
	*out = calloc(1, 1);
	return *out ? STATUS_OK : error_no_memory(err, NULL);
}

void http_free(struct http *http)
{
	free(http);
}

static enum status give(const struct http_call *call, const struct fake_answer *from, struct http_answer *answer,
                        struct error *err)
{
	size_t len = from->body ? strlen(from->body) : 0, piece = from->piece ? from->piece : len;
	enum status status = STATUS_OK;

	for (size_t at = 0; at < len && !status; at += piece) {
		size_t n = len - at < piece ? len - at : piece;

		if (call->cancelled && call->cancelled(call->ctx))
			return error_set(err, STATUS_CANCELLED, "cancelled");
		if (call->take && from->code / 100 == 2)
			status = call->take(call->ctx, from->body + at, n, err);
		else
			status = buf_append(&answer->body, from->body + at, n);
	}
	return status;
}

enum status http_call(struct http *http, const struct http_call *call, struct http_answer *answer, struct error *err)
{
	const struct fake_answer *from = n_calls < n_script ? &script[n_calls] : NULL;
	enum status status;

	(void)http;
	if (!from || n_calls == CALLS_MAX)
		return error_set(err, STATUS_USAGE, "a call too many");
	snprintf(bodies[n_calls], sizeof bodies[0], "%.*s", (int)call->body_len, call->body ? call->body : "");
	snprintf(paths[n_calls++], sizeof paths[0], "%s", call->path);
	*answer = (struct http_answer){.code = from->code, .body = {.max = 1 << 16},
	                               .retry_after_ms = from->retry_after_ms ? from->retry_after_ms : -1};
	if (from->waits_ms && call->phase)
		call->phase(call->ctx, HTTP_WAITING, from->waits_ms);
	status = give(call, from, answer, err);
	while (!status && from->hangs)
		if (call->cancelled(call->ctx))
			return error_set(err, STATUS_CANCELLED, "cancelled");
	if (!status && from->trouble) {
		answer->trouble = from->trouble;
		return error_set(err, STATUS_IO, "the line is bad");
	}
	return status;
}

void http_answer_free(struct http_answer *answer)
{
	buf_free(&answer->body);
}

enum status http_check_url(const char *url, struct error *err)
{
	(void)url;
	(void)err;
	return STATUS_OK;
}

enum http_distance http_host(const char *url, char *host, size_t size)
{
	snprintf(host, size, "%s", url);
	return HTTP_HERE;
}

bool http_listens(uint16_t port)
{
	(void)port;
	return false;
}
