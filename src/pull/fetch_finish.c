/* From a part file that is complete to a file under its name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "gguf/reader.h"
#include "pull/fetch_finish.h"
#include "pull/fetch_state.h"

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

enum status fetch_check_name(const struct fetch *fetch, struct error *err)
{
	struct stat st;

	if (fetch->io->stat(fetch->path, &st) != 0)
		return STATUS_OK;
	if (!S_ISREG(st.st_mode))
		return error_set(err, STATUS_DECLINED, "%.400s is there and is not a file: give it another name", fetch->path);
	if (fetch->digest[0])
		return STATUS_OK;
	return error_set(err, STATUS_DECLINED, "another file is there as %.400s, which is not overwritten: give it another name",
	                 fetch->path);
}

enum status fetch_check_digest(const struct fetch *fetch, const char *found, struct error *err)
{
	if (!fetch->digest[0] || strcmp(fetch->digest, found) == 0)
		return STATUS_OK;
	return error_set(err, STATUS_FORMAT,
	                 "what came is not what was promised (%s %.12s..., found %.12s...), and was thrown away: try again later",
	                 strlen(fetch->digest) == DIGEST_GIT_LEN ? "SHA-1" : "SHA-256", fetch->digest, found);
}

enum status fetch_check_gguf(const struct fetch *fetch, const char *part, struct error *err)
{
	struct gguf *gguf;
	enum status status;

	if (!fetch->is_gguf)
		return STATUS_OK;
	status = gguf_open_part(&gguf, part, err);
	if (status == STATUS_OK)
		gguf_close(gguf);
	else if (status != STATUS_NOMEM)
		error_prefix(err, "%s is not a model that can be loaded", file_name(fetch->path));
	return status;
}

enum status fetch_publish(const struct fetch *fetch, const char *part, int fd, struct error *err)
{
	const struct io_ops *io = fetch->io;
	enum status status = fetch_check_name(fetch, err); /* it may have come meanwhile */
	int error;

	if (status != STATUS_OK)
		return status;
	error = io_fdatasync(io, fd);
	if (!error && io->rename(part, fetch->path) != 0)
		error = errno;
	if (!error)
		error = io_sync_folder(io, fetch->path);
	return error ? fetch_write_error(err, error, fetch->path) : STATUS_OK;
}
