#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "engine/biases.h"
#include "support/gguf_memory.h"
#include "support/tiny_vocab.h"

/* After the bytes: "word", " word" with its blank as byte-level BPE writes it, a control token. */
enum { WORD = TINY_BPE_FIRST_MERGE, BLANK_WORD, CONTROL, N };

static struct buf file;
static struct gguf *gguf;
static struct tokenizer *tokenizer;
static struct engine engine;
static struct error err;

static void setup(void)
{
	static const struct tiny_token tokens[] = {
		{"word", 0, 0}, {"\u0120word", 0, 0}, {"<|end|>", 0, 3}, {NULL, 0, 0}};
	const char *const merges[] = {NULL};
	const struct tiny_vocabulary tiny = {.model = "gpt2", .pre = "gpt-2", .tokens = tokens,
	                                     .merges = merges};

	buf_init(&file, MIB(1));
	cr_assert_eq(tiny_vocab_write(&tiny, &file, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(gguf_open_memory(&gguf, file.data, file.len, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(tokenizer_open(&tokenizer, gguf, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(tokenizer_n_vocab(tokenizer), N);
	engine.tokenizer = tokenizer;
	cr_assert_eq(sampler_create(&engine.sampler, N, &err), STATUS_OK);
}

static void teardown(void)
{
	cr_assert_eq(biases_use(&engine, NULL, &err), STATUS_OK);
	sampler_free(engine.sampler);
	tokenizer_close(tokenizer);
	gguf_close(gguf);
	buf_free(&file);
}

TestSuite(biases, .init = setup, .fini = teardown);

/* By how much these words move a token: the logit of another one at which it stops being best. */
static double shift(const char *words, int32_t id)
{
	struct sampler_params params = sampler_params_default();
	double low = -64, high = 64;

	cr_assert_eq(biases_use(&engine, words, &err), STATUS_OK, "%s", err.text);
	params.temp = 0;
	while (high - low > 0.01) {
		struct sampler_state state;
		struct sampler_choice choice;
		float logits[N];
		double mid = (low + high) / 2;

		for (size_t i = 0; i < N; i++)
			logits[i] = -INFINITY;
		logits[id] = 0;
		logits['!'] = (float)mid;
		sampler_state_init(&state, 1);
		cr_assert_eq(sampler_pick(engine.sampler, logits, NULL, 0, &params, &state, 0, &choice, &err),
		             STATUS_OK);
		if (choice.id == id)
			low = mid;
		else
			high = mid;
	}
	return low;
}

Test(biases, go_by_text_and_by_id)
{
	cr_expect_float_eq(shift("word+2.5", WORD), 2.5, 0.02);
	cr_expect_float_eq(shift("word+2.5", BLANK_WORD), 2.5, 0.02, "after a blank, too");
	cr_expect_float_eq(shift("word+2.5", 'w'), 0, 0.02);
	cr_expect_float_eq(shift("' word-3'", BLANK_WORD), -3, 0.02);
	cr_expect_float_eq(shift("' word-3'", WORD), 0, 0.02, "with this blank only");
	cr_expect_float_eq(shift("119+1", 'w'), 1, 0.02, "an id");
	cr_expect_float_eq(shift("<|end|>-.5", CONTROL), -0.5, 0.02);
	cr_expect_float_eq(shift("w+1 w+1 z-5", 'w'), 2, 0.02, "they add up");
	cr_expect_float_eq(shift("--4", '-'), -4, 0.02);
	cr_expect_lt(shift("word-inf", WORD), -63);
	cr_expect_lt(shift("word-inf 257+20", WORD), -63);
	cr_expect_float_eq(shift(NULL, WORD), 0, 0.02, "none again");
	cr_expect_float_eq(shift("", WORD), 0, 0.02);
}

Test(biases, that_are_none_are_refused_and_change_nothing)
{
	static const char *const bad[] = {"word", "word+", "+1", "word+x", "word+inf", "260+1", "words+1",
	                                  "word+1e9", "\"word+1", "word+1 nothing-1", "word-nan"};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		cr_assert_eq(biases_use(&engine, "word+2", &err), STATUS_OK);
		cr_expect_eq(biases_use(&engine, bad[i], &err), STATUS_USAGE, "%s", bad[i]);
		cr_expect_float_eq(shift("word+2", WORD), 2, 0.02, "%s", bad[i]);
	}
	cr_expect_eq(biases_use(&engine, "words+1", &err), STATUS_USAGE);
	cr_expect(strstr(err.text, "'words' is not one token of this model but 5"), "%s", err.text);
}
