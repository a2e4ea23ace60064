/* What operators stand between: names and literals; .name, [x] and (args) after them;
 * filters and tests. */
#include "base/limits.h"
#include "jinja/builtins.h"
#include "jinja/parser_internal.h"

/* ---- nodes ---- */

struct expr *expr_new(struct parser *p, enum expr_kind kind, unsigned line)
{
	struct expr *expr = p->failed ? NULL : arena_alloc(p->arena, sizeof *expr);

	if (!expr) {
		parser_no_memory(p);
		return NULL;
	}
	expr->kind = kind;
	expr->line = line;
	expr->height = 1;
	return expr;
}

/* The expression is as high as this one needs; false: too high. */
static bool expr_put_under(struct parser *p, struct expr *expr, const struct expr *child)
{
	if (!child || child->height < expr->height)
		return true;
	expr->height = child->height + 1;
	return expr->height <= LIMIT_JINJA_EXPR_HEIGHT ||
	       parser_fail_limit(p, expr->line, "the expression is nested too deeply");
}

/* What was gathered since the mark becomes the items. */
struct expr *expr_finish(struct parser *p, struct expr *expr, size_t mark)
{
	if (!expr || p->failed)
		return NULL;
	expr->items = parser_take(p, mark, &expr->n);
	if (!expr->items)
		return NULL;
	for (size_t i = 0; i < expr->n; i++)
		if (!expr_put_under(p, expr, expr->items[i]))
			return NULL;
	return expr;
}

struct expr *expr_over(struct parser *p, enum expr_kind kind, unsigned line,
                       const struct expr *child)
{
	struct expr *expr = expr_new(p, kind, line);
	size_t mark = p->n_gathered;

	return parser_push(p, child) ? expr_finish(p, expr, mark) : NULL;
}

/* Gathers an expression. */
static bool parse_and_push(struct parser *p)
{
	struct expr *expr = parse_expression(p);

	return expr && parser_push(p, expr);
}

/* (args) after what is called. */
static struct expr *parse_call(struct parser *p, const struct expr *callee);

/* ---- after a primary: .name .0 [x] [a:b] (args) ---- */

static struct expr *constant(struct parser *p, unsigned line, struct jinja_value value)
{
	struct expr *expr = expr_new(p, EXPR_CONST, line);

	if (expr)
		expr->constant = value;
	return expr;
}

static struct expr *parse_attribute(struct parser *p, const struct expr *of)
{
	unsigned line = p->token.line;
	struct jinja_token token;
	size_t mark = p->n_gathered;
	struct expr *expr, *index;

	parser_advance(p);
	token = p->token;
	if (token.kind == TOKEN_NAME) {
		expr = expr_over(p, EXPR_GETATTR, line, of);
		if (expr)
			expr->name = parser_expect_name(p);
		return expr && expr->name ? expr : NULL;
	}
	parser_advance(p);
	if (token.kind != TOKEN_INTEGER) {
		parser_fail(p, token.line, "expected name or number");
		return NULL;
	}
	index = constant(p, token.line, value_int(token.integer));
	if (!index || !parser_push(p, of) || !parser_push(p, index))
		return NULL;
	return expr_finish(p, expr_new(p, EXPR_GETITEM, line), mark);
}

/* :stop:step, both optional; what is not there is gathered as NULL. */
static bool parse_rest_of_slice(struct parser *p)
{
	parser_advance(p);
	if (parser_at(p, TOKEN_COLON) || parser_at(p, TOKEN_RBRACKET) ? !parser_push(p, NULL)
	                                                              : !parse_and_push(p))
		return false;
	if (!parser_skip(p, TOKEN_COLON) || parser_at(p, TOKEN_RBRACKET))
		return parser_push(p, NULL);
	return parse_and_push(p);
}

/* What stands before the ':' or ']'; x[] is x[()]. */
static bool parse_first_subscript(struct parser *p)
{
	if (parser_at(p, TOKEN_COLON))
		return parser_push(p, NULL);
	if (parser_at(p, TOKEN_RBRACKET))
		return parser_push(p, expr_finish(p, expr_new(p, EXPR_TUPLE, p->token.line),
		                                  p->n_gathered));
	return parse_and_push(p);
}

static struct expr *parse_subscript(struct parser *p, const struct expr *of)
{
	unsigned line = p->token.line;
	size_t mark = p->n_gathered;
	bool slice;

	parser_advance(p);
	if (!parser_push(p, of) || !parse_first_subscript(p))
		return NULL;
	slice = parser_at(p, TOKEN_COLON);
	if ((slice && !parse_rest_of_slice(p)) || !parser_expect(p, TOKEN_RBRACKET))
		return NULL;
	return expr_finish(p, expr_new(p, slice ? EXPR_SLICE : EXPR_GETITEM, line), mark);
}

struct expr *parse_postfix(struct parser *p, struct expr *expr)
{
	while (expr) {
		if (parser_at(p, TOKEN_DOT))
			expr = parse_attribute(p, expr);
		else if (parser_at(p, TOKEN_LBRACKET))
			expr = parse_subscript(p, expr);
		else if (parser_at(p, TOKEN_LPAREN))
			expr = parse_call(p, expr);
		else
			break;
	}
	return expr;
}

/* ---- primaries ---- */

static struct expr *parse_name(struct parser *p, unsigned line)
{
	const struct jinja_string *name;
	struct expr *expr;

	if (token_is_word(&p->token, "true") || token_is_word(&p->token, "True"))
		expr = constant(p, line, value_bool(true));
	else if (token_is_word(&p->token, "false") || token_is_word(&p->token, "False"))
		expr = constant(p, line, value_bool(false));
	else if (token_is_word(&p->token, "none") || token_is_word(&p->token, "None"))
		expr = constant(p, line, value_none());
	else
		expr = expr_new(p, EXPR_NAME, line);
	name = parser_expect_name(p);
	if (!expr || !name)
		return NULL;
	if (expr->kind == EXPR_NAME)
		expr->name = name;
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

static struct expr *parse_list(struct parser *p, unsigned line)
{
	size_t mark = p->n_gathered;
	bool first = true;

	parser_advance(p);
	for (; !p->failed && !parser_at(p, TOKEN_RBRACKET); first = false) {
		if (!first && !parser_expect(p, TOKEN_COMMA))
			return NULL;
		if (!parser_at(p, TOKEN_RBRACKET) && !parse_and_push(p))
			return NULL;
	}
	return parser_expect(p, TOKEN_RBRACKET)
	               ? expr_finish(p, expr_new(p, EXPR_LIST, line), mark)
	               : NULL;
}

static struct expr *parse_dict(struct parser *p, unsigned line)
{
	size_t mark = p->n_gathered;
	bool first = true;

	parser_advance(p);
	for (; !p->failed && !parser_at(p, TOKEN_RBRACE); first = false) {
		if (!first && !parser_expect(p, TOKEN_COMMA))
			return NULL;
		if (parser_at(p, TOKEN_RBRACE))
			break;
		if (!parse_and_push(p) || !parser_expect(p, TOKEN_COLON) || !parse_and_push(p))
			return NULL;
	}
	return parser_expect(p, TOKEN_RBRACE)
	               ? expr_finish(p, expr_new(p, EXPR_DICT, line), mark)
	               : NULL;
}

static struct expr *parse_brackets(struct parser *p)
{
	struct expr *expr;

	parser_advance(p);
	expr = parse_tuple(p, TUPLE_BRACKETS);
	return expr && parser_expect(p, TOKEN_RPAREN) ? expr : NULL;
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
	const char *text;
	int n;

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
		return parser_not_supported(p, "'+' before a value");
	default:
		text = parser_token_text(p, &n);
		parser_fail(p, line, "unexpected '%.*s'", n, text);
		return NULL;
	}
}

/* ---- calls, filters and tests ---- */

/* Under way: positional ones are gathered first, then names and values in turn. */
struct arguments {
	struct call *call;
	unsigned line;
	size_t mark, keywords; /* where each begins */
	bool any_keyword;
};

static bool parse_keyword(struct parser *p, struct arguments *args)
{
	const struct jinja_string *name;

	if (!args->any_keyword)
		args->keywords = p->n_gathered;
	args->any_keyword = true;
	name = parser_expect_name(p);
	parser_advance(p);
	return name && parser_push(p, name) && parse_and_push(p);
}

static bool parse_argument(struct parser *p, struct arguments *args)
{
	if (parser_at(p, TOKEN_MUL) || parser_at(p, TOKEN_POW))
		return parser_not_supported(p, parser_at(p, TOKEN_MUL) ? "'*' before an argument"
		                                                       : "'**' before an argument");
	if (parser_at(p, TOKEN_NAME) && parser_look(p)->kind == TOKEN_ASSIGN)
		return parse_keyword(p, args);
	if (args->any_keyword)
		return parser_fail(p, args->line, "invalid syntax for function call expression");
	return parse_and_push(p);
}

static bool take_keywords(struct parser *p, const struct arguments *args)
{
	struct call_keyword *keywords;
	const void *const *pairs;
	size_t n;

	if (!args->any_keyword)
		return true;
	pairs = parser_take(p, args->keywords, &n);
	keywords = pairs ? arena_array(p->arena, n / 2, sizeof *keywords) : NULL;
	if (!keywords)
		return parser_no_memory(p);
	args->call->keywords = keywords;
	args->call->n_keywords = n / 2;
	parser_begin_names(p);
	for (size_t i = 0; i < n / 2; i++) {
		keywords[i] = (struct call_keyword){pairs[2 * i], pairs[2 * i + 1]};
		if (!parser_is_new_name(p, keywords[i].name))
			return parser_fail(p, args->line, "keyword argument repeated: %s",
			                   keywords[i].name->data);
	}
	return true;
}

static struct call *parse_call_args(struct parser *p)
{
	struct arguments args = {.line = p->token.line, .mark = p->n_gathered};
	bool first = true;

	args.call = arena_alloc(p->arena, sizeof *args.call);
	if (!args.call) {
		parser_no_memory(p);
		return NULL;
	}
	if (!parser_expect(p, TOKEN_LPAREN))
		return NULL;
	for (; !p->failed && !parser_at(p, TOKEN_RPAREN); first = false) {
		if (!first && !parser_expect(p, TOKEN_COMMA))
			return NULL;
		if (!first && parser_at(p, TOKEN_RPAREN))
			break;
		if (!parse_argument(p, &args))
			return NULL;
	}
	if (!parser_expect(p, TOKEN_RPAREN) || !take_keywords(p, &args))
		return NULL;
	args.call->items = parser_take(p, args.mark, &args.call->n);
	return args.call->items ? args.call : NULL;
}

static struct expr *with_call(struct parser *p, struct expr *expr, const struct call *call)
{
	if (!expr || !call)
		return NULL;
	expr->call = call;
	for (size_t i = 0; i < call->n; i++)
		if (!expr_put_under(p, expr, call->items[i]))
			return NULL;
	for (size_t i = 0; i < call->n_keywords; i++)
		if (!expr_put_under(p, expr, call->keywords[i].value))
			return NULL;
	return expr;
}

/* `of` may be NULL: what a filter block holds. */
static struct expr *parse_filter(struct parser *p, const struct expr *of)
{
	struct expr *filter;
	unsigned line = p->token.line;
	const struct jinja_string *name = parser_expect_name(p);

	if (!name)
		return NULL;
	filter = expr_over(p, EXPR_FILTER, line, of);
	if (!filter)
		return NULL;
	filter->name = name;
	filter->builtin = builtin_find(&jinja_filters, name);
	if (parser_at(p, TOKEN_LPAREN))
		filter = with_call(p, filter, parse_call_args(p));
	return filter;
}

struct expr *parse_filters(struct parser *p)
{
	struct expr *filter = parse_filter(p, NULL);

	while (filter && parser_skip(p, TOKEN_PIPE))
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
	test = name ? expr_over(p, EXPR_TEST, line, of) : NULL;
	if (!test)
		return NULL;
	test->name = name;
	test->builtin = builtin_find(&jinja_tests, name);
	if (parser_at(p, TOKEN_LPAREN))
		test = with_call(p, test, parse_call_args(p));
	else if (at_test_argument(p))
		return parser_not_supported(p, "an argument of a test without brackets");
	return test && negated ? expr_over(p, EXPR_NOT, line, test) : test;
}

static struct expr *parse_call(struct parser *p, const struct expr *callee)
{
	struct expr *expr = expr_over(p, EXPR_CALL, p->token.line, callee);

	return expr ? with_call(p, expr, parse_call_args(p)) : NULL;
}

struct expr *parse_filters_and_tests(struct parser *p, struct expr *expr)
{
	while (expr) {
		if (parser_skip(p, TOKEN_PIPE))
			expr = parse_filter(p, expr);
		else if (parser_at_word(p, "is"))
			expr = parse_test(p, expr);
		else if (parser_at(p, TOKEN_LPAREN))
			expr = parse_call(p, expr);
		else
			break;
	}
	return expr;
}
