#include "net/http.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "net/pipe_guard.h"
#include "net/transfer.h"
#include "net/trouble.h"

enum { REDIRECTS_MAX = 3 };

struct http {
	struct curl curl;
	CURLM *multi; /* keeps the connections between calls */
};

bool http_is_built(void)
{
	return true;
}

enum status http_create(struct http **out, struct error *err)
{
	struct http *http = alloc_array(1, sizeof *http);
	enum status status;

	*out = NULL;
	if (!http)
		return error_no_memory(err, "for a client of servers");
	status = curl_load(&http->curl, err);
	if (status != STATUS_OK) {
		free(http);
		return status;
	}
	http->multi = http->curl.multi_init();
	if (!http->multi) {
		http_free(http);
		return error_no_memory(err, "for a client of servers");
	}
	*out = http;
	return STATUS_OK;
}

void http_free(struct http *http)
{
	struct pipe_guard guard;

	if (!http)
		return;
	pipe_guard_begin(&guard);
	if (http->multi)
		http->curl.multi_cleanup(http->multi);
	pipe_guard_end(&guard);
	curl_unload(&http->curl);
	free(http);
}

void http_answer_free(struct http_answer *answer)
{
	buf_free(&answer->body);
	buf_free(&answer->head);
	buf_free(&answer->redirect);
}

static enum status bad_call(struct http_answer *answer, enum status status)
{
	if (status != STATUS_OK && status != STATUS_NOMEM)
		answer->trouble = HTTP_BAD_CALL;
	return status;
}

/* The TLS libraries say different things of a file that is not there or has nothing in it, or nothing at all. */
static enum status check_ca(const struct http_target *target, struct error *err)
{
	char *text;
	size_t len;
	bool has_some;

	if (!target->ca)
		return STATUS_OK;
	if (sys_read_file(target->ca, LIMIT_HTTP_CA, &text, &len, err) != STATUS_OK) {
		error_prefix(err, "the file of certificates");
		return err ? err->status = STATUS_USAGE : STATUS_USAGE;
	}
	has_some = strstr(text, "-----BEGIN ") != NULL; /* PEM (RFC 7468) */
	free(text);
	if (has_some)
		return STATUS_OK;
	return error_set(err, STATUS_USAGE, "the file of certificates '%s' has none in PEM in it", target->ca);
}

/* All of the URL; for a unix socket, of the HTTP that is spoken in it. */
static enum status write_address(struct buf *address, const struct url *url, const struct http_call *call,
                                 struct error *err)
{
	const char *base = url->is_unix ? "http://localhost" : call->target->url;
	size_t n = strlen(base);

	while (n > 0 && base[n - 1] == '/')
		n--;
	buf_init(address, KIB(16));
	buf_append(address, base, n);
	buf_puts(address, call->path);
	if (buf_status(address) == STATUS_OK)
		return STATUS_OK;
	buf_free(address);
	return error_set(err, STATUS_USAGE, "the URL is longer than 16 kB");
}

static bool is_redirect(const struct transfer *transfer)
{
	int code = transfer->answer->code;

	return (code == 301 || code == 302 || code == 303 || code == 307 || code == 308) &&
	       transfer->redirect.len > 0;
}

/* Where the answer sends us, without user, path and query, for the error. */
static enum status tell_moved(struct transfer *transfer, struct error *err)
{
	char host[URL_SHOWN_MAX];
	const char *to = transfer->redirect.data, *scheme_end = strstr(to, "://");
	size_t n_scheme = scheme_end ? (size_t)(scheme_end + 3 - to) : 0, n = strcspn(to + n_scheme, "/?#");
	const char *name = to + n_scheme, *user_end = memrchr(name, '@', n);

	if (user_end) {
		n -= (size_t)(user_end + 1 - name);
		name = user_end + 1;
	}
	url_show(transfer->url, host, sizeof host);
	transfer->answer->trouble = HTTP_MOVED;
	return error_set(err, STATUS_IO, "%s sends us to another address, at %.*s%.*s: write that in its url, if it is right",
	                 host, (int)n_scheme, to, (int)n, name);
}

/* No other host gets a key or a header, or goes unverified because this one may. */
static bool may_go_elsewhere(const struct http_target *target, const struct url *next)
{
	return next->is_tls && !target->key && target->n_headers == 0 && !target->is_unverified;
}

/* Reads where a redirect leads, into `url` and `address`. Fails where it may not be followed. */
static enum status follow(struct transfer *transfer, struct url *url, struct buf *address, struct error *err)
{
	const struct http_target *target = transfer->call->target;
	char *to = transfer->redirect.data;
	size_t n = strcspn(to, "?#");
	char rest = to[n];
	struct url next;
	enum status status;

	to[n] = 0; /* a redirect may have a query, a server's URL may not */
	status = url_parse(&next, to, NULL);
	to[n] = rest;
	if (status != STATUS_OK || transfer->call->body || next.is_unix || transfer->url->is_unix)
		return tell_moved(transfer, err);
	if (!url_is_same_server(&next, transfer->url) && !may_go_elsewhere(target, &next))
		return tell_moved(transfer, err);
	buf_clear(address);
	buf_puts(address, to);
	if (buf_status(address) != STATUS_OK)
		return tell_moved(transfer, err);
	next.path = "";
	*url = next;
	return STATUS_OK;
}

/* A redirect as an answer: where it leads is the caller's then. */
static enum status stop_there(struct transfer *transfer, struct error *err)
{
	struct http_answer *answer = transfer->answer;

	answer->redirect = transfer->redirect;
	transfer->redirect = (struct buf){.max = KIB(16)};
	return buf_status(&answer->redirect) == STATUS_OK ? STATUS_OK : tell_moved(transfer, err);
}

/* The transfers of a call: one more for each redirect that is followed. */
static enum status run_all(struct transfer *transfer, struct url *url, struct buf *address, struct error *err)
{
	for (int i = 0;; i++) {
		enum status status;

		transfer->address = address->data;
		status = transfer_run(transfer, err);
		if (status == STATUS_OK)
			status = trouble_of(transfer, err);
		if (status == STATUS_OK && buf_status(&transfer->answer->head) != STATUS_OK)
			status = error_no_memory(err, "for the head of an answer");
		if (status != STATUS_OK || !is_redirect(transfer))
			return status;
		if (transfer->call->stops_at_redirect)
			return stop_there(transfer, err);
		status = i < REDIRECTS_MAX ? follow(transfer, url, address, err) : tell_moved(transfer, err);
		if (status != STATUS_OK)
			return status;
		buf_clear(&transfer->answer->body);
		transfer->answer->code = 0;
		transfer->has_head = false;
		transfer->n_body = 0;
	}
}

static enum status call_url(struct http *http, const struct http_call *call, struct url *url,
                            struct http_answer *answer, struct error *err)
{
	struct headers headers;
	struct buf address;
	struct transfer transfer = {
		.curl = &http->curl,
		.multi = http->multi,
		.call = call,
		.url = url,
		.headers = &headers,
		.answer = answer,
		.began = sys_now_ms(),
		.redirect = {.max = KIB(16)},
	};
	enum status status = bad_call(answer, write_address(&address, url, call, err));

	if (status != STATUS_OK)
		return status;
	status = bad_call(answer, headers_init(&headers, call, err));
	if (status == STATUS_OK) {
		status = run_all(&transfer, url, &address, err);
		answer->retry_after_ms = head_retry(&transfer.head, http->curl.getdate);
		headers_deinit(&headers);
	}
	buf_free(&transfer.redirect);
	buf_free(&address);
	return status;
}

enum status http_call(struct http *http, const struct http_call *call, struct http_answer *answer,
                      struct error *err)
{
	struct url url;
	enum status status;

	*answer = (struct http_answer){.retry_after_ms = -1};
	status = bad_call(answer, url_parse(&url, call->target->url, err));
	if (status == STATUS_OK)
		status = bad_call(answer, check_ca(call->target, err));
	return status == STATUS_OK ? call_url(http, call, &url, answer, err) : status;
}
