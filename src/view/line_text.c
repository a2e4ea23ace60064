#include "view/line_text.h"

#include <stdbool.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* "e.g. ", "3. " and "Dr. " end no sentence: a word of one or two characters before the dot is taken
 * for one of them. */
static bool ends_sentence(const char *text, size_t dot)
{
	size_t word = dot;

	if (text[dot] != '.')
		return true;
	while (word && !is_blank(text[word - 1]) && text[word - 1] != '.')
		word--;
	return dot - word > 2;
}

/* Marks that may follow the dot: quotes and brackets. */
static size_t after_marks(const char *text, size_t len, size_t at)
{
	while (at < len && memchr("\"')]*_", text[at], 6))
		at++;
	return at;
}

/* Chinese and Japanese marks that end a sentence without a blank after them. */
static bool is_wide_end(const char *text, size_t len, size_t at)
{
	static const char *const ends[] = {"\343\200\202", "\357\274\201", "\357\274\237"};

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (len - at >= 3 && memcmp(text + at, ends[i], 3) == 0)
			return true;
	return false;
}

size_t line_text_whole(const char *text, size_t len)
{
	size_t whole = 0, word = 0;

	for (size_t at = 0; at < len; at++) {
		size_t next = at + 1;

		if (text[at] == '\n') {
			whole = word = next;
			continue;
		}
		if (is_blank(text[at]))
			word = next;
		if (is_wide_end(text, len, at))
			whole = word = at + 3;
		if (!memchr(".!?:", text[at], 4) || !ends_sentence(text, at))
			continue;
		next = after_marks(text, len, next);
		if (next < len && is_blank(text[next])) /* only then is it known to have ended */
			whole = next + 1;
	}
	return len - whole > LINE_TEXT_SENTENCE && word > whole ? word : whole;
}
