/* How this room asks servers: GET, with limits, retries, cancellation and redirects that lose the key.
 *
 * Threads: a web belongs to the thread that made it; a fetch in parts makes one for each thread. */
#ifndef SOTTO_PULL_WEB_H
#define SOTTO_PULL_WEB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/secret.h"
#include "net/http.h"

enum {
	WEB_HOST_MAX = 280,        /* bytes of a host's name in errors, with its port */
	WEB_CONNECT_MS = 10 * 1000,
	WEB_REDIRECTS_MAX = 5,     /* of one request */
};

struct web {
	struct http *http;
	bool (*cancelled)(void *ctx); /* NULL: never */
	void *ctx;
	/* NULL, or told that a server has to be asked again, "box is busy: asked again in 8 s (2 of 6)", each second,
	 * and "" when that is over. */
	void (*waiting)(void *ctx, const char *text);
};

/* Where bytes are to be had. */
struct web_place {
	char *base, *path;         /* "https://host:port" and "/x?signature"; owned */
	const struct secret *key;  /* for this host alone; borrowed; NULL: none */
	char etag[128];            /* strong, with its quotes; "": none */
};
/* A file of certificates to trust instead of the system's: $SSL_CERT_FILE, as openssl and Python have it. NULL: none. */
const char *web_ca(void);
/* Of copies, without a key. STATUS_NOMEM leaves it empty. */
enum status web_place_init(struct web_place *place, const char *base, const char *path, struct error *err) MUST_CHECK;
void web_place_free(struct web_place *place);

struct web_answer {
	int code;
	struct buf body;
	struct buf head;  /* "name: value" of the last answer, each ended by a NUL, names in lower case; web_header */
	struct web_place next; /* of a redirect that was not followed: where it leads */
};
void web_answer_free(struct web_answer *answer);
/* The value of a header, its name in lower case, NULL if there is none; borrowed. Foreign: not sanitised. */
const char *web_header(const struct web_answer *answer, const char *name);

struct web_request {
	const char *base, *path;
	const struct secret *key;
	const char *accept;    /* NULL: anything */
	size_t limit;          /* bytes of the body, decompressed; 0: LIMIT_PULL_ANSWER */
	bool is_head;          /* HEAD: headers alone */
	bool is_optional;      /* asked once: what does not answer is done without */
	bool stops_at_redirect; /* to another host: answer->next says where. Else it is followed, without the key */
};
/* STATUS_OK with any code that an answer may have but 408, 429 and 5xx, which are asked again six times, after as long
 * as they say or 1 2 4 8 16 32 s, as are connections that break. Redirects on the same host are followed, five in all;
 * from https to http none is. An error names the host, and never path, query or key. web_answer_free in every case. */
enum status web_get(struct web *web, const struct web_request *request, struct web_answer *answer, struct error *err) MUST_CHECK;

#endif
