/* One server of servers.yaml, inside of config. */
#ifndef SOTTO_CONFIG_SERVERS_ENTRY_H
#define SOTTO_CONFIG_SERVERS_ENTRY_H

#include "config/servers.h"
#include "config/yaml.h"

/* Reads the server's value, whose first item is given, into *server, which has its name, file and line; the caller
 * frees it, also after an error, which names its line. `is_private`: nobody else may read the file. */
enum status server_read_entry(struct server_config *server, struct yaml_reader *reader,
                              const struct yaml_item *value, bool is_private, struct error *err) MUST_CHECK;

#endif
