/* Recognises files and block types that sotto cannot read, and says what to do. */
#ifndef SOTTO_GGUF_FOREIGN_H
#define SOTTO_GGUF_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

enum { FOREIGN_HEAD = 512 }; /* first bytes that are looked at */

/* What a file is that begins so and is no GGUF file: "a Git LFS pointer ...: ..."; NULL: unknown. */
const char *foreign_file(const unsigned char *head, size_t n);
/* Whose block type it is, where gguf/types.h does not have it; NULL: unknown. */
const char *foreign_block_type(uint32_t type);

#endif
