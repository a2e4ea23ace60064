/* Prefill and decode of models with experts, in several threads: the same bits as in one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_internal.h"
#include "support/family_checks.h"
#include "support/logits.h"

static float *logits_of(const struct model *model, size_t n_threads, int32_t n_batch,
                        const int32_t *ids)
{
	struct logits_options options = {.kv_type = KV_F32, .n_batch = n_batch};
	struct error err;
	float *logits;

	must(threadpool_create(&options.pool, n_threads, &err), &err);
	logits = logits_of_model(model, &options, ids, REFERENCE_IDS);
	threadpool_free(options.pool);
	return logits;
}

static int check(const char *name, enum block_type type)
{
	static const int32_t batches[] = {REFERENCE_IDS, 7, 1};
	struct family_model made = family_model_of(name);
	struct family_opened opened;
	int32_t ids[REFERENCE_IDS];
	float *expected;
	int failed = 0;

	made.type = type;
	made.sizes.n_expert = 16; /* more than the threads have at hand at a time */
	family_open(&opened, &made, PACKING_ALL);
	family_reference_ids(&family_references[0], ids);
	expected = logits_of(opened.model, 1, REFERENCE_IDS, ids);
	for (size_t threads = 2; threads <= 4; threads++)
		for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
			float *found = logits_of(opened.model, threads, batches[i], ids);

			if (memcmp(found, expected, REFERENCE_IDS * made.sizes.n_vocab * sizeof *found) != 0) {
				printf("FAIL %s: %zu threads, batches of %d\n", name, threads, (int)batches[i]);
				failed = 1;
			}
			free(found);
		}
	free(expected);
	family_close(&opened);
	return failed;
}

int main(void)
{
	static const char *const names[] = {"qwen3moe", "gpt-oss", "qwen35moe", "gemma4-moe", "llama4", "deepseek3"};
	int failed = 0;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		failed |= check(names[i], BLOCK_F32) | check(names[i], BLOCK_Q8_0);
	return failed;
}
