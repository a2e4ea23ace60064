/* The folders of prompt templates, read as they are now. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
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
	return which == FOLDER_EXTRA  ? extra && !buf_puts(out, extra)
	       : which == FOLDER_USER ? !sys_user_path(SYS_DIR_CONFIG, "/prompts", out, NULL)
	                              : !sys_data_path("/prompts", out, NULL);
}

/* Calls `visit` with the path of each file, those of an earlier folder first. */
static enum status visit_files(const char *extra,
                               enum status (*visit)(void *ctx, const char *path, struct error *err),
                               void *ctx, struct error *err)
{
	enum status status = STATUS_OK;
	struct buf path = {.max = KIB(64)};

	for (enum folder which = 0; which < FOLDER_COUNT && !status; which++) {
		struct name_list names = {.n = 0};
		size_t base;

		if (!folder_path(which, extra, &path))
			continue;
		name_list_add_folder(&names, buf_text(&path));
		name_list_sort(&names);
		base = path.len;
		for (size_t i = 0; i < names.n && !status; i++) {
			buf_remove(&path, base, SIZE_MAX);
			if (!buf_printf(&path, "/%s.yaml", names.items[i]))
				status = visit(ctx, buf_text(&path), err);
		}
		name_list_free(&names);
	}
	buf_free(&path);
	return status;
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
static enum status add_file(void *ctx, const char *path, struct error *err)
{
	struct prompt_library *library = ctx;
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

static int compare(const void *a, const void *b)
{
	const struct prompt_template *x = a, *y = b;

	return strcmp(x->name, y->name);
}

enum status prompt_library_open(struct prompt_library **out, const char *extra, struct error *err)
{
	struct prompt_library *library = *out = alloc_array(1, sizeof *library);
	enum status status = library ? visit_files(extra, add_file, library, err)
	                             : error_no_memory(err, "for the templates");

	if (status) {
		prompt_library_close(library);
		*out = NULL;
	} else if (library->n) {
		qsort(library->items, library->n, sizeof *library->items, compare);
	}
	return status;
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

/* A hash is good enough: nobody gains from making a changed file look unchanged. */
static enum status mix_file(void *ctx, const char *path, struct error *err)
{
	uint64_t *hash = ctx;
	struct stat st;

	(void)err;
	if (stat(path, &st) == 0) {
		const int64_t facts[] = {st.st_mtim.tv_sec, st.st_mtim.tv_nsec, st.st_size, (int64_t)st.st_ino};

		*hash = hash_more(hash_more(*hash, path, strlen(path)), facts, sizeof facts);
	}
	return STATUS_OK;
}

uint64_t prompt_library_stamp(const char *extra)
{
	uint64_t hash = HASH_BEGIN;

	(void)!visit_files(extra, mix_file, &hash, NULL);
	return hash;
}

static enum status find_usable(const struct prompt_library *library, const char *name, size_t len,
                               const struct prompt_template **out, struct error *err)
{
	struct name_list names = {.n = 0};

	*out = find_exact(library, name, len);
	if (*out)
		return (*out)->is_broken ? error_set(err, STATUS_CONFIG, "%s", (*out)->error.text) : STATUS_OK;
	/* The nearest name, or all: this is read in a shell and in the chat, which list them in their own ways. */
	for (size_t i = 0; i < library->n; i++)
		if (!name_list_add(&names, library->items[i].name, strlen(library->items[i].name)))
			break;
	return name_list_unknown(&names, "prompt template", name, len, STATUS_NOTFOUND, err);
}

enum status prompt_library_open_for(struct prompt_library **out, const char *extra,
                                    const char *name, size_t len,
                                    const struct prompt_template **tmpl, struct error *err)
{
	enum status status = prompt_library_open(out, extra, err);

	if (!status)
		status = find_usable(*out, name, len, tmpl, err);
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
