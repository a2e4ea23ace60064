#include "jinja/arena.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

Test(arena, memory_is_zeroed_aligned_and_apart)
{
	struct arena arena;
	char *a, *b;

	arena_init(&arena, 1 << 20);
	a = arena_alloc(&arena, 5);
	memset(a, 'x', 5);
	b = arena_alloc(&arena, 100);
	cr_assert_eq((uintptr_t)b % 16, 0);
	for (int i = 0; i < 100; i++)
		cr_assert_eq(b[i], 0);
	cr_assert(b >= a + 5);
	arena_free(&arena);
}

Test(arena, nothing_is_no_failure)
{
	struct arena arena;

	arena_init(&arena, 1 << 20);
	cr_assert_not_null(arena_alloc(&arena, 0));
	cr_assert_not_null(arena_array(&arena, 0, 8));
	cr_assert_eq(arena.status, STATUS_OK);
	arena_free(&arena);
}

Test(arena, the_bound_holds_and_stays_hit)
{
	struct arena arena;

	arena_init(&arena, 100 << 10);
	cr_assert_not_null(arena_alloc(&arena, 50 << 10));
	cr_assert_null(arena_alloc(&arena, 60 << 10));
	cr_assert_eq(arena.status, STATUS_LIMIT);
	cr_assert_null(arena_alloc(&arena, 1));
	cr_assert_null(arena_array(&arena, SIZE_MAX / 2, 16));
	cr_assert(arena.used <= arena.max);
	arena_free(&arena);
}

Test(arena, growing_keeps_the_bytes_in_place_or_not)
{
	struct arena arena;
	char *p, *q;

	arena_init(&arena, 1 << 20);
	p = arena_alloc(&arena, 10);
	memcpy(p, "0123456789", 10);
	q = arena_grow(&arena, p, 10, 1000);
	cr_assert_eq(p, q);
	arena_alloc(&arena, 1);
	q = arena_grow(&arena, q, 1000, 2000);
	cr_assert_neq(p, q);
	cr_assert_arr_eq(q, "0123456789", 10);
	cr_assert_eq(q[1999], 0);
	arena_free(&arena);
}
