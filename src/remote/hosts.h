/* Servers that speak OpenAI's interface, each with deviations of its own: what they know, and what they call it. */
#ifndef SOTTO_REMOTE_HOSTS_H
#define SOTTO_REMOTE_HOSTS_H

#include "remote/dialect.h"
#include "remote/messages.h"

struct host_kind {
	const char *name;  /* the end of its host's name, "openai.com", or what the list of models calls it */
	const struct remote_field *fields; /* [n_fields] */
	size_t n_fields;
	struct messages_style style;
	bool thinks_inline; /* thoughts may come in the text */
	bool continues;     /* a last message that is a reply is continued */
	const char *more;   /* more members of a request, JSON; NULL: none */
};

/* The row for a server; there is always one. */
const struct host_kind *host_kind_find(const struct remote *remote);

#endif
