/* Templates as tokens, one at a time, as Jinja2's lexer cuts them with
 * trim_blocks and lstrip_blocks on: whitespace is taken off, comments and the
 * tags around raw text are gone, escapes in strings are done. */
#ifndef SOTTO_JINJA_LEXER_H
#define SOTTO_JINJA_LEXER_H

#include "base/buf.h"
#include "jinja/text.h"

enum token_kind {
	TOKEN_EOF,
	TOKEN_DATA,
	TOKEN_PRINT_BEGIN, TOKEN_PRINT_END, /* {{ }} */
	TOKEN_BLOCK_BEGIN, TOKEN_BLOCK_END, /* {% %} */
	TOKEN_NAME,
	TOKEN_STRING,
	TOKEN_INTEGER,
	TOKEN_FLOAT,
	TOKEN_ADD, TOKEN_SUB, TOKEN_DIV, TOKEN_FLOORDIV, TOKEN_MUL, TOKEN_MOD, TOKEN_POW,
	TOKEN_TILDE,
	TOKEN_LBRACKET, TOKEN_RBRACKET, TOKEN_LPAREN, TOKEN_RPAREN, TOKEN_LBRACE, TOKEN_RBRACE,
	TOKEN_EQ, TOKEN_NE, TOKEN_GT, TOKEN_GE, TOKEN_LT, TOKEN_LE,
	TOKEN_ASSIGN, TOKEN_DOT, TOKEN_COLON, TOKEN_PIPE, TOKEN_COMMA, TOKEN_SEMICOLON,
};

struct jinja_token {
	enum token_kind kind;
	unsigned line;
	const char *text; /* NAME and DATA: a piece of the source */
	size_t len;
	const struct jinja_string *string; /* STRING: in the arena */
	int64_t integer;
	double number;
};

/* Brackets open at once; the parser's depth ends it before. */
enum { LEXER_BRACKETS_MAX = 1024 };

struct lexer {
	const char *name;    /* of the template, for errors */
	struct arena *arena; /* where strings go */
	const char *source;
	size_t len, at;
	unsigned line; /* at `at` */
	enum { IN_TEXT, IN_PRINT, IN_BLOCK } where;
	char brackets[LEXER_BRACKETS_MAX]; /* those that close what is open */
	size_t n_brackets;
	struct error *err;  /* of the token under way */
	enum status status; /* its failure, which is the last thing done to it */
};

/* The source as the lexer wants it: UTF-8 repaired, every line's end LF, one of
 * them taken off the end. */
enum status lexer_prepare(struct buf *out, const char *text, size_t len) MUST_CHECK;
/* All is borrowed. */
void lexer_init(struct lexer *lexer, struct arena *arena, const char *name, const char *source,
                size_t len, struct error *err);
/* "NAME:LINE: text" on errors. After the end TOKEN_EOF, again and again, with
 * the line that `token` had before. */
enum status lexer_next(struct lexer *lexer, struct jinja_token *token) MUST_CHECK;
/* What messages call a kind: "end of print statement", "+", "string". */
const char *token_describe(enum token_kind kind);

/* Record why. */
void lexer_fail(struct lexer *lexer, const char *fmt, ...) PRINTF_LIKE(2, 3);
void lexer_no_memory(struct lexer *lexer);

/* The source has the word at a place. */
bool lexer_looking_at(const struct lexer *lexer, size_t at, const char *word);
/* To a later place, counting the lines on the way. */
void lexer_go_to(struct lexer *lexer, size_t at);
/* The character at a place, and its size. */
uint32_t lexer_char(const struct lexer *lexer, size_t at, size_t *size);
size_t lexer_skip_space(const struct lexer *lexer, size_t at);
/* Past an end like %} at `at`, with a sign before it or not: "-" takes the
 * whitespace after it, none a newline. 0: there is none. */
size_t lexer_end_tag(const struct lexer *lexer, size_t at, const char *end, bool plus, bool trim);

/* ---- lexer_inside.c ---- the token that stands in a tag at lexer->at */
void lexer_inside(struct lexer *lexer, struct jinja_token *token);

#endif
