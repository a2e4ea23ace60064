/* A turn that made a reply, or a part of one, once more: as its record says (chat/run.h). */
#ifndef SOTTO_DIALOG_RECORDED_H
#define SOTTO_DIALOG_RECORDED_H

#include <stddef.h>

#include "base/error.h"
#include "chat/turn.h"

struct dialog;
struct node;

/* Builds run number `index` of the reply, of what was sent then: other messages may have been pinned or dropped
 * since, and the reply may have been continued. The engine's parameters are the dialog's. Moves the leaf.
 * chat_turn_free in every case. */
enum status dialog_build_recorded_turn(struct dialog *dialog, struct node *reply, size_t index,
                                       struct chat_turn *out, struct error *err) MUST_CHECK;

#endif
