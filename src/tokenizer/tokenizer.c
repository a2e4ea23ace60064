#include "tokenizer/tokenizer.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "tokenizer/encode.h"
#include "tokenizer/outside_known.h"

struct tokenizer {
	struct outside *outside; /* owned; NULL: the vocabulary is here */
	struct vocab vocab;
	struct special *special;
	struct pretokenizer *pre; /* BPE only */
	char warning[240];
};

static void make_warning(struct tokenizer *t)
{
	struct buf text = {.max = sizeof t->warning - 1};

	if (t->vocab.no_pre)
		buf_puts(&text, "the file names no pre-tokenizer (tokenizer.ggml.pre); "
		                "the default may split words wrongly");
	if (t->vocab.n_merges_dropped)
		buf_printf(&text, "%s%zu merges that join no text are ignored", text.len ? "; " : "",
		           t->vocab.n_merges_dropped);
	if (t->vocab.bad_key)
		buf_printf(&text, "%s%s names a token that the vocabulary does not have", text.len ? "; " : "",
		           t->vocab.bad_key);
	if (t->vocab.n_bad_ids > 1)
		buf_printf(&text, ", and so do %zu more keys", t->vocab.n_bad_ids - 1);
	if (t->vocab.bad_key)
		buf_puts(&text, ": ignored");
	memcpy(t->warning, buf_text(&text), text.len + 1);
	buf_free(&text);
}

enum status tokenizer_open(struct tokenizer **out, const struct gguf *gguf, struct error *err)
{
	struct tokenizer *t = alloc_array(1, sizeof *t);
	enum status status;

	if (!t)
		return error_no_memory(err, "for the tokenizer");
	(void)((status = vocab_read(&t->vocab, gguf, err)) ||
	       (status = special_open(&t->special, &t->vocab, err)) ||
	       (t->vocab.pre && (status = pretokenizer_open(&t->pre, t->vocab.pre, err))));
	if (status) {
		if (err && *gguf_path(gguf))
			error_prefix(err, "%s", gguf_path(gguf));
		tokenizer_close(t);
		return status;
	}
	make_warning(t);
	*out = t;
	return STATUS_OK;
}

enum status tokenizer_wrap(struct tokenizer **out, struct outside *outside, struct error *err)
{
	struct tokenizer *t = alloc_array(1, sizeof *t);

	if (!t)
		return error_no_memory(err, "for the tokenizer");
	t->outside = outside;
	*out = t;
	return STATUS_OK;
}

void tokenizer_close(struct tokenizer *tokenizer)
{
	if (!tokenizer)
		return;
	outside_free(tokenizer->outside);
	pretokenizer_close(tokenizer->pre);
	special_close(tokenizer->special);
	vocab_deinit(&tokenizer->vocab);
	free(tokenizer);
}

const char *tokenizer_warning(const struct tokenizer *tokenizer)
{
	return *tokenizer->warning ? tokenizer->warning : NULL;
}

static enum status encode_ranges(const struct tokenizer *t, const char *text, size_t len,
                                 const struct text_range *ranges, size_t n, unsigned flags,
                                 struct token_list *out, struct error *err)
{
	struct fragment_list fragments = {0};
	size_t before = out->n;
	enum status status = STATUS_OK;

	if (t->outside) {
		status = outside_encode(t->outside, text, len, ranges, n, flags, out, err);
		out->n = status ? before : out->n;
		return status;
	}
	if ((flags & ENCODE_BOS) && tokenizer_adds_bos(t))
		status = encode_push(out, tokenizer_bos(t), err);
	if (!status && len)
		status = special_split(t->special, text, len, ranges, n, &fragments, err);
	if (!status)
		status = encode_fragments(&t->vocab, t->pre, text, &fragments,
		                          !(flags & ENCODE_CONTINUE), out, err);
	if (!status && (flags & ENCODE_EOS) && t->vocab.add_eos && tokenizer_eos(t) >= 0)
		status = encode_push(out, tokenizer_eos(t), err);
	fragment_list_free(&fragments);
	if (status)
		out->n = before;
	return status;
}

static enum status too_long(struct error *err)
{
	return error_set(err, STATUS_LIMIT, "the text to tokenise is longer than %zu MiB",
	                 LIMIT_TOKENIZE_INPUT >> 20);
}

enum status tokenizer_encode(const struct tokenizer *tokenizer, const char *text, size_t len,
                             unsigned flags, struct token_list *out, struct error *err)
{
	struct text_range whole = {.start = 0, .control = flags & ENCODE_SPECIAL};

	if (len > LIMIT_TOKENIZE_INPUT)
		return too_long(err);
	return encode_ranges(tokenizer, text, len, &whole, 1, flags, out, err);
}

enum status tokenizer_encode_spans(const struct tokenizer *tokenizer,
                                   const struct text_span *spans, size_t n, unsigned flags,
                                   struct token_list *out, struct error *err)
{
	struct text_range *ranges = alloc_array(n + 1, sizeof *ranges);
	struct buf text = {.max = LIMIT_TOKENIZE_INPUT};
	size_t n_ranges = 0;
	enum status status = STATUS_OK;

	if (!ranges)
		status = error_no_memory(err, "for %zu spans", n);
	for (size_t i = 0; i < n && !status; i++) {
		if (!spans[i].len)
			continue;
		ranges[n_ranges++] = (struct text_range){text.len, !spans[i].is_input, spans[i].is_input};
		status = buf_append(&text, spans[i].text, spans[i].len);
		if (status == STATUS_LIMIT)
			too_long(err);
		else if (status)
			error_no_memory(err, "to tokenise the prompt");
	}
	if (!status)
		status = encode_ranges(tokenizer, buf_text(&text), text.len, ranges, n_ranges, flags, out,
		                       err);
	buf_free(&text);
	free(ranges);
	return status;
}

size_t tokenizer_n_vocab(const struct tokenizer *tokenizer)
{
	if (tokenizer->outside)
		return tokenizer->outside->n_vocab ? tokenizer->outside->n_vocab : INT32_MAX;
	return tokenizer->vocab.n;
}

enum status tokenizer_prepare(const struct tokenizer *tokenizer, const int32_t *ids, size_t n,
                              struct error *err)
{
	return tokenizer->outside ? outside_prepare(tokenizer->outside, ids, n, err) : STATUS_OK;
}

enum status tokenizer_put_piece(const struct tokenizer *tokenizer, int32_t id, const char *piece, size_t len,
                                struct error *err)
{
	return tokenizer->outside ? outside_put_piece(tokenizer->outside, id, piece, len, err) : STATUS_OK;
}

/* Whether a token of a vocabulary that is elsewhere has one of these flags. */
static bool is_outside(const struct tokenizer *t, int32_t id, unsigned flags)
{
	return outside_token(t->outside, id)->flags & flags;
}

static bool is_token(const struct tokenizer *t, int32_t id)
{
	return id >= 0 && (size_t)id < t->vocab.n;
}

enum status tokenizer_piece(const struct tokenizer *tokenizer, int32_t id, struct buf *out)
{
	size_t len;
	const char *bytes = tokenizer_bytes(tokenizer, id, &len);

	return buf_append(out, bytes, len);
}

const char *tokenizer_bytes(const struct tokenizer *tokenizer, int32_t id, size_t *len)
{
	const char *piece;

	*len = 0;
	if (tokenizer->outside) {
		piece = is_outside(tokenizer, id, OUTSIDE_CONTROL) ? NULL : outside_piece(tokenizer->outside, id, len);
		return piece ? piece : "";
	}
	return is_token(tokenizer, id) ? texts_at(&tokenizer->vocab.pieces, (size_t)id, len) : "";
}

const char *tokenizer_name(const struct tokenizer *tokenizer, int32_t id, size_t *len)
{
	const char *piece;

	*len = 0;
	if (tokenizer->outside) {
		piece = outside_piece(tokenizer->outside, id, len);
		return piece ? piece : "";
	}
	return is_token(tokenizer, id) ? texts_at(&tokenizer->vocab.names, (size_t)id, len) : "";
}

const char *tokenizer_shown(const struct tokenizer *tokenizer, int32_t id, size_t *len)
{
	const char *bytes = tokenizer_bytes(tokenizer, id, len);

	return *len ? bytes : tokenizer_name(tokenizer, id, len);
}

int32_t tokenizer_bos(const struct tokenizer *tokenizer)
{
	if (tokenizer->outside)
		return tokenizer->outside->bos;
	return tokenizer->vocab.special[SPECIAL_BOS];
}

int32_t tokenizer_eos(const struct tokenizer *tokenizer)
{
	if (tokenizer->outside)
		return tokenizer->outside->eos;
	return tokenizer->vocab.special[SPECIAL_EOS];
}

bool tokenizer_adds_bos(const struct tokenizer *tokenizer)
{
	if (tokenizer->outside)
		return tokenizer->outside->adds_bos;
	return tokenizer->vocab.add_bos && tokenizer_bos(tokenizer) >= 0;
}

bool tokenizer_adds_space(const struct tokenizer *tokenizer)
{
	if (tokenizer->outside)
		return tokenizer->outside->adds_space;
	return tokenizer->vocab.model == VOCAB_SPM && tokenizer->vocab.add_space_prefix;
}

bool tokenizer_is_eog(const struct tokenizer *tokenizer, int32_t id)
{
	if (tokenizer->outside)
		return id >= 0 && id == tokenizer->outside->eos;
	return is_token(tokenizer, id) && (tokenizer->vocab.flags[id] & TOKEN_IS_EOG);
}

bool tokenizer_is_suppressed(const struct tokenizer *tokenizer, int32_t id)
{
	return is_token(tokenizer, id) && (tokenizer->vocab.flags[id] & TOKEN_IS_SUPPRESSED);
}

bool tokenizer_is_control(const struct tokenizer *tokenizer, int32_t id)
{
	if (tokenizer->outside)
		return is_outside(tokenizer, id, OUTSIDE_CONTROL);
	return is_token(tokenizer, id) && (tokenizer->vocab.types[id] == TOKEN_CONTROL ||
	                                   tokenizer->vocab.types[id] == TOKEN_UNKNOWN);
}

bool tokenizer_is_reserved(const struct tokenizer *tokenizer, int32_t id)
{
	if (tokenizer->outside)
		return is_outside(tokenizer, id, OUTSIDE_CONTROL | OUTSIDE_RESERVED);
	return tokenizer_is_control(tokenizer, id) ||
	       (is_token(tokenizer, id) && (tokenizer->vocab.flags[id] & TOKEN_LOOKS_CONTROL));
}

bool tokenizer_is_special(const struct tokenizer *tokenizer, int32_t id)
{
	if (tokenizer->outside)
		return is_outside(tokenizer, id, OUTSIDE_CONTROL | OUTSIDE_RESERVED);
	return tokenizer_is_control(tokenizer, id) ||
	       (is_token(tokenizer, id) && tokenizer->vocab.types[id] == TOKEN_USER_DEFINED);
}

int32_t tokenizer_unk(const struct tokenizer *tokenizer)
{
	if (tokenizer->outside)
		return tokenizer->outside->unk;
	return tokenizer->vocab.special[SPECIAL_UNK];
}

int32_t tokenizer_pad(const struct tokenizer *tokenizer)
{
	if (tokenizer->outside)
		return TOKEN_NONE;
	return tokenizer->vocab.special[SPECIAL_PAD];
}

int32_t tokenizer_find(const struct tokenizer *tokenizer, const char *name, size_t len)
{
	if (tokenizer->outside)
		return outside_find_name(tokenizer->outside, name, len);
	return textmap_find(&tokenizer->vocab.by_name, name, len);
}

bool tokenizer_gather(const struct tokenizer *tokenizer, bool texts)
{
	if (!tokenizer->outside)
		return false;
	outside_tidy(tokenizer->outside);
	tokenizer->outside->gather.is_on = true;
	tokenizer->outside->gather.with_texts = texts;
	return true;
}

enum status tokenizer_gathered(const struct tokenizer *tokenizer, bool *any, struct error *err)
{
	return outside_gathered(tokenizer->outside, any, err);
}

void tokenizer_expect(const struct tokenizer *tokenizer, const char *const *names, size_t n)
{
	if (tokenizer->outside)
		outside_expect(tokenizer->outside, names, n);
}

void detokenizer_init(struct detokenizer *d, const struct tokenizer *tokenizer, bool at_start)
{
	*d = (struct detokenizer){
		.tokenizer = tokenizer,
		.strip_space = at_start && tokenizer_adds_space(tokenizer),
	};
}

enum status detokenizer_push(struct detokenizer *d, int32_t id, struct buf *out)
{
	size_t len;
	const char *bytes = tokenizer_bytes(d->tokenizer, id, &len);

	if (!len)
		return buf_status(out);
	if (d->strip_space && *bytes == ' ') {
		bytes++;
		len--;
	}
	d->strip_space = false;
	return utf8_stream_push(&d->utf8, bytes, len, out);
}
