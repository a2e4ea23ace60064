/* Models in the folders of the hub and of ollama: found by name, checked, taken away. */
#ifndef SOTTO_PULL_STORED_H
#define SOTTO_PULL_STORED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/io.h"
#include "catalog/catalog.h"

/* The path to load a model by that is on this machine under this name; no network. STATUS_NOTFOUND: it is not; the text
 * says that `sotto pull` fetches it. */
enum status stored_find(struct buf *path, const char *name, struct error *err) MUST_CHECK;
/* Appends what a model is loaded by that is named so: the text itself; where there is no such file the guide's for "guide",
 * and for what looks like a published name what stored_find finds, with its errors. */
enum status stored_put_model(struct buf *out, const char *text, struct error *err) MUST_CHECK;

/* Appends the name by which a file of the hub's cache was fetched, is loaded and deleted: "owner/repo:Q4_K_M"; where another
 * one of the repository has that tag, "hf.co/owner/repo/x.gguf". `catalog`: what is here; borrowed, NULL: nothing else. False, and
 * nothing appended: the path is no such one. No disk is looked at. */
bool stored_put_name(struct buf *out, const char *path, const struct catalog *catalog);

/* What taking away a model would do. */
struct stored_removal {
	char **paths;   /* [n]: links, manifest, then files that nothing else names; owned */
	size_t n;
	uint64_t n_bytes; /* that it frees */
	char *kept;     /* a sentence about what stays because another name needs it; NULL: nothing does. Owned */
};
/* By name, or by the path of a file in one of those folders or in sotto's own. STATUS_NOTFOUND; STATUS_DECLINED: it is
 * somebody else's, or a link out of those folders; STATUS_BUSY: a running sotto has it open. */
enum status stored_plan_removal(struct stored_removal *out, const char *name, struct error *err) MUST_CHECK;
enum status stored_remove(const struct stored_removal *removal, const struct io_ops *io, struct error *err) MUST_CHECK;
void stored_removal_free(struct stored_removal *removal);

/* Reads a model's files again and compares them with the digests that they are named by. `tell`: once a file, then about
 * four times a second how far it is. STATUS_FORMAT: one is not what its name says; STATUS_UNSUPPORTED: its name says
 * no digest. */
enum status stored_verify(const char *name, bool (*cancelled)(void *ctx),
                          void (*tell)(void *ctx, const char *path, uint64_t done, uint64_t all), void *ctx,
                          struct error *err) MUST_CHECK;

/* Appends the licence: the texts that come beside a model, else what its file says (general.license). By name, or by the
 * path of any model's file. STATUS_UNSUPPORTED: neither says anything. Not sanitised. */
enum status stored_licence(struct buf *out, const char *name, struct error *err) MUST_CHECK;

/* Part files of fetches that were stopped: where they are, how much, how old in seconds. */
struct stored_part {
	char *path; /* of the part file; owned */
	uint64_t n_bytes;
	int64_t age;
};
enum status stored_parts(struct stored_part **out, size_t *n, struct error *err) MUST_CHECK;
/* Takes one away, with its state. STATUS_BUSY: it is being fetched. */
enum status stored_remove_part(const struct stored_part *part, const struct io_ops *io, struct error *err) MUST_CHECK;
void stored_parts_free(struct stored_part *parts, size_t n);

#endif
