/* What speaks at a port that does not speak HTTP. */
#ifndef SOTTO_NET_STRANGER_H
#define SOTTO_NET_STRANGER_H

#include <stdbool.h>
#include <stdint.h>

#include "net/http.h"

struct stranger {
	bool is_tls;
	char says[48]; /* the first line that came by itself, in printable ASCII, others as '?'; "" */
};

/* Connects once more, and waits for what comes by itself; if nothing does, says hello in TLS. At most
 * 100 ms, or until call->cancelled. */
void stranger_look(struct stranger *out, const char *ip, uint16_t port, const struct http_call *call);

#endif
