#include <criterion/criterion.h>
#include <string.h>

#include "base/limits.h"
#include "offers.h"
#include "pull/choose.h"

/* As unsloth publishes them, in the order of their listings; sizes in MB. */
static const char qwen4b[] =
	"Qwen3.5-4B-BF16.gguf 8422\nQwen3.5-4B-IQ4_NL.gguf 2594\nQwen3.5-4B-IQ4_XS.gguf 2488\nQwen3.5-4B-Q3_K_M.gguf 2288\n"
	"Qwen3.5-4B-Q3_K_S.gguf 2113\nQwen3.5-4B-Q4_0.gguf 2592\nQwen3.5-4B-Q4_1.gguf 2798\nQwen3.5-4B-Q4_K_M.gguf 2741\n"
	"Qwen3.5-4B-Q4_K_S.gguf 2603\nQwen3.5-4B-Q5_K_M.gguf 3143\nQwen3.5-4B-Q5_K_S.gguf 3062\nQwen3.5-4B-Q6_K.gguf 3526\n"
	"Qwen3.5-4B-Q8_0.gguf 4482\nQwen3.5-4B-UD-IQ2_M.gguf 1850\nQwen3.5-4B-UD-Q4_K_XL.gguf 2912\n"
	"Qwen3.5-4B-UD-Q8_K_XL.gguf 5950\nmmproj-BF16.gguf 676\nmmproj-F16.gguf 672\nREADME.md 0.01\n";
static const char split30b[] =
	"BF16/Qwen3-30B-A3B-BF16-00001-of-00002.gguf 49000\nBF16/Qwen3-30B-A3B-BF16-00002-of-00002.gguf 12000\n"
	"Qwen3-30B-A3B-Q4_K_M.gguf 18557\nQwen3-30B-A3B-UD-Q4_K_XL.gguf 17700\n"
	"broken/x-Q2_K-00001-of-00003.gguf 1\nbroken/x-Q2_K-00003-of-00003.gguf 1\n";
static const char gpt_oss[] = "gpt-oss-20b-F16.gguf 13800\ngpt-oss-20b-Q4_K_M.gguf 11600\ngpt-oss-20b-mxfp4.gguf 12100\n"
                              "gpt-oss-20b-Q8_0.gguf 12200\n";
static const char only_dynamic[] = "x-UD-IQ1_S.gguf 2000\nx-UD-Q2_K_XL.gguf 3000\nx-UD-Q4_K_XL.gguf 5000\nx-UD-Q8_K_XL.gguf 9900\n"
                                   "x-BF16.gguf 16000\n";

#define GIB ((uint64_t)1 << 30)

static const struct {
	const char *name, *files;
	struct pull_machine machine;
	const char *chosen; /* the path of its first file; NULL: STATUS_NOTFOUND */
} rows[] = {
	/* by tag */
	{"unsloth/Qwen3.5-4B-GGUF:Q4_K_M", qwen4b, {0}, "Qwen3.5-4B-Q4_K_M.gguf"},
	{"unsloth/Qwen3.5-4B-GGUF:q8_0", qwen4b, {0}, "Qwen3.5-4B-Q8_0.gguf"},
	{"unsloth/Qwen3.5-4B-GGUF:UD-Q4_K_XL", qwen4b, {0}, "Qwen3.5-4B-UD-Q4_K_XL.gguf"},
	{"unsloth/Qwen3.5-4B-GGUF:Q4_K_XL", qwen4b, {0}, "Qwen3.5-4B-UD-Q4_K_XL.gguf"},
	{"unsloth/Qwen3.5-4B-GGUF:IQ2_M", qwen4b, {0}, "Qwen3.5-4B-UD-IQ2_M.gguf"},
	{"unsloth/Qwen3.5-4B-GGUF:F16", qwen4b, {0}, "Qwen3.5-4B-BF16.gguf"}, /* as llama.cpp does, not mmproj-F16 */
	{"unsloth/Qwen3.5-4B-GGUF:Q2_K", qwen4b, {0}, NULL},
	{"unsloth/Qwen3.5-4B-GGUF:Q4", qwen4b, {0}, NULL},
	{"hf.co/unsloth/Qwen3.5-4B-GGUF/mmproj-F16.gguf", qwen4b, {0}, "mmproj-F16.gguf"}, /* who names a file gets it */
	{"hf.co/unsloth/Qwen3.5-4B-GGUF/README.gguf", qwen4b, {0}, NULL},
	{"a/Qwen3-30B-A3B-GGUF:BF16", split30b, {0}, "BF16/Qwen3-30B-A3B-BF16-00001-of-00002.gguf"},
	{"hf.co/a/b/BF16/Qwen3-30B-A3B-BF16-00002-of-00002.gguf", split30b, {0}, "BF16/Qwen3-30B-A3B-BF16-00001-of-00002.gguf"},
	{"a/b:Q2_K", split30b, {0}, NULL}, /* a part of it is missing */
	/* by this machine */
	{"unsloth/Qwen3.5-4B-GGUF", qwen4b, {0}, "Qwen3.5-4B-Q4_K_M.gguf"},
	{"unsloth/Qwen3.5-4B-GGUF", qwen4b, {16 * GIB, 60e9}, "Qwen3.5-4B-Q8_0.gguf"},
	{"unsloth/Qwen3.5-4B-GGUF", qwen4b, {16 * GIB, 22e9}, "Qwen3.5-4B-Q6_K.gguf"},
	{"unsloth/Qwen3.5-4B-GGUF", qwen4b, {4 * GIB, 60e9}, "Qwen3.5-4B-Q5_K_M.gguf"},
	{"unsloth/Qwen3.5-4B-GGUF", qwen4b, {16 * GIB, 5e9}, "Qwen3.5-4B-Q3_K_M.gguf"}, /* nothing is fast enough */
	{"unsloth/Qwen3.5-4B-GGUF", qwen4b, {1 * GIB, 60e9}, "Qwen3.5-4B-UD-IQ2_M.gguf"}, /* nothing fits */
	{"a/Qwen3-30B-A3B-GGUF", split30b, {64 * GIB, 20e9}, "Qwen3-30B-A3B-Q4_K_M.gguf"},
	{"ggml-org/gpt-oss-20b-GGUF", gpt_oss, {64 * GIB, 60e9}, "gpt-oss-20b-mxfp4.gguf"},
	{"a/x-it-qat-GGUF", "x-Q8_0.gguf 4000\nx-Q4_0.gguf 2000\n", {64 * GIB, 60e9}, "x-Q4_0.gguf"},
	{"a/x", only_dynamic, {64 * GIB, 100e9}, "x-UD-Q8_K_XL.gguf"},
	{"a/x", only_dynamic, {8 * GIB, 100e9}, "x-UD-Q4_K_XL.gguf"},
	{"a/x", only_dynamic, {0}, "x-UD-Q8_K_XL.gguf"},
	{"a/x", "model.gguf 400\n", {0}, "model.gguf"},
};

Test(choose, table)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct pull_offer offer;
		struct error err = {0};
		const char *chosen = NULL;

		offer_make(&offer, rows[i].name, rows[i].files);
		if (!pull_choose(&offer, &rows[i].machine, &err))
			chosen = offer.files[offer.choices[offer.chosen].first].path;
		cr_expect(chosen && rows[i].chosen ? !strcmp(chosen, rows[i].chosen) : chosen == rows[i].chosen,
		          "row %zu: %s: %s, not %s: %s", i, rows[i].name, chosen ? chosen : "NULL",
		          rows[i].chosen ? rows[i].chosen : "NULL", err.text);
		cr_expect(chosen || err.status == STATUS_NOTFOUND);
		pull_offer_free(&offer);
	}
}

Test(choose, choices_are_sorted_and_split_models_are_one)
{
	static const struct pull_machine machine = {64 * GIB, 20e9};
	struct pull_offer offer;

	offer_make(&offer, "a/Qwen3-30B-A3B-GGUF", split30b);
	offer.n_params = 30500000000;
	cr_assert_eq(pull_choose(&offer, &machine, NULL), STATUS_OK);
	cr_assert_eq(offer.n_choices, 3);
	cr_expect_str_eq(offer.choices[0].quant, "UD-Q4_K_XL");
	cr_expect_str_eq(offer.choices[2].quant, "BF16");
	cr_expect_eq(offer.choices[2].n, 2);
	cr_expect_eq(offer.choices[2].n_bytes, 61000000000);
	cr_expect_str_eq(offer.files[offer.choices[2].first + 1].path, "BF16/Qwen3-30B-A3B-BF16-00002-of-00002.gguf");
	cr_expect_float_eq(offer.choices[2].bits, 16, 0.001);
	cr_expect_eq(offer.choices[0].fits, MODEL_FITS);
	cr_expect_eq(offer.choices[2].fits, MODEL_TIGHT);
	cr_expect_gt(offer.choices[0].speed, 5, "a tenth of it is read for a token");
	cr_expect(!offer.is_by_tag);
	pull_offer_free(&offer);
}

Test(choose, models_of_several_sizes_in_one_repository)
{
	static const struct pull_machine machine = {0};
	struct pull_offer offer;

	offer_make(&offer, "a/b", "small-Q4_K_M.gguf 610\nlarge-Q4_K_M.gguf 6100\n");
	offer.n_params = 1000000000; /* of the first */
	cr_assert_eq(pull_choose(&offer, &machine, NULL), STATUS_OK);
	cr_expect_float_eq(offer.choices[0].bits, 4.88, 0.001);
	cr_expect_float_eq(offer.choices[1].bits, 4.89, 0.001);
	pull_offer_free(&offer);
}

Test(choose, no_models_is_no_error)
{
	static const struct pull_machine machine = {0};
	struct pull_offer offer;

	offer_make(&offer, "a/b", "README.md 1\nmodel.safetensors 100\n");
	cr_expect_eq(pull_choose(&offer, &machine, NULL), STATUS_OK);
	cr_expect_eq(offer.n_choices, 0);
	pull_offer_free(&offer);
	offer_make(&offer, "a/b:Q8_0", "");
	cr_expect_eq(pull_choose(&offer, &machine, NULL), STATUS_OK);
	cr_expect_eq(offer.n_choices, 0);
	pull_offer_free(&offer);
}

Test(choose, a_tag_that_is_not_there_says_what_is)
{
	static const struct pull_machine machine = {0};
	struct pull_offer offer;
	struct error err;

	offer_make(&offer, "a/b:Q2_K", "x-Q4_0.gguf 1\nx-Q8_0.gguf 2\n");
	cr_expect_eq(pull_choose(&offer, &machine, &err), STATUS_NOTFOUND);
	cr_expect_str_eq(err.text, "a/b has no Q2_K; there is Q4_0, Q8_0");
	pull_offer_free(&offer);
}

Test(choose, no_more_than_a_limit)
{
	static const struct pull_machine machine = {0};
	struct buf files = {.max = MIB(1)};
	struct pull_offer offer;

	for (size_t i = 0; i < LIMIT_PULL_CHOICES + 1; i++)
		buf_printf(&files, "x%zu-Q4_0.gguf %zu\n", i, i + 1);
	offer_make(&offer, "a/b", buf_text(&files));
	cr_expect_eq(pull_choose(&offer, &machine, NULL), STATUS_OK);
	cr_expect_eq(offer.n_choices, LIMIT_PULL_CHOICES);
	pull_offer_free(&offer);
	buf_free(&files);
}

Test(choose, safetensors)
{
	static const struct pull_machine machine = {0};
	struct pull_offer offer;
	struct error err;

	offer_make(&offer, "a/b:safetensors",
	           "README.md 1\nmodel-00001-of-00002.safetensors 5000\nmodel-00002-of-00002.safetensors 4000\nconfig.json 0.001\n"
	           "tokenizer.json 9\nchat_template.jinja 0.01\nmodeling_x.py 0.1\npytorch_model.bin 9000\n"
	           "original/model.safetensors 9000\nmodel.safetensors.index.json 0.1\n");
	cr_assert_eq(pull_choose(&offer, &machine, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(offer.n_choices, 1);
	cr_expect_eq(offer.choices[0].n, 6);
	for (size_t i = 0; i < offer.choices[0].n; i++)
		cr_expect(!strstr(offer.files[i].path, ".py") && !strstr(offer.files[i].path, ".bin") &&
		          !strchr(offer.files[i].path, '/'), "%s", offer.files[i].path);
	cr_expect_str_eq(offer.files[4].path, "model-00001-of-00002.safetensors", "weights come last");
	pull_offer_free(&offer);

	offer_make(&offer, "a/b:safetensors", "x-Q4_0.gguf 1\nconfig.json 1\n");
	cr_expect_eq(pull_choose(&offer, &machine, &err), STATUS_NOTFOUND);
	cr_expect(strstr(err.text, "no model.safetensors"), "%s", err.text);
	pull_offer_free(&offer);
}

Test(choose, what_a_source_chose_stays)
{
	static const struct pull_machine machine = {16 * GIB, 20e9};
	struct pull_offer offer;

	offer_make(&offer, "llama3.2:3b", "sha256-a 2000\nsha256-b 1\n");
	offer.choices = calloc(1, sizeof *offer.choices);
	offer.choices[0] = (struct pull_choice){.quant = strdup("3b"), .n = 2, .n_bytes = 2001000000};
	offer.n_choices = 1;
	cr_expect_eq(pull_choose(&offer, &machine, NULL), STATUS_OK);
	cr_expect_eq(offer.n_choices, 1);
	cr_expect_eq(offer.choices[0].fits, MODEL_FITS);
	cr_expect_gt(offer.choices[0].speed, 0);
	cr_expect(offer.is_by_tag);
	pull_offer_free(&offer);
}
