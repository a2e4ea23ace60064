#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

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
		struct buf buf = {.max = MIB(1)};

		gguf_writer_set_u32(w, "general.file_type", rows[i].file_type);
		gguf_writer_add_tensor(w, "w", rows[i].type, 2, ne, weights,
		                       256 / info->n_elements * info->n_bytes);
		cr_assert_eq(gguf_writer_write(w, &buf, &err), STATUS_OK, "%s", err.text);
		cr_assert_eq(gguf_open_memory(&gguf, buf.data, buf.len, &err), STATUS_OK, "%s", err.text);
		cr_expect_str_eq(describe_type(gguf), rows[i].name, "file type %u, %s: %s",
		                 rows[i].file_type, info->name, describe_type(gguf));
		gguf_close(gguf);
		gguf_writer_free(w);
		buf_free(&buf);
	}
}

/* ---- sampling ---- */

static struct gguf_writer *writer;
static struct option_text values[RECOMMENDED_MAX];
static size_t n;

/* Reads back what was written. */
static void read_values(void)
{
	struct gguf *gguf;
	struct error err;
	struct buf file;

	buf_init(&file, MIB(1));
	cr_assert_eq(gguf_writer_write(writer, &file, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(gguf_open_memory(&gguf, file.data, file.len, &err), STATUS_OK, "%s", err.text);
	n = describe_sampling(gguf, values);
	gguf_close(gguf);
	buf_free(&file);
}

static void expect(const char *name, const char *value)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(values[i].name, name) == 0) {
			cr_assert_str_eq(values[i].value, value);
			return;
		}
	cr_assert_fail("no %s", name);
}

static void setup(void)
{
	writer = gguf_writer_create();
	cr_assert_not_null(writer);
	gguf_writer_set_string(writer, "general.architecture", "llama", 5);
}

static void teardown(void)
{
	gguf_writer_free(writer);
}

TestSuite(describe_sampling, .init = setup, .fini = teardown);

Test(describe_sampling, nothing_by_most_models)
{
	read_values();
	cr_assert_eq(n, 0);
}

Test(describe_sampling, values_go_by_our_names)
{
	gguf_writer_set_f32(writer, "general.sampling.temp", 0.6f);
	gguf_writer_set_i32(writer, "general.sampling.top_k", 20);
	gguf_writer_set_f32(writer, "general.sampling.top_p", 0.95f);
	gguf_writer_set_f32(writer, "general.sampling.min_p", 0);
	gguf_writer_set_f32(writer, "general.sampling.penalty_repeat", 1.05f);
	gguf_writer_set_i32(writer, "general.sampling.penalty_last_n", -1);
	gguf_writer_set_f32(writer, "general.sampling.xtc_probability", 0.5f);
	gguf_writer_set_f32(writer, "general.sampling.xtc_threshold", 0.2f);
	gguf_writer_set_i32(writer, "general.sampling.mirostat", 2);
	gguf_writer_set_f32(writer, "general.sampling.mirostat_tau", 4);
	gguf_writer_set_f32(writer, "general.sampling.mirostat_eta", 0.05f);
	gguf_writer_set_string(writer, "general.sampling.sequence", "top_k", 5); /* passed over */
	read_values();
	cr_assert_eq(n, 11);
	expect("temp", "0.6");
	expect("top-k", "20");
	expect("top-p", "0.95");
	expect("min-p", "0");
	expect("repeat-penalty", "1.05");
	expect("repeat-last-n", "-1");
	expect("xtc-probability", "0.5");
	expect("xtc-threshold", "0.2");
	expect("mirostat", "2");
	expect("mirostat-ent", "4");
	expect("mirostat-lr", "0.05");
}

Test(describe_sampling, numbers_of_another_type_are_numbers)
{
	gguf_writer_set_i32(writer, "general.sampling.temp", 1);
	gguf_writer_set_f32(writer, "general.sampling.top_k", 64);
	read_values();
	cr_assert_eq(n, 2);
	expect("temp", "1");
	expect("top-k", "64");
}

Test(describe_sampling, what_is_out_of_range_becomes_the_nearest)
{
	gguf_writer_set_i32(writer, "general.sampling.top_k", -1); /* off, as many write it */
	gguf_writer_set_f32(writer, "general.sampling.temp", INFINITY);
	gguf_writer_set_f32(writer, "general.sampling.top_p", 1.5f);
	read_values();
	cr_assert_eq(n, 3);
	expect("top-k", "0");
	expect("temp", "5");
	expect("top-p", "1");
}

Test(describe_sampling, what_is_no_number_is_passed_over)
{
	gguf_writer_set_f32(writer, "general.sampling.temp", NAN);
	gguf_writer_set_string(writer, "general.sampling.top_k", "many", 4);
	gguf_writer_set_bool(writer, "general.sampling.top_p", true);
	gguf_writer_set_f32(writer, "general.sampling.min_p", 0.1f);
	read_values();
	cr_assert_eq(n, 1);
	expect("min-p", "0.1");
}
