/* One file, from wherever its bytes are, into a part file and then under its name, which never shows a file that is
 * not whole: hashed while it is written, renamed only after size, digest and opening as a GGUF agree.
 *
 * Beside NAME lie NAME.sotto-part, the bytes, and NAME.sotto-state, which ranges of it are there; both stay when the
 * fetch is stopped, and the next one goes on. Two processes that fetch the same file do it once: the second waits for
 * the first (flock on the part) and shows how far it is.
 *
 * A file of more than 256 MiB comes by four connections, each of which takes 64 MiB at a time, fewer at the end. Ranges
 * are asked for by If-Range only where there is no digest: then the tag alone says that it is still the same file. Where
 * there is no strong one, a weak one or a date that changes says that it is another; nothing says that it is the same, so
 * that a later fetch begins anew.
 * For tests $SOTTO_TEST_PULL_PART is another number of bytes for the 64 MiB; states are then saved by bytes alone. */
#ifndef SOTTO_PULL_FETCH_H
#define SOTTO_PULL_FETCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/io.h"
#include "pull/web.h"

enum fetch_phase {
	FETCH_ASKING,   /* where it is */
	FETCH_OTHERS,   /* another process fetches it */
	FETCH_GETTING,
	FETCH_CHECKING, /* digest and header */
};

/* How far it is: written by the fetch, read by any thread. */
struct fetch_progress {
	atomic_int phase;
	atomic_ullong done; /* bytes that are there, those of an earlier fetch included */
	atomic_ullong fresh; /* of these, those that came now: for the rate */
};

struct fetch {
	const char *path;   /* where the whole file is to be; its folder is there */
	uint64_t size;      /* 0: not known before the server says it */
	const char *digest; /* SHA-256 or git's, in hex; "": none, it is opened only */
	bool is_gguf;       /* it has to open as one */
	/* As pull_source_ops.locate; called by any of the fetch's threads, one at a time. */
	enum status (*locate)(void *ctx, struct web_place *out, struct web *web, struct error *err);
	void *ctx;
	/* NULL, or whether it is whole under another path by now: another process may have fetched it and moved it there. */
	bool (*is_moved)(void *ctx);
	struct fetch_progress *progress;
	bool (*cancelled)(void *ctx); /* any thread */
	void (*waiting)(void *ctx, const char *text); /* any thread; NULL: not told */
	const struct io_ops *io;
};

/* STATUS_CANCELLED: what is there is kept. STATUS_IO: the network or the disk; STATUS_FORMAT: what came is not what was
 * promised (expected and found digest, 12 digits each), and is thrown away; STATUS_LIMIT: no room, and how much is
 * missing; STATUS_DECLINED: what has the name is a folder, or a file that no digest says to be a broken one. */
enum status fetch_file(const struct fetch *fetch, struct error *err) MUST_CHECK;

/* Whether a file system has room for so many bytes more, with a little to spare. STATUS_LIMIT says how much is missing. */
enum status fetch_check_room(const char *folder, uint64_t n_bytes, struct error *err) MUST_CHECK;
/* How many bytes of a file that is not whole yet lie beside it. */
uint64_t fetch_kept(const char *path);
/* How many bytes of the disk its part file has already, those included that are still to come: room is made for all. */
uint64_t fetch_held(const char *path);

#endif
