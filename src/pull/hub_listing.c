#include "pull/hub_listing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/json_walk.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/sanitize.h"

bool hub_is_hex(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (number_digit(text[i]) >= 16)
			return false;
	return !text[len];
}

/* One part of a path, between slashes. */
static const char *wrong_part(const char *part, size_t len)
{
	if (!len)
		return "an empty part";
	if (len > 255)
		return "a part of more than 255 bytes";
	if ((len == 1 && part[0] == '.') || (len == 2 && part[0] == '.' && part[1] == '.'))
		return "a part that leads elsewhere";
	return NULL;
}

bool hub_is_path(const char *path, size_t len, const char **why)
{
	size_t depth = 0;

	*why = NULL;
	if (strlen(path) != len || sanitize_has_controls(path, len))
		*why = "control characters";
	else if (len > LIMIT_PULL_PATH)
		*why = "more than 1024 bytes";
	else if (strchr(path, '\\'))
		*why = "a backslash";
	for (const char *at = path; !*why;) {
		size_t n = strcspn(at, "/");

		*why = wrong_part(at, n);
		if (!*why && ++depth > LIMIT_PULL_DEPTH + 1)
			*why = "more than 16 folders in each other";
		if (!at[n])
			break;
		at += n + 1;
	}
	return !*why;
}

void hub_free_files(struct hub_files *files)
{
	for (size_t i = 0; i < files->n; i++)
		free(files->files[i].path);
	free(files->files);
	*files = (struct hub_files){0};
}

/* ---- an entry ---- */

/* As it is read: some come before others. */
struct entry {
	bool is_file, has_size, has_lfs, has_lfs_size, is_size_wrong;
	char *path; /* owned */
	size_t path_len;
	uint64_t size, lfs_size;
	char oid[DIGEST_TEXT_MAX + 1], lfs_oid[DIGEST_TEXT_MAX + 1]; /* longer ones are cut to be wrong */
};

static enum status refuse(const struct entry *entry, const char *what, const char *wanted, struct error *err)
{
	return error_set(err, STATUS_FORMAT, "the listing is not one: file '%.120s' has %s; %s is expected",
	                 entry->path ? entry->path : "", what, wanted);
}

static enum status check_entry(const struct entry *entry, struct error *err)
{
	const char *digest = entry->lfs_oid[0] ? entry->lfs_oid : entry->oid, *why;
	size_t digits = entry->lfs_oid[0] ? DIGEST_SHA256_LEN : DIGEST_GIT_LEN;

	if (!entry->path)
		return refuse(entry, "no path", "one", err);
	if (!hub_is_path(entry->path, entry->path_len, &why))
		return refuse(entry, why, "a plain path in the repository", err);
	if (entry->is_size_wrong || (!entry->has_size && !entry->has_lfs_size))
		return refuse(entry, entry->is_size_wrong ? "a size that is not one" : "no size", "a whole number from 0 on", err);
	if (entry->size > LIMIT_PULL_FILE || entry->lfs_size > LIMIT_PULL_FILE)
		return refuse(entry, "a size of more than 2 TiB", "less", err);
	if (entry->has_size && entry->has_lfs_size && entry->size != entry->lfs_size)
		return refuse(entry, "two sizes", "one", err);
	if (digest[0] && (strlen(digest) != digits || !hub_is_hex(digest, digits)))
		return refuse(entry, entry->lfs_oid[0] ? "an lfs.oid that is not a SHA-256" : "an oid that is not git's",
		              entry->lfs_oid[0] ? "64 hexadecimal digits" : "40 hexadecimal digits", err);
	return STATUS_OK;
}

static enum status add_entry(struct hub_files *out, struct entry *entry, struct error *err)
{
	const char *digest = entry->lfs_oid[0] ? entry->lfs_oid : entry->oid;
	enum status status = check_entry(entry, err);
	struct pull_file *file;

	if (status)
		return status;
	if (out->n == LIMIT_PULL_FILES)
		return error_set(err, STATUS_LIMIT, "the repository has more than %d files: name one of them, as in "
		                 "hf.co/OWNER/REPO/FILE.gguf", LIMIT_PULL_FILES);
	if (!alloc_grow(&out->files, &out->cap, out->n + 1, sizeof *out->files, LIMIT_PULL_FILES))
		return error_no_memory(err, "for the listing");
	file = &out->files[out->n++];
	*file = (struct pull_file){.path = entry->path, .size = entry->has_lfs_size ? entry->lfs_size : entry->size};
	for (size_t i = 0; digest[i]; i++)
		file->digest[i] = (char)tolower((unsigned char)digest[i]);
	entry->path = NULL;
	return STATUS_OK;
}

static void take_text(char *out, size_t size, const struct json_item *item)
{
	size_t n = item->len < size ? item->len : size - 1;

	if (item->kind != JSON_STRING)
		return;
	memcpy(out, item->text, n);
	out[n] = '\0';
}

static void take_size(struct entry *entry, bool *has, uint64_t *size, const struct json_item *item)
{
	*has = true;
	if (!json_read_count(item, UINT64_MAX, size))
		entry->is_size_wrong = true;
}

static enum status take_path(struct entry *entry, const struct json_item *item, struct error *err)
{
	if (item->kind != JSON_STRING)
		return STATUS_OK;
	free(entry->path);
	entry->path = alloc_strndup(item->text, item->len);
	entry->path_len = item->len;
	return entry->path ? STATUS_OK : error_no_memory(err, "for the listing");
}

/* A field of an entry: `name` as a tree has it, or as siblings have it. */
static enum status take_field(struct entry *entry, const char *name, const struct json_item *item, struct error *err)
{
	if (strcmp(name, "path") == 0 || strcmp(name, "rfilename") == 0)
		return take_path(entry, item, err);
	if (strcmp(name, "type") == 0 && item->kind == JSON_STRING)
		entry->is_file = strcmp(item->text, "file") == 0;
	else if (strcmp(name, "size") == 0 && item->kind != JSON_NULL)
		take_size(entry, &entry->has_size, &entry->size, item);
	else if (strcmp(name, "lfs.size") == 0 && item->kind != JSON_NULL)
		take_size(entry, &entry->has_lfs_size, &entry->lfs_size, item);
	else if (strcmp(name, "oid") == 0 || strcmp(name, "blobId") == 0)
		take_text(entry->oid, sizeof entry->oid, item);
	else if (strcmp(name, "lfs.oid") == 0 || strcmp(name, "lfs.sha256") == 0)
		take_text(entry->lfs_oid, sizeof entry->lfs_oid, item);
	return STATUS_OK;
}

/* ---- the tree ---- */

struct tree {
	struct hub_files *out;
	struct entry entry;
};

/* Behind the first dot; "" if there is none. */
static const char *below(const char *path)
{
	const char *dot = strchr(path, '.');

	return dot ? dot + 1 : "";
}

static enum status visit_tree(void *ctx, const char *path, const struct json_item *item, struct error *err)
{
	struct tree *tree = ctx;
	enum status status = STATUS_OK;

	if (!*path)
		return item->kind == JSON_ARRAY || item->kind == JSON_ARRAY_END
		               ? STATUS_OK
		               : error_set(err, STATUS_FORMAT, "the listing is not one: a list of files is expected");
	if (strchr(path, '.'))
		return take_field(&tree->entry, below(path), item, err);
	if (item->kind == JSON_OBJECT) {
		free(tree->entry.path);
		tree->entry = (struct entry){0};
	} else if (item->kind == JSON_OBJECT_END && tree->entry.is_file) {
		status = add_entry(tree->out, &tree->entry, err);
	}
	return status;
}

static enum status walk(struct tree *tree, const char *text, size_t len, json_visit *visit, struct error *err)
{
	enum status status = json_walk(text, len, visit, tree, err);

	free(tree->entry.path);
	return status;
}

enum status hub_read_tree(struct hub_files *out, const char *text, size_t len, struct error *err)
{
	struct tree tree = {.out = out};

	return walk(&tree, text, len, visit_tree, err);
}

static int compare_paths(const void *a, const void *b)
{
	const struct pull_file *const *left = a, *const *right = b;

	return strcmp((*left)->path, (*right)->path);
}

enum status hub_check_files(const struct hub_files *files, struct error *err)
{
	const struct pull_file **sorted = alloc_array(files->n, sizeof *sorted);
	enum status status = STATUS_OK;

	if (!sorted)
		return error_no_memory(err, "for the listing");
	for (size_t i = 0; i < files->n; i++)
		sorted[i] = &files->files[i];
	if (files->n)
		qsort(sorted, files->n, sizeof *sorted, compare_paths);
	for (size_t i = 1; i < files->n && !status; i++)
		if (strcmp(sorted[i - 1]->path, sorted[i]->path) == 0)
			status = error_set(err, STATUS_FORMAT, "the listing is not one: it has the file '%.120s' twice; once is expected",
			                   sorted[i]->path);
	free(sorted);
	return status;
}

/* ---- the model's page ---- */

struct page {
	struct tree tree; /* first: walk */
	struct hub_info *info;
};

static void take_info(struct hub_info *info, const char *path, const struct json_item *item)
{
	static const char licence[] = "license:";

	if (strcmp(path, "sha") == 0 && item->kind == JSON_STRING && item->len == HUB_COMMIT_LEN &&
	    hub_is_hex(item->text, HUB_COMMIT_LEN))
		take_text(info->commit, sizeof info->commit, item);
	else if (strcmp(path, "gated") == 0)
		info->is_gated = item->kind == JSON_STRING || item->kind == JSON_TRUE;
	else if (strcmp(path, "gguf.total") == 0)
		(void)json_read_count(item, (uint64_t)1 << 50, &info->n_params);
	else if (strcmp(path, "cardData.license") == 0 && !info->licence[0])
		take_text(info->licence, sizeof info->licence, item);
	else if (json_path_is(path, "tags.*") && item->kind == JSON_STRING && !info->licence[0] &&
	         strncmp(item->text, licence, strlen(licence)) == 0) {
		struct json_item rest = {JSON_STRING, item->text + strlen(licence), item->len - strlen(licence)};

		take_text(info->licence, sizeof info->licence, &rest);
	}
}

static enum status visit_info(void *ctx, const char *path, const struct json_item *item, struct error *err)
{
	struct page *page = ctx;
	struct entry *entry = &page->tree.entry;

	if (!*path)
		return item->kind == JSON_OBJECT || item->kind == JSON_OBJECT_END
		               ? STATUS_OK
		               : error_set(err, STATUS_FORMAT, "the answer is not one about a model");
	if (strncmp(path, "siblings.", 9) != 0 || !page->tree.out) {
		take_info(page->info, path, item);
		return STATUS_OK;
	}
	if (strchr(path + 9, '.'))
		return take_field(entry, below(path + 9), item, err);
	if (item->kind == JSON_OBJECT) {
		free(entry->path);
		*entry = (struct entry){0};
	} else if (item->kind == JSON_OBJECT_END) {
		return add_entry(page->tree.out, entry, err);
	}
	return STATUS_OK;
}

enum status hub_read_info(struct hub_info *out, struct hub_files *files, const char *text, size_t len, struct error *err)
{
	struct page page = {.tree.out = files, .info = out};

	*out = (struct hub_info){0};
	return walk(&page.tree, text, len, visit_info, err);
}

/* ---- branches and tags ---- */

struct refs {
	const char *revision;
	char commit[HUB_COMMIT_LEN + 1], first[HUB_COMMIT_LEN + 1];
	char name[256], target[HUB_COMMIT_LEN + 2]; /* of the one being read */
	struct buf names; /* of all, for the error */
};

static void end_ref(struct refs *refs, bool is_branch)
{
	bool is_commit = hub_is_hex(refs->target, HUB_COMMIT_LEN);

	if (!refs->name[0] || strlen(refs->target) != HUB_COMMIT_LEN || !is_commit)
		return;
	if (strcmp(refs->name, refs->revision) == 0 && !refs->commit[0])
		memcpy(refs->commit, refs->target, sizeof refs->commit);
	if (is_branch && !refs->first[0])
		memcpy(refs->first, refs->target, sizeof refs->first);
	(void)buf_printf(&refs->names, "%s%s", refs->names.len ? ", " : "", refs->name);
}

static enum status visit_refs(void *ctx, const char *path, const struct json_item *item, struct error *err)
{
	struct refs *refs = ctx;
	bool is_branch = strncmp(path, "branches.", 9) == 0;

	if (!*path && item->kind != JSON_OBJECT && item->kind != JSON_OBJECT_END)
		return error_set(err, STATUS_FORMAT, "the list of branches is not one");
	if (json_path_is(path, "*.*.name"))
		take_text(refs->name, sizeof refs->name, item);
	else if (json_path_is(path, "*.*.targetCommit"))
		take_text(refs->target, sizeof refs->target, item);
	else if (json_path_is(path, "*.*") && item->kind == JSON_OBJECT)
		refs->name[0] = refs->target[0] = '\0';
	else if (json_path_is(path, "*.*") && item->kind == JSON_OBJECT_END)
		end_ref(refs, is_branch);
	return STATUS_OK;
}

enum status hub_read_refs(char commit[HUB_COMMIT_LEN + 1], const char *revision, const char *text, size_t len,
                          struct error *err)
{
	struct refs refs = {.revision = revision, .names = {.max = 300}};
	enum status status = json_walk(text, len, visit_refs, &refs, err);

	if (!status && !refs.commit[0] && strcmp(revision, "main") == 0)
		memcpy(refs.commit, refs.first, sizeof refs.commit);
	if (!status && !refs.commit[0])
		status = error_set(err, STATUS_NOTFOUND, "there is no branch or tag '%.100s'; there is %s", revision,
		                   refs.names.len ? buf_text(&refs.names) : "none");
	memcpy(commit, refs.commit, sizeof refs.commit);
	for (char *c = commit; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	buf_free(&refs.names);
	return status;
}

/* ---- pages ---- */

bool hub_next_page(const char *link, const char **url, size_t *len)
{
	while (link && *link) {
		const char *open = strchr(link, '<'), *close = open ? strchr(open, '>') : NULL;
		size_t n;

		if (!close)
			return false;
		n = strcspn(close, ",");
		for (const char *at = close; at + 4 < close + n; at++)
			if (strncasecmp(at, "rel=\"next\"", 10) == 0 || strncasecmp(at, "rel=next", 8) == 0) {
				*url = open + 1;
				*len = (size_t)(close - open - 1);
				return true;
			}
		link = close + n;
	}
	return false;
}
