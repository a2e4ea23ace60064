#include "remote/thoughts.h"

#include <ctype.h>
#include <string.h>

#include "encode/harmony.h"
#include "encode/shape.h"

enum { BLANKS_MAX = 1024 }; /* before a marker */

static enum header_match match(const char *const *headers, const char *text, size_t len)
{
	enum header_match best = HEADER_NONE;
	size_t n;

	for (; *headers; headers++) {
		enum header_match found = header_match(*headers, text, len, &n);

		best = found > best ? found : best;
	}
	return best;
}

/* Markers that are plain words may begin any reply. */
static bool is_plain(const struct reasoning_markers *row)
{
	return isalpha((unsigned char)row->opens[0][0]) != 0;
}

bool thoughts_find(const char *text, size_t len, const struct reasoning_markers **out)
{
	size_t blanks = prompt_count_blanks(text, len);
	bool may_be = false;

	*out = reasoning_find("</think>", strlen("</think>"));
	if (blanks == len)
		return len >= BLANKS_MAX;
	for (size_t i = 0; i < reasoning_n_markers; i++) {
		const struct reasoning_markers *row = &reasoning_markers[i];
		enum header_match open = match(row->opens, text + blanks, len - blanks);
		enum header_match answer = match(row->answers, text + blanks, len - blanks);

		if (is_plain(row))
			continue;
		*out = row;
		if (open == HEADER_FOUND || answer == HEADER_FOUND)
			return true;
		may_be |= open == HEADER_MAYBE || answer == HEADER_MAYBE;
	}
	*out = reasoning_find("</think>", strlen("</think>"));
	return !may_be;
}
