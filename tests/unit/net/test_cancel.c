/* A call that is given up closes its connection, in each phase, while its client lives on. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "base/limits.h"

static void say_and_hold(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)number;
	if (loopback_read(server, fd))
		loopback_send(fd, ctx);
	loopback_wait_closed(fd);
}

static void cancel_in(struct ask *ask, struct http *http, struct loopback *server, enum http_phase phase)
{
	ask->cancel_phase = (int)phase;
	ask->n_before = 3;
	ask_run_with(ask, http);
	cr_expect_eq(ask->status, STATUS_CANCELLED, "%s", ask->err.text);
	cr_expect_eq(ask->answer.trouble, HTTP_FINE);
	loopback_wait_served(server, loopback_n_connections(server)); /* it has been closed */
}

Test(cancel, before_all_connects_to_nobody)
{
	struct loopback *server = loopback_start(say_and_hold, (char *)"");
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.cancel_phase = HTTP_CONNECTING;
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_CANCELLED);
	cr_expect_eq(loopback_n_connections(server), 0);
	ask_deinit(&ask);
	loopback_stop(server);
}

static void hold(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)server;
	(void)number;
	(void)ctx;
	loopback_wait_closed(fd);
}

Test(cancel, of_a_handshake_that_is_not_answered)
{
	struct loopback *server = loopback_start(hold, NULL);
	struct http *http = ask_client();
	char url[64];
	struct ask ask;

	snprintf(url, sizeof url, "https://127.0.0.1:%u", loopback_port(server));
	ask_init(&ask, url);
	cancel_in(&ask, http, server, HTTP_CONNECTING);
	cr_expect_str_eq(buf_text(&ask.phases), "0");
	ask_deinit(&ask);
	ask_init(&ask, url);
	ask.call.limits.connect = 40;
	ask_run_with(&ask, http);
	ask_expect_trouble(&ask, HTTP_TLS,
	                   "%s does not answer in TLS: if it speaks plain HTTP, write http:// in its url", url);
	ask_deinit(&ask);
	http_free(http);
	loopback_stop(server);
}

Test(cancel, of_a_body_that_is_not_read)
{
	struct loopback *server = loopback_start(say_and_hold, (char *)"");
	struct http *http = ask_client();
	size_t n = MIB(64);
	char *body = calloc(1, n);
	struct ask ask;

	cr_assert_not_null(body);
	ask_init(&ask, loopback_url(server));
	ask.call.body = body;
	ask.call.body_len = n;
	cancel_in(&ask, http, server, HTTP_WAITING);
	http_free(http);
	free(body);
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(cancel, while_waiting_and_while_receiving)
{
	struct loopback *server = loopback_start(say_and_hold, (char *)"");
	struct http *http = ask_client();
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	cancel_in(&ask, http, server, HTTP_WAITING);
	cr_expect_str_eq(buf_text(&ask.phases), "01");
	ask_deinit(&ask);
	loopback_stop(server);

	server = loopback_start(say_and_hold,
	                        (char *)"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n");
	ask_init(&ask, loopback_url(server));
	ask.call.take = ask_take;
	cancel_in(&ask, http, server, HTTP_RECEIVING);
	cr_expect_str_eq(buf_text(&ask.phases), "012");
	cr_expect_str_eq(buf_text(&ask.took), "hi");
	ask_deinit(&ask);
	loopback_stop(server);
	http_free(http);
}

/* Until it has been told that a phase lasts a second. */
static bool is_told(void *ctx)
{
	const struct ask *ask = ctx;

	return ask->longest >= 1000;
}

static void expect_told(const char *says, const char *phases)
{
	struct loopback *server = loopback_start(say_and_hold, (char *)says);
	struct ask ask;

	ask_init(&ask, loopback_url(server));
	ask.call.cancelled = is_told;
	ask.call.take = ask_take;
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_CANCELLED);
	cr_expect_str_eq(buf_text(&ask.phases), phases);
	ask_deinit(&ask);
	loopback_stop(server);
}

Test(cancel, after_it_was_told_that_it_takes_a_second)
{
	expect_told("", "01");
	expect_told("HTTP/1.1 200 OK\r\n\r\nhi", "012");
}
