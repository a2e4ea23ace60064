/* When something was, for a reader in a hurry. */
#ifndef SOTTO_BASE_DATE_H
#define SOTTO_BASE_DATE_H

#include <stdint.h>

enum { DATE_TEXT_MAX = 32 };
/* "Nov 21 09:30"; with the year instead of the time when it is another one. */
void date_text(int64_t when, char text[DATE_TEXT_MAX]);

#endif
