/* A reply of a server: what is sent, waited for, tried again, and how it ends. */
#ifndef SOTTO_REMOTE_ASK_H
#define SOTTO_REMOTE_ASK_H

#include "remote/dialect.h"

/* backend_ops.run, for an opened remote. */
enum status remote_run(struct remote *remote, const struct turn *turn, enum backend_mode mode,
                       const struct backend_host *host, struct backend_result *result, struct error *err) MUST_CHECK;

#endif
