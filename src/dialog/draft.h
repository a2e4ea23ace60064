/* What is typed and not sent. */
#ifndef SOTTO_DIALOG_DRAFT_H
#define SOTTO_DIALOG_DRAFT_H

#include <stdint.h>

#include "base/reason.h"
#include "journal/draft_file.h"

struct dialog_draft {
	char key[DRAFT_KEY_MAX]; /* of the file that has it; "": none has */
	uint32_t sum;            /* of what is in it */
	uint64_t since;          /* when something was typed that is not in it; 0: nothing was */
	uint64_t due;            /* when to write it; 0: not */
	char failed[REASON_MAX]; /* why that does not work, as last told; "": it does */
};

#endif
