/* Prompts that are made here and sent as ids, and ids that come: what the dialects llama-server and vllm share. */
#ifndef SOTTO_REMOTE_RAW_H
#define SOTTO_REMOTE_RAW_H

#include "base/json.h"
#include "base/json_reader.h"
#include "encode/encode.h"
#include "remote/dialect.h"

/* The context that a prompt is fitted into; one that is not known holds everything: the server says where it ends. */
size_t raw_context(const struct remote *remote);
/* All strings that end a reply: the turn's, and those of a template that is known here (NULL: none). [*n] and a NULL,
 * which the caller frees; the strings are borrowed. */
enum status raw_stops(const struct turn *turn, const struct chat_template *tmpl, const char ***out, size_t *n,
                      struct error *err) MUST_CHECK;
/* What an encoded turn, also a refused one, says of its request: which messages it has, and how it was changed. Takes
 * encoded->keep. */
void raw_take_encoded(struct remote_request *request, struct encoded *encoded);
/* "prompt": [1, 15043]; the request's hash is theirs. */
void raw_put_prompt(struct json_writer *json, const struct token_list *ids, struct remote_request *request);
/* A token's id in an answer; TOKEN_NONE: it is in no vocabulary. */
int32_t raw_read_id(const struct json_item *item);
/* Appends it. STATUS_FORMAT: it is in no vocabulary. */
enum status raw_push_id(struct token_list *ids, const struct json_item *item, struct error *err) MUST_CHECK;
/* How many ids two lists begin with in common. */
size_t raw_count_same(const struct token_list *a, const struct token_list *b);

/* Takes a template that is rendered here: what it can, its name and hash, and what is to be said of it. */
void raw_describe(struct remote *remote, const struct chat_template *tmpl);

#endif
