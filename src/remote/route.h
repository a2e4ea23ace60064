/* Where a server's routes are, below the URL that its user has written. */
#ifndef SOTTO_REMOTE_ROUTE_H
#define SOTTO_REMOTE_ROUTE_H

#include <stdbool.h>

/* The URL without a "/v1" and "/" at its end, below which a server has its own routes beside
 * OpenAI's; the caller frees it. NULL: not enough memory. */
char *remote_base(const char *url);
/* A route of OpenAI's, "/v1/models", below a base: "/models" where the base has a version of its
 * own ("https://host/v1beta/openai"). */
const char *remote_route(const char *base, const char *route);
/* The port of a URL, of its scheme if it names none; 0: it has none (a unix socket). */
unsigned remote_port(const char *url);

#endif
