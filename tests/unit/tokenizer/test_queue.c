#include <criterion/criterion.h>
#include <stdlib.h>

#include "support/random.h"
#include "tokenizer/queue.h"

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

Test(queue, gives_all_keys_in_order)
{
	enum { N = 5000 };
	static uint64_t keys[N];
	struct test_random random = {7};
	struct queue q = {0};
	uint64_t key;

	for (size_t round = 0; round < 3; round++) {
		for (size_t i = 0; i < N; i++) {
			keys[i] = test_random_u64(&random) >> (i % 64);
			queue_push(&q, keys[i]);
		}
		qsort(keys, N, sizeof *keys, by_value);
		for (size_t i = 0; i < N; i++) {
			cr_assert(queue_pop(&q, &key));
			cr_assert_eq(key, keys[i]);
		}
		cr_assert_not(queue_pop(&q, &key));
		queue_clear(&q);
	}
	queue_deinit(&q);
}

/* Against a plain list: keys pushed in between may be below those taken. */
Test(queue, takes_the_smallest_whatever_was_taken_before)
{
	enum { STEPS = 4000 };
	static uint64_t held[STEPS];
	struct test_random random = {11};
	struct queue q = {0};
	size_t n = 0;

	for (size_t step = 0; step < STEPS; step++) {
		if (n == 0 || test_random_below(&random, 5) < 3) {
			held[n] = test_random_below(&random, 300);
			queue_push(&q, held[n++]);
			continue;
		}
		size_t least = 0;
		uint64_t key;

		for (size_t i = 1; i < n; i++)
			least = held[i] < held[least] ? i : least;
		cr_assert(queue_pop(&q, &key));
		cr_assert_eq(key, held[least]);
		held[least] = held[--n];
	}
	queue_deinit(&q);
}

Test(queue, forgets_when_cleared)
{
	struct queue q = {0};
	uint64_t key;

	for (uint64_t i = 0; i < 3000; i++)
		queue_push(&q, i * i);
	cr_assert(queue_pop(&q, &key));
	queue_clear(&q);
	cr_assert_not(queue_pop(&q, &key));
	queue_push(&q, 5);
	cr_assert(queue_pop(&q, &key));
	cr_assert_eq(key, 5);
	queue_deinit(&q);
}
