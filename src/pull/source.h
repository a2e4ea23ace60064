/* A place where models are published, with the folders where its own program keeps them. One for each enum
 * pull_source: hub.c, ollama.c, plain_url.c. */
#ifndef SOTTO_PULL_SOURCE_H
#define SOTTO_PULL_SOURCE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/io.h"
#include "pull/offer.h"
#include "pull/web.h"

struct pull_source_ops {
	const char *title; /* "Hugging Face" */

	/* Asks what there is: files, commit, licence, notes. out->name is there already, and is `name`. Where the files are
	 * not named as the hub's are (ollama), also the choices, without their numbers: pull_choose fills those in. */
	enum status (*look)(struct pull_offer *out, const struct pull_name *name, struct web *web, struct error *err);
	/* Where a file's bytes are now. Signed addresses expire: it is asked again then. */
	enum status (*locate)(struct web_place *out, const struct pull_offer *offer, const struct pull_file *file,
	                      struct web *web, struct error *err);

	/* The path under which a whole file is kept, "…/blobs/<digest>", with its folders made; `io` NULL: only the path,
	 * nothing is made. */
	enum status (*store)(struct buf *out, const struct pull_offer *offer, const struct pull_file *file,
	                     const struct io_ops *io, struct error *err);
	/* All files of the choice are whole under those paths: gives them the names under which others look (links,
	 * manifest, refs), those last that make the model exist. `model`: the path to load it by. */
	enum status (*publish)(struct buf *model, const struct pull_offer *offer, const struct pull_choice *choice,
	                       const struct io_ops *io, struct error *err);
	/* A fetch came to nothing: takes away the folders that `store` has made and that are empty. NULL: there are none. */
	void (*tidy)(const struct pull_offer *offer, const struct io_ops *io);
};

extern const struct pull_source_ops pull_hub, pull_ollama, pull_plain_url;
const struct pull_source_ops *pull_source_of(const struct pull_name *name);

#endif
