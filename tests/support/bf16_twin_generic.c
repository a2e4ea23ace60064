#include "support/bf16_twin.h"

#include "kernels/panels.h"
#include "kernels/simd_generic.h"
#include "support/bf16_twin_dot.h"

INLINE vi load_pairs(const uint16_t *columns)
{
	return (vi)load_bf16(columns) | (vi)((vu32)load_bf16(columns + PANEL_ROWS) >> 16);
}

#define BF16_KERNELS bf16_twin_generic
#include "kernels/bf16_body.h"
