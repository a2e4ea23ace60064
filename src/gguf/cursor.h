/* The parser reads the file only through this bounded cursor. Every read first checks that
 * its bytes are there; the error names field and offset. The first error is kept: what is read
 * after it is zero or empty, so that a parser asks once, before it returns, loops or allocates. */
#ifndef SOTTO_GGUF_CURSOR_H
#define SOTTO_GGUF_CURSOR_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gguf/reader.h"

struct cursor {
	const unsigned char *base;
	size_t end;  /* bytes that may be read */
	size_t size; /* of the file, >= end */
	size_t off;
	struct error *err;
	enum status status; /* of the first failure */
	char subject[192]; /* what is being read: "key 'general.name'", "tensor 3" */
};

/* Added to errors about files that are too short: usually the download was incomplete. */
#define GGUF_CUT_SHORT "; incomplete download?"

void cursor_subject(struct cursor *cursor, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Fails with "SUBJECT at header offset 0x..: text", unless something failed before. Returns the
 * cursor's status, as cursor_no_memory does. */
enum status cursor_fail(struct cursor *cursor, enum status status, size_t at, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

static inline size_t cursor_left(const struct cursor *cursor)
{
	return cursor->end - cursor->off;
}

/* The next n bytes, which `field` names; NULL unless all are there. */
const unsigned char *cursor_take(struct cursor *cursor, uint64_t n, const char *field) MUST_CHECK;

uint32_t cursor_u32(struct cursor *cursor, const char *field);
uint64_t cursor_u64(struct cursor *cursor, const char *field);
/* A length field and that many bytes, at most `max` of them. */
struct gguf_string cursor_string(struct cursor *cursor, size_t max, const char *field);

/* Keys and tensor names: 1..max bytes of UTF-8 without NUL. */
struct gguf_string cursor_name(struct cursor *cursor, size_t max, const char *field);

/* Fails with STATUS_NOMEM. */
enum status cursor_no_memory(struct cursor *cursor);

/* printf arguments for "%.*s": names may be long, error texts are not. */
#define SHOWN(string) (int)((string).len < 127 ? (string).len : 127), (string).data

#endif
