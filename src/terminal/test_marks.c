#include "terminal/test_marks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/sys.h"

static void put(const struct test_marks *marks, const char *text)
{
	char mark[64];
	int n = snprintf(mark, sizeof mark, "\033_sotto:%s\033\\", text);

	if (!marks->on)
		return;
	while (write(STDOUT_FILENO, mark, (size_t)n) < 0 && errno == EINTR)
		; /* so short that it is written whole, or the terminal is gone */
}

static void put_number(const struct test_marks *marks, const char *name, uint64_t number)
{
	char text[32];

	snprintf(text, sizeof text, "%s:%" PRIu64, name, number);
	put(marks, text);
}

void test_marks_init(struct test_marks *marks)
{
	*marks = (struct test_marks){.on = sys_variable("SOTTO_TEST_MARKS")};
}

bool test_marks_are_due(const struct test_marks *marks)
{
	return marks->on && marks->n_taken != marks->n_told;
}

void test_marks_begin(struct test_marks *marks)
{
	put(marks, "frame");
}

void test_marks_end(struct test_marks *marks)
{
	marks->n_told = marks->n_taken;
	put_number(marks, "end", marks->n_told);
}

void test_marks_leave(struct test_marks *marks)
{
	put(marks, "away");
}

void test_marks_return(struct test_marks *marks)
{
	put_number(marks, "back", marks->n_read);
}
