/* Reading a model's files again, and comparing them with the digests that they are named by. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/limits.h"
#include "base/sys.h"
#include "catalog/ollama_manifest.h"
#include "pull/stored_model.h"

struct verifying {
	bool (*cancelled)(void *ctx);
	void (*tell)(void *ctx, const char *path, uint64_t done, uint64_t all);
	void *ctx;
	uint64_t told_ms;
};

enum { PIECE = 1 << 20, TELL_MS = 250 };

static void tell(struct verifying *v, const char *path, uint64_t done, uint64_t all)
{
	uint64_t now = sys_now_ms();

	if (!v->tell || (done > 0 && done < all && now - v->told_ms < TELL_MS))
		return;
	v->told_ms = now;
	v->tell(v->ctx, path, done, all);
}

static enum status digest_file(struct verifying *v, struct digest *digest, int fd, const char *path, uint64_t size,
                               struct error *err)
{
	char *piece = alloc_array(PIECE, 1);
	uint64_t done = 0;
	ssize_t n = 1;
	enum status status = piece ? STATUS_OK : error_no_memory(err, NULL);

	while (!status && n > 0) {
		tell(v, path, done, size);
		n = read(fd, piece, PIECE);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n < 0)
			status = error_errno(err, errno, "%.400s: cannot be read", path);
		else if (v->cancelled && v->cancelled(v->ctx))
			status = error_set(err, STATUS_CANCELLED, "stopped");
		else {
			digest_add(digest, piece, (size_t)n);
			done += (uint64_t)n;
		}
	}
	free(piece);
	return status;
}

static enum status compare(const char *path, const char *found, const char *wanted, struct error *err)
{
	if (strcmp(found, wanted) == 0)
		return STATUS_OK;
	return error_set(err, STATUS_FORMAT, "%.300s: found the digest %.12s, expected %.12s: take it away (sotto models rm) "
	                 "and fetch it again", path, found, wanted);
}

/* `wanted`: SHA-256, or git's digest, by its length. */
static enum status verify_file(struct verifying *v, const char *path, const char *wanted, struct error *err)
{
	char found[DIGEST_TEXT_MAX];
	struct digest *digest = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	enum status status = STATUS_OK;

	if (fd < 0 || fstat(fd, &st) != 0)
		status = error_errno(err, errno, "%.400s: cannot be read", path);
	else if (!S_ISREG(st.st_mode))
		status = error_set(err, STATUS_FORMAT, "%.400s is not a file", path);
	if (!status)
		status = digest_create(&digest, strlen(wanted) == DIGEST_GIT_LEN ? DIGEST_GIT : DIGEST_SHA256,
		                       (uint64_t)st.st_size, err);
	if (!status)
		status = digest_file(v, digest, fd, path, (uint64_t)st.st_size, err);
	if (!status) {
		digest_end(digest, found);
		status = compare(path, found, wanted, err);
	}
	if (!status)
		tell(v, path, (uint64_t)st.st_size, (uint64_t)st.st_size);
	digest_free(digest);
	if (fd >= 0)
		close(fd);
	return status;
}

static bool is_digest(const char *text)
{
	size_t len = strlen(text);

	return (len == DIGEST_SHA256_LEN || len == DIGEST_GIT_LEN) && strspn(text, "0123456789abcdef") == len;
}

static enum status no_digest(const char *path, struct error *err)
{
	return error_set(err, STATUS_UNSUPPORTED, "%.400s: nobody has said what its digest is", path);
}

static enum status verify_ollama(struct verifying *v, const struct stored_model *model, struct error *err)
{
	struct buf path = {.max = PATH_MAX};
	struct ollama_manifest manifest;
	const char *digest;
	enum status status;

	if (!model->manifest) {
		status = ollama_is_blob(model->path, &path, &digest) ? verify_file(v, model->path, digest, err)
		                                                     : no_digest(model->path, err);
		buf_free(&path);
		return status;
	}
	status = ollama_manifest_read(&manifest, model->manifest, err);
	for (size_t i = 0; i < manifest.n && !status; i++)
		if (!ollama_blob_path(&path, model->root, manifest.layers[i].digest))
			status = verify_file(v, buf_text(&path), manifest.layers[i].digest, err);
	ollama_manifest_free(&manifest);
	buf_free(&path);
	return status;
}

static enum status verify_hub(struct verifying *v, const struct stored_model *model, struct error *err)
{
	struct buf path = {.max = PATH_MAX}, target = {.max = PATH_MAX};
	enum status status = STATUS_OK;

	for (size_t i = 0; i < model->files.n && !status; i++) {
		const char *name;

		buf_clear(&path);
		status = stored_put_snapshot(&path, model) || buf_printf(&path, "/%s", model->files.items[i]) ? error_no_memory(err, NULL)
		                           : stored_hub_target(&target, model->root, buf_text(&path), err);
		name = strrchr(buf_text(&target), '/');
		if (!status)
			status = name && is_digest(name + 1) ? verify_file(v, buf_text(&target), name + 1, err)
			                                     : no_digest(buf_text(&path), err);
	}
	buf_free(&path);
	buf_free(&target);
	return status;
}

enum status stored_verify(const char *name, bool (*cancelled)(void *ctx),
                          void (*tell_it)(void *ctx, const char *path, uint64_t done, uint64_t all), void *ctx,
                          struct error *err)
{
	struct verifying v = {.cancelled = cancelled, .tell = tell_it, .ctx = ctx};
	struct stored_model model;
	enum status status = stored_open(&model, name, err);

	if (!status && model.kind == STORED_OLLAMA)
		status = verify_ollama(&v, &model, err);
	else if (!status && model.kind == STORED_HUB)
		status = verify_hub(&v, &model, err);
	else if (!status)
		status = no_digest(model.path, err);
	stored_model_free(&model);
	return status;
}
