/* For what fails again and again: its reason is told when it is another one. */
#ifndef SOTTO_BASE_REASON_H
#define SOTTO_BASE_REASON_H

#include <stdbool.h>

#include "base/error.h"

enum { REASON_MAX = 96 };

/* Whether the reason, with which the error ends, is another one than was told last. It is kept in `told`,
 * which is "" at first. */
bool reason_is_news(char told[REASON_MAX], const struct error *err);

#endif
