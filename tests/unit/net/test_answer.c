/* What comes back. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "base/limits.h"

/* Says ctx, and ends the connection. */
static void say(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)number;
	if (loopback_read(server, fd))
		loopback_send(fd, ctx);
}

static void get(struct ask *ask, const char *answer)
{
	struct loopback *server = loopback_start(say, (char *)answer);

	ask_init(ask, loopback_url(server));
	ask_run(ask);
	ask->target.url = NULL;
	loopback_stop(server);
}

Test(answer, is_collected_with_its_head)
{
	struct ask ask;

	get(&ask, "HTTP/1.1 200 OK\r\nContent-Type: Application/JSON; charset=utf-8\r\nserver:  llama.cpp \r\n"
	          "Content-Length: 11\r\n\r\n{\"data\":[]}");
	cr_assert_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_eq(ask.answer.trouble, HTTP_FINE);
	cr_expect_eq(ask.answer.code, 200);
	cr_expect_str_eq(ask.answer.type, "application/json");
	cr_expect_str_eq(ask.answer.server, "llama.cpp");
	cr_expect_str_eq(buf_text(&ask.answer.body), "{\"data\":[]}");
	cr_expect_eq(ask.answer.retry_after_ms, -1);
	cr_expect_str_eq(buf_text(&ask.phases), "012");
	ask_deinit(&ask);
}

Test(answer, of_an_error_is_an_answer)
{
	struct ask ask;

	get(&ask, "HTTP/1.1 401 Unauthorized\r\nContent-Length: 5\r\n\r\nno\0");
	cr_expect_eq(ask.answer.trouble, HTTP_BROKEN, "it is cut");
	ask_deinit(&ask);
	get(&ask, "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 7\r\n\r\nloading");
	cr_assert_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_eq(ask.answer.code, 503);
	cr_expect_str_eq(buf_text(&ask.answer.body), "loading");
	ask_deinit(&ask);
}

Test(answer, may_follow_others_that_say_to_wait)
{
	struct ask ask;

	get(&ask, "HTTP/1.1 102 Processing\r\nServer: early\r\nRetry-After: 9\r\n\r\n"
	          "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
	cr_assert_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_eq(ask.answer.code, 200);
	cr_expect_str_eq(ask.answer.server, "");
	cr_expect_eq(ask.answer.retry_after_ms, -1);
	cr_expect_str_eq(buf_text(&ask.phases), "012");
	ask_deinit(&ask);
}

Test(answer, says_when_to_ask_again)
{
	static const struct {
		const char *head;
		int64_t ms;
	} rows[] = {
		{"Retry-After: 0\r\n", 0},
		{"Retry-After: 7\r\n", 7000},
		{"retry-after:1.5\r\n", 1500},
		{"Retry-After: -3\r\n", 0},
		{"Retry-After: soon\r\n", -1},
		{"Retry-After:\r\n", -1},
		{"Retry-After: 99999999999999999999\r\n", (int64_t)366 * 24 * 3600 * 1000},
		{"retry-after-ms: 250\r\nRetry-After: 1\r\n", 250},
		{"Date: Sat, 28 Nov 2026 20:00:00 GMT\r\nRetry-After: Sat, 28 Nov 2026 20:01:30 GMT\r\n", 90000},
		{"Date: Sat, 28 Nov 2026 20:00:00 GMT\r\nRetry-After: Saturday, 28-Nov-26 20:00:05 GMT\r\n", 5000},
		{"Date: Sat, 28 Nov 2026 20:00:00 GMT\r\nRetry-After: Sat, 28 Nov 2026 19:00:00 GMT\r\n", 0},
		{"Retry-After: Sat, 28 Nov 1998 20:00:00 GMT\r\n", 0},
		{"", -1},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[512];
		struct ask ask;

		snprintf(text, sizeof text, "HTTP/1.1 429 Too Many Requests\r\n%sContent-Length: 0\r\n\r\n",
		         rows[i].head);
		get(&ask, text);
		cr_expect_eq(ask.status, STATUS_OK);
		cr_expect_eq(ask.answer.retry_after_ms, rows[i].ms, "%s%lld", rows[i].head,
		             (long long)ask.answer.retry_after_ms);
		ask_deinit(&ask);
	}
}

/* A stream of chunks, cut at each byte of what goes over the line. */
static const char CHUNKED[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                              "Transfer-Encoding: chunked\r\n\r\n"
                              "6\r\ndata: \r\n7\r\n{\"a\":1}\r\n2\r\n\n\n\r\n0\r\n\r\n";

static void say_in_two(struct loopback *server, int fd, unsigned number, void *ctx)
{
	unsigned n_taken = number;

	(void)ctx;
	if (!loopback_read(server, fd))
		return;
	loopback_send_bytes(fd, CHUNKED, n_taken);
	loopback_send(fd, CHUNKED + n_taken);
}

Test(answer, is_handed_over_as_it_comes)
{
	struct loopback *server = loopback_start(say_in_two, NULL);

	for (size_t i = 0; i < sizeof CHUNKED; i++) {
		struct ask ask;

		ask_init(&ask, loopback_url(server));
		ask.call.take = ask_take;
		ask_run(&ask);
		cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
		cr_expect_str_eq(buf_text(&ask.took), "data: {\"a\":1}\n\n");
		cr_expect_eq(ask.answer.body.len, 0);
		cr_expect_str_eq(ask.answer.type, "text/event-stream");
		ask_deinit(&ask);
	}
	loopback_stop(server);
}

static enum status refuse(void *ctx, const char *bytes, size_t n, struct error *err)
{
	(void)ask_take(ctx, bytes, n, err);
	return error_set(err, STATUS_FORMAT, "that makes no sense");
}

static void say_and_hold(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)number;
	if (loopback_read(server, fd))
		loopback_send(fd, ctx);
	loopback_wait_closed(fd);
}

Test(answer, ends_where_what_takes_it_fails)
{
	struct loopback *server =
	    loopback_start(say_and_hold, (char *)"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n");
	struct http *http = ask_client();
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.call.take = refuse;
	ask_run_with(&ask, http);
	cr_expect_eq(ask.status, STATUS_FORMAT);
	cr_expect_str_eq(ask.err.text, "that makes no sense");
	cr_expect_str_eq(buf_text(&ask.took), "hi");
	loopback_wait_served(server, 1); /* the connection is closed though the client lives on */
	http_free(http);
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(answer, to_a_stream_that_is_an_error_is_collected)
{
	struct loopback *server =
	    loopback_start(say, (char *)"HTTP/1.1 400 Bad Request\r\nContent-Length: 5\r\n\r\nwrong");
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.call.take = ask_take;
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_OK);
	cr_expect_eq(ask.answer.code, 400);
	cr_expect_eq(ask.took.len, 0);
	cr_expect_str_eq(buf_text(&ask.answer.body), "wrong");
	ask_deinit(&ask);
	loopback_stop(server);
}

/* A head, and then the letter a without end. */
static void say_without_end(struct loopback *server, int fd, unsigned number, void *ctx)
{
	static char bytes[65536];

	(void)number;
	memset(bytes, 'a', sizeof bytes);
	if (loopback_read(server, fd) && loopback_send(fd, ctx))
		while (loopback_send_bytes(fd, bytes, sizeof bytes))
			;
}

Test(answer, has_a_limit)
{
	struct loopback *server = loopback_start(say_without_end, (char *)"HTTP/1.1 200 OK\r\n\r\n");
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.call.limits.bytes = 100001;
	ask_run(&ask);
	ask_expect_trouble(&ask, HTTP_TOO_LARGE, "the answer of %s is longer than its limit", loopback_url(server));
	cr_expect_eq(ask.answer.body.len, 100001);
	ask_deinit(&ask);

	ask_init(&ask, loopback_url(server));
	ask.call.limits.bytes = 100001;
	ask.call.take = ask_take;
	ask_run(&ask);
	ask_expect_trouble(&ask, HTTP_TOO_LARGE, "the answer of %s is longer than its limit", loopback_url(server));
	cr_expect_eq(ask.took.len, 100001);
	ask_deinit(&ask);

	ask_init(&ask, loopback_url(server)); /* without one, too */
	ask_run(&ask);
	ask_expect_trouble(&ask, HTTP_TOO_LARGE, "the answer of %s is longer than its limit", loopback_url(server));
	cr_expect_eq(ask.answer.body.len, LIMIT_HTTP_BODY);
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(answer, as_long_as_its_limit_is_whole)
{
	struct loopback *server = loopback_start(say, (char *)"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345");

	for (int i = 0; i < 2; i++) {
		struct ask ask;

		ask_init(&ask, loopback_url(server));
		ask.call.limits.bytes = 5;
		ask.call.take = i ? ask_take : NULL;
		ask_run(&ask);
		cr_expect_eq(ask.status, STATUS_OK);
		cr_expect_str_eq(buf_text(i ? &ask.took : &ask.answer.body), "12345");
		ask_deinit(&ask);
	}
	loopback_stop(server);
}

Test(answer, that_is_an_error_without_end_is_cut)
{
	struct loopback *server = loopback_start(say_without_end, (char *)"HTTP/1.1 500 Oh\r\n\r\n");
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_eq(ask.answer.code, 500);
	cr_expect_eq(ask.answer.body.len, LIMIT_HTTP_ERROR_BODY);
	ask_deinit(&ask);
	loopback_stop(server);
}

static void say_head_without_end(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)number;
	(void)ctx;
	if (loopback_read(server, fd) && loopback_send(fd, "HTTP/1.1 200 OK\r\n"))
		while (loopback_send(fd, "X-More: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"))
			;
}

Test(answer, has_a_limit_of_its_head)
{
	struct loopback *server = loopback_start(say_head_without_end, NULL);
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask_run(&ask);
	ask_expect_trouble(&ask, HTTP_TOO_LARGE, "the answer of %s is longer than its limit", loopback_url(server));
	ask_deinit(&ask);
	loopback_stop(server);
}

/* One mebibyte of zeros, gzipped: 1,051 bytes. */
static void say_bomb(struct loopback *server, int fd, unsigned number, void *ctx)
{
	static const unsigned char begin[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3, 0xed, 0xc1, 0x31, 1, 0, 0, 0,
	                                      0xc2, 0xa0, 0xf5, 0x4f, 0x6d, 8, 0x5f, 0xa0};
	static const unsigned char end[] = {0x3e, 3, 0x1c, 0xea, 0x38, 0xa7, 0, 0, 0x10, 0};
	unsigned char bytes[1051] = {0};

	(void)number;
	(void)ctx;
	memcpy(bytes, begin, sizeof begin);
	memcpy(bytes + sizeof bytes - sizeof end, end, sizeof end);
	if (loopback_read(server, fd) &&
	    loopback_send(fd, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1051\r\n\r\n"))
		loopback_send_bytes(fd, bytes, sizeof bytes);
}

Test(answer, that_is_compressed_has_its_limit_unpacked)
{
	struct loopback *server = loopback_start(say_bomb, NULL);
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.call.limits.bytes = MIB(1);
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_eq(ask.answer.body.len, MIB(1));
	ask_deinit(&ask);
	ask_init(&ask, loopback_url(server));
	ask.call.limits.bytes = MIB(1) - 1;
	ask_run(&ask);
	cr_expect_eq(ask.answer.trouble, HTTP_TOO_LARGE);
	cr_expect_eq(ask.answer.body.len, MIB(1) - 1);
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(answer, that_is_compressed_otherwise_than_it_says_is_broken)
{
	struct ask ask;

	get(&ask, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain");
	cr_expect_eq(ask.answer.trouble, HTTP_BROKEN, "%s", ask.err.text);
	ask_deinit(&ask);
}
