/* Every format, in every order, with ids of each type: all messages are there, or counted. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "import/import.h"
#include "support/cpu_time.h"

/* A chat as "title|" and, for each message, "parent" "role's letter" "text", "(reasoning)", "+" for each file
 * and "*" at the leaf. */
static void assert_read(const char *text, const char *expected, const char *counts)
{
	struct error err = {.text = ""};
	struct import import;
	struct buf out = {.max = KIB(64)}, said = {.max = KIB(64)};

	cr_assert_eq(import_read(&import, "file", text, strlen(text), NULL, &err), STATUS_OK, "%s: %s", text, err.text);
	for (size_t i = 0; i < import.n; i++) {
		const struct tree *tree = import.chats[i].tree;

		buf_printf(&out, "%s|", import.chats[i].title);
		for (uint32_t id = 1; id <= tree_n(tree); id++) {
			const struct node *node = tree_node(tree, id);

			buf_printf(&out, "%u%c %.*s", node->parent, role_name(node->role)[0],
			           (int)attachments_words(&node->attachments, node->len), node->text);
			if (node->reasoning_len)
				buf_printf(&out, " (%s)", node->reasoning);
			for (size_t j = 0; j < node->attachments.n; j++)
				buf_printf(&out, "+%s", node->attachments.items[j].name);
			buf_puts(&out, id == tree_leaf(tree) ? "*|" : "|");
		}
	}
	import_put_counts(&said, &import.counts);
	cr_assert_str_eq(buf_text(&out), expected, "%s\ngot %s", text, buf_text(&out));
	cr_assert_not_null(strstr(buf_text(&said), counts), "%s\nof %s", buf_text(&said), text);
	cr_assert_eq(strstr(buf_text(&said), "You may delete the file") != NULL, !import_n_left_out(&import.counts));
	buf_free(&out);
	buf_free(&said);
	import_free(&import);
}

#define ALL(n) "Imported. You may delete the file. Taken: " n "."

Test(import_formats, of_each_program)
{
	assert_read("{\"system\":[{\"type\":\"text\",\"text\":\"s\"}],\"messages\":[{\"role\":\"user\",\"content\":\"q\"},"
	            "{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":"
	            "\"hm\"},{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"tool_use\",\"name\":\"f\"},{\"type\":\"text\","
	            "\"text\":\"b\"}]}]}", "|0s s|1u q|2a a\n\nb (hm)*|", "Left out: 1 tool call.");
	assert_read("[{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"q\"},{\"type\":\"input_image\"}]},"
	            "{\"type\":\"web_search_call\"},{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":"
	            "\"output_text\",\"text\":\"a\"}]},{\"type\":\"function_call_output\",\"output\":\"x\"}]",
	            "|0u q|1a a*|", "Left out: 1 image, 1 tool call, 1 tool result.");
	assert_read("[{\"title\":\"T\",\"mapping\":{\"a\":{\"id\":\"a\",\"message\":{\"id\":\"a\",\"author\":{\"role\":\"assistant\"},"
	            "\"content\":{\"content_type\":\"text\",\"parts\":[\"a\"]}},\"parent\":\"u\"},\"r\":{\"id\":\"r\",\"message\":null,"
	            "\"parent\":null},\"u\":{\"id\":\"u\",\"message\":{\"id\":\"u\",\"author\":{\"role\":\"user\"},\"content\":"
	            "{\"content_type\":\"multimodal_text\",\"parts\":[{\"content_type\":\"image_asset_pointer\"},\"q\"]}},\"parent\":"
	            "\"r\"}},\"current_node\":\"u\"}]", "T|0u q*|1a a|", "Taken: 2 messages. Left out: 1 image.");
	assert_read("[{\"name\":\"T\",\"chat_messages\":[{\"uuid\":\"1\",\"sender\":\"human\",\"text\":\"q\",\"content\":[],"
	            "\"attachments\":[{\"file_name\":\"f.c\",\"extracted_content\":\"x\"}],\"files\":[{\"file_name\":\"p.png\"}]},"
	            "{\"uuid\":\"2\",\"sender\":\"assistant\",\"text\":\"a\\n```\\nThis block is not supported on your current device yet.\\n```\",\"content\":[{\"type\":\"text\",\"text\":"
	            "\"a\"}]}]}]", "T|0u q+f.c|1a a*|", "Taken: 2 messages, 1 attached file. Left out: 1 file without text.");
	assert_read("{\"conversationId\":\"c\",\"title\":\"T\",\"messagesTree\":[{\"messageId\":\"1\",\"parentMessageId\":"
	            "\"00000000-0000-0000-0000-000000000000\",\"isCreatedByUser\":true,\"sender\":\"User\",\"text\":\"q\",\"children\":["
	            "{\"messageId\":\"2\",\"parentMessageId\":\"1\",\"isCreatedByUser\":false,\"sender\":\"GPT\",\"text\":\"a\"},"
	            "{\"messageId\":\"3\",\"parentMessageId\":\"1\",\"isCreatedByUser\":false,\"sender\":\"GPT\",\"text\":\"b\"}]}]}",
	            "T|0u q|1a a|1a b*|", ALL("3 messages"));
	assert_read("{\"_id\":{\"$oid\":\"x\"},\"title\":\"T\",\"preprompt\":\"s\",\"messages\":[{\"id\":\"1\",\"from\":\"system\","
	            "\"content\":\"s\",\"children\":[\"2\"]},{\"id\":\"2\",\"from\":\"user\",\"content\":\"q\",\"ancestors\":[\"1\"]},"
	            "{\"id\":\"3\",\"from\":\"assistant\",\"content\":\"a\",\"ancestors\":[\"1\",\"2\"],\"reasoning\":\"hm\"},"
	            "{\"id\":\"4\",\"from\":\"assistant\",\"content\":\"b\",\"ancestors\":[\"1\",\"2\"]}]}",
	            "T|0s s|1u q|2a a (hm)|2a b*|", ALL("4 messages"));
	assert_read("{\"name\":\"T\",\"systemPrompt\":\"s\",\"messages\":[{\"versions\":[{\"type\":\"singleStep\",\"role\":\"user\","
	            "\"content\":[{\"type\":\"text\",\"text\":\"q\"}]}],\"currentlySelected\":0},{\"versions\":[{\"role\":\"assistant\","
	            "\"steps\":[{\"style\":{\"type\":\"thinking\"},\"content\":[{\"type\":\"text\",\"text\":\"hm\"}]},{\"content\":["
	            "{\"type\":\"text\",\"text\":\"a\"}]}]},{\"role\":\"assistant\",\"steps\":[{\"content\":[{\"type\":\"text\","
	            "\"text\":\"b\"}]}]}],\"currentlySelected\":0},{\"versions\":[{\"role\":\"user\",\"content\":\"c\"}]}]}",
	            "T|0s s|1u q|2a a (hm)|2a b|3u c*|", ALL("5 messages"));
	assert_read("{\"user_name\":\"You\",\"character_name\":\"T\"}\n{\"name\":\"T\",\"is_user\":false,\"mes\":\"b\",\"swipes\":[\"a\","
	            "\"b\"],\"swipe_id\":1}\n{\"name\":\"You\",\"is_user\":true,\"mes\":\"q\",\"extra\":{\"image\":\"x\"}}\n",
	            "T|0a a|0a b|2u q*|", "Taken: 3 messages. Left out: 1 image.");
	assert_read("{\"internal\":[[\"<|BEGIN-VISIBLE-CHAT|>\",\"a\"],[\"q\",\"<think>hm</think>b\"]],\"visible\":[]}",
	            "|0a a|1u q|2a b (hm)*|", ALL("3 messages"));
	assert_read("[{\"prompt\":\"q2\",\"response\":\"a2\",\"conversation_id\":\"c\",\"datetime_utc\":\"2025-01-01T10:00:02\"},"
	            "{\"prompt\":\"x\",\"response\":\"y\",\"conversation_id\":\"d\",\"datetime_utc\":\"2025-01-01T10:00:01\"},"
	            "{\"prompt\":\"q1\",\"response\":\"a1\",\"conversation_id\":\"c\",\"datetime_utc\":\"2025-01-01T10:00:00\","
	            "\"conversation_name\":\"T\"}]", "T|0u q1|1a a1|2u q2|3a a2*||0u x|1a y*|", ALL("2 chats, 6 messages"));
	assert_read("{\"chunkedPrompt\":{\"chunks\":[{\"role\":\"user\",\"text\":\"q\"},{\"role\":\"model\",\"text\":\"hm\","
	            "\"isThought\":true},{\"role\":\"model\",\"text\":\"a\"}]},\"systemInstruction\":{\"text\":\"s\"}}",
	            "|0s s|1u q|2a  (hm)|3a a*|", ALL("4 messages"));
	assert_read("{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"q\"},{\"inlineData\":{\"mimeType\":\"image/png\"}}]},"
	            "{\"role\":\"model\",\"parts\":[{\"text\":\"hm\",\"thought\":true},{\"text\":\"a\"}]}]}",
	            "|0u q|1a a (hm)*|", "Left out: 1 image.");
	assert_read("{\"object\":\"thread.message\",\"thread_id\":\"t\",\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":"
	            "{\"value\":\"q\"}}]}\n{\"object\":\"thread.message\",\"thread_id\":\"u\",\"role\":\"user\",\"content\":[{\"type\":"
	            "\"text\",\"text\":{\"value\":\"x\"}}]}\n", "|0u q*||0u x*|", ALL("2 chats, 2 messages"));
	assert_read("[{\"table\":\"messages\",\"rows\":[{\"id\":2,\"convId\":\"c\",\"role\":\"user\",\"content\":\"q\",\"parent\":1},"
	            "{\"id\":1,\"convId\":\"c\",\"type\":\"root\",\"role\":\"system\",\"content\":\"\",\"parent\":-1}]},"
	            "{\"table\":\"conversations\",\"rows\":[{\"id\":\"c\",\"name\":\"T\",\"currNode\":2}]}]",
	            "T|0u q*|", ALL("1 message"));
}

/* Open WebUI has a map of all messages and a list of those shown; text-generation-webui has other versions of
 * messages beside their pairs. */
Test(import_formats, of_messages_in_several_places)
{
#define MAP(m) "{\"chat\":{\"title\":\"T\",\"history\":{\"messages\":{" m "},\"currentId\":\"2\"}"
#define Q "\"1\":{\"id\":\"1\",\"parentId\":null,\"role\":\"user\",\"content\":\"q\"}"
#define A "\"2\":{\"id\":\"2\",\"parentId\":\"1\",\"role\":\"assistant\",\"content\":\"a\"}"
	assert_read(MAP(Q "," A) ",\"messages\":[{\"id\":\"1\",\"role\":\"user\",\"content\":\"q\"},{\"id\":\"2\",\"parentId\":"
	            "\"1\",\"role\":\"assistant\",\"content\":\"a\"}]}}", "T|0u q|1a a*|", ALL("2 messages"));
	assert_read(MAP(Q "," A) ",\"messages\":[{\"id\":\"2\",\"parentId\":\"1\",\"role\":\"assistant\",\"content\":\"other\"}]}}",
	            "T|0u q|1a a*|", "Left out: 1 second text of a message.");
	assert_read(MAP(Q "," A) ",\"messages\":[{\"id\":\"1\",\"role\":\"user\",\"content\":\"q\"},{\"id\":\"3\",\"parentId\":"
	            "\"1\",\"role\":\"assistant\",\"content\":\"b\"},{\"role\":\"user\",\"content\":\"c\"}]}}",
	            "T|0u q|1a a*|1a b|3u c|", ALL("4 messages"));
	assert_read(MAP(Q) ",\"messages\":[{\"role\":\"user\",\"content\":\"q\"},7,{\"role\":\"tool\",\"content\":\"x\"},{\"id\":\"1\","
	            "\"role\":\"user\",\"content\":[\"q\",{\"type\":\"image_url\"}]}]}}", "T|0u q*|",
	            "Left out: 1 tool result, 1 entry that is not a message.");
	assert_read("{\"messages\":[],\"conversations\":[{\"from\":\"user\",\"value\":\"q\"}],\"items\":[{\"role\":\"user\","
	            "\"content\":\"q\"},{\"role\":\"assistant\",\"content\":\"a\"}]}", "|0u q|1a a*|", ALL("2 messages"));
#define PAIRS(more) "{\"internal\":[[\"<|BEGIN-VISIBLE-CHAT|>\",\"hi\"],[\"q\",\"<b>\"]],\"visible\":[[\"\",\"hi\"],[\"q\"," more
	assert_read(PAIRS("\"&lt;b&gt;\"]]}"), "|0a hi|1u q|2a <b>*|", ALL("3 messages"));
	assert_read(PAIRS("\"else\"]]}"), "|0a hi|1u q|2a <b>*|", "Left out: 1 second text of a message.");
	assert_read(PAIRS("\"&lt;b&gt;\"]],\"metadata\":{\"assistant_1\":{\"timestamp\":\"Jun 05, 2025 14:30\",\"versions\":[{\"content\":"
	                  "\"one\"},{\"content\":\"<b>\"},{\"content\":\"two\"}],\"current_version_index\":1},\"user_1\":{\"versions\":"
	                  "[{\"content\":\"p\"}],\"attachments\":[{\"name\":\"n\",\"type\":\"text/plain\",\"content\":\"x\"}]}}}"),
	            "|0a hi|1u q+n|1u p|2a <b>*|2a one|2a two|", ALL("6 messages, 1 attached file"));
	assert_read(PAIRS("\"&lt;b&gt;\"]],\"metadata\":{\"assistant_1\":{\"versions\":[7,{\"content\":\"\"}]},\"assistant_5\":"
	                  "{\"versions\":[{\"content\":\"x\"}]},\"user_0\":{\"timestamp\":\"x\"}}}"),
	            "|0a hi|1u q|2a <b>*|", "Empty: 1 message. Left out: 2 entries that are not messages.");
	assert_read("{\"chat_messages\":[{\"sender\":\"human\",\"text\":\"other words\",\"content\":[{\"type\":\"text\",\"text\":\"q\"}]},"
	            "{\"sender\":\"assistant\",\"text\":\"a b\",\"content\":[{\"text\":\"a\"},{\"type\":\"tool_use\"},{\"text\":\"b\"}]}]}",
	            "|0u q|1a a\n\nb*|", "Left out: 1 tool call, 1 second text of a message.");
}

Test(import_formats, of_content)
{
	static const struct {
		const char *message, *expected, *counts;
	} cases[] = {
		{"\"content\":\"a\",\"text\":\"\"", "a", ALL("1 message")},
		{"\"text\":\"\",\"content\":\"a\"", "a", ALL("1 message")},
		{"\"content\":\"\",\"value\":\"a\"", "a", ALL("1 message")},
		{"\"content\":{\"text\":\"a\"}", "a", ALL("1 message")},
		{"\"content\":{\"x\":{}}, \"text\":\"a\"", "a", "Left out: 1 part of an unknown kind."},
		{"\"content\":\"a\",\"text\":\"b\"", "a", "Left out: 1 second text of a message."},
		{"\"content\":\"a\",\"text\":\"a\"", "a", ALL("1 message")},
		{"\"content\":[\"a\",7,{\"type\":\"text\",\"text\":\"b\"},{\"type\":\"new\"}]", "a\n\nb",
		 "Left out: 2 parts of an unknown kind."},
		{"\"content\":\"a\",\"extra\":[{\"type\":\"TEXT\",\"name\":\"n\",\"content\":\"x\"},{\"type\":\"context\",\"name\":\"m\","
		 "\"content\":\"y\"},{\"type\":\"textFile\",\"name\":\"o\",\"content\":\"z\"}]", "a+n+m+o",
		 ALL("1 message, 3 attached files")},
		{"\"content\":\"\",\"extra\":[{\"type\":\"TEXT\",\"name\":\"n\",\"content\":\"x\"}]", "+n",
		 ALL("1 message, 1 attached file")},
		{"\"content\":\"a\",\"extra\":[{\"type\":\"IMAGE\",\"name\":\"n\",\"base64Url\":\"x\"},{\"type\":\"AUDIO\"},"
		 "{\"type\":\"PDF\",\"name\":\"p\",\"content\":\"x\",\"base64Data\":\"y\"}]", "a+p",
		 "Left out: 1 image, 1 sound or video, 1 file without text."},
		{"\"content\":\"a\",\"images\":[\"xx\",\"yy\"],\"extra\":[]", "a", "Left out: 2 images."},
		{"\"content\":\"a\",\"content\":\"b\"", "a", "Left out: 1 key given twice."},
		{"\"content\":\"<think>b</think>\"", "<think>b</think>", ALL("1 message")},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct buf text = {.max = KIB(4)}, expected = {.max = KIB(4)};

		buf_printf(&text, "[{\"role\":\"User\",%s}]", cases[i].message);
		buf_printf(&expected, "|0u %s*|", cases[i].expected);
		assert_read(buf_text(&text), buf_text(&expected), cases[i].counts);
		buf_free(&text);
		buf_free(&expected);
	}
}

Test(import_formats, of_thoughts_in_replies)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"<think>\\nhm\\n</think>\\n\\na", "a (hm)"}, {"  <think>hm</think>a", "a (hm)"}, {"<think>hm", " (hm)"},
		{"<think>\\n\\n</think>a", "a"}, {"Hm so</think>\\nHello", "Hello (Hm so)"}, {"a `</think>` b", "a `</think>` b"},
		{"a <think>b</think> c", "a <think>b</think> c"}, {"[THINK]hm[/THINK]a", "a (hm)"},
		{"<details type=\\\"reasoning\\\" done=\\\"true\\\" duration=\\\"1\\\">\\n<summary>Thought</summary>\\n> a &lt; b\\n>\\n> > c\\n</details>\\n"
		 "answer", "answer (a &lt; b\n\n> c)"},
		{"<details type=\\\"reasoning\\\" done=\\\"true\\\">\\n<summary>Thought</summary>\\n&gt; a &lt; b\\n&gt; &quot;c&quot;\\n</details>\\nx"
		 "\\n<details type=\\\"reasoning\\\">d</details>\\ny", "x\ny (a < b\n\"c\"\n\nd)"},
		{"<details type=\\\"reasoning\\\" done=\\\"false\\\">\\n<summary>Thinking</summary>\\n> hm", " (hm)"},
		{"```\\n<details type=\\\"reasoning\\\">\\nx</details>\\n```", "```\n<details type=\"reasoning\">\nx</details>\n```"},
		{"<details>\\nx</details>", "<details>\nx</details>"}, {"a <details type=\\\"reasoning\\\">b", "a <details type=\"reasoning\">b"},
		{"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>a", "a (hm)"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct buf text = {.max = KIB(4)}, expected = {.max = KIB(4)};

		buf_printf(&text, "[{\"role\":\"assistant\",\"content\":\"%s\"}]", cases[i].text);
		buf_printf(&expected, "|0a %s*|", cases[i].expected);
		assert_read(buf_text(&text), buf_text(&expected), ALL("1 message"));
		buf_free(&text);
		buf_free(&expected);
	}
}

static uint32_t seed = 1;

static unsigned pick(unsigned n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

enum { MOST = 12 };

/* An id of one of the types, or none. */
static void put_id(struct buf *out, const char *key, int id, int type)
{
	if (id < 0 && type == 0)
		buf_printf(out, ",\"%s\":null", key);
	else if (id < 0)
		buf_printf(out, ",\"%s\":%s", key, type == 1 ? "-1" : "\"\"");
	else
		buf_printf(out, type == 1 ? ",\"%s\":%d" : ",\"%s\":\"%d\"", key, id);
}

/* Trees of any shape, listed in any order: each message is under its parent. */
Test(import_formats, of_shuffled_trees)
{
	static const char *const wraps[][3] = {
		{"{\"conv\":{\"name\":\"T\"},\"messages\":[", "id", "parent"}, {"{\"messages\":[", "id", "parentId"},
		{"{\"chat_messages\":[", "uuid", "parent_message_uuid"}, {"{\"messages\":[", "messageId", "parentMessageId"},
	};

	for (int round = 0; round < 4000; round++) {
		const unsigned n = 2 + pick(MOST - 1), type = pick(3), wrap = pick(4);
		const bool has_dates = pick(2);
		unsigned order[MOST];
		int parents[MOST];
		struct import import;
		struct error err;
		struct buf text = {.max = KIB(64)};

		buf_puts(&text, wraps[wrap][0]);
		for (unsigned i = 0; i < n; i++) {
			unsigned j = pick(i + 1);

			parents[i] = i == 0 ? -1 : i == 1 ? 0 : (int)pick(i);
			order[i] = order[j];
			order[j] = i;
		}
		for (unsigned k = 0; k < n; k++) {
			unsigned i = order[k];

			buf_printf(&text, "%s{\"role\":\"user\",\"content\":\"m%u\"", k ? "," : "", i);
			put_id(&text, wraps[wrap][1], (int)i + 1, (int)type);
			put_id(&text, wraps[wrap][2], parents[i] < 0 ? -1 : parents[i] + 1, (int)type);
			if (has_dates)
				buf_printf(&text, ",\"timestamp\":%u", 1710000000 + i);
			buf_putc(&text, '}');
		}
		buf_puts(&text, "]}");
		cr_assert_eq(import_read(&import, "file", text.data, text.len, NULL, &err), STATUS_OK, "%s", err.text);
		cr_assert_eq(import.n, 1);
		cr_assert_eq(tree_n(import.chats[0].tree), n, "%s", text.data);
		cr_assert(!import_n_left_out(&import.counts) && import.counts.n[IMPORT_MESSAGES] == n);
		for (uint32_t id = 1; id <= n; id++) {
			const struct node *node = tree_node(import.chats[0].tree, id);
			const struct node *parent = tree_node(import.chats[0].tree, node->parent);

			cr_assert_eq(parent ? atol(parent->text + 1) : -1, parents[atol(node->text + 1)], "%s", text.data);
		}
		cr_assert_eq(tree_first_child(import.chats[0].tree, tree_leaf(import.chats[0].tree)), 0);
		buf_free(&text);
		import_free(&import);
	}
}

/* Without parents, ids are only names: one chain, as listed, whichever of the messages have one. */
Test(import_formats, of_chains_with_ids)
{
	for (int round = 0; round < 4000; round++) {
		const unsigned n = 1 + pick(MOST);
		struct buf text = {.max = KIB(64)}, expected = {.max = KIB(64)};

		buf_puts(&text, pick(2) ? "{\"messages\":[" : "{\"conversations\":[");
		buf_putc(&expected, '|');
		for (unsigned i = 0; i < n; i++) {
			buf_printf(&text, "%s{\"role\":\"user\",\"content\":\"m%u\"", i ? "," : "", i);
			if (pick(2))
				put_id(&text, "id", (int)pick(100), (int)pick(3));
			if (!pick(4))
				put_id(&text, "parent", -1, (int)pick(3));
			buf_putc(&text, '}');
			buf_printf(&expected, "%uu m%u%s|", i, i, i + 1 == n ? "*" : "");
		}
		buf_puts(&text, "]}");
		assert_read(buf_text(&text), buf_text(&expected), "You may delete the file");
		buf_free(&text);
		buf_free(&expected);
	}
}

/* Messages of any kinds and parts: as many as there are come, or are counted. */
Test(import_formats, lose_nothing_uncounted)
{
	static const struct {
		const char *message;
		enum import_kind kind;
	} kinds[] = {
		{"{\"role\":\"user\",\"content\":\"x\"}", IMPORT_MESSAGES},
		{"{\"role\":\"assistant\",\"content\":null}", IMPORT_EMPTY},
		{"{\"role\":\"assistant\",\"content\":\"\"}", IMPORT_EMPTY},
		{"{\"role\":\"tool\",\"content\":\"x\"}", IMPORT_TOOL_RESULTS},
		{"{\"from\":\"function_call\",\"value\":\"x\"}", IMPORT_TOOL_CALLS},
		{"{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{}]}", IMPORT_TOOL_CALLS},
		{"{\"role\":\"assistant\",\"content\":\"\",\"toolCalls\":\"[{}]\"}", IMPORT_TOOL_CALLS},
		{"{\"role\":\"narrator\",\"content\":\"x\"}", IMPORT_UNKNOWN_ROLES},
		{"{\"role\":\"user\",\"says\":\"x\"}", IMPORT_UNKNOWN_ROLES},
		{"{\"content\":\"x\"}", IMPORT_UNKNOWN_ROLES},
		{"\"x\"", IMPORT_UNKNOWN_ENTRIES}, {"7", IMPORT_UNKNOWN_ENTRIES},
		{"{\"role\":\"user\",\"content\":[{\"type\":\"image_url\"}]}", IMPORT_IMAGES},
		{"{\"role\":\"user\",\"content\":[{\"type\":\"input_audio\"}]}", IMPORT_SOUNDS},
		{"{\"role\":\"user\",\"content\":[{\"type\":\"input_file\"}]}", IMPORT_OTHER_FILES},
		{"{\"role\":\"user\",\"content\":[{\"type\":\"hologram\"}]}", IMPORT_UNKNOWN_PARTS},
		{"{\"role\":\"user\",\"content\":5}", IMPORT_UNKNOWN_PARTS},
		{"{\"role\":\"user\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"x\"}]}", IMPORT_OTHER_TEXTS},
		{"{\"role\":\"user\",\"content\":null,\"reasoning_content\":\"x\"}", IMPORT_OTHER_TEXTS},
		{"{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"\",\"content\":\"x\"}]}", IMPORT_MESSAGES},
		{"{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"\",\"text\":\"x\"}]}", IMPORT_MESSAGES},
		{"{\"role\":\"assistant\",\"content\":null,\"refusal\":\"x\"}", IMPORT_MESSAGES},
		{"{\"role\":\"user\",\"content\":\"\",\"attachments\":\"x\"}", IMPORT_IMAGES},
		{"{\"role\":\"user\",\"content\":\"\",\"images\":[[\"x\"]]}", IMPORT_IMAGES},
		{"{\"role\":\"assistant\",\"content\":null,\"audio\":{\"id\":\"x\"}}", IMPORT_OTHER_FILES},
	};
	enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

	for (int round = 0; round < 2000; round++) {
		size_t expected[IMPORT_N_KINDS] = {1};
		struct import import;
		struct error err;
		struct buf text = {.max = KIB(64)};

		buf_puts(&text, "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}");
		for (unsigned i = pick(8); i--;) {
			unsigned kind = pick(N_KINDS);

			buf_printf(&text, ",%s", kinds[kind].message);
			expected[kinds[kind].kind]++;
		}
		buf_puts(&text, "]}");
		cr_assert_eq(import_read(&import, "file", text.data, text.len, NULL, &err), STATUS_OK, "%s", err.text);
		for (int kind = 0; kind < IMPORT_N_KINDS; kind++)
			cr_assert_eq(import.counts.n[kind], expected[kind], "kind %d: %zu of\n%s", kind, import.counts.n[kind],
			             text.data);
		buf_free(&text);
		import_free(&import);
	}
}

/* A part, a chat, a version of a message that says several things: the first is taken, the others are, too, or
 * are counted. */
Test(import_formats, keep_or_count_second_texts)
{
	assert_read("{\"messages\":[{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"a\",\"content\":\"b\"}]}]}",
	            "|0a a*|", "Left out: 1 second text of a message.");
	assert_read("{\"messages\":[{\"role\":\"assistant\",\"content\":[{\"text\":\"a\",\"thinking\":\"h\",\"refusal\":\"a\"}]}]}",
	            "|0a a (h)*|", ALL("1 message"));
	assert_read("{\"messages\":[{\"role\":\"assistant\",\"content\":[{\"type\":\"reasoning\",\"content\":[{\"text\":\"h\"}],"
	            "\"summary\":[{\"type\":\"summary_text\",\"text\":\"s\"}]},{\"type\":\"text\",\"text\":\"a\"}]}]}",
	            "|0a a (s\n\nh)*|", ALL("1 message"));
	assert_read("{\"system\":\"s\",\"instructions\":\"t\",\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}",
	            "|0s s|1u q*|", "Left out: 1 second text of a message.");
	assert_read("{\"system\":\"s\",\"preprompt\":\"s\",\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}",
	            "|0s s|1u q*|", ALL("2 messages"));
	assert_read("{\"user_name\":\"U\",\"character_name\":\"C\"}\n{\"name\":\"C\",\"is_user\":false,\"mes\":\"c\","
	            "\"swipes\":[\"a\",\"b\"],\"swipe_id\":1}", "C|0a a|0a b|0a c*|", ALL("3 messages"));
	assert_read("[{\"role\":\"user\",\"content\":\"t\xe9xt\"}]", "|0u t\xef\xbf\xbdxt*|", "Left out: 1 byte that is not UTF-8.");
	assert_read("\xef\xbb\xbf{\"role\":\"user\",\"content\":\"a\"}\n\xef\xbb\xbf{\"role\":\"user\",\"content\":\"b\"}", "|0u a|1u b*|",
	            ALL("2 messages"));
}

/* A map of messages and a list of them that overlap in any way: each message comes once, and what a second
 * text of one says is counted. */
Test(import_formats, take_messages_of_both_places_once)
{
	for (int round = 0; round < 3000; round++) {
		const unsigned n = 1 + pick(MOST);
		size_t n_taken = 0, n_others = 0, n_images = 0;
		struct import import;
		struct buf text = {.max = KIB(64)}, list = {.max = KIB(64)};
		struct error err;

		buf_puts(&text, "{\"chat\":{\"history\":{\"messages\":{");
		for (unsigned i = 0; i < n; i++) {
			const unsigned where = i ? pick(3) : 0; /* the map, the list, both */
			const bool differs = where == 2 && !pick(4), has_image = !pick(4);
			struct buf *to[] = {&text, &list};

			for (int k = 0; k < 2; k++) {
				if (where != 2 && (unsigned)k != where)
					continue;
				if (k == 0)
					buf_printf(to[k], "%s\"i%u\":", i ? "," : "", i);
				else
					buf_puts(to[k], list.len ? "," : "");
				buf_printf(to[k], "{\"id\":\"i%u\",\"role\":\"user\",\"content\":[\"m%u%s\"%s]", i, i,
				           k && differs ? " and more" : "", has_image ? ",{\"type\":\"image_url\"}" : "");
				if (i)
					buf_printf(to[k], ",\"parentId\":\"i%u\"", pick(i));
				buf_putc(to[k], '}');
			}
			n_taken++;
			n_images += has_image;
			n_others += differs;
		}
		buf_printf(&text, "}},\"messages\":[%s]}}", buf_text(&list));
		cr_assert_eq(import_read(&import, "file", text.data, text.len, NULL, &err), STATUS_OK, "%s", err.text);
		cr_assert_eq(import.counts.n[IMPORT_MESSAGES], n_taken, "%zu of %zu: %s", import.counts.n[IMPORT_MESSAGES],
		             n_taken, text.data);
		cr_assert_eq(import.counts.n[IMPORT_OTHER_TEXTS], n_others, "%s", text.data);
		cr_assert_eq(import.counts.n[IMPORT_IMAGES], n_images, "%s", text.data);
		cr_assert_eq(!import_n_left_out(&import.counts), !n_others && !n_images);
		buf_free(&text);
		buf_free(&list);
		import_free(&import);
	}
}

/* Pairs with any versions of either side. */
Test(import_formats, take_all_versions_of_pairs)
{
	for (int round = 0; round < 3000; round++) {
		const unsigned n = 1 + pick(MOST);
		size_t n_taken = 0, n_empty = 0, n_unknown = 0;
		const char *before = "";
		struct import import;
		struct buf text = {.max = KIB(64)}, metadata = {.max = KIB(64)};
		struct error err;

		buf_puts(&text, "{\"internal\":[");
		for (unsigned i = 0; i < n; i++) {
			buf_printf(&text, "%s[\"user %u\",\"assistant %u\"]", i ? "," : "", i, i);
			n_taken += 2;
			for (int k = 0; k < 2; k++) {
				const char *who = k ? "assistant" : "user";

				if (pick(3))
					continue;
				buf_printf(&metadata, "%s\"%s_%u\":{\"versions\":[{\"content\":\"%s %u\"}", before, who, i, who, i);
				before = ",";
				for (unsigned v = pick(4); v--;) {
					const unsigned kind = pick(4);

					buf_puts(&metadata, kind == 0   ? ",{\"content\":\"\"}"
					                    : kind == 1 ? ",7"
					                                : ",{\"content\":\"<think>hm</think>other\"}");
					n_empty += kind == 0;
					n_unknown += kind == 1;
					n_taken += kind > 1;
				}
				buf_puts(&metadata, "]}");
			}
		}
		if (pick(2)) {
			buf_printf(&metadata, "%s\"user_%u\":{\"versions\":[]}", before, n);
			n_unknown++;
		}
		buf_printf(&text, "],\"visible\":[],\"metadata\":{%s}}", buf_text(&metadata));
		cr_assert_eq(import_read(&import, "file", text.data, text.len, NULL, &err), STATUS_OK, "%s", err.text);
		cr_assert_eq(import.counts.n[IMPORT_MESSAGES], n_taken, "%s", text.data);
		cr_assert_eq(import.counts.n[IMPORT_EMPTY], n_empty, "%s", text.data);
		cr_assert_eq(import.counts.n[IMPORT_UNKNOWN_ENTRIES], n_unknown, "%s", text.data);
		cr_assert_eq(!import_n_left_out(&import.counts), !n_unknown);
		buf_free(&text);
		buf_free(&metadata);
		import_free(&import);
	}
}

/* What is known of a message is not looked for among all of them. */
Test(import_formats, take_many_pairs)
{
	enum { N_PAIRS = 40000, LIMIT_MS = 6000 }; /* 60 ms were measured; looking for each takes a minute */
	const uint64_t start = test_cpu_ms();
	struct import import;
	struct buf text = {.max = MIB(16)};
	struct error err;

	buf_puts(&text, "{\"internal\":[");
	for (unsigned i = 0; i < N_PAIRS; i++)
		buf_printf(&text, "%s[\"q\",\"a\"]", i ? "," : "");
	buf_puts(&text, "],\"visible\":[],\"metadata\":{");
	for (unsigned i = 0; i < N_PAIRS; i++)
		buf_printf(&text, "%s\"assistant_%u\":{\"timestamp\":1700000000},\"user_%u\":{}", i ? "," : "", i, i);
	buf_puts(&text, "}}");
	cr_assert_eq(import_read(&import, "file", text.data, text.len, NULL, &err), STATUS_OK, "%s", err.text);
	cr_expect_eq(import.counts.n[IMPORT_MESSAGES], 2 * N_PAIRS);
	cr_expect(!import_n_left_out(&import.counts));
	cr_expect_lt(test_cpu_ms() - start, LIMIT_MS);
	buf_free(&text);
	import_free(&import);
}
