#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

Test(buf, appends_up_to_its_maximum_and_no_further)
{
	struct buf buf = {.max = 5};

	cr_assert_eq(buf_puts(&buf, "abc"), STATUS_OK);
	cr_assert_eq(buf_puts(&buf, "def"), STATUS_LIMIT);
	cr_assert_str_eq(buf_text(&buf), "abc");
	cr_assert_eq(buf_putc(&buf, 'd'), STATUS_LIMIT, "a failure is sticky");
	buf_clear(&buf);
	cr_assert_eq(buf_puts(&buf, "12345"), STATUS_OK);
	buf_free(&buf);
}

Test(buf, take_hands_over_and_empties)
{
	struct buf buf = {.max = 100};
	size_t len;
	char *text;

	buf_printf(&buf, "%d-%s", 7, "x");
	text = buf_take(&buf, &len);
	cr_assert_str_eq(text, "7-x");
	cr_assert_eq(len, 3);
	cr_assert_eq(buf.len, 0);
	free(text);
	text = buf_take(&buf, &len);
	cr_assert_str_eq(text, "");
	free(text);
}

Test(buf, removes_from_the_middle)
{
	struct buf buf = {.max = 100};

	buf_puts(&buf, "hello world");
	buf_remove(&buf, 5, 3);
	cr_assert_str_eq(buf_text(&buf), "hellorld");
	buf_remove(&buf, 5, 300);
	cr_assert_str_eq(buf_text(&buf), "hello");
	buf_remove(&buf, 9, 1);
	cr_assert_str_eq(buf_text(&buf), "hello");
	buf_free(&buf);
}
