/* Writing an entry into servers.yaml. */
#ifndef SOTTO_CONFIG_SERVERS_ADD_H
#define SOTTO_CONFIG_SERVERS_ADD_H

#include "base/error.h"
#include "base/io.h"

/* Appends a server to the file, which is made if there is none (mode 0600: keys may be written into it); all that
 * stands in it stays, comments too. `path` NULL: the usual one (servers_path). STATUS_BUSY: there is one of that
 * name. STATUS_CONFIG: what is in the file is wrong, or nothing can be appended to it; it is as it was. */
enum status servers_add(const struct io_ops *io, const char *path, const char *name, const char *url,
                        struct error *err) MUST_CHECK;

#endif
