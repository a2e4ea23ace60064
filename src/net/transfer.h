/* One request and its answer: a call is one, or several where it follows redirects. */
#ifndef SOTTO_NET_TRANSFER_H
#define SOTTO_NET_TRANSFER_H

#include "net/curl.h"
#include "net/head.h"
#include "net/headers.h"
#include "net/http.h"
#include "net/url.h"

/* The limits that a call may run into; the clocks of libcurl are not used. */
enum passed_limit { PASSED_NONE, PASSED_CONNECT, PASSED_FIRST_BYTE, PASSED_SILENCE, PASSED_WHOLE };

/* Why the callbacks stopped a transfer. */
enum stop { STOP_NONE, STOP_NO_MEMORY, STOP_TOO_LARGE, STOP_ENOUGH /* of an error's body: all is well */, STOP_TAKEN };

struct transfer {
	/* What is asked: set before, borrowed. */
	const struct curl *curl;
	CURLM *multi;
	const struct http_call *call;
	const struct url *url;
	const char *address;           /* all of the URL, for libcurl */
	const struct headers *headers;
	uint64_t began;                /* the call, sys_now_ms */

	/* What came of it. */
	struct http_answer *answer;
	struct head head;
	CURLcode result;
	enum stop stop;
	enum passed_limit passed;
	enum http_phase phase;
	char reason[CURL_ERROR_SIZE];  /* libcurl's words, English; "" */
	bool is_tunnelled;             /* through a proxy, with TLS */
	char ip[64];                   /* whom it was connected to; "" */
	uint16_t port;
	int errnum;                    /* of the connection; 0 */
	struct buf redirect;           /* the URL that the answer sends us to; "". The caller frees it */

	/* While it runs. */
	CURL *easy;
	struct buf pending;            /* what call->take has not yet been given */
	enum status taken;             /* what call->take has said of bulk */
	struct error *err;             /* for that */
	bool has_head;
	size_t n_body;
	uint64_t phase_began, last_byte, told;
	curl_off_t n_sent;
};

/* Until the answer has come, the connection fails, or a limit passes: STATUS_OK, and result and passed say which.
 * STATUS_CANCELLED, STATUS_NOMEM, the error of take: the connection is closed. */
enum status transfer_run(struct transfer *transfer, struct error *err) MUST_CHECK;

/* The handle with its options and callbacks (handle.c). STATUS_NOMEM, or STATUS_UNSUPPORTED. */
enum status handle_create(struct transfer *transfer, struct error *err) MUST_CHECK;
/* Keeps what is wanted of the handle, and frees it; its connection is closed unless all is well. */
void handle_free(struct transfer *transfer, bool is_well);

#endif
