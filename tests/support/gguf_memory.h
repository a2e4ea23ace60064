/* Model files in memory. */
#ifndef SOTTO_TESTS_SUPPORT_GGUF_MEMORY_H
#define SOTTO_TESTS_SUPPORT_GGUF_MEMORY_H

#include "gguf/reader.h"

uint32_t gguf_alignment(const struct gguf *gguf);

#endif
