#include "gguf/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/bisect.h"
#include "gguf/foreign.h"
#include "gguf/guard.h"
#include "gguf/internal.h"

/* Opens without waiting (a FIFO would). Errors without the path. */
static enum status open_file(struct gguf *gguf, const char *path, struct error *err)
{
	gguf->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (gguf->fd < 0)
		return error_errno(err, errno, "cannot open");
	if (fstat(gguf->fd, &gguf->opened) != 0)
		return error_errno(err, errno, "cannot look at it");
	if (S_ISDIR(gguf->opened.st_mode))
		return error_set(err, STATUS_FORMAT, "is a folder, expected a GGUF file (`sotto convert` makes one of a folder of"
		                 " safetensors)");
	if (!S_ISREG(gguf->opened.st_mode))
		return error_set(err, STATUS_FORMAT, "is not a regular file, expected a GGUF file");
	if (gguf->opened.st_size == 0)
		return error_set(err, STATUS_FORMAT, "the file is empty");
	if ((uintmax_t)gguf->opened.st_size > SIZE_MAX / 2)
		return error_set(err, STATUS_LIMIT, "the file is too large for this machine");
	gguf->size = (size_t)gguf->opened.st_size;
	/* Until it is closed: who takes models away leaves it alone. Not every file system can. */
	(void)flock(gguf->fd, LOCK_SH | LOCK_NB);
	return STATUS_OK;
}

static enum status map_file(struct gguf *gguf, const char *path, struct error *err)
{
	enum status status = open_file(gguf, path, err);
	void *mapped;

	if (status)
		return status;
	mapped = mmap(NULL, gguf->size, PROT_READ, MAP_PRIVATE, gguf->fd, 0);
	if (mapped == MAP_FAILED)
		return error_errno(err, errno, "cannot map %zu bytes", gguf->size);
	if ((status = guard_add(mapped, gguf->size, &gguf->guard, err))) {
		munmap(mapped, gguf->size);
		return status;
	}
	gguf->data = mapped;
	return STATUS_OK;
}

enum status gguf_check(const char *path, struct error *err)
{
	struct gguf gguf = {.fd = -1, .guard = -1};
	enum status status = open_file(&gguf, path, err);
	unsigned char head[FOREIGN_HEAD];
	ssize_t n = status ? 0 : pread(gguf.fd, head, sizeof head, 0);

	if (!status && (n < 4 || memcmp(head, "GGUF", 4) != 0)) {
		const char *what = n > 0 ? foreign_file(head, (size_t)n) : NULL;

		status = error_set(err, STATUS_FORMAT, "not a GGUF file%s%s", what ? ": " : "", what ? what : "");
	}
	if (gguf.fd >= 0)
		close(gguf.fd);
	if (status)
		error_prefix(err, "%s", path);
	return status;
}

/* One without a file yet; NULL without memory. */
static struct gguf *create(void)
{
	struct gguf *gguf = alloc_array(1, sizeof *gguf);

	if (gguf) {
		gguf->fd = gguf->guard = -1;
		gguf->n_parts = 1;
	}
	return gguf;
}

enum status gguf_open_part(struct gguf **out, const char *path, struct error *err)
{
	struct gguf *gguf = create();
	enum status status;

	*out = NULL;
	if (!gguf)
		return error_no_memory(err, NULL);
	gguf->path = alloc_strndup(path, strlen(path));
	status = gguf->path ? map_file(gguf, path, err) : error_no_memory(err, NULL);
	if (!status)
		status = gguf_parse(gguf, err);
	if (!status && guard_was_hit(gguf->guard))
		status = error_set(err, STATUS_FORMAT, "the file was cut short while it was read");
	if (status) {
		gguf_close(gguf);
		return status;
	}
	*out = gguf;
	return STATUS_OK;
}

enum status gguf_open(struct gguf **out, const char *path, struct error *err)
{
	enum status status = gguf_open_part(out, path, err);

	if (!status && (status = gguf_join(out, err))) {
		gguf_close(*out);
		*out = NULL;
	}
	if (status)
		error_prefix(err, "%s", path);
	return status;
}

enum status gguf_open_header(struct gguf **out, const void *header, size_t n, uint64_t size, struct error *err)
{
	struct gguf *gguf = create();
	enum status status;

	*out = NULL;
	if (!gguf)
		return error_no_memory(err, NULL);
	gguf->data = header;
	gguf->size = (size_t)size;
	gguf->n_head = n;
	if ((status = gguf_parse(gguf, err))) {
		gguf_close(gguf);
		return status;
	}
	*out = gguf;
	return STATUS_OK;
}

enum status gguf_open_memory(struct gguf **out, const void *data, size_t size, struct error *err)
{
	return gguf_open_header(out, data, size, size, err);
}

void gguf_close(struct gguf *gguf)
{
	if (!gguf)
		return;
	for (uint32_t i = 1; i < gguf->n_parts; i++)
		gguf_close(gguf->parts[i]);
	free(gguf->parts);
	for (size_t i = 0; i < gguf->n_kvs; i++)
		free(gguf->kvs[i].starts);
	free(gguf->kvs);
	free(gguf->kvs_by_key);
	gguf_free_overrides(gguf);
	free(gguf->tensors);
	free(gguf->tensors_by_name);
	if (gguf->guard >= 0) { /* then it is our mapping */
		guard_remove(gguf->guard);
		munmap((void *)(uintptr_t)gguf->data, gguf->size);
	}
	if (gguf->fd >= 0)
		close(gguf->fd);
	free(gguf->path);
	free(gguf);
}

void gguf_release(const struct gguf *gguf, const void *data, size_t n_bytes)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	/* whole pages: what shares one with a neighbour stays */
	uintptr_t begin = ((uintptr_t)data + page - 1) / page * page;
	uintptr_t end = ((uintptr_t)data + n_bytes) / page * page;

	if (gguf->guard >= 0 && begin < end)
		madvise((void *)begin, end - begin, MADV_DONTNEED);
}

void gguf_fetch(const struct gguf *gguf, const void *data, size_t n_bytes)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = (uintptr_t)data / page * page, end = (uintptr_t)data + n_bytes;

	if (gguf->guard < 0 || n_bytes == 0)
		return; /* the first part's guard stands for all parts */
#ifdef MADV_POPULATE_READ
	if (madvise((void *)begin, end - begin, MADV_POPULATE_READ) == 0)
		return;
#endif
	madvise((void *)begin, end - begin, MADV_WILLNEED);
	for (uintptr_t at = begin; at < end; at += page)
		(void)*(const volatile char *)at;
}

void gguf_expect(const struct gguf *gguf, const void *data, size_t n_bytes)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)data / page * page;

	if (gguf->guard >= 0 && n_bytes > 0)
		madvise((void *)begin, (uintptr_t)data + n_bytes - begin, MADV_WILLNEED);
}

const char *gguf_path(const struct gguf *gguf)
{
	return gguf->path ? gguf->path : "";
}

uint32_t gguf_version(const struct gguf *gguf)
{
	return gguf->version;
}

static const struct gguf *part_at(const struct gguf *gguf, uint32_t index)
{
	return gguf->parts ? gguf->parts[index] : gguf;
}

uint32_t gguf_n_parts(const struct gguf *gguf)
{
	return gguf->n_parts;
}

const char *gguf_part_path(const struct gguf *gguf, uint32_t index)
{
	return gguf_path(part_at(gguf, index));
}

uint64_t gguf_file_size(const struct gguf *gguf)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < gguf->n_parts; i++)
		total += part_at(gguf, i)->size;
	return total;
}

/* The open file may have been written to, and the path may now be another file. If the path
 * no longer exists, the open file is still good. */
static enum status check_unchanged(const struct gguf *gguf, struct error *err)
{
	const struct stat *then = &gguf->opened;
	struct stat now, there;

	if (gguf->fd < 0)
		return STATUS_OK;
	if (fstat(gguf->fd, &now) != 0)
		return error_errno(err, errno, "%s: cannot look at it", gguf->path);
	if (guard_was_hit(gguf->guard) || now.st_size != then->st_size)
		return error_set(err, STATUS_FORMAT,
		                 "%s: the model file has changed: %lld bytes, %lld when it was loaded",
		                 gguf->path, (long long)now.st_size, (long long)then->st_size);
	if (now.st_mtim.tv_sec != then->st_mtim.tv_sec || now.st_mtim.tv_nsec != then->st_mtim.tv_nsec)
		return error_set(err, STATUS_FORMAT,
		                 "%s: the model file was written to after it was loaded", gguf->path);
	if (stat(gguf->path, &there) == 0 &&
	    (there.st_ino != then->st_ino || there.st_dev != then->st_dev))
		return error_set(err, STATUS_FORMAT,
		                 "%s: the model file was replaced by another after it was loaded",
		                 gguf->path);
	return STATUS_OK;
}

enum status gguf_check_unchanged(const struct gguf *gguf, struct error *err)
{
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < gguf->n_parts && !status; i++)
		status = check_unchanged(part_at(gguf, i), err);
	return status;
}

const char *gguf_truncated_path(const struct gguf *gguf)
{
	for (uint32_t i = 0; i < gguf->n_parts; i++) {
		const struct gguf *part = part_at(gguf, i);

		if (part->guard >= 0 && guard_was_hit(part->guard))
			return part->path;
	}
	return NULL;
}

bool gguf_was_truncated(const struct gguf *gguf)
{
	return gguf_truncated_path(gguf) != NULL;
}

size_t gguf_n_tensors(const struct gguf *gguf)
{
	return gguf->n_tensors;
}

const struct gguf_tensor *gguf_tensor_at(const struct gguf *gguf, size_t index)
{
	return index < gguf->n_tensors ? &gguf->tensors[index] : NULL;
}

uint64_t gguf_tensor_n_elements(const struct gguf_tensor *tensor)
{
	return tensor->ne[0] * tensor->ne[1] * tensor->ne[2] * tensor->ne[3];
}

const struct gguf_tensor *gguf_find_tensor(const struct gguf *gguf, const char *name)
{
	struct gguf_string wanted = {name, strlen(name)};
	size_t at = 0;

	BISECT(at, gguf->n_tensors, i, gguf_string_compare(gguf->tensors_by_name[i]->name, wanted) < 0);
	return at < gguf->n_tensors && gguf_string_compare(gguf->tensors_by_name[at]->name, wanted) == 0
	               ? gguf->tensors_by_name[at] : NULL;
}
