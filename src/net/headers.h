/* The headers of a request. Those with the key are in memory that is wiped; libcurl only borrows them. */
#ifndef SOTTO_NET_HEADERS_H
#define SOTTO_NET_HEADERS_H

#include "net/curl.h"
#include "net/http.h"

struct headers {
	struct curl_slist *list; /* [n], each with the next; for CURLOPT_HTTPHEADER */
	size_t n;
};

/* STATUS_USAGE: a name or a value that no header may have. */
enum status headers_init(struct headers *headers, const struct http_call *call, struct error *err) MUST_CHECK;
void headers_deinit(struct headers *headers);

#endif
