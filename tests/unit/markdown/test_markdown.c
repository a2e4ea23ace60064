#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "markdown/markdown.h"

/* All rows, each ended by a newline, without the blanks at their ends. */
static const char *rows_of(const struct markdown *markdown)
{
	static struct buf out;

	buf_free(&out);
	buf_init(&out, MIB(4));
	for (size_t i = 0; i < markdown->n_rows; i++) {
		size_t from = markdown->rows[i].from, to = markdown->rows[i].to;

		while (to > from && markdown->text.data[to - 1] == ' ')
			to--;
		cr_assert_eq(buf_append(&out, markdown->text.data + from, to - from), STATUS_OK);
		buf_putc(&out, '\n');
	}
	return buf_text(&out);
}

static const char *laid_out(const char *text, int cols, bool growing)
{
	struct markdown markdown = {0};
	const char *rows;

	setlocale(LC_CTYPE, "C.UTF-8");
	cr_assert_eq(markdown_update(&markdown, text, strlen(text), growing, cols, false), STATUS_OK);
	rows = rows_of(&markdown);
	markdown_free(&markdown);
	return rows;
}

struct example {
	const char *text, *rows;
	int cols; /* 0: 40 */
};

static void check(const struct example *examples, size_t n, bool growing)
{
	for (size_t i = 0; i < n; i++) {
		const char *rows = laid_out(examples[i].text, examples[i].cols ? examples[i].cols : 40, growing);

		cr_expect_str_eq(rows, examples[i].rows, "%s\n--- gives\n%s--- not\n%s", examples[i].text, rows,
		                 examples[i].rows);
	}
}
#define CHECK(examples, growing) check(examples, sizeof examples / sizeof examples[0], growing)

Test(markdown, text_without_marks_is_left_alone)
{
	static const struct example examples[] = {
		{"", "", 0},
		{"One line", "One line\n", 0},
		{"One\nTwo\n  three\n\n\n\nfour", "One\nTwo\n  three\n\n\n\nfour\n", 0},
		{"A\tb, (c): \"d\"; e! f? 100% 3.14", "A       b, (c): \"d\"; e! f? 100% 3.14\n", 0},
		{"a line that is wrapped at its blanks", "a line that\nis wrapped at\nits blanks\n", 13},
		{"a\r\nb\r\n\r\nc", "a\nb\n\nc\n", 0},
	};

	CHECK(examples, false);
	CHECK(examples, true);
}

Test(markdown, headings_and_rules)
{
	static const struct example examples[] = {
		{"# One\ntext", "One\n\u2500\u2500\u2500\ntext\n", 0},
		{"## Two\n\n### Three ###\ntext", "Two\n\nThree\ntext\n", 0},
		{"One\n===", "One\n\u2500\u2500\u2500\n", 0},
		{"Two\n---", "Two\n", 0},
		{"a\n\n***\n\nb", "a\n\n\u2500\u2500\u2500\u2500\n\nb\n", 4},
		{"#hashtag", "#hashtag\n", 0},
		{"# A heading that is long", "A heading\nthat is\nlong\n" "\u2500\u2500\u2500\u2500\u2500"
		 "\u2500\u2500\u2500\u2500\u2500\n", 10},
	};

	CHECK(examples, false);
}

Test(markdown, lists)
{
	static const struct example examples[] = {
		{"- a\n- b\n  - c\n  - d\n- e", "\u2022 a\n\u2022 b\n  \u25E6 c\n  \u25E6 d\n\u2022 e\n", 0},
		{"text:\n* a\n* b", "text:\n\u2022 a\n\u2022 b\n", 0},
		{"3. a\n4. b", "3. a\n4. b\n", 0},
		{"1. a\n1. b\n1. c", "1. a\n2. b\n3. c\n", 0},
		{"1) a\n2) b", "1) a\n2) b\n", 0},
		{"- [ ] open\n- [x] done", "[ ] open\n[x] done\n", 0},
		{"- a\n\n- b\n\n  more\n\nend", "\u2022 a\n\n\u2022 b\n\n  more\n\nend\n", 0},
		{"- a long item wraps", "\u2022 a long\n  item\n  wraps\n", 8},
		{"1. a\n   - b\n\n     c", "1. a\n   \u25E6 b\n\n     c\n", 0},
		{"1. a\n  - b", "1. a\n  \u2022 b\n", 0},
		{"-\n- b", "\u2022\n\u2022 b\n", 0},
		{"- a\n  > b", "\u2022 a\n  \u2502 b\n", 0},
		{"- a\n  - b\n    - c", "\u2022 a\n\u25E6\nb\n\u2022\nc\n", 5},
		{"In the year\n1999. It was.", "In the year\n1999. It was.\n", 0},
	};

	CHECK(examples, false);
}

Test(markdown, quotes)
{
	static const struct example examples[] = {
		{"> a\n> b", "\u2502 a\n\u2502 b\n", 0},
		{"> a\n>\n> b", "\u2502 a\n\u2502\n\u2502 b\n", 0},
		{"> a\n>\n>> b", "\u2502 a\n\u2502\n\u2502 \u2502 b\n", 0},
		{"> - a\n>   b", "\u2502 \u2022 a\n\u2502   b\n", 0},
	};

	CHECK(examples, false);
}

Test(markdown, inline_marks)
{
	static const struct example examples[] = {
		{"**a** *b* __c__ _d_ ***e*** `f` ~~g~~", "a b c d e f g\u0336\n", 0},
		{"snake_case and 2 * 3 * 4, 2*3*4, a*b*c", "snake_case and 2 * 3 * 4, 2*3*4, a*b*c\n", 60},
		{"\\*a\\* &amp; &lt;b&gt; &copy; &nosuch; &#65; &#x1F600; &#27;", "*a* & <b> \u00A9 &nosuch; A "
		 "\U0001F600 &#27;\n", 0},
		{"[a](http://b.c) [http://b.c](http://b.c) <http://d.e>",
		 "a (http://b.c) http://b.c http://d.e\n", 0},
		{"[a](b \"c\") ![d](e.png) ![](f.png) <g@h.i>", "a (b \"c\") d (e.png) (f.png) g@h.i\n", 0},
		{"[a][b]\n\n[b]: http://c.d \"e\"", "[a][b]\n\n[b]: http://c.d \"e\"\n", 0},
		{"> [b]: http://c.d\n> [b]", "\u2502 [b]: http://c.d\n\u2502 [b]\n", 0},
		{"a <b>c</b> <!-- d --> <e", "a <b>c</b> <!-- d --> <e\n", 0},
		{"<div>\n*a*\n</div>", "<div>\na\n</div>\n", 0},
		{"`` a`b `` `\\*`", "a`b \\*\n", 0},
		{"H~2~O, ~5 or ~6, (~7)~, ~~no~~ `~8~`", "H~2~O, ~5 or ~6, (~7)~, n\u0336o\u0336 ~8~\n", 0},
		{"a~~b c~~d ~~**e** `f`~~ ~~~g~~~ h ~~ i", "ab\u0336 c\u0336d e\u0336 f ~~~g~~~ h ~~ i\n", 0},
		{"a[^1], b.[^12] `[^3]` [^x] [^12345] [^] [^1\n\n[^1]: c *d*", "a[1], b.[12] [^3] [^x] [^12345] [^] [^1\n\n"
		 "[1]: c d\n", 0},
		{"a<br>b", "a<br>b\n", 0},
	};

	CHECK(examples, false);
}

/* Between letters without blanks, punctuation does not keep stars from opening and closing. */
Test(markdown, emphasis_in_chinese_japanese_and_korean)
{
	static const struct example examples[] = {
		{"**\u6CE8\u610F\uFF1A**\u8FD9", "\u6CE8\u610F\uFF1A\u8FD9\n", 0},
		{"\u306F**\u300C\u91CD\u300D**\u306A", "\u306F\u300C\u91CD\u300D\u306A\n", 0},
		{"**\u6CE8:**\u8FD9*(\u6CE8)*\u8FD9", "\u6CE8:\u8FD9(\u6CE8)\u8FD9\n", 0},
		{"\uACFC***[\uAC00](b)***\uC640 **`c`**\uB294", "\uACFC\uAC00 (b)\uC640 c\uB294\n", 0},
		{"\u8FD9 ** \u6CE8\u3002** \u8FD9", "\u8FD9 ** \u6CE8\u3002** \u8FD9\n", 0},
		{"**\u201CHallo\u201D** \u2013 *ja.*\u00E4", "\u201CHallo\u201D \u2013 *ja.*\u00E4\n", 0},
	};

	CHECK(examples, false);
}

Test(markdown, maths_is_left_as_text)
{
	static const struct example examples[] = {
		{"$a_1 * b_2$ and $$c*d*e$$", "$a_1 * b_2$ and $$c*d*e$$\n", 0},
		{"\\(a_1*b*c\\) \\[x*y*z\\]", "\\(a_1*b*c\\) \\[x*y*z\\]\n", 0},
		{"\\[\n a\n - b\n\nc", "[\na\n \u2022 b\n\nc\n", 0},
		{"\\[\n a\n - b\n = c\n\\]\nd", "\\[\n a\n - b\n = c\n\\]\nd\n", 0},
		{"$$\n\\begin{a}\n* b_1 & c_2 \\\\\n\\end{a}\n$$", "$$\n\\begin{a}\n* b_1 & c_2 \\\\\n\\end{a}\n$$\n", 0},
		{"It costs $5 or *$6*.", "It costs $5 or $6.\n", 0},
	};

	CHECK(examples, false);
}

Test(markdown, code)
{
	static const struct example examples[] = {
		{"```\na\n\n *b*\n```\nc", "\u2500 1 \u2500\u2500\na\n\n *b*\n"
		 "\u2500\u2500\u2500\u2500\u2500\u2500\nc\n", 6},
		{"~~~ py x\na\n~~~\n```\nb\n```", "\u2500\u2500 py x \u2500 1 \u2500\u2500\na\n"
		 "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n"
		 "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500 2 \u2500\u2500\nb\n"
		 "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n", 14},
		{"```python\na", "python 1\na\n", 8},
		{"- a\n  ```c\n  b\n\n  c\n  ```\n- d\n\n~~~\ne", "\u2022 a\n  \u2500\u2500 c \u2500 1 \u2500\u2500\n  b\n\n  c\n"
		 "  \u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n\u2022 d\n\n"
		 "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500 2 \u2500\u2500\ne\n", 13},
		{"    a\n\n      b", "a\n\n  b\n", 0},
		/* What is cut has a mark where there is room. */
		{"```\nif a == b: c()\n\nd\n```", "\u2500\u2500\u2500\u2500\u2500 1 \u2500\u2500\nif a == b:\n"
		 "c()\n\nd\n\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n", 10},
		{"    if a_long_name == b: c()\n    d", "if a_long_name\n\u21B3 == b: c()\nd\n", 16},
		{"> ~~~\n> one two three four\n> ~~~", "\u2502 \u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500"
		 "\u2500\u2500 1 \u2500\u2500\n\u2502 one two three\n\u2502 \u21B3 four\n\u2502 \u2500\u2500"
		 "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n", 18},
		{"````\n```\n````", "1\n``\n`\n\u2500\n", 1},
	};

	/* At one column a long line is cut anywhere. */
	check(examples, sizeof examples / sizeof examples[0] - 1, false);
}

/* All marks between letters and punctuation without blanks: none of them stays. */
Test(markdown, cjk_marks)
{
	static const char *const marks[] = {"*", "**", "***", "_", "__", "___", "~~"};
	static const char *const before[] = {"", "\u5B57", "\u5B57 ", "\u5B57\uFF0C"};
	static const char *const inner[] = {"\u7C97\u659C", "\u7C97\u659C\u3002", "\uFF08\u6CE8\u610F\uFF09",
	                                    "\u201C\uACF5\uAC1C\u201D"};
	static const char *const after[] = {"", "\u540E", " \u540E", "\u3002\u540E", "\uB294"};

	for (size_t m = 0; m < 7; m++)
		for (size_t b = 0; b < 4; b++)
			for (size_t i = 0; i < 4; i++)
				for (size_t a = 0; a < 5; a++) {
					bool struck = marks[m][0] == '~';
					bool in_word = marks[m][0] == '_' && ((b == 1 && i < 2) || ((a == 1 || a == 4) && i == 0));
					char text[128], wanted[128];
					const char *rows;
					struct buf plain = {.max = sizeof wanted};

					if (in_word) /* as in snake_case: they are no marks */
						continue;
					snprintf(text, sizeof text, "%s%s%s%s%s", before[b], marks[m], inner[i], marks[m], after[a]);
					snprintf(wanted, sizeof wanted, "%s%s%s\n", before[b], inner[i], after[a]);
					rows = laid_out(text, 40, false);
					for (; *rows; rows++) /* without the strokes */
						if (strncmp(rows, "\u0336", 2) == 0)
							rows++;
						else
							buf_putc(&plain, *rows);
					cr_expect_str_eq(buf_text(&plain), wanted, "%s gives %s", text, buf_text(&plain));
					cr_expect_eq(struck, strstr(laid_out(text, 40, false), "\u0336") != NULL, "%s", text);
					buf_free(&plain);
				}
}

Test(markdown, tables)
{
	static const struct example examples[] = {
		{"|a|b|\n|-|-|\n|one|2|\n|three||", "a     \u2502 b\n\u2500\u2500\u2500\u2500\u2500\u2500\u253C\u2500\u2500\n"
		 "one   \u2502 2\nthree \u2502\n", 0},
		{"a | b\n:-:|--:\none two|3\nc|44", "   a    \u2502  b\n\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u253C"
		 "\u2500\u2500\u2500\none two \u2502  3\n   c    \u2502 44\n", 0},
		{"|a|b|\n|-|-|\n|one two three|four five six|",
		 "a       \u2502 b\n\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u253C\u2500\u2500\u2500\u2500\u2500\u2500"
		 "\u2500\u2500\none two \u2502 four\nthree   \u2502 five\n        \u2502 six\n", 17},
		{"|Name|What|\n|-|-|\n|one two three|four five six|\n|x|y|",
		 "Name: one\ntwo three\nWhat: four\nfive six\n\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n"
		 "Name: x\nWhat: y\n", 10},
		{"|a|\n|-|", "a\n\u2500\n", 0},
		{"|a|b|\n|-|-|\n|1|2|3|4|\n|c\\|d|e|", "a   \u2502 b\n\u2500\u2500\u2500\u2500\u253C\u2500\u2500\u2500\u2500"
		 "\u2500\u2500\n1   \u2502 2|3|4\nc|d \u2502 e\n", 0},
		{"> |a|\n> |---|\n> |1|2|", "\u2502 a\n\u2502 \u2500\u2500\u2500\n\u2502 1|2\n", 0},
		{"|x|y|\n|-|-|\n|`a|b`|c|", "x   \u2502 y\n\u2500\u2500\u2500\u2500\u253C\u2500\u2500\na|b \u2502 c\n", 0},
		/* A bar within code has a backslash, there alone. */
		{"|x|y|\n|-|-|\n|`\\|`|`a \\| b`|\n|`c\\d`|e \\| `\\\\|`|", "x   \u2502 y\n\u2500\u2500\u2500\u2500\u253C"
		 "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n|   \u2502 a | b\nc\\d \u2502 e | \\|\n", 0},
		/* Rows of several lines have a rule between them. */
		{"|a|b|\n|-|-|\n|x|one two three four|\n|y|five|", "a \u2502 b\n\u2500\u2500\u253C\u2500\u2500\u2500\u2500\u2500"
		 "\u2500\u2500\u2500\u2500\u2500\nx \u2502 one two\n  \u2502 three\n  \u2502 four\n\u2500\u2500\u253C\u2500"
		 "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\ny \u2502 five\n", 13},
		{"|a|b|c|\n|-|-|\n|1|2|3|", "|a|b|c|\n|-|-|\n|1|2|3|\n", 0},
		{"- |a|b|\n  |---|---|\n  |1|2|3|", "\u2022 a \u2502 b\n  \u2500\u2500\u253C\u2500\u2500\u2500\u2500\n"
		 "  1 \u2502 2|3\n", 0},
		/* A blank line above one in an item. */
		{"- a\n\n  |b|\n  |---|\n  |c|\n  |d|\n- e",
		 "\u2022 a\n\n  b\n  \u2500\n  c\n  d\n\u2022 e\n", 0},
		/* It ends a paragraph, but not itself. */
		{"a | b:\n|c|d|\n|-|-|\n|e|f|\n|-|-|\n|g|h|", "a | b:\nc \u2502 d\n\u2500\u2500\u253C\u2500\u2500\n"
		 "e \u2502 f\n- \u2502 -\ng \u2502 h\n", 0},
		/* Lines of a cell; code has none. */
		{"|a|\n|-|\n|b<br>c<BR />d< br>`<br>`|", "a\n\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\nb\nc\n"
		 "d< br><br>\n", 0},
		/* Words are not cut; a column with more text gets more room. */
		{"|a long head|b|\n|-|-|\n|a|one two three four five six seven eight|",
		 "a long \u2502 b\nhead   \u2502\n\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u253C\u2500\u2500\u2500\u2500\u2500\u2500"
		 "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n"
		 "a      \u2502 one two three four\n       \u2502 five six seven eight\n", 29},
		{"|identifier|text|\n|-|-|\n|a_long_word|another_word_that_is_long|",
		 "identifier: a_long_word\ntext: another_word_that_is_long\n", 32},
	};

	CHECK(examples, false);
}

/* What is open at the end is shown as if it were closed, and marks wait for what they become. */
Test(markdown, the_end_of_a_growing_text_does_not_flicker)
{
	static const struct example examples[] = {
		{"a *", "a\n", 0}, {"a **", "a\n", 0}, {"a **b", "a b\n", 0}, {"a **b c*", "a b c\n", 0},
		{"a **b c**", "a b c\n", 0}, {"a **b *c", "a b c\n", 0}, {"a `", "a\n", 0}, {"a `b", "a b\n", 0},
		{"a `b*c", "a b*c\n", 0}, {"a ~~b", "a b\u0336\n", 0}, {"a [b](ht", "a b (ht)\n", 0},
		{"a\n-", "a\n", 0}, {"a\n==", "a\n", 0}, {"a\n\n##", "a\n\n", 0}, {"``", "", 0},
		{"- a **b", "\u2022 a b\n", 0}, {"> a _b", "\u2502 a b\n", 0}, {"# a `b", "a b\n\u2500\u2500\u2500\n", 0},
		{"```\na\n``", "\u2500 1 \u2500\u2500\na\n", 6}, {"2 * 3", "2 * 3\n", 0}, {"snake_ca", "snake_ca\n", 0},
		{"\\(a*b", "\\(a*b\n", 0},
		{"|a|b|\n|-", "|a|b|\n", 0},
		{"|a|b|\n|-|-|", "a \u2502 b\n\u2500\u2500\u253C\u2500\u2500\n", 0},
		{"a <", "a\n", 0}, {"|a|\n|-|\n|b<br", "a\n\u2500\nb\n", 0}, {"a <bx", "a <bx\n", 0},
		{"|a|b|\n|-|-|\n|**c", "a \u2502 b\n\u2500\u2500\u253C\u2500\u2500\nc \u2502\n", 0},
	};

	CHECK(examples, true);
}
