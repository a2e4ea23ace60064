/* The guide in every type of `sotto quantize`, made from models/guide.gguf by
 * way of F16: the file has the size and the types that its name promises, and
 * the engine runs it: near to the F16 (mean KL divergence over a few dialogues,
 * bounds 1.25 times what was measured; of Q8_0's most is that activations have 8
 * bits, and Q4_K_M is the type of the file, so that its levels are met again), the same bits
 * with the cache and without, token by token and at once. In the types that people take it still
 * knows the answers.
 *
 * What is measured is printed as rows for the table below. With arguments only
 * the types that they name are looked at.
 * SOTTO_TEST_LONG compares the bits of a whole dialogue, else of its end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gguf/reader.h"
#include "guide/guide_model.h"
#include "kernels/threadpool.h"
#include "quantize/quantize.h"
#include "support/gguf_memory.h"
#include "support/isas.h"
#include "support/logits.h"

enum { TAIL = 8, REPLY_SIZE = 1024, TYPES_SIZE = 128 };

struct expected {
	const char *recipe;
	const char *types; /* of the matrices: how many of each */
	double kl;         /* at most */
	bool answers;      /* rightly */
};

static const struct expected expected[] = {
	{"F32", "29 F32", 0.00e+00, false},
	{"F16", "29 F16", 0.00e+00, false},
	{"BF16", "29 BF16", 1.69e-05, false},
	{"Q8_0", "29 Q8_0", 3.13e-04, true},
	{"MXFP4_MOE", "29 Q8_0", 3.78e-04, false},
	{"Q6_K", "29 Q6_K", 6.48e-04, true},
	{"Q5_K_M", "24 Q5_K, 5 Q6_K", 1.26e-03, true},
	{"Q5_K_S", "28 Q5_K, 1 Q6_K", 2.19e-03, false},
	{"Q5_1", "28 Q5_1, 1 Q6_K", 2.16e-03, false},
	{"Q5_0", "28 Q5_0, 1 Q6_K", 6.67e-03, false},
	{"Q4_K_M", "24 Q4_K, 5 Q6_K", 2.51e-04, true},
	{"Q4_K_S", "24 Q4_K, 4 Q5_K, 1 Q6_K", 2.94e-03, false},
	{"IQ4_NL", "1 Q6_K, 28 IQ4_NL", 1.91e-02, false},
	{"IQ4_XS", "1 Q6_K, 28 IQ4_XS", 1.75e-02, false},
	{"Q4_1", "28 Q4_1, 1 Q6_K", 4.90e-03, false},
	{"Q4_0", "28 Q4_0, 1 Q6_K", 2.84e-02, false},
	{"Q3_K_L", "16 Q3_K, 12 Q5_K, 1 Q6_K", 3.43e-02, false},
	{"Q3_K_M", "16 Q3_K, 10 Q4_K, 2 Q5_K, 1 Q6_K", 3.62e-02, false},
	{"Q3_K_S", "28 Q3_K, 1 Q6_K", 7.80e-02, false},
	{"Q2_K", "16 Q2_K, 12 Q3_K, 1 Q6_K", 1.55e-01, false},
};

static int failures;
static struct threadpool *pool;
static const struct isa *isa;

/* The best that takes activations for BF16 as they are: the bounds are of what the
 * file loses. */
static const struct isa *find_isa(void)
{
	for (size_t i = isa_n; i-- > 0;)
		if (isa_usable(&isa_table[i]) && !isa_table[i].bf16)
			return &isa_table[i];
	return isa_generic();
}

static void fail(const char *recipe, const char *what, const char *found, const char *wanted)
{
	printf("FAIL %s: %s: found %s, expected %s\n", recipe, what, found, wanted);
	failures++;
}

static const struct recipe *find(const char *name)
{
	const struct recipe *recipe = recipe_find(name);

	if (!recipe) {
		printf("FAIL no type %s\n", name);
		exit(1);
	}
	return recipe;
}

static void quantise(const char *in, const char *out, const char *recipe)
{
	struct quantize_job job = {.recipe = find(recipe), .requantize = true};
	struct error err = {0};
	struct quantize_plan plan;
	struct gguf *gguf;

	must(gguf_open(&gguf, in, &err), &err);
	must(quantize_plan_init(&plan, &job, gguf, &err), &err);
	must(quantize_save(&plan, &job, gguf, out, pool, &io_system, &err), &err);
	quantize_plan_deinit(&plan);
	gguf_close(gguf);
}

/* Of the matrices, "29 Q4_K, 1 Q6_K". */
static void describe_types(const struct gguf *gguf, char *out, size_t size)
{
	size_t count[BLOCK_TYPE_MAX] = {0}, len = 0;

	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);

		if (tensor->n_dims > 1 && tensor->type < BLOCK_TYPE_MAX)
			count[tensor->type]++;
	}
	out[0] = '\0';
	for (uint32_t type = 0; type < BLOCK_TYPE_MAX; type++)
		if (count[type] && len < size)
			len += (size_t)snprintf(out + len, size - len, "%s%zu %s", len ? ", " : "",
			                        count[type], block_info(type)->name);
}

/* Nothing stands behind the last tensor but padding, and no gap is between two. */
static void check_size(const char *recipe, const struct gguf *gguf)
{
	uint64_t alignment = gguf_alignment(gguf), first = UINT64_MAX, weights = 0;

	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);

		first = tensor->offset < first ? tensor->offset : first;
		weights += (tensor->n_bytes + alignment - 1) / alignment * alignment;
	}
	if (gguf_file_size(gguf) != first + weights) {
		printf("FAIL %s: the file has %zu bytes, expected %zu\n", recipe,
		       (size_t)gguf_file_size(gguf), (size_t)(first + weights));
		failures++;
	}
}

static void check_file(const struct expected *want, const struct gguf *gguf, const char *types)
{
	uint32_t file_type = 0;

	if (strcmp(types, want->types) != 0)
		fail(want->recipe, "types", types, want->types);
	if (gguf_get_u32(gguf, "general.file_type", &file_type, NULL) ||
	    file_type != find(want->recipe)->file_type)
		fail(want->recipe, "general.file_type", "another", want->recipe);
	check_size(want->recipe, gguf);
}

/* The logits of every dialogue of one model, in the order of guide_questions. */
struct dialogues {
	struct token_list *ids;
	float **logits;
};

static struct dialogues evaluate(const struct model *model, const struct tokenizer *tokenizer)
{
	struct dialogues all = {calloc(guide_n_questions, sizeof *all.ids),
	                        calloc(guide_n_questions, sizeof *all.logits)};

	if (!all.ids || !all.logits)
		exit(1);
	for (size_t i = 0; i < guide_n_questions; i++) {
		struct token_list ids = guide_encode(tokenizer, &guide_questions[i], true);
		struct logits_options options = {
			.n_batch = (int32_t)ids.n, .pool = pool, .isa = isa};

		all.ids[i] = ids;
		all.logits[i] = logits_of_model(model, &options, ids.ids, ids.n);
	}
	return all;
}

static void free_dialogues(struct dialogues *all)
{
	for (size_t i = 0; i < guide_n_questions; i++) {
		token_list_free(&all->ids[i]);
		free(all->logits[i]);
	}
	free(all->ids);
	free(all->logits);
}

/* Not finite where a logit is not. */
static double mean_kl(const struct dialogues *p, const struct dialogues *q, size_t n_vocab)
{
	double kl = 0;
	size_t n = 0;

	for (size_t i = 0; i < guide_n_questions; i++) {
		size_t rows = p->ids[i].n;

		for (size_t k = 0; k < rows * n_vocab; k++)
			if (!isfinite(q->logits[i][k]))
				return NAN;
		kl += logits_mean_kl(p->logits[i], q->logits[i], rows, n_vocab) * (double)rows;
		n += rows;
	}
	return kl / (double)n;
}

/* The last tokens of a dialogue once more, `step` at a time: the same bits. */
static void check_bits(const char *recipe, const char *way, const struct model *model,
                       bool no_cache, size_t step, const struct dialogues *all)
{
	const int32_t *ids = all->ids[0].ids;
	size_t n_vocab = model_plan(model)->n_vocab, n = all->ids[0].n;
	size_t from = getenv("SOTTO_TEST_LONG") ? 1 : n - TAIL;
	struct logits_options options = {
		.n_batch = (int32_t)n, .no_cache = no_cache, .pool = pool, .isa = isa};
	struct session *session = logits_open_session(model, &options);
	float *logits = calloc((n - from) * n_vocab, sizeof *logits);
	struct error err = {0};

	if (!logits)
		exit(1);
	must(session_eval(session, ids, from, 0, NULL, &err), &err);
	for (size_t at = from; at < n; at += step)
		must(session_eval(session, ids + at, n - at < step ? n - at : step, at,
		                  logits + (at - from) * n_vocab, &err), &err);
	if (memcmp(logits, all->logits[0] + from * n_vocab, (n - from) * n_vocab * sizeof *logits) != 0)
		fail(recipe, way, "other bits", "the same as at once");
	free(logits);
	session_free(session);
}

static void check_answers(const char *recipe, const struct model *model,
                          const struct tokenizer *tokenizer)
{
	for (size_t i = 0; i < guide_n_questions; i++) {
		const struct guide_question *asked = &guide_questions[i];
		char reply[REPLY_SIZE];

		if (!asked->key)
			continue;
		guide_reply(model, tokenizer, asked, reply, sizeof reply);
		if (!strstr(reply, asked->key))
			fail(recipe, asked->question, reply, asked->key);
	}
}

static void check_type(const struct expected *want, const char *f16, const char *out,
                       const struct dialogues *reference, const struct tokenizer *tokenizer)
{
	struct dialogues all;
	struct model *model;
	char types[TYPES_SIZE];
	double kl;

	quantise(f16, out, want->recipe);
	model = logits_open_model(out);
	describe_types(model_gguf(model), types, sizeof types);
	check_file(want, model_gguf(model), types);
	all = evaluate(model, tokenizer);
	kl = mean_kl(reference, &all, model_plan(model)->n_vocab);
	printf("\t{\"%s\", \"%s\", %.2e, %s},\n", want->recipe, types, 1.25 * kl,
	       want->answers ? "true" : "false");
	if (!(kl <= want->kl)) {
		printf("FAIL %s: mean KL divergence %.3e, at most %.3e\n", want->recipe, kl, want->kl);
		failures++;
	}
	check_bits(want->recipe, "token by token", model, false, 1, &all);
	check_bits(want->recipe, "without the cache", model, true, TAIL, &all);
	if (want->answers)
		check_answers(want->recipe, model, tokenizer);
	free_dialogues(&all);
	model_close(model);
}

/* Whether a type is to be looked at: all, or those that are named. */
static bool is_wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return argc < 2;
}

int main(int argc, char **argv)
{
	char dir[] = "/tmp/sotto-guide-XXXXXX", f16[64], out[64];
	struct tokenizer *tokenizer;
	struct dialogues reference;
	struct error err = {0};
	struct model *model;

	if (!mkdtemp(dir))
		return 1;
	snprintf(f16, sizeof f16, "%s/f16.gguf", dir);
	snprintf(out, sizeof out, "%s/out.gguf", dir);
	must(threadpool_create(&pool, 2, &err), &err);
	isa = find_isa();
	quantise(GUIDE_PATH, f16, "F16");
	model = logits_open_model(f16);
	must(tokenizer_open(&tokenizer, model_gguf(model), &err), &err);
	reference = evaluate(model, tokenizer);
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
		if (is_wanted(expected[i].recipe, argc, argv))
			check_type(&expected[i], f16, out, &reference, tokenizer);
	if (sizeof expected / sizeof expected[0] != n_recipes)
		fail("the table", "types", "another number", "all that there are");
	free_dialogues(&reference);
	tokenizer_close(tokenizer);
	model_close(model);
	threadpool_free(pool);
	unlink(f16);
	unlink(out);
	rmdir(dir);
	return failures != 0;
}
