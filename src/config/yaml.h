/* YAML as this program reads and writes it: a subset, through libyaml's event interface, so that a
 * hostile file is stopped at the first event beyond a limit.
 *
 * Read: block and flow mappings, sequences and scalars, with any line ends, after a byte order mark
 * or without one. Refused, with the line: anchors, aliases,
 * tags outside the core set, duplicate keys, keys that are not scalars, ill-formed UTF-8, NUL (also
 * as "\0"), more than one document, and whatever exceeds the limits. Written: double-quoted
 * scalars. */
#ifndef SOTTO_CONFIG_YAML_H
#define SOTTO_CONFIG_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

enum yaml_kind {
	YAML_END, /* after the document; an empty file has nothing else */
	YAML_SCALAR,
	YAML_MAP_BEGIN, YAML_MAP_END,
	YAML_LIST_BEGIN, YAML_LIST_END
};

const char *yaml_kind_name(enum yaml_kind kind); /* "a text", "a mapping" */

/* One step of the document. A mapping's keys and values take turns. */
struct yaml_item {
	enum yaml_kind kind;
	const char *text; /* scalars: NUL-terminated without inner NULs; borrowed until
	                   * the next yaml_next */
	size_t len;
	bool plain;  /* not quoted: `~` and an empty value mean null */
	size_t line; /* from 1 */
	size_t from, to; /* in characters of the text, without its byte order mark */
};

enum { YAML_KEY_MAX = 64 };

struct yaml_limits {
	size_t bytes, events, depth;
};

/* Those of configuration files (base/limits.h). */
extern const struct yaml_limits yaml_limits_config;

struct yaml_reader;

/* `name` is put before the line in errors ("config.yaml:3: ..."); it and the
 * text are borrowed until yaml_close. `first_line` is the line of the text's
 * first one, 1 for a whole file. */
enum status yaml_open(struct yaml_reader **out, const char *name, const char *text, size_t len,
                      size_t first_line, const struct yaml_limits *limits,
                      struct error *err) MUST_CHECK;
/* From here on keys of a mapping may repeat: the caller looks at them itself. */
void yaml_let_keys_repeat(struct yaml_reader *reader);
/* From here on errors quote nothing of the text, which may have secrets, and what libyaml copies of it is
 * wiped as far as its buffers can be reached. */
void yaml_keep_secret(struct yaml_reader *reader);
void yaml_close(struct yaml_reader *reader);

/* STATUS_FORMAT or STATUS_LIMIT on a bad document; the reader is then spent. */
enum status yaml_next(struct yaml_reader *reader, struct yaml_item *item,
                      struct error *err) MUST_CHECK;
/* The next item must be a scalar, or the beginning of a mapping: else an error
 * that says `what` was expected. */
enum status yaml_expect(struct yaml_reader *reader, enum yaml_kind kind, const char *what,
                        struct yaml_item *item, struct error *err) MUST_CHECK;
/* The whole document: a mapping, of each of whose keys `entry` reads the value (the key's text is valid
 * until it reads on), and after which nothing follows. An empty document, or null, has no entries.
 * `expected` says what else is no mapping: "expected lines 'name: value'". */
typedef enum status (*yaml_entry_fn)(void *ctx, struct yaml_reader *reader,
                                     const struct yaml_item *key, struct error *err);
enum status yaml_read_map(struct yaml_reader *reader, const char *expected, yaml_entry_fn entry,
                          void *ctx, struct error *err) MUST_CHECK;
/* The same of a mapping that has begun, up to its end; of a list its items, of which `entry` reads
 * the rest. */
enum status yaml_read_entries(struct yaml_reader *reader, yaml_entry_fn entry, void *ctx,
                              struct error *err) MUST_CHECK;
/* For who need not say what is wrong: the next entry of a mapping, its key and its value's first item. False:
 * the mapping has ended, or cannot be read, which *ok says. */
bool yaml_next_entry(struct yaml_reader *reader, char key[YAML_KEY_MAX], struct yaml_item *value, bool *ok);
/* The same, but passes over what is no scalar. */
bool yaml_next_scalar(struct yaml_reader *reader, char key[YAML_KEY_MAX], struct yaml_item *value, bool *ok);
/* Passes over the rest of a value whose first item has been read. */
enum status yaml_skip(struct yaml_reader *reader, const struct yaml_item *first,
                      struct error *err) MUST_CHECK;
/* How many mappings and lists are open; and passing over what is left of those below so many. */
size_t yaml_depth(const struct yaml_reader *reader);
enum status yaml_skip_to(struct yaml_reader *reader, size_t depth, struct error *err) MUST_CHECK;
/* Sets an error about a line: `name:line: text`. Returns the status. */
enum status yaml_fail(const struct yaml_reader *reader, size_t line, enum status status,
                      struct error *err, const char *fmt, ...) PRINTF_LIKE(5, 6);
/* Puts `name:line: ` before the error's text, and gives it a status. */
enum status yaml_locate(const struct yaml_reader *reader, size_t line, enum status status,
                        struct error *err);

/* What the item was read of, quotation marks included: in the text that yaml_open was given. */
const char *yaml_source(const struct yaml_reader *reader, const struct yaml_item *item, size_t *len);

/* "", "~" and "null" not in quotes. */
bool yaml_is_null(const struct yaml_item *item);
/* For a value that may not be left out: STATUS_FORMAT if it is empty because its line goes on with a
 * comment that was meant to be the value, as in `fg: #ff0000`. */
enum status yaml_check_comment(const struct yaml_reader *reader, const struct yaml_item *item,
                               struct error *err) MUST_CHECK;

/* The next item, a value that has been checked so. */
enum status yaml_next_value(struct yaml_reader *reader, struct yaml_item *item,
                            struct error *err) MUST_CHECK;
/* The status of a file that is the user's: whatever is wrong in it is STATUS_CONFIG, also in *err;
 * STATUS_NOMEM stays. */
enum status yaml_as_config(enum status status, struct error *err);

/* Appends a double-quoted scalar that any YAML reader gives back as the same
 * text (ill-formed parts and NUL as U+FFFD). Line breaks are written as \n and the
 * scalar goes on in the next line, indented by `indent` blanks (> 0), so that
 * a person can read it and no line of it begins at the margin; only very short
 * lines are joined, so that no text takes more than 4.4 times its bytes. */
enum status yaml_put_quoted(struct buf *out, const char *text, size_t len, size_t indent);

#endif
