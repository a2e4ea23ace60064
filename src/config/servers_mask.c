#include "config/servers_mask.h"

#include <string.h>
#include <strings.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

static bool is_of(const char *set, char c)
{
	return c && strchr(set, c);
}

/* A character of a name; of a key, of which others stay. */
static bool is_name(char c)
{
	return is_of(letters, c) || is_of("-_", c);
}

static bool is_key(char c)
{
	return is_of(letters, c) || is_of("-_.+/=", c);
}

bool servers_is_secret_name(const char *name, size_t len)
{
	static const char *const parts[] = {"auth", "cookie", "key", "secret", "token"};

	for (size_t at = 0; at < len; at++)
		for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
			if (strlen(parts[i]) <= len - at && strncasecmp(name + at, parts[i], strlen(parts[i])) == 0)
				return true;
	return false;
}

/* These say where a key is. */
static bool is_reference(const char *name, size_t len)
{
	static const char *const names[] = {"key-env", "key-command", "key-file"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
			return true;
	return false;
}

static size_t skip_blanks(const char *text, size_t len, size_t at)
{
	while (at < len && is_of(" \t", text[at]))
		at++;
	return at;
}

/* A value that begins at `at`, up to its quotation mark, or the end of its line or of its place in { }. */
static void mask_value(char *text, size_t len, size_t at)
{
	char quote = at < len && is_of("\"'", text[at]) ? text[at++] : '\0';
	size_t n = 0;

	if (at >= len || !is_key(text[at]))
		return; /* a mapping, nothing, a text of several lines */
	while (at + n < len && !is_of("\r\n\\", text[at + n]) &&
	       (quote ? text[at + n] != quote : !is_of(",}", text[at + n])))
		n++;
	if (!quote && n >= 4 && strncmp(text + at, "null", 4) == 0 && !is_key(text[at + 4]))
		return;
	for (size_t i = at; i < at + n; i++)
		if (is_key(text[i]))
			text[i] = 'x';
}

void servers_mask_keys(char *text, size_t len)
{
	for (size_t at = 0, end; at < len; at = end) {
		size_t colon;

		for (end = at; end < len && is_name(text[end]); end++)
			;
		if (end == at) {
			end++;
			continue;
		}
		colon = end < len && is_of("\"'", text[end]) ? end + 1 : end;
		colon = skip_blanks(text, len, colon);
		if (colon < len && text[colon] == ':' && servers_is_secret_name(text + at, end - at) &&
		    !is_reference(text + at, end - at))
			mask_value(text, len, skip_blanks(text, len, colon + 1));
	}
}
