/* Sampling options, and what else a turn asks for, as fields of a request, by a table (struct remote_field). */
#ifndef SOTTO_REMOTE_FIELDS_H
#define SOTTO_REMOTE_FIELDS_H

#include "base/json.h"
#include "remote/dialect.h"

/* Writes all that remote->fields has and remote->dropped has not, explicitly, off or not, as members of the open
 * object. What the turn leaves to the server (reasoning "auto", no stop strings, no limit) is not written.
 * `object`: only the rows of that one, "options" of "options.top_k", which is open; NULL: all, and their objects.
 * STATUS_USAGE: words that make no sense. */
enum status fields_write(struct json_writer *json, const struct remote *remote, const char *object,
                         const struct remote_ask *ask, struct error *err) MUST_CHECK;
/* A seed as all servers take it; in a request that is only shown, where none is chosen yet, words. */
void fields_put_seed(struct json_writer *json, const char *name, int64_t seed);
/* Fills in info->idle: options that change nothing, with the reason. */
void fields_list_idle(const struct remote *remote, struct model_info *info);
/* Drops the optional field of that name, "temperature" or "options.temperature": false if it is none that was
 * sent. */
bool fields_drop(struct remote *remote, const char *field);
/* Which optional field a refusal names in its words, "Unsupported parameter: 'top_k'"; NULL: none. */
const char *fields_named_in(const struct remote *remote, const char *text);
/* The row by which the server is told this option; NULL: it is not. */
const struct remote_field *fields_find(const struct remote *remote, const char *option);

#endif
