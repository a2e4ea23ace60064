/* What is sent of a conversation. One builder serves replies, /context, F8 and `sotto run`, so
 * that all of them count, and leave out, the same. */
#ifndef SOTTO_CHAT_TURN_H
#define SOTTO_CHAT_TURN_H

#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "chat/stops.h"
#include "chat/tree.h"
#include "turn/engine_params.h"
#include "turn/turn.h"

/* Everything is borrowed. */
struct chat_turn_source {
	const struct tree *tree; /* its path up to the leaf */
	const char *draft;       /* a message of the user's behind it; draft_len 0: none */
	size_t draft_len;
	const struct attachments *draft_files; /* parts of its text; NULL: none */
	const struct engine_params *engine;
	const struct sampler_params *sampler;
	const char *const *stops; /* strings that end the reply besides the engine's, n_stops of them */
	size_t n_stops;
	bool no_summary;         /* none can be made: the policy of that name leaves out the oldest turns */
	bool continues;          /* the last message, a reply, is continued */
	const struct message *begun; /* that reply, if it is not in the tree yet; NULL: it is */
	double weight_rate;       /* as of struct turn */
};

struct chat_turn {
	/* Borrows from its source. `answered`, where a reply is the last message, unless it continues. */
	struct turn turn;
	struct message *messages; /* owned: those of the turn */
	struct buf *texts;        /* owned, [n_texts]: of messages with files, as they are sent */
	size_t n_texts;
	struct stops stops;       /* owned: the turn's */
	struct turn_part *parts;  /* owned: the turn's */
};

/* A turn with these settings, without messages and stop strings. */
struct turn chat_turn_of(const struct engine_params *engine, const struct sampler_params *sampler);
/* STATUS_NOMEM is all that can go wrong. chat_turn_free in every case. */
enum status chat_turn_build(struct chat_turn *out, const struct chat_turn_source *source,
                            struct error *err) MUST_CHECK;
void chat_turn_free(struct chat_turn *turn);

#endif
