/* Which dialect a server speaks, and if none, what answers there instead. */
#ifndef SOTTO_REMOTE_PROBE_H
#define SOTTO_REMOTE_PROBE_H

#include "remote/dialect.h"

/* The dialect that its configuration names, or else what two GETs at most find out, which load no model. What was
 * found out of a URL is remembered while the program runs. STATUS_DECLINED: it wants a key, or another one; all
 * errors say which server it is and what to do.
 *
 * Threads: any, each with a `remote` of its own (remote_connect). */
enum status remote_probe(struct remote *remote, const struct dialect **out,
                         struct error *err) MUST_CHECK;
/* It is found out anew the next time: after an error. */
void remote_probe_forget(const struct remote *remote);

/* What a 2xx answer is that has no list of models, as the end of a sentence: "a web page". Static. */
const char *probe_describe(const char *type, const char *body, size_t len);
/* The same as an error, with what to do. */
enum status probe_refuse(const struct remote *remote, const struct http_answer *answer,
                         struct error *err);

#endif
