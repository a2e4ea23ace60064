/* Model files in memory. */
#ifndef SOTTO_TESTS_SUPPORT_GGUF_MEMORY_H
#define SOTTO_TESTS_SUPPORT_GGUF_MEMORY_H

#include "gguf/reader.h"

/* As gguf_open, of bytes, a part alone, which must outlive the result and begin at a multiple of 8 where
 * tensor data is to be used. */
enum status gguf_open_memory(struct gguf **out, const void *data, size_t size,
                             struct error *err) MUST_CHECK;
uint32_t gguf_alignment(const struct gguf *gguf);

#endif
