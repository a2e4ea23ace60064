/* What is said beside a model's file: ollama's manifests, which give it names, have parameters, a system message,
 * licences. Two names may share a file and say different things of it, so a model of ollama's may be named by its
 * manifest, too, wherever a path may stand: beside_model_path.
 *
 * Go templates are not read: they are programs in another language. */
#ifndef SOTTO_CATALOG_BESIDE_H
#define SOTTO_CATALOG_BESIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "turn/turn.h"

struct beside { /* strings are owned */
	char *name;     /* "llama3.2:3b"; NULL: nothing is said, and all else is 0 */
	char *manifest; /* its path */
	char *other;    /* another name of the same file, which says something else; NULL: none does */
	struct option_text sampling[RECOMMENDED_MAX]; /* [n_sampling] */
	size_t n_sampling;
	char **stops;   /* [n_stops] */
	size_t n_stops, cap_stops;
	char *system;   /* system message; NULL: none. UTF-8, not sanitised */
	uint32_t n_ctx; /* num_ctx: the context that it is meant to have; 0: it does not say */
	bool has_template; /* in Go's language */
	bool has_messages, has_adapter, has_projector; /* not used here */
	char *problem;  /* what of it could not be read, and why; NULL: all could */
};

/* Looks for what is said beside the model with that path: a file in ollama's blobs/, also behind links, or a manifest.
 * Where several manifests name the file, the first by name that is there counts. STATUS_NOMEM; whatever else goes wrong
 * leaves out what could not be read. beside_free in every case. */
enum status beside_read(struct beside *out, const char *path, struct error *err) MUST_CHECK;
void beside_free(struct beside *beside);

/* Replaces the text by the file that a model's path means: of a manifest that of its model, else the path itself.
 * STATUS_FORMAT, STATUS_NOTFOUND: the manifest is none, or without a model. */
enum status beside_model_path(struct buf *out, const char *path, struct error *err) MUST_CHECK;
/* Whether all manifests that name the file say the same of it, so that its path is enough. */
bool beside_is_clear(const char *blob);
/* Appends the licences that a manifest has. STATUS_NOTFOUND: none. */
enum status beside_put_licence(struct buf *out, const char *manifest, struct error *err) MUST_CHECK;

/* Notes for users about all that. `template_name`: the one in use. */
void beside_note(const struct beside *beside, struct model_info *info);

#endif
