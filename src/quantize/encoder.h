/* The table of encoders, from floats to blocks: the reverse of kernels/quant.h.
 *
 * An encoder searches for the scales and quants of a block with the smallest weighted squared error
 * (fit.h, superblock.h). The same weights give the same bytes on every machine. */
#ifndef SOTTO_QUANTIZE_ENCODER_H
#define SOTTO_QUANTIZE_ENCODER_H

#include <stddef.h>
#include <stdint.h>

#include "gguf/types.h"

/* Writes n weights (a multiple of the type's block length) as blocks aligned
 * to 2 bytes at least (4 for F32). The weights are finite and no larger than
 * encoder_largest. */
typedef void encoder(const float *x, void *blocks, size_t n);

/* NULL for a type that cannot be written. */
encoder *encoder_find(uint32_t type);
/* The encoder for files that are to have the bytes that llama.cpp writes: without a search for
 * Q8_0, as encoder_find for other types. */
encoder *encoder_find_plain(uint32_t type);

/* The largest weight that blocks of this type can hold, whatever the other weights of its block
 * are. */
float encoder_largest(uint32_t type);

#endif
