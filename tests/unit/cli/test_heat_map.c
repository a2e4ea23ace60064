#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "cli/heat_map.h"

static void put_label(void *ctx, size_t q, size_t width, struct buf *out)
{
	(void)ctx;
	buf_printf(out, "%-*zu", (int)width, q);
}

static double weights[] = {
	1,
	0.25, 0.75,
	0, 0.5, 0.5,
	0, 0, 0.01, 0.99};
static double sink[] = {0, 0.25, 0, 0.999};

static struct attention_trace four(size_t window)
{
	return (struct attention_trace){.n = 4, .weights = weights, .window = window};
}

static void expect(const struct attention_trace *trace, size_t columns, size_t rows, const char *expected)
{
	struct buf out = {.max = KIB(4)};

	heat_map_put(trace, columns, rows, put_label, NULL, &out);
	cr_expect_str_eq(buf_text(&out), expected);
	buf_free(&out);
}

Test(heat_map, has_a_row_for_each_token)
{
	struct attention_trace trace = four(0);

	expect(&trace, 80, 64, "0            |@\n"
	                       "1            |*%\n"
	                       "2            | ##\n"
	                       "3            |   @\n"
	                       "from 0 to 1: \" .:+*#%@\"\n"
	                       "31.2% of all goes to the first token\n");
}

Test(heat_map, marks_what_a_window_hides_and_what_goes_to_a_sink)
{
	struct attention_trace trace = four(2);

	trace.sink = sink;
	expect(&trace, 80, 64, "0               0% |@\n"
	                       "1              25% |*%\n"
	                       "2               0% |-##\n"
	                       "3             100% |-- @\n"
	                       "from 0 to 1: \" .:+*#%@\"\n"
	                       "- is not seen: the window is 2 tokens\n"
	                       "31.2% of all goes to the first token\n"
	                       "the head's sink, which has no value, takes what stands "
	                       "before each row\n");
}

Test(heat_map, shows_what_is_no_number)
{
	double none[] = {1, NAN, NAN};
	struct attention_trace trace = {.n = 2, .weights = none};
	struct buf out = {.max = KIB(4)};

	heat_map_put(&trace, 80, 64, put_label, NULL, &out);
	cr_expect(strstr(buf_text(&out), "0            |@\n1            |??\n"), "%s", buf_text(&out));
	buf_free(&out);
}

Test(heat_map, takes_the_largest_of_several_where_there_is_no_room)
{
	struct attention_trace trace = four(0);

	expect(&trace, 17, 64, "0            |@\n"
	                       "2            |#@\n"
	                       "from 0 to 1: \" .:+*#%@\"\n"
	                       "a character is the largest weight of 2 x 2\n"
	                       "31.2% of all goes to the first token\n");
}
