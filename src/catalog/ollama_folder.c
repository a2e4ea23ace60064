/* The folders of ollama's: where they are, and what their paths mean. */
#include "catalog/ollama_manifest.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/sys.h"

static const char blob_start[] = "sha256-";
enum { BLOB_START_LEN = sizeof blob_start - 1 };

/* ---- where they are ---- */

enum status ollama_own_root(struct buf *out, struct error *err)
{
	const char *forced = getenv("SOTTO_DATA_DIR");

	buf_clear(out);
	if (!forced || forced[0] != '/')
		return sys_user_path(SYS_DIR_DATA, "/models/ollama", out, err);
	buf_printf(out, "%s/models/ollama", forced);
	return buf_status(out) ? error_set(err, buf_status(out), "the path of the user's folder is too long") : STATUS_OK;
}

bool ollama_root(struct buf *out, size_t i)
{
	static const struct {
		const char *variable, *folder;
	} roots[] = {{"OLLAMA_MODELS", ""}, {"HOME", "/.ollama/models"}, {NULL, "/usr/share/ollama/.ollama/models"}};
	enum { N = sizeof roots / sizeof roots[0] };
	const char *base;

	buf_clear(out);
	if (i > N)
		return false;
	if (i == N)
		return !ollama_own_root(out, NULL);
	base = roots[i].variable ? getenv(roots[i].variable) : "";
	if (base && (base[0] == '/' || !roots[i].variable))
		buf_printf(out, "%s%s", base, roots[i].folder);
	return true; /* an empty path: there is no such folder */
}

/* ---- what paths mean ---- */

/* Takes the last part off the first *len bytes; NULL: there is none, or it is "." or "..". */
static const char *last_part(const char *path, size_t *len)
{
	size_t end = *len;

	while (*len > 0 && path[*len - 1] != '/')
		--*len;
	if (*len == 0 || *len == end || strncmp(path + *len, "./", 2) == 0 || strncmp(path + *len, "../", 3) == 0)
		return NULL;
	return path + (*len)--; /* the slash goes, too */
}

static bool part_is(const char *part, const char *word)
{
	return part && strncmp(part, word, strlen(word)) == 0 && part[strlen(word)] == '/';
}

bool ollama_is_blob(const char *path, struct buf *root, const char **digest)
{
	size_t len = strlen(path);
	const char *file = last_part(path, &len), *folder = file ? last_part(path, &len) : NULL;

	buf_clear(root);
	if (!part_is(folder, "blobs") || strlen(file) != BLOB_START_LEN + OLLAMA_DIGEST_LEN ||
	    strncmp(file, blob_start, BLOB_START_LEN) != 0 ||
	    strspn(file + BLOB_START_LEN, "0123456789abcdef") != OLLAMA_DIGEST_LEN)
		return false;
	*digest = file + BLOB_START_LEN;
	return buf_append(root, path, len) == STATUS_OK;
}

bool ollama_is_manifest(const char *path, struct buf *root)
{
	size_t len = strlen(path);
	const char *part = "";
	struct buf blobs = {.max = PATH_MAX};
	struct stat st;
	bool is;

	buf_clear(root);
	for (int i = 0; i < 5 && part; i++) /* TAG, NAME, NAMESPACE, HOST, manifests */
		part = last_part(path, &len);
	if (!part_is(part, "manifests") || buf_append(root, path, len))
		return false;
	buf_printf(&blobs, "%s/blobs", buf_text(root));
	is = !buf_status(&blobs) && stat(buf_text(&blobs), &st) == 0 && S_ISDIR(st.st_mode);
	buf_free(&blobs);
	return is;
}

enum status ollama_blob_path(struct buf *out, const char *root, const char *digest)
{
	buf_clear(out);
	return buf_printf(out, "%s/blobs/%s%s", root, blob_start, digest);
}

void ollama_put_label(struct buf *out, const char *manifest)
{
	const char *parts[5] = {0}, *end = manifest + strlen(manifest); /* TAG, NAME, NAMESPACE, HOST, manifests */
	size_t n = 0;
	bool is_usual;

	for (const char *p = end; p > manifest && n < 5; p--)
		if (p[-1] == '/')
			parts[n++] = p;
	if (n < 4)
		return;
	is_usual = n < 5 || !part_is(parts[4], "manifests") || part_is(parts[3], OLLAMA_REGISTRY);
	if (!is_usual)
		buf_append(out, parts[3], (size_t)(parts[1] - parts[3]));
	else if (!part_is(parts[2], "library"))
		buf_append(out, parts[2], (size_t)(parts[1] - parts[2]));
	buf_append(out, parts[1], (size_t)(parts[0] - parts[1] - 1));
	buf_printf(out, ":%s", parts[0]);
}

/* ---- all of them ---- */

struct manifest_walk {
	ollama_visit *visit;
	void *ctx;
	size_t n; /* names so far */
};

enum { MANIFEST_DEPTH = 4 };

static enum status visit_file(const struct manifest_walk *walk, const char *path, struct error *err)
{
	struct ollama_manifest manifest;
	enum status status = ollama_manifest_read(&manifest, path, err);

	if (status != STATUS_NOMEM)
		status = walk->visit(walk->ctx, path, status ? NULL : &manifest, err);
	ollama_manifest_free(&manifest);
	return status;
}

static enum status visit_folder(struct manifest_walk *walk, const char *path, int depth, struct error *err);

static enum status visit_name(struct manifest_walk *walk, const char *path, int depth, struct error *err)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return STATUS_OK; /* a link to nothing */
	if (S_ISDIR(st.st_mode))
		return depth < MANIFEST_DEPTH ? visit_folder(walk, path, depth + 1, err) : STATUS_OK;
	return S_ISREG(st.st_mode) && depth == MANIFEST_DEPTH ? visit_file(walk, path, err) : STATUS_OK;
}

static enum status visit_folder(struct manifest_walk *walk, const char *path, int depth, struct error *err)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	struct buf name = {.max = PATH_MAX};
	enum status status = STATUS_OK;

	if (!dir)
		return errno == ENOENT ? STATUS_OK : walk->visit(walk->ctx, path, NULL, err);
	while (!status && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		if (walk->n++ >= LIMIT_CATALOG_ENTRIES) {
			status = error_set(err, STATUS_LIMIT, "%s: there are too many files", path);
			break;
		}
		buf_clear(&name);
		if (!buf_printf(&name, "%s/%s", path, entry->d_name))
			status = visit_name(walk, buf_text(&name), depth, err);
	}
	buf_free(&name);
	closedir(dir);
	return status;
}

enum status ollama_each_manifest(const char *root, ollama_visit *visit, void *ctx, struct error *err)
{
	struct manifest_walk walk = {.visit = visit, .ctx = ctx};
	struct buf path = {.max = PATH_MAX};
	enum status status;

	buf_printf(&path, "%s/manifests", root);
	status = buf_status(&path) ? STATUS_OK : visit_folder(&walk, buf_text(&path), 1, err);
	buf_free(&path);
	return status;
}
