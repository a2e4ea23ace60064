#include "kept/kept_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/limits.h"
#include "kept/kept_record.h"

static const char mark[] = "sotto kept 1\n";
enum { MARK_LEN = sizeof mark - 1 };

/* Nothing is in the file any more, or in a new one yet. */
static void forget_file(struct kept *kept)
{
	kept->file_len = 0;
	kept->n_saved_models = 0;
	for (size_t i = 0; i < kept->n_replies; i++)
		kept->replies[i]->n_saved = 0;
	for (size_t i = 0; i < kept->n_models; i++) {
		kept->models[i]->is_saved = false;
		kept_texts_forget_saved(&kept->models[i]->texts);
	}
}

/* ---- reading ---- */

static uint32_t u32_at(const uint8_t *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Takes records up to the first that is none. Returns where they end; 0: not all are whole, and the next that is
 * written begins the file anew. */
static size_t take_records(struct kept *kept, const uint8_t *bytes, size_t len)
{
	size_t at = MARK_LEN;

	if (len < MARK_LEN || memcmp(bytes, mark, MARK_LEN) != 0)
		return 0;
	while (len - at > KEPT_FRAME) {
		const uint8_t *record = bytes + at + KEPT_FRAME;
		size_t n = u32_at(bytes + at);

		if (n == 0 || n > len - at - KEPT_FRAME || crc32c(record, n) != u32_at(bytes + at + 4) ||
		    !kept_record_take(kept, record, n))
			break;
		at += KEPT_FRAME + n;
	}
	return at == len ? at : 0;
}

static bool go_on_with(struct kept *kept, const char *path)
{
	if (kept->path && strcmp(kept->path, path) == 0)
		return true;
	free(kept->path);
	kept->path = alloc_strndup(path, strlen(path));
	return kept->path != NULL;
}

void kept_file_read(struct kept *kept, const char *path, const struct io_ops *io)
{
	struct buf bytes = {.max = LIMIT_KEPT};
	struct stat st;
	int fd;

	if (io_open(io, path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0, &fd))
		return;
	if (io->fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && io_read_all(io, fd, &bytes) == 0 && go_on_with(kept, path))
		kept->file_len = take_records(kept, (const uint8_t *)buf_text(&bytes), bytes.len);
	if (!kept->file_len)
		forget_file(kept);
	io_close(io, fd);
	buf_free(&bytes);
}

/* ---- writing ---- */

/* The next records of a reply, to the file's end. False: they are not there, and may be tried again. */
static bool write_part(struct kept *kept, struct kept_reply *reply, int fd, const struct io_ops *io)
{
	struct buf bytes = {.max = LIMIT_KEPT};
	size_t n = 0, begun = kept->file_len ? 0 : MARK_LEN;
	bool is_written, had_model = reply->model->is_saved;

	if (begun)
		buf_append(&bytes, mark, MARK_LEN);
	is_written = !kept_record_put(kept, reply, KEPT_RECORD_TOKENS, begun, &bytes, &n) &&
	             bytes.len <= LIMIT_KEPT - kept->file_len &&
	             io_pwrite_all(io, fd, bytes.data, bytes.len, (off_t)kept->file_len) == 0;
	if (is_written) {
		kept->file_len += bytes.len;
		reply->n_saved += n;
	} else {
		kept->n_saved_models -= !had_model;
		reply->model->is_saved = had_model;
		kept_texts_forget_saved(&reply->model->texts); /* which of them are is not known: twice does no harm */
	}
	buf_free(&bytes);
	return is_written;
}

static bool has_news(const struct kept *kept)
{
	for (size_t i = 0; i < kept->n_replies; i++)
		if (kept->replies[i]->n_saved < kept->replies[i]->n)
			return true;
	return false;
}

static bool write_news(struct kept *kept, int fd, const struct io_ops *io)
{
	for (size_t i = 0; i < kept->n_replies; i++)
		while (kept->replies[i]->n_saved < kept->replies[i]->n)
			if (!write_part(kept, kept->replies[i], fd, io))
				return false;
	return true;
}

void kept_file_write(struct kept *kept, const char *path, const struct io_ops *io)
{
	struct stat st;
	int fd;

	if (!kept->path || strcmp(kept->path, path) != 0)
		forget_file(kept);
	if (!has_news(kept) || !go_on_with(kept, path))
		return;
	if (io_open(io, path, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0600, &fd))
		return;
	if (io->fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		if ((size_t)st.st_size < kept->file_len) /* it was deleted, or cut by others */
			forget_file(kept);
		if (io_ftruncate(io, fd, (off_t)kept->file_len) == 0 && !write_news(kept, fd, io))
			(void)!io_ftruncate(io, fd, (off_t)kept->file_len); /* what is whole stays */
	}
	io_close(io, fd);
}
