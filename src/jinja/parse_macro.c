/* {% macro %} and {% call %}. */
#include "jinja/parser_internal.h"

static const char *const ends_macro[] = {"endmacro", NULL};
static const char *const ends_call[] = {"endcall", NULL};

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
			return parser_fail(p, line, "duplicate argument '%s' in function definition",
			                   params[i].name->data);
	}
	return true;
}

bool parse_macro(struct parser *p, struct stmt *stmt)
{
	struct macro *macro = arena_alloc(p->arena, sizeof *macro);

	if (!macro)
		return parser_no_memory(p);
	stmt->kind = STMT_MACRO;
	stmt->macro = macro;
	macro->name = parser_expect_name(p);
	return macro->name && parse_signature(p, macro, stmt->line) &&
	       parse_closed_body(p, ends_macro, &macro->body) && parser_push(p, stmt);
}

bool parse_call_block(struct parser *p, struct stmt *stmt)
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
