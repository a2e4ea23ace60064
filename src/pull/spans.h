/* Which bytes of a file are there, and who fetches which of the others: spans that follow each other without a gap, each
 * with its first bytes there and the rest missing.
 *
 * Threads: the caller locks; a span that is taken stays where it is until it is given back. */
#ifndef SOTTO_PULL_SPANS_H
#define SOTTO_PULL_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct span {
	uint64_t from, at, to; /* [from, at) is there, [at, to) is not */
	bool is_taken;
	struct span *next;
};

struct spans {
	struct span *first; /* NULL: none yet */
	uint64_t size;      /* where the last one ends */
};

/* Nothing is there of so many bytes. STATUS_NOMEM leaves it as it was. */
enum status spans_init(struct spans *spans, uint64_t size, struct error *err) MUST_CHECK;
void spans_free(struct spans *spans);
/* These bytes are there; called in their order, before any is taken. False: out of order, past the end, or no memory. */
bool spans_add(struct spans *spans, uint64_t from, uint64_t to);
/* The size was not known and is now; it may not be smaller than what is there. */
void spans_set_size(struct spans *spans, uint64_t size);

/* Missing bytes to fetch, in one piece: the first that nobody has taken, at most `most` of them; fewer at the end, so
 * that `n` who take are done together, but `least` or more. NULL: there are none, or no memory. */
struct span *spans_take(struct spans *spans, uint64_t most, uint64_t least, unsigned n);
void spans_give_back(struct spans *spans, struct span *span);

uint64_t spans_front(const struct spans *spans); /* all bytes before it are there */
uint64_t spans_done(const struct spans *spans);  /* bytes that are there */
bool spans_are_whole(const struct spans *spans);

#endif
