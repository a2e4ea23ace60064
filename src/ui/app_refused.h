/* A message whose reply never began. UI thread only. */
#ifndef SOTTO_UI_APP_REFUSED_H
#define SOTTO_UI_APP_REFUSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "journal/journal.h"

struct app;

/* What there was before a message was sent, to come back to if it is refused. */
struct app_sent {
	uint32_t message; /* 0: none was sent */
	uint32_t n_nodes; /* of the tree; what came after them goes with the message */
	uint32_t leaf;
	uint32_t edited;  /* the message that it replaces; 0: none */
	size_t n_stored;
	bool recorded;
	struct journal_point before, after; /* its record */
};

/* What there is before a message is sent; and that it is stored. */
struct app_sent app_sent_begin(const struct app *app);
void app_sent_stored(const struct app *app, struct app_sent *sent, uint32_t message);
/* Takes the message out of the chat and its file, as if it had not been sent. False: it stays. */
bool app_take_back(struct app *app, const struct app_sent *sent);
/* Puts the leaf, which was refused, back into the line: without a trace, where it can be taken back.
 * `too_long`: one that was sent before and not answered, too. False: it stays. */
bool app_give_back(struct app *app, bool too_long);

#endif
