/* The types of the GGUF format: metadata values and tensor blocks.
 * Source: the GGUF specification (docs/gguf.md of ggml) and the block structs
 * of ggml-common.h, version of August 2026. */
#ifndef SOTTO_GGUF_TYPES_H
#define SOTTO_GGUF_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* Metadata value types, as stored. */
enum gguf_type {
	GGUF_U8 = 0, GGUF_I8, GGUF_U16, GGUF_I16, GGUF_U32, GGUF_I32, GGUF_F32,
	GGUF_BOOL, GGUF_STRING, GGUF_ARRAY, GGUF_U64, GGUF_I64, GGUF_F64,
	GGUF_TYPE_COUNT
};

/* Tensor element types, as stored; the numbers left out are removed or not ours. */
enum block_type {
	BLOCK_F32 = 0, BLOCK_F16 = 1, BLOCK_Q4_0 = 2, BLOCK_Q4_1 = 3,
	BLOCK_Q5_0 = 6, BLOCK_Q5_1 = 7, BLOCK_Q8_0 = 8,
	BLOCK_Q2_K = 10, BLOCK_Q3_K = 11, BLOCK_Q4_K = 12, BLOCK_Q5_K = 13, BLOCK_Q6_K = 14,
	BLOCK_IQ2_XXS = 16, BLOCK_IQ2_XS = 17, BLOCK_IQ3_XXS = 18, BLOCK_IQ1_S = 19,
	BLOCK_IQ4_NL = 20, BLOCK_IQ3_S = 21, BLOCK_IQ2_S = 22, BLOCK_IQ4_XS = 23,
	BLOCK_IQ1_M = 29, BLOCK_BF16 = 30,
	BLOCK_TQ1_0 = 34, BLOCK_TQ2_0 = 35, BLOCK_MXFP4 = 39, BLOCK_NVFP4 = 40,
	BLOCK_Q1_0 = 41, BLOCK_Q2_0 = 42,
	BLOCK_TYPE_MAX = 64 /* ids are below this */
};

/* One row a type. `computes` = 0: the size is known, for files that are only inspected. */
struct block_info {
	const char *name;    /* "Q4_K"; NULL for an unknown id */
	uint32_t n_elements; /* per block */
	uint32_t n_bytes;    /* per block */
	int computes;        /* 1: the kernels have it */
};

/* NULL for an id that no table row has. */
const struct block_info *block_info(uint32_t type);

/* "u8", "i8", ... "array"; "?" when unknown. Size 0 for strings and arrays. */
const char *gguf_type_name(uint32_t type);
size_t gguf_type_size(uint32_t type);

#endif
