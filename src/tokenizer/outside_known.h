/* What is known of a vocabulary that is elsewhere: pieces of tokens, texts that were tokenised before.
 * Inside of tokenizer/. */
#ifndef SOTTO_TOKENIZER_OUTSIDE_KNOWN_H
#define SOTTO_TOKENIZER_OUTSIDE_KNOWN_H

#include "tokenizer/outside.h"
#include "tokenizer/special.h"

enum outside_flags {
	OUTSIDE_TOLD = 1 << 0,    /* the piece is known ... */
	OUTSIDE_SORTED = 1 << 1,  /* ... and so is whether it is a control token: */
	OUTSIDE_CONTROL = 1 << 2,
	OUTSIDE_RESERVED = 1 << 3, /* named like one */
	OUTSIDE_STRIP_LEFT = 1 << 4, /* as TOKEN_STRIP_LEFT */
	OUTSIDE_STRIP_RIGHT = 1 << 5,
};

struct outside_token {
	char *piece; /* owned; NUL-terminated */
	size_t len;
	unsigned flags;
};

/* How a text is tokenised. */
enum outside_mode {
	OUTSIDE_SPECIAL = 's', /* control tokens are matched */
	OUTSIDE_PLAIN = 'p',   /* at a border */
	OUTSIDE_GOING_ON = 'g', /* behind other text: no blank is put before it */
};

struct outside_want {
	enum outside_mode mode;
	const char *text; /* borrowed */
	size_t len;
};

/* What has to be asked for, noted instead (outside_gather.c). */
struct outside_gather {
	bool is_on, with_texts;
	struct outside_want *wants; /* [n_wants]; the texts are owned */
	size_t n_wants, cap;
	struct token_list ids;
};

struct outside {
	const struct outside_ops *ops;
	void *ctx;
	struct outside_token *tokens; /* [n_tokens], by id */
	size_t n_tokens;
	struct outside_text **texts; /* open addressing, mask + 1 slots; owned */
	size_t mask, n_texts, bytes;
	struct outside_gather gather;
	struct token_list lead;      /* the ids of a character that joins no other */
	int32_t bos, eos, unk;
	size_t n_vocab;
	bool adds_bos, adds_space;
};

/* A tokenizer that asks (tokenizer.c); takes `outside` on success. */
enum status tokenizer_wrap(struct tokenizer **out, struct outside *outside, struct error *err) MUST_CHECK;
void outside_free(struct outside *o); /* NULL is fine */
/* What a text was tokenised as; NULL: not asked yet. Valid until outside_tidy. */
const struct token_list *outside_find(const struct outside *o, struct outside_want want);
/* Asks for what is not known yet; all of it can then be found, and its pieces. */
enum status outside_fetch(struct outside *o, const struct outside_want *wants, size_t n,
                          struct error *err) MUST_CHECK;
/* Forgets texts if there are too many. */
void outside_tidy(struct outside *o);
/* The token, or one that is not known. */
const struct outside_token *outside_token(const struct outside *o, int32_t id);
/* Finds out which of these tokens are control tokens (outside_sort.c). */
enum status outside_sort(struct outside *o, const int32_t *ids, size_t n, struct error *err) MUST_CHECK;
/* The ids of a text whose ranges are as for special_split (outside.c). */
enum status outside_encode(struct outside *o, const char *text, size_t len,
                           const struct text_range *ranges, size_t n, unsigned flags,
                           struct token_list *out, struct error *err) MUST_CHECK;
/* The token of this name; TOKEN_NONE: there is none, or nobody answers (outside_open.c). */
int32_t outside_find_name(struct outside *o, const char *name, size_t len);
/* Asks for several names that will be looked for. */
void outside_expect(struct outside *o, const char *const *names, size_t n);
/* Asks for pieces that are not known, and sorts them. */
enum status outside_prepare(struct outside *o, const int32_t *ids, size_t n, struct error *err) MUST_CHECK;
/* While gathering: notes what of these is not known. *missing: some of it is not. */
enum status outside_note(struct outside *o, const struct outside_want *wants, size_t n, bool *missing,
                         struct error *err) MUST_CHECK;
enum status outside_note_ids(struct outside *o, const int32_t *ids, size_t n, bool *missing,
                             struct error *err) MUST_CHECK;
/* Asks for all that was noted, and ends gathering. */
enum status outside_gathered(struct outside *o, bool *any, struct error *err) MUST_CHECK;
void outside_gather_free(struct outside_gather *gather);

#endif
