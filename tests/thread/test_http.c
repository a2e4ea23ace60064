/* Calls to servers that are cancelled by another thread, a thousand in all, in each phase: five clients at once, each
 * with a server that lets it get no further. Says when a call did not end as it should, or left its connection
 * open; ThreadSanitizer says what was wrong with the threads. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "net/http.h"
#include "support/loopback.h"

enum { ROUNDS = 200 };

static void fail(const char *text)
{
	fprintf(stderr, "%s\n", text);
	exit(1);
}

static void hold(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)server;
	(void)number;
	(void)ctx;
	loopback_wait_closed(fd);
}

static void say_nothing(struct loopback *server, int fd, unsigned number, void *ctx)
{
	(void)loopback_read(server, fd);
	hold(server, fd, number, ctx);
}

static void say_without_end(struct loopback *server, int fd, unsigned number, void *ctx)
{
	static const char bytes[4096] = "data: {}\n\n";

	(void)number;
	(void)ctx;
	if (loopback_read(server, fd) && loopback_send(fd, "HTTP/1.1 200 OK\r\n\r\n"))
		while (loopback_send_bytes(fd, bytes, sizeof bytes))
			;
}

/* A way to be stuck. */
struct way {
	const char *name, *url; /* the URL with %u for the server's port */
	loopback_serve *serve;
	size_t body_len;
	enum http_phase phase;  /* in which it is cancelled */
	bool may_end;           /* by itself: a name that nobody knows */
};

/* A part of 64 letters: nobody is asked for it. */
#define NO_NAME "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static const struct way ways[] = {
	{"name", "http://" NO_NAME ".example:%u", hold, 0, HTTP_CONNECTING, true},
	{"TLS", "https://127.0.0.1:%u", hold, 0, HTTP_CONNECTING, false},
	{"sending", "http://127.0.0.1:%u", hold, MIB(16), HTTP_WAITING, false},
	{"waiting", "http://127.0.0.1:%u", say_nothing, 2, HTTP_WAITING, false},
	{"receiving", "http://127.0.0.1:%u", say_without_end, 2, HTTP_RECEIVING, false},
};
enum { WAYS = sizeof ways / sizeof *ways };

struct run {
	const struct way *way;
	pthread_t caller, canceller;
	sem_t reached;           /* the phase, or the end of the call */
	sem_t cancelled;         /* by the canceller, who goes on to the next call */
	atomic_bool is_cancelled;
	bool is_reached;         /* the caller's own */
};

static bool is_cancelled(void *ctx)
{
	struct run *run = ctx;

	return atomic_load(&run->is_cancelled);
}

static void reach(struct run *run)
{
	if (!run->is_reached)
		sem_post(&run->reached);
	run->is_reached = true;
}

static void on_phase(void *ctx, enum http_phase phase, uint64_t ms)
{
	struct run *run = ctx;

	(void)ms;
	if (phase == run->way->phase)
		reach(run);
}

static enum status forget(void *ctx, const char *bytes, size_t n, struct error *err)
{
	(void)ctx;
	(void)bytes;
	(void)n;
	(void)err;
	return STATUS_OK;
}

/* Soon after each call has reached its phase, at ever other moments. */
static void *cancel(void *arg)
{
	struct run *run = arg;

	for (int i = 0; i < ROUNDS; i++) {
		sem_wait(&run->reached);
		for (int n = 0; n < i % 50; n++)
			sched_yield();
		atomic_store(&run->is_cancelled, true);
		sem_post(&run->cancelled);
	}
	return NULL;
}

static void call_once(struct run *run, struct http *http, const char *url, const char *body)
{
	struct http_target target = {.url = url};
	struct http_call call = {.target = &target, .path = "/", .body = run->way->body_len ? body : NULL,
	                         .body_len = run->way->body_len, .cancelled = is_cancelled, .phase = on_phase,
	                         .take = forget, .ctx = run};
	struct http_answer answer;
	struct error err = {.text = ""};
	enum status status;

	run->is_reached = false;
	atomic_store(&run->is_cancelled, false);
	status = http_call(http, &call, &answer, &err);
	reach(run);
	sem_wait(&run->cancelled);
	if (status != STATUS_CANCELLED && !(run->way->may_end && answer.trouble == HTTP_NO_HOST)) {
		fprintf(stderr, "%s: ", run->way->name);
		fail(err.text);
	}
	http_answer_free(&answer);
}

static void *call(void *arg)
{
	struct run *run = arg;
	struct loopback *server = loopback_start(run->way->serve, NULL);
	char url[128], *body = calloc(1, MIB(16));
	struct http *http;
	struct error err;

	snprintf(url, sizeof url, run->way->url, loopback_port(server));
	if (!body || http_create(&http, &err) != STATUS_OK)
		fail("no client");
	for (int i = 0; i < ROUNDS; i++)
		call_once(run, http, url, body);
	loopback_wait_served(server, loopback_n_connections(server)); /* all are closed, before the client is */
	http_free(http);
	free(body);
	loopback_stop(server);
	return NULL;
}

int main(void)
{
	static struct run runs[WAYS];

	for (size_t i = 0; i < WAYS; i++) {
		struct run *run = runs + i;

		run->way = ways + i;
		sem_init(&run->reached, 0, 0);
		sem_init(&run->cancelled, 0, 0);
		if (pthread_create(&run->caller, NULL, call, run) || pthread_create(&run->canceller, NULL, cancel, run))
			fail("no thread");
	}
	for (size_t i = 0; i < WAYS; i++) {
		pthread_join(runs[i].caller, NULL);
		pthread_join(runs[i].canceller, NULL);
	}
	return 0;
}
