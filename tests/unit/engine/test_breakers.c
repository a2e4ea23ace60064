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
static struct engine engine;
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
	engine.tokenizer = tokenizer;
	cr_assert_eq(sampler_create(&engine.sampler, N, &err), STATUS_OK);
}

static void teardown(void)
{
	sampler_free(engine.sampler);
	free(engine.breaker_words);
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
	struct sampler_state state;
	struct sampler_choice choice;
	float logits[N] = {['z'] = 0.5f};

	params.dry_multiplier = 1;
	params.temp = 0;
	cr_assert_eq(breakers_use(&engine, words, &err), STATUS_OK, "%s", err.text);
	sampler_state_init(&state, 1);
	cr_assert_eq(sampler_pick(engine.sampler, logits, history, 7, &params, &state, 0, &choice, &err), STATUS_OK);
	return choice.id != 'z';
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
	cr_expect_eq(breakers_use(&engine, ": ''", &err), STATUS_USAGE);
	cr_expect(strstr(err.text, "dry-sequence-breaker"), "%s", err.text);
	cr_expect_eq(breakers_use(&engine, "'twenty-one letters, and twenty-one more..'", &err), STATUS_USAGE);
	cr_expect(!repeats(NULL, ':'), "the old ones stay");
}
