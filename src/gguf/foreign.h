/* Files and block types that are not ours, by what they are, with what to do about it. */
#ifndef SOTTO_GGUF_FOREIGN_H
#define SOTTO_GGUF_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

enum { FOREIGN_HEAD = 512 }; /* first bytes that are looked at */

/* What a file is that begins so and is no GGUF file: "a Git LFS pointer ...: ..."; NULL: unknown. */
const char *foreign_file(const unsigned char *head, size_t n);
/* Whose a block type is that gguf/types.h does not have; NULL: unknown. */
const char *foreign_block_type(uint32_t type);

#endif
