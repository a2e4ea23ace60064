/* Taking away what was planned, and what stopped fetches have left. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "catalog/ollama_manifest.h"
#include "pull/fetch_state.h"
#include "pull/hub_cache.h"
#include "pull/ollama_store.h"
#include "pull/plain_url.h"
#include "pull/stored_model.h"

/* Takes the last part off; false: there is none. */
static bool cut_part(struct buf *path)
{
	char *slash = path->len ? strrchr(path->data, '/') : NULL;

	if (!slash || slash == path->data)
		return false;
	path->len = (size_t)(slash - path->data);
	*slash = '\0';
	return true;
}

static const char *last_part(const struct buf *path)
{
	const char *slash = strrchr(buf_text(path), '/');

	return slash ? slash + 1 : buf_text(path);
}

/* A repository of which nothing is left. */
static void remove_repository(struct buf *root, const struct io_ops *io)
{
	static const char *const below[] = {"refs", "blobs"};
	struct buf path = {.max = PATH_MAX}, file = {.max = PATH_MAX};

	for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
		struct name_list names = {0};

		buf_clear(&path);
		buf_printf(&path, "%s/%s", buf_text(root), below[i]);
		if (i == 0 && !stored_list_folder(&names, buf_text(&path), NULL))
			for (size_t j = 0; j < names.n; j++) {
				buf_clear(&file);
				if (!buf_printf(&file, "%s/%s", buf_text(&path), names.items[j]))
					(void)io->unlink(buf_text(&file));
			}
		name_list_free(&names);
		(void)io->rmdir(buf_text(&path)); /* unless it has something of others */
	}
	(void)io->rmdir(buf_text(root));
	buf_free(&path);
	buf_free(&file);
}

/* Folders that a name has left empty, up to the one that all names are in. */
static void prune(const char *path, const struct io_ops *io)
{
	bool is_hub = strstr(path, "/snapshots/") && strstr(path, "/models--"), is_ollama = strstr(path, "/manifests/");
	struct buf at = {.max = PATH_MAX};

	if ((!is_hub && !is_ollama) || buf_puts(&at, path)) {
		buf_free(&at);
		return;
	}
	while (cut_part(&at)) {
		bool is_last = strcmp(last_part(&at), is_hub ? "snapshots" : "manifests") == 0;

		if ((is_last && !is_hub) || io->rmdir(buf_text(&at)) != 0)
			break;
		if (is_last) {
			if (cut_part(&at) && strncmp(last_part(&at), "models--", 8) == 0)
				remove_repository(&at, io);
			break;
		}
	}
	buf_free(&at);
}

/* Whether no more names are in this folder. They are in front of the files that they lead to, of which one that comes back
 * after a power cut only takes room. */
static bool ends_folder(const struct stored_removal *removal, size_t i)
{
	const char *path = removal->paths[i], *next = i + 1 < removal->n ? removal->paths[i + 1] : NULL;
	size_t len = (size_t)(strrchr(path, '/') - path) + 1;

	return next ? strncmp(path, next, len) != 0 || strchr(next + len, '/') : !strstr(path, "/blobs/");
}

enum status stored_remove(const struct stored_removal *removal, const struct io_ops *io, struct error *err)
{
	enum status status = STATUS_OK;
	int error;

	for (size_t i = 0; i < removal->n && !status; i++)
		status = stored_check_idle(removal->paths[i], err);
	for (size_t i = 0; i < removal->n && !status; i++) {
		const char *path = removal->paths[i];

		if (io->unlink(path) != 0 && errno != ENOENT)
			status = error_errno(err, errno, "%.400s: cannot be taken away", path);
		else if (ends_folder(removal, i) && (error = io_sync_folder(io, path)) != 0) /* no name outlives its file */
			status = error_errno(err, error, "%.400s: its folder cannot be written", path);
	}
	for (size_t i = 0; i < removal->n && !status; i++)
		prune(removal->paths[i], io);
	return status;
}

/* ---- parts ---- */

static const char part_end[] = FETCH_PART;

struct parts {
	struct stored_part *items;
	size_t n, cap;
};

void stored_parts_free(struct stored_part *parts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(parts[i].path);
	free(parts);
}

static enum status add_part(struct parts *parts, const char *path, struct error *err)
{
	struct stored_part *part;
	struct stat st;

	if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid())
		return STATUS_OK;
	for (size_t i = 0; i < parts->n; i++)
		if (strcmp(parts->items[i].path, path) == 0)
			return STATUS_OK; /* the folder goes by two variables */
	if (!alloc_grow(&parts->items, &parts->cap, parts->n + 1, sizeof *parts->items, LIMIT_PULL_FILES))
		return error_no_memory(err, NULL);
	part = &parts->items[parts->n];
	*part = (struct stored_part){.path = alloc_strndup(path, strlen(path)), .n_bytes = (uint64_t)st.st_blocks * 512,
	                             .age = sys_wall_time() - (int64_t)st.st_mtime};
	if (!part->path)
		return error_no_memory(err, NULL);
	parts->n++;
	return STATUS_OK;
}

/* Of one folder; what cannot be read has none that could be taken away. */
static enum status add_folder(struct parts *parts, const char *folder, struct error *err)
{
	struct buf path = {.max = PATH_MAX};
	struct name_list names = {0};
	enum status status = stored_list_folder(&names, folder, err);

	if (status && status != STATUS_NOMEM)
		status = STATUS_OK;
	for (size_t i = 0; i < names.n && !status; i++) {
		size_t len = strlen(names.items[i]), end = strlen(part_end);

		buf_clear(&path);
		if (len > end && strcmp(names.items[i] + len - end, part_end) == 0 &&
		    !buf_printf(&path, "%s/%s", folder, names.items[i]))
			status = add_part(parts, buf_text(&path), err);
	}
	name_list_free(&names);
	buf_free(&path);
	return status;
}

static enum status add_cache(struct parts *parts, const char *cache, struct error *err)
{
	struct buf path = {.max = PATH_MAX};
	struct name_list names = {0};
	enum status status = stored_list_folder(&names, cache, err);

	if (status && status != STATUS_NOMEM)
		status = STATUS_OK;
	for (size_t i = 0; i < names.n && !status; i++) {
		buf_clear(&path);
		if (strncmp(names.items[i], "models--", 8) == 0 && !buf_printf(&path, "%s/%s/blobs", cache, names.items[i]))
			status = add_folder(parts, buf_text(&path), err);
	}
	name_list_free(&names);
	buf_free(&path);
	return status;
}

static enum status add_ollama(struct parts *parts, const char *root, struct error *err)
{
	static const char *const below[] = {OLLAMA_FETCHED, "blobs"};
	struct buf path = {.max = PATH_MAX};
	enum status status = STATUS_OK;

	for (size_t i = 0; i < sizeof below / sizeof below[0] && !status; i++) {
		buf_clear(&path);
		if (!buf_printf(&path, "%s/%s", root, below[i]))
			status = add_folder(parts, buf_text(&path), err);
	}
	buf_free(&path);
	return status;
}

enum status stored_parts(struct stored_part **out, size_t *n, struct error *err)
{
	struct parts parts = {0};
	struct buf folder = {.max = PATH_MAX};
	enum status status = STATUS_OK;

	for (size_t i = 0; !status && hub_cache_any(&folder, i); i++)
		if (folder.len)
			status = add_cache(&parts, buf_text(&folder), err);
	for (size_t i = 0; !status && ollama_root(&folder, i); i++)
		if (folder.len)
			status = add_ollama(&parts, buf_text(&folder), err);
	buf_clear(&folder);
	if (!status && !plain_url_folder(&folder, NULL))
		status = add_folder(&parts, buf_text(&folder), err);
	buf_free(&folder);
	if (status)
		stored_parts_free(parts.items, parts.n);
	*out = status ? NULL : parts.items;
	*n = status ? 0 : parts.n;
	return status;
}

enum status stored_remove_part(const struct stored_part *part, const struct io_ops *io, struct error *err)
{
	struct buf whole = {.max = PATH_MAX}; /* the name that the file was to have */
	enum status status = stored_check_idle(part->path, err);

	if (status)
		return error_set(err, STATUS_BUSY, "%.400s: it is being fetched", part->path);
	buf_append(&whole, part->path, strlen(part->path) - strlen(part_end));
	if (io->unlink(part->path) != 0 && errno != ENOENT)
		status = error_errno(err, errno, "%.400s: cannot be taken away", part->path);
	else if (!buf_status(&whole))
		fetch_state_remove(buf_text(&whole), io); /* without the part it says nothing */
	buf_free(&whole);
	return status;
}
