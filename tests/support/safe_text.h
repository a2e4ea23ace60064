/* An opinion on sanitised text that owes nothing to the sanitiser's tables. */
#ifndef SOTTO_TESTS_SAFE_TEXT_H
#define SOTTO_TESTS_SAFE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Valid UTF-8 with no control but LF and TAB, nothing that is not shown, and
 * at most 8 marks in a row. */
bool safe_text(const char *bytes, size_t n);

#endif
