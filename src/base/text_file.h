/* Reading a file that has to be text, judged by its content, never by its name. */
#ifndef SOTTO_BASE_TEXT_FILE_H
#define SOTTO_BASE_TEXT_FILE_H

#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

/* A regular file of at most `max` bytes as UTF-8 text: line ends become \n, a byte order mark is left
 * out, a few ill-formed parts, as a diff of files in several encodings has them, become U+FFFD.
 * STATUS_FORMAT for one that is empty, binary or in another encoding, STATUS_LIMIT for one that is
 * longer; the error says what to do. The caller frees *text, which ends with a NUL. */
enum status text_file_read(const char *path, size_t max, char **text, size_t *len,
                           struct error *err) MUST_CHECK;
/* Appends the same text of bytes that were read from elsewhere; `name` is what errors call it.
 * *n_bad: how many bytes U+FFFD has replaced. */
enum status text_file_put(struct buf *out, const char *name, const char *bytes, size_t len,
                          size_t *n_bad, struct error *err) MUST_CHECK;

#endif
