/* A reply that comes in: chunks in, events out. Divides text into thoughts and answer where the server does not, finds
 * stop strings that it does not know, keeps characters whole, counts. */
#ifndef SOTTO_REMOTE_REPLY_H
#define SOTTO_REMOTE_REPLY_H

#include "encode/splitter.h"
#include "remote/characters.h"
#include "remote/dialect.h"
#include "remote/echo.h"

struct reply {
	struct remote *remote;
	const struct remote_ask *ask;
	const struct backend_host *host;
	const struct remote_request *request; /* the last one that was sent */
	struct turn_stats *stats;
	bool has_begun;     /* EVENT_BEGIN was told */
	bool is_over;       /* nothing more is wanted: a stop string, the most tokens */
	bool is_thinking;   /* so was the last token */
	enum chunk_end end; /* why it has ended, by the server or by us */
	char id[CHUNK_ID_MAX + 1];
	struct chunk_usage usage;
	size_t n_bytes, n_thought; /* of the answer, and of thoughts, that were told */
	uint64_t sent_ms, begun_ms; /* when the request was sent, and the first token came */

	/* How its text is divided. */
	bool is_divided;           /* it is known how: the splitter is there */
	struct splitter splitter;
	struct detokenizer detokenizer; /* of ids */
	const char **stops;        /* owned */
	struct buf opening;        /* text before that is known, */
	struct token opening_token; /* ... and how much there is of it */
	struct characters text_tail, reasoning_tail; /* the beginnings of characters */
	struct echo echo;          /* of a continued reply */
	struct buf text;           /* of one chunk, in whole characters */
	struct token last;         /* that was pushed, without bytes */
	bool was_told;             /* some of it, or of those before it, was */
	bool is_replayed;          /* ids of a continued reply go through the splitter again, and are not told */
	size_t n_held;             /* of these, held back by the splitter: told when the reply was cut */
	bool skips;                /* the rest of the token told last was told then, too */
	struct buf aside;          /* a message besides the answer so far */
	char aside_to[SPLITTER_RECIPIENT_MAX + 1];
};

void reply_init(struct reply *reply, struct remote *remote, const struct remote_ask *ask,
                const struct backend_host *host, struct turn_stats *stats);
void reply_free(struct reply *reply);

/* A request is being sent, the first or another one for the same reply. */
void reply_send(struct reply *reply, const struct remote_request *request, uint64_t now_ms);
enum status reply_take(struct reply *reply, const struct chunk *chunk, uint64_t now_ms, struct error *err) MUST_CHECK;
/* Nothing more comes. `is_whole`: the model has ended it, so that half a character at its end stays one. True in
 * *in_character: it was cut within one. Fills in the stats in every case. */
enum status reply_end(struct reply *reply, bool is_whole, uint64_t now_ms, bool *in_character,
                      struct error *err) MUST_CHECK;
#endif
