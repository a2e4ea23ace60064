/* The variables of `sotto render`, read from a YAML file: mappings become dicts,
 * sequences become lists, and scalars are resolved by config/yaml_scalar.h.
 *
 * Each text below `messages`, `tools` and `documents`, keys included, is a
 * source of its own (jinja/value.h), numbered from 1 in the order of the file;
 * only the `role` of a message is template, as are all other variables. */
#ifndef SOTTO_CLI_CONTEXT_H
#define SOTTO_CLI_CONTEXT_H

#include <stddef.h>

#include "base/error.h"
#include "jinja/jinja.h"

struct context {
	struct jinja_context *variables; /* owned */
	size_t *lines;                   /* owned; where source i + 1 is in the file */
	size_t n_sources, cap_sources;
	struct jinja_limits limits;      /* for a context of that size */
};

/* Errors begin with `name` and the line. context_free in every case. */
enum status context_read(struct context *context, const char *name, const char *text, size_t len,
                         struct error *err) MUST_CHECK;
void context_free(struct context *context);

#endif
