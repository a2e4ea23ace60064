/* Models of every family, of random shapes and types: the doctor must find nothing. Prints a line for each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "engine/options.h"
#include "support/family_model.h"
#include "support/logits.h"
#include "support/random.h"
#include "support/random_blocks.h"
#include "support/tiny_model.h"

static char path[64];
static int failures, n_models;

static void take_findings(void *ctx, const struct diagnosis *said)
{
	(void)ctx;
	if (said->verdict == VERDICT_FINDING)
		printf("     %s: %s %s (%g)\n", said->rung, said->cause, said->text, said->number);
}

static void expect_nothing(const char *model, const char *type, uint64_t seed)
{
	struct engine_params params = engine_params_default();
	const struct doctor doctor = {.params = &params, .tell = take_findings};
	struct error err;
	size_t n;

	params.model = path;
	params.n_threads = 1;
	must(doctor_examine(&doctor, &n, &err), &err);
	printf("%s %-18s %-8s %llu\n", n ? "FAIL" : "ok  ", model, type, (unsigned long long)seed);
	failures += n > 0;
	n_models++;
}

/* A shape like the family's, with other lengths where they are free. */
static void make_family(const struct family_spec *spec, struct test_random *random, uint64_t seed)
{
	static const enum block_type types[] = {BLOCK_F32, BLOCK_F16, BLOCK_BF16, BLOCK_Q8_0};
	struct family_model made = family_model_of(spec->name);
	struct error err;

	made.seed = seed;
	made.type = types[test_random_below(random, 4)];
	made.vocabulary = test_random_below(random, 2) ? FAMILY_ALL_BYTES : FAMILY_NO_VOCABULARY;
	made.sizes.n_ff = 32 * (uint32_t)(1 + test_random_below(random, 6));
	if (!made.sizes.window)
		made.sizes.window = 20;
	made.sizes.window = 8 + (uint32_t)test_random_below(random, 60);
	must(family_model_save(&made, path, &err), &err);
	expect_nothing(spec->name, block_info(made.type)->name, seed);
}

static void make_llama(enum block_type type, struct test_random *random, uint64_t seed)
{
	struct tiny_model tiny = tiny_model_default();
	struct error err;

	tiny.type = type;
	tiny.seed = seed;
	tiny.vocab = test_random_below(random, 2) ? TINY_SPM : TINY_BPE;
	tiny.n_embd = 256;
	tiny.n_head = 4u << test_random_below(random, 2);
	tiny.n_head_kv = tiny.n_head / (1u << test_random_below(random, 3));
	tiny.n_ff = 256 * (uint32_t)(1 + test_random_below(random, 2));
	tiny.n_layer = 1 + (uint32_t)test_random_below(random, 4);
	tiny.n_ctx = 64 + (uint32_t)test_random_below(random, 400);
	tiny.biases = test_random_below(random, 2);
	tiny.rope_freqs = test_random_below(random, 2);
	tiny.tied = test_random_below(random, 2);
	tiny.window = test_random_below(random, 2) ? 16 : 0;
	must(tiny_model_save(&tiny, path, &err), &err);
	expect_nothing("llama", block_info(type)->name, seed);
}

int main(void)
{
	struct test_random random = {.state = 7};
	size_t rounds = getenv("SOTTO_TEST_LONG") ? 5 : 1;
	int fd;

	snprintf(path, sizeof path, "/tmp/sotto-doctor-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	for (size_t round = 0; round < rounds; round++) {
		for (const struct family_spec *spec = family_specs; spec->name; spec++)
			make_family(spec, &random, 1 + test_random_below(&random, 1000000));
		for (size_t i = 0; i < random_n_block_types; i++)
			make_llama(random_block_types[i], &random, 1 + test_random_below(&random, 1000000));
	}
	unlink(path);
	printf("%d models, %d failed\n", n_models, failures);
	return failures != 0;
}
