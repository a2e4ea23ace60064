/* Statements: their bodies, one function a tag, and their table at the end. */
#include <string.h>

#include "jinja/parser_internal.h"

static const char *const ends_for[] = {"endfor", "else", NULL};
static const char *const ends_for_else[] = {"endfor", NULL};
static const char *const ends_if[] = {"elif", "else", "endif", NULL};
static const char *const ends_else[] = {"endif", NULL};
static const char *const ends_set[] = {"endset", NULL};
static const char *const ends_macro[] = {"endmacro", NULL};
static const char *const ends_call[] = {"endcall", NULL};
static const char *const ends_filter[] = {"endfilter", NULL};
static const char *const ends_generation[] = {"endgeneration", NULL};

/* ---- bodies ---- */

static struct stmt *stmt_new(struct parser *p, enum stmt_kind kind)
{
	struct stmt *stmt = arena_alloc(p->arena, sizeof *stmt);

	if (!stmt) {
		parser_no_memory(p);
		return NULL;
	}
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
static bool fail_unexpected(struct parser *p, const struct jinja_token *tag)
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
	return false;
}

static bool push_text(struct parser *p)
{
	struct stmt *stmt = stmt_new(p, STMT_TEXT);

	if (!stmt)
		return false;
	stmt->text = string_new(p->arena, p->token.text, p->token.len, SOURCE_TEMPLATE);
	if (!stmt->text)
		return parser_no_memory(p);
	parser_advance(p);
	return parser_push(p, stmt);
}

static bool push_print(struct parser *p)
{
	struct stmt *stmt = stmt_new(p, STMT_PRINT);

	parser_advance(p);
	if (!stmt)
		return false;
	stmt->expr = parse_tuple(p, TUPLE_FULL);
	if (!stmt->expr || !parser_expect(p, TOKEN_PRINT_END))
		return false;
	stmt->line = stmt->expr->line;
	return parser_push(p, stmt);
}

static bool push_statement(struct parser *p);

bool parse_statements(struct parser *p, const char *const *ends, struct body *out)
{
	size_t mark = p->n_gathered;

	while (!p->failed && !parser_at(p, TOKEN_EOF)) {
		if (parser_at(p, TOKEN_DATA)) {
			push_text(p);
		} else if (parser_at(p, TOKEN_PRINT_BEGIN)) {
			push_print(p);
		} else if (parser_skip(p, TOKEN_BLOCK_BEGIN)) {
			if (is_one_of(ends, &p->token))
				break;
			if (push_statement(p))
				parser_expect(p, TOKEN_BLOCK_END);
		}
	}
	out->items = parser_take(p, mark, &out->n);
	return out->items != NULL;
}

/* {% for ... %} to {% endfor %}: what stands between. The word that ended it is
 * the token that stands here afterwards. */
static bool parse_body(struct parser *p, const char *const *ends, struct body *out)
{
	const char *const *outer = p->ends;
	bool fine;

	parser_skip(p, TOKEN_COLON);
	if (!parser_expect(p, TOKEN_BLOCK_END))
		return false;
	p->ends = ends;
	fine = parser_enter(p) && parse_statements(p, ends, out);
	parser_leave(p);
	if (fine && parser_at(p, TOKEN_EOF))
		fine = fail_unexpected(p, NULL);
	p->ends = outer;
	return fine;
}

/* A body with one possible end, and that end. */
static bool parse_whole_body(struct parser *p, const char *const *ends, struct body *out)
{
	if (!parse_body(p, ends, out))
		return false;
	parser_advance(p);
	return !p->failed;
}

/* A body that is a function of its own in Jinja2: no loop outside can be left. */
static bool parse_closed_body(struct parser *p, const char *const *ends, struct body *out)
{
	bool outside = p->may_break, fine;

	p->may_break = false;
	fine = parse_whole_body(p, ends, out);
	p->may_break = outside;
	return fine;
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

static struct target *target_new(struct parser *p, enum target_kind kind, unsigned line)
{
	struct target *target = p->failed ? NULL : arena_alloc(p->arena, sizeof *target);

	if (!target) {
		parser_no_memory(p);
		return NULL;
	}
	target->kind = kind;
	target->line = line;
	return target;
}

static struct target *target_from(struct parser *p, const struct expr *expr)
{
	bool name = expr->kind == EXPR_NAME;
	struct target *target = target_new(p, name ? TARGET_NAME : TARGET_TUPLE, expr->line), *item;
	size_t mark = p->n_gathered;

	if (!target)
		return NULL;
	if (name) {
		target->name = expr->name;
		return target;
	}
	for (size_t i = 0; i < expr->n; i++) {
		item = target_from(p, expr->items[i]);
		if (!item || !parser_push(p, item))
			return NULL;
	}
	target->items = parser_take(p, mark, &target->n);
	return target->items ? target : NULL;
}

/* a   a, b   (a, (b, c)) */
static struct target *parse_target(struct parser *p)
{
	struct expr *expr = parse_tuple(p, TUPLE_PRIMARY);

	if (!expr)
		return NULL;
	if (!can_assign(expr)) {
		parser_fail(p, expr->line, "only names can be assigned to");
		return NULL;
	}
	return target_from(p, expr);
}

/* ns.name as well */
static struct target *parse_set_target(struct parser *p)
{
	struct target *target;

	if (parser_look(p)->kind != TOKEN_DOT)
		return parse_target(p);
	target = target_new(p, TARGET_ATTRIBUTE, p->token.line);
	if (!target)
		return NULL;
	target->name = parser_expect_name(p);
	if (!target->name || !parser_expect(p, TOKEN_DOT))
		return NULL;
	target->attribute = parser_expect_name(p);
	return target->attribute ? target : NULL;
}

/* ---- for, if, set ---- */

static bool parse_for_head(struct parser *p, struct stmt *stmt)
{
	stmt->target = parse_target(p);
	if (!stmt->target || !parser_expect_word(p, "in"))
		return false;
	stmt->expr = parse_tuple(p, TUPLE_NO_COND);
	if (!stmt->expr)
		return false;
	if (parser_skip_word(p, "if")) {
		stmt->filter = parse_expression(p);
		if (!stmt->filter)
			return false;
	}
	if (parser_at_word(p, "recursive"))
		return parser_not_supported(p, "'recursive'");
	return !p->failed;
}

static bool parse_for(struct parser *p, struct stmt *stmt)
{
	bool outside = p->may_break, has_else, fine;

	if (!parse_for_head(p, stmt))
		return false;
	p->may_break = true;
	fine = parse_body(p, ends_for, &stmt->body);
	p->may_break = outside;
	has_else = parser_at_word(p, "else");
	if (fine) {
		parser_advance(p);
		fine = !has_else || parse_whole_body(p, ends_for_else, &stmt->else_body);
	}
	return fine;
}

static struct if_arm *push_arm(struct parser *p)
{
	struct if_arm *arm = arena_alloc(p->arena, sizeof *arm);

	if (!arm) {
		parser_no_memory(p);
		return NULL;
	}
	arm->line = p->token.line;
	return parser_push(p, arm) ? arm : NULL;
}

/* From the condition to the tag that ends the arm. */
static bool parse_arm(struct parser *p)
{
	struct if_arm *arm = push_arm(p);

	if (!arm)
		return false;
	arm->condition = parse_tuple(p, TUPLE_NO_COND);
	return arm->condition && parse_body(p, ends_if, &arm->body);
}

static bool take_arms(struct parser *p, struct stmt *stmt, size_t mark)
{
	const void *const *gathered = parser_take(p, mark, &stmt->n_arms);
	struct if_arm *arms;

	if (!gathered)
		return false;
	arms = arena_array(p->arena, stmt->n_arms, sizeof *arms);
	if (!arms)
		return parser_no_memory(p);
	for (size_t i = 0; i < stmt->n_arms; i++)
		arms[i] = *(const struct if_arm *)gathered[i];
	stmt->arms = arms;
	return true;
}

static bool parse_if(struct parser *p, struct stmt *stmt)
{
	size_t mark = p->n_gathered;
	struct if_arm *arm;

	do {
		if (!parse_arm(p))
			return false;
	} while (parser_skip_word(p, "elif"));
	if (parser_skip_word(p, "else")) {
		arm = push_arm(p);
		if (!arm || !parse_body(p, ends_else, &arm->body))
			return false;
	}
	parser_advance(p); /* endif */
	return take_arms(p, stmt, mark);
}

static bool parse_set(struct parser *p, struct stmt *stmt)
{
	stmt->target = parse_set_target(p);
	if (!stmt->target)
		return false;
	if (parser_skip(p, TOKEN_ASSIGN)) {
		stmt->expr = parse_tuple(p, TUPLE_FULL);
		return stmt->expr;
	}
	stmt->kind = STMT_SET_BLOCK;
	if (parser_at(p, TOKEN_PIPE))
		return parser_not_supported(p, "a filter of a set block");
	return parse_whole_body(p, ends_set, &stmt->body);
}

/* ---- macro, call ---- */

static bool parse_param(struct parser *p, struct macro_param *param, bool needs_default)
{
	param->name = parser_expect_name(p);
	if (!param->name)
		return false;
	if (parser_skip(p, TOKEN_ASSIGN)) {
		param->value = parse_expression(p);
		return param->value != NULL;
	}
	return !p->failed &&
	       (!needs_default || parser_fail(p, p->token.line,
	                                      "non-default argument follows default argument"));
}

/* Parameters are gathered as pointers to each. */
static bool gather_params(struct parser *p)
{
	struct macro_param *param = NULL;

	if (!parser_expect(p, TOKEN_LPAREN))
		return false;
	while (!p->failed && !parser_at(p, TOKEN_RPAREN)) {
		bool needs_default = param && param->value;

		if (param && !parser_expect(p, TOKEN_COMMA))
			return false;
		param = arena_alloc(p->arena, sizeof *param);
		if (!param)
			return parser_no_memory(p);
		if (!parse_param(p, param, needs_default) || !parser_push(p, param))
			return false;
	}
	return parser_expect(p, TOKEN_RPAREN);
}

static bool parse_signature(struct parser *p, struct macro *macro, unsigned line)
{
	size_t mark = p->n_gathered;
	const void *const *gathered;
	struct macro_param *params;

	if (!gather_params(p))
		return false;
	gathered = parser_take(p, mark, &macro->n_params);
	params = gathered ? arena_array(p->arena, macro->n_params + 1, sizeof *params) : NULL;
	if (!params)
		return parser_no_memory(p);
	macro->params = params;
	parser_begin_names(p);
	for (size_t i = 0; i < macro->n_params; i++) {
		params[i] = *(const struct macro_param *)gathered[i];
		if (string_equals(params[i].name, "caller") && !params[i].value)
			return parser_fail(p, line, "the parameter 'caller' needs a default");
		if (!parser_is_new_name(p, params[i].name))
			return parser_fail(p, line,
			                   "duplicate argument '%s' in function definition",
			                   params[i].name->data);
	}
	return true;
}

static bool parse_macro(struct parser *p, struct stmt *stmt)
{
	struct macro *macro = arena_alloc(p->arena, sizeof *macro);

	if (!macro)
		return parser_no_memory(p);
	stmt->macro = macro;
	macro->name = parser_expect_name(p);
	return macro->name && parse_signature(p, macro, stmt->line) &&
	       parse_closed_body(p, ends_macro, &macro->body);
}

static bool parse_call_block(struct parser *p, struct stmt *stmt)
{
	struct macro *macro = arena_alloc(p->arena, sizeof *macro);

	if (!macro)
		return parser_no_memory(p);
	stmt->macro = macro;
	if (parser_at(p, TOKEN_LPAREN) && !parse_signature(p, macro, stmt->line))
		return false;
	stmt->expr = parse_expression(p);
	if (!stmt->expr)
		return false;
	if (stmt->expr->kind != EXPR_CALL)
		return parser_fail(p, stmt->line, "expected call");
	return parse_closed_body(p, ends_call, &macro->body);
}

/* ---- the rest; what there is not ---- */

static bool parse_filter_block(struct parser *p, struct stmt *stmt)
{
	stmt->expr = parse_filters(p);
	return stmt->expr && parse_whole_body(p, ends_filter, &stmt->body);
}

/* In transformers it is a {% call %} that gives back what it holds. */
static bool parse_generation(struct parser *p, struct stmt *stmt)
{
	return parse_closed_body(p, ends_generation, &stmt->body);
}

static bool parse_jump(struct parser *p, struct stmt *stmt)
{
	return p->may_break || parser_fail(p, stmt->line, "'%s' outside of a loop",
	                                   stmt->kind == STMT_BREAK ? "break" : "continue");
}

struct statement_row {
	const char *tag;
	enum stmt_kind kind;
	bool (*parse)(struct parser *p, struct stmt *stmt); /* NULL: it is not supported */
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
static bool push_statement(struct parser *p)
{
	const struct statement_row *row = statements, *end = statements + N_STATEMENTS;
	struct stmt *stmt;

	if (!parser_at(p, TOKEN_NAME))
		return parser_fail(p, p->token.line, "tag name expected");
	while (row < end && !parser_at_word(p, row->tag))
		row++;
	if (row == end)
		return fail_unexpected(p, &p->token);
	if (!row->parse)
		return parser_fail(p, p->token.line, "'%s' is not supported", row->tag);
	stmt = stmt_new(p, row->kind);
	parser_advance(p);
	return stmt && !p->failed && row->parse(p, stmt) && parser_push(p, stmt);
}
