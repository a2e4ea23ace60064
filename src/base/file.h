/* Writing a whole file: it appears complete or not at all, also when the machine stops on the way,
 * and takes the place of another one only when that is asked for. */
#ifndef SOTTO_BASE_FILE_H
#define SOTTO_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/io.h"

/* Writes and syncs the bytes. Where the path names something already: STATUS_BUSY, and nothing
 * is changed; or with `replace` the regular file there, also behind a link, is replaced, and
 * anything else is STATUS_IO. The permissions are the old file's, or `mode`, as far as the umask
 * leaves them. */
enum status file_write(const struct io_ops *io, const char *path, const void *bytes, size_t n,
                       bool replace, mode_t mode, struct error *err) MUST_CHECK;

/* A small file of the program's own, mode 0600, which replaces what is there, even a link:
 * whoever writes last wins. Returns 0 or errno. The folder is not synced (io_sync_folder). */
int file_replace(const struct io_ops *io, const char *path, const void *bytes, size_t n);

#endif
