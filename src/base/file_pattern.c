#include "base/file_pattern.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"

struct pattern_search {
	struct name_list *found;
	size_t max;     /* files */
	size_t n_seen;  /* names in folders */
	struct buf path; /* of the part that has been matched: "", "/", "src/" */
	const char *pattern; /* the whole one, for errors */
	struct error *err;
};

bool file_pattern_has_wildcards(const char *path)
{
	return strpbrk(path, "*?[") != NULL;
}

static enum status add(struct pattern_search *search)
{
	if (search->found->n == search->max)
		return error_set(search->err, STATUS_LIMIT, "%s: matches more than %zu files", search->pattern,
		                 search->max);
	if (!name_list_add(search->found, buf_text(&search->path), search->path.len))
		return error_no_memory(search->err, "for the names of files");
	return STATUS_OK;
}

static enum status match_parts(struct pattern_search *search, const char *rest, size_t depth);

/* Whether the pattern's part is **. */
static bool is_any(const char *part)
{
	return part[0] == '*' && part[1] == '*' && (part[2] == '/' || !part[2]);
}

/* Looks at one name of a folder for the pattern's part [rest, rest + part). `any`: the part is **. */
static enum status match_name(struct pattern_search *search, const char *name, const char *part,
                              const char *rest, size_t depth, bool any)
{
	const char *behind = rest[0] == '/' ? rest + strspn(rest, "/") : rest;
	size_t len = search->path.len;
	enum status status = STATUS_OK;
	struct stat st;
	bool is_last = !*behind;

	if (++search->n_seen > LIMIT_PATTERN_NAMES)
		return error_set(search->err, STATUS_LIMIT, "%s: too broad: more than %d names would have to be looked at",
		                 search->pattern, LIMIT_PATTERN_NAMES);
	if (any ? name[0] == '.' : fnmatch(part, name, FNM_PERIOD) != 0)
		return STATUS_OK;
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return STATUS_OK;
	buf_puts(&search->path, name);
	if (buf_status(&search->path)) { /* longer than any path may be */
		search->path.status = STATUS_OK;
	} else if ((any ? lstat : stat)(buf_text(&search->path), &st) == 0) {
		if (S_ISREG(st.st_mode) && is_last)
			status = add(search);
		if (S_ISDIR(st.st_mode) && (any || !is_last)) {
			buf_putc(&search->path, '/');
			if (!buf_status(&search->path))
				status = match_parts(search, any ? part : behind, depth + 1);
			search->path.status = STATUS_OK;
		}
	}
	buf_remove(&search->path, len, search->path.len - len);
	return status;
}

/* Goes through the folder that has been matched. `part` is the pattern from this part on. */
static enum status match_folder(struct pattern_search *search, const char *part, size_t depth)
{
	size_t n = strcspn(part, "/");
	bool any = is_any(part);
	char *word = alloc_strndup(part, n);
	enum status status = STATUS_OK;
	struct dirent *entry;
	DIR *folder;

	if (!word)
		return error_no_memory(search->err, "for the names of files");
	folder = opendir(search->path.len ? buf_text(&search->path) : ".");
	while (folder && !status && (entry = readdir(folder)))
		status = match_name(search, entry->d_name, any ? part : word, part + n, depth, any);
	if (folder)
		closedir(folder);
	free(word);
	return status;
}

/* The pattern from `rest` on, in the folder that has been matched so far. */
static enum status match_parts(struct pattern_search *search, const char *rest, size_t depth)
{
	size_t n = strcspn(rest, "/"), len = search->path.len;
	enum status status = STATUS_OK;

	if (depth > LIMIT_PATTERN_DEPTH)
		return STATUS_OK;
	if (is_any(rest)) {
		const char *behind = rest + n + strspn(rest + n, "/");

		while (is_any(behind)) { /* the same as one */
			rest = behind;
			behind += 2 + strspn(behind + 2, "/");
		}
		if (*behind) /* no folder at all */
			status = match_parts(search, behind, depth);
		return status ? status : match_folder(search, rest, depth);
	}
	if (memchr(rest, '*', n) || memchr(rest, '?', n) || memchr(rest, '[', n))
		return match_folder(search, rest, depth);
	/* A plain name, with the slashes behind it. */
	buf_append(&search->path, rest, n);
	rest += n;
	if (*rest) {
		buf_putc(&search->path, '/');
		rest += strspn(rest, "/");
	}
	if (!buf_status(&search->path)) {
		struct stat st;

		if (*rest)
			status = match_parts(search, rest, depth + 1);
		else if (stat(buf_text(&search->path), &st) == 0 && S_ISREG(st.st_mode))
			status = add(search);
	}
	search->path.status = STATUS_OK;
	buf_remove(&search->path, len, search->path.len - len);
	return status;
}

enum status file_pattern_expand(struct name_list *out, const char *pattern, size_t max,
                                struct error *err)
{
	struct pattern_search search = {.found = out, .max = max, .pattern = pattern, .err = err};
	enum status status;

	buf_init(&search.path, KIB(4));
	status = match_parts(&search, pattern, 0);
	buf_free(&search.path);
	name_list_sort(out); /* two ** in one pattern find a file in several ways */
	return status;
}
