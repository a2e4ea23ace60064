/* Models that run on a server: the backend of model paths "server:NAME" (its first or only model) and
 * "server:NAME/MODEL", NAME being a server in servers.yaml (config/servers.h). */
#ifndef SOTTO_REMOTE_REMOTE_H
#define SOTTO_REMOTE_REMOTE_H

#include "engine/backend.h"

extern const struct backend_ops remote_backend;

#endif
