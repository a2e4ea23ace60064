/* What is made of a checkpoint where nobody has said what: which type, and where the file goes. */
#ifndef SOTTO_CHECKPOINT_OFFER_H
#define SOTTO_CHECKPOINT_OFFER_H

#include "base/buf.h"
#include "quantize/recipe.h"

struct convert_offer { /* {0} is none; strings are owned */
	char *folder, *path;
	const struct recipe *recipe; /* NULL: as the weights are */
	uint64_t n_bytes;            /* of the file */
	bool is_made;                /* it is there already; then the above two are not known */
};

/* The folder of a file in it, else the path itself, without slashes at its end. */
enum status convert_put_folder(struct buf *out, const char *path);
/* How the file is called: beside the folder, by its name; of a folder in the hub's cache, where others keep order, in
 * `models`, by the repository's. */
enum status convert_put_name(struct buf *out, const char *folder, const struct recipe *recipe, const char *models);
/* What was made of a folder before, by its name alone. */
bool convert_find_made(struct buf *out, const char *folder, const char *models);

/* Small models get Q8_0, others Q4_K_M; experts that have four bits already stay as they are. Plans the conversion, which
 * takes seconds where the vocabulary is large. `path`: the folder, or a file in it; `models`: sotto's own folder. */
enum status convert_offer_make(struct convert_offer *out, const char *path, const char *models,
                               struct error *err) MUST_CHECK;
void convert_offer_free(struct convert_offer *offer);

#endif
