#include <string.h>

#include "base/limits.h"
#include "chat/export.h"
#include "chat_support.h"

static struct tree *make_chat(void)
{
	struct tree *tree = tree_create();
	uint32_t id = chat_add(tree, 0, ROLE_SYSTEM, "Be brief.");

	id = chat_add(tree, id, ROLE_USER, "List <files>?\n\n");
	id = chat_add(tree, id, ROLE_ASSISTANT, "So & \"so\":\n\n```sh\nls <dir>\n```\n\ndone");
	cr_assert_eq(tree_set_model(tree_node(tree, id), "Tiny"), STATUS_OK);
	cr_assert_eq(tree_append_reasoning(tree_node(tree, id), "a\n\nb\n", 5), STATUS_OK);
	chat_add(tree, id, ROLE_USER, "another branch");
	id = chat_add(tree, id, ROLE_USER, "more");
	id = chat_add(tree, id, ROLE_ASSISTANT, "```\ncut");
	tree_node(tree, id)->state = NODE_INTERRUPTED;
	return tree;
}

static void assert_export(export_fn *write, const char *title, const char *expected)
{
	struct tree *tree = make_chat();
	struct buf out = {.max = MIB(1)};

	cr_assert_eq(write(tree, title, &out), STATUS_OK);
	cr_assert_str_eq(buf_text(&out), expected, "got:\n%s", buf_text(&out));
	buf_free(&out);
	tree_free(tree);
}

Test(export, names_all_formats_in_help)
{
	static const char names[] = EXPORT_NAMES("");

	for (size_t i = 0; i < export_formats_n; i++)
		cr_expect_not_null(strstr(names, export_formats[i].name), "%s", export_formats[i].name);
}

Test(export, as_text)
{
	assert_export(export_text, "", "System:\nBe brief.\n\nYou:\nList <files>?\n\nTiny:\nSo & \"so\":\n\n"
	              "```sh\nls <dir>\n```\n\ndone\n\nYou:\nmore\n\nAssistant (interrupted):\n```\ncut\n");
}

/* A fence that is open at a message's end is closed: the next heading is one. */
Test(export, as_markdown)
{
	assert_export(export_markdown, "Files",
	              "# Files\n\n## System\n\nBe brief.\n\n## You\n\nList <files>?\n\n## Tiny\n\n"
	              "> a\n>\n> b\n\nSo & \"so\":\n\n```sh\nls <dir>\n```\n\ndone\n\n## You\n\nmore\n\n"
	              "## Assistant (interrupted)\n\n```\ncut\n```\n");
}

/* What ends with the list that it is in gets no fence, which would begin a block. */
Test(export, as_markdown_of_a_reply_cut_in_a_list)
{
	struct tree *tree = tree_create();
	uint32_t id = chat_add(tree, 0, ROLE_USER, "how?");
	struct buf out = {.max = MIB(1)};

	id = chat_add(tree, id, ROLE_ASSISTANT, "1. Do this:\n   ```sh\n   ls");
	id = chat_add(tree, id, ROLE_USER, "go on <!--\n\n<!-- on");
	chat_add(tree, id, ROLE_ASSISTANT, "Then **that**.");
	cr_assert_eq(export_markdown(tree, "", &out), STATUS_OK);
	cr_assert_str_eq(buf_text(&out), "## You\n\nhow?\n\n## Assistant\n\n1. Do this:\n   ```sh\n   ls\n\n"
	                 "## You\n\ngo on <!--\n\n<!-- on\n-->\n\n## Assistant\n\nThen **that**.\n");
	buf_free(&out);
	tree_free(tree);
}

Test(export, as_json)
{
	assert_export(export_json, "Files",
	              "[\n  {\"role\": \"system\", \"content\": \"Be brief.\"},\n"
	              "  {\"role\": \"user\", \"content\": \"List <files>?\\n\\n\"},\n"
	              "  {\"role\": \"assistant\", \"content\": \"So & \\\"so\\\":\\n\\n```sh\\nls <dir>\\n```\\n"
	              "\\ndone\", \"reasoning_content\": \"a\\n\\nb\\n\"},\n"
	              "  {\"role\": \"user\", \"content\": \"more\"},\n"
	              "  {\"role\": \"assistant\", \"content\": \"```\\ncut\"}\n]\n");
}

Test(export, as_html)
{
	struct tree *tree = make_chat();
	struct buf out = {.max = MIB(1)};
	const char *body;

	cr_assert_eq(export_html(tree, "<i>", &out), STATUS_OK);
	cr_assert_not_null(strstr(buf_text(&out), "<title>&lt;i&gt;</title>"));
	body = strstr(buf_text(&out), "<body>");
	cr_assert_not_null(body);
	cr_assert_str_eq(body,
	                 "<body>\n<h1>&lt;i&gt;</h1>\n"
	                 "<section class=\"system\">\n<h2>System</h2>\n"
	                 "<div class=\"text\" dir=\"auto\">Be brief.</div>\n</section>\n"
	                 "<section class=\"user\">\n<h2>You</h2>\n"
	                 "<div class=\"text\" dir=\"auto\">List &lt;files&gt;?</div>\n</section>\n"
	                 "<section class=\"assistant\">\n<h2>Tiny</h2>\n"
	                 "<details><summary>Thought</summary>\n"
	                 "<div class=\"text\" dir=\"auto\">a\n\nb</div>\n</details>\n"
	                 "<div class=\"text\" dir=\"auto\">So &amp; &quot;so&quot;:</div>\n"
	                 "<pre dir=\"ltr\"><code>ls &lt;dir&gt;\n</code></pre>\n"
	                 "<div class=\"text\" dir=\"auto\">done</div>\n</section>\n"
	                 "<section class=\"user\">\n<h2>You</h2>\n"
	                 "<div class=\"text\" dir=\"auto\">more</div>\n</section>\n"
	                 "<section class=\"assistant\">\n<h2>Assistant (interrupted)</h2>\n"
	                 "<pre dir=\"ltr\"><code>cut</code></pre>\n</section>\n</body>\n</html>\n");
	buf_free(&out);
	tree_free(tree);
}

/* Whatever is said: no tag of it is one, and no control character gets into the page. */
Test(export, html_escapes_everything)
{
	static const char text[] = "<script>alert('1')</script>\x01\x1b[2J\x7f\xc2\x9b\xff\n```<b>\n</code></pre>"
	                           "<img src=x onerror=y>\n```\n</section></body>";
	struct tree *tree = tree_create();
	struct buf out = {.max = MIB(1)};
	const char *body;
	uint32_t id = chat_add(tree, 0, ROLE_ASSISTANT, text);

	cr_assert_eq(tree_set_model(tree_node(tree, id), "<b>&\x1b"), STATUS_OK);
	cr_assert_eq(export_html(tree, "</title><script>", &out), STATUS_OK);
	body = buf_text(&out);
	cr_assert_null(strstr(body, "<script"));
	cr_assert_null(strstr(body, "<img"));
	cr_assert_null(strstr(body, "<b>"));
	cr_assert_eq(strstr(body, "</section>"), strrchr(body, '\0') - strlen("</section>\n</body>\n</html>\n"));
	for (size_t i = 0; i < out.len; i++)
		cr_assert((unsigned char)body[i] >= 0x20 || body[i] == '\n', "byte %02x", body[i]);
	cr_assert(!strchr(body, 0x7f) && !strstr(body, "\xc2\x9b"));
	buf_free(&out);
	tree_free(tree);
}

Test(export, of_an_empty_chat)
{
	for (size_t i = 0; i < export_formats_n; i++) {
		struct tree *tree = tree_create();
		struct buf out = {.max = MIB(1)};

		cr_assert_eq(export_formats[i].write(tree, "", &out), STATUS_OK, "%s", export_formats[i].name);
		buf_free(&out);
		tree_free(tree);
	}
}

/* One that does not fit is an error, and not a part of the chat. */
Test(export, that_is_too_long)
{
	for (size_t i = 0; i < export_formats_n; i++) {
		struct tree *tree = make_chat();
		struct buf whole = {.max = MIB(1)};

		cr_assert_eq(export_formats[i].write(tree, "", &whole), STATUS_OK);
		for (size_t max = 0; max < whole.len; max++) {
			struct buf out;

			buf_init(&out, max);
			cr_assert_eq(export_formats[i].write(tree, "", &out), STATUS_LIMIT, "%s, %zu",
			             export_formats[i].name, max);
			buf_free(&out);
		}
		buf_free(&whole);
		tree_free(tree);
	}
}

Test(export, formats_are_found_by_name_and_file)
{
	cr_assert_eq(export_find("md", 2)->write, export_markdown);
	cr_assert_eq(export_find("markdown", 8)->write, export_markdown);
	cr_assert_null(export_find("m", 1));
	cr_assert_null(export_find("", 0));
	cr_assert_eq(export_of_file("a.b/c.html")->write, export_html);
	cr_assert_eq(export_of_file("c.htm")->write, export_html);
	cr_assert_null(export_of_file("c"));
	cr_assert_null(export_of_file("c.yaml"));
}
