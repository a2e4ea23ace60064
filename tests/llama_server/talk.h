/* A model that is talked to, on a server or in a file, and all that it says. */
#ifndef SOTTO_TESTS_LLAMA_SERVER_TALK_H
#define SOTTO_TESTS_LLAMA_SERVER_TALK_H

#include "engine/backend.h"
#include "tokenizer/tokenizer.h"

enum { TALK_TOKENS_MAX = 4096 };

struct talk {
	struct backend *backend;
	struct model_info info;
	struct backend_host host;
	struct sampler_params params;
	struct error err;
	/* What is done in mid-reply: 0: nothing. */
	size_t cancel_at, answer_at; /* at this token */
	bool cancel_at_text;         /* when the answer begins */
	void (*act)(void *ctx);      /* at the token `act_at`, or at the first EVENT_WAITING where that is 0 */
	size_t act_at;
	void *act_ctx;
	bool cancelled;
	/* Of the last turn. */
	struct buf text, reasoning;
	struct token_list ids;
	struct token_candidate candidates[TALK_TOKENS_MAX][2]; /* of each token */
	size_t n_tokens, n_waiting, n_learnt;
	struct backend_result result;
	struct inspection inspection;
	struct message_count counts[64];
};

/* `server` NULL: the file `model`, with the chat template of a file, if that is not NULL; else a model of a server at
 * this URL, "" for its first. */
enum status talk_open(struct talk *talk, const char *model, const char *server, const char *chat_template);
void talk_close(struct talk *talk);
enum status talk_run(struct talk *talk, const struct turn *turn);
enum status talk_inspect(struct talk *talk, const struct turn *turn, enum inspect_purpose purpose);

#endif
