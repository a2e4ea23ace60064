/* Under which licence a model is: the texts that come beside it, and what its file says. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/text_file.h"
#include "catalog/beside.h"
#include "gguf/reader.h"
#include "pull/stored_model.h"

/* What general.* says: "apache-2.0", its name and where its text is, a line each. */
static enum status put_keys(struct buf *out, const char *path, struct error *err)
{
	static const char *const keys[] = {"general.license", "general.license.name", "general.license.link"};
	struct buf file = {.max = PATH_MAX};
	struct gguf_string text;
	struct gguf *gguf = NULL;
	enum status status = beside_model_path(&file, path, err);

	if (!status)
		status = gguf_open(&gguf, buf_text(&file), err);
	for (size_t i = 0; i < sizeof keys / sizeof keys[0] && !status; i++)
		if (!gguf_get_string(gguf, keys[i], &text, NULL) && text.len > 0) {
			buf_append(out, text.data, text.len);
			buf_putc(out, '\n');
		}
	gguf_close(gguf);
	buf_free(&file);
	return status;
}

/* "LICENSE", "LICENCE.txt", "license.md" ... */
static bool is_licence_name(const char *name)
{
	return strncasecmp(name, "licen", 5) == 0 && (tolower((unsigned char)name[5]) == 's' ||
	                                              tolower((unsigned char)name[5]) == 'c') &&
	       tolower((unsigned char)name[6]) == 'e';
}

static enum status visit(void *ctx, const char *path, const char *within, struct error *err)
{
	struct buf *out = ctx;
	char *text;
	size_t len;

	(void)err;
	if (!is_licence_name(within) || text_file_read(path, LIMIT_OLLAMA_TEXT, &text, &len, NULL))
		return STATUS_OK;
	buf_puts(out, out->len ? "\n" : "");
	buf_append(out, text, len);
	free(text);
	return STATUS_OK;
}

/* Files of the snapshot that are called so. */
static enum status put_files(struct buf *out, const struct stored_model *model, struct error *err)
{
	struct buf snapshot = {.max = PATH_MAX};
	enum status status = STATUS_OK;

	if (!stored_put_snapshot(&snapshot, model))
		status = stored_each_file(buf_text(&snapshot), visit, out, err);
	buf_free(&snapshot);
	return status;
}

static enum status put_beside(struct buf *out, const struct stored_model *model, struct error *err)
{
	enum status status = STATUS_OK;

	if (model->kind == STORED_OLLAMA && model->manifest)
		status = beside_put_licence(out, model->manifest, err);
	else if (model->kind == STORED_HUB)
		status = put_files(out, model, err);
	return status == STATUS_NOTFOUND ? STATUS_OK : status;
}

enum status stored_licence(struct buf *out, const char *name, struct error *err)
{
	struct buf guide = {.max = PATH_MAX};
	struct stored_model model;
	enum status status = stored_open(&model, name, err);
	const char *path = status ? name : model.path;

	if (status == STATUS_DECLINED && strcmp(name, CATALOG_GUIDE) == 0 && !catalog_guide_path(&guide, NULL))
		path = buf_text(&guide);
	if (!status)
		status = put_beside(out, &model, err);
	else if (status == STATUS_DECLINED) /* a file elsewhere says what it says, too */
		status = STATUS_OK;
	if (!status && !out->len && !model.is_folder)
		status = put_keys(out, path, err);
	if (!status && !out->len)
		status = error_set(err, STATUS_UNSUPPORTED, "%.300s says nothing of its licence: look where it is published", name);
	if (!status && buf_status(out))
		status = error_no_memory(err, "for the licence");
	stored_model_free(&model);
	buf_free(&guide);
	return status;
}
