#include <criterion/criterion.h>
#include <string.h>

#include "support/asked_vocab.h"
#include "support/random.h"
#include "unit/tokenizer/util.h"

enum { ROUNDS = 3000, SPANS = 6, TEXT_MAX = 24 };

static const struct tiny_vocabulary *const vocabularies[] = {&small_spm, &small_bpe};

static void expect_same(const struct token_list *got, const struct token_list *want, const char *what)
{
	cr_expect(got->n == want->n && (got->n == 0 || memcmp(got->ids, want->ids, got->n * sizeof *got->ids) == 0),
	          "%s: %zu ids, expected %zu", what, got->n, want->n);
}

/* Text of a template, or of a person: words and names of tokens. Names like <|Role|> stand in the
 * template's alone, because a server always matches them. */
static size_t make_text(struct test_random *random, const struct tokenizer *inner, bool is_input,
                        char *out)
{
	static const char *const words[] = {"hello", " ", "\n", "a", "wor", "<", "|>", "日", "👍", "",
	                                    "<user>", "<s>", "<|go|>", "<|Role|>", " a b"};
	size_t n = test_random_below(random, 4), len = 0;

	(void)inner;
	for (size_t i = 0; i < n; i++) {
		const char *word = words[test_random_below(random, sizeof words / sizeof *words - is_input)];

		if (is_input && strcmp(word, "<|Role|>") == 0)
			continue;
		memcpy(out + len, word, strlen(word));
		len += strlen(word);
	}
	return len;
}

static void compare_spans(const struct tokenizer *outside, const struct tokenizer *inner,
                          struct test_random *random)
{
	static const unsigned flags[] = {0, ENCODE_BOS, ENCODE_CONTINUE};
	char texts[SPANS][4 * TEXT_MAX];
	struct text_span spans[SPANS];
	struct token_list got = {0}, want = {0};
	size_t n = 1 + test_random_below(random, SPANS);
	unsigned how = flags[test_random_below(random, 3)];

	for (size_t i = 0; i < n; i++) {
		bool is_input = test_random_below(random, 2);

		spans[i] = (struct text_span){texts[i], make_text(random, inner, is_input, texts[i]), is_input};
	}
	cr_assert_eq(tokenizer_encode_spans(inner, spans, n, how, &want, NULL), STATUS_OK);
	cr_assert_eq(tokenizer_encode_spans(outside, spans, n, how, &got, NULL), STATUS_OK);
	expect_same(&got, &want, "spans");
	token_list_free(&got);
	token_list_free(&want);
}

Test(outside, gives_the_ids_of_the_same_vocabulary)
{
	for (size_t v = 0; v < 2; v++) {
		struct tokenizer *inner = open_tiny(vocabularies[v]);
		struct asked_vocab vocab = {.inner = inner, .tells_pieces = v};
		struct tokenizer *outside = asked_vocab_open(&vocab);
		struct test_random random = {v};

		cr_expect_eq(tokenizer_bos(outside), tokenizer_bos(inner));
		cr_expect_eq(tokenizer_eos(outside), tokenizer_eos(inner));
		cr_expect_eq(tokenizer_adds_bos(outside), tokenizer_adds_bos(inner));
		cr_expect_eq(tokenizer_adds_space(outside), tokenizer_adds_space(inner));
		cr_expect_eq(tokenizer_n_vocab(outside), tokenizer_n_vocab(inner));
		for (size_t i = 0; i < ROUNDS; i++)
			compare_spans(outside, inner, &random);
		tokenizer_close(outside);
		tokenizer_close(inner);
	}
}

Test(outside, knows_the_tokens_that_it_was_told_of)
{
	for (size_t v = 0; v < 2; v++) {
		struct tokenizer *inner = open_tiny(vocabularies[v]);
		struct asked_vocab vocab = {.inner = inner, .tells_pieces = true};
		struct tokenizer *outside = asked_vocab_open(&vocab);
		struct token_list all = {0};

		for (size_t id = 0; id < tokenizer_n_vocab(inner); id++)
			cr_assert_eq(token_list_push(&all, (int32_t)id), STATUS_OK);
		cr_assert_eq(tokenizer_prepare(outside, all.ids, all.n, NULL), STATUS_OK);
		for (size_t i = 0; i < all.n; i++) {
			int32_t id = all.ids[i];
			size_t n, len;
			const char *want = tokenizer_bytes(inner, id, &len), *got = tokenizer_bytes(outside, id, &n);

			cr_expect_eq(tokenizer_is_control(outside, id), tokenizer_is_control(inner, id), "%d", (int)id);
			cr_expect(n == len && memcmp(got, want, len) == 0, "%d", (int)id);
		}
		/* An id that no vocabulary has is asked of nobody. */
		cr_expect_eq(tokenizer_prepare(outside, (int32_t[]){-1, 1 << 30}, 2, NULL), STATUS_OK);
		token_list_free(&all);
		tokenizer_close(outside);
		tokenizer_close(inner);
	}
}

Test(outside, asks_for_a_text_once)
{
	struct tokenizer *inner = open_tiny(&small_bpe);
	struct asked_vocab vocab = {.inner = inner, .tells_pieces = true};
	struct tokenizer *outside = asked_vocab_open(&vocab);
	const struct text_span spans[] = {{"<|go|>user\n", 11, false}, {"hello", 5, true},
	                                  {"<|go|>", 6, false}, {"world", 5, true}};
	struct token_list first = {0}, again = {0}, more = {0};
	size_t n_asked;

	cr_assert_eq(tokenizer_encode_spans(outside, spans, 2, 0, &first, NULL), STATUS_OK);
	n_asked = vocab.n_asked;
	cr_assert_eq(tokenizer_encode_spans(outside, spans, 2, 0, &again, NULL), STATUS_OK);
	cr_expect_eq(vocab.n_asked, n_asked);
	expect_same(&again, &first, "again");
	/* Two texts that are new: one request for their template's, one for the rest. */
	cr_assert_eq(tokenizer_encode_spans(outside, spans, 4, 0, &more, NULL), STATUS_OK);
	cr_expect_leq(vocab.n_asked, n_asked + 2);
	/* What it knows does not depend on the server any more; what it does not is an error, and adds nothing. */
	vocab.fails = STATUS_IO;
	again.n = 0;
	cr_expect_eq(tokenizer_encode_spans(outside, spans, 4, 0, &again, NULL), STATUS_OK);
	expect_same(&again, &more, "without the server");
	cr_expect_eq(tokenizer_encode_spans(outside, &spans[3], 1, 0, &again, NULL), STATUS_OK);
	again.n = 0;
	cr_expect_eq(tokenizer_encode(outside, "other", 5, 0, &again, NULL), STATUS_IO);
	cr_expect_eq(again.n, 0);
	token_list_free(&first);
	token_list_free(&again);
	token_list_free(&more);
	tokenizer_close(outside);
	tokenizer_close(inner);
}

Test(outside, a_person_writes_no_token_that_looks_like_a_control_token)
{
	struct tokenizer *inner = open_tiny(&small_bpe);
	struct asked_vocab vocab = {.inner = inner, .tells_pieces = true};
	struct tokenizer *outside = asked_vocab_open(&vocab);
	const struct text_span spans[] = {{"<|Role|>", 8, false}, {"x<|Role|><|Role|>y", 18, true}};
	struct token_list ids = {0};
	size_t n = 0;

	cr_assert_eq(tokenizer_encode_spans(outside, spans, 2, 0, &ids, NULL), STATUS_OK);
	for (size_t i = 0; i < ids.n; i++)
		n += ids.ids[i] == 272;
	cr_expect_eq(n, 1);
	token_list_free(&ids);
	tokenizer_close(outside);
	tokenizer_close(inner);
}

Test(outside, an_id_beyond_the_vocabulary_is_refused)
{
	struct tokenizer *inner = open_tiny(&small_bpe);
	struct asked_vocab vocab = {.inner = inner, .tells_pieces = true};
	struct tokenizer *outside = asked_vocab_open(&vocab);
	size_t len = 1;

	cr_expect_str_empty(tokenizer_bytes(outside, 1 << 30, &len));
	cr_expect_eq(len, 0);
	cr_expect_not(tokenizer_is_control(outside, -1));
	tokenizer_close(outside);
	tokenizer_close(inner);
}

/* Of a server that lies: letters are tokens by themselves, and 'u' is a control token that it finds in any text but
 * the one that is 'u' alone. */
static enum status tokenise_badly(void *ctx, struct outside_ask *asks, size_t n, unsigned flags, struct outside *known,
                                  struct error *err)
{
	(void)ctx;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < asks[i].len; k++) {
			bool hides = asks[i].len == 1 && asks[i].text[k] == 'u' && !(flags & ENCODE_SPECIAL);
			int32_t id = hides ? 500 : (unsigned char)asks[i].text[k];

			if (token_list_push(&asks[i].ids, id) || outside_put_piece(known, id, asks[i].text + k, 1, err))
				return STATUS_NOMEM;
		}
	return STATUS_OK;
}

static enum status name_nothing(void *ctx, const int32_t *ids, size_t n, struct outside *known, struct error *err)
{
	enum status status = STATUS_OK;

	(void)ctx;
	for (size_t i = 0; i < n && !status; i++)
		status = outside_put_piece(known, ids[i], "", 0, err);
	return status;
}

Test(outside, a_control_token_of_one_byte_is_refused_in_a_persons_text)
{
	static const struct outside_ops ops = {.tokenise = tokenise_badly, .name = name_nothing};
	const struct text_span spans[] = {{"user", 4, false}, {"hu", 2, true}};
	struct outside_names names = {.bos = ""};
	struct token_list ids = {0};
	struct tokenizer *outside;

	cr_assert_eq(tokenizer_open_outside(&outside, &ops, NULL, &names, NULL), STATUS_OK);
	cr_expect_eq(tokenizer_encode_spans(outside, spans, 2, 0, &ids, NULL), STATUS_FORMAT);
	token_list_free(&ids);
	tokenizer_close(outside);
}
