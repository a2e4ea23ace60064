#include "gguf/writer.h"
#include "support/family_checks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "gguf/reader.h"
#include "model/model_internal.h"
#include "support/gguf_memory.h"
#include "support/logits.h"

void family_open(struct family_opened *opened, const struct family_model *made,
                 enum packing packing)
{
	struct error err = {0};
	struct gguf *gguf;

	buf_init(&opened->file, MIB(64));
	must(family_model_write(made, &opened->file, &err), &err);
	must(gguf_open_memory(&gguf, opened->file.data, opened->file.len, &err), &err);
	must(model_open(&opened->model, gguf, &(struct model_load){.packing = packing}, &err), &err);
}

void family_close(struct family_opened *opened)
{
	model_close(opened->model);
	buf_free(&opened->file);
}

static bool same_bits(const struct model *model, const struct logits_options *options,
                      const int32_t *ids, size_t n, const float *expected)
{
	float *found = logits_of_model(model, options, ids, n);
	bool same = memcmp(found, expected, n * model_plan(model)->n_vocab * sizeof *found) == 0;

	free(found);
	return same;
}

/* One session goes back to every position, and on from there: by two tokens, so that states are
 * used that were brought back, and those that follow from them. */
static bool same_after_rewinding(const struct model *model, const int32_t *ids, size_t n,
                                 const float *expected)
{
	size_t n_vocab = model_plan(model)->n_vocab, row = n_vocab * sizeof(float);
	struct session *session = logits_open_session(model, &(struct logits_options){.kv_type = KV_F32});
	struct error err;
	bool same = true;

	must(session_eval(session, ids, n, 0, NULL, &err), &err);
	for (size_t pos = n; pos-- > 0 && same;) {
		size_t end = pos + 2 < n ? pos + 2 : n;

		must(session_eval(session, ids + pos, end - pos, pos, NULL, &err), &err);
		same = memcmp(session_logits(session), expected + (end - 1) * n_vocab, row) == 0;
	}
	session_free(session);
	return same;
}

/* Without the cache the second half starts again from the first token. */
static bool same_without_cache(const struct model *model, const int32_t *ids, size_t n,
                               const float *expected)
{
	const struct logits_options options = {.kv_type = KV_F32, .n_batch = 7, .no_cache = true};
	size_t n_vocab = model_plan(model)->n_vocab;
	struct session *session = logits_open_session(model, &options);
	float *found = calloc(n * n_vocab, sizeof *found);
	bool same;

	if (!found)
		exit(1);
	logits_evaluate(session, ids, n, n / 2, n_vocab, found);
	same = memcmp(found, expected, n * n_vocab * sizeof *found) == 0;
	session_free(session);
	free(found);
	return same;
}

/* Of a prompt only the last token's logits are computed. */
static bool same_of_last(const struct model *model, const int32_t *ids, size_t n,
                         const float *expected)
{
	size_t n_vocab = model_plan(model)->n_vocab;
	struct session *session =
		logits_open_session(model, &(struct logits_options){.kv_type = KV_F32, .n_batch = 7});
	struct error err;
	bool same;

	must(session_eval(session, ids, n, 0, NULL, &err), &err);
	same = memcmp(session_logits(session), expected + (n - 1) * n_vocab,
	              n_vocab * sizeof *expected) == 0;
	session_free(session);
	return same;
}

/* One session follows the ids to lengths that are shorter and longer by turns, as a chat whose
 * replies are made again and whose messages are edited: what it has kept is gone on from. */
static bool same_after_syncing(const struct model *model, const int32_t *ids, size_t n,
                               const float *expected)
{
	size_t n_vocab = model_plan(model)->n_vocab, row = n_vocab * sizeof(float);
	struct session *session = logits_open_session(model, &(struct logits_options){.kv_type = KV_F32});
	struct error err;
	bool same = true;

	for (size_t i = 0; i < 20 && same; i++) {
		size_t end = i % 4 == 3 ? n : 3 + i * 29 % (n - 3);

		must(session_sync(session, ids, end, NULL, &err), &err);
		same = memcmp(session_logits(session), expected + (end - 1) * n_vocab, row) == 0;
	}
	session_free(session);
	return same;
}

const char *family_check_bits(const struct model *model, const int32_t *ids, size_t n,
                              const float *expected)
{
	static const int32_t batches[] = {1, 7, 64};
	struct logits_options options = {.kv_type = KV_F32};
	struct error err;

	for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
		options.n_batch = batches[i];
		if (!same_bits(model, &options, ids, n, expected))
			return "other bits with another batch";
	}
	if (!same_without_cache(model, ids, n, expected))
		return "other bits without the cache";
	options = (struct logits_options){.kv_type = KV_F32};
	for (size_t threads = 2; threads <= 4; threads++) {
		bool same;

		must(threadpool_create(&options.pool, threads, &err), &err);
		same = same_bits(model, &options, ids, n, expected);
		threadpool_free(options.pool);
		if (!same)
			return "other bits on more threads";
	}
	if (!same_of_last(model, ids, n, expected))
		return "other bits of the last token alone";
	if (!same_after_rewinding(model, ids, n, expected))
		return "other bits after going back";
	if (!same_after_syncing(model, ids, n, expected))
		return "other bits from what was kept";
	return NULL;
}

static struct model *open_with_caps(struct buf *bytes, float of_scores, float of_logits)
{
	struct family_model made = family_model_of("gemma2");
	struct error err = {0};
	struct family_file file;
	struct gguf *gguf;
	struct model *model;

	buf_init(bytes, MIB(64));
	family_file_init(&file, &made);
	gguf_writer_set_f32(file.w, "gemma2.attn_logit_softcapping", of_scores);
	gguf_writer_set_f32(file.w, "gemma2.final_logit_softcapping", of_logits);
	must(gguf_writer_write(file.w, bytes, &err), &err);
	must(gguf_open_memory(&gguf, bytes->data, bytes->len, &err), &err);
	must(model_open(&model, gguf, NULL, &err), &err);
	family_file_free(&file);
	return model;
}

const char *family_check_caps(void (*plant)(struct model *model))
{
	const float cap = 1;
	const struct logits_options options = {.kv_type = KV_F32};
	struct buf bytes[2];
	struct model *capped = open_with_caps(&bytes[0], 1e-5f, cap);
	struct model *plain = open_with_caps(&bytes[1], 0, 0);
	size_t n = REFERENCE_IDS * model_plan(plain)->n_vocab;
	int32_t ids[REFERENCE_IDS];
	float furthest = 0, *found, *expected;

	family_reference_ids(&family_references[0], ids);
	if (plant)
		plant(capped);
	/* Scores that can be no larger are as good as none: all positions count alike. */
	for (uint32_t i = 0; i < plain->plan.n_layer; i++)
		plain->plan.layers[i].attention_scale = 0;
	found = logits_of_model(capped, &options, ids, REFERENCE_IDS);
	expected = logits_of_model(plain, &options, ids, REFERENCE_IDS);
	for (size_t i = 0; i < n; i++)
		furthest = fmaxf(furthest, fabsf(found[i] - cap * tanhf(expected[i] / cap)));
	free(found);
	free(expected);
	model_close(capped);
	model_close(plain);
	buf_free(&bytes[0]);
	buf_free(&bytes[1]);
	return furthest < 1e-3f ? NULL : "soft caps";
}

float family_reference_tolerance(const struct family_reference *reference)
{
	static const char *const gelu[] = {"gemma", "phi2", "starcoder2"};

	if (family_spec_find(reference->name)->sensitive)
		return 5e-2f;
	for (size_t i = 0; i < sizeof gelu / sizeof gelu[0]; i++)
		if (strncmp(reference->name, gelu[i], strlen(gelu[i])) == 0)
			return 1e-2f;
	return 2e-4f;
}
