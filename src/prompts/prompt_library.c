/* The folders of prompt templates, read as they are now. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/data_name.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/name_list.h"
#include "base/sys.h"
#include "prompts/prompt_template.h"

struct prompt_library {
	struct prompt_template *items;
	size_t n, cap;
};

/* The folders in order of precedence. */
enum folder { FOLDER_EXTRA, FOLDER_USER, FOLDER_PACKAGE, FOLDER_COUNT };

static bool folder_path(enum folder which, const char *extra, struct buf *out)
{
	buf_clear(out);
	switch (which) {
	case FOLDER_EXTRA:
		return extra && buf_puts(out, extra) == STATUS_OK;
	case FOLDER_USER:
		return sys_user_path(SYS_DIR_CONFIG, "/prompts", out, NULL) == STATUS_OK;
	case FOLDER_PACKAGE:
		return sys_data_path("/prompts", out, NULL) == STATUS_OK;
	case FOLDER_COUNT: break;
	}
	return false;
}

static const struct prompt_template *find_exact(const struct prompt_library *library,
                                                const char *name, size_t len)
{
	for (size_t i = 0; i < library->n; i++)
		if (strlen(library->items[i].name) == len &&
		    memcmp(library->items[i].name, name, len) == 0)
			return &library->items[i];
	return NULL;
}

/* Reads a file; one that cannot be read is listed as broken. */
static enum status add_file(struct prompt_library *library, const char *path, struct error *err)
{
	struct prompt_template tmpl;
	struct error read_error;
	enum status status;
	char *text = NULL;
	size_t len = 0;

	if (!alloc_grow(&library->items, &library->cap, library->n + 1, sizeof *library->items,
	                LIMIT_PROMPT_TEMPLATES))
		return library->n < LIMIT_PROMPT_TEMPLATES
		               ? error_no_memory(err, "for the templates") : STATUS_OK;
	status = sys_read_file(path, LIMIT_YAML_BYTES, &text, &len, &read_error);
	if (status == STATUS_NOTFOUND) /* removed since the folder was read */
		return STATUS_OK;
	if (prompt_template_parse(&tmpl, path, text ? text : "", len, err)) {
		free(text);
		return STATUS_NOMEM;
	}
	free(text);
	if (status) {
		tmpl.is_broken = true;
		tmpl.error = read_error;
	}
	if (find_exact(library, tmpl.name, strlen(tmpl.name)))
		prompt_template_deinit(&tmpl);
	else
		library->items[library->n++] = tmpl;
	return STATUS_OK;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_template_file(const struct dirent *entry)
{
	return data_name_is_file(entry->d_name);
}

static enum status add_folder(struct prompt_library *library, struct buf *path, struct error *err)
{
	enum status status = STATUS_OK;
	size_t base = path->len;
	struct dirent **entries;
	int n = scandir(buf_text(path), &entries, is_template_file, by_name);

	for (int i = 0; i < n; i++) {
		buf_remove(path, base, path->len - base);
		if (!status && buf_printf(path, "/%s", entries[i]->d_name) == STATUS_OK)
			status = add_file(library, buf_text(path), err);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return status;
}

static int compare(const void *a, const void *b)
{
	const struct prompt_template *x = a, *y = b;

	return strcmp(x->name, y->name);
}

enum status prompt_library_open(struct prompt_library **out, const char *extra, struct error *err)
{
	struct prompt_library *library = alloc_array(1, sizeof *library);
	enum status status = STATUS_OK;
	struct buf path = {.max = KIB(64)};

	*out = NULL;
	if (!library)
		return error_no_memory(err, "for the templates");
	for (enum folder which = 0; which < FOLDER_COUNT && !status; which++)
		if (folder_path(which, extra, &path))
			status = add_folder(library, &path, err);
	buf_free(&path);
	if (status) {
		prompt_library_close(library);
		return status;
	}
	if (library->n)
		qsort(library->items, library->n, sizeof *library->items, compare);
	*out = library;
	return STATUS_OK;
}

void prompt_library_close(struct prompt_library *library)
{
	if (!library)
		return;
	for (size_t i = 0; i < library->n; i++)
		prompt_template_deinit(&library->items[i]);
	free(library->items);
	free(library);
}

size_t prompt_library_n(const struct prompt_library *library)
{
	return library->n;
}

const struct prompt_template *prompt_library_at(const struct prompt_library *library, size_t i)
{
	return i < library->n ? &library->items[i] : NULL;
}

/* The nearest name, or all: this is read in a shell and in the chat, which list them in their own ways. */
static enum status unknown_template(const struct prompt_library *library, const char *name, size_t len,
                                    struct error *err)
{
	struct name_list names = {.n = 0};

	for (size_t i = 0; i < library->n; i++)
		if (!name_list_add(&names, library->items[i].name, strlen(library->items[i].name)))
			break;
	return name_list_unknown(&names, "prompt template", name, len, STATUS_NOTFOUND, err);
}

enum status prompt_library_find(const struct prompt_library *library, const char *name, size_t len,
                                const struct prompt_template **out, struct error *err)
{
	*out = find_exact(library, name, len);
	if (*out && (*out)->is_broken)
		return error_set(err, STATUS_CONFIG, "%s", (*out)->error.text);
	if (*out)
		return STATUS_OK;
	return unknown_template(library, name, len, err);
}

/* A hash is good enough: nobody gains from making a changed file look unchanged. */
static uint64_t mix_folder(uint64_t hash, struct buf *path)
{
	size_t base = path->len;
	struct dirent **entries;
	int n = scandir(buf_text(path), &entries, is_template_file, by_name);

	for (int i = 0; i < n; i++) {
		struct stat st;

		buf_remove(path, base, path->len - base);
		if (buf_printf(path, "/%s", entries[i]->d_name) == STATUS_OK &&
		    stat(buf_text(path), &st) == 0) {
			const int64_t facts[] = {st.st_mtim.tv_sec, st.st_mtim.tv_nsec, st.st_size,
			                         (int64_t)st.st_ino};

			hash = hash_more(hash, buf_text(path), path->len);
			hash = hash_more(hash, facts, sizeof facts);
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return hash;
}

uint64_t prompt_library_stamp(const char *extra)
{
	uint64_t hash = HASH_BEGIN;
	struct buf path = {.max = KIB(64)};

	for (enum folder which = 0; which < FOLDER_COUNT; which++)
		if (folder_path(which, extra, &path))
			hash = mix_folder(hash, &path);
	buf_free(&path);
	return hash;
}

enum status prompt_library_open_for(struct prompt_library **out, const char *extra,
                                    const char *name, size_t len,
                                    const struct prompt_template **tmpl, struct error *err)
{
	enum status status = prompt_library_open(out, extra, err);

	if (!status)
		status = prompt_library_find(*out, name, len, tmpl, err);
	if (status) {
		prompt_library_close(*out);
		*out = NULL;
	}
	return status;
}

enum status prompt_library_open_call(struct prompt_library **out, const char *extra,
                                     const char *call, struct prompt_values *values,
                                     const struct prompt_template **tmpl, struct error *err)
{
	enum status status;
	struct buf name = {.max = LIMIT_MESSAGE};

	*out = NULL;
	status = prompt_parse_call(call, strlen(call), &name, values, err);
	if (!status)
		status = prompt_library_open_for(out, extra, buf_text(&name), name.len, tmpl, err);
	buf_free(&name);
	return status;
}
