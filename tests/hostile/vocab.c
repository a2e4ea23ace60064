/* Defects of the vocabulary, met when it is opened. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "gguf/reader.h"
#include "gguf/writer.h"
#include "hostile/defects.h"
#include "hostile/patch.h"
#include "hostile/raw.h"
#include "support/gguf_memory.h"

#define KEY(name) "tokenizer.ggml." name

/* Every key that is read, and what it must be. */
static const struct {
	const char *key;
	enum shape shape;
	enum tiny_vocab vocab; /* that needs it */
} rows[] = {
	{KEY("model"), STRING, TINY_SPM},
	{KEY("pre"), STRING, TINY_BPE},
	{KEY("tokens"), STRINGS, TINY_SPM},
	{KEY("tokens"), STRINGS, TINY_BPE},
	{KEY("scores"), FLOATS, TINY_SPM},
	{KEY("token_type"), INTS, TINY_SPM},
	{KEY("token_type"), INTS, TINY_BPE},
	{KEY("merges"), STRINGS, TINY_BPE},
	{KEY("add_bos_token"), BOOL, TINY_SPM},
	{KEY("add_eos_token"), BOOL, TINY_BPE},
	{KEY("add_space_prefix"), BOOL, TINY_SPM},
	{KEY("ignore_merges"), BOOL, TINY_BPE},
	{KEY("remove_extra_whitespaces"), BOOL, TINY_SPM},
	{KEY("bos_token_id"), INTEGER, TINY_SPM},
	{KEY("eos_token_id"), INTEGER, TINY_BPE},
	{KEY("eot_token_id"), INTEGER, TINY_SPM},
	{KEY("eom_token_id"), INTEGER, TINY_BPE},
	{KEY("unknown_token_id"), INTEGER, TINY_SPM},
	{KEY("seperator_token_id"), INTEGER, TINY_SPM},
	{KEY("padding_token_id"), INTEGER, TINY_SPM},
	{KEY("mask_token_id"), INTEGER, TINY_SPM},
	{KEY("fim_pre_token_id"), INTEGER, TINY_BPE},
	{KEY("fim_suf_token_id"), INTEGER, TINY_BPE},
	{KEY("fim_mid_token_id"), INTEGER, TINY_BPE},
	{KEY("fim_pad_token_id"), INTEGER, TINY_BPE},
	{KEY("fim_rep_token_id"), INTEGER, TINY_BPE},
	{KEY("fim_sep_token_id"), INTEGER, TINY_BPE},
	{KEY("prefix_token_id"), INTEGER, TINY_BPE},
	{KEY("suffix_token_id"), INTEGER, TINY_BPE},
	{KEY("middle_token_id"), INTEGER, TINY_BPE},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static void wrong_types(struct defects *d)
{
	for (size_t i = 0; i < N_ROWS; i++)
		defects_wrong_types(d, STAGE_TOKENIZER, rows[i].vocab, rows[i].key, rows[i].shape);
}

static void missing(struct defects *d)
{
	static const struct {
		const char *key;
		enum tiny_vocab vocab;
	} needed[] = {{KEY("model"), TINY_SPM},  {KEY("model"), TINY_BPE}, {KEY("tokens"), TINY_SPM},
	              {KEY("tokens"), TINY_BPE}, {KEY("merges"), TINY_BPE}};
	static const char *const models[] = {"bert", "t5", "rwkv", "none", "no_vocab", "", "LLAMA",
	                                     "llama ", "llama2", "\t", "gpt-2"};
	static const char *const pres[] = {"gpt-99", " ", "GPT-2", "gpt-2 ", "llama-bpe2", "\n"};

	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		patch_remove(&d->file, needed[i].vocab, needed[i].key);
		defects_expect(d, STAGE_TOKENIZER, STATUS_FORMAT, needed[i].key, "%s missing", needed[i].key);
	}
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		patch_string(&d->file, TINY_SPM, KEY("model"), models[i]);
		defects_expect(d, STAGE_TOKENIZER, STATUS_UNSUPPORTED, "supported are llama, gpt2",
		               "tokenizer '%s'", models[i]);
	}
	for (size_t i = 0; i < sizeof pres / sizeof *pres; i++) {
		patch_string(&d->file, TINY_BPE, KEY("pre"), pres[i]);
		defects_expect(d, STAGE_TOKENIZER, STATUS_UNSUPPORTED, "unknown pre-tokenizer",
		               "pre-tokenizer '%s'", pres[i]);
	}
}

static size_t count_tokens(struct defects *d, enum tiny_vocab vocab)
{
	struct gguf_array tokens = {0};
	struct gguf *gguf = NULL;

	patch_none(&d->file, vocab);
	if (gguf_open_memory(&gguf, d->file.data, d->file.len, NULL) ||
	    gguf_get_array(gguf, KEY("tokens"), GGUF_STRING, &tokens, NULL))
		abort();
	gguf_close(gguf);
	return tokens.n;
}

static void ids(struct defects *d)
{
	for (size_t i = 0; i < N_ROWS; i++) {
		size_t n = count_tokens(d, rows[i].vocab);
		const uint64_t bad[] = {n, n + 1, 65536, 0x7fffffff, 0x80000000u, 0xffffffffu, 1ull << 32,
		                        UINT64_MAX};
		const int32_t negative[] = {-1, INT32_MIN};

		if (rows[i].shape != INTEGER)
			continue;
		for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
			patch_key(&d->file, rows[i].vocab, rows[i].key, GGUF_U64, &bad[b], 8);
			defects_expect_good(d, STAGE_TOKENIZER, "%s = %llu", rows[i].key, (unsigned long long)bad[b]);
		}
		for (size_t b = 0; b < 2; b++) {
			patch_key(&d->file, rows[i].vocab, rows[i].key, GGUF_I32, &negative[b], 4);
			defects_expect_good(d, STAGE_TOKENIZER, "%s = %d", rows[i].key, (int)negative[b]);
		}
		patch_u32(&d->file, rows[i].vocab, rows[i].key, (uint32_t)n - 1);
		defects_expect_good(d, STAGE_TOKENIZER, "%s = the last token", rows[i].key);
	}
}

/* Arrays beside the tokens that are not as long, and items out of range. */
static void parallel(struct defects *d)
{
	static const char *const keys[] = {KEY("scores"), KEY("token_type")};
	static const int32_t bad_types[] = {-1, 7, 8, 255, 256, 257, INT32_MAX, INT32_MIN};
	size_t n = count_tokens(d, TINY_SPM);
	const size_t lengths[] = {0, 1, n - 1, n + 1, 2 * n, 1000};
	int32_t items[1000] = {0};
	char text[80];

	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
			struct buf value = {.max = KIB(8)};

			raw_u32(&value, k ? GGUF_I32 : GGUF_F32);
			raw_u64(&value, lengths[i]);
			raw_zeros(&value, 4 * lengths[i]);
			patch_key(&d->file, TINY_SPM, keys[k], GGUF_ARRAY, value.data, value.len);
			snprintf(text, sizeof text, "%s: has %zu items, the vocabulary %zu", keys[k],
			         lengths[i], n);
			defects_expect(d, STAGE_TOKENIZER, STATUS_FORMAT, text, "%zu of %s", lengths[i], keys[k]);
			buf_free(&value);
		}
	}
	for (size_t i = 0; i < sizeof bad_types / sizeof *bad_types; i++) {
		struct gguf_writer *w;
		struct tiny_model tiny = tiny_model_smallest(TINY_SPM);

		for (size_t t = 0; t < n; t++)
			items[t] = 1;
		items[i] = bad_types[i];
		w = tiny_model_writer(&tiny);
		gguf_writer_set_i32s(w, KEY("token_type"), items, n);
		if (gguf_writer_write(w, &d->file, NULL))
			abort();
		gguf_writer_free(w);
		defects_expect(d, STAGE_TOKENIZER, STATUS_FORMAT, KEY("token_type"), "token type %d",
		               (int)bad_types[i]);
	}
	for (size_t i = 0; i < 4; i++) {
		struct gguf_writer *w;
		struct tiny_model tiny = tiny_model_smallest(TINY_SPM);
		float scores[1000] = {0};

		scores[i * (n - 1) / 3] = i & 1 ? NAN : -NAN;
		w = tiny_model_writer(&tiny);
		gguf_writer_set_f32s(w, KEY("scores"), scores, n);
		if (gguf_writer_write(w, &d->file, NULL))
			abort();
		gguf_writer_free(w);
		defects_expect(d, STAGE_TOKENIZER, STATUS_FORMAT, "is not a number", "score %zu is NaN", i);
	}
}

/* The name of a byte token, over the one that is in the file: 6 bytes. */
static void byte_tokens(struct defects *d)
{
	static const char names[][7] = {"<0x-1>", "<0x 1>", "<0x1 >", "<0xG0>", "<0x0G>", "<0X01>",
	                                "(0x01>", "<0x01)", "<1x01>", "0x0100", "<0x+1>", "<0x1.>",
	                                "<0x.1>", "<0x\0001>", "<0xx1>", "<00x1>", "<0x1>>", "<<0x1>",
	                                "<0x\xc3\xa9>", "<0x0\n>", "\xe2\x96\x81\xe2\x96\x81",
	                                "\xff\xff\xff\xff\xff\xff", "abcdef", "<0x0x>", "<0x--1"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t end;

		patch_none(&d->file, TINY_SPM);
		end = patch_find(&d->file, "<0x01>");
		memcpy(d->file.data + end - 6, names[i], 6);
		defects_expect(d, STAGE_TOKENIZER, STATUS_FORMAT, "is not named like <0x0A>",
		               "byte token '%.6s'", names[i]);
	}
	patch_none(&d->file, TINY_SPM);
	memcpy(d->file.data + patch_find(&d->file, "<0x01>") - 6, "<0xaB>", 6);
	defects_expect_good(d, STAGE_TOKENIZER, "byte token <0xaB>");
	patch_none(&d->file, TINY_SPM);
	memcpy(d->file.data + patch_find(&d->file, "<0x01>") - 6, "<0x02>", 6);
	defects_expect_good(d, STAGE_TOKENIZER, "byte token twice");
}

/* Nothing, and too much. */
static void sizes(struct defects *d)
{
	static const size_t lengths[] = {0, LIMIT_VOCAB + 1};
	struct buf value = {.max = MIB(32)};

	for (size_t i = 0; i < 2; i++) {
		buf_clear(&value);
		raw_u32(&value, GGUF_STRING);
		raw_u64(&value, lengths[i]);
		raw_zeros(&value, 8 * lengths[i]);
		patch_key(&d->file, TINY_SPM, KEY("tokens"), GGUF_ARRAY, value.data, value.len);
		defects_expect(d, STAGE_TOKENIZER, i ? STATUS_LIMIT : STATUS_FORMAT,
		               KEY("tokens"), "%zu tokens", lengths[i]);
	}
	buf_free(&value);
}

void defects_vocab(struct defects *d)
{
	patch_none(&d->file, TINY_SPM);
	defects_expect_good(d, STAGE_MODEL, "the model itself");
	patch_none(&d->file, TINY_BPE);
	defects_expect_good(d, STAGE_MODEL, "the model itself, BPE");
	wrong_types(d);
	missing(d);
	ids(d);
	parallel(d);
	byte_tokens(d);
	sizes(d);
}
