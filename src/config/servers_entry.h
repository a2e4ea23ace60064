/* One server of servers.yaml, inside of config. */
#ifndef SOTTO_CONFIG_SERVERS_ENTRY_H
#define SOTTO_CONFIG_SERVERS_ENTRY_H

#include "config/servers.h"
#include "config/yaml.h"

/* The file: as it is, and as libyaml gets it (servers_mask.h). */
struct server_source {
	const char *text, *masked; /* [len] both */
	bool is_private;           /* nobody else may read the file */
};

/* Reads the server's value, whose first item is given, into *server, which has its name, file and line; the caller
 * frees it, also after an error, which names its line. */
enum status server_read_entry(struct server_config *server, struct yaml_reader *reader, const struct yaml_item *value,
                              const struct server_source *source, struct error *err) MUST_CHECK;

/* servers.c: servers_read of a text. */
enum status servers_read_text(struct servers *out, const char *path, const char *text, size_t len, bool is_private,
                              struct buf *problems, struct error *err) MUST_CHECK;

/* A server being read. */
struct server_entry {
	struct server_config *server;
	struct server_model *model; /* the one at hand */
	struct yaml_reader *reader;
	const struct server_source *source;
	unsigned seen, seen_of_model; /* bit i: row i of its keys */
};

/* "servers.yaml:3: box: ..." Values are never quoted: any may be a key that came to stand in a wrong line. */
enum status entry_wrong(const struct server_entry *entry, size_t line, struct error *err, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
/* A value that is a text of a line; a copy of it; a path: ~ is the home folder, and what does not begin with a
 * slash is in the file's folder. */
enum status entry_check_text(const struct server_entry *entry, const char *key, const struct yaml_item *value,
                             struct error *err) MUST_CHECK;
enum status entry_take_text(const struct server_entry *entry, const char *key, const struct yaml_item *value,
                            char **out, struct error *err) MUST_CHECK;
enum status entry_take_path(const struct server_entry *entry, const char *key, const struct yaml_item *value,
                            char **out, struct error *err) MUST_CHECK;
/* A key that stands in the file in clear, if it may; `name` is what errors call it. */
enum status entry_take_secret(const struct server_entry *entry, const char *name, const struct yaml_item *value,
                              struct secret **out, struct error *err) MUST_CHECK;

struct entry_row {
	const char *name;
	enum status (*read)(struct server_entry *entry, const struct yaml_item *value, struct error *err);
};

/* One line of a mapping whose keys have rows. */
enum status entry_read_row(struct server_entry *entry, const struct entry_row *rows, size_t n, unsigned *seen,
                           const struct yaml_item *key, struct error *err) MUST_CHECK;

/* servers_parts.c */
enum status entry_read_headers(struct server_entry *entry, const struct yaml_item *value,
                               struct error *err) MUST_CHECK;
enum status entry_read_models(struct server_entry *entry, const struct yaml_item *value,
                              struct error *err) MUST_CHECK;

#endif
