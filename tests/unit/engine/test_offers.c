#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/catalog.h"
#include "engine/offers.h"
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

Test(offers, the_largest_that_fits_is_chosen)
{
	cr_assert_eq(offer_choose(1), &offers[0], "the smallest, where none fits");
	cr_assert_eq(offer_choose(UINT64_MAX), &offers[offers_n - 1]);
	for (size_t i = 0; i < offers_n; i++) {
		uint64_t enough = offer_memory(&offers[i]) / 9 * 10 + 100;

		cr_assert_eq(offer_choose(enough), &offers[i]);
	}
	cr_assert(offer_memory(offer_choose(0)) < (uint64_t)2 << 30, "nothing is known");
}

static void expect_advice(const char *text)
{
	struct buf out;

	buf_init(&out, KIB(64));
	cr_assert_eq(catalog_advice(&out, (uint64_t)2 << 30), STATUS_OK);
	cr_assert(strstr(buf_text(&out), text), "%s in:\n%s", text, buf_text(&out));
	buf_free(&out);
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
