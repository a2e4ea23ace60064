/* The conversation as JSON messages: {"role": "user", "content": "..."}. */
#ifndef SOTTO_REMOTE_MESSAGES_H
#define SOTTO_REMOTE_MESSAGES_H

#include "base/json.h"
#include "turn/turn.h"

/* How a server wants them. */
struct messages_style {
	bool takes_all;        /* several system messages anywhere, messages of one role in a row: no template may refuse
	                        * them. Otherwise they are joined as plain templates want it */
	const char *reasoning; /* the field for what earlier replies thought, "reasoning_content"; NULL: it is left out */
	const char *prefix;    /* a field that is true in a last message to be continued, "prefix"; NULL: none */
};

/* Writes the messages with keep[i] (NULL: all) as the member `key`. *changes: enum prompt_change. */
enum status messages_write(struct json_writer *json, const char *key, const struct turn *turn, const bool *keep,
                           const struct messages_style *style, unsigned *changes, struct error *err) MUST_CHECK;
/* A raw turn: their texts, one right behind the other, as the member "prompt". */
enum status messages_write_raw(struct json_writer *json, const struct turn *turn, const bool *keep,
                               struct error *err) MUST_CHECK;

#endif
