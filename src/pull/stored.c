#include "pull/stored.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "catalog/catalog.h"
#include "gguf/split_name.h"
#include "pull/plain_url.h"
#include "pull/stored_model.h"

void stored_model_free(struct stored_model *model)
{
	free(model->path);
	free(model->root);
	free(model->manifest);
	name_list_free(&model->files);
	*model = (struct stored_model){0};
}

enum status stored_put_snapshot(struct buf *out, const struct stored_model *model)
{
	size_t len = strlen(model->path);

	return buf_append(out, model->path, model->is_folder ? len : len - strlen(model->files.items[0]) - 1);
}

enum status stored_copy(char **out, const char *text, struct error *err)
{
	free(*out);
	*out = alloc_strndup(text, strlen(text));
	return *out ? STATUS_OK : error_no_memory(err, NULL);
}

enum status stored_add_parts(struct stored_model *out, const char *path, size_t within, struct error *err)
{
	struct buf part = {.max = PATH_MAX};
	struct split_name split;
	struct stat st;
	bool is_split = split_name_parse(path, &split) && split.n_parts > 1, ok = true;

	for (uint32_t i = 1; ok && is_split && i <= split.n_parts && i <= LIMIT_GGUF_PARTS; i++)
		if (!split_name_path(&part, path, &split, i) && lstat(buf_text(&part), &st) == 0)
			ok = name_list_add(&out->files, buf_text(&part) + within, part.len - within);
	if (!is_split)
		ok = name_list_add(&out->files, path + within, strlen(path + within));
	buf_free(&part);
	return ok ? STATUS_OK : error_no_memory(err, NULL);
}

/* ---- files of sotto's own folder ---- */

static enum status of_plain_path(struct stored_model *out, const char *path, bool *is, struct error *err)
{
	struct buf folder = {.max = PATH_MAX};
	enum status status = STATUS_OK;
	char *real = NULL;

	*is = !plain_url_folder(&folder, NULL) && (real = realpath(buf_text(&folder), NULL)) &&
	      strncmp(path, real, strlen(real)) == 0 && path[strlen(real)] == '/';
	if (*is) {
		out->kind = STORED_PLAIN;
		status = stored_copy(&out->path, path, err);
		if (!status)
			status = stored_add_parts(out, path, 0, err);
	}
	free(real);
	buf_free(&folder);
	return status;
}

/* A file that came from an address: by its name. */
static enum status find_plain(struct stored_model *out, const struct pull_name *name, struct error *err)
{
	struct buf path = {.max = PATH_MAX};
	size_t len = strcspn(name->repository, "?#");
	const char *file = name->repository + len;
	enum status status = plain_url_folder(&path, err);
	struct stat st;

	while (file > name->repository && file[-1] != '/')
		file--;
	if (!status)
		buf_printf(&path, "/%.*s", (int)(name->repository + len - file), file);
	if (!status && (buf_status(&path) || file == name->repository + len || stat(buf_text(&path), &st) != 0 ||
	                !S_ISREG(st.st_mode)))
		status = error_set(err, STATUS_NOTFOUND, "it is not on this machine");
	if (!status) {
		out->kind = STORED_PLAIN;
		status = stored_copy(&out->path, buf_text(&path), err);
	}
	if (!status)
		status = stored_add_parts(out, out->path, 0, err);
	buf_free(&path);
	return status;
}

/* ---- by name, or by path ---- */

static enum status find_named(struct stored_model *out, const char *text, struct error *err)
{
	struct pull_name name = {0};
	enum status status = pull_name_parse(&name, text, err);

	if (status) {
	} else if (name.source == PULL_OLLAMA) {
		status = stored_find_ollama(out, &name, err);
	} else if (name.source == PULL_URL) {
		status = find_plain(out, &name, err);
	} else {
		status = stored_find_hub(out, text, err);
		/* ollama fetches from the hub, too, into its own folder. */
		if (status == STATUS_NOTFOUND && !name.file && !name.revision) {
			stored_model_free(out);
			if (stored_find_ollama(out, &name, NULL) == STATUS_OK)
				status = STATUS_OK;
			else
				stored_model_free(out);
		}
	}
	pull_name_free(&name);
	return status;
}

/* As typed, or as ollama's own list has it, which leaves out where it is from: "namespace/model:tag", "host/namespace/model:tag". */
static enum status find_typed(struct stored_model *out, const char *name, struct error *err)
{
	struct buf text = {.max = KIB(8)};
	enum status status = STATUS_NOTFOUND;

	if (pull_name_looks_so(name))
		status = find_named(out, name, err);
	if (status == STATUS_NOTFOUND && name[0] != '.' && name[0] != '/' && !buf_printf(&text, "ollama:%s", name)) {
		stored_model_free(out);
		if (find_named(out, buf_text(&text), NULL) == STATUS_OK)
			status = STATUS_OK;
		else
			stored_model_free(out);
	}
	buf_free(&text);
	return status;
}

enum status stored_find(struct buf *path, const char *name, struct error *err)
{
	struct stored_model model = {0};
	struct error why;
	enum status status = find_typed(&model, name, &why);

	if (status == STATUS_NOTFOUND)
		(void)error_set(err, status, "there is no file '%.180s', and no model of that name on this machine: `sotto pull %.180s` "
		                 "fetches it", name, name);
	else if (status && err)
		*err = why;
	if (!status && buf_puts(path, model.path))
		status = error_no_memory(err, NULL);
	stored_model_free(&model);
	return status;
}

enum status stored_put_model(struct buf *out, const char *text, struct error *err)
{
	struct stat st;
	bool is_there = stat(text, &st) == 0;

	if (!is_there && strcmp(text, CATALOG_GUIDE) == 0)
		return catalog_guide_path(out, err);
	if (!is_there && pull_name_looks_so(text))
		return stored_find(out, text, err);
	return buf_puts(out, text) ? error_no_memory(err, "for a path") : STATUS_OK;
}

/* Absolute, the folders before the file without links. STATUS_NOTFOUND: there is no such file. */
static enum status put_absolute(struct buf *out, const char *name, struct error *err)
{
	struct buf typed = {.max = PATH_MAX};
	struct stat st;
	const char *slash;
	char *folder = NULL;
	enum status status = STATUS_OK;

	if (home_path_put(&typed, name) || lstat(buf_text(&typed), &st) != 0 || S_ISDIR(st.st_mode)) {
		buf_free(&typed);
		return error_set(err, STATUS_NOTFOUND, "%.400s: there is no such file", name);
	}
	slash = strrchr(buf_text(&typed), '/');
	if (slash == typed.data)
		folder = alloc_strndup("/", 1);
	else if (slash) {
		typed.data[slash - typed.data] = '\0';
		folder = realpath(typed.data, NULL);
		typed.data[slash - typed.data] = '/';
	} else {
		folder = realpath(".", NULL);
	}
	if (!folder)
		status = error_set(err, STATUS_NOTFOUND, "%.400s: its folder cannot be found", name);
	else if (buf_printf(out, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, slash ? slash + 1 : buf_text(&typed)))
		status = error_set(err, STATUS_LIMIT, "%.400s: the path is too long", name);
	free(folder);
	buf_free(&typed);
	return status;
}

static enum status of_path(struct stored_model *out, const char *path, struct error *err)
{
	bool is = false;
	enum status status = stored_of_ollama_path(out, path, &is, err);

	if (!status && !is)
		status = stored_of_hub_path(out, path, &is, err);
	if (!status && !is)
		status = of_plain_path(out, path, &is, err);
	if (!status && !is)
		status = error_set(err, STATUS_DECLINED, "%.300s is not in a folder where sotto keeps models, or Hugging Face or "
		                   "ollama do: it is yours alone", path);
	return status;
}

enum status stored_open(struct stored_model *out, const char *name, struct error *err)
{
	struct buf path = {.max = PATH_MAX};
	enum status status;

	*out = (struct stored_model){0};
	status = put_absolute(&path, name, err);
	if (!status)
		status = of_path(out, buf_text(&path), err);
	else if (status == STATUS_NOTFOUND && strcmp(name, CATALOG_GUIDE) == 0)
		status = error_set(err, STATUS_DECLINED, "the guide is a part of sotto, and was not fetched");
	else if (status == STATUS_NOTFOUND)
		status = find_typed(out, name, err);
	buf_free(&path);
	if (status == STATUS_NOTFOUND)
		return error_set(err, status, "%.300s is not on this machine; `sotto models` lists what is", name);
	return status;
}
