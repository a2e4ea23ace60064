/* --rope-* and --yarn-* against llama.cpp's options of the same names: recorded from its logits of the same weights
 * in F32 (float32 cache, no flash attention), with rope_scaling_type, rope_freq_base, rope_freq_scale, yarn_orig_ctx,
 * yarn_ext_factor, yarn_attn_factor, yarn_beta_fast and yarn_beta_slow of its context set as the options say. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/option_value.h"
#include "engine/backend.h"
#include "engine/engine.h"
#include "engine/options.h"
#include "support/family_model.h"
#include "support/family_references.h"
#include "support/logits.h"
#include "turn/engine_params.h"

static const struct {
	const char *model, *options; /* as words of option_take_words */
	float logits[REFERENCE_POSITIONS][REFERENCE_LOGITS];
} rows[] = {
	{"llama-rope3", "rope-scaling=none rope-freq-base=10000 rope-freq-scale=0.5",
	 {{0.7794288f, 2.766649f, -5.120081f, -0.565284f},
	  {1.67259f, -0.6367302f, -10.70535f, -2.633814f},
	  {10.95018f, 0.3777903f, 6.803486f, 10.89693f}}},
	{"llama-rope3", "rope-scaling=linear rope-freq-base=10000 rope-freq-scale=0.5",
	 {{3.234703f, 1.402327f, -0.3273972f, -3.836724f},
	  {0.627387f, 4.710817f, -10.42876f, 2.621886f},
	  {10.65546f, -1.411535f, 5.837708f, 12.01994f}}},
	{"llama-rope3", "rope-scaling=yarn rope-freq-base=10000 rope-freq-scale=0.5",
	 {{0.6246581f, 0.38289f, -5.018389f, 0.3578529f},
	  {1.346475f, 1.701844f, -7.70328f, 0.5358074f},
	  {9.427676f, -1.076364f, 5.382414f, 10.91816f}}},
	{"llama-rope3", "rope-freq-base=10000",
	 {{0.7794288f, 2.766649f, -5.120081f, -0.565284f},
	  {1.67259f, -0.6367302f, -10.70535f, -2.633814f},
	  {10.95018f, 0.3777903f, 6.803486f, 10.89693f}}},
	{"llama-rope3", "rope-freq-scale=0.125",
	 {{7.259456f, 1.60974f, 4.503901f, -1.393321f},
	  {-0.5755363f, 3.91429f, -5.031938f, 1.483537f},
	  {10.58197f, 0.1978436f, 4.31291f, 12.04929f}}},
	{"llama-rope3", "rope-scaling=yarn rope-freq-scale=0.125 yarn-orig-ctx=48",
	 {{-2.401942f, -0.7353843f, 3.71575f, 6.716851f},
	  {-3.488705f, 1.388417f, -4.145238f, 3.386577f},
	  {3.996303f, 0.4103572f, 7.28134f, 11.06095f}}},
	{"llama-rope3", "rope-scaling=yarn rope-freq-scale=0.5 yarn-orig-ctx=16 yarn-ext-factor=0.5 yarn-beta-fast=20 yarn-beta-slow=2",
	 {{1.519931f, -0.1952989f, -1.177437f, -1.085767f},
	  {-0.2649515f, 1.323881f, -6.056715f, 1.14284f},
	  {5.943152f, -1.043965f, 6.017259f, 11.18696f}}},
	{"llama-rope3", "rope-scaling=yarn rope-freq-base=10000 rope-freq-scale=0.25 yarn-orig-ctx=24 yarn-ext-factor=0 yarn-attn-factor=1.25",
	 {{5.654508f, 1.660753f, 8.108915f, 0.4728551f},
	  {-3.667317f, 0.1500461f, -4.237792f, 0.8638737f},
	  {9.081497f, -0.2216905f, 1.409094f, 8.126631f}}},
	{"llama-rope3", "rope-scaling=linear rope-freq-scale=0.5 yarn-orig-ctx=16 yarn-ext-factor=0.5 yarn-attn-factor=1.5 yarn-beta-fast=16 yarn-beta-slow=4",
	 {{1.519931f, -0.1952989f, -1.177437f, -1.085767f},
	  {-0.2649515f, 1.323881f, -6.056715f, 1.14284f},
	  {5.943152f, -1.043965f, 6.017259f, 11.18696f}}},
	{"llama-yarn", "rope-scaling=none rope-freq-base=500000 rope-freq-scale=0.5",
	 {{-6.683307f, -0.240348f, 0.4419632f, 5.274773f},
	  {-1.593638f, -0.6443527f, -1.093354f, 0.1416004f},
	  {-0.8073671f, -0.1131523f, -1.237854f, 0.04882348f}}},
	{"llama-yarn", "rope-scaling=linear rope-freq-base=500000 rope-freq-scale=0.5",
	 {{-2.685438f, 0.2818265f, 2.212884f, 5.178246f},
	  {-8.916265f, -1.449815f, 0.7019942f, -1.219131f},
	  {-6.892511f, -2.392767f, 1.370057f, -0.1809111f}}},
	{"llama-yarn", "rope-scaling=yarn rope-freq-base=500000 rope-freq-scale=0.5",
	 {{-2.432984f, 0.3044209f, 2.204576f, 3.791528f},
	  {-5.640558f, -0.5760003f, 0.9869113f, 4.958541f},
	  {-1.901485f, -0.3821276f, 0.6694658f, -0.5700362f}}},
	{"llama-yarn", "rope-freq-base=500000",
	 {{-4.70473f, 1.074755f, 2.573747f, 4.668157f},
	  {0.3715503f, -1.193255f, -1.340844f, 2.210024f},
	  {-8.872488f, -3.788531f, -0.6410414f, 4.09708f}}},
	{"llama-yarn", "rope-freq-scale=0.125",
	 {{-5.082825f, 0.9365714f, 0.9598044f, 4.29314f},
	  {3.038964f, -0.9646958f, -2.300258f, -4.922554f},
	  {-4.188443f, 0.2739618f, 1.99278f, -0.1723849f}}},
	{"llama-yarn", "rope-scaling=yarn rope-freq-scale=0.125 yarn-orig-ctx=48",
	 {{-5.082825f, 0.9365714f, 0.9598044f, 4.29314f},
	  {3.038964f, -0.9646958f, -2.300258f, -4.922554f},
	  {-4.188443f, 0.2739618f, 1.99278f, -0.1723849f}}},
	{"llama-yarn", "rope-scaling=yarn rope-freq-scale=0.5 yarn-orig-ctx=16 yarn-ext-factor=0.5 yarn-beta-fast=20 yarn-beta-slow=2",
	 {{-6.842391f, -2.480367f, -1.384167f, 3.306437f},
	  {-0.4721682f, -0.9093335f, -4.897782f, -0.3441467f},
	  {-4.742551f, -0.9030156f, -3.251677f, -1.253841f}}},
	{"llama-yarn", "rope-scaling=yarn rope-freq-base=500000 rope-freq-scale=0.25 yarn-orig-ctx=24 yarn-ext-factor=0 yarn-attn-factor=1.25",
	 {{-0.04779911f, -1.020973f, 2.601334f, 5.419076f},
	  {8.745367f, -0.2870178f, 2.822375f, 1.176074f},
	  {-2.242295f, 0.153059f, 0.8063305f, 1.286773f}}},
	{"llama-yarn", "rope-scaling=linear rope-freq-scale=0.5 yarn-orig-ctx=16 yarn-ext-factor=0.5 yarn-attn-factor=1.5 yarn-beta-fast=16 yarn-beta-slow=4",
	 {{-6.842391f, -2.480367f, -1.384167f, 3.306437f},
	  {-0.4721682f, -0.9093335f, -4.897782f, -0.3441467f},
	  {-4.742551f, -0.9030156f, -3.251677f, -1.253841f}}},
};

static const struct family_reference *reference_of(const char *name)
{
	const struct family_reference *reference = family_references;

	while (strcmp(reference->name, name) != 0)
		reference++;
	return reference;
}

/* How far the logits are from those of a row; `moved` tells how far these are from those without options. */
static float distance_of(size_t row, float *moved)
{
	struct family_model made = family_model_of(rows[row].model);
	struct family_reference plain = *reference_of(rows[row].model), expected = plain;
	struct engine_params params = engine_params_default();
	char path[] = "/tmp/sotto-test-XXXXXX";
	int32_t ids[REFERENCE_IDS];
	struct compute compute;
	struct model *model;
	struct error err = {0};
	float *logits, distance;

	memcpy(expected.logits, rows[row].logits, sizeof expected.logits);
	close(mkstemp(path));
	must(family_model_save(&made, path, &err), &err);
	must(option_take_words(engine_options, engine_n_options, &params, rows[row].options, strlen(rows[row].options),
	                       &err), &err);
	params.model = strdup(path);
	must(compute_open(&compute, NULL, 1, &err), &err);
	must(engine_open_model(&model, &params, &compute, NULL, NULL, &err), &err);
	family_reference_ids(&expected, ids);
	logits = logits_of_model(model, &(struct logits_options){.kv_type = KV_F32}, ids, REFERENCE_IDS);
	distance = family_reference_distance(&expected, logits, made.sizes.n_vocab);
	*moved = family_reference_distance(&plain, logits, made.sizes.n_vocab);
	free(logits);
	model_close(model);
	compute_close(&compute);
	engine_params_free(&params);
	unlink(path);
	return distance;
}

Test(rope_options, give_the_logits_of_the_reference)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		float moved, distance = distance_of(i, &moved);

		cr_expect(distance <= 2e-4f, "%s, %s: off by %g", rows[i].model, rows[i].options, (double)distance);
		cr_expect(moved > 1, "%s, %s: moves logits by %g only", rows[i].model, rows[i].options, (double)moved);
	}
}

static bool never(void *ctx)
{
	(void)ctx;
	return false;
}

static enum status ignore(void *ctx, const struct event *event, struct error *err)
{
	(void)ctx;
	(void)event;
	(void)err;
	return STATUS_OK;
}

/* LongRoPE has two sets of frequencies, and the context's length chooses: the model's original length (64 here) is the
 * default, and a longer one, which only loading the model again can give, says what it changes, once. */
Test(rope_options, a_context_that_changes_the_model_says_so)
{
	static const struct {
		const char *name;
		int32_t n_ctx;
		uint32_t then;
		bool says;
	} contexts[] = {{"phi3-long", 0, 64, false}, {"phi3-long", 40, 40, false}, {"phi3-long", 64, 64, false},
	                {"phi3-long", 65, 65, true}, {"phi3-long", 100, 100, true}, {"llama-rope3", 100, 100, false}};
	const struct backend_host host = {.cancelled = never, .event = ignore};

	for (size_t i = 0; i < sizeof contexts / sizeof contexts[0]; i++) {
		struct family_model made = family_model_of(contexts[i].name);
		struct engine_params params = engine_params_default();
		char path[] = "/tmp/sotto-test-XXXXXX";
		struct model_info info = {.n_ctx = 0};
		struct backend *backend;
		struct error err = {0};
		size_t n_said = 0;

		made.vocabulary = FAMILY_ALL_BYTES;
		close(mkstemp(path));
		must(family_model_save(&made, path, &err), &err);
		params.model = strdup(path);
		params.n_ctx = contexts[i].n_ctx;
		must(backend_open(&backend, &params, &host, &info, &err), &err);
		cr_expect_eq(info.n_ctx, contexts[i].then, "row %zu: %u", i, info.n_ctx);
		for (size_t n = 0; n < info.n_notes; n++) {
			const char *text = info.notes[n].text;

			n_said += strstr(text, "context of more than 64 tokens") && strstr(text, "With 64 or less") &&
			          text[strlen(text) - 1] == '.';
		}
		cr_expect_eq(n_said, contexts[i].says, "row %zu: said %zu times", i, n_said);
		backend_close(backend);
		engine_params_free(&params);
		unlink(path);
	}
}
