/* DRY, "don't repeat yourself" (P. E. Weidmann, 2024, text-generation-webui pull request 5677; in
 * llama.cpp by pull request 9702): where the last tokens stand earlier in the text, too, what
 * followed them there becomes less probable, exponentially with the length of the repetition. A
 * breaker, as a line feed or the end of a quotation, ends what counts as repeated: there are
 * things that have to be repeated, as names and markers are. */
#ifndef SOTTO_SAMPLER_DRY_H
#define SOTTO_SAMPLER_DRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sampler/params.h"

/* Breakers as sequences of tokens: a head and what has to follow it, which is nothing for most. */
struct dry_breakers;

enum { DRY_TAIL_MAX = 20 };

enum status dry_breakers_create(struct dry_breakers **out, size_t n_vocab,
                                struct error *err) MUST_CHECK;
void dry_breakers_free(struct dry_breakers *breakers); /* NULL is fine */
/* Adds a breaker with n <= DRY_TAIL_MAX ids in its tail, unless it is there. Heads must not
 * decrease from call to call. */
enum status dry_breakers_add(struct dry_breakers *breakers, int32_t head, const int32_t *tail,
                             size_t n, struct error *err) MUST_CHECK;

/* How many of the last tokens DRY looks back at; 0 where it has nothing to do. */
size_t dry_reach(const struct sampler_params *params, size_t n_history);

/* Whether any token would continue a repetition that is long enough, if nothing broke it: false means that dry_apply
 * changes nothing, whatever the breakers are. `lengths` as there. */
bool dry_may_act(const int32_t *history, size_t n_history, size_t reach, const struct sampler_params *params,
                 uint32_t *lengths);

/* Lowers the logits of tokens that would continue a repetition. `reach` is what dry_reach gives,
 * more than 0; `lengths` has room for so many; `counts` holds n_vocab zeros, before and after.
 * `breakers` may be NULL. O(reach) where breakers are short. */
void dry_apply(float *logits, size_t n_vocab, const int32_t *history, size_t n_history, size_t reach,
               const struct sampler_params *params, const struct dry_breakers *breakers,
               uint32_t *counts, uint32_t *lengths);

#endif
