#include "net/trouble.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/sys.h"
#include "net/stranger.h"

static enum status tell(const struct transfer *transfer, struct error *err, enum http_trouble trouble,
                        const char *fmt, ...) PRINTF_LIKE(4, 5);

static enum status tell(const struct transfer *transfer, struct error *err, enum http_trouble trouble,
                        const char *fmt, ...)
{
	enum status status = STATUS_IO;
	va_list args;

	if (trouble == HTTP_TOO_LARGE)
		status = STATUS_LIMIT;
	else if (trouble == HTTP_BAD_CALL)
		status = STATUS_USAGE;
	transfer->answer->trouble = trouble;
	va_start(args, fmt);
	error_vset(err, status, fmt, args);
	va_end(args);
	return status;
}

struct shown {
	char text[URL_SHOWN_MAX];
};

static struct shown host_of(const struct transfer *transfer)
{
	struct shown shown;

	url_show(transfer->url, shown.text, sizeof shown.text);
	return shown;
}
#define HOST host_of(transfer).text

/* "10 s", "250 ms" */
static struct shown time_of(uint64_t ms)
{
	struct shown shown;

	if (ms % 1000 == 0)
		snprintf(shown.text, sizeof shown.text, "%llu s", (unsigned long long)ms / 1000);
	else
		snprintf(shown.text, sizeof shown.text, "%llu ms", (unsigned long long)ms);
	return shown;
}
#define TIME(ms) time_of(ms).text

static enum status trouble_of_limit(const struct transfer *transfer, enum passed_limit passed,
                                    struct error *err)
{
	const struct http_limits *limits = &transfer->call->limits;

	switch (passed) {
	case PASSED_CONNECT:
		if (transfer->url->is_tls && transfer->ip[0]) /* TCP was there */
			return tell(transfer, err, HTTP_TLS,
			            "%s does not answer in TLS: if it speaks plain HTTP, write http:// in its url", HOST);
		return tell(transfer, err, HTTP_NO_ROUTE,
		            "no connection to %s within %s: is the machine on, and the address right?", HOST,
		            TIME(limits->connect));
	case PASSED_FIRST_BYTE:
		return tell(transfer, err, HTTP_NO_ANSWER, "%s has not begun to answer within %s", HOST,
		            TIME(limits->first_byte));
	case PASSED_SILENCE:
		return tell(transfer, err, HTTP_SILENT, "%s has sent nothing more for %s", HOST,
		            TIME(limits->silence));
	default:
		if (transfer->phase == HTTP_WAITING)
			return tell(transfer, err, HTTP_SILENT, "%s has not answered within %s: is the port right?", HOST,
			            TIME(limits->whole));
		return tell(transfer, err, HTTP_SILENT, "the answer of %s was not whole within %s", HOST,
		            TIME(limits->whole));
	}
}

static enum status trouble_of_stop(const struct transfer *transfer, struct error *err)
{
	if (transfer->stop == STOP_ENOUGH)
		return STATUS_OK;
	if (transfer->stop == STOP_NO_MEMORY)
		return error_no_memory(err, "for the answer of %s", HOST);
	return tell(transfer, err, HTTP_TOO_LARGE, "the answer of %s is longer than its limit", HOST);
}

static bool has_reason(const struct transfer *transfer, const char *word)
{
	return strstr(transfer->reason, word) != NULL;
}

static bool is_out_of_date(const struct transfer *transfer)
{
	static const char *const words[] = {"expired", "not yet valid", "expiration date", "not activated"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (has_reason(transfer, words[i]))
			return true;
	return false;
}

/* libcurl's reason without what it begins with; what may be shown in brackets. */
static const char *reason_of(const struct transfer *transfer)
{
	static const char *const beginnings[] = {"SSL certificate problem: ", "SSL: "};

	if (has_reason(transfer, "server certificate verification failed")) /* GnuTLS; files of this machine follow */
		return "nobody who is trusted has signed it, or it has expired";
	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (strncmp(transfer->reason, beginnings[i], strlen(beginnings[i])) == 0)
			return transfer->reason + strlen(beginnings[i]);
	return transfer->reason[0] ? transfer->reason : "no reason given";
}

static enum status trouble_of_certificate(const struct transfer *transfer, struct error *err)
{
	if (has_reason(transfer, "subject name") || has_reason(transfer, "hostname mismatch"))
		return tell(transfer, err, HTTP_TLS,
		            "the certificate of %s is another host's: write the name that it was made for in its url",
		            HOST);
	if (is_out_of_date(transfer))
		return tell(transfer, err, HTTP_TLS, "the certificate of %s does not count today (%s)", HOST,
		            reason_of(transfer));
	return tell(transfer, err, HTTP_TLS,
	            "the certificate of %s is not trusted (%s): name the file of who signed it by ca", HOST,
	            reason_of(transfer));
}

/* A port that is not HTTP by far: look what it is. */
static enum status trouble_of_stranger(const struct transfer *transfer, const struct stranger *stranger,
                                       struct error *err)
{
	if (stranger->is_tls && !transfer->url->is_tls)
		return tell(transfer, err, HTTP_TLS, "%s speaks TLS: write https:// in its url", HOST);
	if (stranger->says[0])
		return tell(transfer, err, HTTP_STRANGE,
		            "%s does not speak HTTP (it says '%s'): check the port in its url", HOST, stranger->says);
	return tell(transfer, err, HTTP_STRANGE, "%s does not speak HTTP: check the port in its url", HOST);
}

static struct stranger look(const struct transfer *transfer)
{
	struct stranger stranger;

	stranger_look(&stranger, transfer->ip, transfer->port, transfer->call);
	return stranger;
}

static enum status trouble_of_handshake(const struct transfer *transfer, struct error *err)
{
	struct stranger stranger = {.is_tls = true};

	if (!transfer->is_tunnelled)
		stranger = look(transfer);
	if (stranger.says[0])
		return trouble_of_stranger(transfer, &stranger, err);
	if (!stranger.is_tls)
		return tell(transfer, err, HTTP_TLS, "%s does not speak TLS: write http:// in its url", HOST);
	return tell(transfer, err, HTTP_TLS, "%s and this machine find no TLS that both speak (%s)", HOST,
	            reason_of(transfer));
}

/* The environment's variable that names the proxy of such a URL, in libcurl's order; NULL: none does. no_proxy is not
 * looked at. */
static const char *proxy_variable(const struct transfer *transfer)
{
	static const char *const plain[] = {"http_proxy", "all_proxy", "ALL_PROXY", NULL};
	static const char *const tls[] = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", NULL};
	const char *const *name = transfer->url->is_tls ? tls : plain;

	if (url_distance(transfer->url) == HTTP_HERE)
		return NULL;
	while (*name && !sys_variable(*name))
		name++;
	return *name;
}

/* The proxy without its scheme, and without what comes before the last @, which may be a password. */
static struct shown proxy_of(const char *variable)
{
	const char *text = sys_variable(variable), *scheme = strstr(text, "://");
	struct shown shown;
	int n;

	if (scheme)
		text = scheme + 3;
	if (strrchr(text, '@'))
		text = strrchr(text, '@') + 1;
	n = (int)strcspn(text, "/");
	snprintf(shown.text, sizeof shown.text, "%.*s", n, text);
	return shown;
}

/* libcurl names whom it tried: alone (before 8), or "HOST port PORT via PROXY". */
static bool is_about_proxy(const struct transfer *transfer)
{
	return proxy_variable(transfer) && has_reason(transfer, "Failed to connect to ") &&
	       (has_reason(transfer, " via ") || !has_reason(transfer, transfer->url->host));
}

static enum status trouble_of_proxy(const struct transfer *transfer, struct error *err)
{
	return tell(transfer, err, HTTP_NO_ROUTE,
	            "the proxy for %s lets nothing through (%s): check http_proxy, https_proxy, no_proxy", HOST,
	            reason_of(transfer));
}

/* A proxy says so in its answer (http), or to CONNECT (https), which libcurl tells in its words, or older ones. */
static bool wants_log_in(const struct transfer *transfer)
{
	return proxy_variable(transfer) &&
	       (transfer->answer->code == 407 || has_reason(transfer, "CONNECT tunnel failed, response 407") ||
	        has_reason(transfer, "HTTP code 407 from proxy"));
}

static enum status trouble_of_log_in(const struct transfer *transfer, struct error *err)
{
	const char *variable = proxy_variable(transfer);

	return tell(transfer, err, HTTP_NO_ROUTE,
	            "the proxy for %s, %s, wants a log-in or has refused it (407): write NAME:PASSWORD@ before its host "
	            "in %s", HOST, proxy_of(variable).text, variable);
}

/* The connection is gone. Before the first byte of a first question that may be the port's fault. */
static enum status trouble_of_break(const struct transfer *transfer, struct error *err)
{
	bool is_first = transfer->head.n_bytes == 0 && !transfer->answer->is_reused && !transfer->call->body;
	struct stranger stranger = {0};

	if (wants_log_in(transfer))
		return trouble_of_log_in(transfer, err);
	if (has_reason(transfer, "CONNECT tunnel failed") || has_reason(transfer, "Proxy CONNECT aborted"))
		return trouble_of_proxy(transfer, err);
	if (is_first && !transfer->url->is_tls)
		stranger = look(transfer);
	if (stranger.is_tls || (stranger.says[0] && strncmp(stranger.says, "HTTP/", 5) != 0))
		return trouble_of_stranger(transfer, &stranger, err);
	if (transfer->head.n_bytes == 0)
		return tell(transfer, err, HTTP_BROKEN, "%s ended the connection without an answer", HOST);
	return tell(transfer, err, HTTP_BROKEN, "%s ended the connection in the middle of its answer", HOST);
}

static enum status trouble_of_connect(const struct transfer *transfer, struct error *err)
{
	if (is_about_proxy(transfer))
		return trouble_of_proxy(transfer, err);
	if (transfer->errnum == ECONNREFUSED || (transfer->errnum == ENOENT && transfer->url->is_unix))
		return tell(transfer, err, HTTP_REFUSED, "nothing listens at %s: is the server started%s?", HOST,
		            transfer->url->is_unix ? "" : ", and the port right");
	if (transfer->errnum == ECONNRESET || transfer->errnum == EPIPE)
		return trouble_of_break(transfer, err);
	return tell(transfer, err, HTTP_NO_ROUTE,
	            "no way to %s (%s): check the address in its url, and the network", HOST,
	            transfer->errnum ? strerror(transfer->errnum) : reason_of(transfer));
}

/* libcurl has a limit on a line of the head. Before 8.6 it was out of memory then, without a word. */
static bool has_long_line(const struct transfer *transfer)
{
	enum { TOO_LARGE = 100 }; /* CURLE_TOO_LARGE, which older headers lack */

	return (int)transfer->result == TOO_LARGE ||
	       (transfer->result == CURLE_OUT_OF_MEMORY && transfer->phase == HTTP_WAITING && !transfer->reason[0]);
}

static enum status trouble_of_result(const struct transfer *transfer, struct error *err)
{
	struct stranger stranger;

	if (has_long_line(transfer))
		return tell(transfer, err, HTTP_TOO_LARGE, "the answer of %s is longer than its limit", HOST);
	switch (transfer->result) {
	case CURLE_COULDNT_RESOLVE_HOST:
		return tell(transfer, err, HTTP_NO_HOST,
		            "no machine is known by the name of '%s': check the network, and its url",
		            transfer->url->host);
	case CURLE_COULDNT_RESOLVE_PROXY:
		return tell(transfer, err, HTTP_NO_HOST,
		            "the proxy for %s is not known: check http_proxy, https_proxy, no_proxy", HOST);
	case CURLE_COULDNT_CONNECT: return trouble_of_connect(transfer, err);
	case CURLE_PEER_FAILED_VERIFICATION: return trouble_of_certificate(transfer, err);
	case CURLE_SSL_CONNECT_ERROR: return trouble_of_handshake(transfer, err);
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_WEIRD_SERVER_REPLY:
		stranger = look(transfer);
		return trouble_of_stranger(transfer, &stranger, err);
	case CURLE_OPERATION_TIMEDOUT:
		return trouble_of_limit(transfer, PASSED_CONNECT, err);
	case CURLE_SSL_CACERT_BADFILE:
		return tell(transfer, err, HTTP_BAD_CALL, "the file of certificates for %s has none in it: check its ca",
		            HOST);
	case CURLE_URL_MALFORMAT:
		return tell(transfer, err, HTTP_BAD_CALL, "the URL of %s is not one", HOST);
	case CURLE_OUT_OF_MEMORY: return error_no_memory(err, "for a request to %s", HOST);
	case CURLE_WRITE_ERROR:
		if (transfer->stop != STOP_NONE)
			return trouble_of_stop(transfer, err);
		return trouble_of_break(transfer, err);
	default: return trouble_of_break(transfer, err);
	}
}

/* Servers that speak TLS tell a plain request so in an HTTP answer without TLS: nginx, Go, Apache. */
static bool wants_tls(const struct transfer *transfer)
{
	static const char *const texts[] = {"sent to HTTPS port", "HTTP request to an HTTPS server",
	                                    "speaking plain HTTP to an SSL"};
	const char *body = buf_text(&transfer->answer->body);

	if (transfer->url->is_tls || transfer->answer->code != 400)
		return false;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (strstr(body, texts[i]))
			return true;
	return false;
}

enum status trouble_of(const struct transfer *transfer, struct error *err)
{
	if (transfer->passed != PASSED_NONE)
		return trouble_of_limit(transfer, transfer->passed, err);
	if (transfer->result != CURLE_OK)
		return trouble_of_result(transfer, err);
	if (wants_log_in(transfer))
		return trouble_of_log_in(transfer, err);
	if (wants_tls(transfer))
		return tell(transfer, err, HTTP_TLS, "%s speaks TLS: write https:// in its url", HOST);
	return STATUS_OK;
}
