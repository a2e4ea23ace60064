/* What is left out of a conversation that is too long for the context: whole turns, the oldest
 * first. */
#ifndef SOTTO_PROMPT_FIT_H
#define SOTTO_PROMPT_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/turn.h"

/* Room for the prompt in a context: without a quarter of it, or less if the reply may be no longer
 * than that. A raw turn may have all. */
size_t fit_room(const struct turn *turn, size_t n_ctx);
/* How much of a conversation fits: given the tokens of each message, leaves out
 * whole turns from the oldest on (a user's message and what answers it; leading
 * system messages, the last of the later ones and the last turn stay) until
 * `tokens` + `fixed` are at most `room`. What is to go is rounded up to a multiple of
 * `step` tokens (1 = no more than must): while a conversation grows by less than
 * that, the same messages are left out, and the cache keeps the others. Sets
 * keep[i]; *n_dropped counts the messages left out, system messages aside: so many of the
 * oldest. STATUS_CONTEXT when the
 * last turn alone is too much. */
enum status fit_messages(const struct turn *turn, const uint32_t *tokens, size_t fixed,
                        size_t room, size_t step, bool *keep, uint32_t *n_dropped,
                        struct error *err) MUST_CHECK;
/* How many messages would be left out with one more of the user's behind them, of `n_next`
 * tokens; 0 without memory. */
uint32_t fit_dropped_next(const struct turn *turn, const uint32_t *tokens, size_t room,
                              size_t step, uint32_t n_next);

#endif
