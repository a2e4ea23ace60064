#include "config/servers_add.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/sys.h"
#include "config/secret_file.h"
#include "config/servers.h"

static enum status make_folder(const char *path, struct error *err)
{
	const char *slash = strrchr(path, '/');
	struct buf folder = {.max = KIB(64)};
	enum status status = STATUS_OK;

	if (slash && slash > path) {
		buf_append(&folder, path, (size_t)(slash - path));
		status = sys_make_dirs(buf_text(&folder), err);
	}
	buf_free(&folder);
	return status;
}

/* The whole file with the new entry, in one piece of memory: there may be keys in it. */
static enum status compose(struct secret_file *out, const struct secret_file *old, const char *name, const char *url,
                           struct error *err)
{
	bool wants_break = old->len && old->text[old->len - 1] != '\n';

	out->size = old->len + strlen(name) + strlen(url) + sizeof "\n:\n  url: \n";
	out->text = alloc_array(out->size, 1);
	if (!out->text)
		return error_no_memory(err, NULL);
	if (old->len)
		memcpy(out->text, old->text, old->len);
	out->len = old->len + (size_t)snprintf(out->text + old->len, out->size - old->len, "%s%s:\n  url: %s\n",
	                                       wants_break ? "\n" : "", name, url);
	return STATUS_OK;
}

/* Whether the file has the server now: it might have ended in something that nothing can follow. */
static enum status check(const char *path, const char *name, struct error *err)
{
	const struct server_config *server;
	struct servers servers;
	enum status status = servers_read(&servers, path, NULL, err);

	if (status)
		return status;
	status = servers_find(&servers, name, strlen(name), &server, err);
	servers_free(&servers);
	return status;
}

/* Refuses what is wrong already, and a name that is taken. */
static enum status check_before(const char *path, const char *name, struct error *err)
{
	const struct server_config *server;
	struct servers servers;
	enum status status;

	if (access(path, F_OK) != 0 && errno == ENOENT)
		return STATUS_OK;
	status = servers_read(&servers, path, NULL, err);
	if (!status && !servers_find(&servers, name, strlen(name), &server, NULL))
		status = error_set(err, STATUS_BUSY, "%s: line %zu: there is a server '%s' already", path, server->line, name);
	servers_free(&servers);
	return status;
}

/* What was there comes back where the entry cannot be read behind it. */
static enum status write_checked(const struct io_ops *io, const char *path, const struct secret_file *old,
                                 const struct secret_file *whole, const char *name, const char *url, struct error *err)
{
	enum status status = file_write(io, path, whole->text, whole->len, true, 0600, err);

	if (status || !check(path, name, NULL))
		return status;
	(void)!file_write(io, path, old->text ? old->text : "", old->len, true, 0600, NULL);
	return error_set(err, STATUS_CONFIG, "%s: nothing can be appended; write there yourself: %s: {url: \"%s\"}",
	                 path, name, url);
}

enum status servers_add(const struct io_ops *io, const char *path, const char *name, const char *url,
                        struct error *err)
{
	struct secret_file old = {.len = 0}, whole = {.len = 0};
	struct buf file = {.max = KIB(64)};
	enum status status = servers_path(&file, path, err);

	if (!status)
		status = check_before(buf_text(&file), name, err);
	if (!status)
		status = make_folder(buf_text(&file), err);
	if (!status)
		status = secret_file_read(&old, buf_text(&file), LIMIT_YAML_BYTES, true, err);
	if (!status || status == STATUS_NOTFOUND)
		status = compose(&whole, &old, name, url, err);
	if (!status)
		status = write_checked(io, buf_text(&file), &old, &whole, name, url, err);
	secret_file_wipe(&whole);
	secret_file_wipe(&old);
	buf_free(&file);
	return status;
}
