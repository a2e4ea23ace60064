#include "base/option.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/words.h"

/* The index of `name` in a row's values; 0 when it is not there. */
static int value_index(const struct option *row, const char *name)
{
	for (int i = 0; row->values && row->values[i]; i++)
		if (strcmp(row->values[i], name) == 0)
			return i;
	return 0;
}

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

void option_set_defaults(const struct option *rows, size_t n, void *target)
{
	for (size_t i = 0; i < n; i++) {
		const struct option *row = &rows[i];
		const char *def = row->def ? row->def : "0";
		void *field = (char *)target + row->offset;
		double number;

		switch (row->type) {
		case OPTION_BOOL:
			*(bool *)field = strcmp(def, "yes") == 0;
			break;
		case OPTION_INT:
			*(int32_t *)field = (int32_t)strtol(def, NULL, 10);
			break;
		case OPTION_INT64:
			*(int64_t *)field = strtoll(def, NULL, 10);
			break;
		case OPTION_FLOAT:
			*(float *)field = (float)(number_parse_double(def, &number) ? number : 0);
			break;
		case OPTION_ENUM:
			*(int *)field = value_index(row, def);
			break;
		case OPTION_STRING:
			*(char **)field = NULL;
			break;
		}
	}
}
