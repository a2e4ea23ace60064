/* a + b and its kin, -a, a ~ b: the rules and the words of Python 3.11. Safe texts
 * are those that `+` joins to others, which it escapes, as with Markup. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "jinja/builtins.h"

/* ---- safe texts ---- */

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '\'':
		return "&#39;";
	case '"':
		return "&#34;";
	default:
		return NULL;
	}
}

/* An entity has the source of the character that it stands for. */
static void append_escaped(struct text *text, const struct jinja_string *string)
{
	size_t done = 0;

	for (size_t i = 0; i < string->len; i++) {
		const char *e = entity(string->data[i]);

		if (!e)
			continue;
		text_append_part(text, string, done, i);
		text_append(text, e, strlen(e), string_source_at(string, i));
		done = i + 1;
	}
	text_append_part(text, string, done, string->len);
}

/* Safe texts stay as they are. */
static enum status string_escape(struct render *render, const struct jinja_string *string,
                                 const struct jinja_string **out)
{
	struct text text;
	enum status status = render_bytes(render, string->len);

	*out = string;
	if (status || string->safe)
		return status;
	text_begin(render, &text);
	append_escaped(&text, string);
	*out = text_finish(&text);
	return *out ? STATUS_OK : render_text(render, &text);
}

enum status string_make_safe(struct render *render, const struct jinja_string *string,
                             struct jinja_value *out)
{
	struct jinja_string *safe = arena_alloc(render->arena, sizeof *safe);

	if (!safe)
		return render_no_memory(render);
	*safe = *string;
	safe->safe = true;
	*out = value_from_string(safe);
	return STATUS_OK;
}

/* ---- ints ---- */

static double as_float(struct jinja_value value)
{
	return value.kind == VALUE_FLOAT ? value.u.number : (double)value_as_int(value);
}

static enum status int_divide(struct render *render, enum binary_op op, int64_t a, int64_t b,
                              struct jinja_value *out)
{
	int64_t quotient, rest;

	if (!b)
		return render_fail(render, "division by zero");
	if (op == OP_DIV) {
		*out = value_float((double)a / (double)b);
		return STATUS_OK;
	}
	if (b == -1) { /* INT64_MIN / -1 traps */
		if (op == OP_FLOORDIV && a == INT64_MIN)
			return render_overflow(render);
		*out = value_int(op == OP_MOD ? 0 : -a);
		return STATUS_OK;
	}
	quotient = a / b;
	rest = a % b;
	if ((rest < 0 || rest > 0) && (rest < 0) != (b < 0)) {
		quotient--;
		rest += b;
	}
	*out = value_int(op == OP_MOD ? rest : quotient);
	return STATUS_OK;
}

static enum status int_op(struct render *render, enum binary_op op, int64_t a, int64_t b,
                          struct jinja_value *out)
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
		return int_divide(render, op, a, b, out);
	}
	if (overflow)
		return render_overflow(render);
	*out = value_int(result);
	return STATUS_OK;
}

/* ---- floats ---- */

static enum status float_divide(struct render *render, enum binary_op op, double a, double b,
                                struct jinja_value *out)
{
	double rest;

	if (b == 0)
		return render_fail(render, "division by zero");
	if (op == OP_DIV) {
		*out = value_float(a / b);
		return STATUS_OK;
	}
	/* The rest has the sign of b. */
	rest = fmod(a, b);
	if ((rest < 0 || rest > 0) && (rest < 0) != (b < 0))
		rest += b;
	*out = value_float(op == OP_MOD ? rest : round((a - rest) / b));
	return STATUS_OK;
}

static enum status float_op(struct render *render, enum binary_op op, double a, double b,
                            struct jinja_value *out)
{
	switch (op) {
	case OP_ADD:
		*out = value_float(a + b);
		return STATUS_OK;
	case OP_SUB:
		*out = value_float(a - b);
		return STATUS_OK;
	case OP_MUL:
		*out = value_float(a * b);
		return STATUS_OK;
	default:
		return float_divide(render, op, a, b, out);
	}
}

/* ---- sequences ---- */

/* What + and * work on; views and iterators are none. */
static bool is_sequence(struct jinja_value value)
{
	if (value.kind == VALUE_LIST)
		return list_is_sequence(value.u.list);
	return value.kind == VALUE_STRING;
}

/* An empty list with room for n items. */
static enum status new_list(struct render *render, bool tuple, size_t n, struct jinja_value *out)
{
	enum status status = render_step(render, n);

	if (status)
		return status;
	*out = value_list(render->arena, tuple ? LIST_TUPLE : LIST_LIST);
	if (out->kind != VALUE_LIST)
		return render_no_memory(render);
	if (!n)
		return STATUS_OK;
	out->u.list->items = arena_array(render->arena, n, sizeof *out->u.list->items);
	if (!out->u.list->items)
		return render_no_memory(render);
	out->u.list->cap = n;
	return STATUS_OK;
}

static void push_all(struct jinja_list *list, const struct jinja_list *from)
{
	if (from->n)
		memcpy(list->items + list->n, from->items, from->n * sizeof *from->items);
	list->n += from->n;
}

static enum status add_lists(struct render *render, const struct jinja_list *a,
                             const struct jinja_list *b, struct jinja_value *out)
{
	enum status status = new_list(render, list_is_tuple(a), a->n + b->n, out);

	if (status)
		return status;
	push_all(out->u.list, a);
	push_all(out->u.list, b);
	return STATUS_OK;
}

static enum status join_strings(struct render *render, const struct jinja_string *a,
                                const struct jinja_string *b, struct jinja_value *out)
{
	const struct jinja_string *joined = string_concat(render->arena, a, b);
	enum status status = give_string(render, joined, out);

	if (status)
		return status;
	/* A long string grows in place. */
	return render_bytes(render, joined->data == a->data ? b->len : a->len + b->len);
}

/* When one of them is safe, the other is escaped, and what comes of it is safe. */
static enum status add_strings(struct render *render, const struct jinja_string *a,
                               const struct jinja_string *b, struct jinja_value *out)
{
	enum status status;

	if (!a->safe && !b->safe)
		return join_strings(render, a, b, out);
	status = string_escape(render, a, &a);
	if (!status)
		status = string_escape(render, b, &b);
	if (!status)
		status = join_strings(render, a, b, out);
	return status ? status : string_make_safe(render, out->u.string, out);
}

static enum status add_sequences(struct render *render, struct jinja_value a, struct jinja_value b,
                                 struct jinja_value *out)
{
	if (a.kind == VALUE_LIST && b.kind == VALUE_LIST && is_sequence(b) &&
	    list_is_tuple(a.u.list) == list_is_tuple(b.u.list))
		return add_lists(render, a.u.list, b.u.list, out);
	if (a.kind == VALUE_STRING && b.kind == VALUE_STRING)
		return add_strings(render, a.u.string, b.u.string, out);
	return render_fail(render, "can only concatenate %s (not \"%s\") to %s", value_type_name(a),
	                   value_type_name(b), value_type_name(a));
}

/* The memory is asked for in one piece before anything is copied. */
static enum status repeat_string(struct render *render, const struct jinja_string *string, size_t n,
                                 struct jinja_value *out)
{
	enum status status;
	struct text text;
	size_t len;

	if (mul_overflows(string->len, n, &len) || len > render->arena->max)
		return render_limit(render, "memory");
	status = render_bytes(render, len);
	if (status)
		return status;
	if (string->n_runs) /* a run each is more work than bytes */
		status = render_step(render, string->n_runs * n);
	if (status)
		return status;
	text_init(&text, render->arena, len);
	text_reserve(&text, len);
	for (size_t i = 0; i < n && !text.status && len; i++)
		text_append_string(&text, string);
	return give_string(render, text_finish(&text), out);
}

static enum status repeat_list(struct render *render, const struct jinja_list *list, size_t n,
                               struct jinja_value *out)
{
	enum status status;
	size_t total;

	if (mul_overflows(list->n, n, &total) || total > render->arena->max)
		return render_limit(render, "memory");
	status = new_list(render, list_is_tuple(list), total, out);
	for (size_t i = 0; !status && i < n && list->n; i++)
		push_all(out->u.list, list);
	return status;
}

static enum status repeat(struct render *render, struct jinja_value sequence,
                          struct jinja_value times, struct jinja_value *out)
{
	size_t n;

	if (!value_is_int(times))
		return render_fail(render, "can't multiply sequence by non-int of type '%s'",
		                   value_type_name(times));
	n = value_as_int(times) > 0 ? (size_t)value_as_int(times) : 0;
	return sequence.kind == VALUE_STRING ? repeat_string(render, sequence.u.string, n, out)
	                                     : repeat_list(render, sequence.u.list, n, out);
}

/* ---- all of them ---- */

static enum status fail_operands(struct render *render, enum binary_op op, struct jinja_value a,
                                 struct jinja_value b)
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

enum status value_binary(struct render *render, enum binary_op op, struct jinja_value a,
                         struct jinja_value b, struct jinja_value *out)
{
	if (value_is_int(a) && value_is_int(b))
		return int_op(render, op, value_as_int(a), value_as_int(b), out);
	if (value_is_number(a) && value_is_number(b))
		return float_op(render, op, as_float(a), as_float(b), out);
	if (op == OP_MOD && a.kind == VALUE_STRING)
		return render_fail(render, "formatting with '%%' is not supported");
	if (value_is_undefined(a))
		return undefined_fail(render, a);
	if (value_is_undefined(b))
		return undefined_fail(render, b);
	if (op == OP_ADD && is_sequence(a))
		return add_sequences(render, a, b, out);
	if (op == OP_MUL && is_sequence(a))
		return repeat(render, a, b, out);
	if (op == OP_MUL && is_sequence(b))
		return repeat(render, b, a, out);
	return fail_operands(render, op, a, b);
}

enum status value_negate(struct render *render, struct jinja_value a, struct jinja_value *out)
{
	if (value_is_undefined(a))
		return undefined_fail(render, a);
	if (a.kind == VALUE_LONG || (value_is_int(a) && value_as_int(a) == INT64_MIN))
		return render_overflow(render);
	if (!value_is_number(a))
		return render_fail(render, "bad operand type for unary -: '%s'", value_type_name(a));
	*out = a.kind == VALUE_FLOAT ? value_float(-a.u.number) : value_int(-value_as_int(a));
	return STATUS_OK;
}

/* The text of all of them. */
static enum status join_items(struct render *render, const struct jinja_value *items, size_t n,
                              const struct jinja_string **out)
{
	enum status status;
	struct text text;

	if (n == 1)
		return value_to_string(render, items[0], out);
	text_init(&text, render->arena, SIZE_MAX - 1);
	for (size_t i = 0; i < n; i++) {
		status = value_print(render, &text, items[i]);
		if (status)
			return status;
	}
	*out = text_finish(&text);
	return *out ? STATUS_OK : render_no_memory(render);
}

enum status value_concat(struct render *render, const struct jinja_value *items, size_t n,
                         struct jinja_value *out)
{
	const struct jinja_string *joined = NULL;
	enum status status;

	/* Appending to what has room already. */
	if (n > 1 && items[0].kind == VALUE_STRING && items[0].u.string->tail) {
		status = join_items(render, items + 1, n - 1, &joined);
		return status ? status : join_strings(render, items[0].u.string, joined, out);
	}
	if (n == 2 && items[0].kind == VALUE_STRING && items[1].kind == VALUE_STRING)
		return join_strings(render, items[0].u.string, items[1].u.string, out);
	status = join_items(render, items, n, &joined);
	return status ? status : give_string(render, joined, out);
}
