/* Files of settings: lines `name: value`, a YAML mapping of scalars. They are written by hand, so
 * that one wrong line need not cost the others: each is told of, and the rest applies. */
#ifndef SOTTO_CONFIG_YAML_LINES_H
#define SOTTO_CONFIG_YAML_LINES_H

#include "config/yaml.h"

/* One line. The value may be any item, but only of a scalar is there more than the kind; null is
 * left to the caller. An error is about the line, whose number is put before it here. */
typedef enum status (*yaml_line_fn)(void *ctx, const char *name, size_t line,
                                    const struct yaml_item *value, struct error *err);

/* All lines, or the first error. */
enum status yaml_read_lines(const char *path, const char *text, size_t len, yaml_line_fn take,
                            void *ctx, struct error *err) MUST_CHECK;

/* All lines that can be read, also where others are no YAML: then each that begins at the margin is
 * read alone with those that belong to it, and of these only what is wrong is left out. Appends
 * "path:line: what is wrong" to `problems`, a line each, the first ones of very many; returns how many
 * there are. */
size_t yaml_read_good_lines(const char *path, const char *text, size_t len, yaml_line_fn take,
                            void *ctx, struct buf *problems);

/* The same of a file that may have secrets (yaml_keep_secret) and whose values have parts: `take` reads on from
 * the value's first item, and what it leaves is passed over. Its errors name their line. Of a file that is no
 * YAML what begins at the margin and is wrong is left out whole. With `problems` NULL the first is an error. */
typedef enum status (*yaml_entry_value_fn)(void *ctx, struct yaml_reader *reader, const char *name, size_t line,
                                           const struct yaml_item *value, struct error *err);
enum status yaml_read_secret_entries(const char *path, const char *text, size_t len, yaml_entry_value_fn take,
                                     void *ctx, struct buf *problems, struct error *err) MUST_CHECK;

#endif
