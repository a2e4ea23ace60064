#include "base/option.h"

#include <string.h>

#include "base/words.h"

/* Whether two names are the same, '_' and '-' counting as one character. */
static bool is_same(const char *a, size_t a_len, const char *b, size_t b_len)
{
	if (a_len != b_len)
		return false;
	for (size_t i = 0; i < a_len; i++)
		if ((a[i] == '_' ? '-' : a[i]) != (b[i] == '_' ? '-' : b[i]))
			return false;
	return true;
}

bool option_is_called(const struct option *option, const char *name, size_t len)
{
	return is_same(option->name, strlen(option->name), name, len);
}

bool option_is_named(const struct option *option, const char *name, size_t len)
{
	const char *alias = option->aliases;

	if (option_is_called(option, name, len))
		return true;
	for (size_t n; words_list_next(&alias, &n); alias += n)
		if (is_same(alias, n, name, len))
			return true;
	return false;
}

const struct option *option_find(const struct option *rows, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (option_is_called(&rows[i], name, strlen(name)))
			return &rows[i];
	for (size_t i = 0; i < n; i++)
		if (option_is_named(&rows[i], name, strlen(name)))
			return &rows[i];
	return NULL;
}
