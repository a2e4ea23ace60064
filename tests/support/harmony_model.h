/* A model of gpt-oss's architecture and tokens that says what a script has, for
 * tests of what becomes of a reply in channels.
 *
 * Its one layer tells, of each token, whether it is among those before: the
 * attention is the same to all of them. What comes next follows from the token
 * before and from that. It answers "Hello there." and thinks "We should greet them"
 * before; to a message with
 *   ?  it calls the tool functions.day with {}, and nothing else
 *   !  it says "Look here" in the channel commentary, and "Hello there."
 *   @  it thinks "We think more more more ..." without end
 * The conversation may have some 800 characters: behind that what was said is too
 * little beside all. */
#ifndef SOTTO_TESTS_HARMONY_MODEL_H
#define SOTTO_TESTS_HARMONY_MODEL_H

#include "base/error.h"

/* With all keys and tensors but a chat template. */
enum status harmony_model_save(const char *path, struct error *err);

#endif
