/* What stands inside of tags: names, literals, operators, the tag's end. */
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "jinja/casing.h"
#include "jinja/lexer.h"

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
