/* A growing byte buffer with a declared maximum: empty at first, `struct buf text = {.max = KIB(64)};`.
 *
 * Always NUL-terminated once it holds anything (the NUL is not counted).
 * Appending past `max` fails with STATUS_LIMIT, without memory with
 * STATUS_NOMEM; the contents are then unchanged. A failed append is sticky:
 * later ones fail too, so that a run of appends needs one check at its end
 * (buf_status). */
#ifndef SOTTO_BASE_BUF_H
#define SOTTO_BASE_BUF_H

#include <stddef.h>

#include "base/error.h"

struct buf {
	char *data; /* owned; NULL while empty and never grown */
	size_t len;
	size_t cap;
	size_t max;         /* in bytes, without the NUL */
	enum status status; /* of the first failed append */
};

void buf_init(struct buf *buf, size_t max);
void buf_free(struct buf *buf); /* back to the state after buf_init */
void buf_clear(struct buf *buf); /* length 0, memory kept, status reset */

enum status buf_append(struct buf *buf, const void *bytes, size_t n);
enum status buf_puts(struct buf *buf, const char *text);
enum status buf_putc(struct buf *buf, char c);
enum status buf_printf(struct buf *buf, const char *fmt, ...) PRINTF_LIKE(2, 3);
enum status buf_status(const struct buf *buf);

/* Removes `n` bytes at offset `at` (clamped to what is there). */
void buf_remove(struct buf *buf, size_t at, size_t n);

/* Hands the bytes (NUL-terminated, never NULL unless out of memory) to the
 * caller, who frees them; the buffer is empty afterwards. */
char *buf_take(struct buf *buf, size_t *len);

/* The text so far; "" for an empty buffer. Borrowed until the next append. */
const char *buf_text(const struct buf *buf);

#endif
