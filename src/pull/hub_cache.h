/* Hugging Face's cache, as huggingface_hub and llama.cpp keep it (August 2026):
 *
 *   models--OWNER--REPO/blobs/DIGEST             the bytes
 *   models--OWNER--REPO/snapshots/COMMIT/PATH    a link to them, ../../blobs/DIGEST; the bytes where links are not possible
 *   models--OWNER--REPO/refs/main                COMMIT
 *   .locks/models--OWNER--REPO/DIGEST.lock */
#ifndef SOTTO_PULL_HUB_CACHE_H
#define SOTTO_PULL_HUB_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/io.h"
#include "pull/offer.h"

/* Appends the cache's folder: $LLAMA_CACHE, $HF_HUB_CACHE, $HUGGINGFACE_HUB_CACHE, $HF_HOME/hub,
 * $XDG_CACHE_HOME/huggingface/hub, ~/.cache/huggingface/hub: the first that is set, in llama.cpp's order. */
enum status hub_cache_folder(struct buf *out, struct error *err) MUST_CHECK;
/* Replaces the text by the i-th folder that may be the cache of one of these programs; "": it is not said which. False:
 * there are fewer. */
bool hub_cache_any(struct buf *out, size_t i);
/* Appends the name of a repository's folder: "models--owner--repo" for "owner/repo". */
void hub_cache_put_name(struct buf *out, const char *repository);

/* As pull_source_ops has them. */
enum status hub_store(struct buf *out, const struct pull_offer *offer, const struct pull_file *file,
                      const struct io_ops *io, struct error *err) MUST_CHECK;
enum status hub_publish(struct buf *model, const struct pull_offer *offer, const struct pull_choice *choice,
                        const struct io_ops *io, struct error *err) MUST_CHECK;

void hub_tidy(const struct pull_offer *offer, const struct io_ops *io);

/* mkdir -p with the permissions that others' programs give: 0777, less the umask. */
enum status hub_make_folders(const char *path, const struct io_ops *io, struct error *err) MUST_CHECK;

#endif
