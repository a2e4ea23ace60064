/* How a row's bytes get into the vectors of a panel: for panels*.c. */
#ifndef SOTTO_KERNELS_PANELS_PACK_H
#define SOTTO_KERNELS_PANELS_PACK_H

#include <string.h>

#include "kernels/panels.h"

/* Dword v of `src` becomes the row's dword of vector v. */
static inline void spread(uint8_t (*vectors)[PANEL_VECTOR], const uint8_t *src, size_t n, size_t row)
{
	for (size_t v = 0; v < n; v++)
		memcpy(vectors[v] + 4 * row, src + 4 * v, 4);
}

/* Bit j of the 32 goes to byte j % 4, bit j / 4. */
static inline void spread_bits(uint8_t *vector, const uint8_t bits[4], size_t row)
{
	uint8_t bytes[4] = {0};

	for (size_t j = 0; j < 32; j++)
		bytes[j % 4] |= (uint8_t)((bits[j / 8] >> j % 8 & 1) << j / 4);
	memcpy(vector + 4 * row, bytes, 4);
}

#endif
