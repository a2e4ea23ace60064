/* When a message was written, in any of the forms that programs use. */
#ifndef SOTTO_IMPORT_DATE_H
#define SOTTO_IMPORT_DATE_H

#include <stdint.h>

#include "import/value.h"

/* Milliseconds since the epoch; 0: none. Numbers, in strings too, are seconds, milli-, micro- or
 * nanoseconds, by their size; texts are ISO 8601 or "April 26, 2024 6:06am" and its kin. Without a zone it
 * is UTC. */
int64_t date_of(const struct value *value);

#endif
