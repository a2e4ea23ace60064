/* Chooses what to leave out of a conversation that is too long for the context: whole turns, in the
 * order that the policy says. */
#ifndef SOTTO_ENCODE_FIT_H
#define SOTTO_ENCODE_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "turn/turn.h"

/* How many tokens of a context the prompt may take. A quarter is left for the reply, or less if its
 * maximum length is shorter. A raw turn may take all. */
size_t fit_room(const struct turn *turn, size_t n_ctx);
/* How many tokens of a room are freed at once: when the context is full a quarter of it, because
 * leaving messages out means evaluating the rest again, which should not happen every turn. */
size_t fit_step(size_t room);
/* Given the tokens of each message, leaves out whole turns (a user's message and the
 * replies to it) until `fixed` plus the sum of `tokens` is at most `room`: the oldest
 * first. With CONTEXT_ENDS the first turns, as many as take a quarter of the room but
 * at least one, go only after those behind them. The leading system messages, the last
 * of the later ones, the last turn and turns with a pinned message are always kept. The excess is rounded up to a multiple of `step` tokens (1 = none
 * more than necessary): until a conversation has grown by that much, the same messages
 * are left out, and the cache holds the others. Sets keep[i]. *n_dropped is how many
 * messages were left out, not counting system messages. STATUS_CONTEXT if what is
 * always kept is too long. Policies that leave nothing out choose as CONTEXT_ROLL does:
 * fit_permit refuses. */
enum status fit_messages(const struct turn *turn, const uint32_t *tokens, size_t fixed,
                        size_t room, size_t step, bool *keep, uint32_t *n_dropped,
                        struct error *err) MUST_CHECK;
/* Which messages are left out, those of the system not counted: [*n], the caller frees it. NULL without
 * memory. */
bool *fit_left_out(const struct turn *turn, const bool *keep, size_t *n);
/* STATUS_CONTEXT if messages had to be left out of the conversation's `total` tokens and the policy
 * leaves nothing out. */
enum status fit_permit(const struct turn *turn, uint32_t n_dropped, size_t total, size_t room,
                       struct error *err) MUST_CHECK;
/* How many messages would be left out with another one of the user's after them, as long as the last
 * one, but at least a sixteenth of the context; 0 if there is no memory to tell. */
uint32_t fit_dropped_next(const struct turn *turn, const uint32_t *tokens, size_t n_ctx);

#endif
