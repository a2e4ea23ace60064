/* What a model answers: events of the turn that was asked for become the reply in the chat and its journal. */
#ifndef SOTTO_DIALOG_EVENTS_H
#define SOTTO_DIALOG_EVENTS_H

#include <stdint.h>

#include "base/error.h"
#include "turn/event.h"

struct dialog;

/* What came of an event. */
enum turn_news {
	TURN_GOES_ON,
	TURN_IS_LOST,        /* not enough memory for the reply: the turn is to be cancelled */
	TURN_HAS_ENDED,
	TURN_WANTS_SUMMARY,  /* it was refused for lack of room: dialog_build_summary_turn */
	TURN_HAS_SUMMARY,    /* that is in the chat: dialog_build_turn once more */
	TURN_HAS_NO_SUMMARY, /* *err says why; the message is not answered */
};

/* Takes an event of the turn; which one has to be known (dialog_turn.id). */
enum turn_news dialog_event(struct dialog *dialog, const struct event *event, uint64_t now_us,
                            struct error *err);
/* Keeps an unfinished reply as far as it got: no more events are taken. */
void dialog_interrupt(struct dialog *dialog);

#endif
