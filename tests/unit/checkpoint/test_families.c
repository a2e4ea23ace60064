/* Tiny checkpoints of all families, converted: each key and tensor is what llama.cpp's converter makes of the same
 * checkpoint (tests/vectors/convert; README there), and the engine computes with it. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/limits.h"
#include "checkpoint/conversion.h"
#include "checkpoint/convert.h"
#include "gguf/internal.h"
#include "gguf/types.h"
#include "quantize/recipe.h"
#include "support/folder.h"
#include "support/logits.h"
#include "support/tiny_checkpoint.h"

enum { PATH_MAX_BYTES = 128 };

struct converted {
	char folder[PATH_MAX_BYTES / 2], from[PATH_MAX_BYTES], path[PATH_MAX_BYTES];
	struct convert_plan *plan;
	struct error err;
};

/* The tokenizer has tests of its own, and its keys are left out here. In Gemma's reference the vocabulary was counted so. */
void vocabulary_write(struct conversion *c, enum vocabulary_rule rule)
{
	c->n_vocab = rule == VOCABULARY_GEMMA || rule == VOCABULARY_GEMMA4 ? 265 : TINY_FAMILY_VOCAB;
}

void sampling_write(struct conversion *c)
{
	(void)c;
}

static enum status plan(struct converted *c, const struct tiny_checkpoint *tiny)
{
	struct convert_job job = {.recipe = recipe_find("F32"), .io = &io_system, .folder = c->from};

	memset(c, 0, sizeof *c);
	strcpy(c->folder, "/tmp/sotto-families-XXXXXX");
	cr_assert(mkdtemp(c->folder));
	snprintf(c->from, sizeof c->from, "%s/%s", c->folder, tiny->family->name);
	snprintf(c->path, sizeof c->path, "%s/out.gguf", c->folder);
	tiny_checkpoint_write(tiny, c->from);
	return convert_plan_create(&c->plan, &job, &c->err);
}

static struct gguf *save(struct converted *c)
{
	struct gguf *gguf;

	cr_assert_eq(convert_save(c->plan, c->path, NULL, &c->err), STATUS_OK, "%s", c->err.text);
	cr_assert_eq(gguf_open(&gguf, c->path, &c->err), STATUS_OK, "%s", c->err.text);
	return gguf;
}

static void release(struct converted *c)
{
	convert_plan_free(c->plan);
	remove_folder(c->folder);
}

/* ---- a file as text, a key or tensor a line ---- */

static void put_number(struct buf *out, enum gguf_type type, const unsigned char *data, size_t i)
{
	uint32_t bits;
	float value;

	if (type == GGUF_BOOL) {
		buf_printf(out, "%d", data[i]);
		return;
	}
	memcpy(&bits, data + i * sizeof bits, sizeof bits);
	memcpy(&value, &bits, sizeof value);
	if (type == GGUF_F32)
		buf_printf(out, "%.9g", (double)value);
	else
		buf_printf(out, type == GGUF_I32 ? "%d" : "%u", bits);
}

static void put_key(struct buf *out, const struct gguf_kv *kv)
{
	static const char *const types[] = {[GGUF_U32] = "UINT32", [GGUF_I32] = "INT32", [GGUF_F32] = "FLOAT32",
	                                    [GGUF_BOOL] = "BOOL", [GGUF_STRING] = "STRING", [GGUF_ARRAY] = "ARRAY"};

	buf_printf(out, "%.*s %s", (int)kv->key.len, kv->key.data, types[kv->type]);
	if (kv->type == GGUF_STRING)
		buf_printf(out, " %.*s", (int)kv->n, (const char *)kv->data);
	if (kv->type == GGUF_ARRAY)
		buf_printf(out, "/%s", types[kv->item_type]);
	for (size_t i = 0; i < (kv->type == GGUF_ARRAY ? kv->n : 1) && kv->type != GGUF_STRING; i++) {
		buf_putc(out, ' ');
		put_number(out, kv->type == GGUF_ARRAY ? kv->item_type : kv->type, kv->data, i);
	}
	buf_putc(out, '\n');
}

/* Floats' bits, or bytes, each times an odd number that depends on its place. */
static uint64_t checksum(const struct gguf_tensor *tensor)
{
	const unsigned char *bytes = tensor->data;
	size_t width = tensor->type == BLOCK_F32 ? sizeof(uint32_t) : 1;
	uint64_t sum = 0;

	for (uint64_t i = 0; i < tensor->n_bytes / width; i++) {
		uint32_t bits = bytes[i];

		if (width > 1)
			memcpy(&bits, bytes + i * width, width);
		sum += bits * (i * 0x9E3779B97F4A7C15u | 1);
	}
	return sum;
}

static void put_tensor(struct buf *out, const struct gguf_tensor *tensor)
{
	buf_printf(out, "%.*s %s ", (int)tensor->name.len, tensor->name.data, block_info(tensor->type)->name);
	for (uint32_t i = 0; i < tensor->n_dims; i++)
		buf_printf(out, "%s%llu", i ? "x" : "", (unsigned long long)tensor->ne[i]);
	buf_printf(out, " %016llx\n", (unsigned long long)checksum(tensor));
}

static void describe(struct buf *out, const struct gguf *gguf)
{
	for (size_t i = 0; i < gguf->n_kvs; i++)
		put_key(out, &gguf->kvs[i]);
	for (size_t i = 0; i < gguf->n_tensors; i++)
		put_tensor(out, &gguf->tensors[i]);
	cr_assert_eq(buf_status(out), STATUS_OK);
}

/* The line that differs first. */
static void compare(const char *family, const char *found)
{
	char path[512], expected[512];
	FILE *file;

	snprintf(path, sizeof path, TEST_SRCDIR "/tests/vectors/convert/%s.txt", family);
	file = fopen(path, "r");
	cr_assert(file, "%s", path);
	while (fgets(expected, sizeof expected, file)) {
		size_t n = strcspn(found, "\n");

		expected[strcspn(expected, "\n")] = '\0';
		cr_expect(strlen(expected) == n && memcmp(expected, found, n) == 0, "%s: found '%.*s', expected '%s'", family,
		          (int)n, found, expected);
		found += n + (found[n] == '\n');
	}
	cr_assert(!*found, "%s: found '%.60s' at the end", family, found);
	fclose(file);
}

Test(families, all_are_what_the_reference_makes_of_them)
{
	size_t n;
	const struct tiny_family *all = tiny_families(&n);

	for (size_t i = 0; i < n; i++) {
		struct buf text = {.max = KIB(256)};
		struct converted c;
		struct gguf *gguf;

		cr_assert_eq(plan(&c, &(struct tiny_checkpoint){.family = &all[i], .dtype = "BF16"}), STATUS_OK, "%s: %s",
		             all[i].name, c.err.text);
		gguf = save(&c);
		describe(&text, gguf);
		compare(all[i].name, buf_text(&text));
		buf_free(&text);
		gguf_close(gguf);
		release(&c);
	}
}

Test(families, the_engine_computes_with_all)
{
	static const int32_t ids[] = {1, 17, 200, 3, 99, 264, 55, 8, 100, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40};
	enum { N_IDS = sizeof ids / sizeof ids[0] };
	size_t n;
	const struct tiny_family *all = tiny_families(&n);

	for (size_t i = 0; i < n; i++) {
		struct converted c;
		struct model *model;
		size_t n_logits;
		float *logits;

		cr_assert_eq(plan(&c, &(struct tiny_checkpoint){.family = &all[i], .dtype = "F32"}), STATUS_OK, "%s: %s",
		             all[i].name, c.err.text);
		gguf_close(save(&c));
		model = logits_open_model(c.path);
		logits = logits_of_model(model, &(struct logits_options){.n_ctx = 64}, ids, N_IDS);
		n_logits = N_IDS * (size_t)model_plan(model)->n_vocab;
		for (size_t j = 0; j < n_logits; j++)
			cr_assert(isfinite(logits[j]), "%s: logit %zu", all[i].name, j);
		free(logits);
		model_close(model);
		release(&c);
	}
}
