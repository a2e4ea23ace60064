/* What a model almost said: of each token of a reply, the best of the tokens that it was chosen from. Kept in memory
 * while a chat is open, and in a file beside the chat's (kept_file.h), which may be deleted: the chat then is as it
 * was, and a model can work the candidates out again. Plain data; one thread. */
#ifndef SOTTO_KEPT_H
#define SOTTO_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "turn/turn.h"

enum {
	KEPT_BYTES = 400,  /* that a token takes in the file, on an average over what is written */
	KEPT_SHOWN = 20,   /* candidates of which text and fate are kept; of more only id and logit */
	KEPT_TAIL_MAX = PROMPT_TAIL_MAX, /* last tokens of the prompt that are kept, for penalties */
};

struct kept_candidate {
	int32_t id;     /* below -1: a server's, which told only the text; a number of this file's own */
	float logit;    /* as the samplers got it, biases included; a server's: the logarithm of its probability */
	float chosen_p; /* after all samplers; 0: cut */
	uint8_t cut_by; /* which sampler took it out (kept_cut_name); 0: none */
};

enum kept_token_flags {
	KEPT_REASONING = 1 << 0, /* part of what was thought, or a mark around that */
	KEPT_PICKED = 1 << 1,    /* the user put it there, by another candidate or an edit; it was not sampled */
};

struct kept_token {
	int32_t id;
	unsigned flags;
	float probability; /* in the distribution it was sampled from; 0: not known */
	float raw_p;       /* before all samplers; 0: not known */
	float entropy;     /* of the whole distribution before all samplers, in nats; NAN: not known */
	/* ln of the sum of exp(logit) over the whole vocabulary: the probability before all samplers of a
	 * candidate is exp(logit - log_sum). NAN: not known. */
	float log_sum;
	uint32_t n_bytes;  /* of the reply's text or reasoning that it completed; both together are those of the reply */
	uint32_t us;       /* microseconds since the token before; 0: not measured */
	const struct kept_candidate *candidates; /* [n_candidates]: by falling logit, ties by rising id */
	size_t n_candidates;
};

struct kept_reply; /* one reply, token by token */
struct kept;       /* those of a chat, and the texts of tokens */

struct kept *kept_create(void); /* NULL without memory */
void kept_free(struct kept *kept);

/* The candidates of a reply (its node's id); NULL: there are none. Borrowed until the reply is cut or dropped. */
const struct kept_reply *kept_reply(const struct kept *kept, uint32_t node);
/* The last reply's node, and the one before another's; 0: none. */
uint32_t kept_last(const struct kept *kept);
uint32_t kept_before(const struct kept *kept, uint32_t node);
size_t kept_n(const struct kept_reply *reply);
/* The token number i, as in node->ids. Borrowed until tokens are added. */
const struct kept_token *kept_token(const struct kept_reply *reply, size_t i);
/* The bytes of the reply's text and reasoning that its first `n` tokens completed; n <= kept_n. */
uint64_t kept_bytes(const struct kept_reply *reply, size_t n);
/* The last tokens of its prompt, [*n] <= KEPT_TAIL_MAX; `*is_whole`: that is all of the prompt. */
const int32_t *kept_tail(const struct kept_reply *reply, size_t *n, bool *is_whole);
/* The tokens of `vocabulary` the reply's candidates were chosen among; 0: not known (a server's). */
uint32_t kept_n_vocab(const struct kept_reply *reply);
/* What the model is known by that gave its candidates, as in kept_begin. */
const char *kept_model_name(const struct kept_reply *reply);
/* The text of a token of the reply's model, its first 24 bytes: not sanitised, maybe not whole characters; a control
 * token's name. NULL: not known. */
const char *kept_text(const struct kept_reply *reply, int32_t id, size_t *len);
/* The name of the sampler's option: "top-k"; NULL for 0 and what is unknown; and back. */
const char *kept_cut_name(unsigned cut_by);
uint8_t kept_cut_code(const char *name);

/* ---- adding ---- */

/* Begins a reply, or goes on with one that has tokens already (`from` of them stay, those beyond are dropped).
 * `model`: what its vocabulary is known by; replies of one model share the texts. */
enum status kept_begin(struct kept *kept, uint32_t node, size_t from, const char *model,
                       const struct turn_begin *begin, struct error *err) MUST_CHECK;
/* Adds what is told of a token; pieces of it (token->rest) only add their bytes. `us` as in kept_token. */
enum status kept_add(struct kept *kept, uint32_t node, const struct token *token, uint32_t us,
                     struct error *err) MUST_CHECK;
/* The first `n` tokens of a reply are those of another one: a branch of it. */
enum status kept_copy(struct kept *kept, uint32_t to, uint32_t from, size_t n, struct error *err) MUST_CHECK;
/* A copy of another chat's reply, with the texts of its model; NULL: nothing. */
enum status kept_take_over(struct kept *kept, uint32_t node, const struct kept_reply *reply,
                           struct error *err) MUST_CHECK;
void kept_drop(struct kept *kept, uint32_t node);

#endif
