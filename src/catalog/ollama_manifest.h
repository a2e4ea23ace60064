/* Manifests of ollama's: small JSON texts in manifests/HOST/NAMESPACE/NAME/TAG, each of which makes a model of files in
 * blobs/, which are named by their SHA-256. (ollama's manifest/ and types/model/name.go, August 2026.) */
#ifndef SOTTO_CATALOG_OLLAMA_MANIFEST_H
#define SOTTO_CATALOG_OLLAMA_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

/* The kinds of layers begin with this: OLLAMA_KIND "model", "params", "system", "template", "license" ... */
#define OLLAMA_KIND "application/vnd.ollama.image."
#define OLLAMA_REGISTRY "registry.ollama.ai" /* whose name is not shown */

enum { OLLAMA_DIGEST_LEN = 64 };

/* A file of a model. Whatever a manifest says, it can only name a file in blobs/. */
struct ollama_layer {
	char *kind;                         /* media type; owned, not sanitised */
	char digest[OLLAMA_DIGEST_LEN + 1]; /* SHA-256, lower-case digits */
	uint64_t size;
	bool is_config;                     /* what is said of the model; its kind is another program's */
};

struct ollama_manifest {
	struct ollama_layer *layers; /* [n], owned: in their order, what "config" names last */
	size_t n, cap;
};

/* STATUS_FORMAT: it is no manifest, or a digest or size in it is none; STATUS_LIMIT: of a file that is too large, or
 * more than LIMIT_OLLAMA_LAYERS. ollama_manifest_free in every case. */
enum status ollama_manifest_parse(struct ollama_manifest *out, const char *json, size_t len, struct error *err) MUST_CHECK;
/* The same of a file. */
enum status ollama_manifest_read(struct ollama_manifest *out, const char *path, struct error *err) MUST_CHECK;
void ollama_manifest_free(struct ollama_manifest *manifest);
/* The first layer of a kind, given without OLLAMA_KIND; NULL: there is none. */
const struct ollama_layer *ollama_manifest_find(const struct ollama_manifest *manifest, const char *kind);
bool ollama_layer_is(const struct ollama_layer *layer, const char *kind);
/* Whether any layer, the config too, is that file. */
bool ollama_manifest_names(const struct ollama_manifest *manifest, const char *digest);

/* ---- where they are ---- */

/* Replaces the text by the i-th folder with manifests/ and blobs/, whether it is there or not: $OLLAMA_MODELS,
 * ~/.ollama/models, the service's, sotto's own (the last). False: there are fewer. */
bool ollama_root(struct buf *out, size_t i);
/* sotto's own, where ollama has no folder that is the user's. */
enum status ollama_own_root(struct buf *out, struct error *err) MUST_CHECK;
/* Whether a path is ROOT/blobs/sha256-DIGEST: `root`, replaced, and the digest in the path. */
bool ollama_is_blob(const char *path, struct buf *root, const char **digest);
/* Whether it is ROOT/manifests/HOST/NAMESPACE/NAME/TAG, by its words and because ROOT/blobs is there. */
bool ollama_is_manifest(const char *path, struct buf *root);
enum status ollama_blob_path(struct buf *out, const char *root, const char *digest); /* replaces the text */
/* "llama3.2:1b" for ".../registry.ollama.ai/library/llama3.2/1b"; other hosts and namespaces are kept. Nothing for a path
 * with fewer parts. */
void ollama_put_label(struct buf *out, const char *manifest);

/* Called for each manifest that can be parsed, and with `manifest` NULL for each that cannot. Its error ends the walk. */
typedef enum status ollama_visit(void *ctx, const char *path, const struct ollama_manifest *manifest, struct error *err);
/* Visits manifests/ of a folder, in no order. Folders that cannot be read count as a manifest that cannot. */
enum status ollama_each_manifest(const char *root, ollama_visit *visit, void *ctx, struct error *err) MUST_CHECK;

#endif
