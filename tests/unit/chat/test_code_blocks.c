#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "chat/code_blocks.h"
#include "chat_support.h"

/* The blocks as "language|code|", those that nothing closes with a "~" before them. */
static void assert_blocks(const char *text, const char *expected)
{
	struct code_blocks blocks;
	struct code_block block;
	struct buf got = {.max = KIB(64)}, code = {.max = KIB(64)};
	size_t n = 0;

	code_blocks_begin(&blocks, text, strlen(text));
	while (code_blocks_next(&blocks, &block, &code)) {
		buf_printf(&got, "%s%.*s|%s|", block.closed ? "" : "~", (int)block.language_len,
		           block.language, buf_text(&code));
		cr_assert_leq(block.start, block.end);
		cr_assert_leq(block.end, strlen(text));
		buf_clear(&code);
		n++;
	}
	cr_assert_eq(buf_status(&got), STATUS_OK);
	cr_assert_str_eq(buf_text(&got), expected, "of:\n%s", text);
	cr_assert_eq(code_blocks_count(text, strlen(text)), n);
	buf_free(&code);
	buf_free(&got);
}

Test(code_blocks, stand_between_fences)
{
	assert_blocks("", "");
	assert_blocks("no code", "");
	assert_blocks("```\na\n```\n", "|a\n|");
	assert_blocks("text\n```c\nint x;\n\nint y;\n```\nand\n```sh\nls\n```", "c|int x;\n\nint y;\n|sh|ls\n|");
	assert_blocks("```  python  extra\nx\n```", "python|x\n|");
	assert_blocks("```{.c}\nx\n```", "{.c}|x\n|");
	assert_blocks("```\n```\n", "||");
	assert_blocks("~~~\na\n~~~\n", "|a\n|");
	assert_blocks("~~~ c `x`\na\n~~~~  \n", "c|a\n|");
}

Test(code_blocks, need_three_marks_on_a_line_of_their_own)
{
	assert_blocks("``\na\n``\n", "");
	assert_blocks("``` a ``` b\n", ""); /* code in a line */
	assert_blocks("x ```\na\n```\n", "~||"); /* the second opens one */
	assert_blocks("```\na\n``` b\nc\n```\n", "|a\n``` b\nc\n|");
}

Test(code_blocks, longer_and_other_fences_hold_shorter_ones)
{
	assert_blocks("````md\n```c\nx\n```\n````\n", "md|```c\nx\n```\n|");
	assert_blocks("~~~md\n```c\nx\n```\n~~~\n", "md|```c\nx\n```\n|");
	assert_blocks("```\na\n`````\nb\n", "|a\n|");
	assert_blocks("```\n~~~\n```\n", "|~~~\n|");
}

Test(code_blocks, without_an_end_reach_to_the_end)
{
	assert_blocks("```c\nint x", "~c|int x|");
	assert_blocks("```c", "~c||");
	assert_blocks("```c\n", "~c||");
	assert_blocks("````\na\n```\n", "~|a\n```\n|");
}

Test(code_blocks, lose_the_indentation_of_their_fence)
{
	assert_blocks("  ```\n  a\n    b\n c\n  ```\n", "|a\n  b\nc\n|");
	assert_blocks("   ```\n\ta\n   ```\n", "| a\n|"); /* of a tab's four columns one is left */
	assert_blocks("    ```\n    a\n    ```\n", ""); /* indented code */
	assert_blocks("```\na\n    ```\n```\n", "|a\n    ```\n|");
}

Test(code_blocks, stand_in_lists)
{
	assert_blocks("1. First:\n   ```sh\n   ls\n     -l\n   ```\n2. Then:\n\n   ```c\n   x\n\n   y\n   ```\n",
	              "sh|ls\n  -l\n|c|x\n\ny\n|");
	assert_blocks("- a\n  - b\n\n    ```\n    x\n    ```\n", "|x\n|");
	assert_blocks("- ```\n  x\n  ```\n", "|x\n|");
	assert_blocks("10) a\n\n    ```\n    x\n    ```\n", "|x\n|");
	assert_blocks("- ```\n  x\ny\n", "~|x\n|"); /* what is no longer of the item ends it */
	assert_blocks("-\n  ```\n  x\n  ```\n", "|x\n|");
	assert_blocks("* * *\n```\nx\n```\n", "|x\n|"); /* a rule */
	assert_blocks("-no list\n    ```\n", "");
}

Test(code_blocks, stand_in_quotes)
{
	assert_blocks("> ```c\n> x\n>\n>   y\n> ```\n", "c|x\n\n  y\n|");
	assert_blocks("> ```\n> x\nno more\n```\ny\n```\n", "~|x\n|" "|y\n|");
	assert_blocks(">> ```\n> > x\n>> ```\n", "|x\n|");
	assert_blocks("> - ```\n>   x\n>   ```\n", "|x\n|");
	assert_blocks("- > ```\n  > x\n  > ```\n", "|x\n|");
}

Test(code_blocks, keep_the_line_ends_of_their_code)
{
	assert_blocks("```c\r\nx\r\n\r\n```\r\ny\r\n", "c|x\r\n\r\n|");
}

/* More lists in each other than are followed are plain text, and nothing is written past the end. */
Test(code_blocks, have_a_greatest_depth)
{
	char text[200] = "", expected[200];

	for (int i = 0; i < CODE_BLOCKS_DEPTH; i++)
		strcat(text, ">");
	strcat(text, "```\n");
	strcpy(expected, "~||");
	assert_blocks(text, expected);
	memmove(text + 1, text, strlen(text) + 1);
	assert_blocks(text, "");
}

/* Whatever is cut off a text, or put into it, it ends. */
Test(code_blocks, end_on_any_text)
{
	static const char pieces[] = "`~>-*1. \t\n\r\nx```\n~~~\n";
	uint64_t state = 1;
	char text[120];

	for (int round = 0; round < 20000; round++) {
		struct code_blocks blocks;
		struct code_block block;
		size_t len = 0, last = 0;

		for (len = 0; len < sizeof text; len++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			text[len] = pieces[(state >> 33) % (sizeof pieces - 1)];
		}
		code_blocks_begin(&blocks, text, len);
		while (code_blocks_next(&blocks, &block, NULL)) {
			cr_assert(block.start >= last && block.end >= block.start && block.end <= len);
			cr_assert_gt(blocks.at, last);
			last = block.end;
		}
		cr_assert_eq(blocks.at, len);
	}
}
