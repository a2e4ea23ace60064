/* The table of block types: what the kernels can do with each.
 *
 * One row a type. Only this folder and the encoders of quantize/ know how a block is laid
 * out; a new type is one row and its functions, and a faster kernel replaces a function of a
 * row. */
#ifndef SOTTO_KERNELS_QUANT_H
#define SOTTO_KERNELS_QUANT_H

#include <stddef.h>
#include <stdint.h>

#include "gguf/types.h"
#include "kernels/panels.h"

/* Writes n weights (a multiple of the type's block length) as floats. `blocks`
 * is aligned to 2 bytes at least (4 for F32). Any bit pattern is fine. */
typedef void quant_dequantize(const void *blocks, float *out, size_t n);

struct quant {
	const char *name;
	enum block_type type;
	uint32_t n_elements; /* per block, as gguf/types.h has it */
	uint32_t n_bytes;
	quant_dequantize *dequantize;
	uint32_t panel_bytes; /* per block of a panel: PANEL_ROWS rows */
	panel_pack *pack;
};

/* NULL for a type that the kernels do not have. */
const struct quant *quant_find(uint32_t type);

/* Bytes of a row of n weights, n a multiple of the block length. */
static inline size_t quant_row_bytes(const struct quant *quant, size_t n)
{
	return n / quant->n_elements * quant->n_bytes;
}

#endif
