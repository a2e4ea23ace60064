/* The digest of a file while it is fetched: its front is read again from the page cache, just behind those who write. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/thread.h"
#include "pull/fetch_run.h"

struct fetch_hasher {
	struct fetch_run *run;
	pthread_t thread;
	struct digest *digest;
	unsigned char *bytes; /* [CHUNK] */
	uint64_t at;
	enum status status;
	struct error err;
};

enum { CHUNK = 1 << 18 };

/* Waits for bytes behind `at`; how many of them to read. 0: all is read, or the run has failed. */
static size_t wait_for_bytes(struct fetch_hasher *hasher)
{
	struct fetch_run *run = hasher->run;
	uint64_t n;

	pthread_mutex_lock(&run->lock);
	/* A whole chunk at a time: to be woken for each packet would cost more than the digest. */
	while ((n = spans_front(&run->spans) - hasher->at) < CHUNK && !run->is_over)
		pthread_cond_wait(&run->moved, &run->lock);
	if (run->status != STATUS_OK || run->anew != ANEW_NOT)
		n = 0;
	pthread_mutex_unlock(&run->lock);
	return n < CHUNK ? (size_t)n : CHUNK;
}

static enum status take(struct fetch_hasher *hasher, size_t n)
{
	while (n > 0) {
		ssize_t got = pread(hasher->run->fd, hasher->bytes, n, (off_t)hasher->at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return error_errno(&hasher->err, got < 0 ? errno : EIO, "%s cannot be read again",
			                   hasher->run->fetch->path);
		digest_add(hasher->digest, hasher->bytes, (size_t)got);
		hasher->at += (uint64_t)got;
		n -= (size_t)got;
	}
	return STATUS_OK;
}

static void *work(void *ctx)
{
	struct fetch_hasher *hasher = ctx;
	size_t n;

	while (hasher->status == STATUS_OK && (n = wait_for_bytes(hasher)) > 0) {
		hasher->status = take(hasher, n);
		if (hasher->status == STATUS_OK && fetch_run_is_cancelled(hasher->run))
			hasher->status = error_set(&hasher->err, STATUS_CANCELLED, "cancelled");
	}
	return NULL;
}

static void hasher_free(struct fetch_hasher *hasher)
{
	digest_free(hasher->digest);
	free(hasher->bytes);
	free(hasher);
}

enum status fetch_hasher_start(struct fetch_hasher **out, struct fetch_run *run, struct error *err)
{
	struct fetch_hasher *hasher = alloc_array(1, sizeof *hasher);
	bool is_git = strlen(run->fetch->digest) == DIGEST_GIT_LEN;
	enum status status;

	*out = NULL;
	if (!hasher)
		return error_no_memory(err, "for a digest");
	hasher->run = run;
	hasher->bytes = alloc_array(CHUNK, 1);
	status = hasher->bytes ? digest_create(&hasher->digest, is_git ? DIGEST_GIT : DIGEST_SHA256, run->fetch->size, err) :
	                         error_no_memory(err, "for a digest");
	if (status == STATUS_OK && thread_start(&hasher->thread, work, hasher) != 0)
		status = error_set(err, STATUS_NOMEM, "no thread can be started to check what is fetched");
	if (status == STATUS_OK)
		*out = hasher;
	else
		hasher_free(hasher);
	return status;
}

enum status fetch_hasher_end(struct fetch_hasher *hasher, char text[DIGEST_TEXT_MAX], struct error *err)
{
	enum status status;

	text[0] = 0;
	if (!hasher)
		return STATUS_OK;
	pthread_join(hasher->thread, NULL);
	status = hasher->status;
	if (status == STATUS_OK)
		digest_end(hasher->digest, text);
	else
		error_set(err, status, "%s", hasher->err.text);
	hasher_free(hasher);
	return status;
}
