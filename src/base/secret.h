/* A key: bytes that may be written nowhere but into a request. Its memory is locked, left out of core
 * files and wiped when it is freed; and from the first one on the program leaves no core file at all, as
 * libraries copy what they are given.
 *
 * Threads: a secret does not change, so any thread may read it until it is freed. */
#ifndef SOTTO_BASE_SECRET_H
#define SOTTO_BASE_SECRET_H

#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

struct secret;

enum { SECRET_MAX = 4095 };

/* Copies the bytes, which the caller wipes. STATUS_LIMIT: too long; STATUS_FORMAT: it is empty, or has
 * control characters. No error quotes any of it. */
enum status secret_create(struct secret **out, const char *bytes, size_t n, struct error *err) MUST_CHECK;
void secret_free(struct secret *secret); /* NULL is fine */
const char *secret_text(const struct secret *secret); /* NUL-terminated; borrowed */
/* Overwrites bytes for good. NULL is fine. */
void secret_wipe(void *bytes, size_t n);
/* Puts "[key]" in the place of each part of a foreign text that is the key, or eight or more of its bytes in
 * a row; as many stars for a key shorter than that. The text gets no longer. NULL: nothing is changed. */
void secret_mask(const struct secret *secret, char *text);

#endif
