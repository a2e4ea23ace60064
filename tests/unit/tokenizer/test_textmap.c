#include <criterion/criterion.h>
#include <string.h>

#include "tokenizer/textmap.h"

static char bytes[] = "one" "two" "a longer text" "two" "eight by";
static uint32_t starts[] = {0, 3, 6, 19, 22, 30};
static const struct texts texts = {bytes, starts};

Test(textmap, finds_by_bytes_and_the_first_of_equals_wins)
{
	struct textmap map;

	cr_assert_eq(textmap_init(&map, &texts, 5, NULL), STATUS_OK);
	for (int32_t i = 0; i < 5; i++)
		cr_assert_eq(textmap_add(&map, i), i != 3);
	cr_assert_eq(textmap_find(&map, "one", 3), 0);
	cr_assert_eq(textmap_find(&map, "two", 3), 1);
	cr_assert_eq(textmap_find(&map, "a longer text", 13), 2);
	cr_assert_eq(textmap_find(&map, "eight by", 8), 4);
	cr_assert_eq(textmap_find(&map, "on", 2), -1);
	cr_assert_eq(textmap_find(&map, "", 0), -1);
	cr_assert_eq(textmap_find(&map, "a longer texs", 13), -1);
	textmap_deinit(&map);
}
