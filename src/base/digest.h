/* SHA-256 and SHA-1 (FIPS 180-4) of bytes as they come: what registries name files by. By libcrypto, loaded when
 * the first digest is made (as net/curl.h does, for the same reason).
 *
 * Threads: a digest belongs to one thread at a time. */
#ifndef SOTTO_BASE_DIGEST_H
#define SOTTO_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum digest_kind {
	DIGEST_SHA256,
	DIGEST_GIT, /* SHA-1 of "blob SIZE\0" and the bytes: git's name of a file */
};

enum { DIGEST_SHA256_LEN = 64, DIGEST_GIT_LEN = 40, DIGEST_TEXT_MAX = 65 };

struct digest;

bool digest_is_built(void); /* false: digest_create fails, as the program was built without libcrypto */
/* `size`: of all the bytes, for DIGEST_GIT; else not looked at. STATUS_UNSUPPORTED: libcrypto is not there; the text
 * says which package to install. STATUS_NOMEM. */
enum status digest_create(struct digest **out, enum digest_kind kind, uint64_t size, struct error *err) MUST_CHECK;
void digest_free(struct digest *digest); /* NULL is fine */
void digest_add(struct digest *digest, const void *bytes, size_t n);
/* Lower-case hexadecimal digits; the digest is over: only digest_free is left. */
void digest_end(struct digest *digest, char text[DIGEST_TEXT_MAX]);

#endif
