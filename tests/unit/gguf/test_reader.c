#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "gguf/reader.h"
#include "gguf/writer.h"
#include "support/gguf_memory.h"

/* Writes the collected file and opens it; frees the writer. */
static struct gguf *reopen(struct gguf_writer *w, struct buf *buf)
{
	struct gguf *gguf = NULL;
	struct error err = {0};

	buf_init(buf, MIB(64));
	cr_assert_eq(gguf_writer_write(w, buf, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(gguf_open_memory(&gguf, buf->data, buf->len, &err), STATUS_OK, "%s", err.text);
	gguf_writer_free(w);
	return gguf;
}

Test(gguf_reader, integers_of_any_type_are_taken_where_they_fit)
{
	static const struct {
		enum gguf_type type;
		uint64_t bits;
		int u32, i32, u64; /* 1: fits */
		int64_t value;
	} rows[] = {
		{GGUF_U8, 200, 1, 1, 1, 200},
		{GGUF_I8, 200, 0, 1, 0, -56},
		{GGUF_U16, 65535, 1, 1, 1, 65535},
		{GGUF_I16, 65535, 0, 1, 0, -1},
		{GGUF_U32, 0x80000000u, 1, 0, 1, 0x80000000ll},
		{GGUF_I32, 0x80000000u, 0, 1, 0, INT32_MIN},
		{GGUF_U64, 7, 1, 1, 1, 7},
		{GGUF_U64, (uint64_t)1 << 32, 0, 0, 1, 1ll << 32},
		{GGUF_I64, UINT64_MAX, 0, 1, 0, -1},
		{GGUF_I64, (uint64_t)INT64_MAX + 1, 0, 0, 0, INT64_MIN},
		{GGUF_F32, 0, 0, 0, 0, 0},
		{GGUF_BOOL, 1, 0, 0, 0, 0},
	};
	struct gguf_writer *w = gguf_writer_create();
	struct gguf *gguf;
	struct buf buf;
	char key[8];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(key, sizeof key, "k%zu", i);
		gguf_writer_set_raw(w, key, rows[i].type, &rows[i].bits, gguf_type_size(rows[i].type));
	}
	gguf = reopen(w, &buf);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct error err = {0};
		uint32_t u32 = 77;
		int32_t i32 = 77;
		uint64_t u64 = 77;

		snprintf(key, sizeof key, "k%zu", i);
		cr_assert_eq(gguf_get_u32(gguf, key, &u32, &err), rows[i].u32 ? 0 : STATUS_FORMAT, "%s", key);
		cr_assert_eq((int64_t)u32, rows[i].u32 ? rows[i].value : 77, "%s", key);
		cr_assert_eq(gguf_get_i32(gguf, key, &i32, &err), rows[i].i32 ? 0 : STATUS_FORMAT, "%s", key);
		cr_assert_eq((int64_t)i32, rows[i].i32 ? rows[i].value : 77, "%s", key);
		cr_assert_eq(gguf_get_u64(gguf, key, &u64, &err), rows[i].u64 ? 0 : STATUS_FORMAT, "%s", key);
		cr_assert_eq(u64, rows[i].u64 ? (uint64_t)rows[i].value : 77, "%s", key);
		if (!rows[i].u64)
			cr_assert(strstr(err.text, key) && strstr(err.text, "header offset 0x") &&
			          strstr(err.text, "expected"), "%s", err.text);
	}
	gguf_close(gguf);
	buf_free(&buf);
}

Test(gguf_reader, floats_are_narrowed_only_where_they_fit)
{
	static const double values[] = {0.1, 1e300, INFINITY, -1e39};
	static const enum status expected[] = {STATUS_OK, STATUS_FORMAT, STATUS_OK, STATUS_FORMAT};
	struct gguf_writer *w = gguf_writer_create();
	struct error err = {0};
	struct gguf *gguf;
	struct buf buf;
	char key[8];
	float value;

	for (size_t i = 0; i < 4; i++) {
		snprintf(key, sizeof key, "k%zu", i);
		gguf_writer_set_raw(w, key, GGUF_F64, &values[i], 8);
	}
	gguf_writer_set_u32(w, "int", 1);
	gguf = reopen(w, &buf);
	for (size_t i = 0; i < 4; i++) {
		snprintf(key, sizeof key, "k%zu", i);
		cr_assert_eq(gguf_get_f32(gguf, key, &value, &err), expected[i], "%s", key);
	}
	cr_assert_eq(gguf_get_f32(gguf, "int", &value, &err), STATUS_FORMAT);
	gguf_close(gguf);
	buf_free(&buf);
}

Test(gguf_reader, an_absent_key_and_a_wrong_type_are_told_apart)
{
	struct gguf_writer *w = gguf_writer_create();
	const float scores[] = {1, 2};
	struct gguf_string string;
	struct gguf_array array;
	struct error err = {0};
	struct gguf *gguf;
	struct buf buf;
	bool boolean;

	gguf_writer_set_f32s(w, "scores", scores, 2);
	gguf_writer_set_string(w, "name", "x", 1);
	gguf = reopen(w, &buf);
	cr_assert(gguf_has(gguf, "scores") && !gguf_has(gguf, "score") && !gguf_has(gguf, ""));
	cr_assert_eq(gguf_get_string(gguf, "nam", &string, &err), STATUS_NOTFOUND);
	cr_assert_eq(gguf_get_string(gguf, "scores", &string, &err), STATUS_FORMAT);
	cr_assert_not_null(strstr(err.text, "found an array of f32, expected string"));
	cr_assert_eq(gguf_get_bool(gguf, "name", &boolean, &err), STATUS_FORMAT);
	cr_assert_eq(gguf_get_array(gguf, "name", GGUF_STRING, &array, &err), STATUS_FORMAT);
	for (int type = 0; type < GGUF_TYPE_COUNT; type++)
		cr_assert_eq(gguf_get_array(gguf, "scores", (enum gguf_type)type, &array, &err),
		             type == GGUF_F32 ? STATUS_OK : STATUS_FORMAT);
	gguf_close(gguf);
	buf_free(&buf);
}

Test(gguf_reader, describes_values_as_text)
{
	static const int32_t many[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, -10};
	static const struct {
		const char *text;
	} rows[] = {
		{"\"llama\""}, {"-3"}, {"true"}, {"0.25"}, {"10 i32: [1, 2, 3, 4, 5, 6, 7, 8, ...]"},
	};
	struct gguf_writer *w = gguf_writer_create();
	struct gguf *gguf;
	struct buf buf, text = {.max = MIB(1)};

	gguf_writer_set_string(w, "a", "llama", 5);
	gguf_writer_set_i32(w, "b", -3);
	gguf_writer_set_bool(w, "c", true);
	gguf_writer_set_f32(w, "d", 0.25f);
	gguf_writer_set_i32s(w, "e", many, 10);
	gguf = reopen(w, &buf);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		buf_clear(&text);
		cr_assert_eq(gguf_kv_describe(gguf, i, &text), STATUS_OK);
		cr_assert_str_eq(buf_text(&text), rows[i].text);
	}
	gguf_close(gguf);
	buf_free(&buf);
	buf_free(&text);
}

Test(gguf_reader, what_is_no_model_file_is_said_plainly)
{
	static const struct {
		const char *make; /* a shell command that makes $f */
		enum status status;
		const char *text;
	} rows[] = {
		{"rm -rf $f", STATUS_NOTFOUND, "No such file"},
		{"mkdir $f", STATUS_FORMAT, "is a folder"},
		{"rm -rf $f; : >$f", STATUS_FORMAT, "is empty"},
		{"echo 'hello, this is a text' >$f", STATUS_FORMAT, "not a GGUF file"},
		{"printf G >$f", STATUS_FORMAT, "not a GGUF file"},
		{"printf GGUF >$f", STATUS_FORMAT, "within its header of 24; incomplete download?"},
		{"printf 'GGUF\\3\\0\\0\\0' >$f", STATUS_FORMAT, "within its header of 24; incomplete download?"},
		{"rm $f; mkfifo $f", STATUS_FORMAT, "not a regular file"},
		{"rm $f; ln -s /dev/zero $f", STATUS_FORMAT, "not a regular file"},
		{"rm $f; ln -s $f $f", STATUS_IO, "cannot open"},
	};
	char dir[] = "/tmp/sotto-reader-XXXXXX", path[64], command[256];

	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/a.gguf", dir);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gguf *gguf = (struct gguf *)path;
		struct error err = {0};

		snprintf(command, sizeof command, "f=%s; %s", path, rows[i].make);
		cr_assert_eq(system(command), 0, "%s", command);
		cr_assert_eq(gguf_open(&gguf, path, &err), rows[i].status, "row %zu: %s", i, err.text);
		cr_assert_null(gguf);
		cr_assert(strstr(err.text, rows[i].text) && strstr(err.text, path), "row %zu: %s", i,
		          err.text);
	}
	unlink(path);
	rmdir(dir);
}

Test(reader, keys_may_be_overridden)
{
	static const struct {
		const char *words;
		enum status status;
	} rows[] = {
		{"n=int:7,f=float:0.5,b=bool:false", STATUS_OK},
		{"n=int:7 f=float:0.5 b=bool:false", STATUS_OK},
		{"'s=str:a, b=c,d' n=int:7", STATUS_OK},
		{"n=int:7x", STATUS_USAGE}, {"n=7", STATUS_USAGE}, {"n=uint:7", STATUS_USAGE}, {"=int:7", STATUS_USAGE},
		{"b=bool:yes", STATUS_USAGE}, {"f=float:", STATUS_USAGE}, {"f=float:nan", STATUS_USAGE}, {"n", STATUS_USAGE},
		{"n=int:7,n=int:8", STATUS_USAGE}, {NULL, STATUS_OK},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct gguf_writer *w = gguf_writer_create();
		struct gguf_string text;
		struct gguf *gguf;
		struct error err;
		struct buf file = {.max = MIB(1)};
		uint32_t n = 0;
		float f = 0;
		bool b = true;

		gguf_writer_set_u32(w, "n", 3);
		cr_assert_eq(gguf_writer_write(w, &file, &err), STATUS_OK);
		gguf_writer_free(w);
		cr_assert_eq(gguf_open_memory(&gguf, file.data, file.len, &err), STATUS_OK);
		cr_expect_eq(gguf_override(gguf, rows[i].words, &err), rows[i].status, "row %zu", i);
		if (!rows[i].status) {
			cr_assert_eq(gguf_get_u32(gguf, "n", &n, &err), STATUS_OK);
			cr_expect_eq(n, rows[i].words ? 7 : 3);
		}
		if (i < 2) {
			cr_expect(gguf_unread_override(gguf, &text) && gguf_string_is(text, "f"));
			cr_expect_eq(gguf_get_f32(gguf, "f", &f, &err), STATUS_OK);
			cr_expect_eq(gguf_get_bool(gguf, "b", &b, &err), STATUS_OK);
			cr_expect(f == 0.5f && !b && !gguf_unread_override(gguf, &text));
			cr_expect_eq(gguf_get_f32(gguf, "n", &f, &err), STATUS_FORMAT);
		}
		if (i == 2)
			cr_expect(!gguf_get_string(gguf, "s", &text, &err) && gguf_string_is(text, "a, b=c,d"));
		gguf_close(gguf);
		buf_free(&file);
	}
}
