/* A call for tests: it notes what it is told, and is cancelled where the test says. */
#ifndef SOTTO_TESTS_NET_ASK_H
#define SOTTO_TESTS_NET_ASK_H

#include <stdbool.h>

#include "net/http.h"
#include "support/loopback.h"

struct ask {
	struct http_target target;
	struct http_call call;
	struct http_answer answer;
	struct error err;
	enum status status;
	struct buf took;           /* by call.take */
	struct buf phases;         /* "012": as they began */
	uint64_t longest;          /* that a phase callback was told */
	int cancel_phase;          /* cancelled in this phase; -1: never */
	unsigned n_before;         /* that many questions in it are answered with no */
};

/* A GET of /x, with a limit of a minute, of what `take` is given. */
void ask_init(struct ask *ask, const char *url);
void ask_deinit(struct ask *ask);
/* With a client of its own. */
void ask_run(struct ask *ask);
void ask_run_with(struct ask *ask, struct http *http);
struct http *ask_client(void);
/* Puts what comes into `took`. */
enum status ask_take(void *ctx, const char *bytes, size_t n, struct error *err);
struct secret *ask_key(const char *text);

/* The error is that, with %s the server's host and port; the status goes with the trouble. */
void ask_expect_trouble(const struct ask *ask, enum http_trouble trouble, const char *text, const char *url);

#endif
