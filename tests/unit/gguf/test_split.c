/* Models in several files. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "gguf/reader.h"
#include "gguf/split_name.h"
#include "gguf/writer.h"
#include "support/gguf_memory.h"
#include "support/split_model.h"

enum { N_PARTS = 3 };

static char dir[64], prefix[80];

static void make_dir(void)
{
	snprintf(dir, sizeof dir, "/tmp/sotto-split-XXXXXX");
	cr_assert_not_null(mkdtemp(dir));
	snprintf(prefix, sizeof prefix, "%s/m", dir);
}

/* A shell command on the folder. */
static void run(const char *command)
{
	char line[512];

	snprintf(line, sizeof line, "cd %s && %s", dir, command);
	cr_assert_eq(system(line), 0, "%s", line);
}

static void remove_dir(void)
{
	run("rm -r ../$(basename $PWD)");
}

TestSuite(gguf_split, .init = make_dir, .fini = remove_dir);

static const char *part(uint32_t index)
{
	return split_model_path(prefix, index, N_PARTS);
}

static void save(uint32_t n_parts, split_change change, void *ctx)
{
	struct tiny_model tiny = tiny_model_default();
	struct error err = {0};

	cr_assert_eq(split_model_save(&tiny, prefix, n_parts, change, ctx, &err), STATUS_OK, "%s",
	             err.text);
}

static struct gguf *open_path(const char *path)
{
	struct error err = {0};
	struct gguf *gguf;

	cr_assert_eq(gguf_open(&gguf, path, &err), STATUS_OK, "%s", err.text);
	return gguf;
}

/* Tensors, metadata and sizes are those of the model in one file. */
static void check_whole(const struct gguf *split, uint32_t n_parts)
{
	struct tiny_model tiny = tiny_model_default();
	struct gguf *whole;
	struct error err;
	struct buf file = {.max = MIB(64)};
	struct stat st;
	uint64_t bytes = 0;

	cr_assert_eq(tiny_model_write(&tiny, &file, &err), STATUS_OK);
	cr_assert_eq(gguf_open_memory(&whole, file.data, file.len, &err), STATUS_OK);
	cr_assert_eq(gguf_n_tensors(split), gguf_n_tensors(whole));
	for (size_t i = 0; i < gguf_n_tensors(whole); i++) {
		const struct gguf_tensor *a = gguf_tensor_at(split, i), *b = gguf_tensor_at(whole, i);
		char name[LIMIT_GGUF_TENSOR_NAME + 1] = {0};

		memcpy(name, b->name.data, b->name.len);
		cr_assert_eq(gguf_find_tensor(split, name), a, "%s", name);
		cr_assert(a->type == b->type && a->n_bytes == b->n_bytes && a->n_dims == b->n_dims);
		cr_assert_arr_eq(a->ne, b->ne, sizeof a->ne);
		cr_assert_arr_eq(a->data, b->data, b->n_bytes);
	}
	for (size_t i = 0; i < gguf_n_kv(whole); i++) {
		struct gguf_string key = gguf_kv_key(whole, i), found = gguf_kv_key(split, i);

		cr_assert(key.len == found.len && memcmp(key.data, found.data, key.len) == 0);
	}
	cr_assert_eq(gguf_n_parts(split), n_parts);
	cr_assert_str_eq(gguf_path(split), gguf_part_path(split, 0));
	for (uint32_t i = 0; i < n_parts; i++) {
		cr_assert_eq(stat(gguf_part_path(split, i), &st), 0);
		bytes += (uint64_t)st.st_size;
	}
	cr_assert_eq(gguf_file_size(split), bytes);
	cr_assert_eq(gguf_check_unchanged(split, &err), STATUS_OK);
	gguf_close(whole);
	buf_free(&file);
}

Test(gguf_split, any_part_opens_the_whole_model)
{
	save(N_PARTS, NULL, NULL);
	for (uint32_t i = 0; i < N_PARTS; i++) {
		struct gguf *gguf = open_path(part(i));

		check_whole(gguf, N_PARTS);
		cr_assert_str_eq(gguf_path(gguf), part(0));
		gguf_close(gguf);
	}
}

Test(gguf_split, names_without_a_folder_do)
{
	struct gguf *gguf;

	save(N_PARTS, NULL, NULL);
	cr_assert_eq(chdir(dir), 0);
	gguf = open_path("m-00002-of-00003.gguf");
	check_whole(gguf, N_PARTS);
	gguf_close(gguf);
	cr_assert_eq(chdir("/"), 0);
}

/* More parts than tensors: some have none, the first among them (gguf-split's
 * --no-tensor-first-split). */
Test(gguf_split, as_many_parts_as_may_be)
{
	struct gguf *gguf;

	save(LIMIT_GGUF_PARTS, NULL, NULL);
	gguf = open_path(split_model_path(prefix, 7, LIMIT_GGUF_PARTS));
	check_whole(gguf, LIMIT_GGUF_PARTS);
	cr_assert_eq(gguf_part_path(gguf, 0), gguf_path(gguf));
	gguf_close(gguf);
}

/* Hugging Face's cache: links with the parts' names lead to files named by hashes. */
Test(gguf_split, links_have_the_names)
{
	struct gguf *gguf;

	save(N_PARTS, NULL, NULL);
	run("mkdir -p blobs snapshots/0 && for i in 1 2 3; do mv m-0000$i-of-00003.gguf blobs/ab$i &&"
	    " ln -s ../../blobs/ab$i snapshots/0/m-0000$i-of-00003.gguf; done");
	snprintf(prefix, sizeof prefix, "%s/snapshots/0/m", dir);
	gguf = open_path(part(2));
	check_whole(gguf, N_PARTS);
	gguf_close(gguf);
}

Test(gguf_split, a_link_with_another_name_is_followed)
{
	char path[128];
	struct gguf *gguf;

	save(N_PARTS, NULL, NULL);
	run("mkdir here && ln -s ../m-00001-of-00003.gguf here/nice.gguf");
	snprintf(path, sizeof path, "%s/here/nice.gguf", dir);
	gguf = open_path(path);
	check_whole(gguf, N_PARTS);
	gguf_close(gguf);
}

Test(gguf_split, one_of_one_is_a_file_like_others)
{
	struct gguf *gguf;

	save(1, NULL, NULL);
	run("mv m-00001-of-00001.gguf whole.gguf");
	snprintf(prefix, sizeof prefix, "%s/whole.gguf", dir);
	gguf = open_path(prefix);
	check_whole(gguf, 1);
	gguf_close(gguf);
}

/* ---- damage ---- */

struct fault {
	uint32_t part;
	void (*change)(struct gguf_writer *w);
};

static void change_part(void *ctx, uint32_t index, struct gguf_writer *w)
{
	const struct fault *fault = ctx;

	if (fault->change && fault->part == index)
		fault->change(w);
}

static void count_of_four(struct gguf_writer *w) { split_model_set_u16(w, "split.count", 4); }
static void count_of_one(struct gguf_writer *w) { split_model_set_u16(w, "split.count", 1); }
static void count_too_large(struct gguf_writer *w) { split_model_set_u16(w, "split.count", 257); }
static void count_a_text(struct gguf_writer *w) { gguf_writer_set_string(w, "split.count", "3", 1); }
static void count_negative(struct gguf_writer *w) { gguf_writer_set_i32(w, "split.count", -3); }
static void number_of_first(struct gguf_writer *w) { split_model_set_u16(w, "split.no", 0); }
static void number_too_large(struct gguf_writer *w) { split_model_set_u16(w, "split.no", 3); }
static void number_a_text(struct gguf_writer *w) { gguf_writer_set_string(w, "split.no", "", 0); }
static void fewer_tensors(struct gguf_writer *w) { gguf_writer_set_i32(w, "split.tensors.count", 5); }
static void many_tensors(struct gguf_writer *w) { gguf_writer_set_i32(w, "split.tensors.count", -1); }

static void other_name(struct gguf_writer *w)
{
	gguf_writer_set_string(w, "general.name", "Another", 7);
}

static void tensor_of_first(struct gguf_writer *w)
{
	static const float rows[16];

	gguf_writer_add_tensor(w, "token_embd.weight", BLOCK_F32, 1, (uint64_t[]){16}, rows,
	                       sizeof rows);
}

static void tensor_too_many(struct gguf_writer *w)
{
	static const float rows[16];

	gguf_writer_add_tensor(w, "surplus", BLOCK_F32, 1, (uint64_t[]){16}, rows, sizeof rows);
}

Test(gguf_split, every_damage_is_told_apart)
{
	static const struct {
		struct fault fault;
		const char *command; /* in the folder, after writing */
		enum status status;
		const char *text; /* in the message, which begins with the path that was opened */
	} rows[] = {
		{{0, NULL}, "rm m-00002-of-00003.gguf", STATUS_NOTFOUND,
		 ": part 2 of 3, m-00002-of-00003.gguf, is missing; incomplete download?"},
		{{0, NULL}, "rm m-00003-of-00003.gguf && ln -s nowhere m-00003-of-00003.gguf", STATUS_NOTFOUND,
		 ": part 3 of 3, m-00003-of-00003.gguf, is missing"},
		{{0, NULL}, "truncate -s 30 m-00002-of-00003.gguf", STATUS_FORMAT,
		 ": part 2 of 3, m-00002-of-00003.gguf: "},
		{{0, NULL}, "truncate -s -1 m-00003-of-00003.gguf", STATUS_FORMAT,
		 ": part 3 of 3, m-00003-of-00003.gguf: tensor '"},
		{{0, NULL}, "truncate -s 0 m-00003-of-00003.gguf", STATUS_FORMAT, ": the file is empty"},
		{{0, NULL}, "echo Not Found >m-00003-of-00003.gguf", STATUS_FORMAT,
		 "m-00003-of-00003.gguf: not a GGUF file"},
		{{0, NULL}, "rm m-00002-of-00003.gguf && mkdir m-00002-of-00003.gguf", STATUS_FORMAT,
		 ": part 2 of 3, m-00002-of-00003.gguf: is a folder"},
		{{0, NULL}, "rm m-00002-of-00003.gguf && mkfifo m-00002-of-00003.gguf", STATUS_FORMAT,
		 "is not a regular file"},
		{{0, NULL}, "cp m-00003-of-00003.gguf m-00002-of-00003.gguf", STATUS_FORMAT,
		 ": part 2 of 3, m-00002-of-00003.gguf: key 'split.no' is 2, expected 1"},
		{{0, NULL}, "cp m-00001-of-00003.gguf m-00003-of-00003.gguf", STATUS_FORMAT,
		 ": part 3 of 3, m-00003-of-00003.gguf: key 'split.no' is 0, expected 2"},
		{{0, NULL}, "cp m-00002-of-00003.gguf m-00001-of-00003.gguf", STATUS_FORMAT,
		 "the file is part 2 of 3 of a model, but named as part 1 of 3"},
		{{0, count_of_four}, ":", STATUS_FORMAT,
		 "the file is part 1 of 4 of a model, but named as part 1 of 3"},
		{{1, count_of_four}, ":", STATUS_FORMAT,
		 ": part 2 of 3, m-00002-of-00003.gguf: key 'split.count' is 4, expected 3"},
		{{2, count_of_one}, ":", STATUS_FORMAT, "key 'split.count' is 1, expected 3"},
		{{0, count_too_large}, ":", STATUS_LIMIT, "key 'split.count' is 257, the limit is 256 parts"},
		{{1, count_too_large}, ":", STATUS_LIMIT, ": part 2 of 3, m-00002-of-00003.gguf: key 'split"},
		{{0, count_a_text}, ":", STATUS_FORMAT, "key 'split.count'"},
		{{0, count_negative}, ":", STATUS_FORMAT, "key 'split.count'"},
		{{0, number_too_large}, ":", STATUS_FORMAT, "key 'split.no' is 3, expected less than 3"},
		{{1, number_of_first}, ":", STATUS_FORMAT, "key 'split.no' is 0, expected 1"},
		{{1, number_a_text}, ":", STATUS_FORMAT, ": part 2 of 3, m-00002-of-00003.gguf: key 'split.no'"},
		{{1, fewer_tensors}, ":", STATUS_FORMAT,
		 ": part 2 of 3, m-00002-of-00003.gguf: key 'split.tensors.count' is 5, "},
		{{0, many_tensors}, ":", STATUS_FORMAT, "key 'split.tensors.count'"},
		{{2, other_name}, ":", STATUS_FORMAT,
		 ": part 3 of 3, m-00003-of-00003.gguf: key 'general.name' differs from the first part"},
		{{2, tensor_of_first}, ":", STATUS_FORMAT,
		 ": tensor 'token_embd.weight' is in part 1 and again in part 3"},
		{{1, tensor_too_many}, ":", STATUS_FORMAT, "expected 21 (split.tensors.count)"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fault fault = rows[i].fault;
		struct error err = {0};
		struct gguf *gguf;
		size_t len = strlen(part(0));

		save(N_PARTS, change_part, &fault);
		run(rows[i].command);
		cr_expect_eq(gguf_open(&gguf, part(0), &err), rows[i].status, "row %zu: %s", i, err.text);
		cr_expect_null(gguf);
		cr_expect(strncmp(err.text, part(0), len) == 0, "row %zu: %s", i, err.text);
		cr_expect(strstr(err.text, rows[i].text) && !strstr(err.text + len, dir), "row %zu: %s", i,
		          err.text);
		run("rm -rf m-*");
	}
}

/* By another part it is the same fault. */
Test(gguf_split, a_missing_first_part)
{
	struct error err = {0};
	struct gguf *gguf;

	save(N_PARTS, NULL, NULL);
	run("rm m-00001-of-00003.gguf");
	cr_expect_eq(gguf_open(&gguf, part(2), &err), STATUS_NOTFOUND);
	cr_expect(strstr(err.text, "m-00003-of-00003.gguf: part 1 of 3, m-00001-of-00003.gguf, is missing"),
	          "%s", err.text);
}

Test(gguf_split, a_name_that_says_nothing)
{
	char path[128];
	struct error err = {0};
	struct gguf *gguf;

	save(N_PARTS, NULL, NULL);
	run("mv m-00002-of-00003.gguf second.gguf");
	snprintf(path, sizeof path, "%s/second.gguf", dir);
	cr_expect_eq(gguf_open(&gguf, path, &err), STATUS_FORMAT);
	cr_expect(strstr(err.text, "the file is part 2 of 3 of a model, but its name does not say so: "
	                           "expected NAME-00002-of-00003.gguf"), "%s", err.text);
}

/* ---- in use ---- */

Test(gguf_split, a_part_cut_short_reads_as_zeros_and_says_so)
{
	struct gguf *gguf;
	struct error err = {0};
	const struct gguf_tensor *tensor;

	save(N_PARTS, NULL, NULL);
	gguf = open_path(part(0));
	tensor = gguf_tensor_at(gguf, gguf_n_tensors(gguf) - 1);
	cr_assert_eq(truncate(part(2), 0), 0);
	cr_expect_eq(((const unsigned char *)tensor->data)[0], 0);
	cr_expect(gguf_was_truncated(gguf));
	cr_expect_eq(gguf_check_unchanged(gguf, &err), STATUS_FORMAT);
	cr_expect(strstr(err.text, part(2)) && strstr(err.text, "has changed"), "%s", err.text);
	gguf_close(gguf);
}

Test(gguf_split, a_part_replaced_is_named)
{
	struct gguf *gguf;
	struct error err = {0};

	save(N_PARTS, NULL, NULL);
	gguf = open_path(part(0));
	run("cp -p m-00002-of-00003.gguf new && mv new m-00002-of-00003.gguf");
	cr_expect_eq(gguf_check_unchanged(gguf, &err), STATUS_FORMAT);
	cr_expect(strstr(err.text, part(1)) && strstr(err.text, "was replaced"), "%s", err.text);
	gguf_close(gguf);
}

/* ---- names ---- */

Test(gguf_split_name, what_is_the_name_of_a_part)
{
	static const struct {
		const char *path;
		size_t stem;
		uint32_t part, n_parts; /* 0: none */
	} rows[] = {
		{"a-00001-of-00003.gguf", 1, 1, 3},
		{"/x/y/a-b-00003-of-00003.gguf", 8, 3, 3},
		{"a-99999-of-99999.gguf", 1, 99999, 99999},
		{"a-00001-of-00002-00002-of-00003.gguf", 16, 2, 3},
		{"a-00004-of-00003.gguf", 0, 0, 0},
		{"a-00000-of-00003.gguf", 0, 0, 0},
		{"a-1-of-3.gguf", 0, 0, 0},
		{"a-000001-of-00003.gguf", 0, 0, 0},
		{"a-00001-of-00003.bin", 0, 0, 0},
		{"a-00001-OF-00003.gguf", 0, 0, 0},
		{"a-0000x-of-00003.gguf", 0, 0, 0},
		{"-00001-of-00003.gguf", 0, 0, 0},
		{"x/-00001-of-00003.gguf", 0, 0, 0},
		{".gguf", 0, 0, 0},
		{"", 0, 0, 0},
	};
	struct split_name name;
	struct buf path = {.max = KIB(4)};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		bool is_part = split_name_parse(rows[i].path, &name);

		cr_assert_eq(is_part, rows[i].part > 0, "%s", rows[i].path);
		if (!is_part)
			continue;
		cr_expect(name.stem == rows[i].stem && name.part == rows[i].part &&
		          name.n_parts == rows[i].n_parts, "%s", rows[i].path);
		cr_expect_eq(split_name_path(&path, rows[i].path, &name, name.part), STATUS_OK);
		cr_expect_str_eq(buf_text(&path), rows[i].path);
	}
	buf_free(&path);
}
