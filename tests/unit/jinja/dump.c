#include "dump.h"

#include "jinja/scope.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "jinja/jinja.h"
#include "jinja/render.h"

struct dump {
	struct buf *out;
	bool lines;
};

static void put_line(const struct dump *d, unsigned line)
{
	if (d->lines)
		buf_printf(d->out, "@%u", line);
}

static void put_name(const struct dump *d, const struct jinja_string *name)
{
	buf_append(d->out, name->data, name->len);
}

/* In quotes; what is not printable ASCII in hexadecimal. */
static void put_string(const struct dump *d, const struct jinja_string *string)
{
	buf_putc(d->out, '\'');
	for (size_t i = 0; i < string->len; i++) {
		unsigned char c = (unsigned char)string->data[i];

		if (c == '\n')
			buf_puts(d->out, "\\n");
		else if (c < ' ' || c > '~' || c == '\\' || c == '\'')
			buf_printf(d->out, "\\x%02x", c);
		else
			buf_putc(d->out, (char)c);
	}
	buf_putc(d->out, '\'');
}

static void put_const(const struct dump *d, struct jinja_value value)
{
	char text[FLOAT_TEXT_MAX];

	switch (value.kind) {
	case VALUE_STRING:
		put_string(d, value.u.string);
		break;
	case VALUE_INT:
		buf_printf(d->out, "%" PRId64, value.u.integer);
		break;
	case VALUE_FLOAT:
		buf_append(d->out, text, float_text(value.u.number, text));
		break;
	case VALUE_BOOL:
		buf_puts(d->out, value.u.boolean ? "true" : "false");
		break;
	default:
		buf_puts(d->out, "none");
	}
}

static void put_expr(const struct dump *d, const struct expr *expr);

static void put_item(const struct dump *d, const struct expr *expr)
{
	buf_putc(d->out, ' ');
	if (expr)
		put_expr(d, expr);
	else
		buf_putc(d->out, '-');
}

static void put_call(const struct dump *d, const struct call *call)
{
	for (size_t i = 0; i < call->n; i++)
		put_item(d, call->items[i]);
	for (size_t i = 0; i < call->n_keywords; i++) {
		buf_putc(d->out, ' ');
		put_name(d, call->keywords[i]->name);
		buf_putc(d->out, '=');
		put_expr(d, call->keywords[i]->value);
	}
}

/* (a and b) and c is the same as a and b and c. */
static void put_flat(const struct dump *d, const struct expr *expr, enum expr_kind kind)
{
	if (expr->kind != kind) {
		put_item(d, expr);
		return;
	}
	put_flat(d, expr->items[0], kind);
	for (size_t i = 1; i < expr->n; i++)
		put_item(d, expr->items[i]);
}

static void put_compare(const struct dump *d, const struct expr *expr)
{
	static const char *const ops[] = {
		[CMP_EQ] = "==", [CMP_NE] = "!=", [CMP_LT] = "<", [CMP_LE] = "<=", [CMP_GT] = ">",
		[CMP_GE] = ">=", [CMP_IN] = "in", [CMP_NOT_IN] = "notin",
	};

	put_item(d, expr->items[0]);
	buf_printf(d->out, " %s", ops[expr->op.compare]);
	put_item(d, expr->items[1]);
}

static const char *word(const struct expr *expr)
{
	static const char *const words[] = {
		[EXPR_NEGATE] = "neg", [EXPR_LIST] = "list", [EXPR_TUPLE] = "tuple", [EXPR_DICT] = "dict",
		[EXPR_NOT] = "not", [EXPR_AND] = "and", [EXPR_OR] = "or", [EXPR_COMPARE] = "compare",
		[EXPR_CONCAT] = "~", [EXPR_COND] = "cond", [EXPR_GETATTR] = ".",
		[EXPR_GETITEM] = "[]", [EXPR_SLICE] = "slice", [EXPR_CALL] = "call",
		[EXPR_FILTER] = "|", [EXPR_TEST] = "is",
	};
	static const char *const binary[] = {
		[OP_ADD] = "+", [OP_SUB] = "-", [OP_MUL] = "*", [OP_DIV] = "/",
		[OP_FLOORDIV] = "//", [OP_MOD] = "%",
	};

	return expr->kind == EXPR_BINARY ? binary[expr->op.binary] : words[expr->kind];
}

static void put_node(const struct dump *d, const struct expr *expr)
{
	buf_printf(d->out, "(%s", word(expr));
	if (expr->kind == EXPR_AND || expr->kind == EXPR_OR)
		put_flat(d, expr, expr->kind);
	else if (expr->kind == EXPR_COMPARE)
		put_compare(d, expr);
	else
		for (size_t i = 0; i < expr->n; i++)
			put_item(d, expr->items[i]);
	if (expr->name) {
		buf_putc(d->out, ' ');
		put_name(d, expr->name);
	}
	put_call(d, &expr->call);
	buf_putc(d->out, ')');
}

static void put_expr(const struct dump *d, const struct expr *expr)
{
	if (expr->kind == EXPR_CONST)
		put_const(d, expr->constant);
	else if (expr->kind == EXPR_NAME)
		put_name(d, expr->name);
	else
		put_node(d, expr);
	put_line(d, expr->line);
}

static void put_target(const struct dump *d, const struct expr *target)
{
	if (target->kind == EXPR_TUPLE) {
		buf_puts(d->out, "(tuple");
		for (size_t i = 0; i < target->n; i++) {
			buf_putc(d->out, ' ');
			put_target(d, target->items[i]);
		}
		buf_putc(d->out, ')');
	} else {
		if (target->kind == EXPR_GETATTR) {
			put_target(d, target->items[0]);
			buf_putc(d->out, '.');
		}
		put_name(d, target->name);
	}
}

static void put_stmt(const struct dump *d, const struct stmt *stmt);

static void put_body(const struct dump *d, const struct body *body)
{
	for (size_t i = 0; i < body->n; i++) {
		buf_putc(d->out, ' ');
		put_stmt(d, body->items[i]);
	}
}

static void put_macro(const struct dump *d, const struct macro *macro)
{
	buf_puts(d->out, " (");
	if (macro->name)
		put_name(d, macro->name);
	for (size_t i = 0; i < macro->n_params; i++) {
		buf_putc(d->out, ' ');
		put_name(d, macro->params[i]->name);
		if (macro->params[i]->value) {
			buf_putc(d->out, '=');
			put_expr(d, macro->params[i]->value);
		}
	}
	buf_puts(d->out, macro->function->caller != NO_SLOT ? " +caller" : "");
	buf_putc(d->out, ')');
}

static void put_if(const struct dump *d, const struct stmt *stmt)
{
	for (size_t i = 0; i < stmt->body.n; i++) {
		const struct stmt *arm = stmt->body.items[i];

		buf_puts(d->out, " (");
		if (arm->expr)
			put_expr(d, arm->expr);
		else
			buf_puts(d->out, "else");
		put_body(d, &arm->body);
		buf_putc(d->out, ')');
	}
}

static void put_for(const struct dump *d, const struct stmt *stmt)
{
	buf_putc(d->out, ' ');
	put_target(d, stmt->target);
	put_item(d, stmt->expr);
	if (stmt->filter) {
		buf_puts(d->out, " if");
		put_item(d, stmt->filter);
	}
	buf_puts(d->out, " (do");
	put_body(d, &stmt->body);
	buf_putc(d->out, ')');
	if (stmt->else_body.n > 0) {
		buf_puts(d->out, " (else");
		put_body(d, &stmt->else_body);
		buf_putc(d->out, ')');
	}
}

static void put_parts(const struct dump *d, const struct stmt *stmt)
{
	if (stmt->text) {
		buf_putc(d->out, ' ');
		put_name(d, stmt->text);
	}
	if (stmt->target && !stmt->macro) {
		buf_putc(d->out, ' ');
		put_target(d, stmt->target);
	}
	if (stmt->macro)
		put_macro(d, stmt->macro);
	if (stmt->expr)
		put_item(d, stmt->expr);
	put_body(d, stmt->macro ? &stmt->macro->body : &stmt->body);
}

static void put_stmt(const struct dump *d, const struct stmt *stmt)
{
	static const char *const words[] = {
		[STMT_PRINT] = "print", [STMT_IF] = "if", [STMT_FOR] = "for", [STMT_SET] = "set",
		[STMT_SET_BLOCK] = "setblock", [STMT_MACRO] = "macro", [STMT_CALL] = "callblock",
		[STMT_FILTER] = "filter", [STMT_GENERATION] = "generation",
		[STMT_BREAK] = "break", [STMT_CONTINUE] = "continue",
	};

	if (stmt->kind == STMT_TEXT) {
		put_string(d, stmt->text);
		put_line(d, stmt->line);
		return;
	}
	if (stmt->kind == STMT_PRINT) {
		put_expr(d, stmt->expr);
		return;
	}
	buf_printf(d->out, "(%s", words[stmt->kind]);
	if (stmt->kind == STMT_IF)
		put_if(d, stmt);
	else if (stmt->kind == STMT_FOR)
		put_for(d, stmt);
	else
		put_parts(d, stmt);
	buf_putc(d->out, ')');
	put_line(d, stmt->line);
}

void dump_template(struct buf *out, const struct jinja_template *tmpl, bool lines)
{
	struct dump d = {out, lines};

	for (size_t i = 0; i < tmpl->body.n; i++) {
		if (i > 0)
			buf_putc(out, ' ');
		put_stmt(&d, tmpl->body.items[i]);
	}
}

void dump_source(struct buf *out, const char *source, size_t len, bool lines)
{
	struct jinja_template *tmpl;
	struct error err;

	if (jinja_parse(&tmpl, "t", source, len, &jinja_limits_default, &err)) {
		cr_assert_null(tmpl);
		buf_puts(out, err.text);
		return;
	}
	dump_template(out, tmpl, lines);
	jinja_free(tmpl);
}

void dump_check(const struct dump_case *cases, size_t n, bool lines)
{
	struct buf out = {.max = 1 << 16};

	for (size_t i = 0; i < n; i++) {
		buf_clear(&out);
		dump_source(&out, cases[i].source, strlen(cases[i].source), lines);
		cr_expect_str_eq(buf_text(&out), cases[i].dump, "%s\n  is   %s\n  want %s",
		                 cases[i].source, buf_text(&out), cases[i].dump);
	}
	buf_free(&out);
}
