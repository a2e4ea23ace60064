#include "jinja/sort.h"

#include <string.h>

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
		sort->status = value_order(sort->render, a->key, b->key, "<", &order);
	return !sort->status && order < 0;
}

static void turn(struct keyed *items, size_t n)
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

enum status keyed_sort(struct render *render, struct keyed *items, size_t n, bool reverse)
{
	struct sort sort = {.render = render};

	sort.spare = arena_array(render->arena, n, sizeof *sort.spare);
	if (!sort.spare)
		return render_no_memory(render);
	if (reverse)
		turn(items, n); /* so that equal ones keep their order */
	for (size_t width = 1; width < n && !sort.status; width *= 2)
		for (size_t at = 0; at < n && n - at > width && !sort.status; at += 2 * width)
			merge(&sort, items + at, width, n - at > 2 * width ? 2 * width : n - at);
	if (reverse)
		turn(items, n);
	return sort.status;
}
