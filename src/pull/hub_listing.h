/* What Hugging Face says of a repository: its commit, its files. Foreign bytes: what is wrong is refused, with the name of
 * the file, what was found and what was expected. */
#ifndef SOTTO_PULL_HUB_LISTING_H
#define SOTTO_PULL_HUB_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/error.h"
#include "pull/offer.h"

enum { HUB_COMMIT_LEN = 40 };

/* Whether the text is `len` hexadecimal digits, as digests and commits are. */
bool hub_is_hex(const char *text, size_t len);
/* Whether a file may lie there in a repository: "a/b.gguf"; *why: what is wrong with it, a literal. */
bool hub_is_path(const char *path, size_t len, const char **why);

/* An answer of /api/models/REPO/refs: the commit of a branch or tag; where "main" is asked for and is not there, of the
 * first branch. STATUS_NOTFOUND: there is none, and the text says which there are. */
enum status hub_read_refs(char commit[HUB_COMMIT_LEN + 1], const char *revision, const char *text, size_t len,
                          struct error *err) MUST_CHECK;

struct hub_files { /* {0} is empty; the array is the caller's to free, as in an offer */
	struct pull_file *files;
	size_t n, cap;
};
/* A page of /api/models/REPO/tree/COMMIT?recursive=true; its files are appended. */
enum status hub_read_tree(struct hub_files *out, const char *text, size_t len, struct error *err) MUST_CHECK;
/* All pages are read: no path may be there twice. */
enum status hub_check_files(const struct hub_files *files, struct error *err) MUST_CHECK;
void hub_free_files(struct hub_files *files);

/* An answer of /api/models/REPO, where ?blobs=true has the files too. */
struct hub_info {
	char commit[HUB_COMMIT_LEN + 1]; /* "": it does not say */
	char licence[64];                /* not sanitised; "" */
	bool is_gated;
	uint64_t n_params;               /* of the GGUF summary; 0 */
};
enum status hub_read_info(struct hub_info *out, struct hub_files *files, const char *text, size_t len,
                          struct error *err) MUST_CHECK;

/* The address of the next page of a Link header, `<URL>; rel="next"`: *url points into it, *len bytes. False: this was
 * the last one. */
bool hub_next_page(const char *link, const char **url, size_t *len);

#endif
