#include "catalog/recent.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/server_path.h"
#include "base/sys.h"
#include "catalog/catalog.h"
#include "turn/engine_params.h"

enum { FILE_MAX = LIMIT_RECENT_MODELS * (PATH_MAX + 64) };

static const char list_name[] = "/models"; /* in the state directory */

/* "TIME FINGERPRINT<tab>PATH" or "TIME<tab>PATH"; false if the line is malformed. */
static bool parse_line(const char *line, size_t len, struct recent_model *model)
{
	const char *tab = memchr(line, '\t', len);
	char head[NUMBER_TEXT_MAX + sizeof model->file], *file;
	size_t n = tab ? (size_t)(tab - line) : 0;

	if (!tab || n >= sizeof head || len - n - 1 >= PATH_MAX)
		return false;
	memcpy(head, line, n);
	head[n] = '\0';
	file = strchr(head, ' ');
	if (file)
		*file++ = '\0';
	snprintf(model->file, sizeof model->file, "%s", file ? file : "");
	if (!number_parse_int(head, &model->time) || memchr(tab, '\0', len - n))
		return false;
	model->path = alloc_strndup(tab + 1, len - n - 1);
	if (model->path && (model->path[0] == '/' || server_path_is(model->path)))
		return true;
	free(model->path);
	model->path = NULL;
	return false;
}

enum status recent_load(struct recent_model **models, size_t *n, struct error *err)
{
	enum status status;
	struct buf path = {.max = KIB(64)};
	char *text = NULL;
	size_t len = 0;

	*n = 0;
	*models = alloc_array(LIMIT_RECENT_MODELS, sizeof **models);
	if (!*models)
		return error_no_memory(err, NULL);
	status = sys_user_path(SYS_DIR_STATE, list_name, &path, err);
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
	return status == STATUS_NOTFOUND || status == STATUS_LIMIT ? STATUS_OK : status;
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
	bool is_relative = path[0] != '/' && !server_path_is(path);
	char folder[PATH_MAX];

	if (is_relative && !getcwd(folder, sizeof folder))
		return error_errno(err, errno, "cannot find out the current folder");
	if (is_relative)
		buf_printf(out, "%s/", folder);
	while (path[0] == '.' && path[1] == '/')
		path += 1 + strspn(path + 1, "/");
	buf_puts(out, path);
	if (buf_status(out) || out->len >= PATH_MAX || strchr(buf_text(out), '\n'))
		return error_set(err, STATUS_LIMIT, "%.200s: this path cannot be remembered", path);
	return STATUS_OK;
}

static void put_line(struct buf *out, int64_t time, const char *file, const char *path)
{
	buf_printf(out, "%" PRId64 "%s%s\t%s\n", time, file[0] ? " " : "", file, path);
}

enum status recent_add(const struct io_ops *io, const char *path, const char *file_id, int64_t time,
                       struct error *err)
{
	struct recent_model *models = NULL;
	struct buf file = {.max = KIB(64)}, whole = {.max = KIB(64)}, text = {.max = FILE_MAX};
	size_t n = 0, kept = 1;
	enum status status;
	int error;

	(void)((status = absolute_path(&whole, path, err)) ||
	       (status = sys_user_path(SYS_DIR_STATE, "", &file, err)) ||
	       (status = sys_make_dirs(buf_text(&file), err)) ||
	       (status = recent_load(&models, &n, err)));
	buf_puts(&file, list_name);
	put_line(&text, time, file_id, buf_text(&whole));
	for (size_t i = 0; i < n && kept < LIMIT_RECENT_MODELS; i++)
		if (strcmp(models[i].path, buf_text(&whole)) != 0) {
			put_line(&text, models[i].time, models[i].file, models[i].path);
			kept++;
		}
	if (!status && (buf_status(&text) || buf_status(&file)))
		status = error_no_memory(err, NULL);
	if (!status && (error = file_replace(io, buf_text(&file), text.data, text.len)))
		status = error_errno(err, error, "%s: cannot write", buf_text(&file));
	recent_free(models, n);
	buf_free(&text);
	buf_free(&whole);
	buf_free(&file);
	return status;
}

/* Whether a model is where its path says, as far as this machine knows. */
static enum status check_there(const char *path, struct error *err)
{
	struct stat st;

	if (server_path_is(path)) /* opening it says more */
		return STATUS_OK;
	if (stat(path, &st) != 0 || access(path, R_OK) != 0)
		return error_errno(err, errno, "%s", path);
	return S_ISREG(st.st_mode) ? STATUS_OK
	                           : error_set(err, STATUS_NOTFOUND, "%s: not a regular file", path);
}

enum status catalog_remember(const char *path, const struct model_identity *identity, struct error *err)
{
	if (check_there(path, NULL))
		return STATUS_OK;
	return recent_add(&io_system, path, identity->file, sys_wall_time(), err);
}

enum status catalog_recall(struct buf *out, const char *file, const char *name, struct error *err)
{
	enum status status = error_set(err, STATUS_NOTFOUND, "where its file is was not recorded");
	struct recent_model *models;
	size_t n;

	if (recent_load(&models, &n, NULL))
		n = 0; /* an unreadable list counts as empty */
	for (size_t i = 0; i < n && status; i++) {
		if (file && strcmp(models[i].file, file) != 0)
			continue;
		if (!out->len) /* a copy elsewhere may still be there: the first one is what is missed */
			buf_puts(out, models[i].path);
		if (check_there(models[i].path, NULL) == STATUS_OK) {
			buf_clear(out);
			status = buf_puts(out, models[i].path);
		}
		if (!file)
			break;
	}
	recent_free(models, n);
	if (status && out->len)
		return check_there(buf_text(out), err);
	return status && name && strcmp(name, CATALOG_GUIDE) == 0 ? catalog_guide_path(out, err) : status;
}
