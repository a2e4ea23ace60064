/* A backend without a model, for testing everything above it: it answers a
 * conversation with known text, at a given pace.
 *
 *     synthetic:rate=1000,tokens=200,prefill_ms=500,load_ms=200,mode=wide
 *
 * rate        tokens a second; 0 (default) = as fast as it can
 * tokens      length of a reply; default 64
 * load_ms     how long loading takes; default 0
 * prefill_ms  how long evaluating a prompt takes; default 0
 * think       in mode think, how many tokens it reasons for; default 8
 * unopened    1: it says what it reasons as if it were its answer, and recants at the closing marker
 * n_ctx       context in tokens (a word is one); default 4096; -c takes precedence
 * guide       1: it claims to be the guide, which answers from help entries
 * count_hold  the first N times, what /context and F8 ask for is not answered, but gives way to another command
 * hold        after N tokens it waits until it is stopped; 0 (default) = never
 * aside       after each N tokens it says "by the way" besides its answer; 0 (default) = never
 * changed     1: it says that the date in the template kept its cache from being used
 * here        1: it claims to be a file whose model is computed here, so that sotto doctor is offered
 * fail        load: loading fails; memory: it does not fit beside another model; server: each turn fails
 *             with the long text of a server; or N: the turn ends with an error after N tokens
 * mode        words (default), echo (repeats the last message), system (the first one), think
 *             (unless reasoning is off, it first reasons "thought 0 thought 1 ..."), or one of the
 *             rows in synthetic_reply.c: wide, emoji, long, lines, escape
 *
 * It can play a model on a server, which says and can do less:
 *
 * remote      1: one that takes chat messages (no ids, no candidates, counts are estimates); 2: one that
 *             takes ids, counts exactly, and in mode think can be told to answer now; 0 (default) = none
 * wait_load   for how many ms it tells while loading that it waits for the server; default 0
 * wait        the same before each reply
 * learns      1: with the first reply it learns its context (8192) and of an option that is refused
 * unverified  1: the server's certificate is not looked at
 * unknown_ctx 1: the server does not say how long its context is
 * no_continue 1: it cannot continue a reply
 * cost        of each reply, in millionths of a dollar; 0 (default) = not told
 * end         early, filtered: how its replies end
 *
 * In mode words the reply counts "cold 0 cold 1 ..." at temperature 0 and
 * "warm 0 warm 1 ..." otherwise, decided for each token, so that a test can see
 * new parameters take effect. A token's id is its number in the reply, and by that it is sure of one, holds the next for
 * likely, then for one of several, and guesses the fourth; texts that are weighed are a tenth less likely for each byte. */
#ifndef SOTTO_ENGINE_SYNTHETIC_H
#define SOTTO_ENGINE_SYNTHETIC_H

#include "engine/backend.h"

extern const struct backend_ops synthetic_backend;

#endif
