/* A fetch under way: private to fetch*.c. Getters, a thread each, take spans and fill them; a hasher reads behind them.
 *
 * Threads: what is under "the lock" only with it; the rest does not change while threads run. */
#ifndef SOTTO_PULL_FETCH_RUN_H
#define SOTTO_PULL_FETCH_RUN_H

#include <pthread.h>

#include "pull/fetch.h"
#include "pull/fetch_state.h"
#include "pull/spans.h"

/* Why all of it is thrown away and fetched anew. */
enum fetch_anew {
	ANEW_NOT,
	ANEW_STREAM, /* the server knows no ranges: in one go, by one connection */
	ANEW_SIZE,   /* it is not as large as was said */
	ANEW_ETAG,   /* it has changed, and nobody vouches for it */
	ANEW_DIGEST, /* its digest is another */
};

struct fetch_run {
	const struct fetch *fetch;
	int fd;                   /* the part file */
	unsigned n_getters;
	uint64_t most, least;     /* bytes of a span that is taken */
	uint64_t save_each;       /* bytes between two states */
	bool saves_by_time;       /* and seconds, too */

	pthread_mutex_t locate_lock; /* one asks at a time; taken before the lock */
	pthread_mutex_t lock;
	pthread_cond_t moved;     /* bytes came, or it is over */

	/* Under the lock. */
	struct spans spans;
	uint64_t size;            /* 0 before it is known */
	bool has_size;            /* it is known: a file may be empty */
	char version[128];        /* of the bytes that are there (fetch_head.h); "": not known */
	struct web_place place;   /* where the bytes are; base NULL: not asked yet */
	unsigned place_number;    /* which place it is: 0 none */
	unsigned n_refused;       /* 401 and 403 since bytes came */
	unsigned n_active;        /* getters at work */
	uint64_t fresh;           /* bytes that came in this process */
	uint64_t unsaved, saved_at; /* bytes since the last state, and when that was, ms */
	bool is_saving;
	bool is_over;             /* getters stop: all is there, or something is wrong */
	enum fetch_anew anew;
	enum status status;       /* the first error */
	struct error err;
	struct error last_err;    /* why a getter has left the work to others */
};

/* For getters, with the lock held: the first error counts, and all stop. */
void fetch_run_fail(struct fetch_run *run, enum status status, const struct error *err);
bool fetch_run_is_cancelled(const struct fetch_run *run); /* the user's wish; any thread */

/* fetch_get.c: fills spans until none is left, or the run is over. */
void fetch_get(struct fetch_run *run);

/* fetch_save.c: the state as the spans are now. */
enum status fetch_run_save(struct fetch_run *run, struct error *err) MUST_CHECK;

/* fetch_hash.c: a thread that digests the front as it grows. */
struct fetch_hasher;
enum status fetch_hasher_start(struct fetch_hasher **out, struct fetch_run *run, struct error *err) MUST_CHECK;
/* Waits until all is digested, or the run has failed. `text`: the digest; "": there is none. */
enum status fetch_hasher_end(struct fetch_hasher *hasher, char text[DIGEST_TEXT_MAX], struct error *err) MUST_CHECK;

#endif
