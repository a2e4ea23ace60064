/* Expected ids were worked out by hand from the rules and agree with
 * llama.cpp of August 2026 on the same files. */
#include <criterion/criterion.h>
#include <string.h>

#include "gguf/writer.h"
#include "unit/tokenizer/util.h"

#define END -1

Test(bpe, joins_by_rank_within_words)
{
	static const struct {
		const char *text;
		int32_t ids[24];
	} rows[] = {
		{"", {END}},
		{"hello world", {260, 263, 264, END}},
		{"helloworld", {260, 'w', 262, 264, END}},
		{"aaaaa", {267, 'a', END}},
		{"  x", {' ', ' ', 'x', END}},
		{"   x", {268, ' ', 'x', END}},
		{"\xE4\xB8\xAD", {265, 0xAD, END}}, /* half of a character is a token */
		{"\xC3\xA9\n", {0xC3, 0xA9, '\n', END}},
	};
	struct tokenizer *t = open_tiny(&small_bpe);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		expect_ids(t, rows[i].text, 0, rows[i].ids);
	tokenizer_close(t);
}

Test(bpe, repairs_broken_utf8_byte_by_byte)
{
	struct tokenizer *t = open_tiny(&small_bpe);

	expect_ids(t, "\xFF", 0, (int32_t[]){0xEF, 0xBF, 0xBD, END});
	expect_ids(t, "\xE4\xB8", 0, (int32_t[]){0xEF, 0xBF, 0xBD, 0xEF, 0xBF, 0xBD, END});
	expect_ids(t, "he\xC3", 0, (int32_t[]){257, 0xEF, 0xBF, 0xBD, END});
	tokenizer_close(t);
}

Test(bpe, takes_whole_words_where_merges_are_to_be_ignored)
{
	struct tiny_vocabulary tiny = small_bpe;
	struct gguf_writer *w;
	struct tokenizer *t;

	tiny.pre = "llama-bpe"; /* implies it, and BOS */
	t = open_tiny(&tiny);
	cr_expect(tokenizer_adds_bos(t));
	expect_ids(t, "helloworld hello", 0, (int32_t[]){273, ' ', 260, END});
	tokenizer_close(t);
	w = tiny_vocab_writer(&tiny);
	gguf_writer_set_bool(w, "tokenizer.ggml.add_bos_token", false);
	t = open_writer(w);
	cr_expect_not(tokenizer_adds_bos(t));
	tokenizer_close(t);
}

/* The kind of Gemma 4: plain UTF-8, blanks as U+2581, bytes as <0xXX>. */
Test(bpe, works_on_plain_utf8_where_tokens_are_that)
{
	static const char blank_a[] = "\xE2\x96\x81" "a";
	static const char *const names[] = {"<pad>", "<eos>", "<bos>", "<unk>", "\xE2\x96\x81", "a",
	                                    blank_a, "\n", "\n\n", "<0xC3>", "<0xA9>"};
	static const size_t lens[] = {5, 5, 5, 5, 3, 1, 4, 1, 2, 6, 6};
	static const int32_t types[] = {3, 3, 3, 3, 1, 1, 1, 1, 1, 6, 6};
	static const char *const merges[] = {"\xE2\x96\x81 a"};
	static const size_t merge_lens[] = {5};
	struct gguf_writer *w = tiny_vocab_writer(&small_bpe);
	struct tokenizer *t;

	gguf_writer_set_string(w, "tokenizer.ggml.model", "gemma4", 6);
	gguf_writer_set_strings(w, "tokenizer.ggml.tokens", names, lens, 11);
	gguf_writer_set_i32s(w, "tokenizer.ggml.token_type", types, 11);
	gguf_writer_set_strings(w, "tokenizer.ggml.merges", merges, merge_lens, 1);
	gguf_writer_set_u32(w, "tokenizer.ggml.bos_token_id", 2);
	gguf_writer_set_u32(w, "tokenizer.ggml.eos_token_id", 1);
	t = open_writer(w);
	cr_expect(tokenizer_adds_bos(t));
	cr_expect(tokenizer_is_eog(t, 1));
	expect_ids(t, "a a\n\n\xC3\xA9", 0, (int32_t[]){5, 6, 8, 9, 10, END});
	cr_expect(survives(t, " a a\n\n\xC3\xA9", 8));
	tokenizer_close(t);
}
