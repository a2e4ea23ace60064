#include "pull/fetch_state.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/json_walk.h"
#include "base/limits.h"
#include "base/sys.h"

void fetch_state_free(struct fetch_state *state)
{
	free(state->ranges);
	*state = (struct fetch_state){0};
}

static enum status name(struct buf *out, const char *path, const char *end, struct error *err)
{
	*out = (struct buf){.max = KIB(64)};
	buf_printf(out, "%s%s", path, end);
	return buf_status(out) == STATUS_OK ? STATUS_OK : error_no_memory(err, "for a path");
}

/* ---- reading ---- */

struct reading {
	struct fetch_state *state;
	size_t cap, n_numbers;
};

static enum status visit(void *ctx, const char *path, const struct json_item *item, struct error *err)
{
	static const struct json_place places[] = {
		{"size", JSON_PLACE_U64, offsetof(struct fetch_state, size), 0},
		{"digest", JSON_PLACE_TEXT, offsetof(struct fetch_state, digest), DIGEST_TEXT_MAX},
		{"etag", JSON_PLACE_TEXT, offsetof(struct fetch_state, etag), sizeof((struct fetch_state *)0)->etag},
	};
	struct reading *reading = ctx;
	uint64_t number;

	json_put_place(places, sizeof places / sizeof *places, reading->state, path, item);
	if (!json_path_is(path, "ranges.*.*"))
		return STATUS_OK;
	if (!json_read_count(item, UINT64_MAX, &number))
		return error_set(err, STATUS_FORMAT, "a range is not a number");
	if (!alloc_grow(&reading->state->ranges, &reading->cap, reading->n_numbers + 1, sizeof number,
	                2 * (size_t)LIMIT_PULL_RANGES))
		return error_set(err, STATUS_FORMAT, "too many ranges");
	reading->state->ranges[reading->n_numbers++] = number;
	return STATUS_OK;
}

static enum status check(const struct fetch_state *state, size_t n_numbers, struct error *err)
{
	uint64_t at = 0;

	if (n_numbers % 2)
		return error_set(err, STATUS_FORMAT, "half a range");
	for (size_t i = 0; i < state->n; i++) {
		const uint64_t *range = state->ranges + 2 * i;

		if (range[0] < at || range[1] <= range[0] || range[1] > LIMIT_PULL_FILE ||
		    (state->size && range[1] > state->size))
			return error_set(err, STATUS_FORMAT, "ranges that cannot be");
		at = range[1];
	}
	return STATUS_OK;
}

enum status fetch_state_load(struct fetch_state *out, const char *path, struct error *err)
{
	struct reading reading = {.state = out};
	struct buf file;
	char *text = NULL;
	size_t len;
	enum status status = name(&file, path, FETCH_STATE, err);

	*out = (struct fetch_state){0};
	if (status == STATUS_OK)
		status = sys_read_file(buf_text(&file), LIMIT_PULL_STATE, &text, &len, err);
	if (status == STATUS_OK)
		status = json_walk(text, len, visit, &reading, err);
	out->n = reading.n_numbers / 2;
	if (status == STATUS_OK)
		status = check(out, reading.n_numbers, err);
	if (status != STATUS_OK)
		fetch_state_free(out);
	free(text);
	buf_free(&file);
	return status;
}

/* ---- writing ---- */

enum status fetch_state_note(struct fetch_state *state, const struct spans *spans, struct error *err)
{
	size_t cap = 0;

	free(state->ranges);
	state->ranges = NULL;
	state->n = 0;
	for (const struct span *span = spans->first; span; span = span->next) {
		bool goes_on = state->n > 0 && state->ranges[2 * state->n - 1] == span->from;

		if (span->at == span->from)
			continue;
		if (goes_on) {
			state->ranges[2 * state->n - 1] = span->at;
			continue;
		}
		if (state->n == LIMIT_PULL_RANGES)
			break; /* the rest is fetched again */
		if (!alloc_grow(&state->ranges, &cap, 2 * state->n + 2, sizeof *state->ranges, 2 * (size_t)LIMIT_PULL_RANGES))
			return error_no_memory(err, "for a download");
		state->ranges[2 * state->n] = span->from;
		state->ranges[2 * state->n++ + 1] = span->at;
	}
	return STATUS_OK;
}

static void write_json(const struct fetch_state *state, struct buf *out)
{
	struct json_writer json = {.out = out};

	json_put_begin(&json, NULL, '{');
	json_put_number(&json, "size", "%" PRIu64, state->size);
	json_put_string(&json, "digest", state->digest);
	json_put_string(&json, "etag", state->etag);
	json_put_begin(&json, "ranges", '[');
	for (size_t i = 0; i < state->n; i++) {
		json_put_begin(&json, NULL, '[');
		json_put_number(&json, NULL, "%" PRIu64, state->ranges[2 * i]);
		json_put_number(&json, NULL, "%" PRIu64, state->ranges[2 * i + 1]);
		json_put_end(&json, ']');
	}
	json_put_end(&json, ']');
	json_put_end(&json, '}');
}

/* A name that no other process writes at: who saves has the part file locked. */
static int write_beside(const struct io_ops *io, const char *path, const char *temporary, const struct buf *text)
{
	size_t done;
	int fd, closed, error = io_open(io, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0666, &fd);

	if (error)
		return error;
	error = io_write_all(io, fd, text->data, text->len, &done);
	if (!error)
		error = io_fdatasync(io, fd);
	closed = io_close(io, fd);
	if (!error)
		error = closed;
	if (!error && io->rename(temporary, path) != 0)
		error = errno;
	if (error)
		io->unlink(temporary);
	return error;
}

enum status fetch_state_save(const struct fetch_state *state, const char *path, int fd, const struct io_ops *io,
                             struct error *err)
{
	struct buf text = {.max = LIMIT_PULL_STATE}, file, temporary = {0};
	enum status status = name(&file, path, FETCH_STATE, err);
	int error = io_fdatasync(io, fd);

	if (status == STATUS_OK)
		status = name(&temporary, path, FETCH_STATE FETCH_NEW, err);
	write_json(state, &text);
	if (status == STATUS_OK && buf_status(&text) != STATUS_OK)
		status = error_no_memory(err, "for a download");
	if (status == STATUS_OK && !error)
		error = write_beside(io, buf_text(&file), buf_text(&temporary), &text);
	if (status == STATUS_OK && error)
		status = fetch_write_error(err, error, buf_text(&file));
	buf_free(&text);
	buf_free(&file);
	buf_free(&temporary);
	return status;
}

static void unlink_beside(const char *path, const char *end, const struct io_ops *io)
{
	struct buf file;

	if (name(&file, path, end, NULL) == STATUS_OK)
		io->unlink(buf_text(&file));
	buf_free(&file);
}

void fetch_state_remove(const char *path, const struct io_ops *io)
{
	unlink_beside(path, FETCH_STATE, io);
	unlink_beside(path, FETCH_STATE FETCH_NEW, io); /* of a process that was killed while it wrote it */
}

enum status fetch_state_forget(const char *path, const struct io_ops *io, struct error *err)
{
	struct buf file;
	enum status status = name(&file, path, FETCH_STATE, err);
	int error = 0;

	if (status != STATUS_OK)
		return status;
	unlink_beside(path, FETCH_STATE FETCH_NEW, io);
	if (io->unlink(buf_text(&file)) == 0)
		error = io_sync_folder(io, path);
	else if (errno != ENOENT)
		error = errno;
	if (error)
		status = fetch_write_error(err, error, buf_text(&file));
	buf_free(&file);
	return status;
}
