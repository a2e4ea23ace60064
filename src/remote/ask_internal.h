/* Shared by ask.c, which sends and takes, and ask_judge.c, which says what comes of it. */
#ifndef SOTTO_REMOTE_ASK_INTERNAL_H
#define SOTTO_REMOTE_ASK_INTERNAL_H

#include "remote/ask.h"
#include "remote/reply.h"
#include "remote/retry.h"
#include "remote/stream.h"

/* A turn under way. */
struct asking {
	struct remote *remote;
	const struct backend_host *host;
	struct backend_result *result;
	struct remote_ask ask;
	struct remote_request request;
	struct reply reply;
	struct retry retry;
	struct http_answer answer;
	struct stream stream;
	struct chunk chunk;
	bool is_ended;       /* we have ended the call: nothing more of it is wanted */
	uint64_t done_ms;    /* since when [DONE] is there; 0: it was not seen yet */
	bool wanted_answer;  /* the thinking was told to end */
	bool is_told;        /* what is left out, and how the conversation was changed */
	bool is_refitted;    /* the context turned out to be smaller than it was thought */
	unsigned n_refusals;
};

enum verdict { REPLY_IS_DONE, REPLY_FAILED, ASK_AGAIN };

/* What a request has come to; where it is asked again, the wait before that is over. `status` is its call's, with the
 * error in `err`, which says why a reply has failed. */
enum verdict ask_judge(struct asking *a, enum status status, struct error *err);
/* The same where the request could not be written: a dialect asks short questions first, for tokens, which a server
 * that is busy, loading or gone for a moment refuses as it does the request. */
bool ask_writes_again(struct asking *a);

#endif
