/* HTTP requests, one at a time, whose answers come as they arrive. libcurl lives in this room, and is
 * loaded when the first client is made: who has no server pays nothing. Built without it, http_create says so.
 *
 * Threads: a client belongs to the thread that made it; SIGPIPE cannot come from a call. While one runs,
 * `cancelled` is asked at least every 20 ms, and at true the connection is closed at once, in whatever phase
 * it is, name look-up and TLS included. */
#ifndef SOTTO_NET_HTTP_H
#define SOTTO_NET_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/secret.h"

struct http;

bool http_is_built(void); /* false: http_create fails, as the program was built without libcurl */
enum status http_create(struct http **out, struct error *err) MUST_CHECK;
void http_free(struct http *http); /* closes its connections; NULL is fine */

struct http_header {
	const char *name, *value;
};

/* Whom to talk to. Borrowed while a call runs. */
struct http_target {
	const char *url;    /* http or https, with a path that is a prefix of all, "" or "/v1"; no user, no query.
	                     * Or unix:///PATH.sock */
	const struct secret *key; /* sent as "Authorization: Bearer", to this host alone; NULL: none */
	const struct http_header *headers; /* [n_headers] more */
	size_t n_headers;
	const char *ca;     /* a file of certificates that are trusted instead of the system's; NULL: the system's */
	bool is_unverified; /* its certificate is not looked at */
};

/* What a call is doing. */
enum http_phase {
	HTTP_CONNECTING, /* name look-up, TCP, TLS */
	HTTP_WAITING,    /* the request is sent, nothing has come */
	HTTP_RECEIVING,  /* the head of the answer has come */
};

/* In milliseconds; 0: none. */
struct http_limits {
	uint64_t connect, first_byte /* after the request was sent */, silence /* between two bytes */, whole;
	size_t bytes; /* of the answer's body, decompressed. 0: LIMIT_HTTP_BODY, or none where it is taken as it comes */
};

struct http_call {
	const struct http_target *target;
	const char *path;  /* behind the URL's: "/v1/models" */
	const char *body;  /* JSON to POST, which follows no redirect; NULL: GET, which follows three, to the same
	                    * host, and to https elsewhere if there are neither a key nor headers of the target,
	                    * and its certificate is looked at */
	size_t body_len;
	bool is_head;      /* HEAD instead of GET: no body comes, and compression is not asked for */
	bool stops_at_redirect; /* follows none: a redirect is an answer, and answer.redirect says where it leads */
	const struct http_header *headers; /* [n_headers] of this call alone, beside the target's. They go along
	                                    * with redirects: nothing secret */
	size_t n_headers;
	struct http_limits limits;
	bool (*cancelled)(void *ctx); /* NULL: never */
	/* NULL, or told when the phase changes, and then about once a second: how long it has lasted, and for
	 * RECEIVING how long nothing has come. */
	void (*phase)(void *ctx, enum http_phase phase, uint64_t ms);
	/* The body of a 2xx answer as it comes, at any borders. An error ends the call. NULL: it is collected in
	 * answer.body, as those of other answers always are (their first 64 KiB; of redirects nothing). */
	enum status (*take)(void *ctx, const char *bytes, size_t n, struct error *err);
	bool is_bulk;      /* much will come: in pieces of about 256 KiB, and `take`, which libcurl waits for, may make no
	                    * other call by this client */
	void *ctx;
};

/* What kept an answer from coming whole. */
enum http_trouble {
	HTTP_FINE,
	HTTP_NO_HOST,     /* the name is not known */
	HTTP_REFUSED,     /* nothing listens there */
	HTTP_NO_ROUTE,    /* or no answer to the connection within its limit */
	HTTP_TLS,         /* no TLS there, or its certificate is not trusted */
	HTTP_STRANGE,     /* not HTTP: a port of something else */
	HTTP_NO_ANSWER,   /* limits.first_byte */
	HTTP_SILENT,      /* limits.silence, or limits.whole */
	HTTP_BROKEN,      /* the connection ended before the answer did */
	HTTP_MOVED,       /* a redirect that is not followed */
	HTTP_TOO_LARGE,
	HTTP_BAD_CALL,    /* a wrong URL, a certificate file that cannot be read */
};

struct http_answer {
	enum http_trouble trouble;
	int code;                /* 200; 0: no head has come */
	char type[64];           /* content-type, lower case, without parameters */
	char server[64];         /* the header of this name; not sanitised */
	int64_t retry_after_ms;  /* of Retry-After or retry-after-ms; -1: it does not say */
	bool is_reused;          /* the connection was there before */
	struct buf body;         /* owned: http_answer_free */
	struct buf head;         /* "name: value\n" of all headers of the last answer, names in lower case, values not
	                          * sanitised but without line breaks; owned */
	struct buf redirect;     /* of a redirect where the call stopped: the whole URL; else "". Owned */
};

/* STATUS_OK: an answer has come whole, with whatever code, and the caller looks at it. STATUS_CANCELLED, the
 * error of `take`, STATUS_NOMEM, or with answer->trouble set STATUS_IO (STATUS_LIMIT, STATUS_USAGE for the last
 * two): the text says in plain words what is wrong and what to do, with the host but without path, query and
 * key. It may quote the first bytes of what came. `take` has had all that came before an error.
 *
 * Where what answers is not HTTP, and where a GET gets no byte, a second connection looks what is there
 * (at most 100 ms): other protocols say their name, TLS is answered by TLS. */
enum status http_call(struct http *http, const struct http_call *call, struct http_answer *answer,
                      struct error *err) MUST_CHECK;
void http_answer_free(struct http_answer *answer);

/* Whether the URL is one that http_target takes; the error says what is wrong with it. */
enum status http_check_url(const char *url, struct error *err) MUST_CHECK;
/* Splits a whole URL, which may have a query, into what http_target and http_call take: "https://host:8080" and
 * "/x?query", where a fragment is left out. Both are malloced; NULL after an error, which does not quote the URL. */
enum status http_split_url(const char *url, char **base, char **path, struct error *err) MUST_CHECK;
/* Whether two URLs are of the same server: scheme, host and port. Where a key for one may be sent to the other. */
bool http_is_same_server(const char *url, const char *other);
/* Whether a redirect from one to the other leaves TLS, so that anybody on the way may listen. */
bool http_leaves_tls(const char *from, const char *to);
/* The URL's host, "box.example:8080", as shown to people; and whether that is this machine (loopback or a unix
 * socket), or one of a private network. */
enum http_distance { HTTP_HERE, HTTP_NEAR, HTTP_FAR };
enum http_distance http_host(const char *url, char *host, size_t size);
/* Whether something listens on a port of this machine; nothing is sent. At most 50 ms. */
bool http_listens(uint16_t port);

#endif
