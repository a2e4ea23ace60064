/* Numbers in decimals, and strings with \n and its kin and \x41. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "jinja/lexer.h"

static char char_at(const struct lexer *lexer, size_t at)
{
	return at < lexer->len ? lexer->source[at] : '\0';
}

static size_t skip_digits(const struct lexer *lexer, size_t at)
{
	while (number_is_digit(char_at(lexer, at)))
		at++;
	return at;
}

/* ---- numbers ---- */

/* Where a float ends; `at` when there is none. 1.5, 1e5, 10.5e-3; not 1. or .5 */
static size_t float_end(const struct lexer *lexer, size_t at)
{
	size_t end, whole, exponent;

	if (at > 0 && lexer->source[at - 1] == '.')
		return at;
	end = whole = skip_digits(lexer, at);
	if (char_at(lexer, end) == '.' && number_is_digit(char_at(lexer, end + 1)))
		end = skip_digits(lexer, end + 1);
	if ((char_at(lexer, end) | 0x20) == 'e') {
		exponent = end + 1;
		exponent += char_at(lexer, exponent) == '+' || char_at(lexer, exponent) == '-';
		if (number_is_digit(char_at(lexer, exponent)))
			return skip_digits(lexer, exponent);
	}
	return end > whole ? end : at;
}

/* A copy of the digits, NUL-terminated. */
static char *copy_number(const struct lexer *lexer, size_t end)
{
	size_t len = end - lexer->at;
	char *text = arena_alloc(lexer->arena, len + 1);

	if (text)
		memcpy(text, lexer->source + lexer->at, len);
	return text;
}

enum status lexer_number(struct lexer *lexer, struct jinja_token *token, size_t *end,
                         struct error *err)
{
	bool is_float;
	char *text;

	*end = float_end(lexer, lexer->at);
	is_float = *end > lexer->at;
	if (!is_float)
		*end = skip_digits(lexer, lexer->at);
	text = copy_number(lexer, *end);
	if (!text)
		return lexer_no_memory(lexer, err);
	token->kind = is_float ? TOKEN_FLOAT : TOKEN_INTEGER;
	if (is_float && !number_parse_double(text, &token->number))
		token->number = INFINITY;
	if (!is_float && !number_parse_int(text, &token->integer))
		return lexer_fail(lexer, err, "integer is too large");
	return STATUS_OK;
}

/* ---- strings ---- */

/* Escapes of one character. */
static int simple_escape(char c)
{
	static const char from[] = "\\'\"nrt", to[] = "\\'\"\n\r\t";
	const char *found = c ? strchr(from, c) : NULL;

	return found ? to[found - from] : -1;
}

/* A string under way: `at` is in the source, `out` takes at most twice as many
 * bytes as are read. */
struct unescape {
	struct lexer *lexer;
	struct error *err;
	size_t at, to;
	char *out;
	size_t n;
};

static void put(struct unescape *u, uint32_t c)
{
	u->n += utf8_encode(c, u->out + u->n);
}

/* Two hexadecimal digits after \x. */
static enum status hex_escape(struct unescape *u)
{
	unsigned c = 0, digit;

	for (int i = 0; i < 2; i++) {
		digit = u->at < u->to ? number_digit(u->lexer->source[u->at]) : 99;
		if (digit > 15)
			return lexer_fail(u->lexer, u->err, "truncated escape in a string");
		c = c * 16 + digit;
		u->at++;
	}
	put(u, c);
	return STATUS_OK;
}

/* What Python has no escape for stays as it is. */
static enum status escape(struct unescape *u)
{
	char c = u->lexer->source[u->at++];

	if (simple_escape(c) >= 0) {
		put(u, (uint32_t)simple_escape(c));
		return STATUS_OK;
	}
	if (c == 'x')
		return hex_escape(u);
	if (c == '\n')
		return lexer_fail(u->lexer, u->err, "a '\\' at the end of a line is not supported");
	if (c && strchr("abfvuUN01234567", c))
		return lexer_fail(u->lexer, u->err, "the escape '\\%c' is not supported", c);
	put(u, '\\');
	u->at--;
	return STATUS_OK;
}

enum status lexer_string(struct lexer *lexer, size_t from, size_t to, struct jinja_token *token,
                         struct error *err)
{
	const char *source = lexer->source;
	struct unescape u = {.lexer = lexer, .err = err, .at = from, .to = to};
	enum status status;

	token->kind = TOKEN_STRING;
	if (memchr(source + from, '\\', to - from)) {
		u.out = arena_array(lexer->arena, to - from + UTF8_MAX, 2);
		if (!u.out)
			return lexer_no_memory(lexer, err);
		while (u.at < to) {
			if (source[u.at] != '\\') {
				u.out[u.n++] = source[u.at++];
				continue;
			}
			u.at++;
			status = escape(&u);
			if (status)
				return status;
		}
		token->string = string_new(lexer->arena, u.out, u.n, SOURCE_TEMPLATE);
	} else {
		token->string = string_new(lexer->arena, source + from, to - from, SOURCE_TEMPLATE);
	}
	return token->string ? STATUS_OK : lexer_no_memory(lexer, err);
}
