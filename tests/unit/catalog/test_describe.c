#include <criterion/criterion.h>

#include "base/buf.h"
#include "base/limits.h"
#include "catalog/describe.h"
#include "gguf/reader.h"
#include "gguf/writer.h"
#include "support/gguf_memory.h"

/* A recipe is named only if most of the weights are of its type. */
Test(describe, names_a_recipe_that_the_tensors_agree_with)
{
	static const struct {
		uint32_t file_type;
		enum block_type type;
		const char *name;
	} rows[] = {
		{15, BLOCK_Q4_K, "Q4_K_M"},    {15, BLOCK_Q6_K, "Q6_K"},      {27, BLOCK_IQ3_S, "IQ3_M"},
		{22, BLOCK_IQ3_XXS, "IQ3_XS"}, {28, BLOCK_IQ2_XS, "IQ2_S"},   {29, BLOCK_IQ2_S, "IQ2_M"},
		{27, BLOCK_Q3_K, "Q3_K"},      {31, BLOCK_IQ1_M, "IQ1_M"},    {38, BLOCK_MXFP4, "MXFP4"},
		{36, BLOCK_TQ1_0, "TQ1_0"},    {999, BLOCK_NVFP4, "NVFP4"},   {1, BLOCK_IQ1_S, "IQ1_S"},
	};
	static const uint64_t ne[2] = {256, 1};
	static const char weights[256];

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct block_info *info = block_info(rows[i].type);
		struct gguf_writer *w = gguf_writer_create();
		struct gguf *gguf = NULL;
		struct error err = {0};
		struct buf buf;

		gguf_writer_set_u32(w, "general.file_type", rows[i].file_type);
		gguf_writer_add_tensor(w, "w", rows[i].type, 2, ne, weights,
		                       256 / info->n_elements * info->n_bytes);
		buf_init(&buf, MIB(1));
		cr_assert_eq(gguf_writer_write(w, &buf, &err), STATUS_OK, "%s", err.text);
		cr_assert_eq(gguf_open_memory(&gguf, buf.data, buf.len, &err), STATUS_OK, "%s", err.text);
		cr_expect_str_eq(describe_type(gguf), rows[i].name, "file type %u, %s: %s",
		                 rows[i].file_type, info->name, describe_type(gguf));
		gguf_close(gguf);
		gguf_writer_free(w);
		buf_free(&buf);
	}
}
