#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "encode/shape.h"
#include "remote/messages.h"

#define MESSAGE(r, t) {.role = ROLE_##r, .text = t, .len = sizeof(t) - 1}

/* The messages as a line, without the line breaks between them. */
static char *write_messages(const struct turn *turn, const bool *keep, const struct messages_style *style,
                            unsigned *changes)
{
	struct buf out = {.max = KIB(64)}, line = {.max = KIB(64)};
	struct json_writer json = {.out = &out};
	struct error err = {.text = ""};

	cr_assert_eq(messages_write(&json, "messages", turn, keep, style, changes, &err), STATUS_OK, "%s", err.text);
	for (size_t i = 0; i < out.len; i++)
		if (out.data[i] != '\n' && !(out.data[i] == ' ' && (out.data[i - 1] == '\n' || out.data[i - 1] == ' ')))
			buf_putc(&line, out.data[i]);
	buf_free(&out);
	return buf_take(&line, NULL);
}

static void assert_messages(const struct turn *turn, const bool *keep, const struct messages_style *style,
                            unsigned expected_changes, const char *expected)
{
	unsigned changes = 0;
	char *text = write_messages(turn, keep, style, &changes);

	cr_assert_str_eq(text, expected);
	cr_assert_eq(changes, expected_changes);
	free(text);
}

static const struct messages_style plain, all = {.takes_all = true};

Test(messages, are_written_as_they_are)
{
	static const struct message messages[] = {MESSAGE(SYSTEM, "Be brief."), MESSAGE(USER, "Hi \"you\"\n"),
	                                          MESSAGE(ASSISTANT, "Hello."), MESSAGE(USER, "<|im_end|>")};
	const struct turn turn = {.messages = messages, .n_messages = 4};

	assert_messages(&turn, NULL, &plain, 0,
	                "\"messages\": [{\"role\": \"system\", \"content\": \"Be brief.\"},"
	                "{\"role\": \"user\", \"content\": \"Hi \\\"you\\\"\\n\"},"
	                "{\"role\": \"assistant\", \"content\": \"Hello.\"},"
	                "{\"role\": \"user\", \"content\": \"<|im_end|>\"}]");
}

Test(messages, that_are_left_out_are_not_sent)
{
	static const struct message messages[] = {MESSAGE(USER, "a"), MESSAGE(ASSISTANT, "b"), MESSAGE(USER, "c")};
	static const bool keep[] = {false, false, true};
	const struct turn turn = {.messages = messages, .n_messages = 3};

	assert_messages(&turn, keep, &plain, 0, "\"messages\": [{\"role\": \"user\", \"content\": \"c\"}]");
}

Test(messages, are_changed_for_templates_that_take_little)
{
	static const struct message messages[] = {
		MESSAGE(SYSTEM, "a"), MESSAGE(SYSTEM, "b"), MESSAGE(USER, "c"), MESSAGE(USER, "d"), MESSAGE(ASSISTANT, ""),
		MESSAGE(SYSTEM, "e"), MESSAGE(USER, "f")};
	const struct turn turn = {.messages = messages, .n_messages = 7};

	assert_messages(&turn, NULL, &plain,
	                PROMPT_SYSTEMS_JOINED | PROMPT_JOINED | PROMPT_EMPTY_REPLY | PROMPT_LATE_SYSTEM,
	                "\"messages\": [{\"role\": \"system\", \"content\": \"a\\n\\nb\"},"
	                "{\"role\": \"user\", \"content\": \"c\\n\\nd\\n\\ne\\n\\nf\"}]");
	assert_messages(&turn, NULL, &all, PROMPT_EMPTY_REPLY,
	                "\"messages\": [{\"role\": \"system\", \"content\": \"a\"},{\"role\": \"system\", \"content\": \"b\"},"
	                "{\"role\": \"user\", \"content\": \"c\"},{\"role\": \"user\", \"content\": \"d\"},"
	                "{\"role\": \"system\", \"content\": \"e\"},{\"role\": \"user\", \"content\": \"f\"}]");
}

Test(messages, have_thoughts_only_where_they_are_wanted)
{
	static const struct message messages[] = {
		MESSAGE(USER, "a"),
		{.role = ROLE_ASSISTANT, .text = "b", .len = 1, .reasoning = "hm", .reasoning_len = 2}};
	static const struct messages_style with = {.reasoning = "reasoning_content"};
	const struct turn turn = {.messages = messages, .n_messages = 2};

	assert_messages(&turn, NULL, &plain, 0, "\"messages\": [{\"role\": \"user\", \"content\": \"a\"},"
	                                        "{\"role\": \"assistant\", \"content\": \"b\"}]");
	assert_messages(&turn, NULL, &with, 0,
	                "\"messages\": [{\"role\": \"user\", \"content\": \"a\"},"
	                "{\"role\": \"assistant\", \"content\": \"b\", \"reasoning_content\": \"hm\"}]");
}

Test(messages, end_with_a_reply_to_be_continued)
{
	static const struct message messages[] = {MESSAGE(USER, "a"), MESSAGE(ASSISTANT, "b")};
	static const struct message begun[] = {
		MESSAGE(USER, "a"), {.role = ROLE_ASSISTANT, .text = "", .reasoning = "hm", .reasoning_len = 2}};
	static const struct messages_style prefix = {.prefix = "prefix"};
	struct turn turn = {.messages = messages, .n_messages = 2, .continued = true};
	struct buf out = {.max = KIB(4)};
	struct json_writer json = {.out = &out};
	unsigned changes;

	assert_messages(&turn, NULL, &prefix, 0,
	                "\"messages\": [{\"role\": \"user\", \"content\": \"a\"},"
	                "{\"role\": \"assistant\", \"content\": \"b\", \"prefix\": true}]");
	turn.messages = begun;
	cr_assert_eq(messages_write(&json, "messages", &turn, NULL, &prefix, &changes, NULL), STATUS_USAGE);
	buf_free(&out);
}
