/* What a token costs on its way into a long reply: one of 200 kB is laid out at 80 columns after each
 * of its last tokens.
 *
 * usage: bench/markdown [KILOBYTES]   (prints a table; exit status 1 when over a limit) */
#include <locale.h>

#include "base/sys.h"
#include "bench.h"
#include "markdown/markdown.h"

enum { TOKEN = 4, LAST = 40000 }; /* bytes: of a token, of those that are measured */

static const char *const paragraphs =
	"## A heading\n\nA paragraph with **strong** words, `code` and [a link](https://example.org/page), which "
	"goes on for a few lines, as those of replies do: *some* text, more text.\n\n";
static const char *const code =
	"    for (size_t i = 0; i < n; i++) /* a comment */\n\tprintf(\"%zu\\n\", i + 42);\n";

/* Rows of what replies are made of; what `first` begins is repeated until the reply is long. */
static const struct {
	const char *name, *first, *rest;
} replies[] = {
	{"paragraphs", "", NULL},
	{"one block of code", "```c\n", NULL},
	{"one list", "", "- an item with **strong** words\n  - and one below it, `code`\n"},
	{"one paragraph", "", "some words with *marks* and more of them\n"},
	{"one line without marks", "", "some words that go on and on "},
	{"one line with marks", "", "some *words* that go `on` and on "},
	{"one table", "| one | two | three |\n|---|---|---|\n", "| a cell | **another** | a third with more text in it |\n"},
	{"a quotation", "", "> some words with *marks*\n> > and a quotation\n>\n"},
	{"plain paragraphs", "", "Some words. And others, which go on for a line or two, as they do in replies.\n\n"},
	{"brackets", "", "[[[["},
	{"backticks", "", "`a ``b ```c "},
	{"stars", "", "*a **b _c __d "},
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool run(size_t which, size_t size, double *samples)
{
	const char *rest = replies[which].rest ? replies[which].rest : replies[which].first[0] ? code : paragraphs;
	char *text = zeros(size + 1);
	size_t len = strlen(replies[which].first), n = 0;
	struct markdown markdown = {0};
	double sum = 0, worst;

	memcpy(text, replies[which].first, len);
	for (; len < size; len++)
		text[len] = rest[(len - strlen(replies[which].first)) % strlen(rest)];
	if (markdown_update(&markdown, text, size > LAST ? size - LAST : 0, true, 80, false))
		fail("not enough memory");
	for (size_t at = size > LAST ? size - LAST : TOKEN; at <= size; at += TOKEN) {
		double begin = processor_s();

		if (markdown_update(&markdown, text, at, true, 80, false))
			fail("not enough memory");
		samples[n] = (processor_s() - begin) * 1e3;
		sum += samples[n++];
	}
	qsort(samples, n, sizeof *samples, compare);
	worst = samples[n - 1 - n / 100];
	printf("%-24s %8.3f %8.3f %8.3f %8.3f%s\n", replies[which].name, sum / (double)n, samples[n / 2], worst,
	       samples[n - 1], worst > 1 ? "  OVER" : "");
	markdown_free(&markdown);
	free(text);
	return worst <= 1;
}

int main(int argc, char **argv)
{
	size_t size = (argc > 1 ? strtoul(argv[1], NULL, 10) : 200) * 1000;
	double *samples = zeros((LAST / TOKEN + 1) * sizeof *samples);
	bool ok = true;

	setlocale(LC_CTYPE, "C.UTF-8");
	printf("%-24s %8s %8s %8s %8s\n", "ms of processor a token", "mean", "median", "p99", "worst");
	for (size_t i = 0; i < sizeof replies / sizeof replies[0]; i++)
		ok &= run(i, size, samples);
	free(samples);
	return ok ? 0 : 1;
}
