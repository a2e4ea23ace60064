#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "markdown/markdown_links.h"

static const struct {
	const char *text;
	const char *shown, *target; /* of the first link; NULL: there is none */
	size_t n;
} rows[] = {
	{"none, http is no link, [a] (b)", NULL, NULL, 0},
	{"[a *b*](http://c \"d\")", "a *b", "http://c", 1},
	{"a <http://b.c> www.d.e f@g.h <i@j.k>", "http://b.c", "http://b.c", 3},
	{"www.d.e", "www.d.e", "http://www.d.e", 1},
	{"<i@j.k>", "i@j.k", "mailto:i@j.k", 1},
	{"[a](b?c&amp;d=%20&#10;&nosuch;)", "a", "b?c&d=%20&#10;&nosuch;", 1},
	{"[a](b\\)c)", "a", "b)c", 1},
	{"[![a](b)](c)", "a", "c", 2},
	{"[x][y] and [y]\n\n[y]: z", "x", "z", 2},
	{"`[a](b)`\n\n```\n[c](d)\n```\n    [e](f)", NULL, NULL, 0},
	{"a [](b)", "", "b", 1},
	{"[a](javascript:b)", "a", "javascript:b", 1},
	{"| [a](b) |\n|---|\n| [c](d) |", "a", "b", 2},
};

Test(markdown_links, are_found_with_their_targets)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct markdown_links links = {.n = 0};
		const char *text = rows[i].text;

		cr_assert_eq(markdown_links_find(&links, text, strlen(text)), STATUS_OK);
		cr_assert_eq(links.n, rows[i].n, "%s: %zu", text, links.n);
		for (size_t k = 0; k < links.n; k++)
			cr_expect(links.items[k].start <= links.items[k].end && links.items[k].end <= strlen(text), "%s", text);
		if (rows[i].target) {
			cr_expect_str_eq(links.items[0].target, rows[i].target, "%s: %s", text, links.items[0].target);
			cr_expect_eq(links.items[0].end - links.items[0].start, strlen(rows[i].shown), "%s", text);
			cr_expect_eq(memcmp(text + links.items[0].start, rows[i].shown, strlen(rows[i].shown)), 0, "%s", text);
		}
		markdown_links_free(&links);
	}
}
