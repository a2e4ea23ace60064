/* Copies of a conversation, so that a command outlives what it was posted from. */
#ifndef SOTTO_ENGINE_TURN_H
#define SOTTO_ENGINE_TURN_H

#include "base/error.h"
#include "engine/worker.h"

/* Copies a turn into one block of memory: free(copy). */
enum status turn_copy(struct worker_turn **out, const struct worker_turn *turn,
                      struct error *err) MUST_CHECK;

#endif
