#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "catalog/catalog.h"
#include "catalog/recommended_models.h"
#include "catalog/speed.h"
#include "engine/options.h"
#include "model/family.h"
#include "model/model.h"

Test(recommended_models, only_what_can_be_run_is_offered)
{
	struct buf names = {.max = KIB(4)};

	cr_assert_eq(family_list(&names), STATUS_OK);
	buf_puts(&names, ",");
	for (size_t i = 0; i < n_recommended; i++) {
		char word[40];

		snprintf(word, sizeof word, "%s,", recommended[i].architecture);
		cr_assert(strstr(buf_text(&names), word), "%s", recommended[i].name);
		cr_assert(strstr(recommended[i].file, ".gguf") && strchr(recommended[i].repository, '/'));
		cr_assert(recommended[i].licence[0] && recommended[i].in_file_mb < recommended[i].file_mb);
		cr_assert(recommended[i].token_mb < recommended[i].file_mb - recommended[i].in_file_mb);
		snprintf(word, sizeof word, "%.*s", (int)strcspn(recommended[i].name, " "), recommended[i].name);
		cr_assert_not_null(strcasestr(recommended[i].file, word), "%s", recommended[i].file);
		cr_assert(i == 0 || recommended_memory(&recommended[i - 1]) < recommended_memory(&recommended[i]));
	}
	buf_free(&names);
}

static const double fast = 200e9, slow = 6e9;

static const struct recommended_model *named(const char *name)
{
	for (size_t i = 0; i < n_recommended; i++)
		if (strcmp(recommended[i].name, name) == 0)
			return &recommended[i];
	cr_assert_fail("%s", name);
	return NULL;
}

Test(recommended_models, the_largest_that_fits_is_chosen)
{
	cr_assert_eq(recommended_choose(1, fast), &recommended[0], "the smallest, where none fits");
	cr_assert_eq(recommended_choose(UINT64_MAX, fast), &recommended[n_recommended - 1]);
	for (size_t i = 0; i < n_recommended; i++) {
		uint64_t enough = recommended_memory(&recommended[i]) / 9 * 10 + 100;

		const struct recommended_model *best = recommended_choose(enough, fast);

		cr_assert_null(best->purpose, "%s", best->name);
		cr_assert(best <= &recommended[i]);
		cr_assert(recommended[i].purpose || best == &recommended[i], "%s", recommended[i].name);
	}
	cr_assert(recommended_memory(recommended_choose(0, fast)) < (uint64_t)2 << 30, "nothing is known");
}

/* A lot of memory does not justify a model that makes two tokens a second. */
Test(recommended_models, the_largest_that_is_fast_enough_is_chosen)
{
	const uint64_t much = (uint64_t)64 << 30;

	cr_assert_eq(recommended_choose(much, fast), named("Qwen3.5 35B A3B"));
	cr_assert_eq(recommended_choose((uint64_t)16 << 30, fast), named("gpt-oss 20B"));
	cr_assert_eq(recommended_choose((uint64_t)12 << 30, fast), named("Gemma 4 12B"));
	cr_assert_eq(recommended_choose(much, slow), named("LFM2.5 1.2B Instruct"));
	cr_assert_eq(recommended_choose((uint64_t)4 << 30, fast), named("Qwen3.5 4B"), "memory counts, too");
	cr_assert_eq(recommended_choose((uint64_t)8 << 30, fast), named("Qwen3.5 9B"));
	cr_assert_eq(recommended_choose(much, 1e6), &recommended[0], "the fastest, where none is fast");
	cr_assert_eq(recommended_choose(much, 0), named("Qwen3.5 35B A3B"), "a usual machine");
	cr_assert_eq(recommended_choose((uint64_t)12 << 30, 0), named("Qwen3.5 9B"), "a usual machine");
	for (double rate = 1e8; rate < 1e12; rate *= 1.3) {
		const struct recommended_model *best = recommended_choose(much, rate);

		cr_assert(best == &recommended[0] || recommended_speed(best, rate) >= recommended_least_speed);
		for (const struct recommended_model *next = best + 1; next < &recommended[n_recommended]; next++)
			cr_assert(next->purpose || recommended_speed(next, rate) < recommended_least_speed);
	}
}

static void expect_advice_for(uint64_t available, double weight_rate, const char *text, bool is_there)
{
	struct buf out = {.max = KIB(64)};

	cr_assert_eq(catalog_advice(&out, available, weight_rate), STATUS_OK);
	cr_assert_eq(strstr(buf_text(&out), text) != NULL, is_there, "%s in:\n%s", text, buf_text(&out));
	buf_free(&out);
}

static void expect_advice(const char *text)
{
	expect_advice_for((uint64_t)2 << 30, fast, text, true);
}

Test(recommended_models, are_told_with_memory_and_speed)
{
	const uint64_t much = (uint64_t)64 << 30, some = (uint64_t)12 << 30;

	expect_advice_for(some, 60e9, "The largest model that fits in the 12.0 GiB free here and is as fast "
	                  "as people read (5 tokens a second):\n\n  Gemma 4 12B", true);
	expect_advice_for(much, 60e9, "  Qwen3.5 35B A3B (Apache-2.0)\n  a download of 21.20 GB; "
	                  "needs 20.2 GiB; about ", true);
	expect_advice_for(some, 60e9, "needs 9.36 GiB; about 7 tokens a second here\n", true);
	expect_advice_for(much, slow, "  LFM2.5 1.2B Instruct (LFM Open 1.0)\n  a download of "
	                  "0.73 GB; needs 893.1 MiB; about 7 tokens a second here\n", true);
	expect_advice_for(much, slow, "Others on huggingface.co, with the memory they need and about "
	                  "how many tokens a second:\n  Gemma 3 270M", true);
	expect_advice_for(much, slow, " 1.46 GiB        4/s  unsloth/Qwen3.5-2B-GGUF\n", true);
	expect_advice_for(much, slow, "Gemma 4 12B", false);
	expect_advice_for((uint64_t)1 << 30, slow, " 1.46 GiB  too large  unsloth/", true);
	expect_advice_for(much, 4e8, " 1.46 GiB       <1/s  unsloth/", true);
	expect_advice_for(some, fast, "-8B-Instruct-2512-GGUF (many languages)\n", true);
	expect_advice_for(much, 4e8, "No model is as fast here as people read (5 tokens a second). "
	                  "This is the fastest:\n\n  Gemma 3 270M", true);
	expect_advice_for(much, 4e8, "about 1 token a second here\n", true);
	expect_advice_for(much, 1e8, "less than 1 token a second here\n", true);
	expect_advice_for(1000, fast, "No model fits in the 1000 B", true);
	expect_advice_for((uint64_t)8 << 30, fast, "-Coder-7B-Instruct-GGUF (for code)\n", true);
	expect_advice_for(much, 0, "this one suits the 64.0 GiB of memory", true);
	expect_advice_for(much, 0, "a second", false);
}

/* On this machine: the rate is measured, unless it is pinned. */
Test(recommended_models, the_machine_is_measured)
{
	struct engine_params params = engine_params_default();
	char generic[] = "generic", none[] = "none";

	unsetenv("SOTTO_TEST_WEIGHT_RATE");
	cr_assert_gt(speed_measure(&params, NULL, NULL), 1e6);
	params.n_threads = 1;
	params.isa = generic;
	cr_assert_gt(speed_measure(&params, NULL, NULL), 1e6);
	params.isa = none;
	cr_assert_eq(speed_measure(&params, NULL, NULL), 0);
	setenv("SOTTO_TEST_WEIGHT_RATE", "20e9", 1);
	cr_assert_eq(speed_measure(&params, NULL, NULL), 20e9);
	cr_assert_eq(speed_estimate(20e9, 1000), 0, "caches decide");
	cr_assert_eq(speed_estimate(0, MIB(100)), 0);
	cr_assert_float_eq(speed_estimate(20e9, 2000000000), 8.5, 1.6);
}

Test(recommended_models, the_command_can_be_pasted)
{
	expect_advice("\n\n  sotto pull unsloth/Qwen3.5-2B-GGUF:Q4_K_M\n\n");
	expect_advice("in the chat /pull does");
}

/* A tag that is only a part of the file's type would mean another file. */
Test(recommended_models, each_has_a_name_to_pull_it_by)
{
	for (size_t i = 0; i < n_recommended; i++) {
		struct buf name = {.max = KIB(1)}, end = {.max = KIB(1)};
		const char *file = recommended[i].file;

		recommended_pull_name(&recommended[i], &name);
		cr_assert_not_null(strchr(buf_text(&name), ':'), "%s", file);
		buf_printf(&end, "-%s.gguf", strchr(buf_text(&name), ':') + 1);
		cr_assert_str_eq(file + strlen(file) - end.len, buf_text(&end));
		buf_free(&name);
		buf_free(&end);
	}
}
