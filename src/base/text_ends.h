/* How texts end. */
#ifndef SOTTO_BASE_TEXT_ENDS_H
#define SOTTO_BASE_TEXT_ENDS_H

#include <stdbool.h>
#include <string.h>

/* Also where the text is nothing else. */
static inline bool text_ends(const char *text, const char *end)
{
	size_t n = strlen(text), n_end = strlen(end);

	return n >= n_end && memcmp(text + n - n_end, end, n_end) == 0;
}

/* Whether a file's name, or its path, ends in ".gguf" or the like, with something before that. */
static inline bool text_has_extension(const char *path, const char *extension)
{
	return text_ends(path, extension) && strlen(path) > strlen(extension);
}

#endif
