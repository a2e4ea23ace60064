#include "base/data_name.h"

#include <string.h>

static const char ending[] = ".yaml";

bool data_name_is_valid(const char *name, size_t len)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	if (len == 0 || len > 63 || !memchr(letters, name[0], sizeof letters - 1))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!memchr(letters, name[i], sizeof letters - 1) && !memchr("._-", name[i], 3))
			return false;
	return true;
}

bool data_name_is_file(const char *file_name)
{
	size_t len = strlen(file_name), n = sizeof ending - 1;

	return len > n && strcmp(file_name + len - n, ending) == 0 &&
	       data_name_is_valid(file_name, len - n);
}

const char *data_name_of_path(const char *path, size_t *len)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');

	*len = dot && dot > base ? (size_t)(dot - base) : strlen(base);
	return base;
}
