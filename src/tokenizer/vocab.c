#include "tokenizer/vocab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/utf8.h"
#include "tokenizer/tokenizer.h"

#define KEY(name) "tokenizer.ggml." name

static const char blank[] = "\xE2\x96\x81"; /* U+2581, SentencePiece's blank */
enum { BLANK_LEN = sizeof blank - 1 };

size_t vocab_byte_letter(unsigned char byte, char out[2])
{
	uint32_t cp = byte;
	char utf8[UTF8_MAX];
	size_t n;

	/* The printable bytes of Latin-1 stand for themselves, the other 68 are
	 * numbered from U+0100 on. */
	if (byte <= 0x20)
		cp = 0x100u + byte;
	else if (byte >= 0x7F && byte <= 0xA0)
		cp = 0x121u + byte - 0x7Fu;
	else if (byte == 0xAD)
		cp = 0x143;
	n = utf8_encode(cp, utf8);
	memcpy(out, utf8, n);
	return n;
}

/* The byte that a letter stands for, or -1. */
static int letter_byte(int32_t cp)
{
	if ((cp > 0x20 && cp < 0x7F) || (cp > 0xA0 && cp <= 0xFF && cp != 0xAD))
		return cp;
	if (cp >= 0x100 && cp <= 0x120)
		return cp - 0x100;
	if (cp > 0x120 && cp <= 0x142)
		return cp - 0x121 + 0x7F;
	return cp == 0x143 ? 0xAD : -1;
}

/* "<0x0A>" with exactly two hexadecimal digits -> 10; else -1. */
static int parse_byte(const char *name, size_t len)
{
	unsigned high, low;

	if (len != 6 || memcmp(name, "<0x", 3) != 0 || name[5] != '>')
		return -1;
	high = number_digit(name[3]);
	low = number_digit(name[4]);
	return high < 16 && low < 16 ? (int)(high * 16 + low) : -1;
}

int32_t vocab_find_plain(const struct vocab *vocab, const char *name, size_t len)
{
	int32_t id;

	if (len > vocab->longest)
		return TOKEN_NONE;
	id = textmap_find(&vocab->by_name, name, len);
	if (id < 0 || vocab->types[id] == TOKEN_CONTROL || vocab->types[id] == TOKEN_UNKNOWN ||
	    vocab->types[id] == TOKEN_BYTE)
		return TOKEN_NONE;
	return id;
}

/* An array that has one item for each token; STATUS_NOTFOUND when absent. */
static enum status parallel_array(const struct vocab *vocab, const struct gguf *gguf,
                                  const char *key, enum gguf_type type, struct gguf_array *out,
                                  struct error *err)
{
	enum status status = gguf_get_array(gguf, key, type, out, err);

	if (!status && out->n != vocab->n)
		return error_set(err, STATUS_FORMAT, "%s: has %zu items, the vocabulary %zu tokens",
		                 key, out->n, vocab->n);
	return status;
}

static enum status read_names(struct vocab *vocab, const struct gguf *gguf, struct error *err)
{
	struct gguf_array tokens;
	size_t total = 0;
	enum status status = gguf_get_array(gguf, KEY("tokens"), GGUF_STRING, &tokens, err);

	if (status == STATUS_NOTFOUND)
		return error_set(err, STATUS_FORMAT, "%s is missing: the file has no vocabulary",
		                 KEY("tokens"));
	if (status)
		return status;
	if (!tokens.n || tokens.n > LIMIT_VOCAB)
		return error_set(err, tokens.n ? STATUS_LIMIT : STATUS_FORMAT,
		                 "%s: has %zu tokens, expected 1 to %zu", KEY("tokens"), tokens.n,
		                 LIMIT_VOCAB);
	vocab->n = tokens.n;
	for (size_t i = 0; i < tokens.n; i++)
		total += gguf_array_string(&tokens, i).len; /* bounded by the metadata's limit */
	if (total > UINT32_MAX)
		return error_set(err, STATUS_LIMIT, "%s: has %zu bytes", KEY("tokens"), total);
	status = texts_init(&vocab->names, tokens.n, total, err);
	if (status)
		return status;
	vocab->types = alloc_array(vocab->n, 1);
	vocab->flags = alloc_array(vocab->n, 1);
	vocab->scores = alloc_array(vocab->n, sizeof *vocab->scores);
	if (!vocab->types || !vocab->flags || !vocab->scores)
		return error_no_memory(err, "for a vocabulary of %zu tokens", vocab->n);
	for (size_t i = 0; i < tokens.n; i++) {
		struct gguf_string name = gguf_array_string(&tokens, i);

		memcpy(vocab->names.bytes + vocab->names.starts[i], name.data, name.len);
		vocab->names.starts[i + 1] = vocab->names.starts[i] + (uint32_t)name.len;
	}
	return STATUS_OK;
}

static enum status read_types(struct vocab *vocab, const struct gguf *gguf, struct error *err)
{
	struct gguf_array types = {0};
	enum status status =
		parallel_array(vocab, gguf, KEY("token_type"), GGUF_I32, &types, err);

	if (status && status != STATUS_NOTFOUND)
		return status;
	for (size_t i = 0; i < vocab->n; i++) {
		int32_t type = status ? TOKEN_NORMAL : gguf_array_i32(&types, i);

		if (type < 0 || type >= TOKEN_TYPE_COUNT)
			return error_set(err, STATUS_FORMAT, "%s: token %zu has type %d, expected 0 to %d",
			                 KEY("token_type"), i, (int)type, TOKEN_TYPE_COUNT - 1);
		vocab->types[i] = (uint8_t)type;
	}
	return STATUS_OK;
}

static enum status read_scores(struct vocab *vocab, const struct gguf *gguf, struct error *err)
{
	struct gguf_array scores = {0};
	enum status status = parallel_array(vocab, gguf, KEY("scores"), GGUF_F32, &scores, err);

	if (status && status != STATUS_NOTFOUND)
		return status;
	for (size_t i = 0; i < vocab->n && !status; i++) {
		vocab->scores[i] = gguf_array_f32(&scores, i);
		if (isnan(vocab->scores[i]))
			return error_set(err, STATUS_FORMAT, "%s: the score of token %zu is not a number",
			                 KEY("scores"), i);
	}
	return STATUS_OK;
}

static enum status index_names(struct vocab *vocab, struct error *err)
{
	enum status status = textmap_init(&vocab->by_name, &vocab->names, vocab->n, err);
	size_t len;

	for (size_t i = 0; i < vocab->n && !status; i++) {
		texts_at(&vocab->names, i, &len);
		if (!len)
			continue;
		textmap_add(&vocab->by_name, (int32_t)i); /* of equal names the first counts */
		if (len > vocab->longest && vocab->types[i] != TOKEN_CONTROL)
			vocab->longest = len;
	}
	return status;
}

/* SentencePiece: U+2581 stands for a blank. */
static size_t unescape(const char *name, size_t len, char *out)
{
	size_t n = 0;

	for (size_t i = 0; i < len; n++) {
		if (len - i >= BLANK_LEN && memcmp(name + i, blank, BLANK_LEN) == 0) {
			out[n] = ' ';
			i += BLANK_LEN;
		} else {
			out[n] = name[i++];
		}
	}
	return n;
}

/* Byte-level BPE: letters back to bytes; others stay as they are. */
static size_t decode_letters(const char *name, size_t len, char *out)
{
	size_t n = 0, used;
	int32_t cp;
	int byte;

	for (size_t i = 0; i < len; i += used) {
		used = utf8_decode(name + i, len - i, &cp);
		byte = cp < 0 ? -1 : letter_byte(cp);
		if (byte >= 0) {
			out[n++] = (char)byte;
			continue;
		}
		memcpy(out + n, name + i, used);
		n += used;
	}
	return n;
}

/* The bytes that token i stands for, written to `out` (never longer than its
 * name); -1: it is a byte token and names no byte. */
static int64_t make_piece(const struct vocab *vocab, size_t i, char *out)
{
	bool plain_utf8 = vocab->model == VOCAB_SPM || (vocab->pre->flags & PRE_RAW);
	size_t len;
	const char *name = texts_at(&vocab->names, i, &len);
	int byte;

	switch (vocab->types[i]) {
	case TOKEN_CONTROL:
	case TOKEN_UNKNOWN:
		return 0;
	case TOKEN_BYTE:
		byte = parse_byte(name, len);
		if (byte >= 0)
			*out = (char)byte;
		else if (plain_utf8 || decode_letters(name, len, out) != 1)
			return -1;
		return 1;
	case TOKEN_USER_DEFINED:
		if (vocab->model == VOCAB_SPM)
			return (int64_t)unescape(name, len, out);
		memcpy(out, name, len);
		return (int64_t)len;
	default:
		return (int64_t)(plain_utf8 ? unescape(name, len, out) : decode_letters(name, len, out));
	}
}

static enum status make_pieces(struct vocab *vocab, struct error *err)
{
	enum status status =
		texts_init(&vocab->pieces, vocab->n, vocab->names.starts[vocab->n], err);
	uint32_t *starts = vocab->pieces.starts;

	for (size_t i = 0; i < vocab->n && !status; i++) {
		int64_t len = make_piece(vocab, i, vocab->pieces.bytes + starts[i]);

		if (len < 0)
			return error_set(err, STATUS_FORMAT,
			                 "%s: byte token %zu is not named like <0x0A>", KEY("tokens"), i);
		starts[i + 1] = starts[i] + (uint32_t)len;
	}
	return status;
}

static void find_byte_tokens(struct vocab *vocab)
{
	bool hex = vocab->model == VOCAB_SPM || (vocab->pre->flags & PRE_RAW);
	char name[8];
	size_t len;

	for (int byte = 0; byte < 256; byte++) {
		int32_t *id = &vocab->byte_ids[byte];

		if (hex) {
			len = (size_t)snprintf(name, sizeof name, "<0x%02X>", (unsigned)byte);
			*id = textmap_find(&vocab->by_name, name, len);
			if (*id >= 0)
				continue;
			name[0] = (char)byte;
			len = 1;
		} else {
			len = vocab_byte_letter((unsigned char)byte, name);
		}
		*id = vocab_find_plain(vocab, name, len);
		vocab->letter_ids[byte] = vocab_find_symbol(vocab, name, len);
	}
}

static enum status read_pre(struct vocab *vocab, const struct gguf *gguf, struct error *err)
{
	struct gguf_string name = {"default", 7};
	enum status status = gguf_get_string(gguf, KEY("pre"), &name, err);

	if (status && status != STATUS_NOTFOUND)
		return status;
	if (status || !name.len) {
		vocab->no_pre = true;
		name = (struct gguf_string){"default", 7};
	}
	vocab->pre = pre_find(name.data, name.len);
	if (!vocab->pre)
		return error_set(err, STATUS_UNSUPPORTED, "%s: unknown pre-tokenizer '%.*s'", KEY("pre"),
		                 (int)(name.len < 64 ? name.len : 64), name.data);
	return STATUS_OK;
}

static enum status read_model(struct vocab *vocab, const struct gguf *gguf, struct error *err)
{
	struct gguf_string model = {"", 0};
	enum status status = gguf_get_string(gguf, KEY("model"), &model, err);

	if (status == STATUS_NOTFOUND)
		return error_set(err, STATUS_FORMAT, "%s is missing: the file has no tokenizer",
		                 KEY("model"));
	if (status)
		return status;
	vocab->model = VOCAB_BPE;
	if (gguf_string_is(model, "llama")) {
		vocab->model = VOCAB_SPM;
	} else if (gguf_string_is(model, "gpt2")) {
		return read_pre(vocab, gguf, err);
	} else if (gguf_string_is(model, "gemma4")) {
		vocab->pre = pre_find("gemma4", 6);
	} else {
		return error_set(err, STATUS_UNSUPPORTED,
		                 "%s: tokenizer '%.*s' is not supported; supported are llama, gpt2, gemma4",
		                 KEY("model"), (int)(model.len < 64 ? model.len : 64), model.data);
	}
	return STATUS_OK;
}

/* An absent flag keeps its default. */
static enum status read_flag(const struct gguf *gguf, const char *key, bool *flag,
                             struct error *err)
{
	enum status status = gguf_get_bool(gguf, key, flag, err);

	return status == STATUS_NOTFOUND ? STATUS_OK : status;
}

static enum status read_flags(struct vocab *vocab, const struct gguf *gguf, struct error *err)
{
	unsigned pre = vocab->pre ? vocab->pre->flags : 0;
	enum status status;

	vocab->add_bos = vocab->model == VOCAB_SPM || (pre & PRE_ADD_BOS);
	vocab->add_space_prefix = vocab->model == VOCAB_SPM;
	vocab->ignore_merges = pre & PRE_IGNORE_MERGES;
	(void)((status = read_flag(gguf, KEY("add_bos_token"), &vocab->add_bos, err)) ||
	       (status = read_flag(gguf, KEY("add_eos_token"), &vocab->add_eos, err)) ||
	       (status = read_flag(gguf, KEY("add_space_prefix"), &vocab->add_space_prefix, err)) ||
	       (status = read_flag(gguf, KEY("ignore_merges"), &vocab->ignore_merges, err)) ||
	       (status = read_flag(gguf, KEY("remove_extra_whitespaces"),
	                           &vocab->remove_extra_whitespaces, err)));
	if (pre & PRE_FORCE_BOS)
		vocab->add_bos = true;
	return status;
}

enum status tokenizer_check(const struct gguf *gguf, struct error *err)
{
	struct vocab vocab = {0};

	return read_model(&vocab, gguf, err); /* which owns nothing yet */
}

enum status vocab_read(struct vocab *vocab, const struct gguf *gguf, struct error *err)
{
	enum status status;

	*vocab = (struct vocab){0};
	(void)((status = read_model(vocab, gguf, err)) || (status = read_flags(vocab, gguf, err)) ||
	       (status = read_names(vocab, gguf, err)) || (status = read_types(vocab, gguf, err)) ||
	       (status = read_scores(vocab, gguf, err)) || (status = index_names(vocab, err)) ||
	       (status = vocab_read_special(vocab, gguf, err)) ||
	       (status = make_pieces(vocab, err)) ||
	       (vocab->model == VOCAB_BPE && (status = vocab_read_merges(vocab, gguf, err))));
	if (!status)
		find_byte_tokens(vocab);
	return status;
}

void vocab_deinit(struct vocab *vocab)
{
	texts_deinit(&vocab->names);
	texts_deinit(&vocab->pieces);
	textmap_deinit(&vocab->by_name);
	free(vocab->types);
	free(vocab->flags);
	free(vocab->scores);
	free(vocab->merges);
	texts_deinit(&vocab->parts);
	textmap_deinit(&vocab->by_part);
	*vocab = (struct vocab){0};
}
