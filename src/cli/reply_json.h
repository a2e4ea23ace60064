/* A reply as JSON, for `sotto run --json`: one object when it has ended, or a line for each piece
 * of it and then the object. sotto(1) says what the fields mean. */
#ifndef SOTTO_CLI_REPLY_JSON_H
#define SOTTO_CLI_REPLY_JSON_H

#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "engine/backend.h"

enum reply_json_mode { REPLY_JSON_OFF, REPLY_JSON_ONE, REPLY_JSON_LINES };

struct reply_json {
	enum reply_json_mode mode;
	struct buf reply, reasoning; /* so far */
};

/* What the object says besides the texts. Texts may be NULL: null in the object. */
struct reply_json_end {
	const struct backend_result *result;
	const char *model, *chat_template, *prompt_template;
	const struct model_identity *identity; /* of the model */
	const char *chat;        /* the id that it is saved under */
	uint64_t seed;
	uint32_t n_ctx;
	const struct error *err; /* NULL: none */
	int code;                /* the exit status that goes with the error */
};

/* Keeps a piece of the reply, or of what the model thinks. Appends the line that tells it, if the
 * mode has one. */
void reply_json_token(struct reply_json *json, const struct token *token, struct buf *out);
/* Appends the object, a line. */
void reply_json_end(const struct reply_json *reply, const struct reply_json_end *end, struct buf *out);

/* Prints an error that came before any reply, and that stderr has already. Returns `code`, or what
 * printing it failed with. */
int reply_json_fail(enum reply_json_mode mode, const struct error *err, int code);

#endif
