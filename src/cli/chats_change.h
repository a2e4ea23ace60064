/* The part of `sotto chats` that changes something: titles, the trash, the chats of other programs'
 * files. */
#ifndef SOTTO_CLI_CHATS_CHANGE_H
#define SOTTO_CLI_CHATS_CHANGE_H

/* Each prints its errors and returns the exit status. `name` is a chat's id, title, the beginning of
 * an id, or, but for the trash, a path. */
int chats_change(const char *name, const char *title); /* the title; NULL: moves it to the trash */
int chats_restore(const char *name);
int chats_empty_trash(void); /* a terminal is asked first */
/* Prints what was taken of each file. One that cannot be read does not keep the others from being
 * imported. */
int chats_import(char **files, int n);

#endif
