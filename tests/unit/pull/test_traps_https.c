/* A hub that speaks TLS, and sends to where nobody does: nothing is asked there. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/folder.h"
#include "support/loopback.h"
#include "support/server/server.h"
#include "trap_bench.h"

#define COMMIT "0123456789abcdef0123456789abcdef01234567"
#define DIGEST "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static const char refs[] = "{\"branches\":[{\"name\":\"main\",\"targetCommit\":\"" COMMIT "\"}]}";
static const char tree[] = "[{\"type\":\"file\",\"path\":\"x-Q4_K_M.gguf\",\"size\":5000,\"oid\":\"" COMMIT "\","
                           "\"lfs\":{\"oid\":\"" DIGEST "\",\"size\":5000,\"pointerSize\":134}}]";

static void nobody(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)number;
	(void)ctx;
	(void)loopback_read(server, fd);
}

Test(traps_https, to_http, .timeout = 600)
{
	struct trap_bench *bench = trap_bench_open(&(struct hub_options){0}, 0);
	struct loopback *plain = loopback_start(nobody, NULL);
	char to[128], ca[] = "/tmp/sotto-ca-XXXXXX", key[] = "hf_CANARY";
	int fd = mkstemp(ca);
	const struct server_act acts[] = {
		{.path = "/api/models/a/b/refs", .body = refs},
		{.path = "/api/models/a/b/tree/" COMMIT, .body = tree},
		{.path = "/api/models/a/b", .body = "{}"},
		{.path = "/a/b/resolve/" COMMIT "/x-Q4_K_M.gguf", .code = 302, .headers = to, .body = SERVER_NOTHING},
	};
	struct test_server *hub;
	struct error err;

	snprintf(to, sizeof to, "Location: %s/x\n", loopback_url(plain));
	hub = test_server_start(&(struct server_options){.spec = "", .acts = acts, .n_acts = 4, .tls = true});
	cr_assert(fd >= 0 && hub);
	write_text(ca, test_server_ca());
	setenv("SSL_CERT_FILE", ca, 1);
	setenv("HF_ENDPOINT", test_server_url(hub), 1);
	setenv("HF_TOKEN", key, 1);
	cr_assert_eq(trap_bench_get(bench, "a/b", &err), STATUS_IO, "%s", err.text);
	cr_assert(strstr(err.text, "http"), "%s", err.text);
	cr_assert_eq(loopback_n_connections(plain), 0, "%s", err.text);
	cr_assert(test_server_n_requests(hub, "/a/b/resolve/" COMMIT "/x-Q4_K_M.gguf") > 0, "%s", err.text);
	cr_assert(!trap_bench_wrong(bench));
	test_server_stop(hub);
	loopback_stop(plain);
	remove(ca);
	trap_bench_close(bench);
}
