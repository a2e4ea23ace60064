#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "chat/export.h"
#include "chat_support.h"
#include "import/import.h"

/* A chat as "title|" and, for each message, "parent" "role's letter" "text", "(reasoning)", "@model",
 * and "*" at the leaf. */
static void describe(const struct import_chat *chat, struct buf *out)
{
	buf_printf(out, "%s|", chat->title);
	for (uint32_t id = 1; id <= tree_n(chat->tree); id++) {
		const struct node *node = tree_node(chat->tree, id);

		buf_printf(out, "%u%c %s", node->parent, role_name(node->role)[0], node->text);
		if (node->reasoning_len)
			buf_printf(out, " (%s)", node->reasoning);
		if (node->model)
			buf_printf(out, " @%s", node->model);
		buf_puts(out, id == tree_leaf(chat->tree) ? "*|" : "|");
	}
}

static void assert_import(const char *text, const char *expected, size_t n_left_out)
{
	struct error err = {.text = ""};
	struct import import;
	size_t n = 0;
	struct buf out = {.max = KIB(64)};

	cr_assert_eq(import_read(&import, "file", text, strlen(text), NULL, &err), STATUS_OK, "%s: %s", text,
	             err.text);
	for (size_t i = 0; i < import.n; i++) {
		describe(&import.chats[i], &out);
		if (i + 1 < import.n)
			buf_putc(&out, '\n');
	}
	cr_assert_str_eq(buf_text(&out), expected);
	for (int i = IMPORT_FIRST_LEFT_OUT; i < IMPORT_N_KINDS; i++)
		n += import.counts.n[i];
	cr_assert_eq(n, n_left_out, "%zu left out of %s", n, text);
	cr_assert_eq(!import_n_left_out(&import.counts), n == 0);
	buf_free(&out);
	import_free(&import);
}

Test(import, messages_of_openai)
{
	assert_import("[{\"role\":\"system\",\"content\":\"be brief\"},{\"role\":\"user\",\"content\":\"hi\"},"
	              "{\"content\":\"hello\",\"role\":\"assistant\",\"reasoning_content\":\"hm\"}]",
	              "|0s be brief|1u hi|2a hello (hm)*|", 0);
	assert_import("{\"model\":\"m\",\"messages\":[{\"role\":\"developer\",\"content\":\"d\"},"
	              "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"one\"},"
	              "{\"type\":\"image_url\",\"image_url\":{\"url\":\"x\"}},{\"type\":\"text\",\"text\":\"two\"}]}]}",
	              "|0s d|1u one\n\ntwo*|", 1);
	/* A call of a tool and its result have no place here; what follows hangs on what was before. */
	assert_import("[{\"role\":\"user\",\"content\":\"w\"},{\"role\":\"assistant\",\"content\":null,"
	              "\"tool_calls\":[{\"id\":\"1\"}]},{\"role\":\"tool\",\"content\":\"r\"},"
	              "{\"role\":\"assistant\",\"content\":\"a\"}]",
	              "|0u w|1a a*|", 2);
	/* One conversation a line, as for training; and several in a list. */
	assert_import("{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}\n"
	              "{\"messages\":[{\"role\":\"user\",\"content\":\"b\"}]}\n", "|0u a*|\n|0u b*|", 0);
	assert_import("[[{\"role\":\"user\",\"content\":\"a\"}],[{\"role\":\"user\",\"content\":\"b\"}]]",
	              "|0u a*|\n|0u b*|", 0);
	assert_import("{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"assistant\",\"content\":\"b\"}\n",
	              "|0u a|1a b*|", 0);
}

Test(import, sharegpt)
{
	assert_import("[{\"id\":\"1\",\"conversations\":[{\"from\":\"human\",\"value\":\"hi\"},"
	              "{\"from\":\"gpt\",\"value\":\"hello\"}]},"
	              "{\"system\":\"s\",\"conversations\":[{\"from\":\"system\",\"value\":\"t\"},"
	              "{\"from\":\"function_call\",\"value\":\"f\"},{\"from\":\"human\",\"value\":\"x\"}]}]",
	              "|0u hi|1a hello*|\n|0s s|1s t|2u x*|", 1);
}

#define MESSAGE(id, parent, role, text) \
	"{\"id\":\"" id "\",\"convId\":\"c\",\"type\":\"text\",\"timestamp\":1700000000123,\"role\":\"" role \
	"\",\"content\":\"" text "\",\"parent\":" parent ",\"children\":[]}"

/* With all branches; the root of theirs says nothing. */
Test(import, exports_of_llama_cpp)
{
	static const char messages[] =
		"[{\"id\":\"r\",\"type\":\"root\",\"role\":\"system\",\"content\":\"\",\"parent\":null,"
		"\"children\":[\"1\"]}," MESSAGE("1", "\"r\"", "user", "q") "," MESSAGE("2", "\"1\"", "assistant", "a")
		"," MESSAGE("3", "\"1\"", "assistant", "b") "," MESSAGE("4", "\"2\"", "user", "more") "]";
	struct import import;
	struct error err;
	struct buf text = {.max = KIB(64)};

	buf_printf(&text, "{\"conv\":{\"id\":\"c\",\"name\":\"A title\",\"currNode\":\"3\"},\"messages\":%s}",
	           messages);
	assert_import(buf_text(&text), "A title|0u q|1a a|1a b*|2u more|", 0);
	cr_assert_eq(import_read(&import, "file", text.data, text.len, NULL, &err), STATUS_OK);
	cr_assert_eq(tree_node(import.chats[0].tree, 1)->created, 1700000000);
	import_free(&import);
	buf_clear(&text);
	buf_printf(&text, "[{\"messages\":%s,\"conv\":{\"name\":\"T\",\"currNode\":\"4\"}},"
	           "{\"conv\":{\"name\":\"empty\"},\"messages\":[]}]", messages);
	assert_import(buf_text(&text), "T|0u q|1a a|1a b|2u more*|", 0);
	buf_free(&text);
	/* A line for the chat, and one for each message. */
	assert_import("{\"type\":\"session\",\"harness\":\"llama.app\",\"id\":\"c\",\"name\":\"T\",\"currNode\":\"2\"}\n"
	              "{\"type\":\"message\",\"message\":" MESSAGE("1", "null", "user", "q") "}\n"
	              "{\"type\":\"message\",\"message\":{\"id\":\"2\",\"parent\":\"1\",\"role\":\"assistant\",\"content\":"
	              "\"a\",\"reasoningContent\":\"hm\",\"model\":\"M\",\"extra\":[]}}\n"
	              "{\"type\":\"session\",\"name\":\"U\"}\n"
	              "{\"type\":\"message\",\"message\":" MESSAGE("1", "null", "user", "v") "}\n",
	              "T|0u q|1a a (hm) @M*|\nU|0u v*|", 0);
}

/* Two that name each other, or themselves, or nobody that is there. */
Test(import, parents_that_lead_nowhere)
{
	assert_import("[" MESSAGE("1", "\"2\"", "user", "a") "," MESSAGE("2", "\"1\"", "assistant", "b") ","
	              MESSAGE("3", "\"3\"", "user", "c") "," MESSAGE("4", "\"9\"", "user", "d") ","
	              MESSAGE("4", "\"4\"", "user", "e") "]",
	              "|0u a|1a b|0u c|0u d|4u e*|", 0);
	/* One without a place in the chat comes last, under nobody. */
	assert_import("[" MESSAGE("1", "null", "user", "a") "," MESSAGE("2", "null", "tool", "b") "]",
	              "|0u a*|", 1);
}

Test(import, what_has_no_chat_is_refused)
{
	static const char *const texts[] = {
		"", "[]", "{}", "1", "\"role\"", "{\"a\":[{\"role\":\"user\",\"content\":\"x\"}]}", "[{\"role\":\"user\"}]",
		"[{\"role\":\"tool\",\"content\":\"x\"}]", "{\"messages\":[1,\"2\",null]}", "{\"messages\":{}}",
	};
	struct import import;
	struct error err;

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		cr_assert_eq(import_read(&import, "file", texts[i], strlen(texts[i]), NULL, &err), STATUS_FORMAT, "%s",
		             texts[i]);
		cr_assert_not_null(strstr(err.text, "file: has no messages"), "%s", err.text);
		import_free(&import);
	}
	cr_assert_eq(import_read(&import, "file", "[{\"role\":\"user\",\n\"content\":\"x}", 30, NULL, &err),
	             STATUS_FORMAT);
	cr_assert_str_eq(err.text, "file:2: not JSON: a string without an end");
	import_free(&import);
}

Test(import, what_is_no_json_is_named)
{
	static const struct {
		const char *text;
		size_t len;
		const char *says;
	} files[] = {
		{"PK\3\4x", 5, "file: the file is a zip archive: unzip it"},
		{"\x1f\x8b\b", 3, "file: the file is compressed: unpack it with gunzip"},
		{"BZh9", 4, "unpack it with bunzip2"}, {"\xFD" "7zXZ", 5, "unpack it with unxz"},
		{"SQLite format 3", 16, "the file is a database"}, {"%PDF-1.4", 8, "the file is a PDF"},
		{"\xff\xfe[\0", 4, "the text is UTF-16; iconv -f UTF-16 "}, {"\xfe\xff\0[", 4, "iconv -f UTF-16 "},
		{"[\0]\0", 4, "iconv -f UTF-16LE "}, {"\0[\0]", 4, "iconv -f UTF-16BE "},
		{"\xff\xfe\0\0[\0\0\0", 8, "the text is UTF-32; iconv -f UTF-32 "},
		{"[\0\0\0]\0\0\0", 8, "iconv -f UTF-32LE "}, {"\0\0\0[", 4, "iconv -f UTF-32BE "},
	};
	struct import import;
	struct error err;

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		cr_assert_eq(import_read(&import, "file", files[i].text, files[i].len, NULL, &err), STATUS_FORMAT);
		cr_assert_not_null(strstr(err.text, files[i].says), "%s", err.text);
		import_free(&import);
	}
}

/* What is exported comes back. */
Test(import, of_an_export)
{
	struct tree *tree = tree_create();
	struct import import;
	struct error err;
	struct buf text = {.max = KIB(64)};
	uint32_t id = chat_add(tree, 0, ROLE_USER, "a \"text\"\n\t\\ \xf0\x9f\x98\x80");

	id = chat_add(tree, id, ROLE_ASSISTANT, "b\x1b");
	cr_assert_eq(tree_append_reasoning(tree_node(tree, id), "hm", 2), STATUS_OK);
	cr_assert_eq(export_json(tree, "", &text), STATUS_OK);
	cr_assert_eq(import_read(&import, "file", text.data, text.len, NULL, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(import.n, 1);
	chat_assert_same(tree, import.chats[0].tree, "exported and imported");
	import_free(&import);
	buf_free(&text);
	tree_free(tree);
}

Test(import, becomes_a_chat_among_the_others, .init = chat_folder_make, .fini = chat_folder_remove)
{
	struct tree *tree = tree_create(), *again;
	struct journal *journal;
	struct error err;
	char *path, *other;
	bool forked;
	size_t n;

	chat_add(tree, 0, ROLE_USER, "hello");
	chat_add(tree, 1, ROLE_ASSISTANT, "hi");
	cr_assert_eq(journal_add(tree, "A\ntitle", &path, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(journal_add(tree, "", &other, &err), STATUS_OK, "%s", err.text);
	cr_assert_str_neq(path, other);
	cr_assert_eq(journal_open(&journal, &again, path, &forked, &n, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(n, 0);
	cr_assert_str_eq(journal_get_title(journal), "A title");
	chat_assert_same(tree, again, "imported");
	journal_close(journal);
	tree_free(again);
	tree_free(tree);
	free(path);
	free(other);
}
