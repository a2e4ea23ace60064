/* The block types as their specification describes them, byte by byte and in double precision: slow, and written apart
 * from the kernels, which it is there to check. Source: ggml-common.h and ggml-quants.c (August 2026). */
#ifndef SOTTO_DOCTOR_FORMATS_H
#define SOTTO_DOCTOR_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "gguf/types.h"

/* Writes the weights of the block that begins there. False: of a type that is not described here. */
bool format_read_block(enum block_type type, const unsigned char *block, double *out);

#endif
