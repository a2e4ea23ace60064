/* What a text in Markdown leaves open at its end is closed, and nothing else is. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "base/limits.h"
#include "chat/code_blocks.h"

static void assert_end(const char *text, const char *expected)
{
	struct buf out = {.max = KIB(64)};

	cr_assert_eq(code_blocks_put_end(&out, text, strlen(text)), STATUS_OK);
	cr_assert_str_eq(buf_text(&out), expected, "of:\n%s\ngot:\n%s", text, buf_text(&out));
	buf_free(&out);
}

Test(code_blocks_end, of_fences)
{
	static const struct {
		const char *text, *end;
	} cases[] = {
		{"", ""}, {"text", ""}, {"```", "```\n"}, {"```\ncut", "```\n"}, {"a\n```sh\nls\n\n", "```\n"},
		{"```\na\n```", ""}, {"````\na\n```", "````\n"}, {"````\na\n````\n```\nb", "```\n"},
		{"~~~\na\n```", "~~~\n"}, {"```\na\n~~~~~", "```\n"}, {"   ```\n   a", "```\n"},
		{"    ```\n    a", ""}, {"a `b", ""}, {"a ``` b", ""}, {"```a`b\nc", ""}, {"~~~a`b\nc", "~~~\n"},
		{"```\r\ncut", "```\n"}, {"```\na\n``` x", "```\n"}, {"\n\n```\n\n\n", "```\n"},
		/* A fence that reaches to the end of what it stands in. */
		{"1. Do this:\n   ```sh\n   ls", ""}, {"- item\n  ```\n  x", ""}, {"- ```\n  x", ""},
		{"> ```\n> a", ""}, {"> ```\n> a\n> ```", ""}, {"- a\n  - b\n    ~~~\n    c", ""}, {"> - ```\n>   a", ""},
		/* ... and one behind it. */
		{"> ```\n> a\n```\nb", "```\n"}, {"1. Do this:\n   ```sh\n   ls\n```", "```\n"},
		{"- ```\n  x\n````\ny", "````\n"}, {"- a\n\n```\nb", "```\n"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_end(cases[i].text, cases[i].end);
}

Test(code_blocks_end, of_other_blocks)
{
	static const struct {
		const char *text, *end;
	} cases[] = {
		{"# a", ""}, {"a\n===", ""}, {"| a | b |\n|-|-", ""}, {"> quote", ""}, {"- list", ""}, {"    code", ""},
		{"[a]: <b", ""}, {"[a", ""}, {"<div>", ""}, {"<a href=\"", ""}, {"a <!-- b", ""}, {"a\\", ""},
		{"<!-- b", "-->\n"}, {"<!-- b -->", ""}, {"  <!-- b\n\nc", "-->\n"}, {"- <!-- b", ""}, {"> <script>", ""},
		{"<script>\nlet a\n\n", "</script>\n"}, {"<SCRIPT>a", "</script>\n"}, {"<script>1</script>", ""},
		{"<pre>\n```", "</pre>\n"}, {"<style", "</style>\n"}, {"<textarea\n", "</textarea>\n"}, {"<?php", "?>\n"},
		{"<!DOCTYPE", ">\n"}, {"<![CDATA[ a > b", "]]>\n"}, {"```\n<!-- a", "```\n"}, {"<!--\n```\n-->\n```", "```\n"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_end(cases[i].text, cases[i].end);
}

/* Texts of random pieces, with what CommonMark's reference implementation (cmark 0.30) needs behind them so
 * that a heading is one. */
Test(code_blocks_end, of_random_pieces)
{
	static const struct {
		const char *text, *end;
	} cases[] = {
		{"\n   a\n\n\n  - b\n   ```\n  \n> \n  - b\n\n  a\n-   ", "```\n"},
		{"> ===?>\n\n\n   a\n*-\n\n\n\\<?|", ""}, {"```<b>`]]>+\n\n# *a", ""},
		{"2. </b>\n- > \r\n<details>\n> ~~~    ````2. \\", ""}, {"\n\n> \n\n1. \n  - b```", ""},
		{"---<?[a]: b\t", ""}, {"1. ```\n\n~~~>   \n- \n- > ", "~~~\n"},
		{"\n- \n> a\n   a\n\n\n\n~~~", "~~~\n"},
		{"\n- \n```\n   1.    1. \n>      \n- 1. ", "```\n"}, {"\n-\n1. > \n   ```\n", ""},
		{"+a```*<pre>-\n2. \r\n</b>", ""}, {"\n> \n```\n\n   a\n-\n\n  - b", "```\n"},
		{"\n  - b1.   ```\n1. \n\n\n~~~~~~\n> 1. a\n   a\n", "~~~~~~\n"},
		{"\n\n\n\n1.   \n\n- \n- \n\n- \n```\n> \n", "```\n"},
		{"[a]: b\n?>\n   ```\n```===", "```\n"}, {"```\n\n> \n> - ", "```\n"},
		{"\n|~~~\n?>\r\n\t---</script>2. ", ""}, {"    [a]: b2. <script>", ""},
		{"+\n\n-\n    - - 1. +\n\n~~~\r\n\n   ```\n<![CDATA[2. ", "~~~\n"},
		{"\n   a\n\t\n> \n- \n> 2. ?>\n?>\n```\n<b>a<pre>", "```\n"},
		{"```   \n- \n   \n\n\n```\n\n  - b\n", ""},
		{"~~~***|````<pre>2. - ```</script>---", "~~~\n"}, {"-\n   \n\n-\n\n> ~~~  ", ""},
		{"2. ===  <b>```", ""}, {"===[a]: b`\n   a\n  <b>\n> a> - \\<!--", ""},
		{"-->2. \n   ```\n*-\n\r\n+\n<!--<!--*", "```\n"},
		{"<div>|*---\n<!----><?===?>[a]: ba", ""},
		{"````~~~<b>\n<?a\n<details>\n</script>> <script>", "````\n"},
		{"- ```\n\n-\n1.   a\n\n\na\n- ", ""},
		{"\n\n<![CDATA[````<!A<?<![CDATA[<!--+1. \n", "]]>\n"},
		{"\n```\n> \n\n> \na\n   ```\n\n> \n   a\n\n- \n   a\n- ", ""},
		{"    <script>*<!--\n~~~", "~~~\n"}, {"\n>   <script><pre>\n> \n> ", ""},
		{"<details>\n</b>*````\n- -->\n<![CDATA[", ""},
		{"\n   a\n</b><b><?\r\n<!--\n- - - -\n+  </script>|`", "-->\n"},
		{"\n\n\n\n``````\n>     \n```\n> ", "``````\n"},
		{"\n\n\n```> \n- \n\n\n```\n> \n\n> \n```\n\n", "```\n"}, {"\n\n<!--<pre>a", "-->\n"},
		{"-->\n   a\n<pre>> ----\n\n   ```\na\n\n\n>     <?", "</pre>\n"},
		{"`<pre>|?>\r\n~~~</b>\n   ```\n-->\\+\n> <!A`", "~~~\n"},
		{"-\n\t`\n```\n*\n- <b>\n   a\n\\", "```\n"},
		{"a\n   a\n\n\n-\n\n   a\n1. ``````\n  - b\n\n", ""},
		{"\n   a\n1. a\n\n\n   a\n> \n\n   a\n1. ~~~> ", ""},
		{"2. ~~~> \n```\n\n\n\\|<b>++<![CDATA[", "```\n"},
		{"<![CDATA[-->  `<!A- \n-->-\n  ```", "]]>\n"}, {"***<!--***    \n- <details>\n", ""},
		{"```\n   a\n-\n\n   a\n- \n   \n> -\n\n   a\n\n", "```\n"},
		{"<![CDATA[\n\n<!A````[a]: b\t\\", "]]>\n"}, {"1.    -\n~~~\n\n```\n\na", "~~~\n"},
		{"<b>> - ---# </script>\n- ````~~~<pre>\n", ""},
		{"   \n\n\n- a\n   ```\n\n1. \n\na\n~~~", "~~~\n"},
		{"a\n   a\n  \n> - \n\n-\n- \n   ```\n\n", ""}, {"-->\n- <pre>\\```---> ", ""},
		{"\n   a\n````2. *\t<pre>--><?|<!A|", "````\n"}, {"]]>2. ```1. ---", ""},
		{"\\\n```\n<?\n```\n> ", ""}, {"\n\n\n\n```\n  -\n\n\n- > \n> ", "```\n"},
		{"<![CDATA[`--></b>?>\r\n```> ", "]]>\n"},
		{"\n> \n  - b\n> > - \n\n\n  - b\n\n   ```\n\n\na", "```\n"},
		{"\n   ```\n\n```\n\n```\n", "```\n"}, {"*[a]: b\n- \n- <pre>+</b>\n> #   \\", ""},
		{"# a    <!A[a]: b```<![CDATA[<b><?\na", ""}, {"    ---<b>+```    - ***a- \t-->````", ""},
		{"``*```> # -->\\<!A]]>", ""}, {"<!--</script>````\n   ```\n</b>  ", "-->\n"},
		{"1. a> \n\n\n   ```\n> 1. ", ""},
		{"\n   ```\n```\n   ```\n```- \n   a\n\n  - b\n", "```\n"},
		{"<?--><![CDATA[2. \n- ", "?>\n"}, {"1. \n   a\n\n\n\n   ```\n\n\n  \na\n- ", ""},
		{"   ~~~\n\n   a\n", "~~~\n"}, {"|2. \n   ```\n```?><?a<![CDATA[<script>", "```\n"},
		{"</script>\n   ```\n<!A", ""}, {"a</b>\t</script>*~~~\n   a\n", ""},
		{"<b>```\n\n\n2. ````<!--\n\n    \n\n\n\n````<script>", "````\n"},
		{"\n\n1. 1. \n  - b~~~  ", ""},
		{"   \n  - b\n```\n\n- \n   a\n\n>   \n~~~\n\n\n   ```\n", ""},
		{"</b>-\n\n- # \n> <script>===-->*</b>", ""},
		{"# +<!A\\<!--\r\n\n-   - \n\n   ```\n\n2. ", "```\n"},
		{"-\n\n-\n\n\n\n> 1. ```1. \n- \n\na\n  - b~~~\n", ""},
		{"-\n- a\n\n\n   ```\na\n\n\n```\n\n\n> a   ", "```\n"},
		{"<script>\t\n> \r\n***", "</script>\n"},
		{"\n```\n- ```a```\n- \n\n  - b\n   a\n", "```\n"},
		{"\n\n\n  - b\n\n\n   a\na  \n```-\n\n\n   ```\n\n\n  - b\n> ", ""},
		{"|****[a]: b```\n> \n\n# ***", ""}, {"a   a> \n```\n\n\n   1. ", "```\n"},
		{"   \n\n\n   ```\n~~~", "```\n"}, {"\n\n\n> \n   ```\n", "```\n"},
		{"\r\n\n\n|<!--\r\n</script>\\a---?>***<b>***", ""},
		{"\n\n\n```\n\n   \n\n> \n```\n\n   ```\n- a\n- a", "```\n"},
		{"~~~`[a]: b*-\n+````</b>-\n", "~~~\n"},
		{"~~~  \n\n```\n\n\n\n> \n   ```\n```  ", "~~~\n"}, {"+\n   ```\n<![CDATA[2. ", "]]>\n"},
		{"<?<![CDATA[\n   ```\n<details>\n", "?>\n"}, {"- ```<?+<?a<script>", ""},
		{"\n\n```\n\n\n-\n~~~-\n", "```\n"},
		{"> -\n1. \n```\n~~~~~~\n   ```\n\n\n\n\n1. \n- > ", ""},
		{"<script>===\\===******|~~~a\n- \n\n", "</script>\n"},
		{"\n\n   ```\n-\n\n\n```\n\n  - b", ""}, {"\n~~~-\n\n\n-       - \n\n", "~~~\n"},
		{"1. \n-\n\n   ```\n~~~a   \n> ``````\n\n> -\n", "```\n"},
		{"\n\n\n> <b>*  <pre>\r\n  # ", ""}, {"- ]]>-\n  <?\r\n--><b>\n`***[a]: b", ""},
		{"\n   a\n\n\n- \n   ```\n\n\n  - b", ""}, {"~~~\n\t<!A\r\n</b>*`***\n```\n", "~~~\n"},
		{"\n```\n\n\n  \n   ```\n\n  - b> 1. ", ""}, {"\n```\n\n~~~> \n- -    ", "```\n"},
		{"\n\n- ***\n\n<?===?>===a> \t", ""}, {"```<?````<b></b>-->\n   a\n]]>a+\t<div><!--", ""},
		{"-    \n> ~~~```\n\n\n  - b\n  - b", ""}, {"a</b><pre><![CDATA[# --><!A", ""},
		{"\n- \n- *\t[a]: b- - -\n\n```\n---- ]]>`***---", "```\n"},
		{"\n\n  \n```\n\n\n- \n\n\n- \n\n```\n\n  - b\n```\n", "```\n"},
		{"-\n\n- `~~~  \n<?[a]: b*", "?>\n"}, {"<!---\n-->- - -\n?>", ""},
		{"\n\n\n\n```\n\n\n  \n   a\n", "```\n"},
		{"```1. ---+\r\n`\n   a\n<!A1. </script>> ", "```\n"},
		{"```a> - \n\n  -\na1. \n-   > ", "```\n"}, {"+\n\n===|\n   ```\n", "```\n"},
		{"```[a]: b---  <!A- > <b># <!A", "```\n"}, {"~~~```\n***```", "~~~\n"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_end(cases[i].text, cases[i].end);
}

/* What comes behind any text and its end is not taken into it. */
Test(code_blocks_end, keeps_what_follows_out)
{
	static const char *const pieces[] = {
		"```", "````", "~~~", "\n", "\n", "\n\n", "  ", "    ", "- ", "1. ", "> ", "a", "`", "\t", "<!--", "-->",
		"<script>", "</script>", "<pre>", "<?", "?>", "<!A", "]]>", "<![CDATA[", "|", "---", "<div>", "# ", "\\",
		"[a]: b", "\r\n", "*", "+", "<b>",
	};
	enum { ROUNDS = 20000, PIECES = 12 };
	uint32_t seed = 1;

	for (int round = 0; round < ROUNDS; round++) {
		struct code_blocks blocks;
		struct code_block block;
		struct buf text = {.max = KIB(4)};
		size_t before, n = 0, last = 0;

		for (int i = 0; i < PIECES; i++) {
			seed = seed * 1664525 + 1013904223;
			buf_puts(&text, pieces[(seed >> 8) % (sizeof pieces / sizeof pieces[0])]);
		}
		before = code_blocks_count(text.data, text.len);
		buf_putc(&text, '\n');
		cr_assert_eq(code_blocks_put_end(&text, text.data, text.len - 1), STATUS_OK);
		buf_puts(&text, "\n# x\n```\ny\n```\n");
		code_blocks_begin(&blocks, text.data, text.len);
		for (; code_blocks_next(&blocks, &block, NULL); n++)
			last = block.start;
		cr_assert_eq(n, before + 1, "%zu and %zu blocks of\n%s", before, n, text.data);
		cr_assert_eq(last, text.len - 6);
		buf_free(&text);
	}
}
