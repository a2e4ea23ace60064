#include "base/option.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* The index of `name` in a row's values; 0 when it is not there. */
static int value_index(const struct option *row, const char *name)
{
	for (int i = 0; row->values && row->values[i]; i++)
		if (strcmp(row->values[i], name) == 0)
			return i;
	return 0;
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
