/* Survives a model file that is cut short while it is mapped.
 *
 * Reading a mapped page that the file no longer has raises SIGBUS in the reading thread,
 * usually a pool thread in the middle of a matrix product. The handler maps zeros over the
 * rest of the registered mapping, sets a flag and returns: the product goes on with wrong
 * numbers, and whoever checks the flag (gguf_was_truncated) ends the turn with a message.
 * Faults at addresses that are not registered go to the handler that was there before.
 *
 * The table of mappings and the handler are the one exception to the rule that
 * there are no globals: a signal handler gets no context.
 *
 * A thread that blocks SIGBUS is killed by such a fault: block all other signals, but not
 * this one. */
#ifndef SOTTO_GGUF_GUARD_H
#define SOTTO_GGUF_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Mappings at a time: a few models, two of which may have LIMIT_GGUF_PARTS. */
enum { GUARD_MAX = 640 };

/* Registers a mapping of whole pages that stays until guard_remove. *slot is
 * its handle. STATUS_LIMIT when too many are registered. Any thread. */
enum status guard_add(const void *base, size_t size, int *slot, struct error *err) MUST_CHECK;
/* Before the mapping goes. */
void guard_remove(int slot);
/* True once zeros were mapped. */
bool guard_was_hit(int slot);

#endif
