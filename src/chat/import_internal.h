/* What the reader of foreign chats finds, before it is a tree. */
#ifndef SOTTO_CHAT_IMPORT_INTERNAL_H
#define SOTTO_CHAT_IMPORT_INTERNAL_H

#include <stdint.h>

#include "chat/import.h"

enum import_field {
	IMPORT_ROLE, IMPORT_CONTENT, IMPORT_REASONING, IMPORT_ID, IMPORT_PARENT, IMPORT_MODEL,
	IMPORT_TITLE, IMPORT_LEAF, IMPORT_TYPE, IMPORT_SYSTEM, IMPORT_N_FIELDS
};

/* Any object: a message, a chat, or what holds one of them. */
struct import_object {
	char *fields[IMPORT_N_FIELDS];  /* owned; NULL: not there, or no text */
	size_t lens[IMPORT_N_FIELDS];
	int64_t created;                /* seconds; 0: not known */
	bool is_chat;                   /* it has a list of messages */
	struct import_object *messages; /* owned */
	size_t n, cap;
};

/* Makes a tree of a chat's messages; *tree NULL: none of them says anything. *n_left_out counts
 * further. */
enum status import_build(const struct import_object *chat, struct tree **tree,
                         size_t *n_left_out, struct error *err) MUST_CHECK;

#endif
