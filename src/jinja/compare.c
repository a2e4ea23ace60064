/* a < b, a == b, a in b. */
#include <string.h>

#include "base/limits.h"
#include "jinja/render.h"

/* Equality takes its steps from the fuel. */
static enum status same(struct render *render, struct jinja_value a, struct jinja_value b,
                        bool items, bool *out)
{
	uint64_t left = render->fuel;

	*out = items ? value_same_within(a, b, &left) : value_equal_within(a, b, &left);
	return render_step(render, left ? render->fuel - left : render->fuel + 1);
}

static enum status fail_order(struct render *render, struct jinja_value a, struct jinja_value b,
                              const char *op)
{
	if (value_is_undefined(a) || value_is_undefined(b))
		return undefined_fail(render, value_is_undefined(a) ? a : b);
	if (a.kind == VALUE_LONG || b.kind == VALUE_LONG)
		return render_fail(render, "integers beyond 64 bits cannot be ordered");
	return render_fail(render, "'%s' not supported between instances of '%s' and '%s'", op,
	                   value_type_name(a), value_type_name(b));
}

static bool have_order(const struct jinja_list *a, const struct jinja_list *b)
{
	return (a->kind == LIST_LIST && b->kind == LIST_LIST) || (list_is_tuple(a) && list_is_tuple(b));
}

static enum status order_at(struct render *render, struct jinja_value a, struct jinja_value b,
                            const char *op, unsigned depth, int *out);

/* Of the first items that differ. */
static enum status order_lists(struct render *render, const struct jinja_list *a,
                               const struct jinja_list *b, const char *op, unsigned depth, int *out)
{
	enum status status;
	bool equal;

	for (size_t i = 0; i < a->n && i < b->n; i++) {
		status = same(render, a->items[i], b->items[i], true, &equal);
		if (status)
			return status;
		if (!equal)
			return order_at(render, a->items[i], b->items[i], op, depth + 1, out);
	}
	*out = (a->n > b->n) - (a->n < b->n);
	return STATUS_OK;
}

/* *out may be NUMBERS_UNORDERED. */
static enum status order_at(struct render *render, struct jinja_value a, struct jinja_value b,
                            const char *op, unsigned depth, int *out)
{
	size_t len;
	int order;

	if (depth > LIMIT_JINJA_NESTING)
		return render_limit(render, "lists in lists");
	if (value_is_number(a) && value_is_number(b)) {
		*out = value_number_order(a, b);
		return render_step(render, 1);
	}
	if (a.kind == VALUE_STRING && b.kind == VALUE_STRING) {
		order = string_compare(a.u.string, b.u.string);
		*out = (order > 0) - (order < 0);
		len = a.u.string->len < b.u.string->len ? a.u.string->len : b.u.string->len;
		return render_bytes(render, len);
	}
	if (a.kind == VALUE_LIST && b.kind == VALUE_LIST && have_order(a.u.list, b.u.list))
		return order_lists(render, a.u.list, b.u.list, op, depth, out);
	return fail_order(render, a, b, op);
}

static enum status compare_order(struct render *render, enum compare_op op, struct jinja_value a,
                                 struct jinja_value b, bool *out)
{
	static const char *const names[] = {
		[CMP_LT] = "<", [CMP_LE] = "<=", [CMP_GT] = ">", [CMP_GE] = ">="};
	enum status status;
	int order = 0;

	status = order_at(render, a, b, names[op], 0, &order);
	if (status)
		return status;
	*out = order != NUMBERS_UNORDERED && (op == CMP_LT   ? order < 0
	                                      : op == CMP_LE ? order <= 0
	                                      : op == CMP_GT ? order > 0
	                                                     : order >= 0);
	return STATUS_OK;
}

/* ---- in ---- */

static enum status in_string(struct render *render, struct jinja_value item,
                             const struct jinja_string *string, bool *out)
{
	enum status status = render_bytes(render, string->len);

	if (status)
		return status;
	if (item.kind != VALUE_STRING)
		return render_fail(render, "'in <string>' requires string as left operand, not %s",
		                   value_type_name(item));
	*out = string_find(string, item.u.string, 0) != SIZE_MAX;
	return STATUS_OK;
}

static enum status in_dict(struct render *render, struct jinja_value item,
                           const struct jinja_dict *dict, bool *out)
{
	enum status status = value_hash_step(render, item);

	*out = !status && dict_find(dict, item);
	return status;
}

/* An iterator is consumed up to there. */
static enum status in_items(struct render *render, struct jinja_value item,
                            struct jinja_value items, bool *out)
{
	struct iteration it;
	enum status status;
	struct jinja_value other;

	*out = false;
	status = value_iterate(render, items, &it);
	while (!status && !*out && iteration_next(render, &it, &other))
		status = same(render, other, item, true, out);
	return render->failed ? render->err->status : status;
}

static enum status is_in(struct render *render, struct jinja_value item,
                         struct jinja_value container, bool *out)
{
	switch (container.kind) {
	case VALUE_STRING:
		return in_string(render, item, container.u.string, out);
	case VALUE_DICT:
		return in_dict(render, item, container.u.dict, out);
	case VALUE_LIST:
	case VALUE_RANGE:
		return in_items(render, item, container, out);
	case VALUE_UNDEFINED: /* empty */
		*out = false;
		return STATUS_OK;
	default:
		return render_fail(render, "argument of type '%s' is not iterable",
		                   value_type_name(container));
	}
}

enum status value_compare_op(struct render *render, enum compare_op op, struct jinja_value a,
                             struct jinja_value b, bool *out)
{
	enum status status;

	switch (op) {
	case CMP_EQ:
	case CMP_NE:
		status = same(render, a, b, false, out);
		break;
	case CMP_IN:
	case CMP_NOT_IN:
		status = is_in(render, a, b, out);
		break;
	default:
		return compare_order(render, op, a, b, out);
	}
	if (op == CMP_NE || op == CMP_NOT_IN)
		*out = !*out;
	return status;
}

/* ---- sorting ---- */

struct sort {
	struct render *render;
	struct keyed *spare; /* for the left half of a merge */
	enum status status;
};

/* After a failure nothing is less: all loops end. */
static bool is_less(struct sort *sort, const struct keyed *a, const struct keyed *b)
{
	int order = 0;

	if (!sort->status)
		sort->status = render_step(sort->render, 1);
	if (!sort->status)
		sort->status = order_at(sort->render, a->key, b->key, "<", 0, &order);
	return !sort->status && order < 0;
}

static void reverse(struct keyed *items, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct keyed item = items[i];

		items[i] = items[n - 1 - i];
		items[n - 1 - i] = item;
	}
}

/* [0, middle) and [middle, n) are in order. */
static void merge(struct sort *sort, struct keyed *items, size_t middle, size_t n)
{
	struct keyed *left = sort->spare;
	size_t n_left = middle, i = 0, at = 0;

	memcpy(left, items, n_left * sizeof *left);
	while (i < n_left && middle < n) {
		if (is_less(sort, &items[middle], &left[i]))
			items[at++] = items[middle++];
		else
			items[at++] = left[i++];
	}
	memcpy(items + at, left + i, (n_left - i) * sizeof *left);
}

enum status keyed_sort(struct render *render, struct keyed *items, size_t n, bool backwards)
{
	struct sort sort = {.render = render};

	sort.spare = arena_array(render->arena, n, sizeof *sort.spare);
	if (!sort.spare)
		return render_no_memory(render);
	if (backwards)
		reverse(items, n); /* so that equal ones keep their order */
	for (size_t width = 1; width < n && !sort.status; width *= 2)
		for (size_t at = 0; at < n && n - at > width && !sort.status; at += 2 * width)
			merge(&sort, items + at, width, n - at > 2 * width ? 2 * width : n - at);
	if (backwards)
		reverse(items, n);
	return sort.status;
}
