/* Statements: their bodies, one function a tag, and their table at the end. */
#include "jinja/parser_internal.h"

/* ---- bodies ---- */

static struct stmt *stmt_new(struct parser *p, enum stmt_kind kind)
{
	struct stmt *stmt = parser_new(p, &p->spare.stmt, sizeof *stmt);

	stmt->kind = kind;
	stmt->line = p->token.line;
	return stmt;
}

static bool is_one_of(const char *const *ends, const struct jinja_token *token)
{
	for (; ends && *ends; ends++)
		if (token_is_word(token, *ends))
			return true;
	return false;
}

/* A tag is missing at the end (`tag` NULL), or one is not known here. */
static void fail_unexpected(struct parser *p, const struct jinja_token *tag)
{
	struct buf text;

	buf_init(&text, ERROR_TEXT_MAX);
	if (tag)
		buf_printf(&text, "unknown tag '%.*s'",
		           tag->len < ERROR_TEXT_MAX / 2 ? (int)tag->len : ERROR_TEXT_MAX / 2,
		           tag->text);
	else
		buf_puts(&text, "unexpected end of the template");
	for (const char *const *end = p->ends; end && *end; end++)
		buf_printf(&text, "%s'%s'", end == p->ends ? ", expected " : " or ", *end);
	parser_fail(p, p->token.line, "%s", buf_text(&text));
	buf_free(&text);
}

static struct stmt *parse_text(struct parser *p)
{
	struct stmt *stmt = stmt_new(p, STMT_TEXT);

	stmt->text = string_new(p->arena, p->token.text, p->token.len, SOURCE_TEMPLATE);
	if (!stmt->text)
		parser_no_memory(p);
	parser_advance(p);
	return stmt;
}

static struct stmt *parse_print(struct parser *p)
{
	struct stmt *stmt = stmt_new(p, STMT_PRINT);

	parser_advance(p);
	stmt->expr = parse_tuple(p, TUPLE_FULL);
	stmt->line = stmt->expr->line;
	parser_expect(p, TOKEN_PRINT_END);
	return stmt;
}

static struct stmt *parse_tag(struct parser *p);

void parse_statements(struct parser *p, const char *const *ends, struct body *out)
{
	size_t mark = p->n_gathered;

	while (!parser_at(p, TOKEN_EOF)) {
		if (parser_at(p, TOKEN_DATA)) {
			parser_push(p, parse_text(p));
		} else if (parser_at(p, TOKEN_PRINT_BEGIN)) {
			parser_push(p, parse_print(p));
		} else if (parser_skip(p, TOKEN_BLOCK_BEGIN)) {
			if (is_one_of(ends, &p->token))
				break;
			parser_push(p, parse_tag(p));
			parser_expect(p, TOKEN_BLOCK_END);
		}
	}
	out->items = parser_take(p, mark, &out->n);
}

/* {% for ... %} to {% endfor %}: what stands between. The word that ended it is
 * the token that stands here afterwards. */
static void parse_body(struct parser *p, const char *const *ends, struct body *out)
{
	const char *const *outer = p->ends;

	parser_skip(p, TOKEN_COLON);
	parser_expect(p, TOKEN_BLOCK_END);
	p->ends = ends;
	if (parser_enter(p))
		parse_statements(p, ends, out);
	parser_leave(p);
	if (parser_at(p, TOKEN_EOF))
		fail_unexpected(p, NULL);
	p->ends = outer;
}

/* A body with one possible end, and that end. */
static void parse_whole_body(struct parser *p, const char *end, struct body *out)
{
	parse_body(p, (const char *const[]){end, NULL}, out);
	parser_advance(p);
}

/* A body that is a function of its own in Jinja2: no loop outside can be left. */
static void parse_closed_body(struct parser *p, const char *end, struct body *out)
{
	bool outside = p->may_break;

	p->may_break = false;
	parse_whole_body(p, end, out);
	p->may_break = outside;
}

/* ---- targets ---- */

static bool can_assign(const struct expr *expr)
{
	if (expr->kind != EXPR_TUPLE)
		return expr->kind == EXPR_NAME;
	for (size_t i = 0; i < expr->n; i++)
		if (!can_assign(expr->items[i]))
			return false;
	return true;
}

/* a   a, b   (a, (b, c)) */
static struct expr *parse_target(struct parser *p)
{
	struct expr *expr = parse_tuple(p, TUPLE_PRIMARY);

	if (!can_assign(expr))
		parser_fail(p, expr->line, "only names can be assigned to");
	return expr;
}

/* ns.name as well */
static struct expr *parse_set_target(struct parser *p)
{
	unsigned line = p->token.line;
	struct expr *attribute;

	if (parser_look(p)->kind != TOKEN_DOT)
		return parse_target(p);
	attribute = expr_over(p, EXPR_GETATTR, line, parse_variable(p));
	parser_expect(p, TOKEN_DOT);
	attribute->name = parser_expect_name(p);
	return attribute;
}

/* ---- for, if, set ---- */

static void parse_for(struct parser *p, struct stmt *stmt)
{
	bool outside = p->may_break, has_else;

	stmt->target = parse_target(p);
	parser_expect_word(p, "in");
	stmt->expr = parse_tuple(p, TUPLE_NO_COND);
	if (parser_skip_word(p, "if"))
		stmt->filter = parse_expression(p);
	if (parser_at_word(p, "recursive"))
		parser_not_supported(p, "'recursive'");
	p->may_break = true;
	parse_body(p, (const char *const[]){"endfor", "else", NULL}, &stmt->body);
	p->may_break = outside;
	has_else = parser_at_word(p, "else");
	parser_advance(p);
	if (has_else)
		parse_whole_body(p, "endfor", &stmt->else_body);
}

static void parse_if(struct parser *p, struct stmt *stmt)
{
	size_t mark = p->n_gathered;
	struct stmt *arm;

	do {
		arm = stmt_new(p, STMT_ARM);
		if (p->n_gathered == mark)
			arm->line = stmt->line;
		arm->expr = parse_tuple(p, TUPLE_NO_COND);
		parse_body(p, (const char *const[]){"elif", "else", "endif", NULL}, &arm->body);
		parser_push(p, arm);
	} while (parser_skip_word(p, "elif"));
	if (parser_skip_word(p, "else")) {
		arm = stmt_new(p, STMT_ARM);
		parse_body(p, (const char *const[]){"endif", NULL}, &arm->body);
		parser_push(p, arm);
	}
	parser_advance(p); /* endif */
	stmt->body.items = parser_take(p, mark, &stmt->body.n);
}

static void parse_set(struct parser *p, struct stmt *stmt)
{
	stmt->target = parse_set_target(p);
	if (parser_skip(p, TOKEN_ASSIGN)) {
		stmt->expr = parse_tuple(p, TUPLE_FULL);
		return;
	}
	stmt->kind = STMT_SET_BLOCK;
	if (parser_at(p, TOKEN_PIPE))
		parser_not_supported(p, "a filter of a set block");
	parse_whole_body(p, "endset", &stmt->body);
}

/* ---- macro, call ---- */

static const struct macro_param *parse_param(struct parser *p, bool needs_default)
{
	struct macro_param *param = parser_new(p, &p->spare.param, sizeof *param);

	param->name = parser_expect_name(p);
	if (parser_skip(p, TOKEN_ASSIGN))
		param->value = parse_expression(p);
	else if (needs_default)
		parser_fail(p, p->token.line, "non-default argument follows default argument");
	return param;
}

static void parse_signature(struct parser *p, struct macro *macro, unsigned line)
{
	const struct macro_param *param = NULL;
	size_t mark = p->n_gathered;

	parser_expect(p, TOKEN_LPAREN);
	while (!p->failed && !parser_at(p, TOKEN_RPAREN)) {
		if (param)
			parser_expect(p, TOKEN_COMMA);
		param = parse_param(p, param && param->value);
		parser_push(p, param);
	}
	parser_expect(p, TOKEN_RPAREN);
	macro->params = parser_take(p, mark, &macro->n_params);
	parser_begin_names(p);
	for (size_t i = 0; i < macro->n_params; i++) {
		param = macro->params[i];
		if (string_equals(param->name, "caller") && !param->value)
			parser_fail(p, line, "the parameter 'caller' needs a default");
		if (!parser_is_new_name(p, param->name))
			parser_fail(p, line, "duplicate argument '%s' in function definition",
			            param->name->data);
	}
}

static void parse_macro(struct parser *p, struct stmt *stmt)
{
	struct macro *macro = parser_new(p, &p->spare.macro, sizeof *macro);

	stmt->macro = macro;
	stmt->target = parse_variable(p);
	macro->name = stmt->target->name;
	parse_signature(p, macro, stmt->line);
	parse_closed_body(p, "endmacro", &macro->body);
}

static void parse_call_block(struct parser *p, struct stmt *stmt)
{
	struct macro *macro = parser_new(p, &p->spare.macro, sizeof *macro);

	stmt->macro = macro;
	if (parser_at(p, TOKEN_LPAREN))
		parse_signature(p, macro, stmt->line);
	stmt->expr = parse_expression(p);
	if (stmt->expr->kind != EXPR_CALL)
		parser_fail(p, stmt->line, "expected call");
	parse_closed_body(p, "endcall", &macro->body);
}

/* ---- the rest; what there is not ---- */

static void parse_filter_block(struct parser *p, struct stmt *stmt)
{
	stmt->expr = parse_filters(p);
	parse_whole_body(p, "endfilter", &stmt->body);
}

/* In transformers it is a {% call %} that gives back what it holds. */
static void parse_generation(struct parser *p, struct stmt *stmt)
{
	parse_closed_body(p, "endgeneration", &stmt->body);
}

static void parse_jump(struct parser *p, struct stmt *stmt)
{
	if (!p->may_break)
		parser_fail(p, stmt->line, "'%s' outside of a loop",
		            stmt->kind == STMT_BREAK ? "break" : "continue");
}

struct statement_row {
	const char *tag;
	enum stmt_kind kind;
	void (*parse)(struct parser *p, struct stmt *stmt); /* NULL: it is not supported */
};

static const struct statement_row statements[] = {
	{"for", STMT_FOR, parse_for},
	{"if", STMT_IF, parse_if},
	{"set", STMT_SET, parse_set},
	{"macro", STMT_MACRO, parse_macro},
	{"call", STMT_CALL, parse_call_block},
	{"filter", STMT_FILTER, parse_filter_block},
	{"generation", STMT_GENERATION, parse_generation},
	{"break", STMT_BREAK, parse_jump},
	{"continue", STMT_CONTINUE, parse_jump},
	{.tag = "with"},
	{.tag = "autoescape"},
	{.tag = "block"},
	{.tag = "print"},
	{.tag = "import"},
	{.tag = "from"},
	{.tag = "include"},
	{.tag = "extends"},
};
enum { N_STATEMENTS = sizeof statements / sizeof *statements };

const char *parser_statement_name(size_t i)
{
	return i < N_STATEMENTS && statements[i].parse ? statements[i].tag : NULL;
}

/* The statement of the tag whose name stands here. */
static struct stmt *parse_tag(struct parser *p)
{
	const struct statement_row *row = statements, *end = statements + N_STATEMENTS;
	struct stmt *stmt;

	if (!parser_at(p, TOKEN_NAME))
		parser_fail(p, p->token.line, "tag name expected");
	while (row < end && !parser_at_word(p, row->tag))
		row++;
	if (row == end)
		fail_unexpected(p, &p->token);
	else if (!row->parse)
		parser_fail(p, p->token.line, "'%s' is not supported", row->tag);
	if (p->failed)
		return &p->spare.stmt;
	stmt = stmt_new(p, row->kind);
	parser_advance(p);
	row->parse(p, stmt);
	return stmt;
}
