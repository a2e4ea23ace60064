/* SHA-256 and SHA-1 (FIPS 180-4) without any library: what the tests hold the program's digests against, and what the
 * test servers name their files by. */
#ifndef SOTTO_TESTS_SHA_H
#define SOTTO_TESTS_SHA_H

#include <stddef.h>
#include <stdint.h>

struct sha {
	uint32_t state[8];
	uint64_t n; /* bytes so far */
	unsigned char block[64];
	int is_sha1;
};

void sha256_begin(struct sha *sha);
void sha1_begin(struct sha *sha);
void sha_add(struct sha *sha, const void *bytes, size_t n);
void sha_end(struct sha *sha, char text[65]); /* 64 digits, 40 of SHA-1 */

void sha256_text(const void *bytes, size_t n, char text[65]);
/* Git's name of a file: SHA-1 of "blob SIZE\0" and the bytes. */
void sha1_git_text(const void *bytes, size_t n, char text[65]);

#endif
