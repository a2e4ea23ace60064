/* Files that wait to be sent with the next message: those that were given, and those that the line mentions.
 * While a message is edited, its own are there instead (edit.h). */
#ifndef SOTTO_DIALOG_FILES_H
#define SOTTO_DIALOG_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "chat/attachment.h"
#include "turn/turn.h"

struct outgoing;

struct dialog_files {
	struct attached given;     /* by /read, or with the message that is being edited */
	struct attached mentioned; /* by @path in the line */
	size_t n_left_out;         /* files that the line's patterns match but that are not text */
	char *mentions;            /* owned: what the line mentioned when it was looked at last */
	char *doubted;             /* owned: a line that was refused once, for what it mentions */
	bool asked;                /* the tokens of one are being counted: */
	size_t asked_index;        /* `given` first, then `mentioned` */
	unsigned version, asked_version; /* of the two lists */
	bool failed;               /* counting has, of these lists with this model: it is not asked for again */
	unsigned failed_version;
	uint64_t generation;       /* of the model that they were counted for */
};

void dialog_files_init(struct dialog_files *files);

/* ---- the lists ---- */

/* Replaces the given ones; `list` is empty afterwards. */
void dialog_files_give(struct dialog_files *files, struct attached *list);
/* Adds to the given ones, all or none; one takes the place of another of its name. */
enum status dialog_files_add(struct dialog_files *files, const struct attached *more,
                             struct error *err) MUST_CHECK;
/* Adds those of a message's text. */
enum status dialog_files_add_from(struct dialog_files *files, const char *text,
                                  const struct attachments *list, struct error *err) MUST_CHECK;
/* Takes given ones out: the one at the index, or all. */
void dialog_files_remove(struct dialog_files *files, size_t index);
void dialog_files_remove_all(struct dialog_files *files);
/* There are none, as after a message was sent. */
void dialog_files_clear(struct dialog_files *files);
/* A message with them, from its words. */
enum status dialog_files_join(const struct dialog_files *files, const char *words, size_t len,
                              struct outgoing *out, struct error *err) MUST_CHECK;

/* ---- what they take ---- */

size_t dialog_files_n(const struct dialog_files *files);
/* The one at an index over both lists; NULL: there is none. */
struct attachment *dialog_file_at(const struct dialog_files *files, size_t index);
uint64_t dialog_files_tokens(const struct dialog_files *files); /* as far as they were counted */
bool dialog_files_are_estimated(const struct dialog_files *files); /* some of these numbers are */
/* The next one to be counted, as a message of its own: *block, which borrows. False: none, or one is being
 * counted. */
bool dialog_files_next(struct dialog_files *files, uint64_t generation, struct message *block);
/* It is being counted. */
void dialog_files_asked(struct dialog_files *files, bool asked);
/* It could not be: not asked for again until the lists or the model are others, as a server may be down. */
void dialog_files_not_counted(struct dialog_files *files);
/* Its tokens; NULL: the lists have changed since. */
const struct attachment *dialog_files_counted(struct dialog_files *files, uint32_t tokens, bool is_estimated);

#endif
