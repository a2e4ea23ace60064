/* A home folder for a test, with the variables that say where models are kept unset. */
#ifndef SOTTO_TESTS_PULL_PLACES_H
#define SOTTO_TESTS_PULL_PLACES_H

#include <stdbool.h>

extern char places_home[64];

void places_make(void);
void places_remove(void);
/* A path in the home folder, "%s" filled in; its folders are made. Good for eight more calls. */
const char *places_path(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool places_has(const char *path); /* in the home folder, links not followed */
void places_write(const char *path, const char *text); /* in the home folder */

#endif
