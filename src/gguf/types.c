#include "gguf/types.h"

/* Elements and bytes of one block. Rows with computes = 0 stand here so that
 * such files can be inspected. Removed from the format, hence unknown: 5
 * (Q4_3), 31..33 and 36..38 (formats repacked for one machine). */
static const struct block_info blocks[BLOCK_TYPE_MAX] = {
	[BLOCK_F32] = {"F32", 1, 4, 1},
	[BLOCK_F16] = {"F16", 1, 2, 1},
	[BLOCK_Q4_0] = {"Q4_0", 32, 18, 1},
	[BLOCK_Q4_1] = {"Q4_1", 32, 20, 1},
	[4] = {"MXFP4", 32, 17, 0}, /* in Ollama's files of gpt-oss, where Q4_2 once was */
	[BLOCK_Q5_0] = {"Q5_0", 32, 22, 1},
	[BLOCK_Q5_1] = {"Q5_1", 32, 24, 1},
	[BLOCK_Q8_0] = {"Q8_0", 32, 34, 1},
	[9] = {"Q8_1", 32, 36, 0},
	[BLOCK_Q2_K] = {"Q2_K", 256, 84, 1},
	[BLOCK_Q3_K] = {"Q3_K", 256, 110, 1},
	[BLOCK_Q4_K] = {"Q4_K", 256, 144, 1},
	[BLOCK_Q5_K] = {"Q5_K", 256, 176, 1},
	[BLOCK_Q6_K] = {"Q6_K", 256, 210, 1},
	[15] = {"Q8_K", 256, 292, 0},
	[BLOCK_IQ2_XXS] = {"IQ2_XXS", 256, 66, 1},
	[BLOCK_IQ2_XS] = {"IQ2_XS", 256, 74, 1},
	[BLOCK_IQ3_XXS] = {"IQ3_XXS", 256, 98, 1},
	[BLOCK_IQ1_S] = {"IQ1_S", 256, 50, 1},
	[BLOCK_IQ4_NL] = {"IQ4_NL", 32, 18, 1},
	[BLOCK_IQ3_S] = {"IQ3_S", 256, 110, 1},
	[BLOCK_IQ2_S] = {"IQ2_S", 256, 82, 1},
	[BLOCK_IQ4_XS] = {"IQ4_XS", 256, 136, 1},
	[24] = {"I8", 1, 1, 0},
	[25] = {"I16", 1, 2, 0},
	[26] = {"I32", 1, 4, 0},
	[27] = {"I64", 1, 8, 0},
	[28] = {"F64", 1, 8, 0},
	[BLOCK_IQ1_M] = {"IQ1_M", 256, 56, 1},
	[BLOCK_BF16] = {"BF16", 1, 2, 1},
	[BLOCK_TQ1_0] = {"TQ1_0", 256, 54, 1},
	[BLOCK_TQ2_0] = {"TQ2_0", 256, 66, 1},
	[BLOCK_MXFP4] = {"MXFP4", 32, 17, 1},
	[BLOCK_NVFP4] = {"NVFP4", 64, 36, 1},
	[BLOCK_Q1_0] = {"Q1_0", 128, 18, 1},
	[BLOCK_Q2_0] = {"Q2_0", 64, 18, 1},
};

static const struct {
	const char *name;
	size_t size;
} value_types[GGUF_TYPE_COUNT] = {
	[GGUF_U8] = {"u8", 1},         [GGUF_I8] = {"i8", 1},       [GGUF_U16] = {"u16", 2},
	[GGUF_I16] = {"i16", 2},       [GGUF_U32] = {"u32", 4},     [GGUF_I32] = {"i32", 4},
	[GGUF_F32] = {"f32", 4},       [GGUF_BOOL] = {"bool", 1},   [GGUF_STRING] = {"string", 0},
	[GGUF_ARRAY] = {"array", 0},   [GGUF_U64] = {"u64", 8},     [GGUF_I64] = {"i64", 8},
	[GGUF_F64] = {"f64", 8},
};

const struct block_info *block_info(uint32_t type)
{
	if (type >= BLOCK_TYPE_MAX || !blocks[type].name)
		return NULL;
	return &blocks[type];
}

const char *gguf_type_name(uint32_t type)
{
	return type < GGUF_TYPE_COUNT ? value_types[type].name : "?";
}

size_t gguf_type_size(uint32_t type)
{
	return type < GGUF_TYPE_COUNT ? value_types[type].size : 0;
}
