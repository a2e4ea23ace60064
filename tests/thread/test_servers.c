/* Loads and replies of a server's model that are cancelled in each phase: before a connection, within TLS, while the
 * server loads, while nothing has come, in the middle of a stream, between two requests. Each ends, the server sees
 * the connection close, and the next reply is whole.
 *
 * usage: test_servers [ROUNDS] */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"
#include "engine/options.h"
#include "engine/worker.h"
#include "remote/remote.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/server/server.h"

#ifdef SOTTO_SANITIZER
enum { ROUNDS = 1000, LIMIT_MS = 120000 };
#else
enum { ROUNDS = 250, LIMIT_MS = 30000 };
#endif

static const struct backend_ops *const others[] = {&remote_backend, NULL};

/* When a turn is cancelled. */
enum moment {
	AT_ONCE,     /* it has been posted */
	WHEN_ASKED,  /* the server has the request */
	AT_BEGIN,
	AT_TOKEN,
	ABOUT_THEN,  /* anywhere: after so many looks at the events */
};

static const struct phase {
	const char *name, *spec;
	bool tls, is_silent; /* TLS that never answers */
	bool loads;          /* it is the loading that is cancelled */
	enum moment moment;
} phases[] = {
	{"connecting", "dialect=llama-server,tokens=50", .moment = AT_ONCE},
	{"nothing has come", "dialect=llama-server,busy=1", .moment = WHEN_ASKED},
	{"the first token", "dialect=llama-server,hold=1", .moment = AT_TOKEN},
	{"in the middle", "dialect=openai,hold=9", .moment = AT_TOKEN},
	{"lines", "dialect=ollama,hold=9", .moment = AT_TOKEN},
	{"anywhere", "dialect=vllm,tokens=200", .moment = ABOUT_THEN},
	{"by TLS", "dialect=openai,hold=3", .tls = true, .moment = AT_BEGIN},
	{"loading, at once", "dialect=llama-server", .loads = true, .moment = AT_ONCE},
	{"the server loads", "dialect=llama-server,loading=1000000", .loads = true, .moment = ABOUT_THEN},
	{"TLS has no answer", "", .is_silent = true, .loads = true, .moment = ABOUT_THEN},
};
enum { N_PHASES = sizeof phases / sizeof phases[0] };

static struct worker *worker;
static const char *running;
static char why[512]; /* the last error that was told */
/* Of the command under way. */
static bool has_ended;
static enum done_reason reason;

static void fail(const char *what)
{
	printf("FAIL: %s: %s (%s)\n", running, what, why);
	exit(1);
}

/* What the events that have come say. */
static bool take_events(enum event_kind kind, int ms)
{
	struct pollfd pollfd = {.fd = worker_fd(worker), .events = POLLIN};
	struct event *events;
	bool found = false;

	poll(&pollfd, 1, ms);
	events = worker_take_events(worker);
	for (struct event *e = events; e; e = e->next) {
		found |= e->kind == kind;
		has_ended |= e->kind == EVENT_DONE || e->kind == EVENT_LOAD_FAILED || e->kind == EVENT_MODEL;
		if (e->kind == EVENT_DONE)
			reason = e->u.done.reason;
		if (e->error)
			snprintf(why, sizeof why, "%s", e->error->text);
	}
	worker_events_free(events);
	return found;
}

/* Until one of the kind, or of the end; true: the kind. */
static bool wait_for(enum event_kind kind)
{
	uint64_t limit = sys_now_ms() + LIMIT_MS;
	bool found = false;

	while (!found && !has_ended) {
		if (sys_now_ms() > limit)
			fail("it does not end");
		found = take_events(kind, 100);
	}
	return found;
}

static void look(size_t times)
{
	for (size_t i = 0; i < times; i++)
		(void)take_events(EVENT_DONE, 1);
}

static void post_load(const char *file)
{
	struct engine_params params = engine_params_default();
	char model[] = "server:box", servers[256];
	struct error err;

	snprintf(servers, sizeof servers, "%s", file);
	params.model = model;
	params.servers = servers;
	has_ended = false;
	if (worker_post_load(worker, &params, &err))
		fail(err.text);
}

static uint64_t post_turn(void)
{
	static const struct message message = {.role = ROLE_USER, .text = "Hello", .len = 5};
	const struct turn turn = {.messages = &message, .n_messages = 1, .sampler = sampler_params_default(), .n_predict = -1};
	struct error err;
	uint64_t id = 0;

	has_ended = false;
	if (worker_post_generate(worker, &turn, &id, &err))
		fail(err.text);
	return id;
}

static void reach(const struct phase *phase, struct test_server *server, size_t n_asked, struct test_random *random)
{
	switch (phase->moment) {
	case AT_ONCE: break;
	case WHEN_ASKED:
		while (!test_server_asked(server) || test_server_n_requests(server, "/completion") < n_asked)
			look(1);
		break;
	case AT_BEGIN: (void)wait_for(EVENT_BEGIN); break;
	case AT_TOKEN: (void)wait_for(EVENT_TOKEN); break;
	case ABOUT_THEN: look(test_random_below(random, 20)); break;
	}
}

/* A turn that is cancelled. */
static void cancel_turn(const struct phase *phase, struct test_server *server, size_t round, struct test_random *random)
{
	uint64_t id = post_turn();

	reach(phase, server, round + 1, random);
	worker_cancel(worker, id);
	(void)wait_for(EVENT_DONE);
	if (reason == DONE_ERROR)
		fail("it ended with an error");
	if (phase->moment == AT_TOKEN && !test_server_wait_finished(server, test_server_asked(server)))
		fail("the server does not see the connection close");
}

static void cancel_load(const struct phase *phase, const char *file, struct test_random *random)
{
	post_load(file);
	reach(phase, NULL, 0, random);
	worker_cancel(worker, 0);
	(void)wait_for(EVENT_LOAD_FAILED);
}

static void write_servers(const struct phase *phase, const struct test_server *server, const char *folder, char *file, size_t size)
{
	char yaml[512], ca[300];

	snprintf(ca, sizeof ca, "%s/ca.pem", folder);
	write_text(ca, test_server_ca());
	snprintf(file, size, "%s/servers.yaml", folder);
	snprintf(yaml, sizeof yaml, "box:\n  url: %s%s\n%s%s\n", phase->is_silent ? "https" : "",
	         test_server_url(server) + (phase->is_silent ? 4 : 0), phase->tls ? "  ca: " : "", phase->tls ? ca : "");
	write_text(file, yaml);
}

static void run(const struct phase *phase, size_t rounds, const char *folder, struct test_random *random)
{
	struct server_options options = {.spec = phase->spec, .tls = phase->tls, .raw = phase->is_silent};
	struct test_server *server = test_server_start(&options);
	struct error err;
	char file[300];

	if (!server)
		exit(77);
	running = phase->name;
	write_servers(phase, server, folder, file, sizeof file);
	if (worker_create(&worker, NULL, others, &err))
		fail(err.text);
	if (!phase->loads) {
		post_load(file);
		if (!wait_for(EVENT_MODEL))
			fail("it does not load");
	}
	for (size_t i = 0; i < rounds; i++) {
		if (phase->loads)
			cancel_load(phase, file, random);
		else
			cancel_turn(phase, server, i, random);
	}
	if (!phase->loads) {
		test_server_release(server);
		(void)post_turn();
		(void)wait_for(EVENT_DONE);
		if (reason != DONE_END)
			fail("the reply after the last one that was cancelled");
	}
	worker_destroy(worker);
	test_server_stop(server);
}

int main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : ROUNDS;
	char folder[] = "/tmp/sotto-servers-XXXXXX";
	struct test_random random = {1};

	signal(SIGPIPE, SIG_IGN);
	if (!mkdtemp(folder))
		return 1;
	for (size_t i = 0; i < N_PHASES; i++)
		run(&phases[i], rounds / N_PHASES + 1, folder, &random);
	remove_folder(folder);
	return 0;
}
