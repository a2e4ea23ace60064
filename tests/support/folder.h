/* Files and folders of tests. What the system refuses ends the program, with its reason. */
#ifndef SOTTO_TESTS_FOLDER_H
#define SOTTO_TESTS_FOLDER_H

#include <stddef.h>

void write_bytes(const char *path, const void *bytes, size_t n);
void write_text(const char *path, const char *text);
/* A new folder, its path in `path`: "/dev/shm/sotto-NAME-XXXXXX", in memory, where syncs cost nothing, if the system has
 * such a place, else in /tmp. */
void make_memory_folder(char *path, size_t size, const char *name);
/* With all that is in it, whoever may read that. */
void remove_folder(const char *path);

#endif
