#include "cli/backends.h"

#include "remote/remote.h"

const struct backend_ops *const cli_backends[] = {&remote_backend, NULL};
