/* What is waited for, in words. */
#ifndef SOTTO_REMOTE_WAITING_H
#define SOTTO_REMOTE_WAITING_H

#include "remote/dialect.h"

/* What a request is doing, for so long: EVENT_WAITING where that is worth a word. `has_begun`: the reply has. */
void waiting_tell(const struct remote *remote, const struct backend_host *host, enum http_phase phase, uint64_t ms,
                  bool has_begun);
/* Waits before the next try, and says so each second: "box is busy: asked again in 8 s (2 of 5)". `try`: its number,
 * 0: it is not counted. False: cancelled. */
bool waiting_pause(const struct remote *remote, const struct backend_host *host, const struct http_answer *answer,
                   uint64_t ms, unsigned try);

#endif
