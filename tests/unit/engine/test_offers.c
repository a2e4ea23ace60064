#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/catalog.h"
#include "engine/offers.h"
#include "engine/speed.h"
#include "model/model.h"

Test(offers, only_what_can_be_run_is_offered)
{
	struct buf names;

	buf_init(&names, KIB(4));
	cr_assert_eq(model_architectures(&names), STATUS_OK);
	buf_puts(&names, ",");
	for (size_t i = 0; i < offers_n; i++) {
		char word[40];

		snprintf(word, sizeof word, "%s,", offers[i].architecture);
		cr_assert(strstr(buf_text(&names), word), "%s", offers[i].name);
		cr_assert(strstr(offers[i].file, ".gguf") && strchr(offers[i].repository, '/'));
		cr_assert(i == 0 || offer_memory(&offers[i - 1]) < offer_memory(&offers[i]));
	}
	buf_free(&names);
}

enum { NEMO = 5, LLAMA_8B = 4, LLAMA_1B = 2 };
static const double fast = 200e9, slow = 6e9;

Test(offers, the_largest_that_fits_is_chosen)
{
	cr_assert_eq(offer_choose(1, fast), &offers[0], "the smallest, where none fits");
	cr_assert_eq(offer_choose(UINT64_MAX, fast), &offers[offers_n - 1]);
	for (size_t i = 0; i < offers_n; i++) {
		uint64_t enough = offer_memory(&offers[i]) / 9 * 10 + 100;

		cr_assert_eq(offer_choose(enough, fast), &offers[i]);
	}
	cr_assert(offer_memory(offer_choose(0, fast)) < (uint64_t)2 << 30, "nothing is known");
}

/* Much memory is no reason for a model that speaks at two tokens a second. */
Test(offers, the_largest_that_is_fast_enough_is_chosen)
{
	const uint64_t much = (uint64_t)64 << 30;

	cr_assert_eq(offer_choose(much, fast), &offers[NEMO]);
	cr_assert_eq(offer_choose(much, slow), &offers[LLAMA_1B]);
	cr_assert_eq(offer_choose((uint64_t)2 << 30, fast), &offers[LLAMA_1B], "memory counts, too");
	cr_assert_eq(offer_choose(much, 1e6), &offers[0], "the fastest, where none is fast");
	cr_assert_eq(offer_choose(much, 0), &offers[LLAMA_8B], "a usual machine");
	for (double rate = 1e8; rate < 1e12; rate *= 1.3) {
		const struct offer *best = offer_choose(much, rate);

		cr_assert((best->file_mb + 1) * 1e6 < (double)offer_most_bytes(rate) || best == &offers[0]);
		cr_assert(best == &offers[0] || offer_speed(best, rate) >= offer_least_speed);
		cr_assert(best + 1 == &offers[offers_n] || offer_speed(best + 1, rate) < offer_least_speed);
	}
}

static void expect_advice_for(uint64_t available, double weight_rate, const char *text, bool is_there)
{
	struct buf out;

	buf_init(&out, KIB(64));
	cr_assert_eq(catalog_advice(&out, available, weight_rate), STATUS_OK);
	cr_assert_eq(strstr(buf_text(&out), text) != NULL, is_there, "%s in:\n%s", text, buf_text(&out));
	buf_free(&out);
}

static void expect_advice(const char *text)
{
	expect_advice_for((uint64_t)2 << 30, fast, text, true);
}

Test(offers, are_told_with_memory_and_speed)
{
	const uint64_t much = (uint64_t)64 << 30;

	expect_advice_for(much, 60e9, "The largest model that fits in the 64.0 GiB free here and is as fast "
	                  "as one reads (5 tokens a second):\n\n  Mistral Nemo 12B", true);
	expect_advice_for(much, 60e9, "needs 8.31 GiB; about 7 tokens a second here\n", true);
	expect_advice_for(much, slow, "  Llama 3.2 1B Instruct (Llama 3.2 Community)\n  a download of "
	                  "0.81 GB; needs 1.10 GiB; about 6 tokens a second here\n", true);
	expect_advice_for(much, slow, "Others, with the memory that they need and about how many tokens "
	                  "a second:\n", true);
	expect_advice_for(much, slow, " 8.31 GiB       <1/s  huggingface.co/", true);
	expect_advice_for((uint64_t)4 << 30, slow, " 8.31 GiB  too large  huggingface.co/", true);
	expect_advice_for(much, 2e8, "No model is as fast here as one reads (5 tokens a second). "
	                  "This is the fastest:\n\n  SmolLM2 135M", true);
	expect_advice_for(much, 2e8, "about 1 token a second here\n", true);
	expect_advice_for(much, 1e8, "less than 1 token a second here\n", true);
	expect_advice_for(1000, fast, "No model fits in the 1000 B", true);
	expect_advice_for(much, 0, "this one suits the 64.0 GiB of memory", true);
	expect_advice_for(much, 0, "a second", false);
}

/* The machine's part of it: that something is measured, and what is pinned is not. */
Test(offers, the_machine_is_measured)
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

Test(offers, the_command_can_be_pasted)
{
	setenv("HOME", "/home/ann", 1);
	unsetenv("SOTTO_DATA_DIR");
	unsetenv("XDG_DATA_HOME");
	expect_advice("curl -L --create-dirs -o "
	              "~/.local/share/sotto/models/Llama-3.2-1B-Instruct-Q4_K_M.gguf https://huggingface.co/"
	              "bartowski/Llama-3.2-1B-Instruct-GGUF/resolve/main/Llama-3.2-1B-Instruct-Q4_K_M.gguf\n");
	expect_advice("huggingface-cli download bartowski/Llama-3.2-1B-Instruct-GGUF "
	              "Llama-3.2-1B-Instruct-Q4_K_M.gguf\n");
	setenv("XDG_DATA_HOME", "/data", 1);
	expect_advice("-o /data/sotto/models/Llama");
	setenv("SOTTO_DATA_DIR", "/it's $HERE", 1);
	expect_advice("-o '/it'\\''s $HERE/models'/Llama");
}
