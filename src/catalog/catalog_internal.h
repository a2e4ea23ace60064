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

/* A search in progress. Its first failure ends it, STATUS_NOMEM or STATUS_CANCELLED: missing and
 * unreadable files are none. */
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
	enum status status;
	struct error *err;
};

void walk_free(struct catalog_walk *walk);

/* catalog_walk.c */
void walk_places(struct catalog_walk *walk);
/* Adds a file, unless it was found before, by whatever path; then only the `label`
 * (copied, NULL for none) is added if it had none. NULL: it was not added. */
struct found_file *walk_add(struct catalog_walk *walk, const char *path, const char *label,
                            const struct stat *st);
bool walk_goes_on(struct catalog_walk *walk); /* it has not failed, nor been cancelled */

/* Called for each name in a folder; `path` is its full path. */
typedef void (*walk_visit)(struct catalog_walk *walk, const char *path, const char *name,
                           const struct stat *st, int depth);
/* Visits each file and folder in `path`, except names that begin with a dot. */
void walk_folder(struct catalog_walk *walk, const char *path, int depth, walk_visit visit);

/* catalog_ollama.c: a folder of manifests/ and blobs/. */
void walk_ollama(struct catalog_walk *walk, const char *path);

/* catalog_read.c: reads a file's header. *keep says whether it is a model. */
enum status catalog_read(struct catalog_entry *entry, const struct found_file *file,
                         const struct engine_params *params, bool *keep, struct error *err);
void catalog_entry_deinit(struct catalog_entry *entry);

#endif
