/* A handle of libcurl: its options, and the functions that it calls. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/limits.h"
#include "base/sys.h"
#include "net/transfer.h"

enum { BULK = 256 * 1024 };

/* libcurl's own limit on connecting is 300 s unless it is told another. */
static const long NO_LIMIT_MS = 24L * 3600 * 1000;

static long code_of(const struct transfer *transfer)
{
	long code = 0;

	transfer->curl->easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &code);
	return code;
}

static size_t on_head(char *line, size_t size, size_t n, void *ctx)
{
	struct transfer *transfer = ctx;

	transfer->last_byte = sys_now_ms();
	n *= size;
	if (!head_take(&transfer->head, transfer->answer, line, n)) {
		transfer->stop = STOP_TOO_LARGE;
		return 0;
	}
	if (n > 0 && (line[0] == '\r' || line[0] == '\n')) {
		long code = code_of(transfer);

		transfer->has_head = code >= 200;
		transfer->answer->code = transfer->has_head ? (int)code : 0;
	}
	return n;
}

/* The body of an answer that is collected. */
static bool collect(struct transfer *transfer, const char *bytes, size_t n, size_t max, enum stop full)
{
	struct buf *body = &transfer->answer->body;
	size_t room = max - body->len;

	body->max = max;
	if (buf_append(body, bytes, n < room ? n : room) != STATUS_OK)
		transfer->stop = STOP_NO_MEMORY;
	else if (n > room)
		transfer->stop = full;
	return transfer->stop == STOP_NONE;
}

/* That of a redirect says nothing, but only behind it libcurl tells where it leads. */
static bool pass_over(struct transfer *transfer, size_t n)
{
	transfer->n_body += n;
	if (transfer->n_body > LIMIT_HTTP_BODY)
		transfer->stop = STOP_TOO_LARGE;
	return transfer->stop == STOP_NONE;
}

/* libcurl hands over 16 KiB at a time, whatever its buffer has. */
static bool keep_for_take(struct transfer *transfer, const char *bytes, size_t n)
{
	struct buf *pending = &transfer->pending;

	if (buf_append(pending, bytes, n) != STATUS_OK) {
		transfer->stop = STOP_NO_MEMORY;
	} else if (transfer->call->is_bulk && pending->len >= BULK) {
		transfer->taken = transfer->call->take(transfer->call->ctx, pending->data, pending->len, transfer->err);
		if (transfer->taken != STATUS_OK)
			transfer->stop = STOP_TAKEN;
		buf_clear(pending);
	}
	return transfer->stop == STOP_NONE;
}

static bool take_body(struct transfer *transfer, const char *bytes, size_t n)
{
	size_t limit = transfer->call->limits.bytes;

	if (transfer->answer->code / 100 == 3)
		return pass_over(transfer, n);
	if (transfer->answer->code / 100 != 2)
		return collect(transfer, bytes, n, LIMIT_HTTP_ERROR_BODY, STOP_ENOUGH);
	if (!transfer->call->take)
		return collect(transfer, bytes, n, limit ? limit : LIMIT_HTTP_BODY, STOP_TOO_LARGE);
	if (limit && n > limit - transfer->n_body) {
		n = limit - transfer->n_body;
		transfer->stop = STOP_TOO_LARGE;
	}
	transfer->n_body += n;
	return keep_for_take(transfer, bytes, n);
}

static size_t on_body(char *bytes, size_t size, size_t n, void *ctx)
{
	struct transfer *transfer = ctx;

	transfer->last_byte = sys_now_ms();
	return take_body(transfer, bytes, size * n) ? size * n : 0;
}

/* A child of the program that outlives a call must not hold the connection open. */
static curl_socket_t on_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
	(void)ctx;
	(void)purpose;
	return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

#define SET(option, value) (transfer->curl->easy_setopt(transfer->easy, (option), (value)) == CURLE_OK)

static bool set_request(const struct transfer *transfer)
{
	const struct http_call *call = transfer->call;
	const struct headers *headers = transfer->headers;

	if (call->body && (!SET(CURLOPT_POST, 1L) || !SET(CURLOPT_POSTFIELDS, call->body) ||
	                   !SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)call->body_len)))
		return false;
	if (call->is_bulk && !SET(CURLOPT_BUFFERSIZE, (long)BULK))
		return false;
	if (call->is_head && !SET(CURLOPT_NOBODY, 1L))
		return false;
	return SET(CURLOPT_URL, transfer->address) &&
	       SET(CURLOPT_HTTPHEADER, headers->n > 0 ? headers->list : NULL) &&
	       SET(CURLOPT_USERAGENT, "sotto/" PACKAGE_VERSION) &&
	       /* A stream comes byte by byte; compressed, a byte would wait for others. NULL: not asked for. */
	       SET(CURLOPT_ACCEPT_ENCODING, call->take || call->is_head ? NULL : "");
}

/* No server of this machine is behind a proxy; else the environment's variables count, as for curl. */
static bool set_way(const struct transfer *transfer)
{
	const struct url *url = transfer->url;

	return (!url->is_unix || SET(CURLOPT_UNIX_SOCKET_PATH, url->path)) &&
	       (url_distance(url) != HTTP_HERE || SET(CURLOPT_NOPROXY, "*")) &&
	       SET(CURLOPT_PROTOCOLS_STR, "http,https") &&
	       SET(CURLOPT_HTTP_VERSION, (long)(url->is_tls ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
}

static bool set_manners(const struct transfer *transfer)
{
	uint64_t limit = transfer->call->limits.connect;
	const struct {
		CURLoption option;
		long value;
	} rows[] = {
		{CURLOPT_CONNECTTIMEOUT_MS, limit && limit < (uint64_t)NO_LIMIT_MS ? (long)limit : NO_LIMIT_MS},
		{CURLOPT_FOLLOWLOCATION, 0},
		{CURLOPT_HTTP09_ALLOWED, 0},
		{CURLOPT_NOSIGNAL, 1},
		{CURLOPT_QUICK_EXIT, 1}, /* a look-up of a name that is given up is not waited for */
		{CURLOPT_SUPPRESS_CONNECT_HEADERS, 1},
		{CURLOPT_TCP_KEEPALIVE, 1},
		{CURLOPT_TCP_KEEPIDLE, 30},
		{CURLOPT_TCP_KEEPINTVL, 15},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!SET(rows[i].option, rows[i].value))
			return false;
	return true;
}

static bool set_trust(const struct transfer *transfer)
{
	const struct http_target *target = transfer->call->target;
	long verify = target->is_unverified ? 0 : 1;

	return (!target->ca || (SET(CURLOPT_CAINFO, target->ca) && SET(CURLOPT_CAPATH, NULL))) &&
	       SET(CURLOPT_SSL_VERIFYPEER, verify) && SET(CURLOPT_SSL_VERIFYHOST, 2 * verify);
}

static bool set_callbacks(struct transfer *transfer)
{
	return SET(CURLOPT_HEADERFUNCTION, on_head) && SET(CURLOPT_HEADERDATA, transfer) &&
	       SET(CURLOPT_WRITEFUNCTION, on_body) && SET(CURLOPT_WRITEDATA, transfer) &&
	       SET(CURLOPT_OPENSOCKETFUNCTION, on_socket) && SET(CURLOPT_ERRORBUFFER, transfer->reason);
}

enum status handle_create(struct transfer *transfer, struct error *err)
{
	transfer->easy = transfer->curl->easy_init();
	if (!transfer->easy)
		return error_no_memory(err, "for a request");
	if (set_request(transfer) && set_way(transfer) && set_manners(transfer) && set_trust(transfer) &&
	    set_callbacks(transfer) && transfer->curl->multi_add_handle(transfer->multi, transfer->easy) == CURLM_OK)
		return STATUS_OK;
	transfer->curl->easy_cleanup(transfer->easy);
	transfer->easy = NULL;
	return error_set(err, STATUS_UNSUPPORTED, "this libcurl lacks what a request needs");
}

/* What is known of the connection and the answer. */
static void keep_facts(struct transfer *transfer)
{
	const struct curl *curl = transfer->curl;
	CURL *easy = transfer->easy;
	long port = 0, n_connects = 1, errnum = 0, tunnel = 0;
	char *ip = NULL, *redirect = NULL;

	curl->easy_getinfo(easy, CURLINFO_PRIMARY_IP, &ip);
	curl->easy_getinfo(easy, CURLINFO_PRIMARY_PORT, &port);
	curl->easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &n_connects);
	curl->easy_getinfo(easy, CURLINFO_OS_ERRNO, &errnum);
	curl->easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &tunnel);
	curl->easy_getinfo(easy, CURLINFO_REDIRECT_URL, &redirect);
	snprintf(transfer->ip, sizeof transfer->ip, "%s", ip ? ip : "");
	transfer->port = (uint16_t)port;
	transfer->errnum = (int)errnum;
	transfer->is_tunnelled = tunnel != 0;
	transfer->answer->is_reused = n_connects == 0 && transfer->phase != HTTP_CONNECTING;
	buf_clear(&transfer->redirect);
	if (redirect)
		buf_puts(&transfer->redirect, redirect);
}

void handle_free(struct transfer *transfer, bool is_well)
{
	const struct curl *curl = transfer->curl;

	keep_facts(transfer);
	if (!is_well) /* also where others might share it (HTTP/2) */
		curl->easy_setopt(transfer->easy, CURLOPT_FORBID_REUSE, 1L);
	curl->multi_remove_handle(transfer->multi, transfer->easy);
	curl->easy_cleanup(transfer->easy);
	transfer->easy = NULL;
}
