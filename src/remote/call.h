/* Talking to a server besides its replies: connecting to it, and short requests. Errors are sentences that say which
 * server it is and what to do. */
#ifndef SOTTO_REMOTE_CALL_H
#define SOTTO_REMOTE_CALL_H

#include "base/json_walk.h"
#include "remote/dialect.h"

/* Prepares an empty `remote` for requests to a server, which is borrowed: reads the key, makes the client. Nothing
 * is sent. remote_disconnect in every case. */
enum status remote_connect(struct remote *remote, const struct server_config *server, bool (*cancelled)(void *ctx),
                           void *ctx, struct error *err) MUST_CHECK;
void remote_disconnect(struct remote *remote);

/* The client for requests while a reply streams, made at its first use. */
enum status remote_aside(struct remote *remote, struct http **out, struct error *err) MUST_CHECK;

enum { REMOTE_CALL_MS = 5000, REMOTE_CALL_BYTES = 4 << 20 };

/* A request whose whole answer is wanted: GET, or POST of a body (NULL: GET). `path`: behind remote->url. `ms`: at
 * most, 0 for no limit. STATUS_OK: it is a 2xx. Otherwise answer->code may say more (0: none came); http_answer_free in
 * every case. */
enum status remote_call(struct remote *remote, struct http *http, const char *path, const struct buf *body,
                        uint64_t ms, struct http_answer *answer, struct error *err) MUST_CHECK;
/* The same by remote->http, where a few values are wanted of an answer that is JSON: json_take of it. *code (NULL: of no
 * interest): of the answer, 0 if none came. */
enum status remote_call_values(struct remote *remote, const char *path, const struct buf *body, uint64_t ms,
                               const struct json_place *places, size_t n, void *out, int *code,
                               struct error *err) MUST_CHECK;

/* How long a connection may take. */
uint64_t remote_connect_ms(const struct remote *remote);

/* Why an answer that is not a 2xx was given, as one sentence: STATUS_DECLINED (the key, money), NOTFOUND (the model),
 * BUSY (later: remote->is_loading, or too many requests), IO. */
enum status remote_refuse(struct remote *remote, const struct http_answer *answer, struct error *err);
/* The text as it may be shown, for whoever sanitises it: the key masked, one line, at most 300 bytes. */
void remote_quote(const struct remote *remote, char *text);
/* Puts the server's name before an error's text. */
void remote_name_error(const struct remote *remote, struct error *err);

#endif
