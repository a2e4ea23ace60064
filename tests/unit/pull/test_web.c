/* Asking servers: what is asked again, where redirects lead and what goes along. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pull/again.h"
#include "pull/web.h"
#include "support/loopback.h"

struct told {
	char text[1024]; /* all, each with a ';' */
	bool is_cancelled;
};

static void tell(void *ctx, const char *text)
{
	struct told *told = ctx;
	size_t n = strlen(told->text);

	snprintf(told->text + n, sizeof told->text - n, "%s;", text);
}

static bool is_cancelled(void *ctx)
{
	return ((struct told *)ctx)->is_cancelled;
}

/* Asks; the answer is freed by the test. */
static enum status ask(const struct web_request *request, struct web_answer *answer, struct told *told, struct error *err)
{
	struct web web = {.cancelled = is_cancelled, .ctx = told, .waiting = tell};
	enum status status;

	setenv("SOTTO_TEST_PULL_SECOND", "1", 1);
	*told = (struct told){.is_cancelled = told->is_cancelled};
	*err = (struct error){.text = ""};
	cr_assert_eq(http_create(&web.http, err), STATUS_OK, "%s", err->text);
	status = web_get(&web, request, answer, err);
	http_free(web.http);
	return status;
}

static struct secret *make_key(void)
{
	struct secret *key;
	struct error err;

	cr_assert_eq(secret_create(&key, "hf_CANARY", 9, &err), STATUS_OK);
	return key;
}

/* ctx: answers ended by NULL, the last of them again and again; a connection each. */
static void serve(struct loopback *server, int fd, unsigned number, void *ctx)
{
	const char *const *texts = ctx;
	size_t i = 0;

	while (i < number && texts[i + 1])
		i++;
	if (loopback_read(server, fd))
		loopback_send(fd, texts[i]);
}

static const char OK[] = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\nX-Repo-Commit: 12ab\r\n"
                         "ETag: \"e\"\r\n\r\nyes";

Test(web, gets)
{
	const char *texts[] = {OK, NULL};
	struct loopback *server = loopback_start(serve, texts);
	struct secret *key = make_key();
	struct web_request request = {loopback_url(server), "/api/x?y=1", key, "application/json", 0, false, false};
	struct web_answer answer;
	struct told told = {.text = ""};
	struct error err;

	cr_expect_eq(ask(&request, &answer, &told, &err), STATUS_OK, "%s", err.text);
	cr_expect_eq(answer.code, 200);
	cr_expect_str_eq(buf_text(&answer.body), "yes");
	cr_expect_str_eq(web_header(&answer, "x-repo-commit"), "12ab");
	cr_expect_str_eq(web_header(&answer, "etag"), "\"e\"");
	cr_expect_null(web_header(&answer, "tag"));
	cr_expect_null(web_header(&answer, "x-repo"));
	cr_expect_not_null(strstr(loopback_request(server, 0), "GET /api/x?y=1 "));
	cr_expect_not_null(strstr(loopback_request(server, 0), "\r\nAccept: application/json\r\n"));
	cr_expect_not_null(strstr(loopback_request(server, 0), "\r\nAuthorization: Bearer hf_CANARY\r\n"));
	cr_expect_str_eq(told.text, "");
	web_answer_free(&answer);
	secret_free(key);
	loopback_stop(server);
}

static void expect_tries(const char *const *texts, unsigned n, enum status expected, int code, const char *error)
{
	struct loopback *server = loopback_start(serve, (void *)texts);
	struct web_request request = {.base = loopback_url(server), .path = "/x"};
	struct web_answer answer;
	struct told told = {.text = ""};
	struct error err;
	char text[256];

	cr_expect_eq(ask(&request, &answer, &told, &err), expected, "%s: %s", texts[0], err.text);
	cr_expect_eq(answer.code, code);
	cr_expect_eq(loopback_n_connections(server), n, "%s: %u", texts[0], loopback_n_connections(server));
	snprintf(text, sizeof text, "127.0.0.1:%u %s", loopback_port(server), error);
	if (*error)
		cr_expect_str_eq(err.text, text);
	web_answer_free(&answer);
	loopback_stop(server);
}

#define CODE(code, more) "HTTP/1.1 " code " X\r\n" more "Content-Length: 0\r\nConnection: close\r\n\r\n"

Test(web, asks_again_what_may_go_better)
{
	const char *once[][3] = {
		{CODE("503", ""), OK, NULL},
		{CODE("500", ""), OK, NULL},
		{CODE("408", ""), OK, NULL},
		{CODE("429", "Retry-After: 2\r\n"), OK, NULL},
		{CODE("429", "RateLimit: \"api\";r=0;t=3\r\n"), OK, NULL},
		{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nhalf", OK, NULL},
	};

	for (size_t i = 0; i < sizeof once / sizeof *once; i++)
		expect_tries(once[i], 2, STATUS_OK, 200, "");
}

Test(web, takes_other_codes_as_they_are)
{
	const char *texts[][2] = {{CODE("401", ""), NULL}, {CODE("403", ""), NULL}, {CODE("404", ""), NULL}};

	expect_tries(texts[0], 1, STATUS_OK, 401, "");
	expect_tries(texts[1], 1, STATUS_OK, 403, "");
	expect_tries(texts[2], 1, STATUS_OK, 404, "");
}

Test(web, gives_up)
{
	const char *busy[] = {CODE("429", ""), NULL}, *ill[] = {CODE("502", ""), NULL};
	const char *long_[] = {CODE("429", "Retry-After: 86400\r\n"), NULL};
	const char *longer[] = {CODE("429", "X: 1\r\nRateLimit: \"api\";r=0;t=99999999999999999999\r\n"), NULL};

	expect_tries(busy, 7, STATUS_IO, 0, "is busy (429): try again later");
	expect_tries(ill, 7, STATUS_IO, 0, "cannot answer (502): try again later");
	expect_tries(long_, 1, STATUS_IO, 0, "is busy (429): try again later");
	expect_tries(longer, 1, STATUS_IO, 0, "is busy (429): try again later");
}

Test(web, tells_that_it_waits)
{
	const char *texts[] = {CODE("503", ""), CODE("500", ""), OK, NULL};
	struct loopback *server = loopback_start(serve, texts);
	struct web_request request = {.base = loopback_url(server), .path = "/x"};
	struct web_answer answer;
	struct told told = {.text = ""};
	struct error err;
	char text[128];

	cr_expect_eq(ask(&request, &answer, &told, &err), STATUS_OK, "%s", err.text);
	snprintf(text, sizeof text, "127.0.0.1:%u is busy: asked again in 1 s (1 of 6);", loopback_port(server));
	cr_expect_eq(strncmp(told.text, text, strlen(text)), 0, "%s", told.text);
	cr_expect_not_null(strstr(told.text, " cannot answer (500): asked again in 2 s (2 of 6);"), "%s", told.text);
	cr_expect_str_eq(told.text + strlen(told.text) - 2, ";;");
	web_answer_free(&answer);
	loopback_stop(server);
}

Test(web, is_cancelled)
{
	const char *texts[] = {OK, NULL};
	struct loopback *server = loopback_start(serve, texts);
	struct web_request request = {.base = loopback_url(server), .path = "/x"};
	struct web_answer answer;
	struct told told = {.is_cancelled = true};
	struct error err;

	cr_expect_eq(ask(&request, &answer, &told, &err), STATUS_CANCELLED);
	web_answer_free(&answer);
	loopback_stop(server);
}

/* Two servers: one sends to `location`, "%s" being the other's URL. */
struct pair {
	struct loopback *first, *other;
	char text[512];
	const char *firsts[2], *others[2];
};

static void pair_start(struct pair *pair, const char *location)
{
	char to[256];

	*pair = (struct pair){.others = {OK}};
	pair->other = loopback_start(serve, pair->others);
	snprintf(to, sizeof to, location, loopback_url(pair->other));
	snprintf(pair->text, sizeof pair->text, CODE("302", "X-Linked-Size: 7\r\nLocation: %s\r\n"), to);
	pair->firsts[0] = pair->text;
	pair->first = loopback_start(serve, pair->firsts);
}

static void pair_stop(struct pair *pair)
{
	loopback_stop(pair->first);
	loopback_stop(pair->other);
}

Test(web, follows_to_another_host_without_the_key)
{
	struct pair pair;
	struct secret *key = make_key();
	struct web_answer answer;
	struct told told = {.text = ""};
	struct error err;

	pair_start(&pair, "%s/blob?sig=1");
	cr_expect_eq(ask(&(struct web_request){.base = loopback_url(pair.first), .path = "/x", .key = key}, &answer, &told,
	                 &err),
	             STATUS_OK, "%s", err.text);
	cr_expect_str_eq(buf_text(&answer.body), "yes");
	cr_expect_not_null(strstr(loopback_request(pair.first, 0), "hf_CANARY"));
	cr_expect_not_null(strstr(loopback_request(pair.other, 0), "GET /blob?sig=1 "));
	cr_expect_null(strstr(loopback_request(pair.other, 0), "CANARY"));
	web_answer_free(&answer);
	secret_free(key);
	pair_stop(&pair);
}

Test(web, stops_before_another_host_where_it_is_told_to)
{
	struct pair pair;
	struct web_answer answer;
	struct told told = {.text = ""};
	struct error err;

	pair_start(&pair, "%s/blob?sig=1");
	cr_expect_eq(ask(&(struct web_request){.base = loopback_url(pair.first), .path = "/x", .is_head = true,
	                                       .stops_at_redirect = true},
	                 &answer, &told, &err),
	             STATUS_OK, "%s", err.text);
	cr_expect_eq(answer.code, 302);
	cr_expect_str_eq(web_header(&answer, "x-linked-size"), "7");
	cr_expect_str_eq(answer.next.base, loopback_url(pair.other));
	cr_expect_str_eq(answer.next.path, "/blob?sig=1");
	cr_expect_null(answer.next.key);
	cr_expect_eq(loopback_n_requests(pair.other), 0);
	cr_expect_not_null(strstr(loopback_request(pair.first, 0), "\r\nAccept-Encoding: identity\r\n"));
	web_answer_free(&answer);
	pair_stop(&pair);
}

Test(web, follows_on_the_same_host_with_the_key)
{
	const char *texts[] = {CODE("307", "Location: /y?z\r\n"), OK, NULL};
	struct loopback *server = loopback_start(serve, texts);
	struct secret *key = make_key();
	struct web_answer answer;
	struct told told = {.text = ""};
	struct error err;

	cr_expect_eq(ask(&(struct web_request){.base = loopback_url(server), .path = "/x", .key = key,
	                                       .stops_at_redirect = true},
	                 &answer, &told, &err),
	             STATUS_OK, "%s", err.text);
	cr_expect_eq(answer.code, 200);
	cr_expect_not_null(strstr(loopback_request(server, 1), "GET /y?z "));
	cr_expect_not_null(strstr(loopback_request(server, 1), "hf_CANARY"));
	web_answer_free(&answer);
	secret_free(key);
	loopback_stop(server);
}

Test(web, goes_not_in_circles_nor_astray)
{
	const char *circle[] = {CODE("302", "Location: /x\r\n"), NULL};
	const char *astray[] = {CODE("302", "Location: ftp://127.0.0.1/x\r\n"), NULL};
	const char *nowhere[] = {CODE("302", ""), NULL};

	expect_tries(circle, 6, STATUS_IO, 0, "sends us on and on: more than 5 redirects");
	expect_tries(astray, 1, STATUS_IO, 0, "sends us to an address that is not one");
	expect_tries(nowhere, 1, STATUS_OK, 302, "");
}

Test(web, has_limits)
{
	const char *texts[] = {OK, NULL};
	struct loopback *server = loopback_start(serve, texts);
	struct web_answer answer;
	struct told told = {.text = ""};
	struct error err;

	cr_expect_eq(ask(&(struct web_request){.base = loopback_url(server), .path = "/x", .limit = 3}, &answer, &told, &err),
	             STATUS_OK, "%s", err.text);
	web_answer_free(&answer);
	cr_expect_eq(ask(&(struct web_request){.base = loopback_url(server), .path = "/x", .limit = 2}, &answer, &told, &err),
	             STATUS_LIMIT);
	cr_expect_not_null(strstr(err.text, "longer than its limit"), "%s", err.text);
	web_answer_free(&answer);
	loopback_stop(server);
}
