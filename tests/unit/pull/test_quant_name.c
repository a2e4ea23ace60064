#include <criterion/criterion.h>

#include "pull/quant_name.h"

static const struct {
	const char *path, *quant;
	double bits;
} rows[] = {
	{"Qwen3.5-4B-Q4_K_M.gguf", "Q4_K_M", 4.89},
	{"Qwen3.5-4B-UD-Q4_K_XL.gguf", "UD-Q4_K_XL", 5},
	{"BF16/Qwen3.5-35B-A3B-BF16-00001-of-00002.gguf", "BF16", 16},
	{"UD-IQ1_M/GLM-UD-IQ1_M-00001-of-00003.gguf", "UD-IQ1_M", 2.15},
	{"model.i1-Q4_K_M.gguf", "I1-Q4_K_M", 4.89},
	{"gemma-3-4b-it-qat-q4_0.gguf", "Q4_0", 4.66},
	{"Llama-3.2-1B.Q8_0.gguf", "Q8_0", 8.5},
	{"openai_gpt-oss-20b-MXFP4.gguf", "MXFP4", 4.6},
	{"gpt-oss-20b-mxfp4.gguf", "MXFP4", 4.6},
	{"model-f16.gguf", "F16", 16},
	{"ggml-model-Q6_K-v2.gguf", "Q6_K", 6.56},
	{"Q5_K_M/model.gguf", "Q5_K_M", 5.7},
	{"x-Q6_K_XS.gguf", "Q6_K_XS", 0},
	{"Phi-3-mini-4k-instruct.gguf", "INSTRUCT", 0},
	{"model.gguf", "MODEL", 0},
	{"x-Q4_0_4_8.gguf", "Q4_0_4_8", 0},
	{".gguf", "GGUF", 0},
};

Test(quant_name, table)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buf quant = {.max = 1000};

		cr_expect_eq(quant_name_put(&quant, rows[i].path), STATUS_OK);
		cr_expect_str_eq(buf_text(&quant), rows[i].quant, "%s: %s", rows[i].path, buf_text(&quant));
		cr_expect_eq(quant_bits(buf_text(&quant)), rows[i].bits, "%s", rows[i].path);
		buf_free(&quant);
	}
}

Test(quant_name, kinds)
{
	cr_expect_eq(quant_file_of("a/x-Q4_0.gguf"), QUANT_MODEL);
	cr_expect_eq(quant_file_of("mtp-models/x-Q4_0.gguf"), QUANT_MODEL, "only the file's own name counts");
	cr_expect_eq(quant_file_of("mmproj-F16.gguf"), QUANT_PICTURES);
	cr_expect_eq(quant_file_of("a/x-mmproj.gguf"), QUANT_PICTURES);
	cr_expect_eq(quant_file_of("mtp-x.gguf"), QUANT_DRAFT);
	cr_expect_eq(quant_file_of("eagle3-x.gguf"), QUANT_DRAFT);
	cr_expect_eq(quant_file_of("x.imatrix.gguf"), QUANT_MATRIX);
	cr_expect_eq(quant_file_of("x.GGUF"), QUANT_OTHER, "as llama.cpp has it");
	cr_expect_eq(quant_file_of(".gguf"), QUANT_OTHER);
	cr_expect_eq(quant_file_of("README.md"), QUANT_OTHER);
}

Test(quant_name, tags)
{
	cr_expect_eq(quant_matches("Q4_K_M", "q4_k_m"), 2);
	cr_expect_eq(quant_matches("UD-Q4_K_M", "Q4_K_M"), 1);
	cr_expect_eq(quant_matches("UD-Q4_K_XL", "Q4_K"), 0);
	cr_expect_eq(quant_matches("BF16", "F16"), 0);
	cr_expect_eq(quant_matches("Q4_K_M", ""), 0);
	cr_expect(quant_is_in_path("x-BF16.gguf", "F16"), "llama.cpp takes it");
	cr_expect(quant_is_in_path("Q4/x.gguf", "x"));
	cr_expect(!quant_is_in_path("x-Q4_K_M.gguf", "Q4_K"));
}
