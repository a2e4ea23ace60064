/* The turn that runs, or ran last. */
#ifndef SOTTO_DIALOG_REPLY_H
#define SOTTO_DIALOG_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "chat/run.h"
#include "chat/tree.h"
#include "journal/journal.h"

/* What there was before a message was sent, to come back to if it is refused. */
struct dialog_sent {
	uint32_t message; /* 0: none was sent */
	uint32_t n_nodes; /* of the tree; what came after them goes with the message */
	uint32_t leaf;
	uint32_t edited;  /* the message that it replaces; 0: none */
	size_t n_stored;
	bool recorded;
	struct journal_point before, after; /* its record */
};

struct dialog_turn {
	struct dialog_sent sent;
	uint64_t id;
	uint32_t reply;    /* its node, 0 before the first token */
	uint32_t take;     /* how many replies its message has already */
	uint32_t replaced; /* the leaf to go back to if there is no reply; 0: where it is */
	bool continues;    /* it continues a reply, which was in this state: */
	enum node_state state_before;
	uint32_t prefill_done, prefill_total;
	uint32_t n_left_out; /* messages, to make room; if the policy refuses that, those that would be */
	uint64_t asked_at;  /* in milliseconds */
	struct reply_run run; /* how it is made, until its first token; then the node has it */
	bool has_run;         /* the node has */
	uint64_t first_token_us, last_token_us;
	uint32_t n_tokens;
};

/* A summary that a turn waits for: of messages for which the context has no room. */
struct dialog_summary {
	bool running;
	bool tried;        /* one was made for this turn: it gets no other */
	uint32_t up_to;    /* the last message that it is to stand for; 0: none falls out */
	struct buf text;   /* so far */
};

#endif
