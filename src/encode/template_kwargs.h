/* More variables for a chat template, which the user gives as a JSON object: what llama.cpp calls
 * --chat-template-kwargs. They come after those that the program sets, and win. */
#ifndef SOTTO_ENCODE_TEMPLATE_KWARGS_H
#define SOTTO_ENCODE_TEMPLATE_KWARGS_H

#include "base/error.h"
#include "jinja/jinja.h"
#include "turn/turn.h"

/* STATUS_USAGE for a text that is no JSON object, or sets what only the conversation may set. */
enum status template_kwargs_check(const char *json, struct error *err) MUST_CHECK;
/* NULL: none. Errors are those of the check, after "chat-template-kwargs: ". */
enum status template_kwargs_set(struct jinja_context *context, const char *json,
                                struct error *err) MUST_CHECK;
/* Whether the model should think, where they say it: `mode` is what it is without them. */
enum reasoning_mode template_kwargs_mode(const char *json, enum reasoning_mode mode);

#endif
