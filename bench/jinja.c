/* How long a chat template takes to parse, and a conversation to render.
 * usage: bench/jinja TEMPLATE CONTEXT.yaml [RUNS] */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "bench.h"
#include "cli/context.h"
#include "jinja/jinja.h"

static int compare_times(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void report(const char *what, double *ms, size_t n)
{
	qsort(ms, n, sizeof *ms, compare_times);
	printf("%-28s %10.4f ms   worst %10.4f ms\n", what, ms[n / 2], ms[n - 1]);
}

/* One round: the template is parsed, the context read, the text rendered. */
static void run(const char *text, size_t len, const char *yaml, size_t yaml_len, double ms[3])
{
	const struct jinja_options options = {.has_now = true, .now = 0};
	struct jinja_template *tmpl;
	struct context context = {0};
	struct jinja_output output;
	struct error err;
	uint64_t at = sys_now_us(), then;

	if (jinja_parse(&tmpl, "template", text, len, &jinja_limits_default, &err))
		fail(err.text);
	then = sys_now_us();
	ms[0] = (double)(then - at) / 1000;
	at = then;
	if (context_read(&context, "context", yaml, yaml_len, &err))
		fail(err.text);
	then = sys_now_us();
	ms[1] = (double)(then - at) / 1000;
	at = then;
	if (jinja_render(tmpl, context.variables, &options, &output, &err))
		fail(err.text);
	ms[2] = (double)(sys_now_us() - at) / 1000;
	jinja_output_free(&output);
	context_free(&context);
	jinja_free(tmpl);
}

int main(int argc, char **argv)
{
	size_t runs = argc > 3 ? strtoul(argv[3], NULL, 10) : 1000, len, yaml_len;
	char *text, *yaml;
	double *ms;
	struct error err;

	if (argc < 3 || runs == 0)
		fail("usage: bench/jinja TEMPLATE CONTEXT.yaml [RUNS]");
	if (sys_read_file(argv[1], LIMIT_JINJA_TEMPLATE, &text, &len, &err) ||
	    sys_read_file(argv[2], LIMIT_CONTEXT_BYTES, &yaml, &yaml_len, &err))
		fail(err.text);
	ms = alloc_array(3 * runs, sizeof *ms);
	if (!ms)
		fail("not enough memory");
	for (size_t i = 0; i < runs; i++) {
		double one[3];

		run(text, len, yaml, yaml_len, one);
		for (size_t k = 0; k < 3; k++)
			ms[k * runs + i] = one[k];
	}
	report("template parsed, median", ms, runs);
	report("context read, median", ms + runs, runs);
	report("conversation rendered, median", ms + 2 * runs, runs);
	free(ms);
	free(yaml);
	free(text);
	return 0;
}
