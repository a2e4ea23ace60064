/* A request for a reply, as a dialect writes it. */
#ifndef SOTTO_REMOTE_REQUEST_H
#define SOTTO_REMOTE_REQUEST_H

#include "base/json.h"
#include "remote/dialect.h"

void remote_request_init(struct remote_request *request);
void remote_request_free(struct remote_request *request);
/* Has the dialect write one into an empty request. STATUS_LIMIT: it is too large. */
enum status remote_request_write(struct remote *remote, const struct remote_ask *ask, struct remote_request *request,
                                 struct error *err) MUST_CHECK;

/* What it asks for besides the conversation, as a JSON object: for the record. */
enum status remote_request_print_sent(const struct remote_request *request, struct buf *out,
                                      struct error *err) MUST_CHECK;

#endif
