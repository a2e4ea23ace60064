/* Defects made from a good model: keys given other values, and bytes of the
 * finished file changed. */
#ifndef SOTTO_TESTS_PATCH_H
#define SOTTO_TESTS_PATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "gguf/types.h"
#include "gguf/writer.h"
#include "support/tiny_model.h"

/* The smallest model with one key set to this: the value as the file stores it
 * after its type. */
void patch_key(struct buf *out, enum tiny_vocab vocab, const char *key, uint32_t type,
               const void *value, size_t n_bytes);
void patch_u32(struct buf *out, enum tiny_vocab vocab, const char *key, uint32_t value);
void patch_string(struct buf *out, enum tiny_vocab vocab, const char *key, const char *value);
/* The same without the key. */
void patch_remove(struct buf *out, enum tiny_vocab vocab, const char *key);
/* The model as it is, for a change of its bytes. */
void patch_none(struct buf *out, enum tiny_vocab vocab);

/* Where a key or tensor name stands in the file; what follows it is its type
 * or n_dims. */
size_t patch_find(const struct buf *file, const char *name);

#endif
