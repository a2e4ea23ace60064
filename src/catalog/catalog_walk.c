/* Where models are looked for, and the walk through the folders there. */
#include "catalog/catalog_internal.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "catalog/recent.h"
#include "gguf/split_name.h"

static const char suffix[] = ".gguf";
enum { SUFFIX_LEN = sizeof suffix - 1 };

enum status walk_check(struct catalog_walk *walk, struct error *err)
{
	if (walk->cancelled && walk->cancelled(walk->ctx))
		return error_set(err, STATUS_CANCELLED, "the search was stopped");
	return STATUS_OK;
}

void walk_free(struct catalog_walk *walk)
{
	for (size_t i = 0; i < walk->n; i++) {
		free(walk->found[i].path);
		free(walk->found[i].label);
	}
	free(walk->found);
	free(walk->folders);
}

static struct found_file *find_file(struct catalog_walk *walk, const struct stat *st)
{
	for (size_t i = 0; i < walk->n; i++)
		if (walk->found[i].st.st_ino == st->st_ino && walk->found[i].st.st_dev == st->st_dev)
			return &walk->found[i];
	return NULL;
}

static enum status replace_text(char **text, const char *with, struct error *err)
{
	char *copy = alloc_strndup(with, strlen(with));

	if (!copy)
		return error_no_memory(err, NULL);
	free(*text);
	*text = copy;
	return STATUS_OK;
}

enum status walk_add(struct catalog_walk *walk, const char *path, const char *label,
                       const struct stat *st, struct error *err)
{
	struct found_file *file = find_file(walk, st);
	enum status status = STATUS_OK;

	if (file) {
		/* Names in a folder come in no order: of those in a place, take the first by name. */
		if (file->place == walk->place && strcmp(path, file->path) < 0)
			status = replace_text(&file->path, path, err);
		if (!status && label && !file->label)
			status = replace_text(&file->label, label, err);
		return status;
	}
	if (walk->n == LIMIT_CATALOG_MODELS) {
		walk->is_cut = true;
		return STATUS_OK;
	}
	if (!alloc_grow(&walk->found, &walk->cap, walk->n + 1, sizeof *walk->found,
	                LIMIT_CATALOG_MODELS))
		return error_no_memory(err, NULL);
	file = &walk->found[walk->n];
	*file = (struct found_file){.st = *st, .place = walk->place, .n_parts = 1,
	                           .n_bytes = (uint64_t)st->st_size};
	status = replace_text(&file->path, path, err);
	if (!status && label)
		status = replace_text(&file->label, label, err);
	walk->n++;
	return status;
}

/* ---- folders ---- */

/* False if it was read before, or if there are too many. */
static bool enter_folder(struct catalog_walk *walk, DIR *dir, enum status *status,
                         struct error *err)
{
	struct stat st;

	if (fstat(dirfd(dir), &st) != 0)
		return false;
	for (size_t i = 0; i < walk->n_folders; i++)
		if (walk->folders[i].inode == st.st_ino && walk->folders[i].device == st.st_dev)
			return false;
	if (walk->n_folders == LIMIT_CATALOG_FOLDERS) {
		walk->is_cut = true;
		return false;
	}
	if (!alloc_grow(&walk->folders, &walk->cap_folders, walk->n_folders + 1,
	                sizeof *walk->folders, LIMIT_CATALOG_FOLDERS)) {
		*status = error_no_memory(err, NULL);
		return false;
	}
	walk->folders[walk->n_folders++] = (struct folder_id){st.st_dev, st.st_ino};
	return true;
}

static enum status visit_names(struct catalog_walk *walk, DIR *dir, const char *path, int depth,
                               walk_visit visit, struct error *err)
{
	enum status status = STATUS_OK;
	struct dirent *entry;
	struct stat st;
	struct buf name = {.max = PATH_MAX};

	while (!status && (entry = readdir(dir))) {
		if (walk->n_entries++ >= LIMIT_CATALOG_ENTRIES) {
			walk->is_cut = true;
			break;
		}
		status = walk_check(walk, err);
		if (status || entry->d_name[0] == '.' || fstatat(dirfd(dir), entry->d_name, &st, 0) != 0)
			continue; /* links are followed; broken ones are skipped */
		buf_clear(&name);
		if (buf_printf(&name, "%s/%s", path, entry->d_name) == STATUS_OK)
			status = visit(walk, buf_text(&name), entry->d_name, &st, depth, err);
	}
	buf_free(&name);
	return status;
}

enum status walk_folder(struct catalog_walk *walk, const char *path, int depth, walk_visit visit,
                          struct error *err)
{
	enum status status = STATUS_OK;
	DIR *dir;

	if (depth > LIMIT_CATALOG_DEPTH) {
		walk->is_cut = true;
		return STATUS_OK;
	}
	dir = opendir(path);
	if (!dir) {
		walk->n_unreadable += errno != ENOENT && errno != ENOTDIR;
		return STATUS_OK;
	}
	if (enter_folder(walk, dir, &status, err))
		status = visit_names(walk, dir, path, depth, visit, err);
	closedir(dir);
	return status;
}

/* ---- which names are models ---- */

/* The bytes of all parts that exist. `name` is parsed from `path`. */
static uint64_t count_parts(const char *path, const struct split_name *name)
{
	uint64_t total = 0;
	struct buf part = {.max = PATH_MAX};
	struct stat st;

	for (uint32_t i = 1; i <= name->n_parts && i <= LIMIT_GGUF_PARTS; i++)
		if (!split_name_path(&part, path, name, i) && stat(buf_text(&part), &st) == 0 &&
		    S_ISREG(st.st_mode))
			total += (uint64_t)st.st_size;
	buf_free(&part);
	return total;
}

/* Whether it is the first existing part of a model, which is listed for all of them. */
static bool is_first_part(const char *path, const struct split_name *name)
{
	struct buf part = {.max = PATH_MAX};
	bool first = true;

	for (uint32_t i = 1; first && i < name->part && i <= LIMIT_GGUF_PARTS; i++)
		first = split_name_path(&part, path, name, i) || access(buf_text(&part), F_OK) != 0;
	buf_free(&part);
	return first;
}

static enum status add_named(struct catalog_walk *walk, const char *path, const char *name,
                             const struct stat *st, struct error *err)
{
	size_t len = strlen(name);
	struct split_name split;
	struct found_file *file;
	enum status status;
	bool is_part;

	if (!S_ISREG(st->st_mode) || len <= SUFFIX_LEN || strcmp(name + len - SUFFIX_LEN, suffix) != 0)
		return STATUS_OK;
	is_part = split_name_parse(path, &split) && split.n_parts > 1;
	if (is_part && !is_first_part(path, &split))
		return STATUS_OK;
	status = walk_add(walk, path, NULL, st, err);
	file = status ? NULL : find_file(walk, st);
	if (file) {
		file->is_named = true;
		if (is_part) {
			file->n_parts = split.n_parts;
			file->n_bytes = count_parts(path, &split);
		}
	}
	return status;
}

static enum status visit_flat(struct catalog_walk *walk, const char *path, const char *name,
                              const struct stat *st, int depth, struct error *err)
{
	(void)depth;
	return add_named(walk, path, name, st, err);
}

static enum status visit_tree(struct catalog_walk *walk, const char *path, const char *name,
                              const struct stat *st, int depth, struct error *err)
{
	if (S_ISDIR(st->st_mode))
		return walk_folder(walk, path, depth + 1, visit_tree, err);
	return add_named(walk, path, name, st, err);
}

/* ---- the places ---- */

enum place_kind { PLACE_TREE, PLACE_OLLAMA };

/* In this order: folders of llama.cpp, Hugging Face (huggingface_hub's constants.py),
 * LM Studio (old and new), ollama and sotto, those named by variables of their own
 * before the usual ones. */
static const struct model_place {
	const char *variable, *folder;
	enum place_kind kind;
} places[] = {
	{"LLAMA_CACHE", "", PLACE_TREE},
	{"HF_HUB_CACHE", "", PLACE_TREE},
	{"HUGGINGFACE_HUB_CACHE", "", PLACE_TREE},
	{"HF_HOME", "/hub", PLACE_TREE},
	{"XDG_CACHE_HOME", "/huggingface/hub", PLACE_TREE},
	{"HOME", "/.cache/huggingface/hub", PLACE_TREE},
	{"XDG_CACHE_HOME", "/llama.cpp", PLACE_TREE},
	{"HOME", "/.cache/llama.cpp", PLACE_TREE},
	{"HOME", "/.lmstudio/models", PLACE_TREE},
	{"HOME", "/.cache/lm-studio/models", PLACE_TREE},
	{"OLLAMA_MODELS", "", PLACE_OLLAMA},
	{"HOME", "/.ollama/models", PLACE_OLLAMA},
	{"SOTTO_DATA_DIR", "/models", PLACE_TREE},
	{"XDG_DATA_HOME", "/sotto/models", PLACE_TREE},
	{"HOME", "/.local/share/sotto/models", PLACE_TREE},
};
enum { N_PLACES = sizeof places / sizeof places[0] };

/* False if the variable does not name an absolute path. */
static bool place_path(const struct model_place *place, struct buf *out)
{
	const char *base = getenv(place->variable);

	return base && base[0] == '/' && !buf_printf(out, "%s%s", base, place->folder);
}

static enum status walk_recent(struct catalog_walk *walk, struct error *err)
{
	struct recent_model *models;
	enum status status;
	struct buf path = {.max = PATH_MAX};
	size_t n;

	status = recent_load(&models, &n, err);
	if (status != STATUS_NOMEM)
		status = STATUS_OK; /* an unreadable file counts as empty */
	for (size_t i = 0; !status && i < n; i++) {
		struct found_file *file;
		struct stat st;

		if (split_name_first(&path, models[i].path) || stat(buf_text(&path), &st) != 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		status = walk_add(walk, buf_text(&path), NULL, &st, err);
		file = status ? NULL : find_file(walk, &st);
		if (file) {
			file->is_named = true;
			file->used = models[i].time > file->used ? models[i].time : file->used;
		}
	}
	buf_free(&path);
	recent_free(models, n);
	return status;
}

static enum status walk_here(struct catalog_walk *walk, struct error *err)
{
	char folder[PATH_MAX];

	if (!getcwd(folder, sizeof folder))
		return STATUS_OK;
	walk->n_folders = 0;
	return walk_folder(walk, folder, 0, visit_flat, err);
}

enum status catalog_guide_path(struct buf *out, struct error *err)
{
	enum status status = sys_data_path("/models/guide.gguf", out, err);
	struct stat st;

	if (status)
		return status;
	if (stat(buf_text(out), &st) != 0 || !S_ISREG(st.st_mode))
		return error_set(err, STATUS_NOTFOUND, "%s: the guide is missing", buf_text(out));
	return STATUS_OK;
}

static enum status walk_guide(struct catalog_walk *walk, struct error *err)
{
	enum status status = STATUS_OK;
	struct found_file *file;
	struct buf path = {.max = PATH_MAX};
	struct stat st;

	if (!catalog_guide_path(&path, NULL) && stat(buf_text(&path), &st) == 0) {
		status = walk_add(walk, buf_text(&path), "guide (built in)", &st, err);
		file = status ? NULL : find_file(walk, &st);
		if (file)
			file->is_named = file->is_guide = true;
	}
	buf_free(&path);
	return status;
}

enum status walk_places(struct catalog_walk *walk, struct error *err)
{
	enum status status = walk_recent(walk, err);
	struct buf path = {.max = PATH_MAX};

	for (size_t i = 0; i < N_PLACES && !status; i++) {
		buf_clear(&path);
		walk->place = i + 1;
		if (!place_path(&places[i], &path))
			continue;
		if (places[i].kind == PLACE_OLLAMA)
			walk->n_folders = 0; /* these folders are read in another way */
		status = places[i].kind == PLACE_OLLAMA
		                 ? walk_ollama(walk, buf_text(&path), err)
		                 : walk_folder(walk, buf_text(&path), 0, visit_tree, err);
	}
	buf_free(&path);
	walk->place = N_PLACES + 1;
	if (!status)
		status = walk_here(walk, err);
	walk->place = N_PLACES + 2;
	return status ? status : walk_guide(walk, err);
}
