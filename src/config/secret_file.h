/* Files that may have keys in them: read without a copy being left anywhere. */
#ifndef SOTTO_CONFIG_SECRET_FILE_H
#define SOTTO_CONFIG_SECRET_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct secret_file {
	char *text;      /* owned, NUL-terminated */
	size_t len, size; /* size: of the memory */
	bool is_ours;    /* it belongs to the user who runs this program */
	bool is_private; /* ... and nobody else may read or write it */
	bool is_open;    /* everybody may write it */
};

/* A regular file of at most `max` bytes. `follow`: it may be a link. STATUS_NOTFOUND if it is not there. */
enum status secret_file_read(struct secret_file *out, const char *path, size_t max, bool follow,
                             struct error *err) MUST_CHECK;
void secret_file_wipe(struct secret_file *file); /* wipes and frees the text; {0} is fine */

#endif
