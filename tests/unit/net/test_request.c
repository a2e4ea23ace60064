/* What is sent, and over which connection. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ask.h"
#include "base/limits.h"
#include "support/folder.h"

static const char NO_CONTENT[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

static void answer_all(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)number;
	(void)ctx;
	while (loopback_read(server, fd))
		loopback_send(fd, NO_CONTENT);
}

static bool has_line(const char *request, const char *line)
{
	char whole[512];

	snprintf(whole, sizeof whole, "\r\n%s\r\n", line);
	return strstr(request, whole) != NULL;
}

Test(request, is_a_get_without_a_body)
{
	struct loopback *server = loopback_start(answer_all, NULL);
	struct ask ask;
	const char *request;

	ask_init(&ask, loopback_url(server));
	ask.call.path = "/v1/models?x=1";
	ask_run(&ask);
	cr_assert_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	request = loopback_request(server, 0);
	cr_expect_eq(strncmp(request, "GET /v1/models?x=1 HTTP/1.1\r\n", 29), 0, "%s", request);
	cr_expect_not_null(strstr(request, "\r\nUser-Agent: sotto/"));
	cr_expect_not_null(strstr(request, "\r\nAccept-Encoding: "), "a body that is collected may be compressed");
	cr_expect_null(strstr(request, "Authorization"));
	cr_expect_null(strstr(request, "Content-Type"));
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(request, is_a_post_with_key_and_headers)
{
	struct loopback *server = loopback_start(answer_all, NULL);
	struct http_header headers[] = {{"X-Title", "sotto"}, {"X-Empty", ""}};
	char url[128];
	struct ask ask;
	const char *request;
	struct secret *key = ask_key("sk-CANARY");

	snprintf(url, sizeof url, "%s/v1/", loopback_url(server));
	ask_init(&ask, url);
	ask.target.key = key;
	ask.target.headers = headers;
	ask.target.n_headers = 2;
	ask.call.path = "/chat/completions";
	ask.call.body = "{\"a\":1}";
	ask.call.body_len = 7;
	ask.call.take = ask_take;
	ask_run(&ask);
	cr_assert_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	request = loopback_request(server, 0);
	cr_expect_eq(strncmp(request, "POST /v1/chat/completions HTTP/1.1\r\n", 36), 0, "%s", request);
	cr_expect(has_line(request, "Authorization: Bearer sk-CANARY"));
	cr_expect(has_line(request, "Content-Type: application/json"));
	cr_expect(has_line(request, "Content-Length: 7"));
	cr_expect(has_line(request, "X-Title: sotto"));
	cr_expect(has_line(request, "X-Empty:"));
	cr_expect_null(strstr(request, "Accept-Encoding"), "a stream is not compressed");
	cr_expect_not_null(strstr(request, "\r\n\r\n{\"a\":1}"));
	secret_free(key);
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(request, has_no_header_that_smuggles_others_in)
{
	static const struct http_header headers[] = {{"X-A", "b\r\nX-C: d"}, {"X-A\r\nX-C", "d"}, {"X A", "b"},
	                                             {"", "b"}, {"X-A:", "b"}, {"X-A", "b\x7f"}};
	struct loopback *server = loopback_start(answer_all, NULL);

	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
		struct ask ask;

		ask_init(&ask, loopback_url(server));
		ask.target.headers = headers + i;
		ask.target.n_headers = 1;
		ask_run(&ask);
		cr_expect_eq(ask.status, STATUS_USAGE);
		cr_expect_eq(ask.answer.trouble, HTTP_BAD_CALL);
		ask_deinit(&ask);
	}
	cr_expect_eq(loopback_n_connections(server), 0);
	loopback_stop(server);
}

Test(request, of_several_mebibytes_does_not_wait_for_permission)
{
	struct loopback *server = loopback_start(answer_all, NULL);
	size_t n = MIB(5);
	char *body = malloc(n + 1);
	struct ask ask;

	cr_assert_not_null(body);
	memset(body, 'a', n);
	body[n] = 0;
	ask_init(&ask, loopback_url(server));
	ask.call.body = body;
	ask.call.body_len = n;
	ask_run(&ask);
	cr_assert_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_null(strstr(loopback_request(server, 0), "Expect"));
	cr_expect_eq(strlen(strstr(loopback_request(server, 0), "\r\n\r\n")), n + 4);
	free(body);
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(request, after_request_goes_over_one_connection)
{
	struct loopback *server = loopback_start(answer_all, NULL);
	struct http *http = ask_client();

	for (int i = 0; i < 5; i++) {
		struct ask ask;

		ask_init(&ask, loopback_url(server));
		ask_run_with(&ask, http);
		cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
		cr_expect_eq(ask.answer.is_reused, i > 0);
		cr_expect_str_eq(buf_text(&ask.phases), "012");
		ask_deinit(&ask);
	}
	cr_expect_eq(loopback_n_connections(server), 1);
	http_free(http);
	loopback_wait_served(server, 1); /* by http_free: it is closed */
	loopback_stop(server);
}

static void answer_one(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)number;
	(void)ctx;
	if (loopback_read(server, fd))
		loopback_send(fd, NO_CONTENT);
}

Test(request, over_a_connection_that_died_meanwhile_is_made_again)
{
	struct loopback *server = loopback_start(answer_one, NULL);
	struct http *http = ask_client();

	for (unsigned i = 0; i < 3; i++) {
		struct ask ask;

		ask_init(&ask, loopback_url(server));
		ask.call.body = "{}";
		ask.call.body_len = 2;
		ask_run_with(&ask, http);
		cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
		ask_deinit(&ask);
		loopback_wait_served(server, i + 1);
	}
	cr_expect_eq(loopback_n_requests(server), 3);
	http_free(http);
	loopback_stop(server);
}

Test(request, goes_through_a_unix_socket)
{
	char folder[] = "/tmp/sotto-net-XXXXXX", path[64], url[80];
	struct loopback *server;
	struct ask ask;

	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/x.sock", folder);
	snprintf(url, sizeof url, "unix://%s", path);
	server = loopback_start_unix(path, answer_all, NULL);
	ask_init(&ask, url);
	ask_run(&ask);
	cr_assert_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect(has_line(loopback_request(server, 0), "Host: localhost"));
	ask_deinit(&ask);
	loopback_stop(server);
	unlink(path);
	ask_init(&ask, url);
	ask_run(&ask);
	ask_expect_trouble(&ask, HTTP_REFUSED, "nothing listens at %s: is the server started?", url);
	ask_deinit(&ask);
	remove_folder(folder);
}

Test(request, to_this_machine_goes_through_no_proxy)
{
	struct loopback *server = loopback_start(answer_all, NULL);
	struct ask ask;

	setenv("http_proxy", "http://127.0.0.1:1", 1);
	setenv("all_proxy", "http://127.0.0.1:1", 1);
	ask_init(&ask, loopback_url(server));
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	ask_deinit(&ask);
	loopback_stop(server);
}

static void use_proxy(const char *variable, const char *url)
{
	unsetenv("no_proxy");
	unsetenv("NO_PROXY");
	setenv(variable, url, 1);
}

Test(request, to_another_machine_goes_through_the_proxy)
{
	struct loopback *proxy = loopback_start(answer_all, NULL);
	struct ask ask;

	use_proxy("http_proxy", loopback_url(proxy));
	ask_init(&ask, "http://box.invalid:8080");
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_eq(strncmp(loopback_request(proxy, 0), "GET http://box.invalid:8080/x HTTP/1.1\r\n", 40), 0);
	ask_deinit(&ask);
	loopback_stop(proxy);
}

static void refuse_all(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)number;
	(void)ctx;
	if (loopback_read(server, fd))
		loopback_send(fd, "HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n");
}

static void expect_no_way(const char *url, const char *reason)
{
	struct ask ask;

	ask_init(&ask, url);
	ask_run(&ask);
	cr_expect_eq(ask.answer.trouble, HTTP_NO_ROUTE, "%s", ask.err.text);
	cr_expect_eq(strncmp(ask.err.text, "the proxy for box.invalid", 25), 0, "%s", ask.err.text);
	cr_expect_not_null(strstr(ask.err.text, reason), "%s", ask.err.text);
	ask_deinit(&ask);
}

Test(request, fails_in_words_where_the_proxy_does)
{
	struct loopback *proxy = loopback_start(refuse_all, NULL);
	char url[64], words[128];

	snprintf(url, sizeof url, "http://me:secret@127.0.0.1:%u/", loopback_port(proxy));
	use_proxy("https_proxy", url);
	use_proxy("http_proxy", url);
	snprintf(words, sizeof words, ", 127.0.0.1:%u, wants a log-in or has refused it (407): ", loopback_port(proxy));
	expect_no_way("https://box.invalid", words);
	expect_no_way("https://box.invalid", "before its host in https_proxy");
	expect_no_way("http://box.invalid:8080", words);
	expect_no_way("http://box.invalid:8080", "before its host in http_proxy");
	loopback_stop(proxy);
	expect_no_way("https://box.invalid", "Failed to connect to 127.0.0.1"); /* it is gone */
}

static void reset(struct loopback *server, int fd, unsigned number, void *ctx)
{
	char byte;

	(void)server;
	(void)number;
	(void)ctx;
	cr_assert_eq(recv(fd, &byte, 1, 0), 1);
	loopback_reset(fd);
}

Test(request, into_a_closed_connection_raises_no_signal)
{
	struct loopback *server = loopback_start(reset, NULL);
	size_t n = MIB(8);
	char *body = calloc(1, n);
	struct ask ask;
	sigset_t pending;

	signal(SIGPIPE, SIG_DFL);
	ask_init(&ask, loopback_url(server));
	ask.call.body = body;
	ask.call.body_len = n;
	ask_run(&ask);
	cr_expect_eq(ask.answer.trouble, HTTP_BROKEN);
	sigpending(&pending);
	cr_expect_eq(sigismember(&pending, SIGPIPE), 0);
	free(body);
	ask_deinit(&ask);
	loopback_stop(server);
}
