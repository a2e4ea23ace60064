#include "ask.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"

static bool is_cancelled(void *ctx)
{
	struct ask *ask = ctx;

	if (ask->cancel_phase < 0 || ask->phases.len == 0 ||
	    ask->phases.data[ask->phases.len - 1] != '0' + ask->cancel_phase)
		return false;
	return ask->n_before-- == 0;
}

static void on_phase(void *ctx, enum http_phase phase, uint64_t ms)
{
	struct ask *ask = ctx;

	if (ms == 0)
		buf_putc(&ask->phases, (char)('0' + (int)phase));
	if (ms > ask->longest)
		ask->longest = ms;
}

enum status ask_take(void *ctx, const char *bytes, size_t n, struct error *err)
{
	struct ask *ask = ctx;

	(void)err;
	return buf_append(&ask->took, bytes, n);
}

void ask_init(struct ask *ask, const char *url)
{
	*ask = (struct ask){
		.target = {.url = url},
		.call = {.path = "/x", .limits = {.whole = 60000}, .cancelled = is_cancelled, .phase = on_phase},
		.took = {.max = MIB(64)},
		.phases = {.max = 64},
		.cancel_phase = -1,
	};
	ask->call.target = &ask->target;
	ask->call.ctx = ask;
}

void ask_deinit(struct ask *ask)
{
	http_answer_free(&ask->answer);
	buf_free(&ask->took);
	buf_free(&ask->phases);
}

struct http *ask_client(void)
{
	struct http *http;
	struct error err;

	cr_assert_eq(http_create(&http, &err), STATUS_OK, "%s", err.text);
	return http;
}

void ask_run_with(struct ask *ask, struct http *http)
{
	ask->err = (struct error){.text = ""};
	ask->status = http_call(http, &ask->call, &ask->answer, &ask->err);
}

void ask_run(struct ask *ask)
{
	struct http *http = ask_client();

	ask_run_with(ask, http);
	http_free(http);
}

struct secret *ask_key(const char *text)
{
	struct secret *key;
	struct error err;

	cr_assert_eq(secret_create(&key, text, strlen(text), &err), STATUS_OK);
	return key;
}

void ask_expect_trouble(const struct ask *ask, enum http_trouble trouble, const char *text, const char *url)
{
	char host[128], expected[512];
	enum status status = STATUS_IO;

	if (trouble == HTTP_TOO_LARGE)
		status = STATUS_LIMIT;
	else if (trouble == HTTP_BAD_CALL)
		status = STATUS_USAGE;
	http_host(url, host, sizeof host);
	snprintf(expected, sizeof expected, text, host);
	cr_expect_eq(ask->answer.trouble, trouble, "%d: %s", (int)ask->answer.trouble, ask->err.text);
	cr_expect_eq(ask->status, status);
	cr_expect_str_eq(ask->err.text, expected);
}
