/* What downloads need beside GET: HEAD, headers of one call, redirects that are answers, all headers. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "base/limits.h"

/* Says the same to every request. */
static void answer(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)number;
	while (loopback_read(server, fd))
		loopback_send(fd, ctx);
}

static void expect_request(struct loopback *server, const char *begins, const char *line)
{
	const char *request = loopback_request(server, 0);

	cr_expect_eq(strncmp(request, begins, strlen(begins)), 0, "%s", request);
	cr_expect_not_null(strstr(request, line), "%s", request);
}

Test(download, may_begin_with_a_head)
{
	struct loopback *server = loopback_start(
		answer, (char *)"HTTP/1.1 200 OK\r\nContent-Length: 12345678901\r\nX-Linked-ETag: \"abc\"\r\n\r\n");
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.call.is_head = true;
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_eq(ask.answer.code, 200);
	cr_expect_eq(ask.answer.body.len, 0);
	cr_expect_str_eq(buf_text(&ask.answer.head), "content-length: 12345678901\nx-linked-etag: \"abc\"\n");
	expect_request(server, "HEAD /x HTTP/1.1\r\n", "\r\nUser-Agent: ");
	cr_expect_null(strstr(loopback_request(server, 0), "Accept-Encoding"));
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(download, has_headers_of_its_own)
{
	struct loopback *server = loopback_start(
		answer, (char *)"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-8/100\r\nContent-Length: 4\r\n\r\nfour");
	struct http_header team = {"X-Team", "red"};
	struct http_header headers[] = {{"Range", "bytes=5-8"}, {"If-Range", "\"abc\""}};
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.target.headers = &team;
	ask.target.n_headers = 1;
	ask.call.headers = headers;
	ask.call.n_headers = 2;
	ask.call.take = ask_take;
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_eq(ask.answer.code, 206);
	cr_expect_str_eq(buf_text(&ask.took), "four");
	cr_expect_not_null(strstr(buf_text(&ask.answer.head), "content-range: bytes 5-8/100\n"));
	expect_request(server, "GET /x ", "\r\nX-Team: red\r\nRange: bytes=5-8\r\nIf-Range: \"abc\"\r\n");
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(download, has_no_headers_that_none_may_have)
{
	struct http_header header = {"Range", "bytes=5-8\r\nX-Other: 1"};
	struct ask ask;

	ask_init(&ask, "http://127.0.0.1:9");
	ask.call.headers = &header;
	ask.call.n_headers = 1;
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_USAGE);
	cr_expect_eq(ask.answer.trouble, HTTP_BAD_CALL);
	ask_deinit(&ask);
}

static void expect_leads(const char *location, int code, const char *to)
{
	char text[512];
	struct loopback *server;
	struct secret *key = ask_key("sk-CANARY");
	struct ask ask;

	snprintf(text, sizeof text, "HTTP/1.1 %d Moved\r\nLocation: %s\r\nContent-Length: 4\r\n\r\nold.", code, location);
	server = loopback_start(answer, text);
	ask_init(&ask, loopback_url(server));
	ask.target.key = key;
	ask.call.stops_at_redirect = true;
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_OK, "%s: %s", location, ask.err.text);
	cr_expect_eq(ask.answer.code, code);
	cr_expect_str_eq(buf_text(&ask.answer.redirect), *to == '/' ? "" : to);
	if (*to == '/') {
		snprintf(text, sizeof text, "%s%s", loopback_url(server), to);
		cr_expect_str_eq(buf_text(&ask.answer.redirect), text);
	}
	cr_expect_eq(loopback_n_requests(server), 1);
	secret_free(key);
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(download, stops_at_redirects_where_it_is_told_to)
{
	expect_leads("https://cdn.example/x?sig=1&a=b", 302, "https://cdn.example/x?sig=1&a=b");
	expect_leads("//cdn.example/x", 307, "http://cdn.example/x");
	expect_leads("http://127.0.0.1:1/x", 301, "http://127.0.0.1:1/x");
}

/* A path is of the server that was asked. */
static void move(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)number;
	(void)ctx;
	while (loopback_read(server, fd))
		loopback_send(fd, "HTTP/1.1 308 Moved\r\nLocation: ../y?z\r\nContent-Length: 0\r\n\r\n");
}

Test(download, is_told_whole_addresses)
{
	struct loopback *server = loopback_start(move, NULL);
	char expected[128];
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.call.path = "/a/b";
	ask.call.stops_at_redirect = true;
	ask_run(&ask);
	snprintf(expected, sizeof expected, "%s/y?z", loopback_url(server));
	cr_expect_eq(ask.answer.code, 308);
	cr_expect_str_eq(buf_text(&ask.answer.redirect), expected);
	ask_deinit(&ask);
	loopback_stop(server);
}

/* Only the last head counts. */
static void move_once(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)number;
	(void)ctx;
	while (loopback_read(server, fd))
		loopback_send(fd, loopback_n_requests(server) == 1
		                          ? "HTTP/1.1 302 Moved\r\nLocation: /y\r\nX-First: 1\r\nContent-Length: 0\r\n\r\n"
		                          : "HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\nX-Last:  a b \r\n"
		                            "X-Empty:\r\nContent-Length: 0\r\n\r\n");
}

Test(download, is_told_the_last_head_alone)
{
	struct loopback *server = loopback_start(move_once, NULL);
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_str_eq(buf_text(&ask.answer.head), "x-last: a b\nx-empty: \ncontent-length: 0\n");
	ask_deinit(&ask);
	loopback_stop(server);
}

/* More than what may be collected. */
static void send_much(struct loopback *server, int fd, unsigned number, void *ctx)
{
	char *mib = calloc(1, MIB(1));

	(void)number;
	(void)ctx;
	if (loopback_read(server, fd))
		loopback_send(fd, "HTTP/1.1 200 OK\r\nContent-Length: 83886080\r\n\r\n");
	for (int i = 0; i < 80; i++)
		loopback_send_bytes(fd, mib, MIB(1));
	free(mib);
}

static enum status count(void *ctx, const char *bytes, size_t n, struct error *err)
{
	(void)bytes;
	(void)err;
	((struct ask *)ctx)->n_before += (unsigned)n;
	return STATUS_OK;
}

Test(download, has_no_limit_where_it_is_taken_as_it_comes)
{
	struct loopback *server = loopback_start(send_much, NULL);
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.call.take = count;
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_eq(ask.n_before, 80u << 20);
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(download, comes_in_large_pieces)
{
	struct loopback *server = loopback_start(send_much, NULL);
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.call.take = count;
	ask.call.is_bulk = true;
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_eq(ask.n_before, 80u << 20);
	ask_deinit(&ask);
	loopback_stop(server);
}

static enum status refuse(void *ctx, const char *bytes, size_t n, struct error *err)
{
	(void)ctx;
	(void)bytes;
	return error_set(err, STATUS_FORMAT, "%s", n > 0 ? "not this" : "nothing");
}

Test(download, ends_where_what_comes_is_refused)
{
	for (int is_bulk = 0; is_bulk < 2; is_bulk++) {
		struct loopback *server = loopback_start(send_much, NULL);
		struct ask ask;

		ask_init(&ask, loopback_url(server));
		ask.call.take = refuse;
		ask.call.is_bulk = is_bulk;
		ask_run(&ask);
		cr_expect_eq(ask.status, STATUS_FORMAT);
		cr_expect_str_eq(ask.err.text, "not this");
		ask_deinit(&ask);
		loopback_stop(server);
	}
}
