/* Headers of safetensors files, honest and hostile; what is refused says the name, what was found and what was expected. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "checkpoint/safetensors.h"
#include "support/folder.h"
#include "support/tiny_checkpoint.h"

static char dir[64];
static struct error err;

static void set_up(void)
{
	snprintf(dir, sizeof dir, "/tmp/sotto-safetensors-XXXXXX");
	cr_assert_not_null(mkdtemp(dir));
	err = (struct error){0};
}

static void tear_down(void)
{
	remove_folder(dir);
}

TestSuite(safetensors, .init = set_up, .fini = tear_down);

static const char *in_dir(const char *name)
{
	static char path[256];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	return path;
}

/* A file of this header, a length that is claimed for it, and n bytes of data. */
static void write_raw(const char *name, const char *json, size_t len, uint64_t claimed, size_t n_data)
{
	unsigned char *file = calloc(1, 8 + len + n_data);

	memcpy(file, &claimed, 8);
	memcpy(file + 8, json, len);
	write_bytes(in_dir(name), file, 8 + len + n_data);
	free(file);
}

static void write_file(const char *name, const char *json, size_t n_data)
{
	write_raw(name, json, strlen(json), strlen(json), n_data);
}

static struct checkpoint *must_open(void)
{
	struct checkpoint *checkpoint;

	cr_assert_eq(checkpoint_open(&checkpoint, dir, &err), STATUS_OK, "%s", err.text);
	return checkpoint;
}

static void must_fail(enum status status, const char *words)
{
	struct checkpoint *checkpoint;

	cr_assert_eq(checkpoint_open(&checkpoint, dir, &err), status, "'%s' for: %s", err.text, words);
	cr_assert(strstr(err.text, words), "'%s' has no '%s'", err.text, words);
	cr_assert(strstr(err.text, dir), "'%s' names no file", err.text);
}

Test(safetensors, tensors_are_found_by_name_with_their_bytes)
{
	static const char json[] =
		"{\"__metadata__\":{\"format\":\"pt\"},"
		"\"b\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[2,26]},"
		"\"a\":{\"dtype\":\"F16\",\"shape\":[],\"data_offsets\":[0,2]},"
		"\"empty\":{\"dtype\":\"BF16\",\"shape\":[0,4],\"data_offsets\":[26,26]}}   ";
	struct checkpoint *c;
	const struct safetensor *tensor;
	unsigned char bytes[4];

	write_file("model.safetensors", json, 26);
	c = must_open();
	cr_expect_eq(checkpoint_n_tensors(c), 3);
	cr_expect_str_eq(checkpoint_tensor_at(c, 0)->name, "a");
	cr_expect_eq(checkpoint_tensor_at(c, 0)->n_dims, 0);
	cr_expect_eq(checkpoint_tensor_at(c, 0)->n_cols, 1);
	tensor = checkpoint_find(c, "b");
	cr_assert_not_null(tensor);
	cr_expect_eq(tensor->dtype, DTYPE_F32);
	cr_expect_eq(tensor->n_rows, 2);
	cr_expect_eq(tensor->n_cols, 3);
	cr_expect_eq(tensor->offset, 8 + sizeof json - 1 + 2);
	cr_expect_eq(tensor->n_bytes, 24);
	cr_expect_eq(checkpoint_read(c, tensor, 20, bytes, 4, &err), STATUS_OK);
	cr_expect_eq(checkpoint_read(c, tensor, 21, bytes, 4, &err), STATUS_FORMAT);
	cr_expect_null(checkpoint_find(c, "c"));
	checkpoint_close(c);
}

Test(safetensors, a_file_of_the_folder_names_the_folder)
{
	struct checkpoint *c;

	write_file("model.safetensors", "{}", 0);
	cr_assert_eq(checkpoint_open(&c, in_dir("model.safetensors"), &err), STATUS_OK, "%s", err.text);
	cr_expect_str_eq(checkpoint_folder(c), dir);
	checkpoint_close(c);
	cr_expect_eq(checkpoint_open(&c, in_dir("other.safetensors"), &err), STATUS_NOTFOUND);
	cr_expect_eq(checkpoint_open(&c, "/nowhere/at/all", &err), STATUS_NOTFOUND);
}

#define ENTRY(dtype, shape, offsets) "{\"a\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

Test(safetensors, hostile_headers_are_refused)
{
	static const struct {
		const char *json;
		size_t n_data;
		const char *words;
	} cases[] = {
		{"[]", 0, "does not begin with {"},
		{"  {}", 0, "does not begin with {"},
		{"{,", 0, "not JSON"},
		{"{}x", 0, "not JSON"},
		{"{}{}", 0, "something follows"},
		{"{}", 1, "the tensors end at byte 0 behind the header, the file at 1"},
		{"{\"\xff\":1}", 0, "not UTF-8"},
		{"{\"a\":1}", 0, "tensor 'a': its entry is not an object"},
		{"{\"a\":{}}", 0, "tensor 'a': expected dtype, shape and two data_offsets"},
		{"{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "expected dtype, shape and two data_offsets"},
		{ENTRY("F33", "[1]", "[0,4]"), 4, "tensor 'a': dtype is 'F33', expected F32"},
		{ENTRY("F32\\u0000", "[1]", "[0,4]"), 4, "dtype is 'F32', expected"},
		{"{\"a\":{\"dtype\":32,\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "dtype is not a text"},
		{ENTRY("F32", "1", "[0,4]"), 4, "shape is not a list"},
		{ENTRY("F32", "[-1]", "[0,4]"), 4, "shape is not a list of whole numbers"},
		{ENTRY("F32", "[1.0]", "[0,4]"), 4, "shape is not a list of whole numbers"},
		{ENTRY("F32", "[1e0]", "[0,4]"), 4, "shape is not a list of whole numbers"},
		{ENTRY("F32", "[\"1\"]", "[0,4]"), 4, "shape is not a list of whole numbers"},
		{ENTRY("F32", "[18446744073709551616]", "[0,4]"), 4, "shape is not a list of whole numbers below 2^64"},
		{ENTRY("F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), 4, "shape has more than 8 items"},
		{ENTRY("F32", "[4294967296,4294967296,1]", "[0,4]"), 4, "more elements than a file can hold"},
		{ENTRY("F32", "[9223372036854775808]", "[0,4]"), 4, "more elements than a file can hold"},
		{ENTRY("F32", "[2305843009213693952]", "[0,0]"), 0, "more elements than a file can hold"},
		{ENTRY("F32", "[1]", "[0,4,8]"), 4, "data_offsets has more than 2 items"},
		{ENTRY("F32", "[1]", "[0]"), 4, "expected dtype, shape and two data_offsets"},
		{ENTRY("F32", "[1]", "[4,0]"), 4, "bytes 4 to 0, expected a part of the 4 bytes"},
		{ENTRY("F32", "[2]", "[0,8]"), 4, "bytes 0 to 8, expected a part of the 4 bytes behind the header"},
		{ENTRY("F32", "[1]", "[18446744073709551615,3]"), 4, "expected a part of"},
		{ENTRY("F32", "[1]", "[0,3]"), 3, "3 bytes, expected 32 bits for its shape and F32"},
		{ENTRY("F4", "[1]", "[0,1]"), 1, "1 bytes, expected 4 bits"},
		{ENTRY("F32", "[0]", "[0,4]"), 4, "4 bytes, expected 0 bits"},
		{ENTRY("F32", "[1]", "[4,8]"), 8, "tensor 'a': begins at byte 4 behind the header, expected 0: there is a hole"},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[3,7]}}",
		 7, "tensor 'b': begins at byte 3 behind the header, expected 4: it overlaps another one"},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}}",
		 4, "it overlaps another one"},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[6,8]}}",
		 8, "there is a hole"},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
		 2, "tensor 'a' is there twice"},
		{"{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1, "a field is there twice"},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1],\"shape\":[1]}}", 1, "a field is there twice"},
		{"{\"a\\u0000b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1, "tensor 'a': the name has a NUL in it"},
		{"{\"../x\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1, "tensor '../x': the name has '..' in it"},
		{"{\"/etc/x\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1, "the name has a slash in it"},
		{"{\"a\\u001bb\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1, "the name has a control character in it"},
		{"{\"\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1, "a tensor's name has 0 bytes"},
		{"{\"__metadata__\":3}", 0, "__metadata__"},
		{"{\"__metadata__\":{\"a\":{}}}", 0, "a value is not a text"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		write_file("model.safetensors", cases[i].json, cases[i].n_data);
		must_fail(STATUS_FORMAT, cases[i].words);
		cr_expect(strstr(err.text, "model.safetensors"), "%s", err.text);
	}
}

Test(safetensors, the_length_of_the_header_is_checked_first)
{
	static const struct {
		uint64_t claimed;
		const char *words;
	} cases[] = {
		{0, "the header has 0 bytes, expected 2 or more"},
		{1, "expected 2 or more"},
		{3, "the header has 3 bytes, the file 10: an incomplete download?"},
		{UINT64_MAX, "the header has 18446744073709551615 bytes, expected 100000000 at the most"},
		{UINT64_MAX - 8, "expected 100000000 at the most"},
		{(uint64_t)1 << 63, "expected 100000000 at the most"},
		{LIMIT_SAFETENSORS_HEADER + 1, "expected 100000000 at the most"},
		{0x206e6f6973726576, "only what Git LFS keeps in the file's place"}, /* "version " */
		{LIMIT_SAFETENSORS_HEADER, "the file 10: an incomplete download?"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		write_raw("model.safetensors", "{}", 2, cases[i].claimed, 0);
		must_fail(STATUS_FORMAT, cases[i].words);
	}
	for (size_t n = 0; n < 8; n++) {
		write_bytes(in_dir("model.safetensors"), "\2\0\0\0\0\0\0\0", n);
		must_fail(STATUS_FORMAT, "bytes, expected 8 or more: an incomplete download?");
	}
}

Test(safetensors, a_file_cut_at_any_byte_of_its_header_is_refused)
{
	static const char json[] = "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";
	uint64_t len = sizeof json - 1;
	unsigned char file[8 + sizeof json];

	memcpy(file, &len, 8);
	memcpy(file + 8, json, len);
	file[8 + len] = 0;
	for (size_t n = 0; n < 8 + len + 1; n++) {
		write_bytes(in_dir("model.safetensors"), file, n);
		must_fail(STATUS_FORMAT, "");
		if (n < 9 || n - 8 < 2) /* what is left, as a header that claims no more */
			continue;
		write_raw("model.safetensors", json, n - 8, n - 8, n == 8 + len ? 0 : 1);
		must_fail(STATUS_FORMAT, "");
	}
	write_bytes(in_dir("model.safetensors"), file, 8 + len + 1);
	checkpoint_close(must_open());
}

Test(safetensors, names_and_numbers_of_tensors_have_limits)
{
	struct buf json = {.max = MIB(200)};

	buf_puts(&json, "{\"");
	for (int i = 0; i < LIMIT_CHECKPOINT_NAME; i++)
		buf_putc(&json, 'x');
	buf_puts(&json, "\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}");
	write_file("model.safetensors", json.data, 0);
	checkpoint_close(must_open());
	buf_clear(&json);
	buf_puts(&json, "{\"");
	for (int i = 0; i <= LIMIT_CHECKPOINT_NAME; i++)
		buf_putc(&json, 'x');
	buf_puts(&json, "\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}");
	write_file("model.safetensors", json.data, 0);
	must_fail(STATUS_FORMAT, "a tensor's name has 512 bytes, expected 1..511");
	buf_clear(&json);
	buf_putc(&json, '{');
	for (unsigned i = 0; i < 1000000; i++)
		buf_printf(&json, "%s\"t%u\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}", i ? "," : "", i);
	buf_putc(&json, '}');
	write_file("model.safetensors", json.data, 0);
	must_fail(STATUS_LIMIT, "more than 500000 tensors");
	buf_free(&json);
}

Test(safetensors, deep_json_is_refused)
{
	struct buf json = {.max = MIB(8)};

	buf_puts(&json, "{\"a\":{\"x\":");
	for (int i = 0; i < 1000000; i++)
		buf_putc(&json, '[');
	write_file("model.safetensors", json.data, 0);
	must_fail(STATUS_FORMAT, "");
	buf_free(&json);
}

static void write_index(const char *map)
{
	char text[512];

	snprintf(text, sizeof text, "{\"metadata\":{\"weight_map\":{\"x\":\"y\"}},\"weight_map\":%s}", map);
	write_text(in_dir("model.safetensors.index.json"), text);
}

Test(safetensors, the_index_and_the_shards_agree_in_every_name)
{
	static const struct {
		const char *map, *words;
	} cases[] = {
		{"{\"a\":\"1.safetensors\"}", "tensor 'b' is in"},
		{"{\"a\":\"1.safetensors\",\"b\":\"2.safetensors\",\"c\":\"2.safetensors\"}", "tensor 'c' is not in 2.safetensors"},
		{"{\"a\":\"2.safetensors\",\"b\":\"1.safetensors\"}", "tensor 'a' is in 1.safetensors"},
		{"{\"a\":\"../1.safetensors\",\"b\":\"2.safetensors\"}", "weight_map names the file '../1.safetensors', expected the plain name"},
		{"{\"a\":\"/etc/passwd\"}", "expected the plain name"},
		{"{\"a\":\".safetensors\"}", "expected the plain name"},
		{"{\"a\":\"1.safetensors\\u0000\"}", "expected the plain name"},
		{"{\"a\":\"config.json\"}", "expected the plain name"},
		{"{\"a\":1}", "expected the plain name"},
		{"[]", "weight_map is not an object"},
		{"{}", "weight_map is missing or empty"},
	};
	struct checkpoint *c;

	write_file("1.safetensors", "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1);
	write_file("2.safetensors", "{\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1);
	write_file("model-extra.safetensors", "{\"z\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1);
	write_index("{\"b\":\"2.safetensors\",\"a\":\"1.safetensors\"}");
	c = must_open();
	cr_expect_eq(checkpoint_n_tensors(c), 2);
	cr_expect_eq(checkpoint_find(c, "a")->file, 0); /* files by name */
	cr_expect_eq(checkpoint_find(c, "b")->file, 1);
	checkpoint_close(c);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		write_index(cases[i].map);
		if (i == 0)
			write_index("{\"a\":\"1.safetensors\",\"x\":\"2.safetensors\"}");
		must_fail(STATUS_FORMAT, i == 0 ? "'b' is in 2.safetensors, but not in" : cases[i].words);
	}
	write_index("{\"a\":\"1.safetensors\",\"b\":\"3.safetensors\"}");
	must_fail(STATUS_NOTFOUND, "3.safetensors: cannot open");
}

Test(safetensors, shards_without_an_index_are_taken_by_name)
{
	struct checkpoint *c;

	write_file("model-00001-of-00002.safetensors", "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1);
	write_file("model-00002-of-00002.safetensors", "{\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1);
	write_file("consolidated.safetensors", "{\"c\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1);
	c = must_open();
	cr_expect_eq(checkpoint_n_tensors(c), 2);
	checkpoint_close(c);
	write_file("model-00003.safetensors", "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1);
	must_fail(STATUS_FORMAT, "tensor 'a' is there twice, in model-00001-of-00002.safetensors and in model-00003.safetensors");
}

Test(safetensors, a_file_that_grows_shorter_is_an_error)
{
	struct checkpoint *c;
	unsigned char byte;

	write_file("model.safetensors", "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1);
	c = must_open();
	cr_assert_eq(truncate(in_dir("model.safetensors"), 10), 0);
	cr_expect_eq(checkpoint_read(c, checkpoint_find(c, "a"), 0, &byte, 1, &err), STATUS_FORMAT);
	cr_expect(strstr(err.text, "cut short while it was read"), "%s", err.text);
	checkpoint_close(c);
}

Test(safetensors, what_is_no_file_does_not_block)
{
	cr_assert_eq(mkfifo(in_dir("model.safetensors"), 0600), 0);
	must_fail(STATUS_FORMAT, "not a regular file");
}

Test(safetensors, files_of_the_folder_have_limits)
{
	struct checkpoint *c;
	char *text;
	size_t len;

	write_file("model.safetensors", "{}", 0);
	write_text(in_dir("config.json"), "12345678");
	c = must_open();
	cr_assert_eq(checkpoint_file(c, "config.json", 8, &text, &len, &err), STATUS_OK);
	cr_expect_str_eq(text, "12345678");
	cr_expect_eq(len, 8);
	free(text);
	cr_expect_eq(checkpoint_file(c, "config.json", 7, &text, &len, &err), STATUS_LIMIT);
	cr_expect_eq(checkpoint_file(c, "other.json", 7, &text, &len, &err), STATUS_NOTFOUND);
	checkpoint_close(c);
}
