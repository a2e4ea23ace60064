#include "chat/looks_wrong.h"

#include <string.h>

enum {
	LOOKED_AT = 4096,   /* bytes of the text's end */
	PERIOD_MAX = 640,   /* bytes of a repeated part */
	SHORT = 24,         /* a part of at most that many bytes must come ... */
	SHORT_TIMES = 24,   /* ... so often, */
	LONG_TIMES = 5,     /* ... a longer one so often */
	FIRMLY = 3,         /* times as often, if it may be meant */
	TOKEN_TIMES = 24,
	UNKNOWN_MIN = 4,
};

/* Marks that texts repeat: rules, tables, dots, blanks. */
static const char marks[] = "-=_.*#~+|:/\\<>`^ \t\r\n";

/* Whether a part has more than marks; box drawings and the like begin with the byte E2. */
static bool has_words(const char *part, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)part[i];

		if (byte == 0xE2)
			i += 2;
		else if (!byte || !strchr(marks, byte))
			return true;
	}
	return false;
}

/* How many bytes at the end of the text are those `period` bytes before them. */
static size_t count_repeated(const char *text, size_t len, size_t period)
{
	size_t n = 0;

	while (n + period < len && text[len - 1 - n] == text[len - 1 - n - period])
		n++;
	return n;
}

static size_t times_needed(size_t period, bool firmly)
{
	size_t times = period <= SHORT ? SHORT_TIMES : LONG_TIMES;

	return firmly ? times * FIRMLY : times;
}

/* The shortest part that the text ends with again and again; false: there is none. */
static bool find_loop(const char *text, size_t len, bool firmly, struct wrong *out)
{
	for (size_t period = 1; period <= PERIOD_MAX && 2 * period <= len; period++) {
		size_t repeated = count_repeated(text, len, period), times = repeated / period + 1;

		if (times < times_needed(period, firmly))
			continue;
		if (!has_words(text + len - period, period))
			return false; /* longer parts are of the same marks */
		out->start = len - period;
		out->len = period;
		out->n = times;
		return true;
	}
	return false;
}

static bool ends_with_one_token(const int32_t *ids, size_t n_ids)
{
	size_t n = 1;

	while (n < n_ids && n < TOKEN_TIMES && ids[n_ids - 1 - n] == ids[n_ids - 1])
		n++;
	return n == TOKEN_TIMES;
}

static size_t count_unknown(const char *text, size_t len)
{
	static const char unknown[] = "\xEF\xBF\xBD";
	size_t n = 0;

	for (size_t i = 0; i + 3 <= len; i++)
		n += memcmp(text + i, unknown, 3) == 0;
	return n;
}

struct wrong looks_wrong(const char *text, size_t len, const int32_t *ids, size_t n_ids, bool firmly)
{
	struct wrong wrong = {.look = LOOKS_WELL};
	size_t from = len > LOOKED_AT ? len - LOOKED_AT : 0;

	wrong.n = count_unknown(text + from, len - from);
	if (wrong.n >= (firmly ? UNKNOWN_MIN * FIRMLY : UNKNOWN_MIN)) {
		wrong.look = LOOKS_UNKNOWN;
		return wrong;
	}
	wrong.n = 0;
	if (find_loop(text + from, len - from, firmly, &wrong)) {
		wrong.look = ends_with_one_token(ids, n_ids) ? LOOKS_LIKE_ONE_TOKEN : LOOKS_LIKE_A_LOOP;
		wrong.start += from;
	}
	return wrong;
}
