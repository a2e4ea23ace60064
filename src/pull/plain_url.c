/* A file at an address of which nothing else is known: no digest, so that it is only opened to check it. It is kept in
 * sotto's own folder of models. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/sys.h"
#include "pull/hub_cache.h"
#include "pull/hub_listing.h"
#include "pull/plain_url.h"
#include "pull/source.h"

enum status plain_url_folder(struct buf *out, struct error *err)
{
	const char *forced = sys_variable("SOTTO_DATA_DIR");

	if (!forced || forced[0] != '/')
		return sys_user_path(SYS_DIR_DATA, "/models", out, err);
	return buf_printf(out, "%s/models", forced) ? error_no_memory(err, "for a path") : STATUS_OK;
}

/* The name of a file as an address has it, without what is before the last slash. */
static enum status put_file_name(struct buf *out, const char *path, struct error *err)
{
	size_t len = strcspn(path, "?#");
	const char *why;

	for (size_t i = len; i-- > 0;)
		if (path[i] == '/') {
			path += i + 1;
			len -= i + 1;
			break;
		}
	for (size_t i = 0; i < len; i++) {
		unsigned high = i + 2 < len ? number_digit(path[i + 1]) : 99, low = i + 2 < len ? number_digit(path[i + 2]) : 99;
		bool is_escape = path[i] == '%' && high < 16 && low < 16 && high + low > 0;

		buf_putc(out, is_escape ? (char)(high * 16 + low) : path[i]);
		i += is_escape ? 2 : 0;
	}
	if (buf_status(out))
		return error_no_memory(err, "for a path");
	if (!hub_is_path(buf_text(out), out->len, &why) || strchr(buf_text(out), '/') || out->data[0] == '.')
		return error_set(err, STATUS_USAGE, "'%.200s' cannot be the name of a file", buf_text(out));
	return STATUS_OK;
}

/* The size, where the server says it. */
static enum status ask_size(struct pull_file *file, const struct pull_name *name, struct web *web, struct error *err)
{
	struct web_request request = {.base = name->base, .path = name->repository, .is_head = true};
	struct web_answer answer;
	enum status status = web_get(web, &request, &answer, err);
	const char *length = status ? NULL : web_header(&answer, "content-length");
	int64_t size;

	if (!status && (answer.code == 404 || answer.code == 410 || answer.code == 401 || answer.code == 403))
		status = error_set(err, STATUS_NOTFOUND, "%.300s: %s", name->base,
		                   answer.code == 404 || answer.code == 410 ? "there is no such file: check the address"
		                                                            : "the file is not for everybody, and sotto has no key "
		                                                              "for it");
	if (length && answer.code == 200 && number_parse_int(length, &size) && size > 0)
		file->size = (uint64_t)size;
	web_answer_free(&answer);
	if (!status && file->size > LIMIT_PULL_FILE)
		status = error_set(err, STATUS_LIMIT, "the file has more than 2 TiB");
	return status;
}

static enum status store(struct buf *out, const struct pull_offer *offer, const struct pull_file *file,
                         const struct io_ops *io, struct error *err)
{
	enum status status = plain_url_folder(out, err);

	(void)offer;
	if (!status && io)
		status = hub_make_folders(buf_text(out), io, err);
	if (!status && buf_printf(out, "/%s", file->path))
		status = error_no_memory(err, "for a path");
	return status;
}

/* What the user is to know. */
static enum status add_notes(struct pull_offer *out, struct error *err)
{
	const struct pull_file *file = &out->files[0];
	struct buf notes = {.max = KIB(128)}, path = {.max = KIB(64)};
	struct stat st;
	enum status status = store(&path, out, file, NULL, err);

	buf_puts(&notes, "Nobody vouches for this file: there is no digest that it could be checked by");
	if (!status && stat(buf_text(&path), &st) == 0 && (!file->size || (uint64_t)st.st_size == file->size))
		buf_printf(&notes, "\nA file of that name is here already and stays as it is, wherever it came from: %s", buf_text(&path));
	if (!status && !(out->notes = buf_take(&notes, NULL)))
		status = error_no_memory(err, "for the file");
	buf_free(&notes);
	buf_free(&path);
	return status;
}

static enum status look(struct pull_offer *out, const struct pull_name *name, struct web *web, struct error *err)
{
	struct buf path = {.max = LIMIT_PULL_PATH};
	enum status status = put_file_name(&path, name->repository, err);

	out->files = alloc_array(1, sizeof *out->files);
	if (!status && !out->files)
		status = error_no_memory(err, "for the file");
	if (!status) {
		out->n_files = 1;
		out->files[0].path = buf_take(&path, NULL);
		status = ask_size(&out->files[0], name, web, err);
	}
	if (!status)
		status = add_notes(out, err);
	buf_free(&path);
	return status;
}

static enum status locate(struct web_place *out, const struct pull_offer *offer, const struct pull_file *file,
                          struct web *web, struct error *err)
{
	(void)file;
	(void)web;
	return web_place_init(out, offer->name.base, offer->name.repository, err);
}

static enum status publish(struct buf *model, const struct pull_offer *offer, const struct pull_choice *choice,
                           const struct io_ops *io, struct error *err)
{
	(void)io;
	return store(model, offer, &offer->files[choice->first], NULL, err);
}

const struct pull_source_ops pull_plain_url = {
	.title = "a file", .look = look, .locate = locate, .store = store, .publish = publish,
};
