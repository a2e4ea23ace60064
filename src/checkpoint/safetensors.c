#include "checkpoint/safetensors.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/limits.h"
#include "base/name_list.h"
#include "base/text_ends.h"
#include "checkpoint/refused.h"
#include "checkpoint/safetensors_header.h"
#include "checkpoint/shard_index.h"

enum { FOLDER_NAMES_MAX = 100000, FOLDER_PATH_MAX = 4096 };

struct shard {
	int fd; /* -1: not open */
	uint64_t size;
};

struct checkpoint {
	char *folder;
	struct name_list names; /* of all files in the folder */
	struct name_list files; /* the shards */
	struct shard *shards;   /* [files.n] */
	struct safetensor_list tensors; /* by name */
};

/* "" without memory for it, which no file has. */
static const char *path_of(const struct checkpoint *c, const char *name, char path[FOLDER_PATH_MAX])
{
	int n = snprintf(path, FOLDER_PATH_MAX, "%s/%s", c->folder, name);

	return n < 0 || n >= FOLDER_PATH_MAX ? "" : path;
}

/* Never blocks, whatever the name is of (a FIFO). */
static enum status open_file(const struct checkpoint *c, const char *name, int *fd, uint64_t *size, struct error *err)
{
	char path[FOLDER_PATH_MAX];
	struct stat st;
	int errnum = io_open(&io_system, path_of(c, name, path), O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0, fd);

	if (errnum)
		return error_errno(err, errnum, "%s/%s: cannot open", c->folder, name);
	if (fstat(*fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(*fd);
		*fd = -1;
		return error_set(err, STATUS_FORMAT, "%s/%s: not a regular file", c->folder, name);
	}
	*size = (uint64_t)st.st_size;
	return STATUS_OK;
}

/* All n bytes at an offset, or an error that names the file. */
static enum status read_at(const struct checkpoint *c, const char *name, int fd, uint64_t offset, void *bytes, size_t n,
                           struct error *err)
{
	for (size_t at = 0; at < n;) {
		ssize_t got = pread(fd, (char *)bytes + at, n - at, (off_t)(offset + at));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_errno(err, errno, "%s/%s: cannot read", c->folder, name);
		if (got == 0)
			return error_set(err, STATUS_FORMAT, "%s/%s: the file was cut short while it was read", c->folder, name);
		at += (size_t)got;
	}
	return STATUS_OK;
}

enum status checkpoint_file(const struct checkpoint *c, const char *name, size_t limit, char **text, size_t *len,
                            struct error *err)
{
	uint64_t size;
	int fd;
	enum status status = open_file(c, name, &fd, &size, err);

	if (status)
		return status;
	*text = NULL;
	if (size > limit)
		status = error_set(err, STATUS_LIMIT, "%s/%s: %" PRIu64 " bytes, expected %zu at the most", c->folder, name, size,
		                   limit);
	else if (!(*text = malloc((size_t)size + 1)))
		status = error_no_memory(err, "for %s", name);
	else if (!(status = read_at(c, name, fd, 0, *text, (size_t)size, err)))
		(*text)[size] = '\0';
	close(fd);
	if (status) {
		free(*text);
		*text = NULL;
	}
	*len = (size_t)size;
	return status;
}

static enum status read_shard(struct checkpoint *c, uint32_t i, struct error *err)
{
	struct shard *shard = &c->shards[i];
	const char *name = c->files.items[i];
	unsigned char head[SAFETENSORS_LENGTH] = {0};
	char *json = NULL;
	size_t len = 0;
	enum status status = open_file(c, name, &shard->fd, &shard->size, err);

	if (status)
		return status;
	if (shard->size >= sizeof head)
		status = read_at(c, name, shard->fd, 0, head, sizeof head, err);
	if (status)
		return status;
	status = safetensors_header_len(head, shard->size, &len, err);
	if (!status && !(json = malloc(len)))
		status = error_no_memory(err, "for the header");
	else if (!status && !(status = read_at(c, name, shard->fd, SAFETENSORS_LENGTH, json, len, NULL)))
		status = safetensors_header_parse(&c->tensors, json, len, shard->size, i, err);
	else if (!status)
		error_set(err, status, "cannot read the header");
	free(json);
	if (status)
		error_prefix(err, "%s/%s", c->folder, name);
	return status;
}

static enum status check_doubles(const struct checkpoint *c, struct error *err)
{
	for (size_t i = 1; i < c->tensors.n; i++) {
		const struct safetensor *a = &c->tensors.items[i - 1], *b = &c->tensors.items[i];

		if (strcmp(a->name, b->name) == 0)
			return error_set(err, STATUS_FORMAT, "%s: tensor '%s' is there twice, in %s and in %s", c->folder, a->name,
			                 c->files.items[a->file], c->files.items[b->file]);
	}
	return STATUS_OK;
}

static enum status read_shards(struct checkpoint *c, struct error *err)
{
	enum status status = STATUS_OK;

	c->shards = alloc_array(c->files.n, sizeof *c->shards);
	if (!c->shards)
		return error_no_memory(err, "for the files");
	for (size_t i = 0; i < c->files.n; i++)
		c->shards[i].fd = -1;
	for (uint32_t i = 0; i < c->files.n && !status; i++)
		status = read_shard(c, i, err);
	if (status)
		return status;
	safetensor_list_sort(&c->tensors);
	return check_doubles(c, err);
}

/* The names of the folder's files, sorted. */
static enum status list_folder(struct checkpoint *c, struct error *err)
{
	DIR *dir = opendir(c->folder);
	struct dirent *entry;
	bool ok = true;

	if (!dir)
		return error_errno(err, errno, "%s: cannot open", c->folder);
	while (ok && c->names.n < FOLDER_NAMES_MAX && (entry = readdir(dir)))
		ok = name_list_add(&c->names, entry->d_name, strlen(entry->d_name));
	closedir(dir);
	name_list_sort(&c->names);
	return ok ? STATUS_OK : error_no_memory(err, "for the names in %s", c->folder);
}

static bool has_file(const struct checkpoint *c, const char *name)
{
	for (size_t i = 0; i < c->names.n; i++)
		if (strcmp(c->names.items[i], name) == 0)
			return true;
	return false;
}

/* model*.safetensors; where there are none, the only one that there is. */
static enum status choose_files(struct checkpoint *c, struct error *err)
{
	const char *only = NULL;
	size_t n_others = 0;

	for (size_t i = 0; i < c->names.n; i++) {
		const char *name = c->names.items[i];

		if (!text_has_extension(name, ".safetensors") || name[0] == '.' || strncmp(name, "consolidated", 12) == 0)
			continue;
		if (strncmp(name, "model", 5) != 0) {
			only = name;
			n_others++;
		} else if (c->files.n == LIMIT_CHECKPOINT_FILES) {
			return error_set(err, STATUS_LIMIT, "%s: more than %d safetensors files", c->folder, LIMIT_CHECKPOINT_FILES);
		} else if (!name_list_add(&c->files, name, strlen(name))) {
			return error_no_memory(err, NULL);
		}
	}
	if (c->files.n == 0 && n_others == 1 && !name_list_add(&c->files, only, strlen(only)))
		return error_no_memory(err, NULL);
	return c->files.n ? STATUS_OK
	                  : error_set(err, STATUS_UNSUPPORTED, "%s: no model*.safetensors in the folder, which is what is"
	                              " converted", c->folder);
}

/* By the index, where there is one, which must be right in every name. */
static enum status read_indexed(struct checkpoint *c, struct error *err)
{
	struct shard_index index = {0};
	char *json;
	size_t len;
	enum status status = checkpoint_file(c, SHARD_INDEX, LIMIT_CHECKPOINT_INDEX, &json, &len, err);

	if (status)
		return status;
	status = shard_index_parse(&index, json, len, err);
	free(json);
	for (size_t i = 0; i < index.files.n && !status; i++)
		if (!name_list_add(&c->files, index.files.items[i], strlen(index.files.items[i])))
			status = error_no_memory(err, NULL);
	if (status)
		error_prefix(err, "%s/" SHARD_INDEX, c->folder);
	if (!status)
		status = read_shards(c, err);
	if (!status && (status = shard_index_check(&index, &c->tensors, err)))
		error_prefix(err, "%s", c->folder);
	shard_index_free(&index);
	return status;
}

static enum status open_folder(struct checkpoint *c, struct error *err)
{
	enum status status = list_folder(c, err);
	const char *refused;

	if (status)
		return status;
	refused = refused_files((const char *const *)c->names.items, c->names.n);
	if (refused)
		return error_set(err, STATUS_UNSUPPORTED, "%s: %s", c->folder, refused);
	if (has_file(c, SHARD_INDEX))
		return read_indexed(c, err);
	status = choose_files(c, err);
	return status ? status : read_shards(c, err);
}

/* The folder itself, or the one of a file in it. NULL without memory. */
static char *folder_of(const char *path)
{
	struct stat st;
	const char *slash = strrchr(path, '/');

	if (!text_has_extension(path, ".safetensors") || (stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
		return alloc_strndup(path, strlen(path));
	return slash ? alloc_strndup(path, slash == path ? 1 : (size_t)(slash - path)) : alloc_strndup(".", 1);
}

enum status checkpoint_open(struct checkpoint **out, const char *path, struct error *err)
{
	struct checkpoint *c = alloc_array(1, sizeof *c);
	enum status status;
	struct stat st;

	if (!c || !(c->folder = folder_of(path))) {
		free(c);
		return error_no_memory(err, NULL);
	}
	if (stat(path, &st) != 0)
		status = error_errno(err, errno, "%s: cannot open", path);
	else if (stat(c->folder, &st) == 0 && !S_ISDIR(st.st_mode))
		status = error_set(err, STATUS_UNSUPPORTED, "%s: expected the folder of a model in safetensors", path);
	else
		status = open_folder(c, err);
	if (status) {
		checkpoint_close(c);
		return status;
	}
	*out = c;
	return STATUS_OK;
}

void checkpoint_close(struct checkpoint *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->files.n && c->shards; i++)
		if (c->shards[i].fd >= 0)
			close(c->shards[i].fd);
	free(c->shards);
	safetensor_list_free(&c->tensors);
	name_list_free(&c->names);
	name_list_free(&c->files);
	free(c->folder);
	free(c);
}

const char *checkpoint_folder(const struct checkpoint *c)
{
	return c->folder;
}

size_t checkpoint_n_tensors(const struct checkpoint *c)
{
	return c->tensors.n;
}

const struct safetensor *checkpoint_tensor_at(const struct checkpoint *c, size_t i)
{
	return &c->tensors.items[i];
}

const struct safetensor *checkpoint_find(const struct checkpoint *c, const char *name)
{
	size_t low = 0, high = c->tensors.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(name, c->tensors.items[middle].name);

		if (order == 0)
			return &c->tensors.items[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

enum status checkpoint_read(const struct checkpoint *c, const struct safetensor *tensor, uint64_t offset, void *bytes,
                            size_t n, struct error *err)
{
	if (offset > tensor->n_bytes || n > tensor->n_bytes - offset)
		return error_set(err, STATUS_FORMAT, "tensor '%s': bytes are asked for that it does not have", tensor->name);
	return read_at(c, c->files.items[tensor->file], c->shards[tensor->file].fd, tensor->offset + offset, bytes, n, err);
}
