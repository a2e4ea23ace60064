#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "cli/figures.h"

static const struct figure_column columns[] = {{"layer", false}, {"norm", false}, {"name", true}};

static void fill(struct figures *figures)
{
	figures_count(figures, 0);
	figures_number(figures, "%.3g", 1.5);
	figures_string(figures, "a \"b\", c");
	figures_count(figures, 10);
	figures_number(figures, "%.3g", (double)NAN);
	figures_text(figures, "x\ny", 3);
	figures_count(figures, 2);
	figures_none(figures);
	figures_none(figures);
	cr_assert(!figures->is_short);
}

static void expect(const struct buf *out, const char *expected)
{
	cr_expect_str_eq(buf_text(out), expected);
}

Test(figures, are_aligned_text)
{
	struct figures figures = FIGURES("norms", columns);
	struct buf out = {.max = KIB(4)};

	fill(&figures);
	figures_put_text(&figures, &out);
	expect(&out, "layer  norm  name\n"
	             "    0   1.5  a \"b\", c\n"
	             "   10   nan  x\ny\n"
	             "    2     -  -\n");
	figures_free(&figures);
	buf_free(&out);
}

Test(figures, are_json_without_what_is_no_number)
{
	struct figures figures = FIGURES("norms", columns);
	struct buf out = {.max = KIB(4)};
	struct json_writer json = {.out = &out};

	fill(&figures);
	json_put_begin(&json, NULL, '{');
	figures_put_json(&figures, &json);
	json_put_end(&json, '}');
	expect(&out, "{\"norms\": [\n"
	             "  {\"layer\": 0, \"norm\": 1.5, \"name\": \"a \\\"b\\\", c\"},\n"
	             "  {\"layer\": 10, \"norm\": null, \"name\": \"x\\ny\"},\n"
	             "  {\"layer\": 2, \"norm\": null, \"name\": null}]}");
	figures_free(&figures);
	buf_free(&out);
}

Test(figures, are_csv_with_quotes_where_they_are_needed)
{
	struct figures figures = FIGURES("norms", columns);
	struct buf out = {.max = KIB(4)};

	fill(&figures);
	figures_put_csv(&figures, &out);
	expect(&out, "layer,norm,name\n"
	             "0,1.5,\"a \"\"b\"\", c\"\n"
	             "10,nan,\"x\ny\"\n"
	             "2,,\n");
	figures_free(&figures);
	buf_free(&out);
}
