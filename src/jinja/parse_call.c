/* What is called: arguments, filters and tests. */
#include "jinja/builtins.h"
#include "jinja/parser_internal.h"

/* ---- arguments ---- */

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

/* ---- filters and tests ---- */

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

struct expr *parse_call(struct parser *p, const struct expr *callee)
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
