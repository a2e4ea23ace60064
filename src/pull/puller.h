/* Looking for a published model, and fetching it, as a job: the screen never waits.
 *
 * Threads: one thread owns the puller and makes all calls. */
#ifndef SOTTO_PULL_PULLER_H
#define SOTTO_PULL_PULLER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "pull/pull.h"

enum puller_state {
	PULLER_IDLE,
	PULLER_LOOKING,
	PULLER_OFFERS,   /* puller_offer: what there is */
	PULLER_FETCHING, /* puller_progress */
	PULLER_DONE,     /* puller_model: its path */
	PULLER_FAILED,   /* puller_error; STATUS_CANCELLED: it was stopped, and what is there is kept */
};

struct puller;

enum status puller_create(struct puller **out, struct error *err) MUST_CHECK;
void puller_free(struct puller *puller); /* stops it; NULL is fine */

/* To be polled for POLLIN: then puller_update. -1: nothing runs. There is news about four times a second. */
int puller_fd(const struct puller *puller);
/* Takes over what the job has done; true where the state is another now. */
bool puller_update(struct puller *puller);
enum puller_state puller_state(const struct puller *puller);

/* STATUS_BUSY while it looks or fetches. */
enum status puller_look(struct puller *puller, const char *name, const struct pull_machine *machine,
                        struct error *err) MUST_CHECK;
/* In the state OFFERS; `choice`: an index. */
enum status puller_fetch(struct puller *puller, size_t choice, struct error *err) MUST_CHECK;
void puller_stop(struct puller *puller); /* the state becomes FAILED soon */
void puller_forget(struct puller *puller); /* IDLE again; not while it looks or fetches */

const struct pull_offer *puller_offer(const struct puller *puller); /* OFFERS and later; NULL before */
const char *puller_name(const struct puller *puller);  /* as it was asked for, with the tag that was chosen */
const char *puller_model(const struct puller *puller); /* DONE: the path to load; else NULL */
const struct error *puller_error(const struct puller *puller);

struct puller_progress {
	enum fetch_phase phase;
	uint64_t done, all; /* bytes */
	double rate;        /* bytes a second over the last five; 0: not known yet, or it stands still */
	double left;        /* seconds at this rate; < 0: not known */
	char waiting[160];  /* "box is busy: asked again in 8 s (2 of 6)"; "": nothing to say */
};
void puller_progress(const struct puller *puller, struct puller_progress *out);
/* "45 % of 2.50 GB, 34.1 MB/s, 41 s left", "checking", or what is waited for. */
void puller_progress_put(const struct puller_progress *progress, struct buf *out);

#endif
