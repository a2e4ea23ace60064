/* Which characters Python's repr() shows as they are. */
#ifndef SOTTO_JINJA_PRINTABLE_H
#define SOTTO_JINJA_PRINTABLE_H

#include <stdbool.h>
#include <stdint.h>

bool char_is_printable(uint32_t cp);

#endif
