/* Mutated streams of servers over HTTP, through the backend: whatever comes, the turn ends, and what came stays. Their
 * bytes come in pieces of any size, with wrong types, cut or reset connections, in wrong chunks, or as what looks
 * compressed. tests/hostile/test_streams.c reads many more without HTTP.
 *
 * usage: test_broken [FIRST [COUNT]] */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "engine/options.h"
#include "hostile/streams.h"
#include "remote/remote.h"
#include "support/folder.h"
#include "support/server/server.h"

#ifdef SOTTO_SANITIZER
enum { SECONDS_A_STREAM = 120 };
#else
enum { SECONDS_A_STREAM = 20 };
#endif

static const struct backend_ops *const others[] = {&remote_backend, NULL};
static volatile sig_atomic_t current;

/* A turn that is stopped when it would ask again. */
struct listener {
	struct buf text;
	bool stop;
};

static void give_up(int signal)
{
	char text[64];
	int n = snprintf(text, sizeof text, "FAIL: stream %d hangs\n", (int)current);

	(void)signal;
	_exit(write(STDOUT_FILENO, text, (size_t)n) < 0 ? 2 : 1);
}

static bool is_stopped(void *ctx)
{
	return ((const struct listener *)ctx)->stop;
}

static void get_params(void *ctx, uint32_t n, struct sampler_params *params)
{
	(void)ctx;
	(void)n;
	*params = sampler_params_default();
}

static enum status take(void *ctx, const struct event *event, struct error *err)
{
	struct listener *listener = ctx;

	(void)err;
	if (event->kind == EVENT_WAITING && event->u.waiting.is_retry)
		listener->stop = true;
	if (event->kind == EVENT_TOKEN && event->u.token.len)
		buf_append(&listener->text, event->u.token.bytes, event->u.token.len);
	return STATUS_OK;
}

/* An answer with a mutated stream as its body. */
static void make_act(struct server_act *act, const struct buf *bytes, struct test_random *random)
{
	static const char *const types[] = {"text/event-stream", "application/json", "text/html", "", "application/x-ndjson",
	                                    "image/png", "text/event-stream; charset=latin1"};
	static const char *const headers[] = {NULL, NULL, NULL, NULL, NULL, "Content-Encoding: gzip\n", "X-Odd: \x01\xff\n",
	                                      "Content-Encoding: identity\n", "Retry-After: -1\n"};
	static const enum server_end ends[] = {SERVER_ENDS, SERVER_ENDS, SERVER_CUTS, SERVER_RESETS};

	*act = (struct server_act){.body = bytes->data, .len = bytes->len,
	                           .type = types[test_random_below(random, sizeof types / sizeof types[0])],
	                           .headers = headers[test_random_below(random, sizeof headers / sizeof headers[0])],
	                           .end = ends[test_random_below(random, sizeof ends / sizeof ends[0])],
	                           .piece = test_random_below(random, 4) ? 1 + test_random_below(random, 3000) : 0};
	if (bytes->len < 3000 && test_random_below(random, 3) == 0)
		act->piece = 1 + test_random_below(random, 40);
}

static void ask(const char *folder, const char *dialect, const struct test_server *server, struct listener *listener)
{
	const struct backend_host host = {.ctx = listener, .others = others, .cancelled = is_stopped, .params = get_params, .event = take};
	const struct message message = {.role = ROLE_USER, .text = "Hello", .len = 5};
	const struct turn turn = {.messages = &message, .n_messages = 1, .sampler = sampler_params_default(), .n_predict = -1};
	struct engine_params params = engine_params_default();
	struct backend_result result = {0};
	struct backend *backend = NULL;
	struct model_info info = {0};
	char path[256], model[] = "server:box", yaml[256];
	struct error err = {0};
	enum status status;

	snprintf(path, sizeof path, "%s/servers.yaml", folder);
	snprintf(yaml, sizeof yaml, "box: {url: \"%s\", dialect: %s}\n", test_server_url(server), dialect);
	write_text(path, yaml);
	params.model = model;
	params.servers = path;
	if (backend_open(&backend, &params, &host, &info, &err)) {
		printf("FAIL: stream %d: the server cannot be opened: %s\n", (int)current, err.text);
		exit(1);
	}
	status = backend_run(backend, &turn, BACKEND_REPLY, &host, &result, &err);
	if (status && (!err.text[0] || strchr(err.text, '\n'))) {
		printf("FAIL: stream %d: an error without a word, or of many lines: %s\n", (int)current, err.text);
		exit(1);
	}
	backend_close(backend);
}

static void run(const struct stream_seeds *seeds, size_t index, const char *folder)
{
	struct test_random random = {index * 0x51ed27f5 + 77};
	struct listener listener = {.text = {.max = MIB(64)}};
	struct buf bytes = {.max = MIB(64)};
	struct server_act act;
	struct server_options options = {.acts = &act, .n_acts = 1};
	struct test_server *server;
	char spec[64];
	size_t seed;

	(void)stream_mutate(seeds, &random, &seed, &bytes);
	if (!bytes.len)
		buf_puts(&bytes, "\n");
	make_act(&act, &bytes, &random);
	snprintf(spec, sizeof spec, "dialect=%s", seeds->items[seed].dialect);
	options.spec = spec;
	options.raw = test_random_below(&random, 4) == 0;
	server = test_server_start(&options);
	if (!server)
		exit(77);
	current = (sig_atomic_t)index;
	alarm(SECONDS_A_STREAM);
	ask(folder, seeds->items[seed].dialect, server, &listener);
	alarm(0);
	test_server_stop(server);
	buf_free(&bytes);
	buf_free(&listener.text);
}

int main(int argc, char **argv)
{
	const char *is_long = getenv("SOTTO_TEST_LONG");
	size_t first = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : argc > 1 ? 1 : is_long && *is_long ? 5000 : 500;
	char folder[] = "/tmp/sotto-broken-XXXXXX";
	struct stream_seeds seeds;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGALRM, give_up);
	if (!mkdtemp(folder))
		return 1;
	stream_seeds_make(&seeds);
	for (size_t i = first; i < first + count; i++)
		run(&seeds, i, folder);
	stream_seeds_free(&seeds);
	remove_folder(folder);
	printf("%zu streams\n", count);
	return 0;
}
