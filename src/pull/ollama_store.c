#include "pull/ollama_store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "catalog/beside.h"
#include "catalog/ollama_manifest.h"

/* ---- which folder ---- */

/* A folder of this user's that can be written to; of those below it, which may be missing, the same. */
static bool is_mine(const char *path, bool may_be_missing)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return may_be_missing;
	return S_ISDIR(st.st_mode) && st.st_uid == geteuid() && access(path, R_OK | W_OK | X_OK) == 0;
}

static bool is_usable(const char *root)
{
	static const char *const below[] = {"blobs", "manifests"};
	struct buf path = {.max = PATH_MAX};
	bool is = is_mine(root, false);

	for (size_t i = 0; is && i < sizeof below / sizeof below[0]; i++) {
		buf_clear(&path);
		is = !buf_printf(&path, "%s/%s", root, below[i]) && is_mine(buf_text(&path), true);
	}
	buf_free(&path);
	return is;
}

/* Replaces the text by the folder to write to. `is_own`: it is sotto's. */
static enum status put_root(struct buf *out, bool *is_own, struct error *err)
{
	const char *chosen = getenv("OLLAMA_MODELS"), *home = getenv("HOME");

	*is_own = false;
	buf_clear(out);
	if (chosen && chosen[0])
		buf_puts(out, chosen[0] == '/' ? chosen : "");
	else if (home && home[0] == '/')
		buf_printf(out, "%s/.ollama/models", home);
	if (!buf_status(out) && out->len && is_usable(buf_text(out)))
		return STATUS_OK;
	*is_own = true;
	return ollama_own_root(out, err);
}

static const char *host_of(const struct pull_name *name)
{
	const char *scheme = strstr(name->base, "://");

	return scheme ? scheme + strlen("://") : name->base;
}

static enum status too_long(struct error *err)
{
	return error_set(err, STATUS_LIMIT, "the path of ollama's folder is too long");
}

enum status ollama_manifest_path(struct buf *out, const char *root, const struct pull_name *name, struct error *err)
{
	buf_clear(out);
	buf_printf(out, "%s/manifests/%s/%s/%s", root, host_of(name), name->repository, name->tag ? name->tag : "latest");
	return buf_status(out) ? too_long(err) : STATUS_OK;
}

/* ---- files ---- */

static bool is_whole(const struct io_ops *io, const char *path, uint64_t size)
{
	struct stat st;

	return io->stat(path, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size == size;
}

static enum status fetched_path(struct buf *out, const char *root, const char *digest, struct error *err)
{
	buf_clear(out);
	buf_printf(out, "%s/" OLLAMA_FETCHED "/sha256-%s", root, digest);
	return buf_status(out) ? too_long(err) : STATUS_OK;
}

static enum status make_folder_of(const char *path, const struct io_ops *io, struct error *err)
{
	struct buf folder = {.max = PATH_MAX};
	int error;

	buf_append(&folder, path, (size_t)(strrchr(path, '/') - path));
	if (buf_status(&folder))
		return too_long(err);
	error = io_make_dirs(io, buf_text(&folder));
	if (error)
		(void)error_errno(err, error, "%s: cannot make the folder", buf_text(&folder));
	buf_free(&folder);
	return error ? STATUS_IO : STATUS_OK;
}

/* Where it is whole, or else where it is to be fetched to. */
enum status ollama_store(struct buf *out, const struct pull_offer *offer, const struct pull_file *file,
                         const struct io_ops *io, struct error *err)
{
	struct buf root = {.max = PATH_MAX};
	bool is_own;
	enum status status = put_root(&root, &is_own, err);

	(void)offer;
	if (!status && ollama_blob_path(out, buf_text(&root), file->digest))
		status = too_long(err);
	if (!status && !is_own && !is_whole(io ? io : &io_system, buf_text(out), file->size))
		status = fetched_path(out, buf_text(&root), file->digest, err);
	if (!status && io)
		status = make_folder_of(buf_text(out), io, err);
	buf_free(&root);
	return status;
}

/* ---- publishing ---- */

/* What was fetched beside blobs/ goes there. */
static enum status move_in(const char *root, const struct pull_file *file, const struct io_ops *io, struct error *err)
{
	struct buf from = {.max = PATH_MAX}, to = {.max = PATH_MAX};
	enum status status = fetched_path(&from, root, file->digest, err);
	struct stat st;

	if (!status && ollama_blob_path(&to, root, file->digest))
		status = too_long(err);
	if (!status)
		status = make_folder_of(buf_text(&to), io, err);
	if (!status && io->stat(buf_text(&from), &st) == 0 && is_whole(io, buf_text(&from), file->size) &&
	    io->rename(buf_text(&from), buf_text(&to)) != 0)
		status = error_errno(err, errno, "%s: cannot be moved to ollama's files", buf_text(&from));
	if (!status && !is_whole(io, buf_text(&to), file->size))
		status = error_set(err, STATUS_IO, "%s was taken away meanwhile: the same command fetches it again",
		                   buf_text(&to));
	buf_free(&from);
	buf_free(&to);
	return status;
}

static enum status sync_blobs(const char *root, const struct io_ops *io, struct error *err)
{
	struct buf path = {.max = PATH_MAX};
	int error;

	buf_printf(&path, "%s/blobs/x", root);
	error = buf_status(&path) ? 0 : io_sync_folder(io, buf_text(&path));
	buf_free(&path);
	return error ? error_errno(err, error, "%s/blobs: cannot be written", root) : STATUS_OK;
}

/* The file of its model, or the manifest, where the file alone says less. */
static enum status put_model(struct buf *model, const char *root, const char *manifest, const struct pull_offer *offer,
                             const struct pull_choice *choice, struct error *err)
{
	const struct pull_file *file = NULL;

	for (size_t i = 0; i < choice->n && !file; i++)
		if (strcmp(offer->files[choice->first + i].kind, OLLAMA_KIND "model") == 0)
			file = &offer->files[choice->first + i];
	if (!file)
		return error_set(err, STATUS_NOTFOUND, "this model of ollama's has no GGUF file");
	if (ollama_blob_path(model, root, file->digest))
		return too_long(err);
	if (!beside_is_clear(buf_text(model))) {
		buf_clear(model);
		buf_puts(model, manifest);
	}
	return buf_status(model) ? too_long(err) : STATUS_OK;
}

static int write_file(const char *path, const char *text, size_t len, const struct io_ops *io)
{
	size_t done;
	int fd, error = io_open(io, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644, &fd), closed;

	if (error)
		return error;
	error = io_write_all(io, fd, text, len, &done);
	if (!error)
		error = io_fdatasync(io, fd);
	closed = io_close(io, fd);
	return error ? error : closed;
}

/* Written beside the manifests, where nobody looks for one that is half there. */
static enum status put_manifest(const char *root, const char *path, const struct pull_offer *offer,
                                const struct io_ops *io, struct error *err)
{
	struct buf part = {.max = PATH_MAX};
	enum status status;
	int error = 0;

	buf_printf(&part, "%s/" OLLAMA_FETCHED "/manifest.%ld", root, (long)getpid());
	status = buf_status(&part) ? too_long(err) : make_folder_of(buf_text(&part), io, err);
	if (!status)
		status = make_folder_of(path, io, err);
	if (!status && (error = write_file(buf_text(&part), offer->manifest, offer->manifest_len, io)) != 0)
		(void)io->unlink(buf_text(&part));
	else if (!status && io->rename(buf_text(&part), path) != 0)
		error = errno;
	else if (!status)
		error = io_sync_folder(io, path);
	if (error)
		status = error_errno(err, error, "%s: cannot be written", path);
	buf_free(&part);
	return status;
}

enum status ollama_publish(struct buf *model, const struct pull_offer *offer, const struct pull_choice *choice,
                           const struct io_ops *io, struct error *err)
{
	struct buf root = {.max = PATH_MAX}, manifest = {.max = PATH_MAX};
	bool is_own;
	enum status status = put_root(&root, &is_own, err);

	for (size_t i = 0; i < choice->n && !status; i++)
		status = move_in(buf_text(&root), &offer->files[choice->first + i], io, err);
	if (!status)
		status = sync_blobs(buf_text(&root), io, err);
	if (!status)
		status = ollama_manifest_path(&manifest, buf_text(&root), &offer->name, err);
	if (!status)
		status = put_manifest(buf_text(&root), buf_text(&manifest), offer, io, err);
	if (!status)
		status = put_model(model, buf_text(&root), buf_text(&manifest), offer, choice, err);
	buf_free(&root);
	buf_free(&manifest);
	return status;
}
