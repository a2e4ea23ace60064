#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gguf/writer.h"
#include "support/gguf_memory.h"
#include "unit/tokenizer/util.h"

#define KEY(name) "tokenizer.ggml." name

/* Opens what the writer has; expects the status and a text that contains `what`. */
static void expect_refused(struct gguf_writer *w, enum status want, const char *what,
                           const char *also)
{
	struct buf file = {.max = 1 << 20};
	struct gguf *gguf = NULL;
	struct tokenizer *t = NULL;
	struct error err = {0};
	enum status status;

	cr_assert_eq(gguf_writer_write(w, &file, &err), STATUS_OK, "%s", err.text);
	gguf_writer_free(w);
	cr_assert_eq(gguf_open_memory(&gguf, file.data, file.len, &err), STATUS_OK, "%s", err.text);
	status = tokenizer_open(&t, gguf, &err);
	cr_expect_eq(status, want, "%s: %d (%s)", what, (int)status, err.text);
	cr_expect(strstr(err.text, what) && strstr(err.text, also), "'%s' lacks '%s' or '%s'", err.text,
	          what, also);
	if (!status)
		tokenizer_close(t);
	gguf_close(gguf);
	buf_free(&file);
}

/* Gives the key a value of another type, twelve in turn. */
static const char *set_wrong_type(struct gguf_writer *w, const char *key, int type)
{
	static const char *const strings[] = {"x", "y"};
	static const size_t lens[] = {1, 1};
	static const float floats[] = {1, 2};
	static const int32_t ints[] = {1, 2};

	switch (type) {
	case 0: gguf_writer_set_u32(w, key, 1); return "u32";
	case 1: gguf_writer_set_i32(w, key, -1); return "i32";
	case 2: gguf_writer_set_u64(w, key, (uint64_t)1 << 40); return "u64";
	case 3: gguf_writer_set_f32(w, key, 0.5f); return "f32";
	case 4: gguf_writer_set_bool(w, key, true); return "bool";
	case 5: gguf_writer_set_string(w, key, "x", 1); return "string";
	case 6: gguf_writer_set_strings(w, key, strings, lens, 2); return "strings";
	case 7: gguf_writer_set_f32s(w, key, floats, 2); return "f32s";
	default: gguf_writer_set_i32s(w, key, ints, 2); return "i32s";
	}
}

enum { NEGATIVE = 1, HUGE_ID = 2, N_TYPES = 9 };

Test(vocab, refuses_keys_of_another_type)
{
	/* `fits`: the one of the types above that is right (or right in type). */
	static const struct {
		const char *key;
		int fits;
	} rows[] = {
		{KEY("model"), 5},        {KEY("pre"), 5},
		{KEY("tokens"), 6},       {KEY("token_type"), 8},
		{KEY("merges"), 6},       {KEY("bos_token_id"), 0},
		{KEY("eos_token_id"), 0}, {KEY("unknown_token_id"), 0},
		{KEY("eot_token_id"), 0}, {KEY("padding_token_id"), 0},
		{KEY("add_bos_token"), 4}, {KEY("add_eos_token"), 4},
		{KEY("add_space_prefix"), 4}, {KEY("scores"), 7},
		{KEY("suppress_tokens"), 8},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		for (int type = 0; type < N_TYPES; type++) {
			struct gguf_writer *w = tiny_vocab_writer(&small_bpe);

			/* ids that no vocabulary has are passed over */
			if (type == rows[i].fits || ((type == NEGATIVE || type == HUGE_ID) && strstr(rows[i].key, "_token_id"))) {
				gguf_writer_free(w);
				continue;
			}
			set_wrong_type(w, rows[i].key, type);
			expect_refused(w, STATUS_FORMAT, rows[i].key, "");
		}
	}
}

static void expect_warning(struct gguf_writer *w, const char *key)
{
	struct tokenizer *t = open_writer(w);

	cr_assert_not_null(tokenizer_warning(t), "%s", key);
	cr_expect(strstr(tokenizer_warning(t), strrchr(key, '.') + 1), "%s: %s", key, tokenizer_warning(t));
	cr_expect_eq(tokenizer_bos(t), 1);
	cr_expect_eq(tokenizer_eos(t), 2);
	tokenizer_close(t);
}

Test(vocab, passes_over_ids_out_of_range_with_a_warning)
{
	static const char *const keys[] = {
		KEY("bos_token_id"), KEY("eos_token_id"), KEY("eot_token_id"), KEY("eom_token_id"),
		KEY("unknown_token_id"), KEY("seperator_token_id"), KEY("padding_token_id"),
		KEY("mask_token_id"), KEY("fim_pre_token_id"), KEY("fim_suf_token_id"),
		KEY("fim_mid_token_id"), KEY("fim_pad_token_id"), KEY("fim_rep_token_id"),
		KEY("fim_sep_token_id"), KEY("prefix_token_id"), KEY("suffix_token_id"),
		KEY("middle_token_id"),
	};
	static const uint32_t ids[] = {283, 1000000, INT32_MAX, (uint32_t)INT32_MAX + 1, UINT32_MAX};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct gguf_writer *w;

		for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
			w = tiny_vocab_writer(&small_spm);
			gguf_writer_set_u32(w, keys[i], ids[k]);
			expect_warning(w, keys[i]);
		}
		w = tiny_vocab_writer(&small_spm);
		gguf_writer_set_i32(w, keys[i], -1);
		expect_warning(w, keys[i]);
		w = tiny_vocab_writer(&small_spm);
		gguf_writer_set_string(w, keys[i], "2", 1);
		expect_refused(w, STATUS_FORMAT, keys[i], "");
		w = tiny_vocab_writer(&small_spm);
		gguf_writer_set_u32(w, keys[i], 282); /* the last one */
		tokenizer_close(open_writer(w));
	}
}

Test(vocab, refuses_arrays_of_another_length)
{
	static float floats[300];
	static int32_t ints[300];
	static const size_t lens[] = {0, 1, 282, 284};

	for (size_t i = 0; i < 300; i++)
		ints[i] = 1;
	for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
		struct gguf_writer *w = tiny_vocab_writer(&small_spm);

		gguf_writer_set_f32s(w, KEY("scores"), floats, lens[i]);
		expect_refused(w, STATUS_FORMAT, KEY("scores"), "283 tokens");
		w = tiny_vocab_writer(&small_spm);
		gguf_writer_set_i32s(w, KEY("token_type"), ints, lens[i]);
		expect_refused(w, STATUS_FORMAT, KEY("token_type"), "283 tokens");
	}
}

Test(vocab, refuses_impossible_items)
{
	static const char *const bad_bytes[] = {"<0x-1>", "<0x0>", "<0x000>", "<0xG0>", "0x0A",
	                                        "<0x0A", "<0X0A>", "", "<0x 1>", "<0x+1>"};
	static const int32_t bad_types[] = {-1, 7, 1000, INT32_MIN, INT32_MAX};
	struct tiny_token tokens[] = {{"x", 0, 0}, {NULL, 0, 0}};
	struct tiny_vocabulary tiny = {"llama", NULL, tokens, NULL};

	for (size_t i = 0; i < sizeof bad_bytes / sizeof *bad_bytes; i++) {
		tokens[0] = (struct tiny_token){bad_bytes[i], 0, 6};
		expect_refused(tiny_vocab_writer(&tiny), STATUS_FORMAT, "byte token 259", "<0x0A>");
	}
	for (size_t i = 0; i < sizeof bad_types / sizeof *bad_types; i++) {
		tokens[0] = (struct tiny_token){"x", 0, bad_types[i]};
		expect_refused(tiny_vocab_writer(&tiny), STATUS_FORMAT, KEY("token_type"), "token 259");
	}
	tokens[0] = (struct tiny_token){"x", NAN, 0};
	expect_refused(tiny_vocab_writer(&tiny), STATUS_FORMAT, KEY("scores"), "token 259");
}

Test(vocab, refuses_what_is_missing_or_unknown)
{
	static const char *const models[] = {"bert", "t5", "rwkv", "plamo2", "no_vocab", "", "Llama"};
	struct gguf_writer *w = gguf_writer_create();

	gguf_writer_set_string(w, "general.architecture", "llama", 5);
	expect_refused(w, STATUS_FORMAT, KEY("model"), "missing");
	w = gguf_writer_create();
	gguf_writer_set_string(w, KEY("model"), "llama", 5);
	expect_refused(w, STATUS_FORMAT, KEY("tokens"), "missing");
	w = gguf_writer_create();
	gguf_writer_set_string(w, KEY("model"), "llama", 5);
	gguf_writer_set_strings(w, KEY("tokens"), NULL, NULL, 0);
	expect_refused(w, STATUS_FORMAT, KEY("tokens"), "0 tokens");
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		w = tiny_vocab_writer(&small_spm);
		gguf_writer_set_string(w, KEY("model"), models[i], strlen(models[i]));
		expect_refused(w, STATUS_UNSUPPORTED, KEY("model"), "supported are llama, gpt2, gemma4");
	}
	w = tiny_vocab_writer(&small_bpe);
	gguf_writer_set_string(w, KEY("pre"), "gpt-3", 5);
	expect_refused(w, STATUS_UNSUPPORTED, KEY("pre"), "'gpt-3'");
	w = tiny_vocab_writer(&small_spm);
	gguf_writer_set_string(w, KEY("model"), "gpt2", 4);
	expect_refused(w, STATUS_FORMAT, KEY("merges"), "missing");
}

Test(vocab, token_0_is_the_unknown_one_unless_the_file_says_otherwise)
{
	static const char *const names[] = {"x", "<s>"};
	static const size_t lens[] = {1, 3};
	struct gguf_writer *w = gguf_writer_create();
	struct tokenizer *t;

	gguf_writer_set_string(w, KEY("model"), "llama", 5);
	gguf_writer_set_strings(w, KEY("tokens"), names, lens, 2);
	t = open_writer(w);
	expect_ids(t, "y", ENCODE_CONTINUE, (int32_t[]){0, -1});
	tokenizer_close(t);
}

Test(vocab, duplicates_are_fine_and_the_first_wins)
{
	static const struct tiny_token tokens[] = {
		{"x", -1, 0}, {"x", 0, 0}, {"<0x41>", 0, 6}, {NULL, 0, 0}};
	static const struct tiny_vocabulary tiny = {"llama", NULL, tokens, NULL};
	struct tokenizer *t = open_tiny(&tiny);

	cr_expect_eq(tokenizer_find(t, "x", 1), 259);
	cr_expect_eq(tokenizer_find(t, "<0x41>", 6), 3 + 0x41);
	expect_ids(t, "x", ENCODE_CONTINUE, (int32_t[]){259, -1});
	tokenizer_close(t);
}

Test(vocab, merges_that_join_nothing_are_dropped_and_counted)
{
	static const char *const merges[] = {"a b", "nosuch thing", "ab", "", " ", "a nosuch", "a b"};
	static const size_t lens[] = {3, 12, 2, 0, 1, 8, 3};
	static const struct tiny_token tokens[] = {{"ab", 0, 0}, {NULL, 0, 0}};
	static const char *const none[] = {NULL};
	static const struct tiny_vocabulary tiny = {"gpt2", "gpt-2", tokens, none};
	struct gguf_writer *w = tiny_vocab_writer(&tiny);
	struct tokenizer *t;

	gguf_writer_set_strings(w, KEY("merges"), merges, lens, 7);
	t = open_writer(w);
	cr_assert_not_null(tokenizer_warning(t));
	cr_expect(strstr(tokenizer_warning(t), "3 merges"), "%s", tokenizer_warning(t));
	expect_ids(t, "ab", 0, (int32_t[]){257, -1});
	tokenizer_close(t);
}

/* llama.cpp joins texts: what they lead through need not be a token. */
Test(vocab, merges_may_lead_through_texts_that_are_no_tokens)
{
	static const struct {
		const char *merges[4];
		size_t lens[4];
		const char *text;
		int32_t ids[8];
	} rows[] = {
		/* xy is none, xyz is */
		{{"x y", "xy z"}, {3, 4}, "xyz", {257, -1}},
		{{"x y", "xy z"}, {3, 4}, "xy", {'x', 'y', -1}},
		{{"y z", "x yz"}, {3, 4}, "axyz", {'a', 257, -1}},
		/* not in this order */
		{{"xy z", "y z", "x y"}, {4, 3, 3}, "xyz", {'x', 'y', 'z', -1}},
		/* of rank and place as among tokens */
		{{"z x", "x y", "xy z"}, {3, 3, 4}, "xyzxyz", {'x', 'y', 'z', 'x', 'y', 'z', -1}},
		/* a control token is never reached */
		{{"< e", "<e >"}, {3, 4}, "<e>", {'<', 'e', '>', -1}},
	};
	static const struct tiny_token tokens[] = {{"xyz", 0, 0}, {"<e>", 0, 3}, {NULL, 0, 0}};
	static const char *const none[] = {NULL};
	static const struct tiny_vocabulary tiny = {"gpt2", "gpt-2", tokens, none};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct gguf_writer *w = tiny_vocab_writer(&tiny);
		struct tokenizer *t;
		size_t n = 0;

		while (rows[i].merges[n])
			n++;
		gguf_writer_set_strings(w, KEY("merges"), rows[i].merges, rows[i].lens, n);
		t = open_writer(w);
		expect_ids(t, rows[i].text, 0, rows[i].ids);
		tokenizer_close(t);
	}
}

/* The letter of a byte is missing, but not the word that begins with it. */
Test(vocab, merges_may_begin_with_letters_that_are_no_tokens)
{
	static const char *const names[] = {"a", "qa", "b"}, *const merges[] = {"q a"};
	static const size_t lens[] = {1, 2, 1}, merge_lens[] = {3};
	static const int32_t types[] = {1, 1, 1};
	static const struct tiny_token tokens[] = {{NULL, 0, 0}};
	static const char *const none[] = {NULL};
	static const struct tiny_vocabulary tiny = {"gpt2", "gpt-2", tokens, none};
	struct gguf_writer *w = tiny_vocab_writer(&tiny);
	struct tokenizer *t;

	gguf_writer_set_strings(w, KEY("tokens"), names, lens, 3);
	gguf_writer_set_i32s(w, KEY("token_type"), types, 3);
	gguf_writer_set_strings(w, KEY("merges"), merges, merge_lens, 1);
	t = open_writer(w);
	expect_ids(t, "qab", 0, (int32_t[]){1, 2, -1});
	expect_ids(t, "qb", 0, (int32_t[]){2, -1});
	tokenizer_close(t);
}

Test(vocab, says_when_the_pre_tokenizer_is_a_guess)
{
	struct tiny_vocabulary tiny = small_bpe;
	struct tokenizer *t = open_tiny(&tiny);

	cr_expect_null(tokenizer_warning(t));
	tokenizer_close(t);
	tiny.pre = NULL;
	t = open_tiny(&tiny);
	cr_assert_not_null(tokenizer_warning(t));
	cr_expect(strstr(tokenizer_warning(t), KEY("pre")));
	tokenizer_close(t);
}

Test(vocab, knows_what_ends_a_turn)
{
	static const struct tiny_token tokens[] = {
		{"<|im_end|>", 0, 1}, /* 259: normal by its type, control by its name */
		{"<|eot_id|>", 0, 3}, /* 260 */
		{"<|im_start|>", 0, 3}, /* 261 */
		{"<|file_sep|>", 0, 3}, /* 262 */
		{"bye", 0, 0}, /* 263 */
		{NULL, 0, 0},
	};
	static const struct tiny_vocabulary tiny = {"llama", NULL, tokens, NULL};
	static const bool eog[] = {true, true, false, true, true};
	struct gguf_writer *w = tiny_vocab_writer(&tiny);
	struct tokenizer *t;

	gguf_writer_set_u32(w, KEY("eot_token_id"), 263);
	t = open_writer(w);
	for (int32_t i = 0; i < 5; i++)
		cr_expect_eq(tokenizer_is_eog(t, 259 + i), eog[i], "token %d", (int)(259 + i));
	cr_expect(tokenizer_is_eog(t, 2));
	cr_expect_not(tokenizer_is_eog(t, 1));
	cr_expect_not(tokenizer_is_eog(t, -1));
	cr_expect_not(tokenizer_is_eog(t, 100000));
	cr_expect(tokenizer_is_control(t, 259));
	cr_expect_not(tokenizer_is_control(t, 263));
	cr_expect_eq(tokenizer_bos(t), 1);
	cr_expect_eq(tokenizer_eos(t), 2);
	tokenizer_close(t);
}

Test(vocab, knows_what_is_never_to_be_generated)
{
	static const int32_t ids[] = {5, -1, 282, 283, INT32_MAX, 5};
	struct gguf_writer *w = tiny_vocab_writer(&small_spm);
	struct tokenizer *t;

	gguf_writer_set_i32s(w, KEY("suppress_tokens"), ids, sizeof ids / sizeof *ids);
	t = open_writer(w);
	for (int32_t id = -1; id < 300; id++)
		cr_expect_eq(tokenizer_is_suppressed(t, id), id == 5 || id == 282, "token %d", (int)id);
	tokenizer_close(t);
}

Test(vocab, harmony_ends_a_turn_with_return_not_with_end)
{
	static const struct tiny_token tokens[] = {
		{"<|end|>", 0, 3}, {"<|return|>", 0, 3}, {"<|call|>", 0, 3}, {NULL, 0, 0}};
	static const struct tiny_vocabulary tiny = {"llama", NULL, tokens, NULL};
	struct tokenizer *t = open_tiny(&tiny);

	cr_expect_not(tokenizer_is_eog(t, 259));
	cr_expect(tokenizer_is_eog(t, 260));
	cr_expect(tokenizer_is_eog(t, 261));
	tokenizer_close(t);
}
