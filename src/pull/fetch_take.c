/* What comes: whether it is what was asked for, and writing it. */
#include <errno.h>
#include <string.h>

#include "base/amount.h"
#include "base/sys.h"
#include "pull/fetch_getter.h"
#include "pull/fetch_head.h"

enum { SAVE_MS = 5 * 1000, RANGE_TRIES = 2 };

enum status getter_bad(struct getter *getter, struct error *err, const char *what)
{
	char host[WEB_HOST_MAX];

	getter_name_host(getter, host);
	getter->verdict = VERDICT_BAD;
	return error_set(err, STATUS_IO, "%s %s", host, what);
}

bool getter_has_vouched(const struct getter *getter)
{
	struct fetch_run *run = getter->run;
	bool has_some;

	pthread_mutex_lock(&run->lock);
	has_some = spans_done(&run->spans) > 0;
	pthread_mutex_unlock(&run->lock);
	return has_some && run->fetch->digest[0];
}

static enum status anew(struct getter *getter, enum fetch_anew why, struct error *err)
{
	getter->verdict = VERDICT_ANEW;
	getter->anew = why;
	return error_set(err, STATUS_FORMAT, "fetched anew");
}

/* The answer says how large the file is, or that it is as large as was said. */
static bool has_size(struct fetch_run *run, uint64_t size)
{
	bool is_right;

	pthread_mutex_lock(&run->lock);
	if (!run->has_size && size >= spans_done(&run->spans)) {
		run->size = size;
		run->has_size = true;
		spans_set_size(&run->spans, size);
	}
	is_right = run->has_size && run->size == size;
	pthread_mutex_unlock(&run->lock);
	return is_right;
}

/* Bytes that somebody vouches for are what they are, whatever their tag: nodes of a network may have tags of their own. */
static bool is_same_version(struct fetch_run *run, const struct fetch_head *head)
{
	bool is_same = true;

	if (run->fetch->digest[0] || !head->version[0])
		return true;
	pthread_mutex_lock(&run->lock);
	if (run->version[0])
		is_same = strcmp(run->version, head->version) == 0;
	else
		memcpy(run->version, head->version, sizeof run->version);
	pthread_mutex_unlock(&run->lock);
	return is_same;
}

static enum status check_range(struct getter *getter, const struct fetch_head *head, struct error *err)
{
	struct fetch_run *run = getter->run;

	if (!getter->asks_range || !head->has_range || head->from != getter->from)
		return getter_bad(getter, err, "sends other bytes than were asked for");
	if (!has_size(run, head->size))
		return anew(getter, ANEW_SIZE, err);
	if (head->to != (getter->to ? getter->to : head->size))
		return getter_bad(getter, err, "sends other bytes than were asked for");
	if (head->has_length && head->length != head->to - head->from)
		return getter_bad(getter, err, "sends more or fewer bytes than it says");
	return is_same_version(run, head) ? STATUS_OK : anew(getter, ANEW_ETAG, err);
}

/* One machine of many may know no ranges: what is there is not thrown away before it has been asked for more than once. By
 * If-Range, without a digest, all of a file says that it is another one. */
static bool may_be_passing(const struct getter *getter)
{
	return getter_has_vouched(getter) && getter->n_failed < RANGE_TRIES;
}

/* All of the file: good where that is what is wanted. */
static enum status check_whole(struct getter *getter, const struct fetch_head *head, struct error *err)
{
	struct fetch_run *run = getter->run;

	if (head->has_length && !has_size(run, head->length))
		return anew(getter, ANEW_SIZE, err);
	if (getter->from > 0 || run->n_getters > 1 || (run->size && getter->span->to != run->size))
		return may_be_passing(getter) ? getter_bad(getter, err, "sends all of the file instead of what is missing") :
		                                anew(getter, ANEW_STREAM, err);
	return is_same_version(run, head) ? STATUS_OK : anew(getter, ANEW_ETAG, err);
}

enum status getter_check_head(struct getter *getter, struct error *err)
{
	struct fetch_head head;

	getter->is_checked = true;
	fetch_head_read(&head, &getter->answer);
	if (head.is_encoded)
		return getter_bad(getter, err, "sends it compressed, although nobody asked for that");
	if (getter->answer.code == 206)
		return check_range(getter, &head, err);
	if (getter->answer.code == 200)
		return check_whole(getter, &head, err);
	return getter_bad(getter, err, "has no bytes to send");
}

static enum status no_room(const struct getter *getter, int error, struct error *err)
{
	const struct fetch_run *run = getter->run;
	char amount[AMOUNT_TEXT_MAX];

	if (error != ENOSPC && error != EDQUOT)
		return error_errno(err, error, "%s" FETCH_PART " cannot be written", run->fetch->path);
	if (!run->size)
		return error_set(err, STATUS_LIMIT, "no room on the disk for the rest of %s", run->fetch->path);
	return error_set(err, STATUS_LIMIT, "no room on the disk for %s: %s more are needed", run->fetch->path,
	                 amount_bytes(amount, run->size - atomic_load(&run->fetch->progress->done)));
}

static enum status write_at(struct getter *getter, const char *bytes, size_t n, uint64_t at, struct error *err)
{
	int error = io_pwrite_all(getter->run->fetch->io, getter->run->fd, bytes, n, (off_t)at);

	if (!error)
		return STATUS_OK;
	getter->verdict = VERDICT_DISK;
	return no_room(getter, error, err);
}

/* Counts bytes that are written. True: the state is to be saved, by this getter. */
static bool count(struct getter *getter, size_t n)
{
	struct fetch_run *run = getter->run;
	bool saves;

	pthread_mutex_lock(&run->lock);
	getter->span->at += n;
	run->fresh += n;
	run->unsaved += n;
	run->n_refused = 0;
	saves = !run->is_saving && (run->unsaved >= run->save_each ||
	                            (run->saves_by_time && sys_now_ms() - run->saved_at >= SAVE_MS));
	run->is_saving |= saves;
	pthread_cond_signal(&run->moved);
	pthread_mutex_unlock(&run->lock);
	getter->n_failed = getter->n_redirects = 0;
	atomic_fetch_add(&run->fetch->progress->done, n);
	atomic_fetch_add(&run->fetch->progress->fresh, n);
	return saves;
}

static enum status save(struct getter *getter, struct error *err)
{
	struct fetch_run *run = getter->run;
	enum status status = fetch_run_save(run, err);

	pthread_mutex_lock(&run->lock);
	run->is_saving = false;
	pthread_mutex_unlock(&run->lock);
	if (status != STATUS_OK)
		getter->verdict = VERDICT_DISK;
	return status;
}

/* Bytes until the next state is due. */
static uint64_t until_save(struct fetch_run *run)
{
	uint64_t n;

	pthread_mutex_lock(&run->lock);
	n = run->unsaved < run->save_each ? run->save_each - run->unsaved : run->save_each;
	pthread_mutex_unlock(&run->lock);
	return n;
}

/* Writes bytes at the span's end, and the state between them where it is due. */
static enum status put(struct getter *getter, const char *bytes, size_t n, struct error *err)
{
	enum status status = STATUS_OK;

	while (n > 0 && status == STATUS_OK) {
		uint64_t until = until_save(getter->run);
		size_t some = n < until ? n : (size_t)until;

		status = write_at(getter, bytes, some, getter->span->at, err);
		if (status == STATUS_OK && count(getter, some))
			status = save(getter, err);
		bytes += some;
		n -= some;
	}
	return status;
}

enum status getter_take(void *ctx, const char *bytes, size_t n, struct error *err)
{
	struct getter *getter = ctx;
	enum status status = getter->is_checked ? STATUS_OK : getter_check_head(getter, err);
	uint64_t room = getter->span->to - getter->span->at;
	bool is_too_much = n > room;

	if (status != STATUS_OK)
		return status;
	if (is_too_much)
		n = (size_t)room;
	status = put(getter, bytes, n, err);
	if (status == STATUS_OK && is_too_much)
		status = getter->answer.code == 200 && !getter->run->fetch->digest[0] ?
		                 anew(getter, ANEW_SIZE, err) :
		                 getter_bad(getter, err, "sends more bytes than were asked for");
	return status;
}
