/* The small models of ../shared/testdata/families against the logits of their reference: mean KL
 * divergence on every instruction set; the same bits for batches, threads, without the cache, and
 * after going back to any position. Models whose architecture is not supported are counted. */
#include <dirent.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/sys.h"
#include "kernels/quant.h"
#include "model/cache.h"
#include "model/model_internal.h"
#include "model/scratch.h"
#include "support/family_checks.h"
#include "support/family_model.h"
#include "support/gguf_memory.h"
#include "support/isas.h"
#include "support/logits.h"
#include "support/testdata.h"

enum { MAX_IDS = 128, MAX_MODELS = 256 };
#define MAX_KL 1e-5

static int failures;
static const char *dir;

static void fail(const char *model, const char *what, double found)
{
	printf("FAIL %s: %s: %.9g\n", model, what, found);
	failures++;
}

static char *slurp(const char *name, const char *suffix, size_t *len)
{
	struct error err;
	char path[1200], *data;

	snprintf(path, sizeof path, "%.1000s/%.63s%.9s", dir, name, suffix);
	must(sys_read_file(path, (size_t)1 << 28, &data, len, &err), &err);
	return data;
}

static size_t read_ids(const char *name, int32_t ids[MAX_IDS])
{
	size_t len, n = 0;
	char *text = slurp(name, ".ids", &len), *at = text, *end;

	while (n < MAX_IDS) {
		ids[n] = (int32_t)strtol(at, &end, 10);
		if (end == at)
			break;
		at = end;
		n++;
	}
	free(text);
	return n;
}

/* ---- support/family_model.h makes the same models ---- */

static void to_floats(const struct gguf_tensor *tensor, size_t n, float *out)
{
	quant_find(tensor->type)->dequantize(tensor->data, out, n);
}

static bool same_tensor(const struct gguf_tensor *a, const struct gguf_tensor *b)
{
	size_t n = (size_t)gguf_tensor_n_elements(a);
	float *values = calloc(2 * n, sizeof *values);
	bool same = values && memcmp(a->ne, b->ne, sizeof a->ne) == 0;

	if (same) {
		to_floats(a, n, values);
		to_floats(b, n, values + n);
		same = memcmp(values, values + n, n * sizeof *values) == 0;
	}
	free(values);
	return same;
}

static void describe(const struct gguf *gguf, struct gguf_string key, struct buf *out)
{
	buf_clear(out);
	for (size_t i = 0; i < gguf_n_kv(gguf); i++) {
		struct gguf_string other = gguf_kv_key(gguf, i);

		if (other.len == key.len && memcmp(other.data, key.data, key.len) == 0 &&
		    gguf_kv_describe(gguf, i, out))
			exit(1);
	}
}

/* Checks that b has all keys of a, except for the name and the vocabulary. */
static void check_keys(const char *name, const struct gguf *a, const struct gguf *b)
{
	struct buf values[2];

	buf_init(&values[0], KIB(4));
	buf_init(&values[1], KIB(4));
	for (size_t i = 0; i < gguf_n_kv(a); i++) {
		struct gguf_string key = gguf_kv_key(a, i);

		if (memcmp(key.data, "general.", 8) == 0 || memcmp(key.data, "tokenizer.", 10) == 0)
			continue;
		describe(a, key, &values[0]);
		describe(b, key, &values[1]);
		if (strcmp(buf_text(&values[0]), buf_text(&values[1])) != 0) {
			printf("%.*s: %s and %s\n", (int)key.len, key.data, buf_text(&values[0]),
			       buf_text(&values[1]));
			fail(name, "made with other keys", 0);
		}
	}
	buf_free(&values[0]);
	buf_free(&values[1]);
}

/* Blocks for predicting several tokens differ between the files, but are never read. */
static bool is_behind(const struct family_model *made, const char *tensor)
{
	char prefix[32];

	snprintf(prefix, sizeof prefix, "blk.%u.", (unsigned)(made->sizes.n_layer - 1));
	return made->sizes.n_behind && strncmp(tensor, prefix, strlen(prefix)) == 0;
}

static void check_made(const char *name, const struct gguf *gguf)
{
	struct family_model made = family_model_of(name);
	struct gguf *own;
	struct error err;
	struct buf file;

	buf_init(&file, (size_t)1 << 24);
	must(family_model_write(&made, &file, &err), &err);
	must(gguf_open_memory(&own, file.data, file.len, &err), &err);
	check_keys(name, gguf, own);
	check_keys(name, own, gguf);
	if (gguf_n_tensors(own) != gguf_n_tensors(gguf))
		fail(name, "tensors made", (double)gguf_n_tensors(own));
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);
		char text[128];
		const struct gguf_tensor *same;

		snprintf(text, sizeof text, "%.*s", (int)tensor->name.len, tensor->name.data);
		same = gguf_find_tensor(own, text);
		if (!same || (!same_tensor(tensor, same) && !is_behind(&made, text))) {
			printf("%s: ", text);
			fail(name, same ? "another tensor was made" : "was not made", 0);
		}
	}
	gguf_close(own);
	buf_free(&file);
}

/* As much memory is allocated as is said to be needed. */
static void check_memory(const char *name, const struct model *model)
{
	enum { N_CTX = 300, N_BATCH = 20, N_THREADS = 2 };
	const struct kv_types types = {BLOCK_F16, BLOCK_F32};
	const struct plan *plan = model_plan(model);
	uint64_t loaded = model->weights.panels_bytes, said = model_weight_bytes(model), end = 0;
	struct scratch scratch;
	struct cache cache;
	struct error err;

	for (size_t i = 0; i < model->weights.n_vectors; i++)
		loaded += malloc_usable_size(model->weights.vectors[i]);
	if (said < loaded - loaded / 20 || said > loaded + loaded / 20)
		fail(name, "share of the weights in memory that was estimated", (double)said / (double)loaded);

	must(cache_init(&cache, plan, N_CTX, types, 0, &err), &err);
	said = cache_bytes(plan, N_CTX, types) - cache.max_checkpoints * cache_state_bytes(plan);
	if (cache.n_bytes != said + 1)
		fail(name, "bytes of the cache that are too many", (double)cache.n_bytes - (double)said - 1);
	for (uint32_t i = 0; i < plan->n_layer; i++) {
		const struct kv_layer *kv = &cache.kv[i];
		uint64_t v_bytes = kv_tile_bytes(types.v, kv->v_dim) * kv_tiles(N_CTX) * kv->n_kv_head;
		uint64_t at = (uint64_t)((const char *)kv->v - (const char *)cache.memory) + v_bytes;

		end = at > end ? at : end;
		if ((kv->n_kv_head > 0) != (plan->layers[i].mixers & MIXER_ATTENTION &&
		                            plan->layers[i].kv_layer == i))
			fail(name, "keys of a layer", (double)i);
	}
	if (end + 64 < said || end > said)
		fail(name, "end of the cache's last layer", (double)end - (double)said);
	cache_deinit(&cache);

	must(scratch_init(&scratch, plan, N_BATCH, N_CTX, N_THREADS, &err), &err);
	said = scratch_bytes(plan, N_BATCH, N_CTX, N_THREADS);
	if (malloc_usable_size(scratch.memory) < said || malloc_usable_size(scratch.memory) > said + 128)
		fail(name, "bytes of scratch", (double)malloc_usable_size(scratch.memory) - (double)said);
	scratch_deinit(&scratch);
}

/* False if its architecture is not supported. */
static bool check_model(const char *name)
{
	struct logits_options options = {.kv_type = KV_F32};
	int32_t ids[MAX_IDS];
	struct gguf *gguf;
	struct model *model;
	struct error err;
	const char *fault;
	char path[1200];
	float *reference, *logits;
	size_t n, len, n_vocab;
	enum status status;

	snprintf(path, sizeof path, "%.1000s/%.63s.gguf", dir, name);
	must(gguf_open(&gguf, path, &err), &err);
	status = model_open(&model, gguf, NULL, &err);
	if (status == STATUS_UNSUPPORTED) {
		gguf_close(gguf);
		return false;
	}
	must(status, &err);
	check_made(name, gguf);
	n = read_ids(name, ids);
	reference = (float *)(void *)slurp(name, ".f32", &len);
	n_vocab = model_plan(model)->n_vocab;
	if (len != n * n_vocab * sizeof *reference)
		fail(name, "length of the reference", (double)len);
	logits = logits_of_model(model, &options, ids, n);
	check_memory(name, model);
	fault = family_check_bits(model, ids, n, logits);
	if (fault)
		fail(name, fault, 0);
	printf("%-20s %10.2e\n", name, logits_mean_kl(reference, logits, n, n_vocab));
	free(logits);
	for (options.isa = NULL; (options.isa = next_isa(options.isa));) {
		double kl;

		logits = logits_of_model(model, &options, ids, n);
		kl = logits_mean_kl(reference, logits, n, n_vocab);
		free(logits);
		if (!(kl <= MAX_KL)) {
			printf("%s: ", options.isa->name);
			fail(name, "mean KL divergence", kl);
		}
	}
	free(reference);
	model_close(model);
	return true;
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

int main(int argc, char **argv)
{
	static char names[MAX_MODELS][64];
	char path[1000];
	size_t n = 0, n_supported = 0;
	struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof path, "%s/families", testdata_root());
	dir = path;
	folder = opendir(dir);
	if (!folder) {
		printf("skipped: looked for %s\n", dir);
		return 77;
	}
	while ((entry = readdir(folder)) && n < MAX_MODELS) {
		const char *dot = strrchr(entry->d_name, '.');

		if (dot && strcmp(dot, ".gguf") == 0)
			snprintf(names[n++], sizeof names[0], "%.*s", (int)(dot - entry->d_name), entry->d_name);
	}
	closedir(folder);
	qsort(names, n, sizeof names[0], compare);
	for (size_t i = 0; i < n; i++)
		if (argc < 2 || strstr(names[i], argv[1])) {
			bool supported = check_model(names[i]);

			n_supported += supported;
			if (!supported)
				printf("%-20s not supported\n", names[i]);
		}
	printf("%zu of %zu models are supported\n", n_supported, n);
	return failures != 0;
}
