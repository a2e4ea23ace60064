/* Shared by the files of a reply. */
#ifndef SOTTO_REMOTE_REPLY_INTERNAL_H
#define SOTTO_REMOTE_REPLY_INTERNAL_H

#include "remote/reply.h"

/* It is known by which markers its text is divided; NULL: by none. */
enum status reply_divide_by(struct reply *reply, const struct reasoning_markers *markers,
                            struct error *err) MUST_CHECK;
/* A token's text goes to the splitter. */
enum status reply_push(struct reply *reply, const struct token *token, struct error *err) MUST_CHECK;
/* How the text begins decides how it is divided; more of it may have to come. */
enum status reply_open(struct reply *reply, const struct token *token, struct error *err) MUST_CHECK;
/* The text before it was known how to divide it, as one token. */
enum status reply_push_opening(struct reply *reply, struct error *err) MUST_CHECK;

enum status reply_tell(struct reply *reply, const struct token *token, struct error *err) MUST_CHECK;
/* Tells the token that was pushed last without text: nothing is known yet but that the model writes. */
enum status reply_tell_empty(struct reply *reply, bool recants, struct error *err) MUST_CHECK;
/* Passes on the message besides the answer once it has ended. */
void reply_tell_aside(struct reply *reply);

/* What a later chunk does not say, an earlier one has said. */
void reply_take_usage(struct chunk_usage *usage, const struct chunk_usage *more);
/* The stats, when it has ended; what the server has counted is remembered for estimates. */
void reply_count(struct reply *reply, uint64_t now_ms);

#endif
