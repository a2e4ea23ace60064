#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "catalog/recommended_sampling.h"
#include "gguf/reader.h"
#include "gguf/writer.h"
#include "support/gguf_memory.h"
#include "support/gguf_values.h"

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
	n = recommended_sampling_read(gguf, values);
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

TestSuite(recommended_sampling, .init = setup, .fini = teardown);

Test(recommended_sampling, nothing_by_most_models)
{
	read_values();
	cr_assert_eq(n, 0);
}

Test(recommended_sampling, values_go_by_our_names)
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

Test(recommended_sampling, numbers_of_another_type_are_numbers)
{
	gguf_writer_set_i32(writer, "general.sampling.temp", 1);
	gguf_writer_set_f32(writer, "general.sampling.top_k", 64);
	read_values();
	cr_assert_eq(n, 2);
	expect("temp", "1");
	expect("top-k", "64");
}

Test(recommended_sampling, what_is_out_of_range_becomes_the_nearest)
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

Test(recommended_sampling, what_is_no_number_is_passed_over)
{
	gguf_writer_set_f32(writer, "general.sampling.temp", NAN);
	gguf_writer_set_string(writer, "general.sampling.top_k", "many", 4);
	gguf_writer_set_bool(writer, "general.sampling.top_p", true);
	gguf_writer_set_f32(writer, "general.sampling.min_p", 0.1f);
	read_values();
	cr_assert_eq(n, 1);
	expect("min-p", "0.1");
}
