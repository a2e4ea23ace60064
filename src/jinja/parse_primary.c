/* What operators stand between: names and literals; .name, [x] and (args) after them;
 * filters and tests. */
#include "base/limits.h"
#include "jinja/builtins.h"
#include "jinja/parser_internal.h"

/* ---- nodes ---- */

static struct expr *expr_new(struct parser *p, enum expr_kind kind, unsigned line)
{
	struct expr *expr = parser_new(p, &p->spare.expr, sizeof *expr);

	expr->kind = kind;
	expr->line = line;
	expr->height = 1;
	return expr;
}

/* The expression is as high as this one needs. */
static void expr_put_under(struct parser *p, struct expr *expr, const struct expr *child)
{
	if (!child || child->height < expr->height)
		return;
	expr->height = child->height + 1;
	if (expr->height > LIMIT_JINJA_EXPR_HEIGHT)
		parser_fail_limit(p, expr->line, "the expression is nested too deeply");
}

struct expr *expr_of(struct parser *p, enum expr_kind kind, unsigned line, size_t mark)
{
	struct expr *expr = expr_new(p, kind, line);

	expr->items = parser_take(p, mark, &expr->n);
	for (size_t i = 0; i < expr->n; i++)
		expr_put_under(p, expr, expr->items[i]);
	return expr;
}

struct expr *expr_over(struct parser *p, enum expr_kind kind, unsigned line,
                       const struct expr *child)
{
	size_t mark = p->n_gathered;

	parser_push(p, child);
	return expr_of(p, kind, line, mark);
}

struct expr *parse_variable(struct parser *p)
{
	struct expr *expr = expr_new(p, EXPR_NAME, p->token.line);

	expr->name = parser_expect_name(p);
	return expr;
}

/* (args) after what is called. */
static struct expr *parse_call(struct parser *p, const struct expr *callee);

/* ---- after a primary: .name .0 [x] [a:b] (args) ---- */

static struct expr *constant(struct parser *p, unsigned line, struct jinja_value value)
{
	struct expr *expr = expr_new(p, EXPR_CONST, line);

	expr->constant = value;
	return expr;
}

static struct expr *parse_attribute(struct parser *p, const struct expr *of)
{
	unsigned line = p->token.line;
	struct jinja_token token;
	size_t mark = p->n_gathered;
	struct expr *expr;

	parser_advance(p);
	token = p->token;
	if (token.kind == TOKEN_NAME) {
		expr = expr_over(p, EXPR_GETATTR, line, of);
		expr->name = parser_expect_name(p);
		return expr;
	}
	parser_advance(p);
	if (token.kind != TOKEN_INTEGER)
		parser_fail(p, token.line, "expected name or number");
	parser_push(p, of);
	parser_push(p, constant(p, token.line, value_int(token.integer)));
	return expr_of(p, EXPR_GETITEM, line, mark);
}

/* :stop:step, both optional; what is not there is gathered as NULL. */
static void parse_rest_of_slice(struct parser *p)
{
	bool stop, step;

	parser_advance(p);
	stop = !parser_at(p, TOKEN_COLON) && !parser_at(p, TOKEN_RBRACKET);
	parser_push(p, stop ? parse_expression(p) : NULL);
	step = parser_skip(p, TOKEN_COLON) && !parser_at(p, TOKEN_RBRACKET);
	parser_push(p, step ? parse_expression(p) : NULL);
}

/* What stands before the ':' or ']'; x[] is x[()]. */
static const struct expr *parse_first_subscript(struct parser *p)
{
	if (parser_at(p, TOKEN_COLON))
		return NULL;
	if (parser_at(p, TOKEN_RBRACKET))
		return expr_of(p, EXPR_TUPLE, p->token.line, p->n_gathered);
	return parse_expression(p);
}

static struct expr *parse_subscript(struct parser *p, const struct expr *of)
{
	unsigned line = p->token.line;
	size_t mark = p->n_gathered;
	bool slice;

	parser_advance(p);
	parser_push(p, of);
	parser_push(p, parse_first_subscript(p));
	slice = parser_at(p, TOKEN_COLON);
	if (slice)
		parse_rest_of_slice(p);
	parser_expect(p, TOKEN_RBRACKET);
	return expr_of(p, slice ? EXPR_SLICE : EXPR_GETITEM, line, mark);
}

struct expr *parse_postfix(struct parser *p, struct expr *expr)
{
	for (;;) {
		if (parser_at(p, TOKEN_DOT))
			expr = parse_attribute(p, expr);
		else if (parser_at(p, TOKEN_LBRACKET))
			expr = parse_subscript(p, expr);
		else if (parser_at(p, TOKEN_LPAREN))
			expr = parse_call(p, expr);
		else
			return expr;
	}
}

/* ---- primaries ---- */

static struct expr *parse_name(struct parser *p, unsigned line)
{
	struct expr *expr = parse_variable(p);

	if (string_equals(expr->name, "true") || string_equals(expr->name, "True"))
		return constant(p, line, value_bool(true));
	if (string_equals(expr->name, "false") || string_equals(expr->name, "False"))
		return constant(p, line, value_bool(false));
	if (string_equals(expr->name, "none") || string_equals(expr->name, "None"))
		return constant(p, line, value_none());
	return expr;
}

/* 'a' 'b': one string. */
static struct expr *parse_strings(struct parser *p, unsigned line)
{
	const struct jinja_string *string = p->token.string;
	struct text text;

	parser_advance(p);
	if (!parser_at(p, TOKEN_STRING))
		return constant(p, line, value_from_string(string));
	text_init(&text, p->arena, LIMIT_JINJA_TREE);
	text_append_string(&text, string);
	while (parser_at(p, TOKEN_STRING)) {
		text_append_string(&text, p->token.string);
		parser_advance(p);
	}
	string = text_finish(&text);
	return constant(p, line, value_from_string(string ? string : &string_empty));
}

/* Past the opening bracket or the comma: an item stands here. Else past the end of the list. */
static bool at_item(struct parser *p, bool first, enum token_kind end)
{
	if (first)
		parser_advance(p);
	else if (!parser_at(p, end))
		parser_expect(p, TOKEN_COMMA);
	return !p->failed && !parser_skip(p, end);
}

static struct expr *parse_list(struct parser *p, unsigned line)
{
	size_t mark = p->n_gathered;

	for (bool first = true; at_item(p, first, TOKEN_RBRACKET); first = false)
		parser_push(p, parse_expression(p));
	return expr_of(p, EXPR_LIST, line, mark);
}

static struct expr *parse_dict(struct parser *p, unsigned line)
{
	size_t mark = p->n_gathered;

	for (bool first = true; at_item(p, first, TOKEN_RBRACE); first = false) {
		parser_push(p, parse_expression(p));
		parser_expect(p, TOKEN_COLON);
		parser_push(p, parse_expression(p));
	}
	return expr_of(p, EXPR_DICT, line, mark);
}

static struct expr *parse_brackets(struct parser *p)
{
	struct expr *expr;

	parser_advance(p);
	expr = parse_tuple(p, TUPLE_BRACKETS);
	parser_expect(p, TOKEN_RPAREN);
	return expr;
}

static struct expr *parse_number(struct parser *p, unsigned line)
{
	struct jinja_value value = p->token.kind == TOKEN_FLOAT ? value_float(p->token.number)
	                                                  : value_int(p->token.integer);

	parser_advance(p);
	return constant(p, line, value);
}

struct expr *parse_primary(struct parser *p)
{
	unsigned line = p->token.line;

	switch (p->token.kind) {
	case TOKEN_NAME:
		return parse_name(p, line);
	case TOKEN_STRING:
		return parse_strings(p, line);
	case TOKEN_INTEGER:
	case TOKEN_FLOAT:
		return parse_number(p, line);
	case TOKEN_LPAREN:
		return parse_brackets(p);
	case TOKEN_LBRACKET:
		return parse_list(p, line);
	case TOKEN_LBRACE:
		return parse_dict(p, line);
	case TOKEN_ADD:
		parser_not_supported(p, "'+' before a value");
		return &p->spare.expr;
	default:
		parser_fail_token(p, "unexpected");
		return &p->spare.expr;
	}
}

/* ---- calls, filters and tests ---- */

/* name=value */
static const struct call_keyword *parse_keyword(struct parser *p)
{
	struct call_keyword *keyword = parser_new(p, &p->spare.keyword, sizeof *keyword);

	keyword->name = parser_expect_name(p);
	parser_expect(p, TOKEN_ASSIGN);
	keyword->value = parse_expression(p);
	return keyword;
}

/* The (args) of the expression. Positional ones are gathered first, then keywords. */
static struct expr *parse_arguments(struct parser *p, struct expr *expr)
{
	size_t mark = p->n_gathered, keywords = mark;
	struct call *call = &expr->call;
	unsigned line = p->token.line;

	for (bool first = true; at_item(p, first, TOKEN_RPAREN); first = false) {
		if (parser_at(p, TOKEN_MUL) || parser_at(p, TOKEN_POW)) {
			parser_not_supported(p, parser_at(p, TOKEN_MUL)
			                                ? "'*' before an argument"
			                                : "'**' before an argument");
		} else if (parser_at(p, TOKEN_NAME) && parser_look(p)->kind == TOKEN_ASSIGN) {
			parser_push(p, parse_keyword(p));
		} else if (p->n_gathered > keywords) {
			parser_fail(p, line, "invalid syntax for function call expression");
		} else {
			parser_push(p, parse_expression(p));
			keywords = p->n_gathered;
		}
	}
	call->keywords = parser_take(p, keywords, &call->n_keywords);
	call->items = parser_take(p, mark, &call->n);
	parser_begin_names(p);
	for (size_t i = 0; i < call->n_keywords; i++) {
		if (!parser_is_new_name(p, call->keywords[i]->name))
			parser_fail(p, line, "keyword argument repeated: %s",
			            call->keywords[i]->name->data);
		expr_put_under(p, expr, call->keywords[i]->value);
	}
	for (size_t i = 0; i < call->n; i++)
		expr_put_under(p, expr, call->items[i]);
	return expr;
}

/* `of` may be NULL: what a filter block holds. */
static struct expr *parse_filter(struct parser *p, const struct expr *of)
{
	unsigned line = p->token.line;
	const struct jinja_string *name = parser_expect_name(p);
	struct expr *filter = expr_over(p, EXPR_FILTER, line, of);

	filter->name = name;
	filter->builtin = builtin_find(&jinja_filters, name);
	return parser_at(p, TOKEN_LPAREN) ? parse_arguments(p, filter) : filter;
}

struct expr *parse_filters(struct parser *p)
{
	struct expr *filter = parse_filter(p, NULL);

	while (parser_skip(p, TOKEN_PIPE))
		filter = parse_filter(p, filter);
	return filter;
}

/* x is divisibleby 3: what Jinja2 takes for an argument. */
static bool at_test_argument(const struct parser *p)
{
	switch (p->token.kind) {
	case TOKEN_NAME:
		return !parser_at_word(p, "else") && !parser_at_word(p, "or") &&
		       !parser_at_word(p, "and");
	case TOKEN_STRING:
	case TOKEN_INTEGER:
	case TOKEN_FLOAT:
	case TOKEN_LBRACKET:
	case TOKEN_LBRACE:
		return true;
	default:
		return false;
	}
}

static struct expr *parse_test(struct parser *p, const struct expr *of)
{
	unsigned line = p->token.line;
	const struct jinja_string *name;
	struct expr *test;
	bool negated;

	parser_advance(p);
	negated = parser_skip_word(p, "not");
	name = parser_expect_name(p);
	test = expr_over(p, EXPR_TEST, line, of);
	test->name = name;
	test->builtin = builtin_find(&jinja_tests, name);
	if (parser_at(p, TOKEN_LPAREN))
		parse_arguments(p, test);
	else if (at_test_argument(p))
		parser_not_supported(p, "an argument of a test without brackets");
	return negated ? expr_over(p, EXPR_NOT, line, test) : test;
}

static struct expr *parse_call(struct parser *p, const struct expr *callee)
{
	return parse_arguments(p, expr_over(p, EXPR_CALL, p->token.line, callee));
}

struct expr *parse_filters_and_tests(struct parser *p, struct expr *expr)
{
	for (;;) {
		if (parser_skip(p, TOKEN_PIPE))
			expr = parse_filter(p, expr);
		else if (parser_at_word(p, "is"))
			expr = parse_test(p, expr);
		else if (parser_at(p, TOKEN_LPAREN))
			expr = parse_call(p, expr);
		else
			return expr;
	}
}
