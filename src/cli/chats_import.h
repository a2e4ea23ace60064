/* The part of `sotto chats` that adds the chats of other programs' files. */
#ifndef SOTTO_CLI_CHATS_IMPORT_H
#define SOTTO_CLI_CHATS_IMPORT_H

/* Prints what was taken of each file, and the errors; returns the exit status. A file that cannot be read
 * does not keep the others from being imported. */
int chats_import(char **files, int n);

#endif
