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
#include "base/path_variable.h"
#include "base/sys.h"
#include "base/text_ends.h"
#include "catalog/beside.h"
#include "catalog/recent.h"
#include "gguf/split_name.h"

bool walk_goes_on(struct catalog_walk *walk)
{
	if (!walk->status && walk->cancelled && walk->cancelled(walk->ctx))
		walk->status = error_set(walk->err, STATUS_CANCELLED, "the search was stopped");
	return !walk->status;
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

static void replace_text(struct catalog_walk *walk, char **text, const char *with)
{
	char *copy = alloc_strndup(with, strlen(with));

	if (!copy) {
		walk->status = error_no_memory(walk->err, NULL);
		return;
	}
	free(*text);
	*text = copy;
}

struct found_file *walk_add(struct catalog_walk *walk, const char *path, const char *label,
                            const struct stat *st)
{
	struct found_file *file = find_file(walk, st);

	if (file) {
		/* Names in a folder come in no order: of those in a place, take the first by name. */
		if (file->place == walk->place && strcmp(path, file->path) < 0)
			replace_text(walk, &file->path, path);
	} else if (walk->n == LIMIT_CATALOG_MODELS) {
		walk->is_cut = true;
		return NULL;
	} else if (!alloc_grow(&walk->found, &walk->cap, walk->n + 1, sizeof *walk->found,
	                       LIMIT_CATALOG_MODELS)) {
		walk->status = error_no_memory(walk->err, NULL);
		return NULL;
	} else {
		file = &walk->found[walk->n++];
		*file = (struct found_file){.st = *st, .place = walk->place, .n_parts = 1,
		                            .n_bytes = (uint64_t)st->st_size};
		replace_text(walk, &file->path, path);
	}
	if (label && !file->label)
		replace_text(walk, &file->label, label);
	return walk->status ? NULL : file;
}

/* ---- folders ---- */

/* False if it was read before, or if there are too many. */
static bool enter_folder(struct catalog_walk *walk, DIR *dir)
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
		walk->status = error_no_memory(walk->err, NULL);
		return false;
	}
	walk->folders[walk->n_folders++] = (struct folder_id){st.st_dev, st.st_ino};
	return true;
}

static void visit_names(struct catalog_walk *walk, DIR *dir, const char *path, int depth,
                        walk_visit visit)
{
	struct dirent *entry;
	struct stat st;
	struct buf name = {.max = PATH_MAX};

	while (walk_goes_on(walk) && (entry = readdir(dir))) {
		if (walk->n_entries++ >= LIMIT_CATALOG_ENTRIES) {
			walk->is_cut = true;
			break;
		}
		if (entry->d_name[0] == '.' || fstatat(dirfd(dir), entry->d_name, &st, 0) != 0)
			continue; /* links are followed; broken ones are skipped */
		buf_clear(&name);
		if (buf_printf(&name, "%s/%s", path, entry->d_name) == STATUS_OK)
			visit(walk, buf_text(&name), entry->d_name, &st, depth);
	}
	buf_free(&name);
}

void walk_folder(struct catalog_walk *walk, const char *path, int depth, walk_visit visit)
{
	DIR *dir;

	if (depth > LIMIT_CATALOG_DEPTH) {
		walk->is_cut = true;
		return;
	}
	dir = opendir(path);
	if (!dir) {
		walk->n_unreadable += errno != ENOENT && errno != ENOTDIR;
		return;
	}
	if (enter_folder(walk, dir))
		visit_names(walk, dir, path, depth, visit);
	closedir(dir);
}

/* ---- which names are models ---- */

/* Whether the file at this path is the first part of a model that exists, which is listed for all
 * of them. `name` is parsed from the path; *n_bytes: of all parts that exist. */
static bool is_first_part(const char *path, const struct split_name *name, uint64_t *n_bytes)
{
	struct buf part = {.max = PATH_MAX};
	struct stat st;
	bool first = true;

	*n_bytes = 0;
	for (uint32_t i = 1; first && i <= name->n_parts && i <= LIMIT_GGUF_PARTS; i++)
		if (!split_name_path(&part, path, name, i) && stat(buf_text(&part), &st) == 0) {
			first = i >= name->part;
			*n_bytes += S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
		}
	buf_free(&part);
	return first;
}

static void add_named(struct catalog_walk *walk, const char *path, const char *name,
                      const struct stat *st)
{
	struct split_name split;
	struct found_file *file;
	uint64_t n_bytes;
	bool is_part;

	if (!S_ISREG(st->st_mode) || !text_has_extension(name, ".gguf"))
		return;
	is_part = split_name_parse(path, &split) && split.n_parts > 1;
	if (is_part && !is_first_part(path, &split, &n_bytes))
		return;
	file = walk_add(walk, path, NULL, st);
	if (!file)
		return;
	file->is_named = true;
	if (is_part) {
		file->n_parts = split.n_parts;
		file->n_bytes = n_bytes;
	}
}

static void visit_flat(struct catalog_walk *walk, const char *path, const char *name,
                       const struct stat *st, int depth)
{
	(void)depth;
	add_named(walk, path, name, st);
}

static void visit_tree(struct catalog_walk *walk, const char *path, const char *name,
                       const struct stat *st, int depth)
{
	if (S_ISDIR(st->st_mode))
		walk_folder(walk, path, depth + 1, visit_tree);
	else
		add_named(walk, path, name, st);
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
	{"SOTTO_DATA_DIR", "/models/ollama", PLACE_OLLAMA},
	{"XDG_DATA_HOME", "/sotto/models/ollama", PLACE_OLLAMA},
	{"HOME", "/.local/share/sotto/models/ollama", PLACE_OLLAMA},
};
enum { N_PLACES = sizeof places / sizeof places[0] };

/* False if the variable does not name an absolute path. */
static bool place_path(const struct model_place *place, struct buf *out)
{
	return path_variable_put(out, place->variable) && buf_text(out)[0] == '/' && !buf_puts(out, place->folder);
}

static void walk_recent(struct catalog_walk *walk)
{
	struct recent_model *models;
	struct buf path = {.max = PATH_MAX}, whole = {.max = PATH_MAX};
	size_t n;

	/* An unreadable file counts as empty. */
	if (recent_load(&models, &n, walk->err) == STATUS_NOMEM)
		walk->status = STATUS_NOMEM;
	for (size_t i = 0; i < n && !walk->status; i++) {
		struct found_file *file;
		struct stat st;

		if (beside_model_path(&whole, models[i].path, NULL) || split_name_first(&path, buf_text(&whole)) ||
		    stat(buf_text(&path), &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		file = walk_add(walk, buf_text(&path), NULL, &st);
		if (!file)
			continue;
		file->is_named = true;
		file->used = models[i].time > file->used ? models[i].time : file->used;
	}
	buf_free(&whole);
	buf_free(&path);
	recent_free(models, n);
}

static void walk_here(struct catalog_walk *walk)
{
	char folder[PATH_MAX];

	if (!getcwd(folder, sizeof folder))
		return;
	walk->n_folders = 0;
	walk_folder(walk, folder, 0, visit_flat);
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

static void walk_guide(struct catalog_walk *walk)
{
	struct found_file *file;
	struct buf path = {.max = PATH_MAX};
	struct stat st;

	if (!catalog_guide_path(&path, NULL) && stat(buf_text(&path), &st) == 0) {
		file = walk_add(walk, buf_text(&path), "guide (built in)", &st);
		if (file)
			file->is_named = file->is_guide = true;
	}
	buf_free(&path);
}

void walk_places(struct catalog_walk *walk)
{
	struct buf path = {.max = PATH_MAX};

	walk_recent(walk);
	for (size_t i = 0; i < N_PLACES && !walk->status; i++) {
		buf_clear(&path);
		walk->place = i + 1;
		if (!place_path(&places[i], &path))
			continue;
		if (places[i].kind == PLACE_OLLAMA) {
			walk->n_folders = 0; /* these folders are read in another way */
			walk_ollama(walk, buf_text(&path));
		} else {
			walk_folder(walk, buf_text(&path), 0, visit_tree);
		}
	}
	buf_free(&path);
	walk->place = N_PLACES + 1;
	if (!walk->status)
		walk_here(walk);
	walk->place = N_PLACES + 2;
	if (!walk->status)
		walk_guide(walk);
}
