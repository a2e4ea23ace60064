#include "chat/export.h"

#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "base/words.h"

const struct export_format export_formats[] = {
	{"md", "markdown", export_markdown},
	{"json", "openai", export_json},
	{"txt", "text", export_text},
	{"html", "htm", export_html},
};
const size_t export_formats_n = sizeof export_formats / sizeof export_formats[0];

const struct export_format *export_find(const char *name, size_t len)
{
	for (size_t i = 0; i < export_formats_n; i++)
		if ((strlen(export_formats[i].name) == len &&
		     memcmp(export_formats[i].name, name, len) == 0) ||
		    words_have(export_formats[i].aliases, name, len))
			return &export_formats[i];
	return NULL;
}

const struct export_format *export_of_file(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? export_find(dot + 1, strlen(dot + 1)) : NULL;
}
