/* A JSON text as a row of values, each with the path to it, so that who wants some of them needs a table and no
 * tree: {"data": [{"id": "a", "sizes": [1]}]} is
 *
 *     ""             JSON_OBJECT
 *     "data"         JSON_ARRAY
 *     "data[]"       JSON_OBJECT
 *     "data[].id"    JSON_STRING "a"
 *     "data[].sizes" JSON_ARRAY
 *     ...
 *
 * A key with a point in it looks like two keys: who asks for one that a server chooses looks at its end. */
#ifndef SOTTO_REMOTE_JSON_PATHS_H
#define SOTTO_REMOTE_JSON_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/json_reader.h"

enum { JSON_PATH_MAX = 191 }; /* bytes; values behind a longer path are passed over */

/* Ends of objects and arrays come, too; keys do not. Path and item are borrowed. */
typedef enum status json_visit(void *ctx, const char *path, const struct json_item *item, struct error *err);

/* STATUS_FORMAT: it is no JSON, or more than one document; what was before the fault has been visited. An error of
 * `visit` ends it. `name` as json_begin has it. */
enum status json_paths(const char *name, const char *text, size_t len, json_visit *visit, void *ctx,
                       struct error *err) MUST_CHECK;

/* A number that is whole and in 0..most, `most` where it is larger; false: it is something else. */
bool json_item_uint(const struct json_item *item, uint64_t most, uint64_t *value);
/* A finite number, or a string that is one, as some servers write prices. */
bool json_item_double(const struct json_item *item, double *value);

/* The value at a path, or with "*.name" the first whose path ends with ".name". False: there is none, of this
 * kind, or it is no JSON. The string is cut to size - 1 bytes. */
bool json_find_uint(const char *text, size_t len, const char *path, uint64_t most, uint64_t *value);
bool json_find_string(const char *text, size_t len, const char *path, char *out, size_t size);
/* Whether the list of strings at a path has this one. */
bool json_find_word(const char *text, size_t len, const char *path, const char *word);

#endif
