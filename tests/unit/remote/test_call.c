#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "remote/call.h"
#include "remote/thoughts.h"

#include "fake_http.h"

static const char key[] = "sk-CANARY-0123456789";
static char name[] = "box", url[] = "http://127.0.0.1:9/v1", variable[] = "BOX_KEY", program[] = "pass";
static char *command[] = {program, NULL};

static bool never(void *ctx)
{
	(void)ctx;
	return false;
}

/* Asks a server once; the error is what comes of it. */
static enum status call(const struct server_config *server, const struct fake_answer *answer, struct error *err)
{
	struct remote remote;
	struct http_answer got;
	enum status status;

	cr_assert_eq(remote_connect(&remote, server, never, NULL, err), STATUS_OK, "%s", err->text);
	cr_assert_eq(secret_create(&remote.key, key, strlen(key), err), STATUS_OK);
	fake_http_begin(answer, 1);
	status = remote_call(&remote, remote.http, "/v1/models", NULL, REMOTE_CALL_MS, &got, err);
	http_answer_free(&got);
	cr_assert_str_eq(fake_http_path(0), "/v1/models");
	cr_assert_str_eq(remote.url, "http://127.0.0.1:9");
	remote_disconnect(&remote);
	return status;
}

Test(call, says_where_a_key_that_is_refused_comes_from)
{
	const struct server_config by_variable = {.name = name, .url = url, .key_env = variable};
	const struct server_config by_command = {.name = name, .url = url, .key_command = command};
	const struct fake_answer answer = {.code = 401, .body = "{\"error\":{\"message\":\"Incorrect API key: sk-CANARY-0123456789\"}}"};
	struct remote remote = {.server = &by_command};
	struct http_answer got = {.code = 401, .body = {.max = KIB(1)}};
	struct error err;

	cr_assert_eq(setenv("BOX_KEY", "another-key", 1), 0);
	cr_assert_eq(call(&by_variable, &answer, &err), STATUS_DECLINED);
	cr_assert(strstr(err.text, "box: the key was refused (401): check BOX_KEY; it says: Incorrect API key: "), "%s", err.text);
	cr_assert_null(strstr(err.text, "CANARY"), "%s", err.text);
	cr_assert_eq(secret_create(&remote.key, key, strlen(key), &err), STATUS_OK);
	cr_assert_eq(remote_refuse(&remote, &got, &err), STATUS_DECLINED);
	cr_assert_str_eq(err.text, "box: the key was refused (401): check what pass prints");
	secret_free(remote.key);
}

Test(call, quotes_servers_in_one_short_line_without_the_key)
{
	const struct server_config server = {.name = name, .url = url};
	struct buf body = {.max = KIB(8)};
	struct fake_answer answer = {.code = 418};
	struct error err;

	buf_puts(&body, "{\"error\":{\"message\":\"one\\ntwo sk-CANARY-0123456789 ");
	for (int i = 0; i < 400; i++)
		buf_puts(&body, "\xc3\xa9");
	buf_puts(&body, "\"}}");
	answer.body = buf_text(&body);
	cr_assert_eq(call(&server, &answer, &err), STATUS_IO);
	cr_assert_eq(strncmp(err.text, "box: one two [key] ", 19), 0, "%s", err.text);
	cr_assert_leq(strlen(err.text), 320);
	cr_assert(utf8_valid(err.text, strlen(err.text)));
	buf_free(&body);
}

Test(call, tells_what_loads_from_what_is_busy)
{
	const struct server_config server = {.name = name, .url = url};
	const struct fake_answer loading = {.code = 503, .body = "{\"error\":{\"message\":\"Loading model\",\"code\":503}}"};
	const struct fake_answer busy = {.code = 503, .body = "{\"error\":{\"message\":\"queue is full\"}}"};
	struct error err;

	cr_assert_eq(call(&server, &loading, &err), STATUS_BUSY);
	cr_assert_str_eq(err.text, "box: the server is loading its model");
	cr_assert_eq(call(&server, &busy, &err), STATUS_IO);
	cr_assert_str_eq(err.text, "box: queue is full (503)");
}

Test(call, names_the_server_once)
{
	const struct server_config server = {.name = name, .url = url};
	const struct fake_answer broken = {.trouble = HTTP_NO_HOST};
	struct error err;

	cr_assert_eq(call(&server, &broken, &err), STATUS_IO);
	cr_assert_str_eq(err.text, "box: the line is bad");
}

Test(thoughts, are_found_by_how_a_reply_begins)
{
	static const struct {
		const char *text, *opens; /* NULL: more has to come */
	} cases[] = {
		{"", NULL},
		{" \n", NULL},
		{"<", NULL},
		{"<thi", NULL},
		{"<think>", "<think>"},
		{"\n<think>\nhm", "<think>"},
		{"<thinking>", "<thinking>"},
		{"[THINK]", "[THINK]"},
		{"<|channel|>analysis<|message|>", "<|channel|>analysis<|message|>"},
		{"<|channel|>final<|message|>", "<|channel|>analysis<|message|>"},
		{"Hello", "<think>"},
		{"Here are my reasoning steps:", "<think>"},
		{"<b>", "<think>"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct reasoning_markers *markers = NULL;
		bool found = thoughts_find(cases[i].text, strlen(cases[i].text), &markers);

		cr_assert_eq(found, cases[i].opens != NULL, "'%s'", cases[i].text);
		if (found)
			cr_assert_str_eq(markers->opens[0], cases[i].opens, "'%s'", cases[i].text);
	}
}
