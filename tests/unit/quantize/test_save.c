/* Whole files: the same bytes for any number of threads, nothing lost or left
 * behind when something fails, and what is refused. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "kernels/quant.h"
#include "quantize/encoder.h"
#include "quantize/quantize.h"
#include "support/faulter.h"
#include "support/folder.h"
#include "support/gguf_memory.h"
#include "support/random.h"
#include "support/split_model.h"
#include "support/tiny_model.h"

static char dir[64], in[96], out[96];
static struct error err;

static void set_up(void)
{
	snprintf(dir, sizeof dir, "/tmp/sotto-quantize-XXXXXX");
	cr_assert_not_null(mkdtemp(dir));
	snprintf(in, sizeof in, "%s/in.gguf", dir);
	snprintf(out, sizeof out, "%s/out.gguf", dir);
}

static size_t count_files(void)
{
	DIR *folder = opendir(dir);
	size_t n = 0;

	while (readdir(folder))
		n++;
	closedir(folder);
	return n - 2;
}

static void tear_down(void)
{
	remove_folder(dir);
}

TestSuite(quantize_save, .init = set_up, .fini = tear_down);

/* Rows of 256 and more pieces than one. */
static struct tiny_model wide(void)
{
	struct tiny_model tiny = tiny_model_default();

	tiny.n_embd = 256;
	tiny.n_ff = 512;
	return tiny;
}

static void save_model(const struct tiny_model *tiny)
{
	cr_assert_eq(tiny_model_save(tiny, in, &err), STATUS_OK, "%s", err.text);
}

static struct quantize_job job_for(const char *recipe)
{
	return (struct quantize_job){.recipe = recipe_find(recipe)};
}

static enum status run_to(const struct quantize_job *job, const char *path, size_t n_threads,
                          const struct io_ops *io)
{
	struct quantize_plan plan = {0};
	struct threadpool *pool = NULL;
	struct gguf *gguf;
	enum status status;

	cr_assert_eq(gguf_open(&gguf, in, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(threadpool_create(&pool, n_threads, &err), STATUS_OK);
	status = quantize_plan_init(&plan, job, gguf, &err);
	if (!status)
		status = quantize_save(&plan, job, gguf, path, pool, io, &err);
	quantize_plan_deinit(&plan);
	threadpool_free(pool);
	gguf_close(gguf);
	return status;
}

static enum status run(const struct quantize_job *job)
{
	return run_to(job, out, 2, &io_system);
}

static char *slurp(const char *path, size_t *len)
{
	char *data;

	cr_assert_eq(sys_read_file(path, MIB(64), &data, len, &err), STATUS_OK, "%s", err.text);
	return data;
}

Test(quantize_save, threads_do_not_change_a_byte)
{
	struct tiny_model tiny = wide();
	size_t len, first_len, n_threads;
	char *first, *data;

	save_model(&tiny);
	for (size_t i = 0; i < n_recipes; i++) {
		struct quantize_job job = job_for(recipes[i].name);

		cr_assert_eq(run_to(&job, out, 1, &io_system), STATUS_OK, "%s", err.text);
		first = slurp(out, &first_len);
		/* Pieces are handed out in the same way whatever the recipe. */
		n_threads = i % 2 ? 2 : 5;
		cr_assert_eq(run_to(&job, out, n_threads, &io_system), STATUS_OK, "%s", err.text);
		data = slurp(out, &len);
		cr_expect(len == first_len && memcmp(data, first, len) == 0, "%s, %zu threads",
		          recipes[i].name, n_threads);
		free(data);
		free(first);
	}
}

static double largest_difference(const struct gguf_tensor *a, const struct gguf_tensor *b)
{
	size_t n = (size_t)(a->ne[0] * a->ne[1]);
	float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
	double most = 0;

	quant_find(a->type)->dequantize(a->data, x, n);
	quant_find(b->type)->dequantize(b->data, y, n);
	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs((double)x[i] - (double)y[i]));
	free(x);
	free(y);
	return most;
}

Test(quantize_save, the_new_file_has_the_same_model)
{
	static const struct {
		const char *recipe;
		double most;
	} rows[] = {{"F32", 0}, {"F16", 1e-4}, {"Q8_0", 1e-3}, {"Q4_K_M", 2e-2}, {"Q2_K", 5e-2}};
	struct tiny_model tiny = wide();
	struct gguf *a, *b;

	save_model(&tiny);
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		struct quantize_job job = job_for(rows[r].recipe);
		uint32_t value;

		cr_assert_eq(run(&job), STATUS_OK, "%s", err.text);
		cr_assert_eq(gguf_open(&a, in, &err), STATUS_OK);
		cr_assert_eq(gguf_open(&b, out, &err), STATUS_OK, "%s", err.text);
		cr_expect_eq(gguf_n_kv(b), gguf_n_kv(a) + 2);
		for (size_t i = 0; i < gguf_n_kv(a); i++) {
			struct buf x = {.max = MIB(1)}, y = {.max = MIB(1)};

			cr_assert_eq(gguf_kv_describe(a, i, &x), STATUS_OK);
			cr_assert_eq(gguf_kv_describe(b, i, &y), STATUS_OK);
			cr_expect_str_eq(buf_text(&x), buf_text(&y));
			buf_free(&x);
			buf_free(&y);
		}
		cr_assert_eq(gguf_get_u32(b, "general.file_type", &value, &err), STATUS_OK);
		cr_expect_eq(value, job.recipe->file_type);
		cr_assert_eq(gguf_get_u32(b, "general.quantization_version", &value, &err), STATUS_OK);
		cr_expect_eq(value, 2);
		cr_assert_eq(gguf_n_tensors(a), gguf_n_tensors(b));
		for (size_t i = 0; i < gguf_n_tensors(a); i++) {
			double most = largest_difference(gguf_tensor_at(a, i), gguf_tensor_at(b, i));

			cr_expect(most <= rows[r].most, "%s: %g", rows[r].recipe, most);
		}
		gguf_close(a);
		gguf_close(b);
	}
	cr_expect_eq(count_files(), 2);
}

Test(quantize_save, alignment_and_arrays_are_kept)
{
	static const uint8_t bytes[3] = {1, 2, 255};
	unsigned char raw[4 + 8 + 3] = {GGUF_U8, 0, 0, 0, 3};
	struct tiny_model tiny = wide();
	struct gguf_writer *w = tiny_model_writer(&tiny);
	struct quantize_job job = job_for("Q4_0");
	struct gguf_array array;
	struct gguf *gguf;
	uint32_t value;

	memcpy(raw + 12, bytes, 3);
	gguf_writer_set_u32(w, "general.alignment", 4096);
	gguf_writer_set_raw(w, "some.bytes", GGUF_ARRAY, raw, sizeof raw);
	gguf_writer_set_u32(w, "split.count", 1);
	gguf_writer_set_u32(w, "general.file_type", 1);
	cr_assert_eq(gguf_writer_save(w, in, &err), STATUS_OK, "%s", err.text);
	gguf_writer_free(w);
	cr_assert_eq(run(&job), STATUS_OK, "%s", err.text);
	cr_assert_eq(gguf_open(&gguf, out, &err), STATUS_OK, "%s", err.text);
	cr_expect_eq(gguf_alignment(gguf), 4096);
	cr_expect_not(gguf_has(gguf, "split.count"));
	cr_assert_eq(gguf_get_array(gguf, "some.bytes", GGUF_U8, &array, &err), STATUS_OK);
	cr_expect(array.n == 3 && memcmp(array.data, bytes, 3) == 0);
	cr_assert_eq(gguf_get_u32(gguf, "general.file_type", &value, &err), STATUS_OK);
	cr_expect_eq(value, 2);
	gguf_close(gguf);
}

/* A stack of experts is their matrices, one behind the other, in every type. */
Test(quantize_save, experts_become_what_each_would_alone)
{
	enum { ROW = 256, ROWS = 3, EXPERTS = 5, N = ROW * ROWS };
	static float x[EXPERTS * N];
	static unsigned char blocks[N * sizeof(float)];
	const uint64_t ne[3] = {ROW, ROWS, EXPERTS};
	struct test_random random = {11};
	struct gguf_writer *w = gguf_writer_create();

	test_random_floats(&random, x, EXPERTS * N, 1);
	gguf_writer_set_string(w, "general.architecture", "qwen3moe", 8);
	gguf_writer_add_tensor(w, "blk.0.ffn_up_exps.weight", BLOCK_F32, 3, ne, x, sizeof x);
	gguf_writer_add_tensor(w, "blk.0.attn_q.weight", BLOCK_F32, 2, ne, x, N * sizeof *x);
	cr_assert_eq(gguf_writer_save(w, in, &err), STATUS_OK, "%s", err.text);
	gguf_writer_free(w);
	for (size_t i = 0; i < n_recipes; i++) {
		struct quantize_job job = job_for(recipes[i].name);
		const struct gguf_tensor *tensor;
		struct gguf *gguf;

		cr_assert_eq(run(&job), STATUS_OK, "%s", err.text);
		cr_assert_eq(gguf_open(&gguf, out, &err), STATUS_OK, "%s", err.text);
		tensor = gguf_find_tensor(gguf, "blk.0.ffn_up_exps.weight");
		cr_assert(tensor && tensor->n_dims == 3 && tensor->ne[0] == ROW && tensor->ne[1] == ROWS &&
		          tensor->ne[2] == EXPERTS);
		cr_assert_eq(tensor->type, recipes[i].type);
		for (size_t e = 0; e < EXPERTS; e++) {
			size_t n_bytes = (size_t)tensor->n_bytes / EXPERTS;

			encoder_find(tensor->type)(x + e * N, blocks, N);
			cr_expect(memcmp(blocks, (const char *)tensor->data + e * n_bytes, n_bytes) == 0,
			          "%s, expert %zu", recipes[i].name, e);
		}
		/* Where a recipe is to have llama.cpp's bytes, all of it. */
		tensor = gguf_find_tensor(gguf, "blk.0.attn_q.weight");
		if (recipes[i].plain) {
			cr_assert_eq(tensor->type, BLOCK_Q8_0);
			encoder_find_plain(BLOCK_Q8_0)(x, blocks, N);
			cr_expect(memcmp(blocks, tensor->data, (size_t)tensor->n_bytes) == 0);
		}
		gguf_close(gguf);
	}
}

Test(quantize_save, quantised_weights_are_refused_unless_asked_for)
{
	struct tiny_model tiny = wide();
	struct quantize_job job = job_for("Q4_K_M");
	struct quantize_plan plan;
	struct gguf *gguf;
	char *before, *after;
	size_t n, m;

	tiny.type = BLOCK_Q8_0;
	save_model(&tiny);
	cr_assert_eq(run(&job), STATUS_UNSUPPORTED);
	cr_expect(strstr(err.text, "token_embd.weight") && strstr(err.text, "Q8_0") &&
	          strstr(err.text, "--allow-requantize"), "%s", err.text);
	cr_expect_eq(count_files(), 1);
	job.requantize = true;
	cr_assert_eq(run(&job), STATUS_OK, "%s", err.text);
	cr_assert_eq(gguf_open(&gguf, in, &err), STATUS_OK);
	cr_assert_eq(quantize_plan_init(&plan, &job, gguf, &err), STATUS_OK);
	cr_expect_eq(plan.n_requantized, 16);
	quantize_plan_deinit(&plan);
	gguf_close(gguf);
	/* The same type is a copy, which loses nothing. */
	job = job_for("Q8_0");
	job.pure = true;
	cr_assert_eq(run(&job), STATUS_OK, "%s", err.text);
	before = slurp(in, &n);
	after = slurp(out, &m);
	cr_expect(memcmp(before + n - 10000, after + m - 10000, 10000) == 0);
	free(before);
	free(after);
}

/* One weight of the first tensor is changed. */
static void spoil(float value, size_t index)
{
	struct gguf *gguf;
	uint64_t at;
	FILE *file;

	cr_assert_eq(gguf_open(&gguf, in, &err), STATUS_OK);
	at = gguf_tensor_at(gguf, 0)->offset + index * sizeof value;
	gguf_close(gguf);
	file = fopen(in, "r+b");
	cr_assert(file && fseek(file, (long)at, SEEK_SET) == 0);
	cr_assert_eq(fwrite(&value, sizeof value, 1, file), 1);
	fclose(file);
}

Test(quantize_save, weights_that_are_no_numbers_are_named)
{
	static const struct {
		const char *recipe;
		float value;
		enum status status;
		const char *text;
	} rows[] = {
		{"Q4_K_M", NAN, STATUS_FORMAT, "'token_embd.weight': weight 70000 is not a number"},
		{"Q8_0", INFINITY, STATUS_FORMAT, "weight 70000 is infinite"},
		{"F16", 1e6f, STATUS_UNSUPPORTED, "weight 70000 is 1e+06, more than F16 can hold"},
		{"Q5_0", -2e6f, STATUS_UNSUPPORTED, "weight 70000 is -2e+06, more than Q5_0 can hold"},
		{"Q5_0", -1e6f, STATUS_OK, NULL}, {"Q8_0", 8e6f, STATUS_OK, NULL},
		{"BF16", 1e6f, STATUS_OK, NULL},
	};
	struct tiny_model tiny = wide();

	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		struct quantize_job job = job_for(rows[r].recipe);

		job.pure = true;
		save_model(&tiny);
		spoil(rows[r].value, 70000);
		cr_expect_eq(run(&job), rows[r].status);
		cr_expect(!rows[r].text || (strstr(err.text, rows[r].text) && strstr(err.text, in)), "%s",
		          err.text);
		cr_expect_eq(count_files(), rows[r].status ? 1 : 2);
	}
}

Test(quantize_save, the_input_and_devices_are_not_written_over)
{
	struct tiny_model tiny = wide();
	struct quantize_job job = job_for("Q4_0");
	char other[96];

	save_model(&tiny);
	cr_expect_eq(run_to(&job, in, 1, &io_system), STATUS_USAGE);
	snprintf(other, sizeof other, "%s/link.gguf", dir);
	cr_assert_eq(symlink(in, other), 0);
	cr_expect_eq(run_to(&job, other, 1, &io_system), STATUS_USAGE);
	cr_expect_not_null(strstr(err.text, "is the input itself"));
	unlink(other);
	cr_assert_eq(link(in, other), 0);
	cr_expect_eq(run_to(&job, other, 1, &io_system), STATUS_USAGE);
	unlink(other);
	cr_expect_eq(run_to(&job, dir, 1, &io_system), STATUS_USAGE);
	cr_expect_eq(run_to(&job, "/dev/null", 1, &io_system), STATUS_USAGE);
	cr_expect_not_null(strstr(err.text, "not a regular file"));
	snprintf(other, sizeof other, "%s/none/x.gguf", dir);
	cr_expect_eq(run_to(&job, other, 1, &io_system), STATUS_IO);
	cr_expect_eq(count_files(), 1);
}

/* Of a model in parts comes one file, the same as of the whole; no part is written over. */
Test(quantize_save, parts_of_a_model_are_joined)
{
	struct tiny_model tiny = wide();
	struct quantize_job job = job_for("Q4_0");
	char prefix[sizeof in + 8];
	char *whole, *joined;
	size_t len, joined_len;

	save_model(&tiny);
	cr_assert_eq(run(&job), STATUS_OK, "%s", err.text);
	whole = slurp(out, &len);
	snprintf(prefix, sizeof prefix, "%s/parts", dir);
	cr_assert_eq(split_model_save(&tiny, prefix, 3, NULL, NULL, &err), STATUS_OK, "%s", err.text);
	snprintf(in, sizeof in, "%s", split_model_path(prefix, 0, 3));
	cr_assert_eq(run(&job), STATUS_OK, "%s", err.text);
	joined = slurp(out, &joined_len);
	cr_expect(joined_len == len && memcmp(joined, whole, len) == 0);
	cr_expect_eq(run_to(&job, split_model_path(prefix, 2, 3), 1, &io_system), STATUS_USAGE);
	cr_expect_not_null(strstr(err.text, "is the input itself"));
	free(whole);
	free(joined);
	for (uint32_t i = 0; i < 3; i++)
		unlink(split_model_path(prefix, i, 3));
}

Test(quantize_save, vocabularies_are_refused)
{
	struct tiny_model tiny = wide();
	struct quantize_job job = job_for("Q4_0");

	tiny.vocab_only = true;
	save_model(&tiny);
	cr_expect_eq(run(&job), STATUS_UNSUPPORTED);
	cr_expect_not_null(strstr(err.text, "no tensors"));
}

struct watch {
	uint64_t last, all;
	size_t calls, stop_at;
};

static bool watch_progress(void *ctx, uint64_t done, uint64_t weights,
                           const struct gguf_tensor *tensor)
{
	struct watch *watch = ctx;

	cr_assert(done >= watch->last && done <= weights && tensor);
	watch->last = done;
	watch->all = weights;
	return ++watch->calls != watch->stop_at;
}

Test(quantize_save, progress_is_told_and_may_end_it)
{
	struct tiny_model tiny = wide();
	struct quantize_job job = job_for("Q4_0");
	struct watch watch = {0};

	save_model(&tiny);
	job.progress = watch_progress;
	job.ctx = &watch;
	cr_assert_eq(run(&job), STATUS_OK);
	cr_expect(watch.calls > 10 && watch.last + 256 >= watch.all);
	unlink(out);
	watch = (struct watch){.stop_at = 5};
	cr_assert_eq(run(&job), STATUS_CANCELLED);
	cr_expect_eq(watch.calls, 5);
	cr_expect_eq(count_files(), 1);
}

Test(quantize_save, a_full_disk_leaves_the_old_file_and_nothing_else, .timeout = 120)
{
	struct tiny_model tiny = wide();
	struct quantize_job job = job_for("Q4_0");
	struct faulter faulter = {.error = ENOSPC};
	size_t n_calls, len;
	char *data;

	faulter_init(&faulter);
	faulter.ops.stat = io_system.stat; /* of which a full disk makes nothing */
	save_model(&tiny);
	cr_assert_eq(run_to(&job, out, 1, &faulter.ops), STATUS_OK, "%s", err.text);
	n_calls = faulter.calls;
	cr_assert(n_calls > 20);
	/* The last closes the folder, of which nothing hangs. */
	for (faulter.at = 1; faulter.at < n_calls; faulter.at++) {
		write_text(out, "old");
		faulter.calls = 0;
		cr_expect_eq(run_to(&job, out, 1, &faulter.ops), STATUS_IO, "call %zu of %zu", faulter.at,
		             n_calls);
		cr_expect(strstr(err.text, out) && strstr(err.text, "No space"), "%s", err.text);
		cr_expect_eq(count_files(), 2);
		data = slurp(out, &len);
		/* Once it is renamed only the folder's sync can fail. */
		cr_expect(faulter.at > n_calls - 3 || strcmp(data, "old") == 0, "call %zu of %zu",
		          faulter.at, n_calls);
		free(data);
	}
}
