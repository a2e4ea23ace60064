/* Shared by the files of stored.h: a model that is on the disk, and what its files are. */
#ifndef SOTTO_PULL_STORED_MODEL_H
#define SOTTO_PULL_STORED_MODEL_H

#include "base/name_list.h"
#include "pull/name.h"
#include "pull/stored.h"

enum stored_kind {
	STORED_OLLAMA, /* a manifest, or a file in blobs/ that none names */
	STORED_HUB,    /* files in a snapshot of the hub's cache */
	STORED_PLAIN,  /* files in sotto's own folder */
};

struct stored_model { /* owned */
	enum stored_kind kind;
	char *path;     /* to load it by; of safetensors the folder, to convert it by */
	char *root;     /* of ollama: the folder with blobs/; of the hub: models--OWNER--REPO */
	char *manifest; /* of ollama; NULL: none names it */
	bool is_folder; /* of the hub: safetensors */
	struct name_list files; /* of the others: paths of all its parts, as they are named; of the hub within the snapshot */
};
void stored_model_free(struct stored_model *model);

/* By name. STATUS_NOTFOUND: err says why, not how to get it. */
enum status stored_find_ollama(struct stored_model *out, const struct pull_name *name, struct error *err) MUST_CHECK;
enum status stored_find_hub(struct stored_model *out, const char *name, struct error *err) MUST_CHECK;
/* By the path of a file there is, absolute: false, or an error, where it is none of that kind. */
enum status stored_of_ollama_path(struct stored_model *out, const char *path, bool *is, struct error *err) MUST_CHECK;
enum status stored_of_hub_path(struct stored_model *out, const char *path, bool *is, struct error *err) MUST_CHECK;
/* Appends the folder of a snapshot that a model of the hub is in. */
enum status stored_put_snapshot(struct buf *out, const struct stored_model *model) MUST_CHECK;
/* By name or path. */
enum status stored_open(struct stored_model *out, const char *name, struct error *err) MUST_CHECK;

/* A copy; STATUS_NOMEM. */
enum status stored_copy(char **out, const char *text, struct error *err) MUST_CHECK;
/* Adds all parts of a model that are there to its files, by the path of one of them; without the first `within` bytes. */
enum status stored_add_parts(struct stored_model *out, const char *path, size_t within, struct error *err) MUST_CHECK;
/* .../models--OWNER--REPO/snapshots/COMMIT/PATH: where "/snapshots/" and PATH begin. False: the path is no such one. */
bool stored_hub_split(const char *path, size_t *repository, size_t *within);
/* The file in REPOSITORY/blobs that a name in one of its snapshots leads to, "" for a file that is itself there. Replaces the
 * text. STATUS_DECLINED: it leads elsewhere; STATUS_NOTFOUND: it is not there. */
enum status stored_hub_target(struct buf *out, const char *repository, const char *path, struct error *err) MUST_CHECK;

/* Called for each file in a snapshot; its path, and the part of it within the snapshot. */
typedef enum status stored_visit(void *ctx, const char *path, const char *within, struct error *err);
enum status stored_each_file(const char *snapshot, stored_visit *visit, void *ctx, struct error *err) MUST_CHECK;
/* The names in a folder that do not begin with a dot. A folder that is not there has none. */
enum status stored_list_folder(struct name_list *out, const char *path, struct error *err) MUST_CHECK;

/* stored_plan.c: puts a path into a removal. Its owner is this user, it is no folder, and no running sotto has it open. */
enum status stored_plan_path(struct stored_removal *out, const char *path, bool is_link, struct error *err) MUST_CHECK;
/* STATUS_DECLINED: ROOT and what is below it, "/blobs", is there and no folder but a link. */
enum status stored_check_folder(const char *root, const char *below, struct error *err) MUST_CHECK;
enum status stored_check_idle(const char *path, struct error *err) MUST_CHECK; /* STATUS_BUSY: a running sotto has it open */
enum status stored_plan_ollama(struct stored_removal *out, const struct stored_model *model, struct error *err) MUST_CHECK;
/* The sentence about what stays. */
enum status stored_plan_keep(struct stored_removal *out, uint64_t n_bytes, const char *other, struct error *err) MUST_CHECK;

#endif
