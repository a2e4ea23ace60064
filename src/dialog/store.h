/* What of the chat is on the disk. A failed write never stops the chat: it is told, and tried again. */
#ifndef SOTTO_DIALOG_STORE_H
#define SOTTO_DIALOG_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/reason.h"

#define STORE_NEVER UINT64_MAX

struct dialog_store {
	bool recorded;           /* the journal has something to come back to */
	bool refused_to_lose;    /* to drop unsaved messages; the second time it is done */
	size_t n_stored;         /* messages of the tree that the journal was given */
	size_t n_copied;         /* messages of the tree that /save has written to a file */
	bool is_unsaved;         /* the last write failed, and the user was told ... */
	char why_unsaved[REASON_MAX]; /* ... why (reason_is_news) */
	bool is_aside;           /* it is saved in the rescue folder, and the user was told */
	uint64_t retry_at;       /* when to try again to write it where it belongs; STORE_NEVER: it is there */
	uint64_t retry_ms;
};

#endif
