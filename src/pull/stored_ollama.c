/* Models in folders of ollama's. */
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "catalog/beside.h"
#include "catalog/ollama_manifest.h"
#include "pull/ollama_store.h"
#include "pull/stored_model.h"

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* A manifest whose model is there. It is loaded by its file, or by the manifest where the file alone says less. */
static enum status take_manifest(struct stored_model *out, const char *root, const char *path, struct error *err)
{
	struct buf blob = {.max = PATH_MAX};
	enum status status = beside_model_path(&blob, path, err);

	if (!status && !is_file(buf_text(&blob)))
		status = error_set(err, STATUS_NOTFOUND, "%s: its file %s is missing", path, buf_text(&blob));
	out->kind = STORED_OLLAMA;
	if (!status)
		status = stored_copy(&out->path, beside_is_clear(buf_text(&blob)) ? buf_text(&blob) : path, err);
	if (!status)
		status = stored_copy(&out->root, root, err);
	if (!status)
		status = stored_copy(&out->manifest, path, err);
	buf_free(&blob);
	return status;
}

/* The manifest of a name in a folder; ollama calls the hub hf.co. */
static enum status put_manifest(struct buf *out, const char *root, const struct pull_name *name, struct error *err)
{
	char hub[] = "https://hf.co";
	struct pull_name there = *name;

	if (name->source == PULL_HUB)
		there.base = hub;
	return ollama_manifest_path(out, root, &there, err);
}

enum status stored_find_ollama(struct stored_model *out, const struct pull_name *name, struct error *err)
{
	struct buf root = {.max = PATH_MAX}, path = {.max = PATH_MAX};
	enum status status = error_set(err, STATUS_NOTFOUND, "it is not on this machine");

	for (size_t i = 0; status == STATUS_NOTFOUND && ollama_root(&root, i); i++) {
		if (!root.len || put_manifest(&path, buf_text(&root), name, NULL) || !is_file(buf_text(&path)))
			continue;
		stored_model_free(out);
		status = take_manifest(out, buf_text(&root), buf_text(&path), err);
	}
	buf_free(&root);
	buf_free(&path);
	return status;
}

/* ---- by path ---- */

/* The manifests that name a file. */
struct naming {
	const char *digest;
	struct name_list paths;
};

static enum status visit(void *ctx, const char *path, const struct ollama_manifest *manifest, struct error *err)
{
	struct naming *naming = ctx;

	if (manifest && ollama_manifest_names(manifest, naming->digest) &&
	    !name_list_add(&naming->paths, path, strlen(path)))
		return error_no_memory(err, NULL);
	return STATUS_OK;
}

static enum status several(const char *path, const struct name_list *names, struct error *err)
{
	struct buf first = {.max = PATH_MAX}, second = {.max = PATH_MAX};

	ollama_put_label(&first, names->items[0]);
	ollama_put_label(&second, names->items[1]);
	(void)!error_set(err, STATUS_DECLINED, "%.200s is the file of %zu models, %.60s, %.60s%s: give a name", path, names->n,
	                 buf_text(&first), buf_text(&second), names->n > 2 ? " ..." : "");
	buf_free(&first);
	buf_free(&second);
	return STATUS_DECLINED;
}

static enum status of_blob(struct stored_model *out, const char *root, const char *path, const char *digest,
                           struct error *err)
{
	struct naming naming = {.digest = digest};
	enum status status = ollama_each_manifest(root, visit, &naming, err);

	name_list_sort(&naming.paths);
	if (status) {
	} else if (naming.paths.n > 1) {
		status = several(path, &naming.paths, err);
	} else if (naming.paths.n == 1) {
		status = take_manifest(out, root, naming.paths.items[0], err);
	} else {
		out->kind = STORED_OLLAMA;
		status = stored_copy(&out->path, path, err);
		if (!status)
			status = stored_copy(&out->root, root, err);
	}
	name_list_free(&naming.paths);
	return status;
}

enum status stored_of_ollama_path(struct stored_model *out, const char *path, bool *is, struct error *err)
{
	struct buf root = {.max = PATH_MAX};
	const char *digest;
	enum status status = STATUS_OK;

	*is = true;
	if (ollama_is_blob(path, &root, &digest))
		status = of_blob(out, buf_text(&root), path, digest, err);
	else if (ollama_is_manifest(path, &root))
		status = take_manifest(out, buf_text(&root), path, err);
	else
		*is = false;
	buf_free(&root);
	return status;
}

/* ---- taking away ---- */

/* What manifests name besides the one that goes. */
struct needs {
	const struct ollama_manifest *going;
	const char *manifest;
	bool *needed; /* [going->n] */
	char *other;  /* one that needs something; owned */
};

static enum status note_need(void *ctx, const char *path, const struct ollama_manifest *manifest, struct error *err)
{
	struct needs *needs = ctx;
	bool is_any = false;

	if (strcmp(path, needs->manifest) == 0)
		return STATUS_OK;
	for (size_t i = 0; i < needs->going->n; i++)
		if (!manifest || ollama_manifest_names(manifest, needs->going->layers[i].digest))
			is_any = needs->needed[i] = true;
	if (!is_any || needs->other)
		return STATUS_OK;
	needs->other = alloc_strndup(path, strlen(path));
	return needs->other ? STATUS_OK : error_no_memory(err, NULL);
}

/* Whether the i-th layer is the file of one before it. */
static bool is_again(const struct ollama_manifest *manifest, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (strcmp(manifest->layers[j].digest, manifest->layers[i].digest) == 0)
			return true;
	return false;
}

static enum status plan_blobs(struct stored_removal *out, const struct stored_model *model, const struct needs *needs,
                              struct error *err)
{
	const struct ollama_manifest *going = needs->going;
	struct buf path = {.max = PATH_MAX}, label = {.max = PATH_MAX};
	uint64_t kept = 0;
	struct stat st;
	enum status status = STATUS_OK;

	for (size_t i = 0; i < going->n && !status; i++) {
		if (is_again(going, i) || ollama_blob_path(&path, model->root, going->layers[i].digest) ||
		    lstat(buf_text(&path), &st) != 0)
			continue;
		if (needs->needed[i])
			kept += (uint64_t)st.st_size;
		else
			status = stored_plan_path(out, buf_text(&path), false, err);
	}
	if (!status && kept) {
		ollama_put_label(&label, needs->other);
		status = stored_plan_keep(out, kept, label.len ? buf_text(&label) : needs->other, err);
	}
	buf_free(&path);
	buf_free(&label);
	return status;
}

/* No folder on the way to a manifest, nor blobs/, is a link. The root may be one. */
static enum status check_folders(const struct stored_model *model, struct error *err)
{
	struct buf below = {.max = PATH_MAX};
	const char *path = model->manifest ? model->manifest + strlen(model->root) : "";
	enum status status = stored_check_folder(model->root, "/blobs", err);

	for (const char *at = strchr(path + (path[0] == '/'), '/'); at && !status; at = strchr(at + 1, '/')) {
		buf_clear(&below);
		buf_append(&below, path, (size_t)(at - path));
		status = buf_status(&below) ? error_no_memory(err, NULL) : stored_check_folder(model->root, buf_text(&below), err);
	}
	buf_free(&below);
	return status;
}

enum status stored_plan_ollama(struct stored_removal *out, const struct stored_model *model, struct error *err)
{
	struct ollama_manifest going;
	struct needs needs = {.going = &going, .manifest = model->manifest};
	enum status status = check_folders(model, err);

	if (status || !model->manifest)
		return status ? status : stored_plan_path(out, model->path, false, err);
	status = ollama_manifest_read(&going, model->manifest, err);
	if (!status && !(needs.needed = alloc_array(going.n, sizeof *needs.needed)))
		status = error_no_memory(err, NULL);
	if (!status)
		status = ollama_each_manifest(model->root, note_need, &needs, err);
	if (!status)
		status = stored_plan_path(out, model->manifest, false, err);
	if (!status)
		status = plan_blobs(out, model, &needs, err);
	free(needs.needed);
	free(needs.other);
	ollama_manifest_free(&going);
	return status;
}
