/* The models that were loaded, the latest first: lines of a time, a fingerprint (older ones have none)
 * and a path in $XDG_STATE_HOME/sotto/models; of a server's model "server:NAME/MODEL". If two programs load a model in the same instant, the
 * last to write wins. */
#ifndef SOTTO_CATALOG_RECENT_H
#define SOTTO_CATALOG_RECENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/io.h"

struct recent_model {
	int64_t time; /* seconds since the epoch */
	char *path;   /* absolute, or a server's; owned */
	char file[20]; /* as in struct model_identity; "": not known */
};

/* No models if there is no file, or one that is too long to be such a list, which recent_add
 * replaces. Malformed lines are skipped. */
enum status recent_load(struct recent_model **models, size_t *n, struct error *err) MUST_CHECK;
void recent_free(struct recent_model *models, size_t n);
/* Puts a path, made absolute unless it is a server's, first. */
enum status recent_add(const struct io_ops *io, const char *path, const char *file, int64_t time,
                       struct error *err) MUST_CHECK;

#endif
