/* Numbers and strings as Jinja2's lexer and Python's "unicode-escape" read them. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "jinja/lexer.h"

static char char_at(const struct lexer *lexer, size_t at)
{
	return at < lexer->len ? lexer->source[at] : '\0';
}

/* Past digits of a base, with single underscores before any of them; `at` itself
 * when there are none. */
static size_t skip_digits(const struct lexer *lexer, size_t at, unsigned base)
{
	size_t next;

	for (;; at = next + 1) {
		next = at + (char_at(lexer, at) == '_');
		if (number_digit(char_at(lexer, next)) >= base)
			return at;
	}
}

/* ---- numbers ---- */

/* Where a float ends; `at` when there is none. 1.5, 1e5, 1_0.5e-3; not 1. or .5 */
static size_t float_end(const struct lexer *lexer, size_t at)
{
	size_t end, whole, exponent;

	if (at > 0 && lexer->source[at - 1] == '.')
		return at;
	end = whole = skip_digits(lexer, at, 10);
	if (char_at(lexer, end) == '.' && number_is_digit(char_at(lexer, end + 1)))
		end = skip_digits(lexer, end + 1, 10);
	if ((char_at(lexer, end) | 0x20) == 'e') {
		exponent = end + 1;
		exponent += char_at(lexer, exponent) == '+' || char_at(lexer, exponent) == '-';
		if (number_is_digit(char_at(lexer, exponent)))
			return skip_digits(lexer, exponent, 10);
	}
	return end > whole ? end : at;
}

static enum status read_float(struct lexer *lexer, struct token *token, size_t end,
                              struct error *err)
{
	char *text = arena_alloc(lexer->arena, end - lexer->at + 1);
	size_t n = 0;

	if (!text)
		return lexer_no_memory(lexer, err);
	for (size_t i = lexer->at; i < end; i++)
		if (lexer->source[i] != '_')
			text[n++] = lexer->source[i];
	token->kind = TOKEN_FLOAT;
	if (!number_parse_double(text, &token->number))
		token->number = INFINITY;
	return STATUS_OK;
}

/* 0b, 0o, 0x with at least one digit; decimals that do not begin with 0; zeros. */
static size_t integer_end(const struct lexer *lexer, size_t *digits, unsigned *base)
{
	size_t at = lexer->at, end;
	char letter = (char)(char_at(lexer, at + 1) | 0x20);

	*digits = at;
	*base = 10;
	if (lexer->source[at] != '0')
		return skip_digits(lexer, at, 10);
	*base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 1;
	if (*base > 1) {
		*digits = at + 2;
		end = skip_digits(lexer, at + 2, *base);
		if (end > at + 2)
			return end;
	}
	*digits = at;
	*base = 1; /* the digit 0 only */
	return skip_digits(lexer, at, 1);
}

static enum status read_integer(struct lexer *lexer, struct token *token, size_t *end,
                                struct error *err)
{
	size_t digits;
	int64_t value = 0;
	unsigned base;

	*end = integer_end(lexer, &digits, &base);
	for (size_t i = digits; i < *end; i++)
		if (lexer->source[i] != '_' &&
		    (__builtin_mul_overflow(value, base, &value) ||
		     __builtin_add_overflow(value, number_digit(lexer->source[i]), &value)))
			return lexer_fail(lexer, err, "integer is too large");
	token->kind = TOKEN_INTEGER;
	token->integer = value;
	return STATUS_OK;
}

enum status lexer_number(struct lexer *lexer, struct token *token, size_t *end, struct error *err)
{
	*end = float_end(lexer, lexer->at);
	if (*end > lexer->at)
		return read_float(lexer, token, *end, err);
	return read_integer(lexer, token, end, err);
}

/* ---- strings ---- */

/* Escapes of one character. */
static int simple_escape(char c)
{
	static const char from[] = "\\'\"abfnrtv", to[] = "\\'\"\a\b\f\n\r\t\v";
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

/* So many hexadecimal digits after \x, \u, \U. */
static enum status hex_escape(struct unescape *u, int n_digits)
{
	static const char *const truncated[] = {
		[2] = "truncated \\xXX escape",
		[4] = "truncated \\uXXXX escape",
		[8] = "truncated \\UXXXXXXXX escape",
	};
	uint32_t c = 0;

	for (int i = 0; i < n_digits; i++) {
		unsigned digit = u->at < u->to ? number_digit(u->lexer->source[u->at]) : 99;

		if (digit > 15)
			return lexer_fail(u->lexer, u->err, "%s", truncated[n_digits]);
		c = c * 16 + digit;
		u->at++;
	}
	if (c > 0x10FFFF)
		return lexer_fail(u->lexer, u->err, "illegal Unicode character");
	put(u, c);
	return STATUS_OK;
}

static void octal_escape(struct unescape *u)
{
	uint32_t c = 0;

	for (int i = 0; i < 3 && u->at < u->to && number_digit(u->lexer->source[u->at]) < 8; i++)
		c = c * 8 + number_digit(u->lexer->source[u->at++]);
	put(u, c);
}

/* Python turns what is not ASCII into escapes of its own first: a backslash
 * before such a character becomes \\ and eats the one of that escape. */
static void escaped_character(struct unescape *u)
{
	static const char hex[] = "0123456789abcdef";
	int32_t c;
	int n_digits;

	u->at += utf8_decode(u->lexer->source + u->at, u->to - u->at, &c);
	n_digits = c < 0x100 ? 2 : c < 0x10000 ? 4 : 8;
	put(u, '\\');
	put(u, n_digits == 2 ? 'x' : n_digits == 4 ? 'u' : 'U');
	while (n_digits-- > 0)
		put(u, (unsigned char)hex[c >> (4 * n_digits) & 15]);
}

static enum status escape(struct unescape *u)
{
	char c = u->lexer->source[u->at++];

	if (c == '\n')
		return STATUS_OK;
	if (simple_escape(c) >= 0) {
		put(u, (uint32_t)simple_escape(c));
		return STATUS_OK;
	}
	if (number_digit(c) < 8) {
		u->at--;
		octal_escape(u);
		return STATUS_OK;
	}
	if (c == 'x' || c == 'u' || c == 'U')
		return hex_escape(u, c == 'x' ? 2 : c == 'u' ? 4 : 8);
	if (c == 'N')
		return lexer_fail(u->lexer, u->err, "\\N{...} escapes are not available");
	if ((unsigned char)c >= 0x80) {
		u->at--;
		escaped_character(u);
		return STATUS_OK;
	}
	put(u, '\\');
	put(u, (unsigned char)c);
	return STATUS_OK;
}

enum status lexer_string(struct lexer *lexer, size_t from, size_t to, struct token *token,
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
