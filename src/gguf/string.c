/* Strings of a GGUF file, which end without a NUL. */
#include <string.h>

#include "base/number.h"
#include "gguf/internal.h"

bool gguf_string_is(struct gguf_string string, const char *text)
{
	return string.len == strlen(text) && memcmp(string.data, text, string.len) == 0;
}

bool gguf_string_begins(struct gguf_string string, const char *prefix)
{
	size_t len = strlen(prefix);

	return string.len >= len && memcmp(string.data, prefix, len) == 0;
}

bool gguf_split_layer(struct gguf_string *name, uint64_t *layer)
{
	uint64_t n = 0;
	size_t i = 4;

	if (!gguf_string_begins(*name, "blk.") || name->len < 6 ||
	    (name->data[4] == '0' && name->data[5] != '.'))
		return false;
	for (; i < name->len && number_is_digit(name->data[i]) && i < 12; i++)
		n = n * 10 + number_digit(name->data[i]);
	if (i == 4 || i == name->len || name->data[i] != '.')
		return false;
	*layer = n;
	name->data += i + 1;
	name->len -= i + 1;
	return true;
}

int gguf_string_compare(struct gguf_string a, struct gguf_string b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int order = memcmp(a.data, b.data, n);

	if (order)
		return order;
	return a.len < b.len ? -1 : a.len > b.len;
}
