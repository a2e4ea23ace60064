/* A conversation that is being held: the chat with its journal, the template in use, the turn that runs,
 * what waits to be sent. It knows no screen and no worker. One thread. */
#ifndef SOTTO_DIALOG_H
#define SOTTO_DIALOG_H

#include <stdint.h>

#include "chat/tree.h"
#include "dialog/draft.h"
#include "dialog/files.h"
#include "dialog/queue.h"
#include "dialog/reply.h"
#include "dialog/store.h"
#include "dialog/template.h"
#include "journal/journal.h"

struct dialog {
	struct tree *tree;
	struct journal *journal; /* NULL: not saved */
	struct dialog_store store;
	struct dialog_template template;
	uint32_t opening_leaf;   /* where a template's opening of the chat ends; 0: none */
	uint32_t edited;         /* the message that is sent anew next; 0: none */
	struct dialog_turn turn;
	struct dialog_summary summary;
	struct dialog_queue queue;  /* to be sent when the reply is done */
	struct dialog_files files;  /* that go with the message in the line */
	struct dialog_draft draft;
};

void dialog_init(struct dialog *dialog);
void dialog_deinit(struct dialog *dialog);

#endif
