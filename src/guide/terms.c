#include "guide/terms.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"

enum { PART_MIN = 3 };

void terms_init(struct terms *terms)
{
	*terms = (struct terms){0};
	/* The text, and less than that for words without their marks. */
	buf_init(&terms->text, 2 * LIMIT_GUIDE_QUESTION);
}

void terms_deinit(struct terms *terms)
{
	buf_free(&terms->text);
	free(terms->items);
	terms_init(terms);
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

static enum status add(struct terms *terms, size_t at, size_t len)
{
	if (!alloc_grow(&terms->items, &terms->cap, terms->n + 1, sizeof *terms->items,
	                2 * LIMIT_GUIDE_QUESTION))
		return STATUS_NOMEM;
	terms->items[terms->n++] = (struct term){at, len};
	return STATUS_OK;
}

/* Small letters, and one kind of apostrophe (U+2019 is the other). */
static enum status normalise(struct buf *out, const char *text, size_t len)
{
	size_t n = 0;

	if (buf_append(out, text, len))
		return buf_status(out);
	for (size_t i = 0; i < len; i++, n++) {
		char c = out->data[i];

		if (c == '\xE2' && len - i >= 3 && memcmp(out->data + i, "\xE2\x80\x99", 3) == 0) {
			c = '\'';
			i += 2;
		}
		out->data[n] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
	}
	buf_remove(out, n, len - n);
	return STATUS_OK;
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
static enum status add_compound(struct terms *terms, size_t at, size_t len)
{
	size_t joined = terms->text.len, n;

	for (size_t i = at; i < at + len; i++)
		if (is_word(terms->text.data[i]))
			buf_putc(&terms->text, terms->text.data[i]);
	if (buf_status(&terms->text) || add(terms, joined, terms->text.len - joined))
		return STATUS_NOMEM;
	for (size_t i = 0; i < len; i += n + 1) {
		n = run_length(terms->text.data + at + i);
		if (n >= PART_MIN && add(terms, at + i, n))
			return STATUS_NOMEM;
	}
	return STATUS_OK;
}

enum status terms_split(struct terms *terms, const char *text, size_t len)
{
	enum status status;
	size_t end;

	buf_clear(&terms->text);
	terms->n = 0;
	status = normalise(&terms->text, text, len < LIMIT_GUIDE_QUESTION ? len : LIMIT_GUIDE_QUESTION);
	end = terms->text.len;
	buf_putc(&terms->text, '\0'); /* where the last run ends, whatever follows */
	for (size_t at = 0; at < end && !status;) {
		size_t mark = mark_length(terms->text.data, at);
		size_t n = word_length(terms->text.data + at + mark);

		if (n && mark)
			status = add(terms, at, mark + n);
		if (n && !status)
			status = run_length(terms->text.data + at + mark) == n
			                 ? add(terms, at + mark, n)
			                 : add_compound(terms, at + mark, n);
		at += n ? mark + n : 1;
	}
	return status ? status : buf_status(&terms->text);
}

static bool ends_with(const char *word, size_t len, const char *ending)
{
	size_t n = strlen(ending);

	return len >= n && memcmp(word + len - n, ending, n) == 0;
}

static bool begins_with(const char *word, size_t len, const char *beginning)
{
	size_t n = strlen(beginning);

	return len >= n && memcmp(word, beginning, n) == 0;
}

static bool is_function_key(const char *word, size_t len)
{
	size_t at = 1;

	if (len < 2 || word[0] != 'f')
		return false;
	while (at < len && is_word(word[at]) && !is_letter(word[at]))
		at++;
	return at == len;
}

bool term_is_key(const char *word, size_t len)
{
	static const char *const held[] = {"alt", "ctrl", "shift"};

	if (is_function_key(word, len))
		return true;
	for (size_t i = 0; i < sizeof held / sizeof held[0]; i++) {
		size_t at = strlen(held[i]);

		if (!begins_with(word, len, held[i]) || len == at)
			continue;
		if (len == at + 1)
			return is_word(word[at]);
		return is_function_key(word + at, len - at);
	}
	return false;
}

size_t term_stem(char *word, size_t len)
{
	if (len == 0 || word[0] == '/' || word[0] == '-' || term_is_key(word, len))
		return len;
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

/* The first group of a phrase: where its '(' stands, *len bytes between that and
 * its ')'. NULL: none. */
static const char *find_group(const char *phrase, size_t *len)
{
	for (phrase = strchr(phrase, '('); phrase; phrase = strchr(phrase + 1, '(')) {
		*len = strcspn(phrase + 1, "()");
		if (phrase[1 + *len] == ')')
			return phrase;
	}
	return NULL;
}

static size_t count_choices(const char *group, size_t len)
{
	size_t n = 1;

	for (size_t i = 0; i < len; i++)
		n += group[i] == '|';
	return n;
}

size_t terms_count_texts(const char *phrase)
{
	const char *group;
	size_t n = 1, len;

	while ((group = find_group(phrase, &len)) && n <= LIMIT_GUIDE_EXPANSIONS) {
		n *= count_choices(group + 1, len); /* at most a file's length each: no overflow */
		phrase = group + len + 2;
	}
	return n <= LIMIT_GUIDE_EXPANSIONS ? n : LIMIT_GUIDE_EXPANSIONS + 1;
}

enum status terms_nth_text(const char *phrase, size_t n, struct buf *out)
{
	const char *group;
	size_t len;

	buf_clear(out);
	while ((group = find_group(phrase, &len))) {
		size_t choices = count_choices(group + 1, len), pick = n % choices;
		const char *choice = group + 1;

		buf_append(out, phrase, (size_t)(group - phrase));
		while (pick--)
			choice += strcspn(choice, "|") + 1;
		buf_append(out, choice, strcspn(choice, "|)"));
		n /= choices;
		phrase = group + len + 2;
	}
	return buf_puts(out, phrase);
}
