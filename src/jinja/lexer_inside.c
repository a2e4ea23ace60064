/* What stands inside of tags: names, literals (numbers in decimals, strings with \n
 * and its kin and \x41), operators, the tag's end. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "jinja/casing.h"
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

static enum status lexer_number(struct lexer *lexer, struct jinja_token *token, size_t *end,
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

static enum status lexer_string(struct lexer *lexer, size_t from, size_t to,
                                struct jinja_token *token, struct error *err)
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

/* ---- tokens ---- */

static enum status fail_char(const struct lexer *lexer, struct error *err)
{
	int32_t c;
	size_t size = utf8_decode(lexer->source + lexer->at, lexer->len - lexer->at, &c);

	if (!char_is_printable((uint32_t)c))
		return lexer_fail(lexer, err, "unexpected character U+%04X", (unsigned)c);
	return lexer_fail(lexer, err, "unexpected character '%.*s'", (int)size,
	                  lexer->source + lexer->at);
}

struct operator_row {
	const char *text;
	enum token_kind kind;
};

/* Longer ones first. */
static const struct operator_row operators[] = {
	{"//", TOKEN_FLOORDIV}, {"**", TOKEN_POW}, {"==", TOKEN_EQ}, {"!=", TOKEN_NE},
	{">=", TOKEN_GE}, {"<=", TOKEN_LE},
	{"+", TOKEN_ADD}, {"-", TOKEN_SUB}, {"/", TOKEN_DIV}, {"*", TOKEN_MUL}, {"%", TOKEN_MOD},
	{"~", TOKEN_TILDE}, {"[", TOKEN_LBRACKET}, {"]", TOKEN_RBRACKET}, {"(", TOKEN_LPAREN},
	{")", TOKEN_RPAREN}, {"{", TOKEN_LBRACE}, {"}", TOKEN_RBRACE}, {">", TOKEN_GT},
	{"<", TOKEN_LT}, {"=", TOKEN_ASSIGN}, {".", TOKEN_DOT}, {":", TOKEN_COLON},
	{"|", TOKEN_PIPE}, {",", TOKEN_COMMA}, {";", TOKEN_SEMICOLON},
};
enum { N_OPERATORS = sizeof operators / sizeof *operators };

static enum status open_bracket(struct lexer *lexer, char closing, struct error *err)
{
	if (lexer->n_brackets == LEXER_BRACKETS_MAX)
		return error_set(err, STATUS_LIMIT, "%s:%u: brackets are nested too deeply",
		                 lexer->name, lexer->line);
	lexer->brackets[lexer->n_brackets++] = closing;
	return STATUS_OK;
}

static enum status balance(struct lexer *lexer, char c, struct error *err)
{
	char expected;

	if (c == '{' || c == '(' || c == '[')
		return open_bracket(lexer, c == '{' ? '}' : c == '(' ? ')' : ']', err);
	if (c != '}' && c != ')' && c != ']')
		return STATUS_OK;
	if (lexer->n_brackets == 0)
		return lexer_fail(lexer, err, "unexpected '%c'", c);
	expected = lexer->brackets[--lexer->n_brackets];
	if (expected != c)
		return lexer_fail(lexer, err, "unexpected '%c', expected '%c'", c, expected);
	return STATUS_OK;
}

static enum status lex_operator(struct lexer *lexer, struct jinja_token *token, struct error *err)
{
	for (size_t i = 0; i < N_OPERATORS; i++) {
		if (lexer_looking_at(lexer, lexer->at, operators[i].text)) {
			enum status status = balance(lexer, operators[i].text[0], err);

			token->kind = operators[i].kind;
			lexer->at += strlen(operators[i].text);
			return status;
		}
	}
	return fail_char(lexer, err);
}

/* Past the closing quote; 0: there is none. */
static size_t string_end(const struct lexer *lexer)
{
	char quote = lexer->source[lexer->at];

	for (size_t at = lexer->at + 1; at < lexer->len; at++) {
		if (lexer->source[at] == quote)
			return at + 1;
		if (lexer->source[at] == '\\')
			at++;
	}
	return 0;
}

static size_t name_end(const struct lexer *lexer)
{
	size_t at = lexer->at, size;

	while (at < lexer->len && char_is_name(lexer_char(lexer, at, &size), at == lexer->at))
		at += size;
	return at;
}

static enum status lex_word(struct lexer *lexer, struct jinja_token *token, struct error *err)
{
	char c = lexer->source[lexer->at];
	size_t end = 0;
	enum status status = STATUS_OK;

	if (number_is_digit(c)) {
		status = lexer_number(lexer, token, &end, err);
	} else if (c == '\'' || c == '"') {
		end = string_end(lexer);
		if (!end)
			return fail_char(lexer, err);
		status = lexer_string(lexer, lexer->at + 1, end - 1, token, err);
	} else {
		end = name_end(lexer);
		if (end == lexer->at)
			return lex_operator(lexer, token, err);
		token->kind = TOKEN_NAME;
		token->text = lexer->source + lexer->at;
		token->len = end - lexer->at;
	}
	if (!status)
		lexer_go_to(lexer, end);
	return status;
}

enum status lexer_inside(struct lexer *lexer, struct jinja_token *token, struct error *err)
{
	bool print = lexer->where == IN_PRINT;
	size_t end = 0;

	lexer_go_to(lexer, lexer_skip_space(lexer, lexer->at));
	if (lexer->at == lexer->len)
		return STATUS_OK;
	token->line = lexer->line;
	if (lexer->n_brackets == 0)
		end = lexer_end_tag(lexer, lexer->at, print ? "}}" : "%}", !print, !print);
	if (end) {
		token->kind = print ? TOKEN_PRINT_END : TOKEN_BLOCK_END;
		lexer->where = IN_TEXT;
		lexer_go_to(lexer, end);
		return STATUS_OK;
	}
	return lex_word(lexer, token, err);
}

const char *token_describe(enum token_kind kind)
{
	static const char *const words[] = {
		[TOKEN_EOF] = "end of template",
		[TOKEN_DATA] = "template data / text",
		[TOKEN_PRINT_BEGIN] = "begin of print statement",
		[TOKEN_PRINT_END] = "end of print statement",
		[TOKEN_BLOCK_BEGIN] = "begin of statement block",
		[TOKEN_BLOCK_END] = "end of statement block",
		[TOKEN_NAME] = "name",
		[TOKEN_STRING] = "string",
		[TOKEN_INTEGER] = "integer",
		[TOKEN_FLOAT] = "float",
	};

	for (size_t i = 0; i < N_OPERATORS; i++)
		if (operators[i].kind == kind)
			return operators[i].text;
	return words[kind];
}
