/* Statements: one function a tag, and their table at the end. */
#include <string.h>

#include "jinja/parser_internal.h"

static const char *const ends_for[] = {"endfor", "else", NULL};
static const char *const ends_for_else[] = {"endfor", NULL};
static const char *const ends_if[] = {"elif", "else", "endif", NULL};
static const char *const ends_else[] = {"endif", NULL};
static const char *const ends_set[] = {"endset", NULL};
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

bool parse_closed_body(struct parser *p, const char *const *ends, struct body *out)
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
	stmt->kind = STMT_FOR;
	return parse_for_head(p, stmt) && parse_for_bodies(p, stmt);
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
	if (parser_at(p, TOKEN_PIPE))
		return parser_not_supported(p, "a filter of a set block");
	return parse_whole_body(p, ends_set, &stmt->body) && parser_push(p, stmt);
}

/* ---- filter, generation ---- */

static bool parse_filter_block(struct parser *p, struct stmt *stmt)
{
	stmt->kind = STMT_FILTER;
	stmt->expr = parse_filters(p);
	return stmt->expr && parse_whole_body(p, ends_filter, &stmt->body) && parser_push(p, stmt);
}

/* In transformers it is a {% call %} that gives back what it holds. */
static bool parse_generation(struct parser *p, struct stmt *stmt)
{
	stmt->kind = STMT_GENERATION;
	return parse_closed_body(p, ends_generation, &stmt->body) && parser_push(p, stmt);
}

/* ---- break, continue; what there is not ---- */

static bool parse_jump(struct parser *p, struct stmt *stmt)
{
	stmt->kind = !strcmp(p->tag, "break") ? STMT_BREAK : STMT_CONTINUE;
	if (!p->may_break)
		return parser_fail(p, stmt->line, "'%s' outside of a loop", p->tag);
	return parser_push(p, stmt);
}

static bool parse_unavailable(struct parser *p, struct stmt *stmt)
{
	return parser_fail(p, stmt->line, "'%s' is not supported", p->tag);
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
	{"generation", parse_generation},
	{"break", parse_jump},
	{"continue", parse_jump},
	{"autoescape", parse_unavailable},
	{"with", parse_unavailable},
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
	struct stmt *stmt;

	if (!parser_at(p, TOKEN_NAME))
		return parser_fail(p, p->token.line, "tag name expected");
	if (!row)
		return parser_fail_unknown_tag(p);
	stmt = arena_alloc(p->arena, sizeof *stmt);
	if (!stmt)
		return parser_no_memory(p);
	stmt->line = p->token.line;
	p->tag = row->tag;
	parser_advance(p);
	return !p->failed && row->parse(p, stmt);
}
