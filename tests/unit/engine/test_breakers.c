#include <criterion/criterion.h>
#include <string.h>

#include "base/limits.h"
#include "engine/breakers.h"
#include "support/gguf_memory.h"
#include "support/tiny_vocab.h"

enum { N = 300, WORD = TINY_BPE_FIRST_MERGE, CONTROL = WORD + 1 };

static struct buf file;
static struct gguf *gguf;
static struct tokenizer *tokenizer;
static struct error err;

static void setup(void)
{
	static const struct tiny_token tokens[] = {{"ab:c", 0, 0}, {"<|x*|>", 0, 3}, {NULL, 0, 0}};
	const char *const merges[] = {NULL};
	const struct tiny_vocabulary tiny = {.model = "gpt2", .pre = "gpt-2", .tokens = tokens,
	                                     .merges = merges};

	buf_init(&file, MIB(1));
	cr_assert_eq(tiny_vocab_write(&tiny, &file, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(gguf_open_memory(&gguf, file.data, file.len, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(tokenizer_open(&tokenizer, gguf, &err), STATUS_OK, "%s", err.text);
}

static void teardown(void)
{
	tokenizer_close(tokenizer);
	gguf_close(gguf);
	buf_free(&file);
}

TestSuite(breakers, .init = setup, .fini = teardown);

/* Whether w b y is a repetition of three tokens when z has followed it once; otherwise b ends it
 * with one token after it, which is too short. */
static bool repeats(const char *words, int32_t b)
{
	const int32_t history[] = {'w', b, 'y', 'z', 'w', b, 'y'};
	struct sampler_params params = sampler_params_default();
	struct dry_breakers *breakers;
	uint32_t counts[N] = {0}, lengths[7];
	float logits[N] = {0};

	params.dry_multiplier = 1;
	cr_assert_eq(breakers_make(&breakers, tokenizer, N, words, &err), STATUS_OK, "%s", err.text);
	dry_apply(logits, N, history, 7, dry_reach(&params, 7), &params, breakers, counts, lengths);
	dry_breakers_free(breakers);
	return logits['z'] < 0;
}

Test(breakers, are_the_usual_ones_if_nothing_is_said)
{
	for (const char *b = "\n:\"*"; *b; b++)
		cr_expect(!repeats(NULL, *b), "%d", *b);
	cr_expect(repeats(NULL, 'x'));
	cr_expect(!repeats(NULL, WORD), "a token that has a colon in it");
	cr_expect(!repeats(NULL, CONTROL), "the name of a control token has an asterisk");
	cr_expect(repeats("none", ':'));
	cr_expect(repeats("", ':'));
	cr_expect(repeats(": none", ':'));
}

Test(breakers, are_words_with_escapes)
{
	cr_expect(!repeats("; x", 'x'));
	cr_expect(!repeats("; x", ';'));
	cr_expect(repeats("; x", ':'), "in the place of the usual ones");
	cr_expect(!repeats("\\n", '\n'));
	cr_expect(!repeats("'\\n'", '\n'));
	cr_expect(!repeats("\"\\n\"", '\n'));
	cr_expect(!repeats("\"\\\\n\"", '\n'), "as a flag's value is kept");
	cr_expect(!repeats("'\n'", '\n'));
	cr_expect(!repeats("\\t", '\t'));
	cr_expect(!repeats("' '", ' '));
	cr_expect(!repeats("\\\"", '"'));
	cr_expect(!repeats("\"'\"", '\''));
}

Test(breakers, may_be_spread_over_several_tokens)
{
	cr_expect(!repeats("xy", 'x'));
	cr_expect(repeats("xq", 'x'), "its tail does not follow");
	cr_expect(!repeats("wxy", 'x'));
	cr_expect(!repeats("cy", WORD), "begins at the end of a token");
	cr_expect(repeats("cq", WORD));
	cr_expect(!repeats("b:", WORD), "lies within it");
}

Test(breakers, that_are_none_are_refused)
{
	struct dry_breakers *breakers;

	cr_expect_eq(breakers_make(&breakers, tokenizer, N, ": ''", &err), STATUS_USAGE);
	cr_expect(strstr(err.text, "dry-sequence-breaker"), "%s", err.text);
	cr_expect_null(breakers);
	cr_expect_eq(breakers_make(&breakers, tokenizer, N,
	                           "'twenty-one letters, and twenty-one more..'", &err), STATUS_USAGE);
	cr_expect_null(breakers);
}
