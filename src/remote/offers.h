/* Servers that run on this machine and are not configured: something listens where they usually do. Nothing is sent to
 * them, so what is there is only likely. */
#ifndef SOTTO_REMOTE_OFFERS_H
#define SOTTO_REMOTE_OFFERS_H

#include "config/servers.h"
#include "remote/lister.h"

/* Appends rows of REMOTE_OFFERED to the list. `path`: of servers.yaml, for people. `listens`: http_listens. Ports that
 * a configured server of this machine has are passed over. */
enum status offers_add(struct remote_list *list, const struct servers *servers, const char *path,
                       bool (*listens)(uint16_t port), struct error *err) MUST_CHECK;

#endif
