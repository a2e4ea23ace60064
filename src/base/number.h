/* Numbers as text, the same in every locale: a decimal point is a point.
 * Parsing takes the whole text or nothing; no blanks, no hexadecimal, no
 * infinities. */
#ifndef SOTTO_BASE_NUMBER_H
#define SOTTO_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMBER_TEXT_MAX = 32 };

/* The value of a digit, in bases up to 36; 99 if it is none. */
unsigned number_digit(char c);
bool number_is_digit(char c); /* 0 to 9 */

bool number_parse_int(const char *text, int64_t *value);
bool number_parse_double(const char *text, double *value);

/* The shortest decimal text that reads back as the same float, or double.
 * Returns `out`. */
char *number_format_float(float value, char out[NUMBER_TEXT_MAX]);
char *number_format_double(double value, char out[NUMBER_TEXT_MAX]);

#endif
