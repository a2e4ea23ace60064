/* What fills the context, row by row: the table of /context, F9 and `sotto run --context`. The tokens
 * of its rows, what is reserved for the reply and what is free add up to the context exactly. */
#ifndef SOTTO_CHAT_LEDGER_H
#define SOTTO_CHAT_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "chat/tree.h"
#include "turn/turn.h"

enum ledger_kind {
	LEDGER_HELP,     /* the guide's, instead of the system messages */
	LEDGER_SYSTEM,
	LEDGER_SUMMARY,
	LEDGER_TEMPLATE, /* what the chat template puts around the messages */
	LEDGER_MESSAGE,
	LEDGER_FILES,    /* attached to the message or draft above: a file, or all of them */
	LEDGER_DRAFT,    /* what is in the input line */
	LEDGER_RESERVE,  /* reserved for the reply */
	LEDGER_FREE,
};

/* As an engine has counted the messages of a turn (inspection). Borrowed. */
struct ledger_counts {
	const struct message_count *messages; /* [n] */
	size_t n; /* as many as are sent, and perhaps a draft */
	struct message_count help;
	uint32_t total; /* the tokens of all, and of the help */
	uint32_t cached, n_ctx, reserve; /* n_ctx 0: unknown */
	bool estimated, is_total_known;
};

struct ledger_row {
	enum ledger_kind kind;
	uint32_t tokens;
	const char *name; /* "System", "You", the model's */
	const char *why;  /* it is not sent: "left out", "dropped", "summed up"; NULL: it is */
	uint32_t node;    /* the message, where it can be pinned and dropped; 0: not one of these */
	bool pinned;
	const char *text; /* [len]: the message's; the tree's */
	size_t len;
};

struct ledger {
	struct ledger_row *rows; /* owned, [n] */
	size_t n;
	uint32_t total, cached, n_ctx;
	uint32_t over;           /* tokens that the context has no room for */
	bool estimated;          /* all numbers of tokens are, */
	bool is_total_known;     /* but for the total */
};

/* Of the tree's path. False without memory; ledger_free in every case. */
bool ledger_make(struct ledger *out, const struct tree *tree, const struct ledger_counts *counts);
void ledger_free(struct ledger *ledger);
/* "42 of 60 tokens, 37 of them in the cache"; "~42 tokens" */
void ledger_put_sum(struct buf *out, const struct ledger *ledger);
enum { LEDGER_COUNT_MAX = 16 };
/* The tokens of a row, "42" or where they are estimated "~42", or why it has none. Returns `text`, or what is
 * static. */
const char *ledger_count(const struct ledger_row *row, bool estimated, char text[LEDGER_COUNT_MAX]);
/* The table, a line a row. Not sanitised. */
void ledger_put_text(struct buf *out, const struct ledger *ledger);
/* What a row is about: its message's name and first line, each of at most so many bytes. */
void ledger_put_what(struct buf *out, const struct ledger_row *row, size_t name_max,
                     size_t text_max);

#endif
