#include "turn/bias_word.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

static const double value_max = 1e6;

static bool read_number(const char *text, double *value)
{
	if (strcmp(text, "inf") == 0) {
		*value = INFINITY;
		return true;
	}
	return (number_is_digit(*text) || *text == '.') && number_parse_double(text, value) && *value <= value_max;
}

static int64_t read_id(const char *key, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!number_is_digit(key[i]))
			return -1;
	return strtoll(key, NULL, 10); /* too large a number becomes the largest */
}

enum status bias_word_read(const char *word, struct bias_word *out, struct error *err)
{
	const char *sign = word + strlen(word);
	double value;

	while (sign > word + 1) {
		sign--;
		if ((*sign != '+' && *sign != '-') || !read_number(sign + 1, &value))
			continue;
		if (*sign == '+' && isinf(value))
			break;
		*out = (struct bias_word){.key_len = (size_t)(sign - word), .number = sign,
		                          .value = *sign == '-' ? -value : value, .id = read_id(word, (size_t)(sign - word))};
		return STATUS_OK;
	}
	return error_set(err, STATUS_USAGE, "'%.60s' is not TEXT+N, TEXT-N, ID+N or ID-N", word);
}
