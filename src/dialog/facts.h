/* What happens to a conversation besides what an operation answers: facts, in their order. Who holds the
 * conversation takes them after each call and puts them in words. */
#ifndef SOTTO_DIALOG_FACTS_H
#define SOTTO_DIALOG_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct dialog;

enum fact_kind {
	FACT_NOT_SAVED,        /* a write failed, for another reason than the last one; it is tried again */
	FACT_SAVED_AGAIN,      /* where it belongs */
	FACT_SAVED_ASIDE,      /* in the rescue folder */
	FACT_CANNOT_SAVE,      /* the chat that was begun has no journal */
	FACT_DRAFT_NOT_SAVED,  /* what is typed is only in memory */
	FACT_OPTIONS,          /* the settings have other values */
	FACT_TEMPLATE_LOST,    /* the one of the chat's system message can no longer be used */
	FACT_TEMPLATE_CHANGED, /* the file of the one in use */
	FACT_TEMPLATE_GONE,
	FACT_FILES_UNFOLDED,   /* no memory to tell a message's files from its text */
	FACT_REPLY_UNLABELLED, /* no memory to say whose it is */
};

struct fact {
	enum fact_kind kind;
	struct error error; /* why, where that is not plain */
};

struct facts {
	struct fact *items; /* owned; the oldest first */
	size_t n, cap;
};

/* `why` may be NULL. Without memory it is not told. */
void dialog_note(struct dialog *dialog, enum fact_kind kind, const struct error *why);
/* Takes the oldest one. False: there is none. */
bool dialog_take_fact(struct dialog *dialog, struct fact *out);

#endif
