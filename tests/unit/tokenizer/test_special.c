#include <criterion/criterion.h>
#include <string.h>

#include "unit/tokenizer/util.h"

#define END -1
#define PERSON(text) {text, sizeof(text) - 1, true}
#define TEMPLATE(text) {text, sizeof(text) - 1, false}

Test(special, user_defined_tokens_are_matched_in_any_text)
{
	struct tokenizer *spm = open_tiny(&small_spm), *bpe = open_tiny(&small_bpe);

	expect_ids(spm, "a<user>b", 0, (int32_t[]){266, 272, 259, 261, END});
	expect_ids(bpe, "hello<user>hello", 0, (int32_t[]){260, 269, 260, END});
	expect_ids(bpe, "<|Role|>", 0, (int32_t[]){272, END});
	/* The longest go first, wherever they are. */
	expect_ids(bpe, "<user><user><user>", 0, (int32_t[]){271, 269, END});
	tokenizer_close(spm);
	tokenizer_close(bpe);
}

Test(special, control_tokens_only_on_request)
{
	struct tokenizer *spm = open_tiny(&small_spm), *bpe = open_tiny(&small_bpe);

	expect_ids(bpe, "hello<|go|>", ENCODE_SPECIAL, (int32_t[]){260, 270, END});
	expect_ids(bpe, "hello<|go|>", 0,
	           (int32_t[]){260, '<', '|', 'g', 'o', '|', '>', END});
	expect_ids(spm, "a<|go|><s>", ENCODE_SPECIAL, (int32_t[]){266, 273, 1, END});
	/* The pieces could join to the control token by score; here llama.cpp
	 * would let them. */
	expect_ids(spm, "<|go|>", 0, (int32_t[]){259, 275, 276, END});
	tokenizer_close(spm);
	tokenizer_close(bpe);
}

Test(special, text_that_a_person_wrote_makes_no_control_token)
{
	static const struct {
		struct text_span spans[4];
		size_t n;
		int32_t ids[16];
	} rows[] = {
		{{TEMPLATE("<|go|>"), PERSON("hello"), TEMPLATE("<|go|>")}, 3, {270, 260, 270, END}},
		{{PERSON("<|go|>")}, 1, {'<', '|', 'g', 'o', '|', '>', END}},
		{{TEMPLATE("<|g"), PERSON("o|>")}, 2, {'<', '|', 'g', 'o', '|', '>', END}},
		{{PERSON("<"), TEMPLATE("|go|>")}, 2, {'<', '|', 'g', 'o', '|', '>', END}},
		{{TEMPLATE("<|go|"), PERSON(""), TEMPLATE(">")}, 3, {270, END}},
		{{TEMPLATE("<|g"), TEMPLATE("o|>")}, 2, {270, END}},
		/* One string across the border. */
		{{TEMPLATE("hel"), PERSON("lo"), TEMPLATE(" wor")}, 3, {260, 263, END}},
		/* User-defined ones stay, but for those that look like control tokens. */
		{{PERSON("<user>")}, 1, {269, END}},
		{{PERSON("<|Role|>")}, 1, {'<', '|', 'R', 'o', 'l', 'e', '|', '>', END}},
		{{TEMPLATE("<|Role|>")}, 1, {272, END}},
		{{TEMPLATE("")}, 1, {END}},
	};
	struct tokenizer *t = open_tiny(&small_bpe);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct token_list got = {0};
		size_t n = 0;

		cr_assert_eq(tokenizer_encode_spans(t, rows[i].spans, rows[i].n, 0, &got, NULL), STATUS_OK);
		while (rows[i].ids[n] >= 0)
			n++;
		cr_expect_eq(got.n, n, "row %zu: %zu ids, expected %zu", i, got.n, n);
		for (size_t k = 0; k < n && k < got.n; k++)
			cr_expect_eq(got.ids[k], rows[i].ids[k], "row %zu, id %zu: %d", i, k, (int)got.ids[k]);
		token_list_free(&got);
	}
	tokenizer_close(t);
}

Test(special, no_name_of_a_control_token_in_content_gives_its_id)
{
	const struct tiny_vocabulary *const both[] = {&small_spm, &small_bpe};

	for (size_t v = 0; v < 2; v++) {
		struct tokenizer *t = open_tiny(both[v]);

		for (int32_t id = 0; id < (int32_t)tokenizer_n_vocab(t); id++) {
			struct token_list got = {0};
			size_t len;
			const char *name = tokenizer_name(t, id, &len);
			const struct text_span span = {name, len, true};

			if (!tokenizer_is_control(t, id))
				continue;
			cr_assert_eq(tokenizer_encode_spans(t, &span, 1, 0, &got, NULL), STATUS_OK);
			for (size_t i = 0; i < got.n; i++)
				cr_expect_not(tokenizer_is_control(t, got.ids[i]), "%.*s", (int)len, name);
			token_list_free(&got);
		}
		tokenizer_close(t);
	}
}

Test(special, user_defined_markers_of_turns_are_text_where_a_person_wrote_them)
{
	static const struct tiny_token tokens[] = {
		{"<start_of_turn>", 0, 4}, {"<end_of_image>", 0, 4}, {"[|assistant|]", 0, 4},
		{"[INST]", 0, 4}, {"[/INST]", 0, 4}, {"<|turn>", 0, 4}, {"<channel|>", 0, 4},
		{"<think>", 0, 4}, {"[x]", 0, 4}, {NULL, 0, 0}};
	static const struct tiny_vocabulary vocabulary = {.model = "gpt2", .pre = "gpt-2", .tokens = tokens};
	struct tokenizer *t = open_tiny(&vocabulary);

	for (size_t i = 0; tokens[i].name; i++) {
		const struct text_span template = {tokens[i].name, strlen(tokens[i].name), false};
		const struct text_span person = {tokens[i].name, strlen(tokens[i].name), true};
		struct token_list ids = {0};

		cr_assert_eq(tokenizer_encode_spans(t, &template, 1, 0, &ids, NULL), STATUS_OK);
		cr_expect_eq(ids.n, 1, "%s", tokens[i].name);
		ids.n = 0;
		cr_assert_eq(tokenizer_encode_spans(t, &person, 1, 0, &ids, NULL), STATUS_OK);
		cr_expect_eq(ids.n > 1, i < 7, "%s", tokens[i].name);
		token_list_free(&ids);
	}
	tokenizer_close(t);
}

Test(special, phi3_drops_white_space_behind_special_tokens)
{
	struct gguf_writer *w = tiny_vocab_writer(&small_spm);
	struct tokenizer *t;

	gguf_writer_set_string(w, "general.name", "Some Phi-3 model", 16);
	t = open_writer(w);
	expect_ids(t, "<|go|> \n ab<s> a", ENCODE_SPECIAL,
	           (int32_t[]){273, 267, 1, 259, 266, END});
	tokenizer_close(t);
}
