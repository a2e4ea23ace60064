#include "chat/mention.h"

#include <ctype.h>
#include <string.h>

#include <unictype.h>
#include <uniwidth.h>

#include "base/utf8.h"
#include "base/words.h"

/* Scripts whose words stand side by side, as far as their letters are not twice as wide as Latin ones,
 * which all those of East Asia are. */
static const char *const unspaced_scripts[] = {"Thai", "Lao", "Khmer", "Myanmar", "Katakana", "Hangul",
                                               "Tai_Le", "New_Tai_Lue", "Tai_Tham", "Tai_Viet"};

static bool is_unspaced(int32_t c)
{
	const uc_script_t *script = uc_script((ucs4_t)c);

	if (uc_width((ucs4_t)c, "UTF-8") == 2)
		return true;
	for (size_t i = 0; script && i < sizeof unspaced_scripts / sizeof unspaced_scripts[0]; i++)
		if (strcmp(script->name, unspaced_scripts[i]) == 0)
			return true;
	return false;
}

/* Whether a character beyond ASCII stands beside a path without being part of it, most likely. */
static bool ends_word(int32_t c)
{
	return c >= 0x80 && (is_unspaced(c) || uc_is_general_category_withtable(
		(ucs4_t)c, UC_CATEGORY_MASK_P | UC_CATEGORY_MASK_Z));
}

static bool is_mark(int32_t c)
{
	return c >= 0x80 && uc_is_general_category_withtable((ucs4_t)c, UC_CATEGORY_MASK_M | UC_CATEGORY_MASK_Cf);
}

/* The character that ends at `at` > 0, and where it begins. */
static int32_t character_before(const char *text, size_t at, size_t *start)
{
	int32_t c;

	*start = at - 1;
	while (*start > 0 && at - *start < UTF8_MAX && (text[*start] & 0xC0) == 0x80)
		--*start;
	return utf8_decode(text + *start, at - *start, &c) == at - *start ? c : -1;
}

bool mention_may_begin(const char *text, size_t at)
{
	int32_t c;

	do {
		if (!at)
			return true;
		c = character_before(text, at, &at);
	} while (is_mark(c) && !ends_word(c));
	return c < 0x80 ? c > 0 && (words_is_blank((char)c) || strchr("([{", c)) : ends_word(c);
}

/* Behind marks of ASCII that quote and emphasize, but stand in code and addresses, too. */
static bool is_unsure_begin(const char *text, size_t at)
{
	return at && text[at - 1] && strchr("\"'`<>*_~|:;,=", text[at - 1]);
}

/* Fills in the path behind the @; returns where it ends: an unsure one at the mark that ends what began. */
static size_t read_path(const char *text, size_t len, size_t at, bool is_unsure, bool *quoted, struct buf *path)
{
	const char before = is_unsure ? text[at - 2] : '\0', closing = before == '<' ? '>' : before;
	const char *end;

	*quoted = at < len && (text[at] == '"' || text[at] == '\'') &&
	          (end = memchr(text + at + 1, text[at], len - at - 1)) &&
	          !memchr(text + at, '\n', (size_t)(end - text) - at);
	if (*quoted) {
		buf_append(path, text + at + 1, (size_t)(end - text) - at - 1);
		return (size_t)(end - text) + 1;
	}
	for (size_t start = at; at < len && !words_is_blank(text[at]); at++) {
		if (closing && closing != '_' && text[at] == closing)
			break;
		if (at > start && text[at] == '@' && (text[at - 1] & 0x80) && mention_may_begin(text, at))
			break;
		if (text[at] == '\\' && at + 1 < len && text[at + 1] != '\n')
			at++;
		buf_putc(path, text[at]);
	}
	return at;
}

bool mention_next(const char *text, size_t len, size_t at, struct mention *mention, struct buf *path)
{
	const char *found;

	for (; at < len && (found = memchr(text + at, '@', len - at)); at = mention->end) {
		size_t start = (size_t)(found - text);

		mention->start = start;
		mention->end = start + 1;
		mention->is_unsure = !mention_may_begin(text, start);
		if (mention->is_unsure && !is_unsure_begin(text, start))
			continue;
		buf_clear(path);
		mention->end = read_path(text, len, start + 1, mention->is_unsure, &mention->quoted, path);
		if (path->len && !buf_status(path))
			return true;
	}
	return false;
}

static const char sentence_marks[] = ",.;:!?)]}'\"";

/* Removes a mark of ASCII. */
static bool trim_mark(struct buf *path, const char *of)
{
	if (path->len < 2 || !strchr(of, path->data[path->len - 1]))
		return false;
	buf_remove(path, path->len - 1, 1);
	return true;
}

bool mention_trim(struct buf *path)
{
	size_t start;

	if (trim_mark(path, sentence_marks) || trim_mark(path, "`<>*_~|="))
		return true;
	for (size_t at = path->len; at > 1; at = start) {
		int32_t c = character_before(path->data, at, &start);

		if (start && ends_word(c)) {
			buf_remove(path, start, path->len - start);
			return true;
		}
	}
	return false;
}

void mention_trim_all(struct buf *path)
{
	bool is_ascii = path->len && !(path->data[0] & 0x80);
	size_t n;
	int32_t c;

	/* A name that begins in another script may go on in it, but for its punctuation. */
	for (size_t at = 0; at < path->len; at += n) {
		n = utf8_decode(path->data + at, path->len - at, &c);
		if (at && ends_word(c) && (is_ascii || !is_unspaced(c) ||
		                           uc_is_general_category_withtable((ucs4_t)c, UC_CATEGORY_MASK_P)))
			buf_remove(path, at, path->len - at);
	}
	while (path->len && path->data[path->len - 1] != ']' && trim_mark(path, sentence_marks))
		;
}

bool mention_looks_meant(const char *path)
{
	for (const char *c = path; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("/._-~+* ?[]", *c) && !((unsigned char)*c & 0x80))
			return false;
	return strchr(path, '/') || (strchr(path, '.') && path[strlen(path) - 1] != '.');
}
