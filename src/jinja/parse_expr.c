/* Expressions, as Jinja2's parser reads them: its precedences, its peculiarities
 * (~ binds tighter than +), its lines for each node. */
#include "jinja/parser_internal.h"

/* ---- operators ---- */

enum level {
	LEVEL_OR,
	LEVEL_AND,
	LEVEL_NOT,
	LEVEL_COMPARE,
	LEVEL_SUM,
	LEVEL_CONCAT,
	LEVEL_PRODUCT,
	LEVEL_UNARY,
};

struct operator_row {
	enum token_kind token;
	const char *word; /* TOKEN_NAME */
	enum level level;
	enum expr_kind kind;
	int op; /* binary_op or compare_op */
};

static const struct operator_row operators[] = {
	{TOKEN_NAME, "or", LEVEL_OR, EXPR_OR, 0},
	{TOKEN_NAME, "and", LEVEL_AND, EXPR_AND, 0},
	{TOKEN_NAME, "in", LEVEL_COMPARE, EXPR_COMPARE, CMP_IN},
	{TOKEN_NAME, "not", LEVEL_COMPARE, EXPR_COMPARE, CMP_NOT_IN}, /* and "in" */
	{TOKEN_EQ, NULL, LEVEL_COMPARE, EXPR_COMPARE, CMP_EQ},
	{TOKEN_NE, NULL, LEVEL_COMPARE, EXPR_COMPARE, CMP_NE},
	{TOKEN_LT, NULL, LEVEL_COMPARE, EXPR_COMPARE, CMP_LT},
	{TOKEN_LE, NULL, LEVEL_COMPARE, EXPR_COMPARE, CMP_LE},
	{TOKEN_GT, NULL, LEVEL_COMPARE, EXPR_COMPARE, CMP_GT},
	{TOKEN_GE, NULL, LEVEL_COMPARE, EXPR_COMPARE, CMP_GE},
	{TOKEN_ADD, NULL, LEVEL_SUM, EXPR_BINARY, OP_ADD},
	{TOKEN_SUB, NULL, LEVEL_SUM, EXPR_BINARY, OP_SUB},
	{TOKEN_TILDE, NULL, LEVEL_CONCAT, EXPR_CONCAT, 0},
	{TOKEN_MUL, NULL, LEVEL_PRODUCT, EXPR_BINARY, OP_MUL},
	{TOKEN_DIV, NULL, LEVEL_PRODUCT, EXPR_BINARY, OP_DIV},
	{TOKEN_FLOORDIV, NULL, LEVEL_PRODUCT, EXPR_BINARY, OP_FLOORDIV},
	{TOKEN_MOD, NULL, LEVEL_PRODUCT, EXPR_BINARY, OP_MOD},
};

/* The operator that stands here, of this level; NULL. */
static const struct operator_row *operator_at(struct parser *p)
{
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
		const struct operator_row *row = &operators[i];

		if (row->token != p->token.kind || (row->word && !parser_at_word(p, row->word)))
			continue;
		if (row->kind == EXPR_COMPARE && row->op == CMP_NOT_IN &&
		    !token_is_word(parser_look(p), "in"))
			return NULL;
		return row;
	}
	return NULL;
}

static void skip_operator(struct parser *p, const struct operator_row *row)
{
	parser_advance(p);
	if (row->kind == EXPR_COMPARE && row->op == CMP_NOT_IN)
		parser_advance(p);
}

static struct expr *parse_unary(struct parser *p, bool with_filters)
{
	unsigned line = p->token.line;
	struct expr *expr = &p->spare.expr;

	if (parser_skip(p, TOKEN_SUB)) {
		if (parser_enter(p))
			expr = parse_unary(p, false);
		parser_leave(p);
		expr = expr_over(p, EXPR_NEGATE, line, expr);
	} else {
		expr = parse_postfix(p, parse_primary(p));
	}
	return with_filters ? parse_filters_and_tests(p, expr) : expr;
}

static struct expr *parse_level(struct parser *p, enum level level);

static struct expr *parse_not(struct parser *p)
{
	unsigned line = p->token.line;

	parser_advance(p);
	return expr_over(p, EXPR_NOT, line, parse_level(p, LEVEL_NOT));
}

/* a or b or c, a ~ b ~ c: one node. */
static struct expr *parse_flat(struct parser *p, const struct operator_row *row,
                               const struct expr *left, unsigned line)
{
	const struct operator_row *first = row;
	size_t mark = p->n_gathered;

	parser_push(p, left);
	for (;;) {
		skip_operator(p, row);
		parser_push(p, parse_level(p, row->level + 1));
		row = operator_at(p);
		if (row != first)
			break;
		if (row->kind != EXPR_CONCAT)
			line = p->token.line;
	}
	return expr_of(p, first->kind, line, mark);
}

/* The line of a comparison is that of what comes after. */
static struct expr *parse_binary(struct parser *p, const struct operator_row *row,
                                 const struct expr *left, unsigned line)
{
	size_t mark = p->n_gathered;
	struct expr *expr;

	parser_push(p, left);
	skip_operator(p, row);
	parser_push(p, parse_level(p, row->level + 1));
	if (row->kind == EXPR_COMPARE)
		line = p->token.line;
	expr = expr_of(p, row->kind, line, mark);
	if (row->kind == EXPR_COMPARE)
		expr->op.compare = (enum compare_op)row->op;
	else
		expr->op.binary = (enum binary_op)row->op;
	return expr;
}

/* An expression of operators that bind as tight as `level` or tighter. A node
 * has the line where its level begins; after others of its level, that of its
 * operator. */
static struct expr *parse_level(struct parser *p, enum level level)
{
	unsigned start = p->token.line, line;
	enum level before = LEVEL_UNARY;
	const struct operator_row *row;
	struct expr *expr = &p->spare.expr;

	if (parser_enter(p))
		expr = level <= LEVEL_NOT && parser_at_word(p, "not") ? parse_not(p)
		                                                      : parse_unary(p, true);
	while ((row = operator_at(p)) && row->level >= level) {
		line = row->level == before ? p->token.line : start;
		if (row->level == LEVEL_COMPARE && before == LEVEL_COMPARE)
			parser_not_supported(p, "a comparison of a comparison");
		else if (row->kind == EXPR_COMPARE || row->kind == EXPR_BINARY)
			expr = parse_binary(p, row, expr, line);
		else
			expr = parse_flat(p, row, expr, line);
		before = row->level;
	}
	if (parser_at(p, TOKEN_POW))
		parser_not_supported(p, "'**'");
	parser_leave(p);
	return expr;
}

/* ---- a if b else c ---- */

/* After the "if": the node over `then`. */
static struct expr *parse_condition(struct parser *p, const struct expr *then, unsigned line)
{
	const struct expr *otherwise = NULL;
	size_t mark = p->n_gathered;

	parser_push(p, then);
	parser_push(p, parse_level(p, LEVEL_OR));
	if (parser_skip_word(p, "else")) {
		if (parser_enter(p))
			otherwise = parse_expression(p);
		parser_leave(p);
	}
	parser_push(p, otherwise);
	return expr_of(p, EXPR_COND, line, mark);
}

struct expr *parse_expression(struct parser *p)
{
	unsigned line = p->token.line;
	struct expr *expr = parse_level(p, LEVEL_OR);

	while (parser_skip_word(p, "if")) {
		expr = parse_condition(p, expr, line);
		line = p->token.line;
	}
	return expr;
}

/* ---- tuples ---- */

/* Not at "in": {% for a, in b %} is an error in Jinja2. */
static bool at_tuple_end(const struct parser *p)
{
	return parser_at(p, TOKEN_PRINT_END) || parser_at(p, TOKEN_BLOCK_END) ||
	       parser_at(p, TOKEN_RPAREN);
}

static struct expr *parse_item(struct parser *p, enum tuple_kind kind)
{
	if (kind == TUPLE_PRIMARY)
		return parse_primary(p);
	return kind == TUPLE_NO_COND ? parse_level(p, LEVEL_OR) : parse_expression(p);
}

struct expr *parse_tuple(struct parser *p, enum tuple_kind kind)
{
	unsigned line = p->token.line;
	size_t mark = p->n_gathered;
	bool comma = false;
	struct expr *item;

	while (!at_tuple_end(p)) {
		item = parse_item(p, kind);
		if (!comma && !parser_at(p, TOKEN_COMMA))
			return item;
		parser_push(p, item);
		if (!parser_at(p, TOKEN_COMMA))
			break;
		comma = true;
		line = p->token.line;
		parser_advance(p);
	}
	if (!comma && kind != TUPLE_BRACKETS)
		parser_fail_token(p, "Expected an expression, got");
	return expr_of(p, EXPR_TUPLE, line, mark);
}
