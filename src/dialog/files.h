/* Files that wait to be sent with the next message. */
#ifndef SOTTO_DIALOG_FILES_H
#define SOTTO_DIALOG_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chat/attachment.h"

struct dialog_files {
	struct attached given;     /* by /read, or with the message that is being edited */
	struct attached mentioned; /* by @path in the line */
	struct attached aside;     /* given before a message was edited */
	size_t n_left_out;         /* files that the line's patterns match but that are not text */
	char *mentions;            /* owned: what the line mentioned when it was looked at last */
	uint32_t edited;           /* the message whose files `given` are; 0: those of the next one; */
#define FILES_OF_QUEUED UINT32_MAX /* ... those of the queued message that is edited */
	char *doubted;             /* owned: a line that was refused once, for what it mentions */
	bool asked;                /* the tokens of one are being counted: */
	size_t asked_index;        /* `given` first, then `mentioned` */
	unsigned version, asked_version; /* of the two lists */
	uint64_t generation;       /* of the model that they were counted for */
};

void dialog_files_init(struct dialog_files *files);
void dialog_files_free(struct dialog_files *files);

#endif
