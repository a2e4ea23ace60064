/* A reply of a server's model at temperature 0, with what it tells of each token. */
#ifndef SOTTO_CLI_SERVED_REPLY_H
#define SOTTO_CLI_SERVED_REPLY_H

#include "base/buf.h"
#include "base/error.h"
#include "compare/agreement.h"
#include "tokenizer/tokenizer.h"
#include "turn/engine_params.h"
#include "turn/turn.h"

struct served_token {
	int32_t id; /* as the server says; TOKEN_NONE */
	struct candidate text;
	struct candidates told;
};

struct served_reply {
	struct model_info info;
	struct served_token *tokens; /* owned, [n] */
	size_t n, cap;
};

/* `model`: "server:NAME/MODEL"; borrowed. STATUS_DECLINED: it tells no candidates. served_reply_free in every case. */
enum status served_reply_get(struct served_reply *out, char *model, const struct engine_params *params,
                             const struct turn *turn, struct error *err) MUST_CHECK;
void served_reply_free(struct served_reply *reply);

/* The reply's tokens in another vocabulary, as many as it has: fewer than reply->n where one is not in it. */
enum status served_reply_ids(const struct served_reply *reply, const struct tokenizer *tokenizer,
                             struct token_list *out, struct error *err) MUST_CHECK;
/* The text of a token as servers tell it. */
struct candidate served_candidate(const struct tokenizer *tokenizer, int32_t id, double log_p);

#endif
