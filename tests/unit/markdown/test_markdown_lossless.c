/* Each construct of CommonMark and GFM, as it should be and as it should not: every letter and digit is
 * on the screen, and code as it is written. How it looks is tested elsewhere. */
#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "unit/markdown/lossless.h"

struct source {
	const char *text;
	const char *code; /* the lines of its code blocks; NULL: none */
};

static const struct source sources[] = {
	/* Tabs and blanks. */
	{"\ta\tb\t\tc", "a\tb\t\tc"}, {"  \ta\tb", "a\tb"}, {"- a\n\n\tb", NULL}, {"- a\n\n\t\tb", "  b"},
	{">\t\ta", "  a"}, {"-\t\ta", "  a"}, {"1.\ta\n\n\tb", NULL}, {"a \nb  \nc\t\nd", NULL},
	{"a\\\nb", NULL}, {"\xC2\xA0" "a\xC2\xA0" "b", NULL},
	/* Rules and what looks like them. */
	{"***\n---\n___\n+++\n===", NULL}, {"a\n***\nb", NULL}, {"- a\n***\n- b", NULL}, {"_ _ _a\n\nb---\n\n---c---", NULL},
	{"- a\n- * * *\n- b", NULL}, {"*-* a", NULL},
	/* Headings. */
	{"# a1\n## b2\n### c3\n#### d4\n##### e5\n###### f6\n####### g7", NULL}, {"#a1 #b2", NULL}, {"\\## a1", NULL},
	{"# a1 ##########\n## b2 #c3\n### d4# \\#", NULL}, {"a1\n# b2\nc3", NULL}, {"#\n##\n### ###\na", NULL},
	{"a1 *b2\nc3*\n===", NULL}, {"a1\nb2\n--- \nc3", NULL}, {"> a1\n---\nb2", NULL}, {"- a1\n---\nb2", NULL},
	{"    a1\n---", "a1"}, {"`a1\n----\nb2`", NULL}, {"a1\n= =\nb2\n--- -", NULL}, {"\\> a1\n------", NULL},
	/* Indented code. */
	{"    a1\n      b2\n\n\n    c3", "a1\n  b2\n\n\nc3"}, {"- a\n\n      b1\n\n  c2", "b1"},
	{"    <a/>\n    *b1*\n\n    - c2", "<a/>\n*b1*\n\n- c2"}, {"a1\n    b2", NULL},
	{"1.  a1\n\n        b2\n\n    c3", "b2"}, {"1.     a1\n\n   b2\n\n       c3", " a1\nc3"},
	{"    a &amp; \\* b", "a &amp; \\* b"}, {"    a\n# b\n    c", "a\nc"},
	/* Fenced code. */
	{"```\n<\n >\n```\na1", "<\n >"}, {"~~~\na1\n```\n~~~", "a1\n```"}, {"````\na1\n```\n``````\nb2", "a1\n```"},
	{"```\n\n```\na1", NULL}, {"```\n\n  \na1", "\n\na1"}, {"> ```\n> a1\n\nb2", "a1"}, {" ```\n a1\nb2\n ```", "a1\nb2"},
	{"   ```\n   a1\n    b2\n  c3\n   ```", "a1\n b2\nc3"}, {"    ```\n    a1\n    ```", "```\na1\n```"},
	{"```\na1\n    ```\nb2", "a1\n    ```\nb2"}, {"``` ```\na1", NULL}, {"~~~ a1 ``` ~~~\nb2\n~~~", "b2"},
	{"```ruby x=1 {y}\nz3\n```", "z3"}, {"a1\n```\nb2\n```\nc3", "b2"}, {"```\n``` a1\n```", "``` a1"},
	{"- ```\n  a1\n\n\n  b2\n  ```\n- c3", "a1\n\n\nb2"}, {"1. a1\n   ```py\n   if b:\n       c = 2\n   ```\n2. d", "if b:\n    c = 2"},
	{"```\na*b*c _d_ `e` [f](g) <h> &lt; \\n\n```", "a*b*c _d_ `e` [f](g) <h> &lt; \\n"},
	{"~~~~ a1\nb2\n~~~", "b2\n~~~"}, {"```\n\ta1\n```", "\ta1"}, {"````md\n```c\na1\n```\n````", "```c\na1\n```"},
	/* HTML. */
	{"<div class=\"a1\">\nb2\n</div>\n\nc3", NULL}, {"<!-- a1\n\nb2 -->\nc3", NULL}, {"<?a1 b2?>\n<!C3 d>\n<![CDATA[e4]]>", NULL},
	{"<pre><code>a1\n\nb2\n</code></pre>", NULL}, {"<script>\nlet a = 1;\n\nb();\n</script>", NULL},
	{"a <b c=1 d='2' e=\"3\" _f/> g", NULL}, {"a <33> <__> < b> <c\n<d e=f g=h>", NULL}, {"</a></b >", NULL},
	{"<details><summary>a1</summary>\n\n**b2**\n\n</details>", NULL}, {"x<sup>2</sup> H<sub>2</sub>O", NULL},
	/* Definitions of links and footnotes, which are shown as they are written. */
	{"[a]: /b1 \"c2\"\n\n[a] [A] [d][a] [a][] ![a]", NULL}, {"[a]:\n/b1\n'c2\nd3'\n\n[a]", NULL}, {"[a]: <b c> (d)\n[a]", NULL},
	{"a[^1] b[^note]\n\n[^1]: c2\n[^note]:\n    d3\n\n    e4", NULL}, {"[a\nb]: /c\n[x]: /y\n# [a b]", NULL},
	/* Quotations. */
	{"> # a1\n> b2\n> c3", NULL}, {"># a1\n>b2\n> c3\nd4", NULL}, {"> a1\n\n> b2\n>\n> c3\n>", NULL}, {">\n>  \n>a1", NULL},
	{"> > > a1\nb2\n>> c3", NULL}, {">     a1\n\n>    b2", "a1"}, {"> - a1\n> - b2\n>   > c3\n> - d4", NULL},
	{"> ```\n> a1\n>   b2\n> ```", "a1\n  b2"}, {"> - a1\n>   ```\n>   b2\n>   ```", "b2"},
	{"> [!NOTE]\n> a1", NULL}, {"- > a1\n  > b2\n\n  c3", NULL},
	/* Lists. */
	{"- a1\n- b2\n+ c3\n* d4", NULL}, {"1. a\n2. b\n3) c\n0. d\n007. e\n123456789. f\n1234567890. g", NULL}, {"-a1\n\n2.b2", NULL},
	{"- a1\n\n  b2\n\n\n  c3\n- d4", NULL}, {"-\n  a1\n-\n- b2\n-   \n  c3", NULL}, {"a1\n* \nb2\n1.\nc3", NULL},
	{"- a\n - b\n  - c\n   - d\n    - e", NULL}, {"- a\n  - b\n    - c\n      - d\n        - e\n          - f", NULL},
	{"1. a\n\n  2. b\n\n    3. c", "3. c"}, {"- a\n- b\n\n\n- c\n\n<!-- d -->\n\n- e", NULL}, {"- - a\n- 1. - b", NULL},
	{"10) a\n    - b\n\n      c\n11) d", NULL}, {"* a\n  > b\n  ```\n  c\n  ```\n* d", "c"}, {"- # a\n- b\n  ---\n  c", NULL},
	{"- a\nb\n- c", NULL}, {"1. a\n- b\n2. c", NULL}, {"- a\n\n      b\n\n- c", "b"}, {"- [ ] a\n- [x] b\n- [X] c\n- [] d\n- [y] e\n- [ ]f", NULL},
	{"1. [ ] a\n   1. [x] b\n2. c", NULL}, {"The number is\n14. And 6.", NULL},
	/* Escapes and entities. */
	{"\\!\\\"\\#\\$\\%\\&\\'\\(\\)\\*\\+\\,\\-\\.\\/\\:\\;\\<\\=\\>\\?\\@\\[\\\\\\]\\^\\_\\`\\{\\|\\}\\~", NULL},
	{"\\a1\\b2\\\tC:\\d\\e", NULL}, {"\\*a1\\* \\[b](c) \\`d` 1\\. e \\# f \\\\*g*", NULL}, {"&copy; &AElig; &#35; &#X22; &nope; &#87654321; &#abc; a&b", NULL},
	{"[a](b&auml;c \"d&quot;e\")", NULL}, {"`&lt;` ` a1 ` ``b`2`` `` ` ``", NULL},
	/* Code in the line. */
	{"`a1` ``b2 ` c3`` `d4\ne5`", NULL}, {"`a1\\`b2`", NULL}, {"*a1`*` [b2`](c3`)`", NULL}, {"```a1``\n`b2", NULL}, {"`<a href=\"`\">`", NULL},
	{"`a  b` and `   `", NULL},
	/* Emphasis. */
	{"*a* _b_ **c** __d__ ***e*** ___f___ ****g****", NULL}, {"a*b*c a_b_c a**b**c a__b__c 5*6*7", NULL}, {"* a* ** b** *(c)* *(*d*)*", NULL},
	{"*a **b** c* **d*e*f** *g**h**i*", NULL}, {"**a* *b** _c* *d_", NULL}, {"*a\nb* **c\n\nd**", NULL}, {"***a* b** ***c** d*", NULL},
	{"\"*a*\" (**b**) _\"c\"_ **d:**e", NULL}, {"*a `b*` c* **[d**](e)", NULL}, {"**\xE3\x81\x82\xE3\x80\x82**\xE3\x81\x84 *\xE3\x81\x86*\xE3\x81\x88", NULL},
	{"*foo [a*](b) ** c", NULL}, {"_a_b_c_ __init__.py", NULL}, {"* * a b * *", NULL},
	{"~~a~~ ~b~ ~~~c~~~ a~~b~~c ~~d\n\ne~~", NULL},
	/* Links, images and addresses. */
	{"[a](b \"c\") [d](<e f> 'g') [h]() [i](<>) [](j)", NULL}, {"[a](b c) [d](e\nf) [g](<h\n>)", NULL}, {"[a](b(c)d) [e](f\\)g) [h](i(j", NULL},
	{"[a [b] c](d) [e] f](g) [h \\[i](j)", NULL}, {"[a ![b](c)](d) [e [f](g) h](i)", NULL}, {"[a](#b) [c](d?e=3&f=4#g) [h](i%20j)", NULL},
	{"![a](b) ![c *d*](e \"f\") !\\[g] \\![h]", NULL}, {"[a](b \"c \\\" d\") [e](f 'g\nh')", NULL}, {"[a] (b) [c][d] [e]:f", NULL},
	{"<http://a.b> <A@b.c> <d:e> <http://f g> <h> <>", NULL}, {"http://a.b/c_d_e https://f.g/(h) www.i.j k@l.m ftp://n.o", NULL},
	{"http://a.b/c, (http://d.e/f). http://g.h/?i=1&j=2&copy;", NULL}, {"[http://a.b](http://a.b) [a](a)", NULL},
	{"[**a** `b`](c) **[d](e)**", NULL}, {"[a](javascript:b) [c](data:d,e)", NULL},
	/* Tables. */
	{"|a|b|\n|-|-|\n|c|d|\n|e|", NULL}, {"a|b\n-|-\nc|d|e3\n\nf", NULL}, {"| a |\n|:-:|\n| b\\|c `d\\|e` |", NULL}, {"|a|b|\n|-|\n|c|d|", NULL},
	{"|a|b|\n|:--|--:|\n> c", NULL}, {"a\n|b|c|\n|-|-|\n|d|e|\nf", NULL}, {"|a|\n|-|\n|**b** [c](d \"e\") ![f](g) `h`|\n- i", NULL},
	{"|a||c|\n|-|-|-|\n||d||\n|||", NULL}, {"- |a|b|\n  |-|-|\n  |c|d|\n- e", NULL}, {"|a|b\n|-|-\n|a cell with many words in it, more than fit on a line|so that it wraps", NULL},
	{"|a|b|\n|-|-|\n|c\\\\|d|\n|`e|f|", NULL},
	/* Maths. */
	{"$a_1$ $$b_2$$ \\(c_3\\) \\[d_4\\]", NULL}, {"$$\na\n=\nb\n$$", NULL}, {"\\[\n- a\n\\]", NULL}, {"$5 and $6, $HOME/a_b_c", NULL}, {"$$\na\n\nb", NULL},
};

static void check(const struct source *source, int cols)
{
	struct buf screen;

	lossless_screen(&screen, source->text, strlen(source->text), cols);
	cr_expect(lossless_has_source(buf_text(&screen), source->text, strlen(source->text)),
	          "%d columns, something is lost: %s\n--- shows\n%s", cols, source->text, buf_text(&screen));
	cr_expect(!source->code || lossless_has_code(buf_text(&screen), source->code, cols < 40),
	          "%d columns, code is lost: %s\n--- shows\n%s", cols, source->text, buf_text(&screen));
	buf_free(&screen);
}

Test(markdown_lossless, each_construct_keeps_its_text)
{
	static const int widths[] = {80, 40, 12, 3};

	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
		for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++)
			check(&sources[i], widths[k]);
}

/* Each in a quotation and in an item of a list. */
Test(markdown_lossless, in_other_constructs)
{
	static const char *const before[] = {"> ", "- "}, *const others[] = {"> ", "  "};

	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
		for (size_t k = 0; k < sizeof before / sizeof before[0]; k++) {
			struct source source = {.code = strchr(sources[i].text, '\t') ? NULL : sources[i].code};
			struct buf text = {.max = KIB(64)};

			buf_puts(&text, before[k]);
			for (const char *c = sources[i].text; *c; c++) {
				buf_putc(&text, *c);
				if (*c == '\n')
					buf_puts(&text, others[k]);
			}
			source.text = buf_text(&text);
			check(&source, 40);
			check(&source, 9);
			buf_free(&text);
		}
	}
}

/* The checks themselves can fail. */
Test(markdown_lossless, a_loss_is_seen)
{
	cr_expect(lossless_has_source("a1 b2\n", "*a1* b2", 7));
	cr_expect_not(lossless_has_source("a1 b\n", "*a1* b2", 7));
	cr_expect_not(lossless_has_source("a b\n", "*a* b a", 7));
	cr_expect(lossless_has_source("1. a\n2. b\n", "1. a\n1. b", 9));
	cr_expect_not(lossless_has_source("a b\n", "a 1 b", 5));
	cr_expect(lossless_has_source("http://a.b\n", "[http://a.b](http://a.b)", 24));
	cr_expect_not(lossless_has_source("http://a.b\n", "[http://a.b](http://c.d)", 24));
	cr_expect(lossless_has_text("\xE2\x94\x82 a\nb\n", "a b", "> a\n> b"));
	cr_expect_not(lossless_has_text("b a\n", "a b", ""));
	cr_expect(lossless_has_code("\xE2\x94\x82 a  b\nc\n", "a  b\nc", false));
	cr_expect_not(lossless_has_code("a b\n", "a  b", false));
	cr_expect_not(lossless_has_code("a\n b\n", "a b", false));
	cr_expect(lossless_has_code("a\n b\n", "a b", true));
	cr_expect_not(lossless_has_code("b a\n", "a b", true));
}
