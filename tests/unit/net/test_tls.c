/* Certificates that are trusted, and those that are not. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "support/folder.h"
#include "support/server/server.h"

/* A server with TLS, and the file of who signed its certificate. */
struct tls {
	struct test_server *server;
	char folder[32], ca[48];
	const char *url;
};

static void tls_init(struct tls *tls, bool has_wrong_host)
{
	*tls = (struct tls){.folder = "/tmp/sotto-tls-XXXXXX"};
	tls->server = test_server_start(&(struct server_options){.tls = true, .wrong_host = has_wrong_host});
	cr_assert_not_null(tls->server);
	tls->url = test_server_url(tls->server);
	cr_assert_not_null(mkdtemp(tls->folder));
	snprintf(tls->ca, sizeof tls->ca, "%s/ca.pem", tls->folder);
	write_text(tls->ca, test_server_ca());
}

static void tls_deinit(struct tls *tls)
{
	test_server_stop(tls->server);
	remove_folder(tls->folder);
}

static void get(struct ask *ask, const struct tls *tls, const char *ca, bool is_unverified)
{
	ask_init(ask, tls->url);
	ask->call.path = "/v1/models";
	ask->target.ca = ca;
	ask->target.is_unverified = is_unverified;
	ask_run(ask);
}

Test(tls, is_verified_by_the_file_of_who_signed)
{
	struct tls tls;
	struct ask ask;

	tls_init(&tls, false);
	get(&ask, &tls, tls.ca, false);
	cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_eq(ask.answer.code, 200);
	cr_expect_str_eq(buf_text(&ask.phases), "012");
	ask_deinit(&ask);
	tls_deinit(&tls);
}

Test(tls, is_refused_where_nobody_known_has_signed)
{
	struct tls tls;
	struct ask ask;
	struct secret *key = ask_key("sk-CANARY");

	tls_init(&tls, false);
	ask_init(&ask, tls.url);
	ask.target.key = key;
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_IO);
	cr_expect_eq(ask.answer.trouble, HTTP_TLS);
	cr_expect_not_null(strstr(ask.err.text, "is not trusted"), "%s", ask.err.text);
	cr_expect_not_null(strstr(ask.err.text, "by ca"), "%s", ask.err.text);
	cr_expect_eq(test_server_n_requests(tls.server, NULL), 0, "the key has not been sent");
	ask_deinit(&ask);
	secret_free(key);
	tls_deinit(&tls);
}

Test(tls, of_another_host_is_refused)
{
	struct tls tls;
	struct ask ask;

	tls_init(&tls, true);
	get(&ask, &tls, tls.ca, false);
	ask_expect_trouble(&ask, HTTP_TLS,
	                   "the certificate of %s is another host's: write the name that it was made for in its url",
	                   tls.url);
	cr_expect_eq(test_server_n_requests(tls.server, NULL), 0);
	ask_deinit(&ask);
	tls_deinit(&tls);
}

Test(tls, is_not_verified_where_it_is_not_wanted)
{
	for (int wrong_host = 0; wrong_host < 2; wrong_host++) {
		struct tls tls;
		struct ask ask;

		tls_init(&tls, wrong_host);
		get(&ask, &tls, NULL, true);
		cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
		cr_expect_eq(ask.answer.code, 200);
		ask_deinit(&ask);
		tls_deinit(&tls);
	}
}

Test(tls, that_was_not_verified_is_not_reused_where_it_must_be)
{
	struct http *http = ask_client();
	struct tls tls;
	struct ask ask;

	tls_init(&tls, false);
	ask_init(&ask, tls.url);
	ask.target.is_unverified = true;
	ask_run_with(&ask, http);
	cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	ask_deinit(&ask);
	ask_init(&ask, tls.url);
	ask_run_with(&ask, http);
	cr_expect_eq(ask.answer.trouble, HTTP_TLS, "%s", ask.err.text);
	ask_deinit(&ask);
	http_free(http);
	tls_deinit(&tls);
}

Test(tls, asked_for_in_plain_is_told)
{
	struct tls tls;
	struct ask ask;
	char url[64];

	tls_init(&tls, false);
	snprintf(url, sizeof url, "http%s", tls.url + strlen("https"));
	ask_init(&ask, url);
	ask_run(&ask);
	ask_expect_trouble(&ask, HTTP_TLS, "%s speaks TLS: write https:// in its url", url);
	ask_deinit(&ask);
	tls_deinit(&tls);
}

/* Sends all to the URL in ctx. */
static void redirect(struct loopback *server, int fd, unsigned number, void *ctx)
{
	char text[256];

	(void)number;
	snprintf(text, sizeof text, "HTTP/1.1 302 Found\r\nLocation: %s/v1/models\r\nContent-Length: 0\r\n\r\n",
	         (const char *)ctx);
	while (loopback_read(server, fd))
		loopback_send(fd, text);
}

Test(tls, is_where_a_redirect_to_another_host_is_followed_without_a_key)
{
	struct secret *key = ask_key("sk-CANARY");
	struct loopback *server;
	struct tls tls;
	struct ask ask;

	tls_init(&tls, false);
	server = loopback_start(redirect, (char *)tls.url);
	ask_init(&ask, loopback_url(server));
	ask.target.ca = tls.ca;
	ask_run(&ask);
	cr_expect_eq(ask.status, STATUS_OK, "%s", ask.err.text);
	cr_expect_eq(ask.answer.code, 200);
	cr_expect_eq(test_server_n_requests(tls.server, NULL), 1);
	ask_deinit(&ask);

	ask_init(&ask, loopback_url(server));
	ask.target.ca = tls.ca;
	ask.target.key = key;
	ask_run(&ask);
	cr_expect_eq(ask.answer.trouble, HTTP_MOVED);
	cr_expect_not_null(strstr(ask.err.text, tls.url), "%s", ask.err.text);
	cr_expect_eq(test_server_n_requests(tls.server, NULL), 1);
	ask_deinit(&ask);
	secret_free(key);
	loopback_stop(server);
	tls_deinit(&tls);
}
