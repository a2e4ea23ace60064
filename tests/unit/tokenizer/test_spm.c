/* Expected ids were worked out by hand from the rules and agree with
 * llama.cpp of August 2026 on the same files, where no comment says otherwise. */
#include <criterion/criterion.h>
#include <string.h>

#include "gguf/writer.h"
#include "unit/tokenizer/util.h"

#define END -1

Test(spm, joins_by_score_then_from_the_left)
{
	static const struct {
		const char *text;
		int32_t ids[12];
	} rows[] = {
		{"", {END}},
		{"a", {266, END}},
		{"ab", {267, END}},
		{"abc", {259, 265, END}}, /* ab, then abc before the blank can join */
		{"aaaaa", {266, 269, END}},
		{"  ", {270, 259, END}},
		{"a  b", {266, 270, 261, END}},
		{"\xC3\xA9", {259, 271, END}},
		{"c\xC3\xA9", {259, 262, 271, END}},
	};
	struct tokenizer *t = open_tiny(&small_spm);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		expect_ids(t, rows[i].text, 0, rows[i].ids);
	tokenizer_close(t);
}

Test(spm, falls_back_to_bytes)
{
	struct tokenizer *t = open_tiny(&small_spm);

	expect_ids(t, "\xE6\x97\xA5", 0, (int32_t[]){259, 3 + 0xE6, 3 + 0x97, 3 + 0xA5, END});
	expect_ids(t, "\n", 0, (int32_t[]){259, 3 + 10, END});
	/* Broken UTF-8 is kept byte by byte. */
	expect_ids(t, "\xFFz\x80", 0, (int32_t[]){259, 3 + 0xFF, 3 + 'z', 3 + 0x80, END});
	expect_ids(t, "a\xC3", 0, (int32_t[]){266, 3 + 0xC3, END});
	tokenizer_close(t);
}

Test(spm, puts_a_blank_in_front_unless_told_otherwise)
{
	struct gguf_writer *w = tiny_vocab_writer(&small_spm);
	struct tokenizer *t = open_tiny(&small_spm);

	cr_expect(tokenizer_adds_space(t));
	expect_ids(t, "ab", ENCODE_CONTINUE, (int32_t[]){263, END});
	tokenizer_close(t);
	gguf_writer_set_bool(w, "tokenizer.ggml.add_space_prefix", false);
	t = open_writer(w);
	cr_expect_not(tokenizer_adds_space(t));
	expect_ids(t, "ab", 0, (int32_t[]){263, END});
	expect_ids(t, " ab", 0, (int32_t[]){267, END});
	tokenizer_close(t);
}

Test(spm, uses_the_unknown_token_where_bytes_have_none)
{
	/* Without byte tokens: <unk> <s> </s>, then the listed ones. */
	static const char *const names[] = {"<unk>", "<s>", "</s>", "\xE2\x96\x81", "a"};
	static const size_t lens[] = {5, 3, 4, 3, 1};
	static const float scores[] = {0, 0, 0, -1, -2};
	static const int32_t types[] = {2, 3, 3, 1, 1};
	struct gguf_writer *w = tiny_vocab_writer(&small_spm);
	struct tokenizer *t;

	gguf_writer_set_strings(w, "tokenizer.ggml.tokens", names, lens, 5);
	gguf_writer_set_f32s(w, "tokenizer.ggml.scores", scores, 5);
	gguf_writer_set_i32s(w, "tokenizer.ggml.token_type", types, 5);
	t = open_writer(w);
	expect_ids(t, "a\xC3\xA9z", 0, (int32_t[]){3, 4, 0, 0, END});
	tokenizer_close(t);
}

Test(spm, adds_bos_and_eos_where_the_vocabulary_wants_them)
{
	struct gguf_writer *w = tiny_vocab_writer(&small_spm);
	struct tokenizer *t = open_tiny(&small_spm);

	expect_ids(t, "a", ENCODE_BOS | ENCODE_EOS, (int32_t[]){1, 266, END});
	expect_ids(t, "", ENCODE_BOS, (int32_t[]){1, END});
	tokenizer_close(t);
	gguf_writer_set_bool(w, "tokenizer.ggml.add_bos_token", false);
	gguf_writer_set_bool(w, "tokenizer.ggml.add_eos_token", true);
	t = open_writer(w);
	expect_ids(t, "a", ENCODE_BOS | ENCODE_EOS, (int32_t[]){266, 2, END});
	expect_ids(t, "a", 0, (int32_t[]){266, END});
	tokenizer_close(t);
}
