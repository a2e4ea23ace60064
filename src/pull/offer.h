/* What is to be had under a name: the files of a repository, grouped into choices, each of which is a model. */
#ifndef SOTTO_PULL_OFFER_H
#define SOTTO_PULL_OFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/secret.h"
#include "catalog/catalog.h"
#include "pull/name.h"

/* Foreign bytes, checked where they are read: a path has no "..", no empty part, no leading slash, no control
 * character; sizes are at most LIMIT_PULL_FILE; a digest is hexadecimal. */
struct pull_file {
	char *path;     /* in the repository: "BF16/x-00001-of-00002.gguf"; of ollama: "sha256-<digest>". Owned */
	char *kind;     /* of ollama: the layer's media type; else NULL. Owned */
	uint64_t size;
	char digest[DIGEST_TEXT_MAX]; /* SHA-256, or git's (40 digits); "": nobody vouches for it */
};

/* A model: one file, or all parts of a split one, and what belongs to it. */
struct pull_choice {
	char *quant;       /* "Q4_K_M", "UD-Q4_K_XL"; of ollama the tag; not sanitised. Owned */
	size_t first, n;   /* offer->files[first .. first + n - 1] */
	uint64_t n_bytes;
	double bits;       /* a weight; 0: not known */
	enum catalog_state fits;
	uint64_t memory;   /* bytes with the usual context, estimated; 0: not known */
	double speed;      /* tokens a second expected here; 0: not known */
	uint64_t n_stored; /* bytes of it that are on this machine already */
};

struct pull_offer {
	struct pull_name name;     /* owned */
	char *commit;              /* of the hub: 40 digits, all requests are for this one; else NULL. Owned */
	struct pull_file *files;   /* [n_files], sorted so that a choice's are side by side; owned */
	size_t n_files;
	struct pull_choice *choices; /* [n_choices]: the smallest first; owned. None: no file that sotto can run */
	size_t n_choices;
	size_t chosen;             /* the one that the name's tag means, or without a tag the one for this machine */
	bool is_by_tag;            /* the user said which */
	char *licence;             /* "apache-2.0"; NULL: it does not say. Owned, not sanitised */
	char *notes;               /* lines for the user: what is not fetched and why (vision), or what to do where there is
	                            * no choice (safetensors, ONNX ...). NULL: none. Owned */
	uint64_t n_params;         /* of the model; 0: it does not say */
	struct secret *key;        /* for name.base alone; NULL: none. Owned */
	char *manifest;            /* of ollama: its bytes, as they came. Owned */
	size_t manifest_len;
};

/* The machine that a choice is for. */
struct pull_machine {
	uint64_t available; /* memory, bytes; 0: not known */
	double weight_rate; /* catalog/speed.h; 0: not known */
};

void pull_offer_free(struct pull_offer *offer); /* {0} is fine */

/* choose.c: fills choices, unless there are some already (from files with a path that ends in .gguf; with the tag
 * "safetensors" from what `sotto convert` reads: one choice, a folder), their numbers, and chosen. STATUS_NOTFOUND: there
 * is nothing of that tag, and the text says what there is. The rules are those of llama.cpp's -hf (common/download.cpp), but a tag
 * that is a whole word of the name goes before one that is only part of it. */
enum status pull_choose(struct pull_offer *offer, const struct pull_machine *machine, struct error *err) MUST_CHECK;

#endif
