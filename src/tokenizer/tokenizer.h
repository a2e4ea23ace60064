/* Text to token ids and back.
 *
 * Built from `tokenizer.ggml.*` of a GGUF file: model "llama" (SentencePiece
 * scores with byte fallback), "gpt2" (byte-level BPE; the pre-tokenizer is
 * chosen by `tokenizer.ggml.pre`) or "gemma4" (BPE on plain UTF-8). Gives the
 * ids that llama.cpp gives, but that plain text never becomes a control token.
 *
 * Immutable after opening; any thread may encode with it at the same time.
 * Owns copies of what it needs: the gguf may be closed first. One whose vocabulary
 * is elsewhere, at a server (tokenizer/outside.h), belongs to one thread. */
#ifndef SOTTO_TOKENIZER_TOKENIZER_H
#define SOTTO_TOKENIZER_TOKENIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/utf8.h"
#include "gguf/reader.h"

enum { TOKEN_NONE = -1 };

struct tokenizer;

struct token_list {
	int32_t *ids; /* owned; free with token_list_free */
	size_t n;
	size_t cap;
};

void token_list_free(struct token_list *list);
enum status token_list_push(struct token_list *list, int32_t id) MUST_CHECK;
enum status token_list_append(struct token_list *list, const int32_t *ids, size_t n) MUST_CHECK;

enum encode_flags {
	ENCODE_BOS = 1 << 0,     /* add BOS where the vocabulary wants one */
	ENCODE_EOS = 1 << 1,     /* likewise EOS */
	ENCODE_SPECIAL = 1 << 2, /* match control tokens in the text (user-defined ones always are) */
	ENCODE_CONTINUE = 1 << 3, /* the text continues other text: no space is put before it */
};

/* A piece of rendered prompt: only template text may hold control tokens. */
struct text_span {
	const char *text;
	size_t len;
	bool is_input; /* came from the conversation: control tokens in it are text */
};

enum status tokenizer_open(struct tokenizer **out, const struct gguf *gguf,
                           struct error *err) MUST_CHECK;
void tokenizer_close(struct tokenizer *tokenizer);
/* Whether this kind of tokenizer is known, from a file's header alone; much faster than
 * opening. Errors without the path. */
enum status tokenizer_check(const struct gguf *gguf, struct error *err) MUST_CHECK;

/* One line on what is doubtful about the vocabulary (no pre-tokenizer named, merges dropped);
 * NULL if nothing is. */
const char *tokenizer_warning(const struct tokenizer *tokenizer);

size_t tokenizer_n_vocab(const struct tokenizer *tokenizer);
/* Before ids are looked at that did not come out of this tokenizer: one whose vocabulary is elsewhere asks
 * what they are, all at once. */
enum status tokenizer_prepare(const struct tokenizer *tokenizer, const int32_t *ids, size_t n,
                              struct error *err) MUST_CHECK;

/* Appends the ids of `text` (any bytes, at most LIMIT_TOKENIZE_INPUT); nothing
 * on failure. Memory and time are linear in len up to a logarithm; no
 * recursion. */
enum status tokenizer_encode(const struct tokenizer *tokenizer, const char *text, size_t len,
                             unsigned flags, struct token_list *out, struct error *err) MUST_CHECK;

/* The same for a rendered prompt: control tokens are matched only where every byte of them is
 * template, and the text between two of them is tokenised as one string, across span borders.
 * ENCODE_SPECIAL is implied for template text. In a person's text, user-defined tokens named
 * like control tokens (<|User|>) are not matched either. */
enum status tokenizer_encode_spans(const struct tokenizer *tokenizer,
                                   const struct text_span *spans, size_t n, unsigned flags,
                                   struct token_list *out, struct error *err) MUST_CHECK;

/* One whose vocabulary is elsewhere asks for many texts at once: after tokenizer_gather, which is false for
 * others, encoding gives no ids but notes what is not known, texts between control tokens only with `texts`;
 * tokenizer_gathered asks for that. *any: there was some, and knowing it may show more. */
bool tokenizer_gather(const struct tokenizer *tokenizer, bool texts);
enum status tokenizer_gathered(const struct tokenizer *tokenizer, bool *any, struct error *err) MUST_CHECK;

/* The raw bytes a token stands for, without any handling of leading blanks:
 * control tokens give "" (their name with tokenizer_name). Appends. */
enum status tokenizer_piece(const struct tokenizer *tokenizer, int32_t id, struct buf *out);
/* The same without a copy: borrowed, not NUL-terminated. */
const char *tokenizer_bytes(const struct tokenizer *tokenizer, int32_t id, size_t *len);
/* The vocabulary's own text of a token: "<0x0A>", "▁the", "<|im_end|>". */
const char *tokenizer_name(const struct tokenizer *tokenizer, int32_t id, size_t *len);
/* As a token is shown: its bytes, or where it has none its name; "" for what is no token. Borrowed. */
const char *tokenizer_shown(const struct tokenizer *tokenizer, int32_t id, size_t *len);

/* Special ids, TOKEN_NONE when the vocabulary has none. */
int32_t tokenizer_bos(const struct tokenizer *tokenizer);
int32_t tokenizer_eos(const struct tokenizer *tokenizer);
bool tokenizer_adds_bos(const struct tokenizer *tokenizer); /* what ENCODE_BOS does */
/* Whether text gets a blank in front that was not there (SentencePiece). */
bool tokenizer_adds_space(const struct tokenizer *tokenizer);
bool tokenizer_is_eog(const struct tokenizer *tokenizer, int32_t id); /* ends a turn */
/* Never to be sampled, as Gemma 4's marks of images and sounds (tokenizer.ggml.suppress_tokens). */
bool tokenizer_is_suppressed(const struct tokenizer *tokenizer, int32_t id);
bool tokenizer_is_control(const struct tokenizer *tokenizer, int32_t id);
/* Whether what a person writes never becomes it: control tokens, and
 * user-defined ones that are named like these. */
bool tokenizer_is_reserved(const struct tokenizer *tokenizer, int32_t id);
/* Whether it is matched as a whole before anything else looks at the text:
 * control tokens and user-defined ones. */
bool tokenizer_is_special(const struct tokenizer *tokenizer, int32_t id);
int32_t tokenizer_unk(const struct tokenizer *tokenizer);
int32_t tokenizer_pad(const struct tokenizer *tokenizer);
/* By its vocabulary text; TOKEN_NONE when absent. */
int32_t tokenizer_find(const struct tokenizer *tokenizer, const char *name, size_t len);
/* Before several names are looked for: one whose vocabulary is elsewhere asks for all at once. */
void tokenizer_expect(const struct tokenizer *tokenizer, const char *const *names, size_t n);

/* Turns ids into text as they come: emits whole UTF-8 characters only, and
 * drops the blank that SentencePiece puts before the first word when
 * `at_start`. One per stream; not thread-safe. */
struct detokenizer {
	const struct tokenizer *tokenizer;
	struct utf8_stream utf8;
	bool strip_space; /* the next piece loses one leading blank */
};

void detokenizer_init(struct detokenizer *d, const struct tokenizer *tokenizer, bool at_start);
/* Appends what became complete (may be nothing). Control tokens add nothing. */
enum status detokenizer_push(struct detokenizer *d, int32_t id, struct buf *out) MUST_CHECK;

#endif
