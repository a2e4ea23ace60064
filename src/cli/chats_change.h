/* The part of `sotto chats` that changes something: titles and the trash. */
#ifndef SOTTO_CLI_CHATS_CHANGE_H
#define SOTTO_CLI_CHATS_CHANGE_H

#include "base/error.h"

/* Each prints its errors and returns the exit status. `name` is a chat's id, title, the beginning of
 * an id, or, but for the trash, a path. */
int chats_delete(const char *name);
int chats_restore(const char *name);
int chats_rename(const char *title, const char *name);
/* A chat that is not there, or a file that is no chat, is a wrong command line. */
int chats_fail(struct error *err);
int chats_empty_trash(void); /* a terminal is asked first */

#endif
