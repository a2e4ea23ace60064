/* Going through a reply once more, for its candidates, where none are kept: a turn that changes nothing of the chat. */
#ifndef SOTTO_DIALOG_EXAMINE_H
#define SOTTO_DIALOG_EXAMINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "chat/turn.h"
#include "turn/event.h"

struct dialog;

/* What runs; all zero: nothing. */
struct dialog_examine {
	uint64_t turn;
	uint32_t reply;
	size_t n_done, n; /* tokens; n 0: not known yet */
	size_t n_bytes;   /* of the reply, that those have completed */
};

/* The turn, as the reply's record says, to be run as BACKEND_EXAMINE. STATUS_USAGE: it cannot be, and why.
 * chat_turn_free in every case. */
enum status dialog_build_examine(struct dialog *dialog, uint32_t reply, struct chat_turn *out,
                                 struct error *err) MUST_CHECK;
void dialog_examine_runs(struct dialog *dialog, uint32_t reply, uint64_t id);
/* An event of it; where it did not come to its end, nothing is kept. True: it has ended. */
bool dialog_examine_event(struct dialog *dialog, const struct event *event);

#endif
