/* Errors: one status enum, one text, one line to fail.
 *
 * A function that can fail returns `enum status` (0 = ok) and takes a
 * `struct error *` as its last argument. It fails with
 *     return error_set(err, STATUS_FORMAT, "tensor '%s': ...", name);
 * and callers pass the status on. `err` may be NULL where the text is not
 * wanted. Texts are one line without a final dot; file errors name the file,
 * the field, the offset or line, what was found and what was expected. */
#ifndef SOTTO_BASE_ERROR_H
#define SOTTO_BASE_ERROR_H

#include <stdarg.h>
#include <stddef.h>

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

enum status {
	STATUS_OK = 0,
	STATUS_NOMEM,       /* an allocation failed, or would not fit in memory */
	STATUS_IO,          /* the system refused: open, read, write, mmap ... */
	STATUS_FORMAT,      /* the bytes are not what their format says */
	STATUS_UNSUPPORTED, /* well-formed, but not something we can run */
	STATUS_LIMIT,       /* a documented limit was hit */
	STATUS_USAGE,       /* a bad command line, command or option value */
	STATUS_CONFIG,      /* a bad configuration, theme or template file */
	STATUS_NOTFOUND,    /* no such file, key, name */
	STATUS_CONTEXT,     /* the prompt does not fit in the context */
	STATUS_CANCELLED,   /* the user (or a progress callback) said stop */
	STATUS_BUSY,        /* not now: something else is under way */
	STATUS_DECLINED,    /* this model cannot do what it is asked for */
	STATUS_COUNT
};

enum { ERROR_TEXT_MAX = 512 };

struct error {
	enum status status;
	char text[ERROR_TEXT_MAX]; /* sanitised by whoever shows it, never here */
	size_t line;               /* of the file that it is about, from 1; 0: of none */
};

/* Sets status and text and returns `status`. Never fails; a long text is cut. */
enum status error_set(struct error *err, enum status status, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
enum status error_vset(struct error *err, enum status status, const char *fmt, va_list args)
	PRINTF_LIKE(3, 0);

/* "not enough memory", and what it was wanted for ("for the reply", "to copy")
 * unless `fmt` is NULL. */
enum status error_no_memory(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Appends ": strerror(errnum)" to the formatted text; status is STATUS_IO,
 * or STATUS_NOTFOUND for ENOENT, or STATUS_NOMEM for ENOMEM. */
enum status error_errno(struct error *err, int errnum, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Puts "context: " before the text already there (a file name, mostly). */
void error_prefix(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* What a program that ends with this status exits with (sotto(1), EXIT STATUS):
 * 0 ok, 1 runtime failure, 2 usage or configuration, 3 model missing,
 * unsupported or corrupt, 4 prompt exceeds the context, 130 cancelled.
 * STATUS_NOTFOUND, FORMAT, UNSUPPORTED give 3: callers for whom a missing
 * thing is not a model map it themselves. */
int status_exit_code(enum status status);

#endif
