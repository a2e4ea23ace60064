/* Models in the hub's cache: models--OWNER--REPO/{blobs,snapshots,refs}. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "base/text_ends.h"
#include "pull/choose.h"
#include "pull/hub_cache.h"
#include "pull/hub_key.h"
#include "pull/offer.h"
#include "pull/stored_model.h"

/* ---- folders ---- */

enum status stored_list_folder(struct name_list *out, const char *path, struct error *err)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	enum status status = STATUS_OK;

	if (!dir)
		return errno == ENOENT || errno == ENOTDIR ? STATUS_OK : error_errno(err, errno, "%s: cannot be read", path);
	while (!status && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		if (out->n == LIMIT_PULL_FILES)
			status = error_set(err, STATUS_LIMIT, "%s: there are too many files", path);
		else if (!name_list_add(out, entry->d_name, strlen(entry->d_name)))
			status = error_no_memory(err, NULL);
	}
	closedir(dir);
	if (out->n)
		name_list_sort(out);
	return status;
}

struct file_walk {
	size_t start; /* bytes of the path before what is within the snapshot */
	size_t n;
	stored_visit *visit;
	void *ctx;
};

static enum status visit_folder(struct file_walk *walk, const char *path, int depth, struct error *err)
{
	struct buf name = {.max = PATH_MAX};
	struct name_list names = {0};
	struct stat st;
	enum status status = stored_list_folder(&names, path, err);

	for (size_t i = 0; i < names.n && !status; i++) {
		buf_clear(&name);
		if (buf_printf(&name, "%s/%s", path, names.items[i]) || lstat(buf_text(&name), &st) != 0)
			continue;
		if (walk->n++ == LIMIT_PULL_FILES || depth > LIMIT_PULL_DEPTH)
			status = error_set(err, STATUS_LIMIT, "%s: there are too many files", path);
		else if (S_ISDIR(st.st_mode))
			status = visit_folder(walk, buf_text(&name), depth + 1, err);
		else
			status = walk->visit(walk->ctx, buf_text(&name), buf_text(&name) + walk->start, err);
	}
	name_list_free(&names);
	buf_free(&name);
	return status;
}

enum status stored_each_file(const char *snapshot, stored_visit *visit, void *ctx, struct error *err)
{
	struct file_walk walk = {.start = strlen(snapshot) + 1, .visit = visit, .ctx = ctx};

	return visit_folder(&walk, snapshot, 0, err);
}

/* ---- links ---- */

/* Joins a folder and a relative path by their words alone, as "..": the folders of a snapshot are no links. */
static bool join(struct buf *out, const char *folder, const char *link)
{
	buf_clear(out);
	if (link[0] != '/')
		buf_puts(out, folder);
	while (*link) {
		size_t n = strcspn(link, "/");

		if (n == 2 && strncmp(link, "..", 2) == 0) {
			while (out->len && out->data[out->len - 1] != '/')
				out->len--;
			if (!out->len)
				return false;
			out->data[--out->len] = '\0';
		} else if (n && !(n == 1 && link[0] == '.')) {
			buf_printf(out, "/%.*s", (int)n, link);
		}
		link += n + (link[n] == '/');
	}
	return buf_status(out) == STATUS_OK;
}

enum status stored_hub_target(struct buf *out, const char *repository, const char *path, struct error *err)
{
	char link[PATH_MAX], folder[PATH_MAX];
	ssize_t n = readlink(path, link, sizeof link - 1);
	size_t len = strlen(repository), dir = (size_t)(strrchr(path, '/') - path);
	struct stat st;

	buf_clear(out);
	if (n < 0)
		return lstat(path, &st) == 0 ? STATUS_OK : error_set(err, STATUS_NOTFOUND, "%s: there is no such file", path);
	link[n] = '\0';
	if (dir >= sizeof folder)
		return error_set(err, STATUS_LIMIT, "%s: the path is too long", path);
	memcpy(folder, path, dir);
	folder[dir] = '\0';
	if (!join(out, folder, link) || strncmp(buf_text(out), repository, len) != 0 ||
	    strncmp(buf_text(out) + len, "/blobs/", 7) != 0 || strchr(buf_text(out) + len + 7, '/') || !out->data[len + 7])
		return error_set(err, STATUS_DECLINED, "%.200s is a link that leads out of its folder, to %.200s", path, link);
	return STATUS_OK;
}

/* ---- finding ---- */

/* The files of a snapshot as an offer. */
struct listing {
	struct pull_offer *offer;
	size_t cap;
};

static enum status take_file(void *ctx, const char *path, const char *within, struct error *err)
{
	struct listing *listing = ctx;
	struct pull_offer *offer = listing->offer;
	struct pull_file *file;
	struct stat st;

	if ((!choose_is_folder(&offer->name) && !text_has_extension(within, ".gguf")) || stat(path, &st) != 0 ||
	    !S_ISREG(st.st_mode))
		return STATUS_OK;
	if (!alloc_grow(&offer->files, &listing->cap, offer->n_files + 1, sizeof *offer->files, LIMIT_PULL_FILES))
		return error_no_memory(err, NULL);
	file = &offer->files[offer->n_files];
	*file = (struct pull_file){.path = alloc_strndup(within, strlen(within)), .size = (uint64_t)st.st_size};
	offer->n_files += file->path != NULL;
	return file->path ? STATUS_OK : error_no_memory(err, NULL);
}

static enum status take_choice(struct stored_model *out, const char *repository, const char *snapshot,
                               const struct pull_offer *offer, struct error *err)
{
	const struct pull_choice *choice = &offer->choices[offer->chosen];
	struct buf path = {.max = PATH_MAX};
	enum status status = stored_copy(&out->root, repository, err);

	out->kind = STORED_HUB;
	out->is_folder = choose_is_folder(&offer->name);
	for (size_t i = 0; i < choice->n && !status; i++) {
		const char *within = offer->files[choice->first + i].path;

		if (!name_list_add(&out->files, within, strlen(within)))
			status = error_no_memory(err, NULL);
	}
	if (!status && buf_printf(&path, "%s%s%s", snapshot, out->is_folder ? "" : "/",
	                          out->is_folder ? "" : offer->files[choice->first].path))
		status = error_set(err, STATUS_LIMIT, "the path of the model is too long");
	if (!status)
		status = stored_copy(&out->path, buf_text(&path), err);
	buf_free(&path);
	return status;
}

static enum status find_in_snapshot(struct stored_model *out, const char *name, const char *repository,
                                    const char *snapshot, struct error *err)
{
	static const struct pull_machine any = {0};
	struct pull_offer offer = {0};
	struct listing listing = {.offer = &offer};
	enum status status = pull_name_parse(&offer.name, name, err);

	if (!status)
		status = stored_each_file(snapshot, take_file, &listing, err);
	if (!status)
		status = pull_choose(&offer, &any, err);
	if (!status && offer.n_choices == 0)
		status = error_set(err, STATUS_NOTFOUND, "there is no GGUF file in %s", snapshot);
	if (!status)
		status = take_choice(out, repository, snapshot, &offer, err);
	pull_offer_free(&offer);
	return status;
}

/* The commit that a branch is at, if the text is one. */
static enum status read_ref(char **out, const char *repository, const char *revision)
{
	struct buf path = {.max = PATH_MAX};
	size_t len;
	enum status status;

	*out = NULL;
	buf_printf(&path, "%s/refs/%s", repository, revision);
	status = buf_status(&path) ? buf_status(&path) : sys_read_file(buf_text(&path), 256, out, &len, NULL);
	if (!status) {
		while (len && isspace((unsigned char)(*out)[len - 1]))
			(*out)[--len] = '\0';
		if (!len || strlen(*out) != len || strchr(*out, '/') || (*out)[0] == '.') {
			free(*out);
			*out = NULL;
		}
	}
	buf_free(&path);
	return status == STATUS_NOMEM ? status : STATUS_OK;
}

static int64_t changed(const char *snapshot)
{
	struct stat st;

	return stat(snapshot, &st) == 0 ? (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec : 0;
}

/* Puts the snapshots in the order in which they are looked at: the ref's, then the latest. */
static void order(struct name_list *names, const char *folder, const char *first)
{
	struct buf a = {.max = PATH_MAX}, b = {.max = PATH_MAX};

	for (size_t i = 1; i < names->n; i++)
		for (size_t j = i; j > 0; j--) {
			char *swap = names->items[j];

			buf_clear(&a);
			buf_clear(&b);
			buf_printf(&a, "%s/%s", folder, names->items[j - 1]);
			buf_printf(&b, "%s/%s", folder, swap);
			if ((first && strcmp(names->items[j - 1], first) == 0) ||
			    (!(first && strcmp(swap, first) == 0) && changed(buf_text(&a)) >= changed(buf_text(&b))))
				break;
			names->items[j] = names->items[j - 1];
			names->items[j - 1] = swap;
		}
	buf_free(&a);
	buf_free(&b);
}

/* `revision` NULL: any, the one of main first. */
static enum status find_in_repository(struct stored_model *out, const char *name, const char *repository,
                                      const char *revision, struct error *err)
{
	struct buf folder = {.max = PATH_MAX}, snapshot = {.max = PATH_MAX};
	struct name_list names = {0};
	char *commit = NULL;
	enum status status;

	buf_printf(&folder, "%s/snapshots", repository);
	status = read_ref(&commit, repository, revision ? revision : "main");
	if (!status)
		status = stored_list_folder(&names, buf_text(&folder), err);
	if (!status) {
		order(&names, buf_text(&folder), commit);
		status = error_set(err, STATUS_NOTFOUND, "it is not on this machine");
	}
	for (size_t i = 0; i < names.n && status == STATUS_NOTFOUND; i++) {
		const char *is = names.items[i];

		if (revision && strcmp(is, revision) != 0 && !(commit && strcmp(is, commit) == 0))
			continue;
		buf_clear(&snapshot);
		stored_model_free(out);
		if (!buf_printf(&snapshot, "%s/%s", buf_text(&folder), is))
			status = find_in_snapshot(out, name, repository, buf_text(&snapshot), err);
	}
	name_list_free(&names);
	free(commit);
	buf_free(&folder);
	buf_free(&snapshot);
	return status;
}

enum status stored_find_hub(struct stored_model *out, const char *text, struct error *err)
{
	struct buf cache = {.max = PATH_MAX}, repository = {.max = PATH_MAX};
	struct pull_name name = {0};
	enum status status = pull_name_parse(&name, text, err);
	/* A name without a revision means main; what is here of another one is as good. */
	const char *revision = name.revision && strcmp(name.revision, "main") != 0 ? name.revision : NULL;

	if (!status)
		status = error_set(err, STATUS_NOTFOUND, "it is not on this machine");
	for (size_t i = 0; status == STATUS_NOTFOUND && hub_cache_any(&cache, i); i++) {
		if (!cache.len)
			continue;
		buf_clear(&repository);
		buf_printf(&repository, "%s/", buf_text(&cache));
		hub_cache_put_name(&repository, name.repository);
		if (!buf_status(&repository))
			status = find_in_repository(out, text, buf_text(&repository), revision, err);
	}
	pull_name_free(&name);
	buf_free(&cache);
	buf_free(&repository);
	return status;
}

/* ---- by path ---- */

bool stored_hub_split(const char *path, size_t *repository, size_t *within)
{
	static const char start[] = "/models--", middle[] = "/snapshots/";
	const char *at = path, *last = NULL, *commit, *slash;

	while ((at = strstr(at, start))) {
		last = at;
		at += 1;
	}
	slash = last ? strchr(last + 1, '/') : NULL;
	if (!slash || strncmp(slash, middle, strlen(middle)) != 0)
		return false;
	*repository = (size_t)(slash - path);
	commit = slash + strlen(middle);
	slash = strchr(commit, '/');
	if (!slash || slash == commit || !slash[1])
		return false;
	*within = (size_t)(slash + 1 - path);
	return true;
}

enum status stored_of_hub_path(struct stored_model *out, const char *path, bool *is, struct error *err)
{
	size_t repository, within;
	char *root;
	enum status status;

	*is = stored_hub_split(path, &repository, &within);
	if (!*is)
		return STATUS_OK;
	out->kind = STORED_HUB;
	root = alloc_strndup(path, repository);
	status = root ? stored_copy(&out->root, root, err) : error_no_memory(err, NULL);
	free(root);
	if (!status)
		status = stored_copy(&out->path, path, err);
	return status ? status : stored_add_parts(out, path, within, err);
}
