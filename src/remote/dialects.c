#include <string.h>

#include "remote/dialect_openai.h"

const struct dialect *const dialects[] = {
	&dialect_openai,
	NULL,
};

const struct dialect *dialect_find(const char *name)
{
	for (size_t i = 0; dialects[i]; i++)
		if (strcmp(dialects[i]->name, name) == 0)
			return dialects[i];
	return NULL;
}
