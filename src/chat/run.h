/* How a reply, or the part of it that one turn added, was made: all that decides its tokens besides
 * the conversation, so that `sotto replay` can make it again. Plain data. */
#ifndef SOTTO_CHAT_RUN_H
#define SOTTO_CHAT_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "chat/run_marks.h"
#include "sampler/params.h"
#include "turn/turn.h"

/* Parameters from a token of the run on, counted from 0 as they are sampled. */
struct run_change {
	uint32_t at;
	struct sampler_params params; /* without a seed: that of the run stays */
	size_t text; /* bytes of the reply's text, as a whole, before that token; RUN_TEXT_UNKNOWN */
};

#define RUN_TEXT_UNKNOWN SIZE_MAX /* older chats do not say */

enum { RUN_NAME_MAX = 32, RUN_SENT_MAX = 64 * 1024 };

struct reply_run {
	/* What the reply had already, in tokens and bytes, when the turn began. */
	size_t from_id, from_text, from_reasoning;
	bool has_first;          /* its first token was the user's choice, of this id; not sampled */
	int32_t first;
	struct turn_begin begin; /* parameters, seed, prompt */
	bool has_begun;
	char program[RUN_NAME_MAX];  /* "sotto 0.1.0" */
	struct model_identity model;
	struct reasoning_wish wish;  /* with the clock that the template saw */
	double weight_rate;
	int32_t n_predict;       /* these as in the turn */
	enum context_policy policy;
	char *options;           /* as model_info.options; owned, NULL: older records do not say */
	char *template_kwargs;   /* in the place of wish's; owned, NULL: none */
	char *samplers, *logit_bias, *dry_breakers; /* as in the turn; owned, NULL: as usual */
	char *stops;             /* words (base/words.h); owned, NULL: none */
	char *sent; /* to a server besides the conversation, as JSON; owned, NULL: a file's model, or longer than RUN_SENT_MAX */
	struct run_change *changes; /* owned; in rising order */
	size_t n_changes, cap_changes;
	struct run_marks marks; /* what of the conversation was sent */
	char ended[RUN_NAME_MAX]; /* done_reason_name; "": it was cut by the end of the program */
};

/* The run of a turn that is about to be sent, of the tree's path. Sets the turn's clock, if it has none, so
 * that the template sees what is recorded. STATUS_NOMEM; run_free in every case. */
enum status run_prepare(struct reply_run *run, struct turn *turn, const struct tree *tree,
                        const struct model_info *model, struct error *err) MUST_CHECK;
/* Whether it added to a reply that had begun already. */
bool run_continues(const struct reply_run *run);
/* What a server was sent, without key and conversation (EVENT_SENT), in the place of what it was sent before. Without
 * memory, or if it is too long, it is not known. */
void run_set_sent(struct reply_run *run, const char *json);
/* Whether a server's model made it. */
bool run_is_remote(const struct reply_run *run);
/* False: without memory it would no longer be true, and is emptied. */
bool run_add_change(struct reply_run *run, uint32_t at, const struct sampler_params *params,
                    size_t text);
/* The parameters for its token number `at`, and for the reply's token number `token`. */
struct sampler_params run_params_at(const struct reply_run *run, uint32_t at);
struct sampler_params run_params_of(const struct reply_run *run, size_t token);
/* For another tree, where messages have other ids: of marks only that there are none is copied.
 * STATUS_NOMEM: *to is empty. */
enum status run_copy(struct reply_run *to, const struct reply_run *from) MUST_CHECK;
void run_free(struct reply_run *run);

#endif
