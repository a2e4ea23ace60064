/* What the files of the catalog share. Only catalog*.c and recent.c include this. */
#ifndef SOTTO_MODELS_CATALOG_INTERNAL_H
#define SOTTO_MODELS_CATALOG_INTERNAL_H

#include <sys/stat.h>

#include "models/catalog.h"

/* A file that may be a model, before it is looked into. */
struct found_file {
	char *path;   /* owned */
	char *label;  /* what it is called where it was found; owned, NULL: nothing */
	struct stat st;
	size_t place; /* which of the places it was found in */
	int64_t used; /* as of recent.h */
	bool is_named; /* as a model: damage is worth a word */
	bool is_guide;
	uint32_t n_parts;
	uint64_t n_bytes; /* of all parts */
};

struct folder_id {
	dev_t device;
	ino_t inode;
};

/* A search under way. */
struct search {
	struct found_file *found;
	size_t n, cap;
	struct folder_id *folders; /* that were looked into: links cannot lead in a circle */
	size_t n_folders, cap_folders;
	size_t n_entries;          /* names read so far */
	size_t place;
	size_t n_unreadable;
	bool is_cut;
	catalog_cancelled cancelled;
	void *ctx;
};

void search_free(struct search *search);

/* catalog_walk.c. All of them: STATUS_NOMEM and STATUS_CANCELLED are what ends
 * a search; what is not there or cannot be read does not. */
enum status search_places(struct search *search, struct error *err);
/* A file, unless it was found before, whatever the path. `used` and `label`
 * (copied; NULL for none) go to the one found before, too. */
enum status search_add(struct search *search, const char *path, const char *label,
                       const struct stat *st, struct error *err);
enum status search_check(struct search *search, struct error *err); /* cancelled? */

/* What a folder's names are given to; `path` is name's whole path. */
typedef enum status (*search_visit)(struct search *search, const char *path, const char *name,
                                    const struct stat *st, int depth, struct error *err);
/* Calls for each file and folder in `path`, names with a dot in front left out. */
enum status search_folder(struct search *search, const char *path, int depth, search_visit visit,
                          struct error *err);

/* catalog_ollama.c: a folder of manifests/ and blobs/. */
enum status search_ollama(struct search *search, const char *path, struct error *err);
/* The digest of the model in a manifest: 64 hexadecimal digits and a NUL. */
enum { DIGEST_LEN = 64 };
bool ollama_find_digest(const char *json, size_t len, char digest[DIGEST_LEN + 1]);

/* catalog_read.c: looks into a file. *keep says whether it is a model. */
enum status catalog_read(struct catalog_entry *entry, const struct found_file *file,
                         const struct engine_params *params, bool *keep, struct error *err);
void catalog_entry_deinit(struct catalog_entry *entry);

#endif
