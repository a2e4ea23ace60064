/* Where redirects lead, and what goes along. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

/* Sends /x to ctx, and answers all else. */
static void redirect(struct loopback *server, int fd, unsigned number, void *ctx)
{
	char text[512];

	(void)number;
	while (loopback_read(server, fd)) {
		if (strstr(loopback_request(server, loopback_n_requests(server) - 1), " /x "))
			snprintf(text, sizeof text, "HTTP/1.1 307 Moved\r\nLocation: %s\r\nContent-Length: 4\r\n\r\nold.",
			         (const char *)ctx);
		else
			snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnew.");
		loopback_send(fd, text);
	}
}

static void answer(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)number;
	(void)ctx;
	while (loopback_read(server, fd))
		loopback_send(fd, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother");
}

Test(redirect, of_a_get_is_followed_to_the_same_host_with_the_key)
{
	struct loopback *server = loopback_start(redirect, (char *)"/v2/models?a=b");
	struct http_header header = {"X-Team", "red"};
	struct secret *key = ask_key("sk-CANARY");
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.target.key = key;
	ask.target.headers = &header;
	ask.target.n_headers = 1;
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_str_eq(buf_text(&ask.answer.body), "new.");
	cr_expect_eq(loopback_n_requests(server), 2);
	cr_expect_not_null(strstr(loopback_request(server, 1), "GET /v2/models?a=b HTTP/1.1\r\n"));
	cr_expect_not_null(strstr(loopback_request(server, 1), "\r\nAuthorization: Bearer sk-CANARY\r\n"));
	cr_expect_not_null(strstr(loopback_request(server, 1), "\r\nX-Team: red\r\n"));
	secret_free(key);
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(redirect, of_a_post_is_told)
{
	struct loopback *server = loopback_start(redirect, (char *)"/v2/x?key=sk-CANARY");
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.call.body = "{}";
	ask.call.body_len = 2;
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_IO);
	cr_expect_eq(ask.answer.trouble, HTTP_MOVED);
	cr_expect_eq(ask.answer.code, 307);
	cr_expect_not_null(strstr(ask.err.text, "sends us to another address"));
	cr_expect_null(strstr(ask.err.text, "CANARY"));
	cr_expect_eq(loopback_n_requests(server), 1);
	ask_deinit(&ask);
	loopback_stop(server);
}

/* GET with what the flags say from one server to another; whether the other was asked. */
static void expect_not_followed(const char *location, bool has_key, bool has_header)
{
	struct loopback *server = loopback_start(redirect, (char *)location);
	struct http_header header = {"X-Api-Key", "sk-CANARY"};
	struct secret *key = ask_key("sk-CANARY");
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.target.key = has_key ? key : NULL;
	ask.target.headers = &header;
	ask.target.n_headers = has_header ? 1 : 0;
	ask_run(&ask);
	cr_expect_eq(ask.answer.trouble, HTTP_MOVED, "%s: %s", location, ask.err.text);
	secret_free(key);
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(redirect, to_another_host_does_not_take_the_key_along)
{
	struct loopback *other = loopback_start(answer, NULL);
	char url[128], tls[128];

	snprintf(url, sizeof url, "%s/y", loopback_url(other));
	snprintf(tls, sizeof tls, "https://127.0.0.1:%u/y", loopback_port(other));
	expect_not_followed(url, true, false);
	expect_not_followed(url, false, true);
	expect_not_followed(url, false, false); /* neither without one, as there is no TLS */
	expect_not_followed(tls, true, false);
	expect_not_followed(tls, false, true);
	cr_expect_eq(loopback_n_connections(other), 0);
	loopback_stop(other);
}

Test(redirect, to_another_host_is_not_followed_where_nobody_is_verified)
{
	struct loopback *other = loopback_start(answer, NULL), *server;
	char tls[128];
	struct ask ask;

	snprintf(tls, sizeof tls, "https://127.0.0.1:%u/y", loopback_port(other));
	server = loopback_start(redirect, tls);
	ask_init(&ask, loopback_url(server));
	ask.target.is_unverified = true;
	ask_run(&ask);
	cr_expect_eq(ask.answer.trouble, HTTP_MOVED, "%s", ask.err.text);
	cr_expect_eq(loopback_n_connections(other), 0);
	ask_deinit(&ask);
	loopback_stop(server);
	loopback_stop(other);
}

Test(redirect, is_told_without_who_is_named_in_it)
{
	struct loopback *server = loopback_start(redirect, (char *)"https://user:secret@127.0.0.1:9/x");
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask_run(&ask);
	cr_expect_eq(ask.answer.trouble, HTTP_MOVED, "%s", ask.err.text);
	cr_expect_not_null(strstr(ask.err.text, "at https://127.0.0.1:9: write"), "%s", ask.err.text);
	ask_deinit(&ask);
	loopback_stop(server);
}

/* A redirect with a body of 200 KB, and an answer of as much. */
static void redirect_at_length(struct loopback *server, int fd, unsigned number, void *ctx)
{
	enum { LONG = 200000 };
	char *bytes = calloc(1, LONG + 1);

	(void)number;
	(void)ctx;
	memset(bytes, 'x', LONG);
	while (loopback_read(server, fd)) {
		loopback_send(fd, loopback_n_requests(server) == 1
		                          ? "HTTP/1.1 302 Found\r\nLocation: /y\r\nContent-Length: 200000\r\n\r\n"
		                          : "HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n");
		loopback_send(fd, bytes);
	}
	free(bytes);
}

Test(redirect, may_have_a_long_body)
{
	struct loopback *server = loopback_start(redirect_at_length, NULL);
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_eq(ask.answer.code, 200);
	cr_expect_eq(ask.answer.body.len, 200000);
	cr_expect_eq(loopback_n_requests(server), 2);
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(redirect, to_what_is_not_a_server_is_not_followed)
{
	expect_not_followed("ftp://127.0.0.1/x", false, false);
	expect_not_followed("https://user:secret@127.0.0.1/x", false, false);
	expect_not_followed("file:///etc/passwd", false, false);
}

Test(redirect, in_a_circle_ends)
{
	struct loopback *server = loopback_start(redirect, (char *)"/x");
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask_run(&ask);
	cr_expect_eq(ask.answer.trouble, HTTP_MOVED);
	cr_expect_eq(loopback_n_requests(server), 4);
	ask_deinit(&ask);
	loopback_stop(server);
}
