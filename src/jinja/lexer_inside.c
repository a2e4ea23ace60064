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

/* Where the number ends. */
static size_t lex_number(struct lexer *lexer, struct jinja_token *token)
{
	size_t end = float_end(lexer, lexer->at);
	bool is_float = end > lexer->at;
	char *text;

	if (!is_float)
		end = skip_digits(lexer, lexer->at);
	text = copy_number(lexer, end);
	token->kind = is_float ? TOKEN_FLOAT : TOKEN_INTEGER;
	if (!text)
		lexer_no_memory(lexer);
	else if (is_float && !number_parse_double(text, &token->number))
		token->number = INFINITY;
	else if (!is_float && !number_parse_int(text, &token->integer))
		lexer_fail(lexer, "integer is too large");
	return end;
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
	size_t at, to;
	char *out;
	size_t n;
};

static void put(struct unescape *u, uint32_t c)
{
	u->n += utf8_encode(c, u->out + u->n);
}

/* Two hexadecimal digits after \x. */
static void hex_escape(struct unescape *u)
{
	unsigned c = 0, digit;

	for (int i = 0; i < 2; i++) {
		digit = u->at < u->to ? number_digit(u->lexer->source[u->at]) : 99;
		if (digit > 15) {
			lexer_fail(u->lexer, "truncated escape in a string");
			return;
		}
		c = c * 16 + digit;
		u->at++;
	}
	put(u, c);
}

/* What Python has no escape for stays as it is. */
static void escape(struct unescape *u)
{
	char c = u->lexer->source[u->at++];

	if (simple_escape(c) >= 0) {
		put(u, (uint32_t)simple_escape(c));
	} else if (c == 'x') {
		hex_escape(u);
	} else if (c == '\n') {
		lexer_fail(u->lexer, "a '\\' at the end of a line is not supported");
	} else if (c && strchr("abfvuUN01234567", c)) {
		lexer_fail(u->lexer, "the escape '\\%c' is not supported", c);
	} else {
		put(u, '\\');
		u->at--;
	}
}

/* Bytes [from, to) are what the string has in quotes. */
static void lex_string(struct lexer *lexer, size_t from, size_t to, struct jinja_token *token)
{
	const char *source = lexer->source;
	struct unescape u = {.lexer = lexer, .at = from, .to = to};

	token->kind = TOKEN_STRING;
	if (!memchr(source + from, '\\', to - from)) {
		token->string = string_new(lexer->arena, source + from, to - from, SOURCE_TEMPLATE);
	} else {
		u.out = arena_array(lexer->arena, to - from + UTF8_MAX, 2);
		while (u.out && u.at < to && !lexer->status) {
			if (source[u.at] == '\\') {
				u.at++;
				escape(&u);
			} else {
				u.out[u.n++] = source[u.at++];
			}
		}
		token->string = string_new(lexer->arena, u.out, u.n, SOURCE_TEMPLATE);
	}
	if (!token->string && !lexer->status)
		lexer_no_memory(lexer);
}

/* ---- tokens ---- */

static void fail_char(struct lexer *lexer)
{
	int32_t c;
	size_t size = utf8_decode(lexer->source + lexer->at, lexer->len - lexer->at, &c);

	if (char_is_printable((uint32_t)c))
		lexer_fail(lexer, "unexpected character '%.*s'", (int)size,
		           lexer->source + lexer->at);
	else
		lexer_fail(lexer, "unexpected character U+%04X", (unsigned)c);
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

static void open_bracket(struct lexer *lexer, char closing)
{
	if (lexer->n_brackets == LEXER_BRACKETS_MAX)
		lexer->status = error_set(lexer->err, STATUS_LIMIT,
		                          "%s:%u: brackets are nested too deeply", lexer->name,
		                          lexer->line);
	else
		lexer->brackets[lexer->n_brackets++] = closing;
}

static void balance(struct lexer *lexer, char c)
{
	char expected;

	if (c == '{' || c == '(' || c == '[') {
		open_bracket(lexer, c == '{' ? '}' : c == '(' ? ')' : ']');
	} else if (c == '}' || c == ')' || c == ']') {
		expected = lexer->n_brackets ? lexer->brackets[--lexer->n_brackets] : '\0';
		if (!expected)
			lexer_fail(lexer, "unexpected '%c'", c);
		else if (expected != c)
			lexer_fail(lexer, "unexpected '%c', expected '%c'", c, expected);
	}
}

static void lex_operator(struct lexer *lexer, struct jinja_token *token)
{
	for (size_t i = 0; i < N_OPERATORS; i++) {
		if (lexer_looking_at(lexer, lexer->at, operators[i].text)) {
			balance(lexer, operators[i].text[0]);
			token->kind = operators[i].kind;
			lexer->at += strlen(operators[i].text);
			return;
		}
	}
	fail_char(lexer);
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

static void lex_word(struct lexer *lexer, struct jinja_token *token)
{
	char c = lexer->source[lexer->at];
	size_t end = lexer->at;

	if (number_is_digit(c)) {
		end = lex_number(lexer, token);
	} else if (c == '\'' || c == '"') {
		end = string_end(lexer);
		if (end)
			lex_string(lexer, lexer->at + 1, end - 1, token);
		else
			fail_char(lexer);
	} else {
		end = name_end(lexer);
		token->kind = TOKEN_NAME;
		token->text = lexer->source + lexer->at;
		token->len = end - lexer->at;
		if (!token->len)
			lex_operator(lexer, token);
	}
	lexer_go_to(lexer, end);
}

void lexer_inside(struct lexer *lexer, struct jinja_token *token)
{
	bool print = lexer->where == IN_PRINT;
	size_t end = 0;

	lexer_go_to(lexer, lexer_skip_space(lexer, lexer->at));
	if (lexer->at == lexer->len)
		return;
	token->line = lexer->line;
	if (lexer->n_brackets == 0)
		end = lexer_end_tag(lexer, lexer->at, print ? "}}" : "%}", !print, !print);
	if (end) {
		token->kind = print ? TOKEN_PRINT_END : TOKEN_BLOCK_END;
		lexer->where = IN_TEXT;
		lexer_go_to(lexer, end);
	} else {
		lex_word(lexer, token);
	}
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
