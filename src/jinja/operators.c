/* a + b and its kin, -a, a ~ b: the rules and the words of Python 3.11. Safe texts
 * are those that `+` joins to others, which it escapes, as with Markup. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "jinja/builtins.h"

/* ---- safe texts ---- */

static size_t escape_html(uint32_t c, int how, char out[ESCAPE_MAX])
{
	static const char *const names[] = {
		['&'] = "amp", ['<'] = "lt", ['>'] = "gt", ['\''] = "#39", ['"'] = "#34",
	};

	(void)how;
	if (c >= sizeof names / sizeof *names || !names[c])
		return 0;
	return (size_t)snprintf(out, ESCAPE_MAX, "&%s;", names[c]);
}

/* Safe texts stay as they are. */
static const struct jinja_string *string_escape(struct render *render,
                                                const struct jinja_string *string)
{
	struct text text;

	if (!render_bytes(render, string->len) || string->safe)
		return string;
	text_begin(render, &text);
	text_append_escaped(render, &text, string, escape_html, 0);
	return give_text(render, &text).u.string;
}

struct jinja_value string_make_safe(struct render *render, const struct jinja_string *string)
{
	struct jinja_string *safe = arena_alloc(render->arena, sizeof *safe);

	if (safe) {
		*safe = *string;
		safe->safe = true;
	}
	return give_string(render, safe);
}

/* ---- ints ---- */

static double as_float(struct jinja_value value)
{
	return value.kind == VALUE_FLOAT ? value.u.number : (double)value_as_int(value);
}

static struct jinja_value int_divide(struct render *render, enum binary_op op, int64_t a,
                                     int64_t b)
{
	int64_t quotient, rest;

	if (!b)
		return render_fail(render, "division by zero");
	if (op == OP_DIV)
		return value_float((double)a / (double)b);
	if (b == -1) /* INT64_MIN / -1 traps */
		return op == OP_MOD ? value_int(0) : value_negate(render, value_int(a));
	quotient = a / b;
	rest = a % b;
	if ((rest < 0 || rest > 0) && (rest < 0) != (b < 0)) {
		quotient--;
		rest += b;
	}
	return value_int(op == OP_MOD ? rest : quotient);
}

static struct jinja_value int_op(struct render *render, enum binary_op op, int64_t a, int64_t b)
{
	int64_t result = 0;
	bool overflow = false;

	switch (op) {
	case OP_ADD:
		overflow = __builtin_add_overflow(a, b, &result);
		break;
	case OP_SUB:
		overflow = __builtin_sub_overflow(a, b, &result);
		break;
	case OP_MUL:
		overflow = __builtin_mul_overflow(a, b, &result);
		break;
	case OP_DIV:
	case OP_FLOORDIV:
	case OP_MOD:
		return int_divide(render, op, a, b);
	}
	return overflow ? render_overflow(render) : value_int(result);
}

/* ---- floats ---- */

static struct jinja_value float_divide(struct render *render, enum binary_op op, double a,
                                       double b)
{
	double rest;

	if (b == 0)
		return render_fail(render, "division by zero");
	if (op == OP_DIV)
		return value_float(a / b);
	/* The rest has the sign of b. */
	rest = fmod(a, b);
	if ((rest < 0 || rest > 0) && (rest < 0) != (b < 0))
		rest += b;
	return value_float(op == OP_MOD ? rest : round((a - rest) / b));
}

static struct jinja_value float_op(struct render *render, enum binary_op op, double a, double b)
{
	switch (op) {
	case OP_ADD:
		return value_float(a + b);
	case OP_SUB:
		return value_float(a - b);
	case OP_MUL:
		return value_float(a * b);
	default:
		return float_divide(render, op, a, b);
	}
}

/* ---- sequences ---- */

/* What + and * work on; views and iterators are none. */
static bool is_sequence(struct jinja_value value)
{
	return value.kind == VALUE_STRING || value_is_sequence(value);
}

/* An empty list of the kind of `like`, with room for n items. */
static struct jinja_value new_list(struct render *render, const struct jinja_list *like, size_t n)
{
	struct jinja_value list = give_list(render, like->kind);

	if (render_step(render, n))
		list.u.list->items = arena_array(render->arena, n, sizeof *list.u.list->items);
	if (list.u.list->items)
		list.u.list->cap = n;
	else
		render_no_memory(render);
	return list;
}

/* new_list made room for them, unless it failed. */
static void push_all(struct jinja_list *list, const struct jinja_list *from)
{
	if (!from->n || from->n > list->cap - list->n)
		return;
	memcpy(list->items + list->n, from->items, from->n * sizeof *from->items);
	list->n += from->n;
}

static struct jinja_value add_lists(struct render *render, const struct jinja_list *a,
                                    const struct jinja_list *b)
{
	struct jinja_value sum = new_list(render, a, a->n + b->n);

	push_all(sum.u.list, a);
	push_all(sum.u.list, b);
	return sum;
}

static struct jinja_value join_strings(struct render *render, const struct jinja_string *a,
                                       const struct jinja_string *b)
{
	struct jinja_value joined = give_string(render, string_concat(render->arena, a, b));

	/* A long string grows in place. */
	render_bytes(render, joined.u.string->data == a->data ? b->len : a->len + b->len);
	return joined;
}

/* When one of them is safe, the other is escaped, and what comes of it is safe. */
static struct jinja_value add_strings(struct render *render, const struct jinja_string *a,
                                      const struct jinja_string *b)
{
	if (!a->safe && !b->safe)
		return join_strings(render, a, b);
	a = string_escape(render, a);
	b = string_escape(render, b);
	return string_make_safe(render, join_strings(render, a, b).u.string);
}

static struct jinja_value add_sequences(struct render *render, struct jinja_value a,
                                        struct jinja_value b)
{
	if (value_is_sequence(a) && b.kind == VALUE_LIST && a.u.list->kind == b.u.list->kind)
		return add_lists(render, a.u.list, b.u.list);
	if (a.kind == VALUE_STRING && b.kind == VALUE_STRING)
		return add_strings(render, a.u.string, b.u.string);
	return render_fail(render, "can only concatenate %s (not \"%s\") to %s", value_type_name(a),
	                   value_type_name(b), value_type_name(a));
}

/* The memory is asked for in one piece before anything is copied. */
static struct jinja_value repeat_string(struct render *render, const struct jinja_string *string,
                                        size_t n)
{
	struct text text;
	size_t len;

	if (mul_overflows(string->len, n, &len) || len > render->arena->max)
		return render_limit(render, "memory");
	/* A run each is more work than bytes. */
	if (!render_bytes(render, len) || !render_step(render, string->n_runs * n))
		return (struct jinja_value){0};
	text_init(&text, render->arena, len);
	text_reserve(&text, len);
	for (size_t i = 0; i < n && !text.status && len; i++)
		text_append_string(&text, string);
	return give_string(render, text_finish(&text));
}

static struct jinja_value repeat_list(struct render *render, const struct jinja_list *list,
                                      size_t n)
{
	struct jinja_value product;
	size_t total;

	if (mul_overflows(list->n, n, &total) || total > render->arena->max)
		return render_limit(render, "memory");
	product = new_list(render, list, total);
	for (size_t i = 0; i < n && list->n && !render->failed; i++)
		push_all(product.u.list, list);
	return product;
}

static struct jinja_value repeat(struct render *render, struct jinja_value sequence,
                                 struct jinja_value times)
{
	size_t n;

	if (!value_is_int(times))
		return render_fail(render, "can't multiply sequence by non-int of type '%s'",
		                   value_type_name(times));
	n = value_as_int(times) > 0 ? (size_t)value_as_int(times) : 0;
	return sequence.kind == VALUE_STRING ? repeat_string(render, sequence.u.string, n)
	                                     : repeat_list(render, sequence.u.list, n);
}

/* ---- all of them ---- */

static struct jinja_value fail_operands(struct render *render, enum binary_op op,
                                        struct jinja_value a, struct jinja_value b)
{
	static const char *const names[] = {
		[OP_ADD] = "+",       [OP_SUB] = "-", [OP_MUL] = "*",           [OP_DIV] = "/",
		[OP_FLOORDIV] = "//", [OP_MOD] = "%",
	};

	if ((a.kind == VALUE_LONG && (value_is_number(b) || b.kind == VALUE_LONG)) ||
	    (b.kind == VALUE_LONG && value_is_number(a)))
		return render_overflow(render);
	return render_fail(render, "unsupported operand type(s) for %s: '%s' and '%s'", names[op],
	                   value_type_name(a), value_type_name(b));
}

struct jinja_value value_binary(struct render *render, enum binary_op op, struct jinja_value a,
                                struct jinja_value b)
{
	if (value_is_int(a) && value_is_int(b))
		return int_op(render, op, value_as_int(a), value_as_int(b));
	if (value_is_number(a) && value_is_number(b))
		return float_op(render, op, as_float(a), as_float(b));
	if (op == OP_MOD && a.kind == VALUE_STRING)
		return render_fail(render, "formatting with '%%' is not supported");
	if (value_is_undefined(a))
		return undefined_fail(render, a);
	if (value_is_undefined(b))
		return undefined_fail(render, b);
	if (op == OP_ADD && is_sequence(a))
		return add_sequences(render, a, b);
	if (op == OP_MUL && is_sequence(a))
		return repeat(render, a, b);
	if (op == OP_MUL && is_sequence(b))
		return repeat(render, b, a);
	return fail_operands(render, op, a, b);
}

struct jinja_value value_negate(struct render *render, struct jinja_value a)
{
	if (value_is_undefined(a))
		return undefined_fail(render, a);
	if (a.kind == VALUE_LONG || (value_is_int(a) && value_as_int(a) == INT64_MIN))
		return render_overflow(render);
	if (!value_is_number(a))
		return render_fail(render, "bad operand type for unary -: '%s'", value_type_name(a));
	return a.kind == VALUE_FLOAT ? value_float(-a.u.number) : value_int(-value_as_int(a));
}

/* The text of all of them. */
static const struct jinja_string *join_items(struct render *render,
                                             const struct jinja_value *items, size_t n)
{
	struct text text;

	if (n == 1)
		return value_to_string(render, items[0]);
	text_init(&text, render->arena, SIZE_MAX - 1);
	for (size_t i = 0; i < n; i++)
		value_print(render, &text, items[i]);
	return give_text(render, &text).u.string;
}

struct jinja_value value_concat(struct render *render, const struct jinja_value *items, size_t n)
{
	/* Appending to what has room already, or to a text. */
	if (n > 1 && items[0].kind == VALUE_STRING &&
	    (items[0].u.string->tail || (n == 2 && items[1].kind == VALUE_STRING)))
		return join_strings(render, items[0].u.string,
		                    join_items(render, items + 1, n - 1));
	return value_from_string(join_items(render, items, n));
}
