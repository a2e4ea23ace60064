#include "support/gguf_memory.h"

#include "gguf/internal.h"

uint32_t gguf_alignment(const struct gguf *gguf)
{
	return gguf->alignment;
}
