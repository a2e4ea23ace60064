/* What is there of a file that is being fetched: NAME.sotto-state, JSON.
 *
 *     {"size":2019377696,"digest":"6c1a...","etag":"\"5f...\"","ranges":[[0,67108864],[134217728,150000000]]}
 *
 * No address: the signed ones are nobody's business. It claims no byte of NAME.sotto-part that is not on the disk. */
#ifndef SOTTO_PULL_FETCH_STATE_H
#define SOTTO_PULL_FETCH_STATE_H

#include <stdint.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/io.h"
#include "pull/spans.h"

#define FETCH_PART ".sotto-part"
#define FETCH_STATE ".sotto-state"
#define FETCH_NEW ".new" /* behind that of a state which is being written */

/* A file cannot be written, or removed: STATUS_LIMIT where there is no room, which is no fault of the disk's. */
enum status fetch_write_error(struct error *err, int error, const char *path);

struct fetch_state {
	uint64_t size; /* 0: not known */
	char digest[DIGEST_TEXT_MAX];
	char etag[128];
	uint64_t *ranges; /* [2 * n]: from, to; in their order, apart; owned */
	size_t n;
};

void fetch_state_free(struct fetch_state *state);
/* Of a path's file. STATUS_NOTFOUND, STATUS_FORMAT: there is nothing to go on with. */
enum status fetch_state_load(struct fetch_state *out, const char *path, struct error *err) MUST_CHECK;
/* What the spans have now, into ranges. */
enum status fetch_state_note(struct fetch_state *state, const struct spans *spans, struct error *err) MUST_CHECK;
/* Syncs the part file, open as `fd`, and then writes the state, which was noted before: so it claims only what was synced. */
enum status fetch_state_save(const struct fetch_state *state, const char *path, int fd, const struct io_ops *io,
                             struct error *err) MUST_CHECK;
/* Removes it, where it is of no use any more. */
void fetch_state_remove(const char *path, const struct io_ops *io);
/* Before the part file is thrown away: nothing is claimed of it any more, whatever happens. */
enum status fetch_state_forget(const char *path, const struct io_ops *io, struct error *err) MUST_CHECK;

#endif
