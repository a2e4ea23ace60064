#include <criterion/criterion.h>
#include <string.h>

#include "gguf/foreign.h"
#include "gguf/types.h"

/* Bits for each weight as published with the formats: a second, independent
 * statement of the table's sizes. */
Test(gguf_types, block_sizes_give_the_known_bits_per_weight)
{
	static const struct {
		uint32_t type;
		const char *name;
		double bits;
	} rows[] = {
		{BLOCK_F32, "F32", 32},        {BLOCK_F16, "F16", 16},       {BLOCK_BF16, "BF16", 16},
		{BLOCK_Q4_0, "Q4_0", 4.5},     {BLOCK_Q4_1, "Q4_1", 5},      {BLOCK_Q5_0, "Q5_0", 5.5},
		{BLOCK_Q5_1, "Q5_1", 6},       {BLOCK_Q8_0, "Q8_0", 8.5},    {BLOCK_Q2_K, "Q2_K", 2.625},
		{BLOCK_Q3_K, "Q3_K", 3.4375},  {BLOCK_Q4_K, "Q4_K", 4.5},    {BLOCK_Q5_K, "Q5_K", 5.5},
		{BLOCK_Q6_K, "Q6_K", 6.5625},  {BLOCK_IQ4_NL, "IQ4_NL", 4.5}, {BLOCK_IQ4_XS, "IQ4_XS", 4.25},
		{16, "IQ2_XXS", 2.0625},       {17, "IQ2_XS", 2.3125},       {18, "IQ3_XXS", 3.0625},
		{19, "IQ1_S", 1.5625},         {21, "IQ3_S", 3.4375},        {22, "IQ2_S", 2.5625},
		{29, "IQ1_M", 1.75},           {34, "TQ1_0", 1.6875},        {35, "TQ2_0", 2.0625},
		{39, "MXFP4", 4.25},           {4, "MXFP4", 4.25},
		{40, "NVFP4", 4.5},            {41, "Q1_0", 1.125},
		{42, "Q2_0", 2.25},            {9, "Q8_1", 9},               {15, "Q8_K", 9.125},
		{24, "I8", 8},                 {25, "I16", 16},              {26, "I32", 32},
		{27, "I64", 64},               {28, "F64", 64},
	};
	size_t known = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct block_info *info = block_info(rows[i].type);

		cr_assert_not_null(info, "%s", rows[i].name);
		cr_assert_str_eq(info->name, rows[i].name);
		cr_assert_eq(8.0 * info->n_bytes / info->n_elements, rows[i].bits, "%s", rows[i].name);
	}
	for (uint32_t type = 0; type < 300; type++)
		known += block_info(type) != NULL;
	cr_assert_eq(known, sizeof rows / sizeof *rows);
	cr_assert_null(block_info(5));
	cr_assert_null(block_info(31));
	cr_assert_null(block_info(UINT32_MAX));
}

Test(gguf_types, value_types_have_names_and_sizes)
{
	static const size_t sizes[GGUF_TYPE_COUNT] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

	for (uint32_t type = 0; type < GGUF_TYPE_COUNT; type++) {
		cr_assert_eq(gguf_type_size(type), sizes[type]);
		cr_assert(strlen(gguf_type_name(type)) >= 2);
	}
	cr_assert_str_eq(gguf_type_name(13), "?");
	cr_assert_eq(gguf_type_size(UINT32_MAX), 0);
}

Test(types, those_of_other_programs_are_named)
{
	static const struct {
		uint32_t type;
		const char *whose;
	} rows[] = {{31, "Q4_0 repacked"}, {33, "Q4_0 repacked"}, {36, "BitNet"}, {97, "ik_llama"}, {137, "ik_llama"},
	            {158, "ik_llama"}, {202, "ik_llama"}, {340, "ik_llama"}, {399, "ik_llama"}};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		cr_assert_not_null(foreign_block_type(rows[i].type), "%u", (unsigned)rows[i].type);
		cr_expect(strstr(foreign_block_type(rows[i].type), rows[i].whose), "%u", (unsigned)rows[i].type);
	}
	for (uint32_t type = 0; type < BLOCK_TYPE_MAX; type++)
		cr_expect(!block_info(type) || !foreign_block_type(type), "%u is ours", (unsigned)type);
	cr_expect_null(foreign_block_type(400));
}

Test(types, files_of_other_kinds_are_named)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *what;
	} rows[] = {
		{"version https://git-lfs.github.com/spec/v1\noid sha256:ab\n", 56, "Git LFS"},
		{"<!DOCTYPE html><html>", 21, "web page"}, {"\n  <html lang=en>", 17, "web page"},
		{"\xEF\xBB\xBF<!doctype HTML>", 18, "web page"},
		{"\x40\x10\0\0\0\0\0\0{\"a\"", 12, "safetensors"},
		{"PK\3\4....", 8, "PyTorch"}, {"\x80\2}q", 4, "PyTorch"}, {"\x80\4\x95...", 6, "PyTorch"},
		{"lmgg\1\0\0\0", 8, "before GGUF"}, {"tjgg\3\0\0\0", 8, "before GGUF"}, {"algg", 4, "LoRA"},
		{"\x1f\x8b\x08\0", 4, "archive"}, {"{\"error\": \"x\"}", 14, "JSON"},
		{"Entry not found", 15, "server"}, {"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, "incomplete"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const char *what = foreign_file((const unsigned char *)rows[i].bytes, rows[i].n);

		cr_assert_not_null(what, "row %zu", i);
		cr_expect(strstr(what, rows[i].what), "row %zu: %s", i, what);
	}
	cr_expect_null(foreign_file((const unsigned char *)"hello, this is a text", 21));
	cr_expect_null(foreign_file((const unsigned char *)"", 0));
}
