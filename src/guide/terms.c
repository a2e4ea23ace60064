#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "guide/guide_internal.h"

enum { PART_MIN = 3 };

void terms_deinit(struct terms *terms)
{
	buf_free(&terms->text);
	free(terms->items);
}

const char *terms_word(const struct terms *terms, size_t n)
{
	return terms->text.data + terms->items[n].at;
}

/* Not those of <ctype.h>, which depend on the locale. */
static bool is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_word(char c)
{
	return is_letter(c) || (c >= '0' && c <= '9');
}

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static bool ends_with(const char *word, size_t len, const char *ending)
{
	size_t n = strlen(ending);

	return len >= n && memcmp(word + len - n, ending, n) == 0;
}

/* Takes a word's ending off, in place; returns its new length. */
static size_t stem(char *word, size_t len)
{
	if (len > 4 && ends_with(word, len, "ies")) {
		len -= 2;
		word[len - 1] = 'y';
	} else if (len > 5 && ends_with(word, len, "ing")) {
		len -= 3;
	} else if (len > 4 && ends_with(word, len, "ed")) {
		len -= 2;
	} else if (len > 3 && ends_with(word, len, "s") && !ends_with(word, len, "ss")) {
		len--;
	}
	if (len > 5 && ends_with(word, len, "ly"))
		len -= 2;
	if (len > 3 && word[len - 1] == 'e')
		len--;
	if (len > 3 && word[len - 1] == word[len - 2] && is_letter(word[len - 1]))
		len--;
	return len;
}

/* What is joined or a name has no ending. */
static enum status add(struct terms *terms, const char *text, size_t len, bool is_plain)
{
	char word[LIMIT_GUIDE_WORD];

	len = len < sizeof word ? len : sizeof word;
	memcpy(word, text, len);
	if (is_plain)
		len = stem(word, len);
	if (!alloc_grow(&terms->items, &terms->cap, terms->n + 1, sizeof *terms->items,
	                2 * LIMIT_GUIDE_QUESTION))
		return STATUS_NOMEM;
	terms->items[terms->n++] = (struct guide_term){terms->text.len, len};
	return buf_append(&terms->text, word, len);
}

/* Bytes of the "/", "-" or "--" that begins a word at `at`; 0: none. */
static size_t mark_length(const char *text, size_t at)
{
	size_t len = text[at] == '/' ? 1 : text[at] == '-' ? strspn(text + at, "-") : 0;

	if (len == 0 || len > 2 || !is_word(text[at + len]))
		return 0;
	return at == 0 || is_one_of(text[at - 1], " \t\n\v\f\r(\"'") ? len : 0;
}

static size_t run_length(const char *text)
{
	size_t len = 0;

	while (is_word(text[len]))
		len++;
	return len;
}

/* Runs of letters and digits with one of _-+.' between them. */
static size_t word_length(const char *text)
{
	size_t len = run_length(text);

	while (len && is_one_of(text[len], "_-+.'") && is_word(text[len + 1]))
		len += 1 + run_length(text + len + 1);
	return len;
}

/* The word without its marks, then its parts. */
static enum status add_compound(struct terms *terms, const char *word, size_t len)
{
	char joined[LIMIT_GUIDE_WORD];
	size_t n = 0;
	enum status status;

	for (size_t i = 0; i < len && n < sizeof joined; i++)
		if (is_word(word[i]))
			joined[n++] = word[i];
	status = add(terms, joined, n, false);
	for (size_t i = 0; i < len && !status; i += n + 1) {
		n = run_length(word + i);
		if (n >= PART_MIN)
			status = add(terms, word + i, n, true);
	}
	return status;
}

enum status terms_split(struct terms *terms, const char *text, size_t len)
{
	enum status status;
	struct buf low = {.max = LIMIT_GUIDE_QUESTION + 1};

	buf_clear(&terms->text);
	terms->n = 0;
	for (size_t i = 0; i < len && i < LIMIT_GUIDE_QUESTION; i++)
		buf_putc(&low, text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + 32) : text[i]);
	status = buf_status(&low);
	for (size_t at = 0; at < low.len && !status;) {
		const char *word = low.data + at;
		size_t mark = mark_length(low.data, at), n = word_length(word + mark);

		if (n && mark)
			status = add(terms, word, mark + n, false);
		if (n && !status)
			status = run_length(word + mark) == n ? add(terms, word + mark, n, true)
			                                      : add_compound(terms, word + mark, n);
		at += n ? mark + n : 1;
	}
	buf_free(&low);
	return status;
}
