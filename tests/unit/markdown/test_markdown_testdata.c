/* The examples of CommonMark's and GFM's specifications, from ../shared/testdata/markdown or
 * $SOTTO_TESTDATA/markdown: any NAME.txt in the form of their spec.txt. What an example's HTML shows
 * has to be on the screen. The specifications are under CC BY-SA and thus no part of sotto;
 * test_markdown_lossless.c has cases of our own for the same constructs. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sys.h"
#include "support/testdata.h"
#include "unit/markdown/lossless.h"

static const char fence[] = "````````````````````````````````";

struct example {
	int number;
	char *source, *html; /* ended by NUL, in the file's text */
};

/* The next example; the text is cut up. */
static bool next_example(char **text, struct example *example)
{
	char *begin = strstr(*text, fence), *end;

	if (!begin || !(begin = strchr(begin, '\n')) || !(end = strstr(begin, fence)))
		return false;
	*text = end + strlen(fence);
	*end = '\0';
	example->number++;
	example->source = begin + 1;
	example->html = strstr(begin, "\n.\n");
	cr_assert_not_null(example->html, "%d", example->number);
	example->html[1] = '\0'; /* the newline belongs to the source */
	example->html += 3;
	return true;
}

/* Tabs are written as arrows. */
static void put_tabs(char *text)
{
	static const char arrow[] = "\u2192";

	for (char *at; (at = strstr(text, arrow)) != NULL;) {
		*at = '\t';
		memmove(at + 1, at + strlen(arrow), strlen(at + strlen(arrow)) + 1);
	}
}

/* What HTML shows, without its tags; the text of code blocks goes to `code`, too. */
static void read_html(const char *html, struct buf *text, struct buf *code)
{
	static const struct {
		const char *entity;
		char c;
	} entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}};
	bool in_code = false;

	for (size_t i; *html; html += !!*html) {
		char c = *html;

		if (c == '<' && html[1]) {
			if (strncmp(html, "<pre><code", 10) == 0)
				in_code = true;
			else if (strncmp(html, "</pre>", 6) == 0)
				in_code = false;
			while (*html && *html != '>')
				html++;
			continue;
		}
		for (i = 0; i < sizeof entities / sizeof entities[0]; i++)
			if (strncmp(html, entities[i].entity, strlen(entities[i].entity)) == 0) {
				c = entities[i].c;
				html += strlen(entities[i].entity) - 1;
			}
		buf_putc(in_code ? code : text, c);
		if (in_code)
			buf_putc(text, c);
	}
}

static bool check(const char *name, const struct example *example, int cols)
{
	size_t len = strlen(example->source);
	struct buf screen, text = {.max = MIB(1)}, code = {.max = MIB(1)};
	const char *lost = NULL;

	lossless_screen(&screen, example->source, len, cols);
	read_html(example->html, &text, &code);
	if (!lossless_has_source(buf_text(&screen), example->source, len))
		lost = "a letter of the source";
	else if (!strstr(example->html, "<table>") && /* its cells stand side by side */
	         !lossless_has_text(buf_text(&screen), buf_text(&text), example->source))
		lost = "text";
	else if (!lossless_has_code(buf_text(&screen), buf_text(&code), cols < 80))
		lost = "code";
	cr_expect(!lost, "%s, example %d, %d columns: %s is lost\n%s--- shows\n%s--- not\n%s", name,
	          example->number, cols, lost, example->source, buf_text(&screen), buf_text(&text));
	buf_free(&screen);
	buf_free(&text);
	buf_free(&code);
	return !lost;
}

static void check_file(const char *path)
{
	struct example example = {0};
	char *data, *at;
	size_t len, n_lost = 0;
	struct error err;

	cr_assert_eq(sys_read_file(path, MIB(4), &data, &len, &err), STATUS_OK, "%s", err.text);
	for (at = data; next_example(&at, &example);) {
		put_tabs(example.source);
		put_tabs(example.html);
		n_lost += !check(path, &example, 80);
		n_lost += !check(path, &example, 40);
	}
	printf("%s: %d examples, something is lost %zu times\n", path, example.number, n_lost);
	cr_expect_gt(example.number, 0, "%s", path);
	free(data);
}

Test(markdown_testdata, nothing_of_the_examples_is_lost)
{
	char dir[4000], path[4400];
	struct dirent *entry;
	int n = 0;
	DIR *files;

	setlocale(LC_CTYPE, "C.UTF-8");
	snprintf(dir, sizeof dir, "%s/markdown", testdata_root());
	files = opendir(dir);
	cr_assert_not_null(files, "%s", dir);
	while ((entry = readdir(files)) != NULL) {
		size_t len = strlen(entry->d_name);

		if (len < 4 || strcmp(entry->d_name + len - 4, ".txt") != 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
		check_file(path);
		n++;
	}
	closedir(files);
	cr_expect_gt(n, 0, "%s", dir);
}

int main(int argc, char **argv)
{
	return testdata_main(argc, argv, "markdown");
}
