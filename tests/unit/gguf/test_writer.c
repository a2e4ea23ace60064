#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "gguf/reader.h"
#include "gguf/writer.h"
#include "support/gguf_memory.h"

static const float weights[8] = {0, 1, 2, 3, 4, 5, 6, 7};

static struct gguf_writer *example(void)
{
	static const char *const tokens[] = {"<s>", "", "\xFFx"};
	static const size_t lens[] = {3, 0, 2};
	static const float scores[] = {0.5f, -1, 2};
	static const int32_t types[] = {3, 1, -6};
	struct gguf_writer *w = gguf_writer_create();

	gguf_writer_set_string(w, "general.architecture", "llama", 5);
	gguf_writer_set_u32(w, "a.u32", 4000000000u);
	gguf_writer_set_i32(w, "a.i32", -5);
	gguf_writer_set_u64(w, "a.u64", (uint64_t)1 << 40);
	gguf_writer_set_f32(w, "a.f32", 1.5f);
	gguf_writer_set_bool(w, "a.bool", true);
	gguf_writer_set_strings(w, "tokenizer.ggml.tokens", tokens, lens, 3);
	gguf_writer_set_f32s(w, "tokenizer.ggml.scores", scores, 3);
	gguf_writer_set_i32s(w, "tokenizer.ggml.token_type", types, 3);
	gguf_writer_set_f32s(w, "a.none", scores, 0);
	gguf_writer_add_tensor(w, "one", BLOCK_F32, 2, (uint64_t[]){4, 2}, weights, sizeof weights);
	gguf_writer_add_tensor(w, "two", BLOCK_F32, 1, (uint64_t[]){3}, weights + 1, 12);
	return w;
}

static void check_example(const struct gguf *gguf)
{
	const struct gguf_tensor *tensor;
	struct gguf_string string;
	struct gguf_array array;
	struct error err;
	uint32_t u32;
	int32_t i32;
	uint64_t u64;
	float f32;
	bool boolean;

	cr_assert_eq(gguf_version(gguf), 3);
	cr_assert_eq(gguf_n_kv(gguf), 10);
	cr_assert_eq(gguf_n_tensors(gguf), 2);
	cr_assert_eq(gguf_get_string(gguf, "general.architecture", &string, &err), STATUS_OK);
	cr_assert(string.len == 5 && memcmp(string.data, "llama", 5) == 0);
	cr_assert_eq(gguf_get_u32(gguf, "a.u32", &u32, &err), STATUS_OK);
	cr_assert_eq(u32, 4000000000u);
	cr_assert_eq(gguf_get_i32(gguf, "a.i32", &i32, &err), STATUS_OK);
	cr_assert_eq(i32, -5);
	cr_assert_eq(gguf_get_u64(gguf, "a.u64", &u64, &err), STATUS_OK);
	cr_assert_eq(u64, (uint64_t)1 << 40);
	cr_assert_eq(gguf_get_f32(gguf, "a.f32", &f32, &err), STATUS_OK);
	cr_assert_eq(f32, 1.5f);
	cr_assert_eq(gguf_get_bool(gguf, "a.bool", &boolean, &err), STATUS_OK);
	cr_assert(boolean);

	cr_assert_eq(gguf_get_array(gguf, "tokenizer.ggml.tokens", GGUF_STRING, &array, &err), 0);
	cr_assert_eq(array.n, 3);
	cr_assert(gguf_array_string(&array, 0).len == 3 &&
	          memcmp(gguf_array_string(&array, 0).data, "<s>", 3) == 0);
	cr_assert_eq(gguf_array_string(&array, 1).len, 0);
	cr_assert(gguf_array_string(&array, 2).len == 2 &&
	          memcmp(gguf_array_string(&array, 2).data, "\xFFx", 2) == 0);
	cr_assert_eq(gguf_get_array(gguf, "tokenizer.ggml.scores", GGUF_F32, &array, &err), 0);
	cr_assert_eq(gguf_array_f32(&array, 1), -1.0f);
	cr_assert_eq(gguf_get_array(gguf, "tokenizer.ggml.token_type", GGUF_I32, &array, &err), 0);
	cr_assert_eq(gguf_array_i32(&array, 2), -6);
	cr_assert_eq(gguf_get_array(gguf, "a.none", GGUF_F32, &array, &err), 0);
	cr_assert_eq(array.n, 0);

	tensor = gguf_find_tensor(gguf, "two");
	cr_assert_not_null(tensor);
	cr_assert_eq(tensor, gguf_tensor_at(gguf, 1));
	cr_assert(tensor->n_dims == 1 && tensor->ne[0] == 3 && tensor->ne[1] == 1);
	cr_assert(tensor->type == BLOCK_F32 && tensor->n_bytes == 12);
	cr_assert_eq(tensor->offset % gguf_alignment(gguf), 0);
	cr_assert_eq(memcmp(tensor->data, weights + 1, 12), 0);
	tensor = gguf_find_tensor(gguf, "one");
	cr_assert(tensor && tensor->ne[0] == 4 && tensor->ne[1] == 2);
	cr_assert_eq(memcmp(tensor->data, weights, sizeof weights), 0);
	cr_assert_null(gguf_find_tensor(gguf, "three"));
}

Test(gguf_writer, what_is_written_to_memory_is_read_back)
{
	struct gguf_writer *w = example();
	struct gguf *gguf = NULL;
	struct error err = {0};
	struct buf buf = {.max = MIB(1)};

	cr_assert_eq(gguf_writer_write(w, &buf, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(gguf_open_memory(&gguf, buf.data, buf.len, &err), STATUS_OK, "%s", err.text);
	check_example(gguf);
	cr_assert_str_eq(gguf_path(gguf), "");
	cr_assert_eq(gguf_file_size(gguf), buf.len);
	gguf_close(gguf);
	gguf_writer_free(w);
	buf_free(&buf);
}

Test(gguf_writer, a_key_set_again_has_its_new_value_in_its_old_place)
{
	struct gguf_writer *w = example();
	struct gguf *gguf = NULL;
	struct error err = {0};
	struct buf buf = {.max = MIB(1)};
	uint64_t value;

	gguf_writer_set_u64(w, "a.u32", 7);
	gguf_writer_set_u64(w, "a.u32", 8);
	cr_assert_eq(gguf_writer_write(w, &buf, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(gguf_open_memory(&gguf, buf.data, buf.len, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(gguf_n_kv(gguf), 10);
	cr_assert_eq(memcmp(gguf_kv_key(gguf, 1).data, "a.u32", 5), 0);
	cr_assert_eq(gguf_get_u64(gguf, "a.u32", &value, &err), STATUS_OK);
	cr_assert_eq(value, 8);
	gguf_close(gguf);
	gguf_writer_free(w);
	buf_free(&buf);
}

Test(gguf_writer, alignment_is_kept)
{
	static const uint32_t alignments[] = {8, 32, 64, 4096, 65536};

	for (size_t i = 0; i < sizeof alignments / sizeof *alignments; i++) {
		struct gguf_writer *w = example();
		struct gguf *gguf = NULL;
		struct error err = {0};
		struct buf buf = {.max = MIB(1)};

		gguf_writer_set_u32(w, "general.alignment", alignments[i]);
		cr_assert_eq(gguf_writer_write(w, &buf, &err), STATUS_OK, "%s", err.text);
		cr_assert_eq(gguf_open_memory(&gguf, buf.data, buf.len, &err), 0, "%s", err.text);
		cr_assert_eq(gguf_alignment(gguf), alignments[i]);
		for (size_t t = 0; t < 2; t++)
			cr_assert_eq(gguf_tensor_at(gguf, t)->offset % alignments[i], 0);
		cr_assert_eq(memcmp(gguf_find_tensor(gguf, "two")->data, weights + 1, 12), 0);
		gguf_close(gguf);
		gguf_writer_free(w);
		buf_free(&buf);
	}
}

Test(gguf_writer, refuses_what_the_reader_would_refuse)
{
	static const struct {
		const char *name;
		uint32_t type, n_dims;
		uint64_t ne[4];
		size_t n_bytes;
	} rows[] = {
		{"", BLOCK_F32, 1, {8}, 32},
		{"x", BLOCK_F32, 0, {8}, 32},
		{"x", BLOCK_F32, 5, {8}, 32},
		{"x", 4, 1, {8}, 32},
		{"x", BLOCK_F32, 1, {7}, 32},
		{"x", BLOCK_F32, 1, {0}, 0},
		{"x", BLOCK_Q4_0, 1, {31}, 18},
		{"x", BLOCK_F32, 4, {(uint64_t)1 << 40, (uint64_t)1 << 24, 1, 1}, 0},
	};
	char long_key[LIMIT_GGUF_KEY + 2];
	struct gguf_writer *w;
	struct error err = {0};
	struct buf buf = {.max = MIB(1)};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		w = gguf_writer_create();
		gguf_writer_add_tensor(w, rows[i].name, (enum block_type)rows[i].type, rows[i].n_dims,
		                       rows[i].ne, weights, rows[i].n_bytes);
		gguf_writer_set_u32(w, "later", 1);
		cr_assert_eq(gguf_writer_write(w, &buf, &err), STATUS_USAGE, "row %zu", i);
		gguf_writer_free(w);
	}
	memset(long_key, 'k', sizeof long_key - 1);
	long_key[sizeof long_key - 1] = '\0';
	w = gguf_writer_create();
	gguf_writer_set_u32(w, long_key, 1);
	cr_assert_eq(gguf_writer_write(w, &buf, &err), STATUS_LIMIT);
	gguf_writer_free(w);
	w = gguf_writer_create();
	gguf_writer_set_u32(w, long_key + 1, 1);
	cr_assert_eq(gguf_writer_write(w, &buf, &err), STATUS_OK);
	gguf_writer_free(w);
	buf_free(&buf);
}
