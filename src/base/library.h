/* Libraries that are loaded when they are first needed. */
#ifndef SOTTO_BASE_LIBRARY_H
#define SOTTO_BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* The first of these that there is; NULL: none. It stays until the program ends. */
void *library_open(const char *const *names, size_t n);
void library_close(void *library); /* one that is of no use */
/* Puts a function's address into a function pointer, which has `size` bytes. False: the library has none of that name. */
bool library_find(void *library, const char *name, void *function, size_t size);

#endif
