/* Emphasis in Chinese, Japanese and Korean. In CommonMark, stars after punctuation close emphasis
 * only if a blank or punctuation follows, and the other way round for opening ones. These languages
 * have no blanks, so the stars in "**Note:**text" would be shown. */
#include "markdown/markdown_internal.h"

#include <string.h>

#include "base/utf8.h"

struct range {
	int32_t first, last;
};

static bool is_in(int32_t cp, const struct range *ranges, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cp >= ranges[i].first && cp <= ranges[i].last)
			return true;
	return false;
}

static bool is_letter(int32_t cp)
{
	static const struct range letters[] = {
		{0x1100, 0x11FF}, {0x2E80, 0x2FDF}, {0x3005, 0x3007}, {0x3021, 0x3029}, {0x3040, 0x309F},
		{0x30A1, 0x30FA}, {0x30FC, 0x31FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xA960, 0xA97F},
		{0xAC00, 0xD7FF}, {0xF900, 0xFAFF}, {0xFF10, 0xFF19}, {0xFF21, 0xFF3A}, {0xFF41, 0xFF5A},
		{0xFF66, 0xFFDC}, {0x20000, 0x3FFFF},
	};

	return is_in(cp, letters, sizeof letters / sizeof letters[0]);
}

/* Of those that the parser takes for punctuation. */
static bool is_punctuation(int32_t cp)
{
	static const struct range marks[] = {
		{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}, {0x2010, 0x2027}, {0x2030, 0x2043},
		{0x3001, 0x3003}, {0x3008, 0x3011}, {0x3014, 0x301F}, {0xFF01, 0xFF03}, {0xFF05, 0xFF0A},
		{0xFF0C, 0xFF0F}, {0xFF1A, 0xFF1B}, {0xFF1F, 0xFF20}, {0xFF3B, 0xFF3D}, {0xFF5F, 0xFF65},
	};

	return is_in(cp, marks, sizeof marks / sizeof marks[0]);
}

/* The code point before text[at]; *from: where it begins. -1 for bad UTF-8. at > 0. */
static int32_t before(const char *text, size_t at, size_t *from)
{
	int32_t cp;
	size_t begin = at - 1;

	while (begin && at - begin < UTF8_MAX && (text[begin] & 0xC0) == 0x80)
		begin--;
	*from = begin;
	return utf8_decode(text + begin, at - begin, &cp) == at - begin ? cp : -1;
}

static void replace(char *copy, size_t from, size_t to)
{
	memset(copy + from, '.', to - from);
}

void markdown_join_cjk(char *copy, size_t n)
{
	for (size_t at = 0, end; at < n; at = end) {
		int32_t left, right;
		size_t from, len;

		end = at + 1;
		if (copy[at] != '*' && copy[at] != '_' && copy[at] != '~')
			continue;
		while (end < n && copy[end] == copy[at])
			end++;
		if (!at || end == n)
			continue;
		left = before(copy, at, &from);
		len = utf8_decode(copy + end, n - end, &right);
		if (is_letter(left) && is_punctuation(right))
			replace(copy, from, at);
		else if (is_punctuation(left) && is_letter(right))
			replace(copy, end, end + len);
	}
}
