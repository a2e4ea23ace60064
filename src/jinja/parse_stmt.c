/* Statements: one function a tag, and their table at the end. */
#include "base/alloc.h"
#include "base/limits.h"
#include "jinja/parser_internal.h"

static const char *const ends_for[] = {"endfor", "else", NULL};
static const char *const ends_for_else[] = {"endfor", NULL};
static const char *const ends_if[] = {"elif", "else", "endif", NULL};
static const char *const ends_else[] = {"endif", NULL};
static const char *const ends_set[] = {"endset", NULL};
static const char *const ends_with[] = {"endwith", NULL};
static const char *const ends_macro[] = {"endmacro", NULL};
static const char *const ends_call[] = {"endcall", NULL};
static const char *const ends_filter[] = {"endfilter", NULL};
static const char *const ends_generation[] = {"endgeneration", NULL};

/* A body with one possible end, and that end. */
static bool parse_whole_body(struct parser *p, const char *const *ends, struct body *out)
{
	if (!parse_body(p, ends, out))
		return false;
	parser_advance(p);
	return !p->failed;
}

/* One that is a function of its own in Jinja2: no loop outside can be left. */
static bool parse_closed_body(struct parser *p, const char *const *ends, struct body *out)
{
	bool outside = p->may_break, fine;

	p->may_break = false;
	fine = parse_whole_body(p, ends, out);
	p->may_break = outside;
	return fine;
}

/* ---- targets ---- */

/* What Jinja2 calls a kind of node, in "can't assign to 'list'". */
static const char *kind_name(const struct expr *expr)
{
	static const char *const names[] = {
		[EXPR_CONST] = "const", [EXPR_NAME] = "name", [EXPR_LIST] = "list",
		[EXPR_TUPLE] = "tuple", [EXPR_DICT] = "dict", [EXPR_NOT] = "not",
		[EXPR_AND] = "and", [EXPR_OR] = "or", [EXPR_COMPARE] = "compare",
		[EXPR_CONCAT] = "concat", [EXPR_COND] = "condexpr", [EXPR_GETATTR] = "getattr",
		[EXPR_GETITEM] = "getitem", [EXPR_SLICE] = "getitem", [EXPR_CALL] = "call",
		[EXPR_FILTER] = "filter", [EXPR_TEST] = "test",
	};
	static const char *const binary[] = {
		[OP_ADD] = "add", [OP_SUB] = "sub", [OP_MUL] = "mul", [OP_DIV] = "div",
		[OP_FLOORDIV] = "floordiv", [OP_MOD] = "mod", [OP_POW] = "pow",
	};

	if (expr->kind == EXPR_UNARY)
		return expr->op.unary == OP_NEG ? "neg" : "pos";
	return expr->kind == EXPR_BINARY ? binary[expr->op.binary] : names[expr->kind];
}

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

/* `sets`: not the parameters of {% with %}, which may be called loop. */
static bool check_name(struct parser *p, const struct string *name, unsigned line, bool sets)
{
	return !sets || !p->in_loops || !string_equals(name, "loop") ||
	       parser_fail(p, line, "Can't assign to special loop variable in for-loop target");
}

static struct target *target_from(struct parser *p, const struct expr *expr, bool sets)
{
	bool name = expr->kind == EXPR_NAME;
	struct target *target = target_new(p, name ? TARGET_NAME : TARGET_TUPLE, expr->line), *item;
	size_t mark = p->n_gathered;

	if (!target)
		return NULL;
	if (name) {
		target->name = expr->name;
		return check_name(p, expr->name, expr->line, sets) ? target : NULL;
	}
	for (size_t i = 0; i < expr->n; i++) {
		item = target_from(p, expr->items[i], sets);
		if (!item || !parser_push(p, item))
			return NULL;
	}
	target->items = parser_take(p, mark, &target->n);
	return target->items ? target : NULL;
}

/* a   a, b   (a, (b, c)) */
static struct target *parse_target(struct parser *p, bool sets)
{
	struct expr *expr = parse_tuple(p, TUPLE_PRIMARY);

	if (!expr)
		return NULL;
	if (!can_assign(expr)) {
		parser_fail(p, expr->line, "can't assign to '%s'", kind_name(expr));
		return NULL;
	}
	return target_from(p, expr, sets);
}

/* ns.name as well */
static struct target *parse_set_target(struct parser *p)
{
	struct target *target;

	if (parser_look(p)->kind != TOKEN_DOT)
		return parse_target(p, true);
	target = target_new(p, TARGET_ATTRIBUTE, p->token.line);
	if (!target)
		return NULL;
	target->name = parser_expect_name(p);
	if (!target->name || !parser_expect(p, TOKEN_DOT))
		return NULL;
	target->attribute = parser_expect_name(p);
	return target->attribute ? target : NULL;
}

/* Of a macro or a parameter. */
static const struct string *parse_new_name(struct parser *p)
{
	unsigned line = p->token.line;
	const struct string *name = parser_expect_name(p);

	if (name && (string_equals(name, "true") || string_equals(name, "false") ||
	             string_equals(name, "none") || string_equals(name, "True") ||
	             string_equals(name, "False") || string_equals(name, "None"))) {
		parser_fail(p, line, "can't assign to 'name'");
		return NULL;
	}
	return name;
}

/* ---- for, if, set ---- */

static bool parse_for_head(struct parser *p, struct stmt *stmt)
{
	stmt->target = parse_target(p, true);
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
		return parser_fail(p, p->token.line, "'recursive' is not supported");
	return !p->failed;
}

static bool parse_for_bodies(struct parser *p, struct stmt *stmt)
{
	bool outside = p->may_break, has_else, fine;

	p->may_break = true;
	fine = parse_body(p, ends_for, &stmt->body);
	p->may_break = outside;
	has_else = parser_at_word(p, "else");
	if (fine) {
		parser_advance(p);
		fine = !has_else || parse_whole_body(p, ends_for_else, &stmt->else_body);
	}
	p->may_break = outside;
	return fine && parser_push(p, stmt);
}

static bool parse_for(struct parser *p, struct stmt *stmt)
{
	bool fine;

	stmt->kind = STMT_FOR;
	p->in_loops++;
	fine = parse_for_head(p, stmt) && parse_for_bodies(p, stmt);
	p->in_loops--;
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

	stmt->kind = STMT_IF;
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
	return take_arms(p, stmt, mark) && parser_push(p, stmt);
}

static bool parse_set(struct parser *p, struct stmt *stmt)
{
	stmt->target = parse_set_target(p);
	if (!stmt->target)
		return false;
	if (parser_skip(p, TOKEN_ASSIGN)) {
		stmt->kind = STMT_SET;
		stmt->expr = parse_tuple(p, TUPLE_FULL);
		return stmt->expr && parser_push(p, stmt);
	}
	stmt->kind = STMT_SET_BLOCK;
	if (parser_skip(p, TOKEN_PIPE))
		stmt->expr = parse_filters(p);
	return !p->failed && parse_whole_body(p, ends_set, &stmt->body) && parser_push(p, stmt);
}

/* ---- macro, call ---- */

static bool parse_param(struct parser *p, struct macro_param *param, bool needs_default)
{
	param->name = parse_new_name(p);
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
			return parser_fail(p, line, "duplicate argument '%s' in function definition",
			                   params[i].name->data);
	}
	return true;
}

static bool parse_macro(struct parser *p, struct stmt *stmt)
{
	struct macro *macro = arena_alloc(p->arena, sizeof *macro);

	if (!macro)
		return parser_no_memory(p);
	stmt->kind = STMT_MACRO;
	stmt->macro = macro;
	macro->name = parse_new_name(p);
	return macro->name && parse_signature(p, macro, stmt->line) &&
	       parse_closed_body(p, ends_macro, &macro->body) && parser_push(p, stmt);
}

static bool parse_call_block(struct parser *p, struct stmt *stmt)
{
	struct macro *macro = arena_alloc(p->arena, sizeof *macro);

	if (!macro)
		return parser_no_memory(p);
	stmt->kind = STMT_CALL;
	stmt->macro = macro;
	if (parser_at(p, TOKEN_LPAREN) && !parse_signature(p, macro, stmt->line))
		return false;
	stmt->expr = parse_expression(p);
	if (!stmt->expr)
		return false;
	if (stmt->expr->kind != EXPR_CALL)
		return parser_fail(p, stmt->line, "expected call");
	return parse_closed_body(p, ends_call, &macro->body) && parser_push(p, stmt);
}

/* ---- filter, with, generation ---- */

static bool parse_filter_block(struct parser *p, struct stmt *stmt)
{
	stmt->kind = STMT_FILTER;
	stmt->expr = parse_filters(p);
	return stmt->expr && parse_whole_body(p, ends_filter, &stmt->body) && parser_push(p, stmt);
}

/* Targets and values are gathered in turn. */
static bool gather_with(struct parser *p)
{
	bool first = true;

	for (; !p->failed && !parser_at(p, TOKEN_BLOCK_END); first = false) {
		const struct target *target;
		const struct expr *value;

		if (!first && !parser_expect(p, TOKEN_COMMA))
			return false;
		target = parse_target(p, false);
		if (!target || !parser_expect(p, TOKEN_ASSIGN))
			return false;
		value = parse_expression(p);
		if (!value || !parser_push(p, target) || !parser_push(p, value))
			return false;
	}
	return !p->failed;
}

static bool parse_with(struct parser *p, struct stmt *stmt)
{
	size_t mark = p->n_gathered, n;
	const void *const *pairs;

	stmt->kind = STMT_WITH;
	pairs = gather_with(p) ? parser_take(p, mark, &n) : NULL;
	if (!pairs)
		return false;
	stmt->n_targets = n / 2;
	stmt->targets = arena_array(p->arena, n + 1, sizeof *stmt->targets);
	stmt->values = arena_array(p->arena, n + 1, sizeof *stmt->values);
	if (!stmt->targets || !stmt->values)
		return parser_no_memory(p);
	for (size_t i = 0; i < stmt->n_targets; i++) {
		stmt->targets[i] = pairs[2 * i];
		stmt->values[i] = pairs[2 * i + 1];
	}
	return parse_whole_body(p, ends_with, &stmt->body) && parser_push(p, stmt);
}

/* In transformers it is a {% call %} that gives back what it holds. */
static bool parse_generation(struct parser *p, struct stmt *stmt)
{
	stmt->kind = STMT_GENERATION;
	return parse_closed_body(p, ends_generation, &stmt->body) && parser_push(p, stmt);
}

/* ---- break, continue; what there is not ---- */

/* One that is in no loop fails when the rest of the template has been read:
 * Python says it, of the code that Jinja2 has made. */
static bool parse_jump(struct parser *p, struct stmt *stmt, const char *misplaced)
{
	if (!p->may_break && !p->misplaced) {
		p->misplaced = misplaced;
		p->misplaced_line = stmt->line;
	}
	return parser_push(p, stmt);
}

static bool parse_break(struct parser *p, struct stmt *stmt)
{
	stmt->kind = STMT_BREAK;
	return parse_jump(p, stmt, "'break' outside loop");
}

static bool parse_continue(struct parser *p, struct stmt *stmt)
{
	stmt->kind = STMT_CONTINUE;
	return parse_jump(p, stmt, "'continue' not properly in loop");
}

static bool parse_unavailable(struct parser *p, struct stmt *stmt)
{
	return parser_fail(p, stmt->line, "'%s' is not supported", p->tags->tag);
}

struct statement_row {
	const char *tag;
	bool (*parse)(struct parser *p, struct stmt *stmt);
};

static const struct statement_row statements[] = {
	{"for", parse_for},
	{"if", parse_if},
	{"set", parse_set},
	{"macro", parse_macro},
	{"call", parse_call_block},
	{"filter", parse_filter_block},
	{"with", parse_with},
	{"generation", parse_generation},
	{"break", parse_break},
	{"continue", parse_continue},
	{"autoescape", parse_unavailable},
	{"block", parse_unavailable},
	{"print", parse_unavailable},
	{"import", parse_unavailable},
	{"from", parse_unavailable},
	{"include", parse_unavailable},
	{"extends", parse_unavailable},
};

const char *parser_statement_name(size_t i)
{
	bool is_there = i < sizeof statements / sizeof *statements &&
	                statements[i].parse != parse_unavailable;

	return is_there ? statements[i].tag : NULL;
}

static const struct statement_row *find_row(const struct parser *p)
{
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
		if (parser_at_word(p, statements[i].tag))
			return &statements[i];
	return NULL;
}

bool parse_statement(struct parser *p)
{
	const struct statement_row *row = find_row(p);
	struct open_tag tag = {.outer = p->tags};
	struct stmt *stmt;
	bool fine;

	if (!parser_at(p, TOKEN_NAME))
		return parser_fail(p, p->token.line, "tag name expected");
	if (!row)
		return parser_fail_unknown_tag(p);
	stmt = arena_alloc(p->arena, sizeof *stmt);
	if (!stmt)
		return parser_no_memory(p);
	stmt->line = p->token.line;
	tag.tag = row->tag;
	p->tags = &tag;
	parser_advance(p);
	fine = !p->failed && row->parse(p, stmt);
	p->tags = tag.outer;
	return fine;
}
