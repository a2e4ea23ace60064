/* A twin of avx512bf16 for any machine, with vectors of 16 bytes. */
#include "kernels/panels.h"
#include "kernels/simd_generic.h"
#include "support/isa_bf16_dot.h"

INLINE vi load_pairs(const uint16_t *columns)
{
	return (vi)load_bf16(columns) | (vi)((vu32)load_bf16(columns + PANEL_ROWS) >> 16);
}

#define ISA(kind) kind##_twin_generic
#include "kernels/bf16_body.h"
