/* What the files of the parser share: parser.c (tools), parse_stmt.c, parse_expr.c and
 * parse_primary.c; jinja.c is the entry.
 *
 * The first failure is recorded and stays. After it the parser stands at the end of the template,
 * and gives nodes that hold nothing: all loops end, and a run of calls needs no checks.
 *
 * The parser's own stack is small (256 KiB do, under any sanitizer): all that
 * recurses goes through parser_enter, and lists of any length are gathered on a
 * stack of pointers in the heap. */
#ifndef SOTTO_JINJA_PARSER_INTERNAL_H
#define SOTTO_JINJA_PARSER_INTERNAL_H

#include "jinja/ast.h"
#include "jinja/jinja.h"
#include "jinja/lexer.h"
#include "jinja/names.h"

struct parser {
	struct jinja_template *tmpl;
	struct arena *arena; /* the template's */
	const struct jinja_limits *limits;
	struct error *err;
	bool failed;
	struct lexer lexer;
	struct jinja_token token, ahead;
	bool looked; /* `ahead` is there */
	unsigned depth;
	const void **gathered; /* items of the lists under way */
	size_t n_gathered, cap_gathered;
	const char *const *ends; /* what the body that is read may end with, NULL-terminated */
	unsigned n_lists;  /* those looked through for names that come twice */
	bool may_break;
	/* What stands for any of its kind when there is no memory for one. */
	struct {
		struct expr expr;
		struct stmt stmt;
		struct macro macro;
		struct macro_param param;
		struct call_keyword keyword;
		struct name name;
	} spare;
};

/* ---- parser.c ---- */

void parser_fail(struct parser *p, unsigned line, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The template goes too far: STATUS_LIMIT. */
void parser_fail_limit(struct parser *p, unsigned line, const char *text);
void parser_no_memory(struct parser *p);
/* What is written here is not in our Jinja. */
void parser_not_supported(struct parser *p, const char *what);
/* Zeroed, in the tree; without memory `spare`. */
void *parser_new(struct parser *p, void *spare, size_t size);
/* One construct deeper; false: too deep. parser_leave in both cases. */
bool parser_enter(struct parser *p);
void parser_leave(struct parser *p);

void parser_advance(struct parser *p);
const struct jinja_token *parser_look(struct parser *p); /* the token after this one */
bool parser_at(const struct parser *p, enum token_kind kind);
bool token_is_word(const struct jinja_token *token, const char *word);
bool parser_at_word(const struct parser *p, const char *word);
/* Goes on if this is what stands here. */
bool parser_skip(struct parser *p, enum token_kind kind);
bool parser_skip_word(struct parser *p, const char *word);
/* And fails if it is not. */
void parser_expect(struct parser *p, enum token_kind kind);
void parser_expect_word(struct parser *p, const char *word);
/* A name, interned. */
const struct jinja_string *parser_expect_name(struct parser *p);
/* The error of the token that stands here: `text` and what messages call it. */
void parser_fail_token(struct parser *p, const char *text);
/* Names that may come once in a list: begin it, then ask for each of them. */
void parser_begin_names(struct parser *p);
bool parser_is_new_name(struct parser *p, const struct jinja_string *name);

/* Lists: push what belongs to one after another, then take all that came after
 * the mark (n_gathered as it was) into the arena; none after a failure. */
void parser_push(struct parser *p, const void *item);
void *parser_take(struct parser *p, size_t mark, size_t *n);

/* ---- parse_stmt.c ---- */
/* The whole template. */
void parse_statements(struct parser *p, const char *const *ends, struct body *out);
/* The tags of statements in the order of their table; NULL after the last. */
const char *parser_statement_name(size_t i);

/* ---- parse_expr.c ---- */
/* a if b else c */
struct expr *parse_expression(struct parser *p);
/* Expressions with commas between. */
enum tuple_kind {
	TUPLE_FULL,
	TUPLE_NO_COND,  /* its items have no "if" */
	TUPLE_PRIMARY,  /* names and literals: targets */
	TUPLE_BRACKETS, /* () is fine */
};
struct expr *parse_tuple(struct parser *p, enum tuple_kind kind);

/* ---- parse_primary.c ---- names, literals, calls, filters and tests */
/* Of what was gathered since the mark, or of one. */
struct expr *expr_of(struct parser *p, enum expr_kind kind, unsigned line, size_t mark);
struct expr *expr_over(struct parser *p, enum expr_kind kind, unsigned line,
                       const struct expr *child);
/* A name that is a variable, whatever it is. */
struct expr *parse_variable(struct parser *p);
struct expr *parse_primary(struct parser *p);
/* x.y.0[z](args) */
struct expr *parse_postfix(struct parser *p, struct expr *expr);
/* x | f | g is t */
struct expr *parse_filters_and_tests(struct parser *p, struct expr *expr);
/* f | g over what a block holds. */
struct expr *parse_filters(struct parser *p);

#endif
