/* Texts in JSON, for the commands that have --json. */
#ifndef SOTTO_CLI_JSON_H
#define SOTTO_CLI_JSON_H

#include "base/buf.h"

/* A text in JSON's quotes: valid UTF-8, nothing that acts on a terminal. */
void json_put_text(struct buf *out, const char *text, size_t len);

#endif
