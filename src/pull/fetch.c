#include "pull/fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/amount.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/sys.h"
#include "base/thread.h"
#include "pull/fetch_finish.h"
#include "pull/fetch_head.h"
#include "pull/fetch_lock.h"
#include "pull/fetch_run.h"

enum {
	GETTERS = 4,      /* for a host, and no more */
	STREAMS_MAX = 6,  /* begun anew because the server knows no ranges */
};

/* ---- sizes of things ---- */

static uint64_t usual_part(bool *is_test)
{
	const char *text = sys_variable("SOTTO_TEST_PULL_PART");
	int64_t n;

	*is_test = text && number_parse_int(text, &n) && n > 0;
	return *is_test ? (uint64_t)n : MIB(64);
}

static void set_getters(struct fetch_run *run, unsigned n)
{
	bool is_test;
	uint64_t part = usual_part(&is_test);

	run->n_getters = n;
	run->most = n > 1 ? part : UINT64_MAX;
	run->least = n > 1 ? part / 8 + 1 : UINT64_MAX;
	run->save_each = part;
	run->saves_by_time = !is_test;
}

static unsigned usual_getters(const struct fetch *fetch)
{
	bool is_test;

	return fetch->size > GETTERS * usual_part(&is_test) ? GETTERS : 1;
}

bool fetch_run_is_cancelled(const struct fetch_run *run)
{
	return run->fetch->cancelled && run->fetch->cancelled(run->fetch->ctx);
}

/* ---- what is there ---- */

/* Makes room for all of it now, where the file system can: ENOSPC at the beginning is better than at the end. Without
 * glibc's way for others, which writes to every block. */
static enum status make_room(const struct fetch_run *run, struct error *err)
{
	uint64_t held = fetch_held(run->fetch->path);
	struct stat st;
	char amount[AMOUNT_TEXT_MAX];

	if (!run->size || run->fetch->io->fstat(run->fd, &st) != 0 || fallocate(run->fd, 0, 0, (off_t)run->size) == 0 ||
	    (errno != ENOSPC && errno != EDQUOT))
		return STATUS_OK;
	(void)io_ftruncate(run->fetch->io, run->fd, st.st_size); /* some file systems have taken all that was free */
	return error_set(err, STATUS_LIMIT, "no room on the disk for %.300s: %s are needed", run->fetch->path,
	                 amount_thousands(amount, run->size > held ? run->size - held : 0));
}

/* Begins with nothing. */
static enum status throw_away(struct fetch_run *run, struct error *err)
{
	const struct fetch *fetch = run->fetch;
	enum status status = fetch_state_forget(fetch->path, fetch->io, err);
	int error;

	if (status != STATUS_OK)
		return status;
	error = io_ftruncate(fetch->io, run->fd, 0);
	if (error)
		return fetch_write_error(err, error, fetch->path);
	run->size = fetch->size;
	run->has_size = run->size > 0;
	run->version[0] = 0;
	run->anew = ANEW_NOT;
	atomic_store(&fetch->progress->done, 0);
	return spans_init(&run->spans, run->size ? run->size : LIMIT_PULL_FILE, err);
}

/* Takes over what an earlier fetch has left. False: that is another file's, or not readable. */
static bool take_over(struct fetch_run *run, const struct fetch_state *state, uint64_t file_size)
{
	const struct fetch *fetch = run->fetch;

	if (strcmp(state->digest, fetch->digest) != 0 || (fetch->size && state->size != fetch->size) ||
	    (!fetch->digest[0] && !fetch_head_is_strong(state->etag)))
		return false;
	run->size = state->size;
	run->has_size = run->size > 0;
	memcpy(run->version, state->etag, sizeof run->version);
	if (spans_init(&run->spans, run->size ? run->size : LIMIT_PULL_FILE, NULL) != STATUS_OK)
		return false;
	for (size_t i = 0; i < state->n; i++) {
		uint64_t from = state->ranges[2 * i], to = state->ranges[2 * i + 1];

		if (from < file_size && !spans_add(&run->spans, from, to < file_size ? to : file_size))
			return false;
	}
	return true;
}

static enum status look_at_part(struct fetch_run *run, struct error *err)
{
	const struct fetch *fetch = run->fetch;
	struct fetch_state state = {.n = 0};
	bool goes_on = false;
	struct stat st;

	if (fetch->io->fstat(run->fd, &st) != 0)
		return error_errno(err, errno, "%s" FETCH_PART " cannot be read", fetch->path);
	if (st.st_size > 0 && fetch_state_load(&state, fetch->path, NULL) == STATUS_OK)
		goes_on = take_over(run, &state, (uint64_t)st.st_size);
	fetch_state_free(&state);
	if (!goes_on)
		return throw_away(run, err);
	atomic_store(&fetch->progress->done, spans_done(&run->spans));
	return STATUS_OK;
}

/* ---- one go ---- */

static void *get_in_thread(void *ctx)
{
	fetch_get(ctx);
	return NULL;
}

/* The first getter is this thread. */
static void run_getters(struct fetch_run *run)
{
	pthread_t threads[GETTERS];
	unsigned n = 1;

	run->n_active = run->n_getters;
	while (n < run->n_getters && thread_start(&threads[n], get_in_thread, run) == 0)
		n++;
	pthread_mutex_lock(&run->lock);
	run->n_active -= run->n_getters - n;
	pthread_mutex_unlock(&run->lock);
	fetch_get(run);
	while (n-- > 1)
		pthread_join(threads[n], NULL);
}

/* Fetches what is missing. STATUS_OK: all is there, and `digest` is its digest; or run->anew says why it is not. */
static enum status go(struct fetch_run *run, char digest[DIGEST_TEXT_MAX], struct error *err)
{
	struct fetch_hasher *hasher = NULL;
	enum status status = make_room(run, err), hashed;

	digest[0] = 0;
	run->is_over = false;
	run->status = STATUS_OK;
	run->saved_at = sys_now_ms();
	if (status == STATUS_OK && run->fetch->digest[0])
		status = fetch_hasher_start(&hasher, run, err);
	if (status != STATUS_OK)
		return status;
	atomic_store(&run->fetch->progress->phase, FETCH_GETTING);
	run_getters(run);
	atomic_store(&run->fetch->progress->phase, FETCH_CHECKING);
	hashed = fetch_hasher_end(hasher, digest, err);
	if (run->anew != ANEW_NOT)
		return STATUS_OK;
	if (run->status != STATUS_OK)
		return error_set(err, run->status, "%s", run->err.text);
	if (!run->has_size || !spans_are_whole(&run->spans))
		return error_set(err, STATUS_IO, "%s", run->last_err.text[0] ? run->last_err.text : "the file did not come");
	return hashed;
}

/* ---- until it is right ---- */

/* How often it has begun anew, and whether it may once more. */
struct tries {
	unsigned n_streams, n_others;
};

static enum status begin_anew(struct fetch_run *run, struct tries *tries, struct error *err)
{
	static const char *const why[] = {
		[ANEW_STREAM] = "the server cannot go on where it broke off, and breaks off again and again",
		[ANEW_SIZE] = "the file is not as large as was promised: it has changed, or something stands between",
		[ANEW_ETAG] = "the file changes while it is fetched",
		[ANEW_DIGEST] = "",
	};
	bool is_stream = run->anew == ANEW_STREAM, is_enough;
	enum fetch_anew anew = run->anew;
	enum status status;

	is_enough = is_stream ? ++tries->n_streams > STREAMS_MAX : ++tries->n_others > 1;
	if (anew != ANEW_SIZE) /* one connection may well speak to one machine */
		set_getters(run, 1);
	status = throw_away(run, err);
	if (status != STATUS_OK)
		return status;
	return is_enough ? error_set(err, is_stream ? STATUS_IO : STATUS_FORMAT, "%s", why[anew]) : STATUS_OK;
}

static enum status fetch_all(struct fetch_run *run, struct error *err)
{
	struct tries tries = {0};
	enum status status = STATUS_OK;

	while (status == STATUS_OK) {
		char digest[DIGEST_TEXT_MAX];
		enum status wrong = STATUS_OK;

		status = go(run, digest, err);
		if (status != STATUS_OK)
			break;
		if (run->anew == ANEW_NOT)
			wrong = fetch_check_digest(run->fetch, digest, err);
		if (wrong != STATUS_OK)
			run->anew = ANEW_DIGEST;
		if (run->anew == ANEW_NOT)
			return STATUS_OK;
		if (wrong != STATUS_OK && tries.n_others > 0) {
			status = throw_away(run, NULL);
			return status == STATUS_OK ? wrong : status;
		}
		status = begin_anew(run, &tries, err);
	}
	return status;
}

/* ---- the file ---- */

static void remove_part(const struct fetch *fetch, const char *part)
{
	if (fetch_state_forget(fetch->path, fetch->io, NULL) == STATUS_OK)
		fetch->io->unlink(part);
}

/* What is there is kept for the next time; where nothing is, no file stays. */
static void keep(struct fetch_run *run, const char *part)
{
	enum status status = STATUS_OK;

	if (run->spans.first && spans_done(&run->spans) > 0)
		status = fetch_run_save(run, NULL);
	else
		remove_part(run->fetch, part);
	(void)status; /* else it goes on from the state before */
}

static enum status finish(struct fetch_run *run, const char *part, struct error *err)
{
	const struct fetch *fetch = run->fetch;
	enum status status = fetch_check_gguf(fetch, part, err);

	if (status == STATUS_FORMAT || status == STATUS_UNSUPPORTED || status == STATUS_LIMIT) {
		remove_part(fetch, part);
		return status;
	}
	if (status == STATUS_OK)
		status = fetch_publish(fetch, part, run->fd, err);
	if (status != STATUS_OK)
		keep(run, part);
	else
		fetch_state_remove(fetch->path, fetch->io);
	return status;
}

static enum status fetch_locked(const struct fetch *fetch, const char *part, int fd, struct error *err)
{
	struct fetch_run run = {.fetch = fetch, .fd = fd};
	enum status status;

	pthread_mutex_init(&run.locate_lock, NULL);
	pthread_mutex_init(&run.lock, NULL);
	pthread_cond_init(&run.moved, NULL);
	set_getters(&run, usual_getters(fetch));
	status = look_at_part(&run, err);
	if (status == STATUS_OK)
		status = fetch_all(&run, err);
	if (status == STATUS_OK)
		status = finish(&run, part, err);
	else
		keep(&run, part);
	spans_free(&run.spans);
	web_place_free(&run.place);
	pthread_cond_destroy(&run.moved);
	pthread_mutex_destroy(&run.lock);
	pthread_mutex_destroy(&run.locate_lock);
	return status;
}

enum status fetch_file(const struct fetch *fetch, struct error *err)
{
	struct buf part = {.max = KIB(64)};
	enum status status;
	int fd = -1;

	atomic_store(&fetch->progress->phase, FETCH_ASKING);
	buf_printf(&part, "%s" FETCH_PART, fetch->path);
	status = buf_status(&part) == STATUS_OK ? STATUS_OK : error_no_memory(err, "for a path");
	if (status == STATUS_OK && !fetch_is_there(fetch))
		status = fetch_check_name(fetch, err);
	if (status == STATUS_OK)
		status = fetch_lock(fetch, buf_text(&part), &fd, err);
	if (fd >= 0) {
		status = fetch_locked(fetch, buf_text(&part), fd, err);
		io_close(fetch->io, fd);
	} else if (status == STATUS_OK) {
		fetch_state_remove(fetch->path, fetch->io);
		atomic_store(&fetch->progress->done, fetch->size);
	}
	buf_free(&part);
	return status;
}
