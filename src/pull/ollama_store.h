/* Where a model of ollama's registry is kept: in ollama's own folder, if that is there and the user's, else in one like it
 * below sotto's. A starting ollama deletes whatever in blobs/ no manifest names, and all that is no blob there: so files
 * are fetched beside blobs/ and moved in together, right before their manifest is written. The folder stays: another fetch may be about to use it. */
#ifndef SOTTO_PULL_OLLAMA_STORE_H
#define SOTTO_PULL_OLLAMA_STORE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/io.h"
#include "pull/offer.h"

#define OLLAMA_FETCHED "sotto-fetched" /* the folder beside blobs/ */

/* Replaces the text by ROOT/manifests/HOST/NAMESPACE/NAME/TAG. */
enum status ollama_manifest_path(struct buf *out, const char *root, const struct pull_name *name, struct error *err) MUST_CHECK;

/* As pull_source_ops.store and publish. */
enum status ollama_store(struct buf *out, const struct pull_offer *offer, const struct pull_file *file,
                         const struct io_ops *io, struct error *err) MUST_CHECK;
enum status ollama_publish(struct buf *model, const struct pull_offer *offer, const struct pull_choice *choice,
                           const struct io_ops *io, struct error *err) MUST_CHECK;

#endif
