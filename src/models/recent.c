#include "models/recent.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/sys.h"
#include "models/catalog.h"

enum { FILE_MAX = LIMIT_RECENT_MODELS * (PATH_MAX + 32) };

static enum status file_path(struct buf *path, struct error *err)
{
	enum status status = sys_user_dir(SYS_DIR_STATE, path, err);

	if (!status && buf_puts(path, "/models"))
		status = error_set(err, STATUS_LIMIT, "the path of the state directory is too long");
	return status;
}

/* "TIME<tab>PATH"; false if the line is malformed. */
static bool parse_line(const char *line, size_t len, struct recent_model *model)
{
	const char *tab = memchr(line, '\t', len);
	char number[NUMBER_TEXT_MAX];
	size_t n = tab ? (size_t)(tab - line) : 0;

	if (!tab || n >= sizeof number || len - n - 1 >= PATH_MAX || tab[1] != '/')
		return false;
	memcpy(number, line, n);
	number[n] = '\0';
	if (!number_parse_int(number, &model->time) || memchr(tab, '\0', len - n))
		return false;
	model->path = alloc_strndup(tab + 1, len - n - 1);
	return model->path != NULL;
}

enum status recent_load(struct recent_model **models, size_t *n, struct error *err)
{
	enum status status;
	struct buf path;
	char *text = NULL;
	size_t len = 0;

	*n = 0;
	*models = alloc_array(LIMIT_RECENT_MODELS, sizeof **models);
	if (!*models)
		return error_set(err, STATUS_NOMEM, "not enough memory");
	buf_init(&path, KIB(64));
	status = file_path(&path, err);
	if (!status)
		status = sys_read_file(buf_text(&path), FILE_MAX, &text, &len, err);
	for (size_t at = 0; at < len && *n < LIMIT_RECENT_MODELS;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t line = end ? (size_t)(end - (text + at)) : len - at;

		if (parse_line(text + at, line, &(*models)[*n]))
			++*n;
		at += line + 1;
	}
	free(text);
	buf_free(&path);
	return status == STATUS_NOTFOUND ? STATUS_OK : status;
}

void recent_free(struct recent_model *models, size_t n)
{
	for (size_t i = 0; models && i < n; i++)
		free(models[i].path);
	free(models);
}

/* Links are not resolved: in a cache, a link's name says more than its target's. */
static enum status absolute_path(struct buf *out, const char *path, struct error *err)
{
	char folder[PATH_MAX];

	if (path[0] != '/' && !getcwd(folder, sizeof folder))
		return error_errno(err, errno, "cannot find out the current directory");
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	if (path[0] != '/')
		buf_printf(out, "%s/", folder);
	buf_puts(out, path);
	if (buf_status(out) || out->len >= PATH_MAX || strchr(buf_text(out), '\n'))
		return error_set(err, STATUS_LIMIT, "%.200s: this path cannot be remembered", path);
	return STATUS_OK;
}

enum status recent_add(const struct io_ops *io, const char *path, int64_t time, struct error *err)
{
	struct recent_model *models = NULL;
	struct buf file, whole, text;
	size_t n = 0, kept = 1;
	enum status status;
	int error;

	buf_init(&file, KIB(64));
	buf_init(&whole, KIB(64));
	buf_init(&text, FILE_MAX);
	(void)((status = absolute_path(&whole, path, err)) ||
	       (status = sys_user_dir(SYS_DIR_STATE, &file, err)) ||
	       (status = sys_make_dirs(buf_text(&file), err)));
	buf_clear(&file);
	if (!status)
		status = file_path(&file, err);
	if (!status) { /* what is no such list is replaced; what cannot be read now may be read later */
		status = recent_load(&models, &n, err);
		if (status == STATUS_LIMIT)
			status = STATUS_OK;
	}
	if (!status) {
		buf_printf(&text, "%" PRId64 "\t%s\n", time, buf_text(&whole));
		for (size_t i = 0; i < n && kept < LIMIT_RECENT_MODELS; i++)
			if (strcmp(models[i].path, buf_text(&whole)) != 0) {
				buf_printf(&text, "%" PRId64 "\t%s\n", models[i].time, models[i].path);
				kept++;
			}
		error = buf_status(&text) ? 0 : file_replace(io, buf_text(&file), text.data, text.len);
		if (buf_status(&text))
			status = error_set(err, STATUS_NOMEM, "not enough memory");
		else if (error)
			status = error_errno(err, error, "%s: cannot write", buf_text(&file));
	}
	recent_free(models, n);
	buf_free(&text);
	buf_free(&whole);
	buf_free(&file);
	return status;
}

enum status catalog_remember(const char *path, struct error *err)
{
	return recent_add(&io_system, path, sys_wall_time(), err);
}
