/* Shared by the files of the catalog; only catalog*.c include this. */
#ifndef SOTTO_CATALOG_CATALOG_INTERNAL_H
#define SOTTO_CATALOG_CATALOG_INTERNAL_H

#include <sys/stat.h>

#include "catalog/catalog.h"

/* A file that may be a model, before its header is read. */
struct found_file {
	char *path;   /* owned */
	char *label;  /* its name in the place where it was found; owned, NULL: none */
	struct stat st;
	size_t place; /* index of the place where it was found */
	int64_t used; /* when it was last loaded (recent.h); 0: never */
	bool is_named; /* its name or the user says that it is a model, so damage is reported */
	bool is_guide;
	uint32_t n_parts;
	uint64_t n_bytes; /* of all parts */
};

struct folder_id {
	dev_t device;
	ino_t inode;
};

/* A search in progress. */
struct catalog_walk {
	struct found_file *found;
	size_t n, cap;
	struct folder_id *folders; /* those already read, so that links cannot lead in circles */
	size_t n_folders, cap_folders;
	size_t n_entries;          /* names read so far */
	size_t place;
	size_t n_unreadable;
	bool is_cut;
	catalog_cancelled cancelled;
	void *ctx;
};

void walk_free(struct catalog_walk *walk);

/* catalog_walk.c. For all functions here: only STATUS_NOMEM and STATUS_CANCELLED end
 * a walk; missing and unreadable files do not. */
enum status walk_places(struct catalog_walk *walk, struct error *err);
/* Adds a file, unless it was found before, by whatever path; then only the `label`
 * (copied, NULL for none) is added if it had none. */
enum status walk_add(struct catalog_walk *walk, const char *path, const char *label,
                       const struct stat *st, struct error *err);
enum status walk_check(struct catalog_walk *walk, struct error *err); /* cancelled? */

/* Called for each name in a folder; `path` is its full path. */
typedef enum status (*walk_visit)(struct catalog_walk *walk, const char *path, const char *name,
                                    const struct stat *st, int depth, struct error *err);
/* Visits each file and folder in `path`, except names that begin with a dot. */
enum status walk_folder(struct catalog_walk *walk, const char *path, int depth, walk_visit visit,
                          struct error *err);

/* catalog_ollama.c: a folder of manifests/ and blobs/. */
enum status walk_ollama(struct catalog_walk *walk, const char *path, struct error *err);
/* Finds the digest of the model in a manifest: 64 hexadecimal digits and a NUL. */
enum { DIGEST_LEN = 64 };
bool ollama_find_digest(const char *json, size_t len, char digest[DIGEST_LEN + 1]);

/* catalog_read.c: reads a file's header. *keep says whether it is a model. */
enum status catalog_read(struct catalog_entry *entry, const struct found_file *file,
                         const struct engine_params *params, bool *keep, struct error *err);
void catalog_entry_deinit(struct catalog_entry *entry);

#endif
