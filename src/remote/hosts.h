/* Servers that speak OpenAI's interface, each with deviations of its own: what they know, and what they call it. */
#ifndef SOTTO_REMOTE_HOSTS_H
#define SOTTO_REMOTE_HOSTS_H

#include "remote/dialect.h"
#include "remote/messages.h"

/* How it counts tokens on demand (hosts_count.c). */
enum host_counting {
	HOST_COUNTS_NOTHING,
	HOST_COUNTS_MESSAGES, /* TabbyAPI's /v1/token/encode */
	HOST_COUNTS_TEXT,     /* KoboldCpp's /api/extra/tokencount: without the template */
};

struct host_kind {
	const char *name;  /* the end of its host's name, "openai.com", or what the list of models calls it */
	const struct remote_field *fields; /* [n_fields] */
	size_t n_fields;
	struct messages_style style;
	bool thinks_inline; /* thoughts may come in the text */
	bool continues;     /* a last message that is a reply is continued */
	enum host_counting counts;
	const char *more;   /* more members of a request, JSON; NULL: none */
};

/* Has a server that can count a conversation, so that estimates of it are exact, or better. Where that fails they are
 * what they were. STATUS_CANCELLED, STATUS_NOMEM. */
enum status host_count(struct remote *remote, const struct host_kind *kind, const struct turn *turn,
                       struct error *err) MUST_CHECK;

/* The row for a server; there is always one. */
const struct host_kind *host_kind_find(const struct remote *remote);

#endif
