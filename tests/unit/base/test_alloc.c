#include <criterion/criterion.h>

#include "base/alloc.h"

Test(alloc, refuses_products_that_wrap)
{
	cr_assert_null(alloc_array((size_t)1 << 40, (size_t)1 << 40));
}

Test(alloc, grows_to_its_limit_and_keeps_the_items)
{
	int *items = NULL;
	size_t cap = 0;

	cr_assert(alloc_grow(&items, &cap, 1, sizeof *items, 100));
	items[0] = 42;
	cr_assert(alloc_grow(&items, &cap, 100, sizeof *items, 100));
	cr_assert_eq(items[0], 42);
	cr_assert_eq(cap, 100);
	cr_assert_not(alloc_grow(&items, &cap, 101, sizeof *items, 100));
	cr_assert_eq(items[0], 42);
	free(items);
}

Test(alloc, aligned_memory_is_aligned)
{
	void *p = alloc_aligned(64, 100);

	cr_assert_eq((size_t)p % 64, 0);
	free(p);
}
