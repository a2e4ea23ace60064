/* a < b, a == b, a in b. */
#include <string.h>

#include "base/limits.h"
#include "jinja/render.h"

/* Equality takes its steps from the fuel. */
static bool same(struct render *render, struct jinja_value a, struct jinja_value b, bool items)
{
	uint64_t left = render->fuel;
	bool equal = value_equal_within(a, b, items, &left);

	render_step(render, left ? render->fuel - left : render->fuel + 1);
	return equal;
}

static struct jinja_value fail_order(struct render *render, struct jinja_value a, struct jinja_value b,
                              const char *op)
{
	if (value_is_undefined(a) || value_is_undefined(b))
		return undefined_fail(render, value_is_undefined(a) ? a : b);
	if (a.kind == VALUE_LONG || b.kind == VALUE_LONG)
		return render_fail(render, "integers beyond 64 bits cannot be ordered");
	return render_fail(render, "'%s' not supported between instances of '%s' and '%s'", op,
	                   value_type_name(a), value_type_name(b));
}

/* -1, 0, 1, or NUMBERS_UNORDERED, which is also given after a failure. */
static int order_at(struct render *render, struct jinja_value a, struct jinja_value b,
                    const char *op, unsigned depth);

/* Of the first items that differ. */
static int order_lists(struct render *render, const struct jinja_list *a,
                       const struct jinja_list *b, const char *op, unsigned depth)
{
	for (size_t i = 0; i < a->n && i < b->n; i++) {
		bool equal = same(render, a->items[i], b->items[i], true);

		if (render->failed)
			return NUMBERS_UNORDERED;
		if (!equal)
			return order_at(render, a->items[i], b->items[i], op, depth + 1);
	}
	return (a->n > b->n) - (a->n < b->n);
}

static int order_at(struct render *render, struct jinja_value a, struct jinja_value b,
                    const char *op, unsigned depth)
{
	size_t len;
	int order;

	if (depth > LIMIT_JINJA_NESTING) {
		render_limit(render, "lists in lists");
		return NUMBERS_UNORDERED;
	}
	if (value_is_number(a) && value_is_number(b))
		return render_step(render, 1) ? value_number_order(a, b) : NUMBERS_UNORDERED;
	if (a.kind == VALUE_STRING && b.kind == VALUE_STRING) {
		order = string_compare(a.u.string, b.u.string);
		len = a.u.string->len < b.u.string->len ? a.u.string->len : b.u.string->len;
		return render_bytes(render, len) ? (order > 0) - (order < 0) : NUMBERS_UNORDERED;
	}
	if (value_is_sequence(a) && b.kind == VALUE_LIST && a.u.list->kind == b.u.list->kind)
		return order_lists(render, a.u.list, b.u.list, op, depth);
	fail_order(render, a, b, op);
	return NUMBERS_UNORDERED;
}

static bool compare_order(struct render *render, enum compare_op op, struct jinja_value a,
                          struct jinja_value b)
{
	static const char *const names[] = {
		[CMP_LT] = "<", [CMP_LE] = "<=", [CMP_GT] = ">", [CMP_GE] = ">="};
	int order = order_at(render, a, b, names[op], 0);

	return order != NUMBERS_UNORDERED && (op == CMP_LT   ? order < 0
	                                      : op == CMP_LE ? order <= 0
	                                      : op == CMP_GT ? order > 0
	                                                     : order >= 0);
}

/* ---- in ---- */

static bool in_string(struct render *render, struct jinja_value item,
                      const struct jinja_string *string)
{
	render_bytes(render, string->len);
	if (item.kind == VALUE_STRING)
		return string_find(string, item.u.string, 0) != SIZE_MAX;
	render_fail(render, "'in <string>' requires string as left operand, not %s",
	            value_type_name(item));
	return false;
}

/* An iterator is consumed up to there. */
static bool in_items(struct render *render, struct jinja_value item, struct jinja_value items)
{
	struct iteration it = value_iterate(render, items);
	struct jinja_value other;
	bool found = false;

	while (!found && iteration_next(render, &it, &other))
		found = same(render, other, item, true);
	return found;
}

static bool is_in(struct render *render, struct jinja_value item, struct jinja_value container)
{
	switch (container.kind) {
	case VALUE_STRING:
		return in_string(render, item, container.u.string);
	case VALUE_DICT:
		return value_hash_step(render, item) && dict_find(container.u.dict, item);
	case VALUE_LIST:
	case VALUE_RANGE:
		return in_items(render, item, container);
	case VALUE_UNDEFINED: /* empty */
		return false;
	default:
		render_fail(render, "argument of type '%s' is not iterable",
		            value_type_name(container));
		return false;
	}
}

bool value_compare_op(struct render *render, enum compare_op op, struct jinja_value a,
                      struct jinja_value b)
{
	switch (op) {
	case CMP_EQ:
	case CMP_NE:
		return same(render, a, b, false) == (op == CMP_EQ);
	case CMP_IN:
	case CMP_NOT_IN:
		return is_in(render, a, b) == (op == CMP_IN);
	default:
		return compare_order(render, op, a, b);
	}
}

/* ---- sorting ---- */

/* After a failure nothing is less: all loops end. */
static bool is_less(struct render *render, const struct keyed *a, const struct keyed *b)
{
	return render_step(render, 1) && compare_order(render, CMP_LT, a->key, b->key);
}

static void reverse(struct keyed *items, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct keyed item = items[i];

		items[i] = items[n - 1 - i];
		items[n - 1 - i] = item;
	}
}

/* [0, middle) and [middle, n) are in order; `left` has room for the first. */
static void merge(struct render *render, struct keyed *left, struct keyed *items, size_t middle,
                  size_t n)
{
	size_t n_left = middle, i = 0, at = 0;

	memcpy(left, items, n_left * sizeof *left);
	while (i < n_left && middle < n) {
		if (is_less(render, &items[middle], &left[i]))
			items[at++] = items[middle++];
		else
			items[at++] = left[i++];
	}
	memcpy(items + at, left + i, (n_left - i) * sizeof *left);
}

void keyed_sort(struct render *render, struct keyed *items, size_t n, bool backwards)
{
	struct keyed *spare = arena_array(render->arena, n, sizeof *spare);

	if (!spare) {
		render_no_memory(render);
		return;
	}
	if (backwards)
		reverse(items, n); /* so that equal ones keep their order */
	for (size_t width = 1; width < n && !render->failed; width *= 2)
		for (size_t at = 0; at < n && n - at > width && !render->failed; at += 2 * width)
			merge(render, spare, items + at, width,
			      n - at > 2 * width ? 2 * width : n - at);
	if (backwards)
		reverse(items, n);
}
