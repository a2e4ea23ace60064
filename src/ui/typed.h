/* The input line as a message. UI thread only. */
#ifndef SOTTO_UI_TYPED_H
#define SOTTO_UI_TYPED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* What is in the line, as a message: a slash in front is doubled there, so that Enter does not take it for a
 * command. */
const char *typed_message(size_t *len); /* borrowed from the line */
bool typed_is(const char *text, size_t len); /* that message is there, unchanged */
/* Puts a message into the line, in the place of what is there. */
enum status typed_set(const char *text, size_t len, struct error *err) MUST_CHECK;
/* Puts a message before what is in the input line. False: it does not fit; nothing has changed. */
bool typed_prepend(const char *text, size_t len);
/* Empties the line. If it was changed, Up brings it back: Esc must not destroy what was typed. */
void typed_leave(bool is_changed);

#endif
