/* What can go wrong, and in which words. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ask.h"
#include "support/folder.h"

/* A port of this machine that nobody else gets, for as long as `fd` is open. */
static uint16_t take_port(int *fd)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t size = sizeof address;

	*fd = socket(AF_INET, SOCK_STREAM, 0);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	cr_assert_eq(bind(*fd, (struct sockaddr *)&address, size), 0);
	cr_assert_eq(getsockname(*fd, (struct sockaddr *)&address, &size), 0);
	return ntohs(address.sin_port);
}

static void expect_get(const char *url, const char *host_url, enum http_trouble trouble, const char *text)
{
	struct ask ask;

	ask_init(&ask, url);
	ask_run(&ask);
	ask_expect_trouble(&ask, trouble, text, host_url);
	ask_deinit(&ask);
}

Test(trouble, is_a_name_that_nobody_knows)
{
	/* No name has a part of 64 letters: nobody is asked. */
	static const char name[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example";
	char url[128], shown[128];

	unsetenv("http_proxy");
	unsetenv("all_proxy");
	unsetenv("ALL_PROXY");
	snprintf(url, sizeof url, "http://%s:8080", name);
	snprintf(shown, sizeof shown, "https://%s", name);
	expect_get(url, shown, HTTP_NO_HOST,
	           "no machine is known by the name of '%s': check the network, and its url");
}

Test(trouble, is_a_port_that_nobody_listens_at)
{
	char url[64];
	int fd;

	snprintf(url, sizeof url, "http://127.0.0.1:%u", take_port(&fd));
	expect_get(url, url, HTTP_REFUSED, "nothing listens at %s: is the server started, and the port right?");
	close(fd);
}

Test(trouble, is_a_connection_that_nobody_takes)
{
	char url[64];
	struct sockaddr_in address = {.sin_family = AF_INET};
	int fd, fillers[8];
	struct ask ask;
	uint16_t port = take_port(&fd);

	cr_assert_eq(listen(fd, 0), 0);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address.sin_port = htons(port);
	for (int i = 0; i < 8; i++) { /* the queue is full after the first or second */
		fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		(void)!connect(fillers[i], (struct sockaddr *)&address, sizeof address);
	}
	snprintf(url, sizeof url, "http://127.0.0.1:%u", port);
	ask_init(&ask, url);
	ask.call.limits.connect = 40;
	ask_run(&ask);
	ask_expect_trouble(&ask, HTTP_NO_ROUTE,
	                   "no connection to %s within 40 ms: is the machine on, and the address right?", url);
	cr_expect_str_eq(buf_text(&ask.phases), "0");
	ask_deinit(&ask);
	snprintf(url, sizeof url, "https://127.0.0.1:%u", port);
	ask_init(&ask, url);
	ask.call.limits.connect = 40;
	ask_run(&ask);
	cr_expect_eq(ask.answer.trouble, HTTP_NO_ROUTE, "not TLS: %s", ask.err.text);
	ask_deinit(&ask);
	ask_init(&ask, url);
	ask.cancel_phase = HTTP_CONNECTING;
	ask.n_before = 3;
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_CANCELLED);
	ask_deinit(&ask);
	cr_expect_not(http_listens(port));
	for (int i = 0; i < 8; i++)
		close(fillers[i]);
	close(fd);
}

/* What it says to the first request is ctx, and what it says before any. */
struct stranger {
	const char *banner, *reply;
	bool is_tls; /* on the second connection it answers a hello with an alert */
};

static void be_strange(struct loopback *server, int fd, unsigned number, void *ctx)
{
	static const char alert[] = {21, 3, 3, 0, 2, 2, 40};
	const struct stranger *stranger = ctx;
	char bytes[64];

	loopback_send(fd, stranger->banner);
	if (number == 0 && *stranger->reply && loopback_read(server, fd))
		loopback_send(fd, stranger->reply);
	else if (number == 0 && !*stranger->banner && loopback_read(server, fd))
		return;
	else if (number == 1 && stranger->is_tls && recv(fd, bytes, sizeof bytes, 0) > 0 &&
	         bytes[0] == 22)
		loopback_send_bytes(fd, alert, sizeof alert);
	loopback_wait_closed(fd);
}

static void expect_strange(struct stranger stranger, const char *scheme, enum http_trouble trouble,
                           const char *text)
{
	struct loopback *server = loopback_start(be_strange, &stranger);
	char url[64];

	snprintf(url, sizeof url, "%s://127.0.0.1:%u", scheme, loopback_port(server));
	expect_get(url, loopback_url(server), trouble, text);
	loopback_stop(server);
}

Test(trouble, is_a_port_of_something_else)
{
	expect_strange((struct stranger){"SSH-2.0-OpenSSH_9.2\r\n", ""}, "http", HTTP_STRANGE,
	               "%s does not speak HTTP (it says 'SSH-2.0-OpenSSH_9.2'): check the port in its url");
	expect_strange((struct stranger){"SSH-2.0-OpenSSH_9.2\r\n", ""}, "https", HTTP_STRANGE,
	               "%s does not speak HTTP (it says 'SSH-2.0-OpenSSH_9.2'): check the port in its url");
	expect_strange((struct stranger){"J\x01\x1b[2J\xff", ""}, "http", HTTP_STRANGE,
	               "%s does not speak HTTP (it says 'J??[2J?'): check the port in its url");
	expect_strange((struct stranger){"", "-ERR unknown command 'GET'\r\n"}, "http", HTTP_STRANGE,
	               "%s does not speak HTTP: check the port in its url");
}

Test(trouble, is_tls_where_none_is_spoken)
{
	static const char text[] = "%s speaks TLS: write https:// in its url";

	expect_strange((struct stranger){"", "", true}, "http", HTTP_TLS, text);
	expect_strange((struct stranger){"", "\x15\x03\x03\x01\x02\x02(", true}, "http", HTTP_TLS, text);
	expect_strange((struct stranger){"", "HTTP/1.1 400 Bad Request\r\nContent-Length: 50\r\n\r\n"
	                                     "The plain HTTP request was sent to HTTPS port...\r\n"},
	               "http", HTTP_TLS, text);
}

static void speak_http(struct loopback *server, int fd, unsigned number, void *ctx)
{
	char bytes[16];

	(void)server;
	(void)number;
	if (recv(fd, bytes, sizeof bytes, 0) > 0) /* a hello */
		loopback_send(fd, ctx);
}

Test(trouble, is_no_tls_where_it_should_be)
{
	struct loopback *server = loopback_start(speak_http, (char *)"HTTP/1.1 400 Bad Request\r\n\r\n");
	char url[64];

	snprintf(url, sizeof url, "https://127.0.0.1:%u", loopback_port(server));
	expect_get(url, url, HTTP_TLS, "%s does not speak TLS: write http:// in its url");
	loopback_stop(server);
}

static void say_and_hold(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)number;
	if (loopback_read(server, fd))
		loopback_send(fd, ctx);
	loopback_wait_closed(fd);
}

/* A stream with one limit, of a server that says a text and no more. */
static void expect_limit(const char *says, struct http_limits limits, enum http_trouble trouble, const char *text,
                         const char *took)
{
	struct loopback *server = loopback_start(say_and_hold, (char *)says);
	struct http *http = ask_client();
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.call.limits = limits;
	ask.call.take = ask_take;
	ask_run_with(&ask, http);
	ask_expect_trouble(&ask, trouble, text, loopback_url(server));
	cr_expect_str_eq(buf_text(&ask.took), took);
	loopback_wait_served(server, 1); /* it is closed */
	http_free(http);
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(trouble, is_a_server_that_says_nothing)
{
	static const char stream[] = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n";

	expect_limit("", (struct http_limits){.first_byte = 30}, HTTP_NO_ANSWER,
	             "%s has not begun to answer within 30 ms", "");
	expect_limit("HTTP/1.1 200 OK\r\nX-Half: a he", (struct http_limits){.first_byte = 30}, HTTP_NO_ANSWER,
	             "%s has not begun to answer within 30 ms", "");
	expect_limit("", (struct http_limits){.whole = 30, .silence = 1}, HTTP_SILENT,
	             "%s has not answered within 30 ms: is the port right?", "");
	expect_limit(stream, (struct http_limits){.silence = 30}, HTTP_SILENT, "%s has sent nothing more for 30 ms",
	             "hi");
	expect_limit(stream, (struct http_limits){.whole = 30}, HTTP_SILENT,
	             "the answer of %s was not whole within 30 ms", "hi");
}

static void say_without_end(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)number;
	(void)ctx;
	if (loopback_read(server, fd) && loopback_send(fd, "HTTP/1.1 200 OK\r\n\r\n"))
		while (loopback_send(fd, ": still there\n"))
			;
}

static enum status forget(void *ctx, const char *bytes, size_t n, struct error *err)
{
	(void)ctx;
	(void)bytes;
	(void)n;
	(void)err;
	return STATUS_OK;
}

Test(trouble, is_an_answer_without_end)
{
	struct loopback *server = loopback_start(say_without_end, NULL);
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.call.limits = (struct http_limits){.whole = 60, .silence = 60000};
	ask.call.take = forget;
	ask_run(&ask);
	ask_expect_trouble(&ask, HTTP_SILENT, "the answer of %s was not whole within 60 ms", loopback_url(server));
	ask_deinit(&ask);
	loopback_stop(server);
}

/* What it says, and how it ends the connection. */
struct end {
	const char *says;
	bool resets;
};

static void say_and_end(struct loopback *server, int fd, unsigned number, void *ctx)
{
	const struct end *end = ctx;

	(void)number;
	if (loopback_read(server, fd))
		loopback_send(fd, end->says);
	if (end->resets)
		loopback_reset(fd);
}

static void expect_broken(struct end end, bool is_post, const char *text, const char *took)
{
	struct loopback *server = loopback_start(say_and_end, &end);
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.call.take = ask_take;
	ask.call.body = is_post ? "{}" : NULL;
	ask.call.body_len = is_post ? 2 : 0;
	ask_run(&ask);
	ask_expect_trouble(&ask, HTTP_BROKEN, text, loopback_url(server));
	cr_expect_str_eq(buf_text(&ask.took), took);
	if (is_post) /* which asks again is the caller's */
		cr_expect_eq(loopback_n_connections(server), 1);
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(trouble, is_a_connection_that_breaks)
{
	static const char without[] = "%s ended the connection without an answer";
	static const char middle[] = "%s ended the connection in the middle of its answer";
	static const char chunked[] = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nbut\r\n";

	for (int post = 0; post < 2; post++) {
		expect_broken((struct end){"", false}, post, without, "");
		expect_broken((struct end){"", true}, post, without, "");
		expect_broken((struct end){"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1234", false}, post, middle, "1234");
		expect_broken((struct end){chunked, false}, post, middle, "but");
	}
}

Test(trouble, is_an_answer_that_is_no_http)
{
	struct ask ask;
	struct end end = {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nbut\r\n", false};
	struct loopback *server = loopback_start(say_and_end, &end);

	ask_init(&ask, loopback_url(server));
	ask_run(&ask);
	cr_expect_eq(ask.answer.trouble, HTTP_BROKEN, "%s", ask.err.text);
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(trouble, is_a_call_that_cannot_be_made)
{
	char folder[] = "/tmp/sotto-net-XXXXXX", path[64];
	struct loopback *server = loopback_start(say_and_hold, (char *)"");
	char url[64];
	struct ask ask;

	ask_init(&ask, "http://user:sk-CANARY@127.0.0.1:1");
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_USAGE);
	cr_expect_eq(ask.answer.trouble, HTTP_BAD_CALL);
	cr_expect_null(strstr(ask.err.text, "CANARY"));
	ask_deinit(&ask);

	snprintf(url, sizeof url, "https://127.0.0.1:%u", loopback_port(server));
	ask_init(&ask, url);
	ask.target.ca = "/nowhere/ca.pem";
	ask_run(&ask);
	ask_expect_trouble(&ask, HTTP_BAD_CALL,
	                   "the file of certificates: /nowhere/ca.pem: cannot open: No such file or directory", url);
	ask_deinit(&ask);

	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/ca.pem", folder);
	write_text(path, "nothing of the kind\n");
	ask_init(&ask, url);
	ask.target.ca = path;
	ask_run(&ask);
	cr_expect_eq(ask.answer.trouble, HTTP_BAD_CALL);
	cr_expect_not_null(strstr(ask.err.text, "has none in PEM in it"), "%s", ask.err.text);
	cr_expect_eq(loopback_n_connections(server), 0);
	ask_deinit(&ask);
	remove_folder(folder);
	loopback_stop(server);
}
