/* A conversion's file: the same bytes for any number of threads, nothing lost or left behind when something fails, and
 * what weights a type cannot hold. What is in it is tested against the reference in test_families.c. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/sys.h"
#include "checkpoint/convert.h"
#include "checkpoint/outputs.h"
#include "gguf/reader.h"
#include "support/faulter.h"
#include "support/folder.h"
#include "support/tiny_checkpoint.h"

static char dir[64], from[96], place[96], out[128];
static struct error err;

static void set_up(void)
{
	snprintf(dir, sizeof dir, "/tmp/sotto-convert-XXXXXX");
	cr_assert_not_null(mkdtemp(dir));
	snprintf(from, sizeof from, "%s/from", dir);
	snprintf(place, sizeof place, "%s/place", dir);
	snprintf(out, sizeof out, "%s/out.gguf", place);
	cr_assert_eq(mkdir(place, 0700), 0);
}

static void tear_down(void)
{
	remove_folder(dir);
}

TestSuite(convert, .init = set_up, .fini = tear_down);

static void make(const char *family, const char *dtype, unsigned n_shards)
{
	tiny_checkpoint_write(&(struct tiny_checkpoint){.family = tiny_family_find(family), .dtype = dtype, .n_shards = n_shards},
	                      from);
}

static size_t count_files(void)
{
	DIR *folder = opendir(place);
	size_t n = 0;

	while (readdir(folder))
		n++;
	closedir(folder);
	return n - 2;
}

static enum status run(struct convert_job job, const char *path, size_t n_threads)
{
	struct convert_plan *plan;
	struct threadpool *pool;
	enum status status;

	err = (struct error){0};
	job.folder = from;
	if (!job.io)
		job.io = &io_system;
	if ((status = convert_plan_create(&plan, &job, &err)))
		return status;
	cr_assert_eq(threadpool_create(&pool, n_threads, &err), STATUS_OK);
	status = convert_save(plan, path, pool, &err);
	threadpool_free(pool);
	convert_plan_free(plan);
	return status;
}

static char *slurp(size_t *len)
{
	struct error unread;
	char *data;

	cr_assert_eq(sys_read_file(out, MIB(64), &data, len, &unread), STATUS_OK, "%s", unread.text);
	return data;
}

Test(convert, threads_and_shards_do_not_change_a_byte)
{
	static const char *const families[] = {"qwen3", "gpt-oss", "gpt-oss-plain", "lfm2"};

	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		struct convert_job job = {.recipe = i ? NULL : recipe_find("Q4_K_M")};
		size_t len, first_len;
		char *first, *data;

		make(families[i], "BF16", 1);
		cr_assert_eq(run(job, out, 1), STATUS_OK, "%s", err.text);
		first = slurp(&first_len);
		remove_folder(from);
		make(families[i], "BF16", 5);
		cr_assert_eq(run(job, out, 3), STATUS_OK, "%s", err.text);
		data = slurp(&len);
		cr_expect(len == first_len && memcmp(data, first, len) == 0, "%s", families[i]);
		free(first);
		free(data);
		remove_folder(from);
	}
}

/* Every call of the system, one after another. */
Test(convert, what_fails_leaves_nothing_behind)
{
	struct faulter faulter;
	size_t at = 0;

	make("qwen3", "BF16", 2);
	do {
		char *data;
		size_t len;

		write_text(out, "GGUF of old");
		faulter = (struct faulter){.error = ENOSPC, .at = ++at};
		faulter_init(&faulter);
		if (run((struct convert_job){.io = &faulter.ops}, out, 2) == STATUS_OK)
			continue;
		cr_expect_eq(err.status, STATUS_IO, "call %zu: %s", at, err.text);
		cr_expect(strstr(err.text, out), "%s", err.text);
		data = slurp(&len);
		cr_expect(strcmp(data, "GGUF of old") == 0 || strstr(err.text, "sync the folder"), "call %zu: %s", at, err.text);
		free(data);
		cr_expect_eq(count_files(), 1, "call %zu: %s", at, faulter.called);
	} while (faulter.fired && at < 1000);
	cr_expect(at > 20 && at < 1000, "%zu", at);
}

static bool stop_at(void *ctx, uint64_t done, uint64_t all, const char *tensor)
{
	uint64_t *left = ctx;

	cr_assert(done <= all && tensor[0]);
	return (*left)-- > 0;
}

Test(convert, stopped_anywhere_it_leaves_nothing_behind)
{
	uint64_t left = 0;

	make("qwen3", "F32", 1);
	for (uint64_t n = 0; n < 25; n += 6) {
		left = n;
		cr_expect_eq(run((struct convert_job){.progress = stop_at, .ctx = &left}, out, 2), STATUS_CANCELLED, "%s", err.text);
		cr_expect_eq(count_files(), 0);
	}
	left = 1000;
	cr_expect_eq(run((struct convert_job){.progress = stop_at, .ctx = &left}, out, 2), STATUS_OK, "%s", err.text);
}

static enum status refuse(void *ctx, const char *path, struct error *error)
{
	struct gguf *gguf;

	cr_assert_eq(gguf_open(&gguf, path, error), STATUS_OK, "%s", error->text);
	gguf_close(gguf);
	++*(int *)ctx;
	return error_set(error, STATUS_FORMAT, "no good");
}

Test(convert, a_file_that_does_not_work_gets_no_name)
{
	int n_asked = 0;

	make("qwen3", "BF16", 1);
	cr_expect_eq(run((struct convert_job){.check = refuse, .ctx = &n_asked}, out, 2), STATUS_FORMAT);
	cr_expect_str_eq(err.text, "no good");
	cr_expect_eq(n_asked, 1);
	cr_expect_eq(count_files(), 0);
}

Test(convert, other_files_are_not_replaced)
{
	char path[256];

	make("qwen3", "BF16", 1);
	snprintf(path, sizeof path, "%s/model.safetensors", from);
	cr_expect_eq(run((struct convert_job){0}, path, 1), STATUS_USAGE);
	cr_expect(strstr(err.text, "is there already and is not a GGUF file"), "%s", err.text);
	cr_expect_eq(run((struct convert_job){0}, place, 1), STATUS_USAGE);
	cr_expect(strstr(err.text, "is a folder"), "%s", err.text);
	cr_expect_eq(run((struct convert_job){0}, "/dev/null", 1), STATUS_USAGE);
}

/* One weight of a matrix or vector. */
static void set_weight(const char *tensor, uint64_t index, float value)
{
	struct checkpoint *c;
	const struct safetensor *found;
	char path[256];
	FILE *file;

	cr_assert_eq(checkpoint_open(&c, from, &err), STATUS_OK, "%s", err.text);
	cr_assert((found = checkpoint_find(c, tensor)) != NULL && found->dtype == DTYPE_F32);
	snprintf(path, sizeof path, "%s/model.safetensors", from);
	file = fopen(path, "r+b");
	cr_assert(file && fseek(file, (long)(found->offset + index * sizeof value), SEEK_SET) == 0);
	cr_assert(fwrite(&value, sizeof value, 1, file) == 1 && fclose(file) == 0);
	checkpoint_close(c);
}

#define Q "model.layers.0.self_attn.q_proj.weight"

Test(convert, weights_too_large_for_half_precision_are_counted)
{
	make("qwen3", "F32", 1);
	set_weight(Q, 17, 65504);
	cr_expect_eq(run((struct convert_job){.recipe = recipe_find("F16")}, out, 2), STATUS_OK, "%s", err.text);
	set_weight(Q, 17, 70000);
	set_weight(Q, 5000, -80000);
	cr_expect_eq(run((struct convert_job){.recipe = recipe_find("F16")}, out, 2), STATUS_UNSUPPORTED);
	cr_expect(strstr(err.text, "tensor 'blk.0.attn_q.weight': 2 weights are larger than F16 can hold (65504, the largest is"
	                 " 80000): take BF16 or F32"), "%s", err.text);
	cr_expect_eq(run((struct convert_job){.recipe = recipe_find("BF16")}, out, 2), STATUS_OK, "%s", err.text);
}

/* In an unused row, say: floats keep it, as the reference does; blocks cannot. */
Test(convert, what_is_no_number_stays_where_it_can)
{
	const struct gguf_tensor *tensor;
	struct gguf *gguf;
	float x[32];

	make("qwen3", "F32", 1);
	set_weight(Q, 3, NAN);
	set_weight(Q, 4, INFINITY);
	cr_assert_eq(run((struct convert_job){.recipe = recipe_find("F32")}, out, 2), STATUS_OK, "%s", err.text);
	cr_assert_eq(gguf_open(&gguf, out, &err), STATUS_OK, "%s", err.text);
	tensor = gguf_find_tensor(gguf, "blk.0.attn_q.weight");
	cr_assert_not_null(tensor);
	memcpy(x, tensor->data, sizeof x);
	cr_expect(isnan(x[3]) && isinf(x[4]) && isfinite(x[5]));
	gguf_close(gguf);
	cr_expect_eq(run((struct convert_job){.recipe = recipe_find("Q8_0")}, out, 2), STATUS_FORMAT);
	cr_expect(strstr(err.text, "tensor 'blk.0.attn_q.weight': weight 3 is not a number"), "%s", err.text);
}

Test(convert, a_plan_says_what_will_be_written)
{
	struct convert_job job = {.folder = from, .io = &io_system};
	struct convert_plan *plan;
	uint64_t weights = 0;
	struct stat st;

	make("qwen3", "BF16", 1);
	cr_assert_eq(convert_plan_create(&plan, &job, &err), STATUS_OK, "%s", err.text);
	for (size_t i = 0; convert_plan_output(plan, i); i++)
		weights += convert_plan_output(plan, i)->ne[0] * convert_plan_output(plan, i)->ne[1];
	cr_expect_eq(convert_plan_weights(plan), weights);
	cr_expect_str_eq(convert_plan_architecture(plan), "qwen3");
	cr_assert_eq(convert_save(plan, out, NULL, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(stat(out, &st), 0);
	cr_expect_eq(convert_plan_bytes(plan), (uint64_t)st.st_size);
	convert_plan_free(plan);
}

Test(convert, folders_are_known_by_their_files)
{
	char path[256];

	make("qwen3", "BF16", 2);
	cr_expect(convert_is_checkpoint(from));
	snprintf(path, sizeof path, "%s/model-00001-of-00002.safetensors", from);
	cr_expect(convert_is_checkpoint(path));
	snprintf(path, sizeof path, "%s/config.json", from);
	cr_expect(!convert_is_checkpoint(path));
	cr_expect(!convert_is_checkpoint(place));
	cr_expect(!convert_is_checkpoint("/nowhere"));
	cr_assert_eq(remove(path), 0);
	cr_expect(!convert_is_checkpoint(from));
}

/* A tensor that has another shape than its family's. */
Test(convert, shapes_that_do_not_fit_are_named)
{
	static const char config[] = "{\"architectures\": [\"LlamaForCausalLM\"], \"model_type\": \"llama\", \"hidden_size\": 64, "
		"\"num_hidden_layers\": 2, \"num_attention_heads\": 8, \"num_key_value_heads\": 3, \"intermediate_size\": 96, "
		"\"vocab_size\": 384, \"max_position_embeddings\": 4096, \"rms_norm_eps\": 1e-05, \"rope_theta\": 1000000.0}";

	tiny_checkpoint_write(&(struct tiny_checkpoint){.family = tiny_family_find("mistral"), .dtype = "BF16", .config = config}, from);
	cr_expect_neq(run((struct convert_job){0}, out, 1), STATUS_OK);
	cr_expect(strstr(err.text, from) && strstr(err.text, "k_proj"), "%s", err.text);
}

/* Before a weight is read. */
Test(convert, types_that_are_no_floats_are_named)
{
	struct tiny_family family = *tiny_family_find("mistral");
	struct convert_job job = {.folder = from, .io = &io_system};
	struct tiny_weight weights[32];
	struct convert_plan *plan;

	cr_assert(family.n_weights <= sizeof weights / sizeof weights[0]);
	for (size_t i = 0; i < family.n_weights; i++) {
		weights[i] = family.weights[i];
		if (strcmp(weights[i].name, "model.norm.weight") == 0)
			weights[i].dtype = "I8";
	}
	family.weights = weights;
	tiny_checkpoint_write(&(struct tiny_checkpoint){.family = &family, .dtype = "BF16"}, from);
	cr_expect_eq(convert_plan_create(&plan, &job, &err), STATUS_UNSUPPORTED);
	cr_expect(strstr(err.text, "tensor 'model.norm.weight': its type is I8, expected floats"), "%s", err.text);
}
