#include "base/words.h"

#include <string.h>

bool words_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void words_trim(const char **text, size_t *len)
{
	while (*len && words_is_blank(**text)) {
		(*text)++;
		(*len)--;
	}
	while (*len && words_is_blank((*text)[*len - 1]))
		(*len)--;
}

bool words_list_next(const char **list, size_t *len)
{
	if (!*list)
		return false;
	*list += strspn(*list, " ");
	*len = strcspn(*list, " ");
	return *len > 0;
}

bool words_have(const char *list, const char *word, size_t len)
{
	for (size_t n; words_list_next(&list, &n); list += n)
		if (n == len && memcmp(list, word, n) == 0)
			return true;
	return false;
}

enum status words_next(const char **text, size_t *len, struct buf *word, bool *found,
                       struct error *err)
{
	const char *at = *text, *end = *len ? *text + *len : *text; /* NULL where there is no text */
	char quote = '\0';

	buf_clear(word);
	while (at < end && words_is_blank(*at))
		at++;
	*found = at < end;
	for (; at < end && (quote || !words_is_blank(*at)); at++) {
		if (quote ? *at == quote : *at == '"' || *at == '\'') {
			quote = quote ? '\0' : *at;
			continue;
		}
		if (*at == '\\' && quote != '\'' && at + 1 < end)
			at++;
		buf_putc(word, *at);
	}
	if (quote)
		return error_set(err, STATUS_USAGE, "unclosed quote: %c", quote);
	if (buf_status(word))
		return error_set(err, buf_status(word), "a word is too long");
	*len = (size_t)(end - at);
	*text = at;
	return STATUS_OK;
}

/* What a backslash and this character stand for. */
static char escaped(char c)
{
	return c == 'n' ? '\n' : c == 't' ? '\t' : c;
}

static bool has_escape(const char *text)
{
	return text[0] == '\\' && (text[1] == 'n' || text[1] == 't');
}

/* A flag's \n reaches us quoted: as a backslash and a letter. */
static void unescape(struct buf *word)
{
	size_t n = 0;

	for (size_t i = 0; i < word->len; i++) {
		bool is_escape = i + 1 < word->len && has_escape(word->data + i);

		word->data[n++] = is_escape ? escaped(word->data[++i]) : word->data[i];
	}
	buf_remove(word, n, word->len - n);
}

bool words_next_escaped(const char **text, struct buf *word)
{
	const char *at = *text;
	char quote = '\0';

	buf_clear(word);
	while (words_is_blank(*at))
		at++;
	if (!*at)
		return false;
	for (; *at && (quote || !words_is_blank(*at)); at++) {
		if (quote ? *at == quote : *at == '"' || *at == '\'') {
			quote = quote ? '\0' : *at;
			continue;
		}
		if (*at == '\\' && at[1] && (quote != '\'' || has_escape(at)))
			buf_putc(word, escaped(*++at));
		else
			buf_putc(word, *at);
	}
	unescape(word);
	*text = at;
	return true;
}

enum status words_put(struct buf *out, const char *word, size_t len)
{
	bool plain = len > 0;

	for (size_t i = 0; i < len; i++)
		plain &= !words_is_blank(word[i]) && !memchr("\"'\\", word[i], 3);
	if (out->len)
		buf_putc(out, ' ');
	if (plain)
		return buf_append(out, word, len);
	buf_putc(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (word[i] == '"' || word[i] == '\\')
			buf_putc(out, '\\');
		buf_putc(out, word[i]);
	}
	return buf_putc(out, '"');
}
