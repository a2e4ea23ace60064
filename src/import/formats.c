/* The programs whose files are read: how an object of theirs is recognised, and what it holds. */
#include <string.h>

#include "base/words.h"
#include "import/reading.h"

/* What all programs together call the same thing. */
static const char title_keys[] = "title name conversation_name character_name";
static const char leaf_keys[] =
	"currNode current_node currentId currentNode current_leaf_message_uuid";
static const char system_keys[] =
	"system systemPrompt system_prompt preprompt instructions systemInstruction "
	"system_instruction systemMessage systemRole promptPrefix";
static const char list_keys[] =
	"messages conversations conversation items chat_messages messagesTree contents chunks";

static void read_head(struct reading *reading, struct import_draft *draft,
		      const struct value *object)
{
	reading_replace(reading, &draft->title, member_text(object, title_keys));
	reading_replace(reading, &draft->leaf, id_of(member_get(object, leaf_keys)));
	reading_replace(reading, &draft->model, member_text(object, import_model_keys));
	if (!draft->created)
		draft->created = date_of(member_get(object, import_date_keys));
}

/* Above the chat; of several texts, as of a message, the first. */
static void read_system(struct reading *reading, struct import_draft *draft,
			const struct value *object)
{
	const char *keys = system_keys;

	for (size_t len; words_list_next(&keys, &len); keys += len) {
		const struct value *system = member_named(object, keys, len);
		struct import_message *message;

		if (draft->n && system) {
			content_count_other(reading, &draft->messages[0].text, system, false);
		} else if ((message = draft_say(reading, draft, ROLE_SYSTEM, system))) {
			message->is_left_out = !message->text.len;
			draft->has_system = !message->is_left_out;
		}
	}
}

/* A list, or an object whose members are the messages. */
static void read_list(struct reading *reading, struct import_draft *draft, const struct value *list)
{
	for (const struct value *item = list->first; item && !reading->status; item = item->next) {
		if (item->kind == JSON_OBJECT)
			format_read(reading, draft, item);
		else if (item->kind != JSON_NULL)
			reading_count(reading, IMPORT_UNKNOWN_ENTRIES, 1);
	}
}

/* The lists of an object, or of Open WebUI's history, one after the other. */
static void read_lists(struct reading *reading, struct import_draft *draft, const struct value *object,
                       const char *keys, bool *is_first)
{
	for (size_t len; words_list_next(&keys, &len); keys += len) {
		const struct value *list = member_named(object, keys, len);

		if (!list || (!*is_first && !json_is_list(list)))
			continue;
		if (*is_first)
			read_list(reading, draft, list);
		else
			format_read_again(reading, draft, list);
		*is_first = !list->len && *is_first;
	}
}

/* A chat with its messages in one of the lists, or in several. */
static void read_chat(struct reading *reading, struct import_draft *draft,
                      const struct value *object)
{
	const struct value *conv = member_get(object, "conv chat chunkedPrompt");
	bool is_first = true;

	read_head(reading, draft, object);
	if (conv) {
		read_head(reading, draft, conv);
		read_head(reading, draft, member_get(conv, "history"));
	}
	read_system(reading, draft, object);
	read_system(reading, draft, conv);
	read_lists(reading, draft, object, list_keys, &is_first);
	read_lists(reading, draft, member_get(conv, "history"), "messages", &is_first);
	read_lists(reading, draft, conv, list_keys, &is_first);
}

/* ChatGPT's: messages by id, each in a node that knows its parent. */
static void read_mapping(struct reading *reading, struct import_draft *draft,
                         const struct value *object)
{
	read_head(reading, draft, object);
	for (const struct value *node = member_get(object, "mapping")->first;
	     node && !reading->status; node = node->next) {
		const struct value *inner = member_get(node, "message");
		struct import_message *message;

		if (inner && inner->kind == JSON_OBJECT)
			format_read(reading, draft, inner);
		else if ((message = draft_add(reading, draft)))
			message->is_left_out = true;
		if (!draft->n)
			continue;
		message = &draft->messages[draft->n - 1];
		reading_replace(reading, &message->id, node->key[0] ? node->key : NULL);
		reading_replace(reading, &message->parent, id_of(member_get(node, "parent")));
		message->is_first = !message->parent;
	}
}

/* llama.ui's dump of its tables. */
static void read_table(struct reading *reading, struct import_draft *outer,
		       const struct value *object)
{
	const bool heads = json_is(member_get(object, "table"), "conversations");

	(void)outer;
	for (const struct value *row = member_get(object, "rows")->first; row && !reading->status;
	     row = row->next) {
		const char *key = id_of(member_get(row, heads ? "id" : "convId"));
		struct import_draft *draft =
		    row->kind == JSON_OBJECT && key ? reading_draft(reading, key) : NULL;

		if (draft && heads)
			read_head(reading, draft, row);
		else if (draft)
			message_read(reading, draft, row);
		else
			reading_count(reading, IMPORT_UNKNOWN_ENTRIES, 1);
	}
}

/* llama.cpp's, a line for the chat and one for each message; SillyTavern's first line. */
static void read_session(struct reading *reading, struct import_draft *outer,
			 const struct value *object)
{
	struct import_draft *draft = reading_draft(reading, NULL);

	(void)outer;
	if (draft && draft->n)
		reading_end(reading, draft);
	draft = reading_draft(reading, NULL);
	if (draft)
		read_head(reading, draft, object);
}

static void read_wrapped(struct reading *reading, struct import_draft *draft,
			 const struct value *object)
{
	const struct value *inner = member_get(object, "message");

	if (!draft)
		draft = reading_draft(reading, NULL);
	if (draft && inner->kind == JSON_OBJECT)
		message_read(reading, draft, inner);
	else
		reading_count(reading, IMPORT_UNKNOWN_ENTRIES, 1);
}

/* llm's: a question with its answer, of a conversation. */
static void read_exchange(struct reading *reading, struct import_draft *outer,
			  const struct value *object)
{
	const char *key = id_of(member_get(object, "conversation_id id"));
	struct import_draft *draft = outer ? outer : reading_draft(reading, key);
	const int64_t created = date_of(member_get(object, import_date_keys));
	size_t from = draft ? draft->n : 0;
	struct import_message *message;

	if (!draft)
		return;
	reading_replace(reading, &draft->title, member_text(object, "conversation_name"));
	draft->by_date = true;
	if (!from)
		draft_say(reading, draft, ROLE_SYSTEM, member_get(object, "system"));
	message = draft_say(reading, draft, ROLE_USER, member_get(object, "prompt"));
	if (message)
		content_put_files(reading, message,
				  member_get(object, "attachments prompt_attachments"));
	message = draft_say(reading, draft, ROLE_ASSISTANT, member_get(object, "response"));
	if (message) {
		reading_replace(reading, &message->model, member_text(object, import_model_keys));
		if (member_get(object, "reasoning"))
			content_put(reading, message, member_get(object, "reasoning"), true);
	}
	content_count_calls(reading, member_get(object, "tool_calls"), IMPORT_TOOL_CALLS);
	content_count_calls(reading, member_get(object, "tool_results"), IMPORT_TOOL_RESULTS);
	for (size_t i = from; i < draft->n; i++)
		draft->messages[i].created = created;
}

/* A message, maybe in a list of them without a chat around it. */
static void read_alone(struct reading *reading, struct import_draft *draft,
		       const struct value *object)
{
	if (!draft)
		draft = reading_draft(
		    reading, id_of(member_get(object, "thread_id conversation_id conversationId")));
	if (draft)
		message_read(reading, draft, object);
}

/* An object is of the first row all of whose signs it has: keys, or "key=string". In a list of
 * messages only rows of messages are looked at. */
static const struct {
	const char *program; /* NULL: named before */
	const char *signs;
	enum { CHAT, MESSAGE, PART /* of chats: the reader finds their drafts */ } is;
	void (*read)(struct reading *reading, struct import_draft *draft,
		     const struct value *object);
} formats[] = {
	{"llama.cpp's web interface", "type=session", PART, read_session},
	{NULL, "type=message message", MESSAGE, read_wrapped},
	{NULL, "conv messages", CHAT, read_chat},
	{"llama.ui", "table rows", PART, read_table},
	{"ChatGPT", "mapping", CHAT, read_mapping},
	{"Claude", "chat_messages", CHAT, read_chat},
	{"Open WebUI", "chat", CHAT, read_chat},
	{"LibreChat", "messagesTree", CHAT, read_chat},
	{"SillyTavern", "mes", MESSAGE, format_read_tavern},
	{NULL, "chat_metadata", PART, read_session},
	{NULL, "user_name character_name", PART, read_session},
	{"LM Studio", "versions", MESSAGE, format_read_versions},
	{NULL, "steps role", MESSAGE, format_read_steps},
	{"text-generation-webui", "internal", CHAT, format_read_pairs},
	{"llm", "prompt response", MESSAGE, read_exchange},
	{"Google AI Studio", "chunkedPrompt", CHAT, read_chat},
	{"Jan", "object=thread.message", MESSAGE, read_alone},
	{"OpenAI's and Anthropic's interfaces", "messages", CHAT, read_chat},
	{NULL, "contents", CHAT, read_chat},
	{NULL, "items", CHAT, read_chat},
	{"ShareGPT", "conversations", CHAT, read_chat},
	{NULL, "conversation", CHAT, read_chat},
	{NULL, "role", MESSAGE, read_alone},
	{NULL, "from", MESSAGE, read_alone},
	{NULL, "sender", MESSAGE, read_alone},
	{NULL, "author", MESSAGE, read_alone},
	{NULL, "isCreatedByUser", MESSAGE, read_alone},
};

static bool has_sign(const struct value *object, const char *sign, size_t len)
{
	const char *is = memchr(sign, '=', len);
	const struct value *value = member_named(object, sign, is ? (size_t)(is - sign) : len);
	size_t n = is ? len - (size_t)(is + 1 - sign) : 0;

	if (!is)
		return value != NULL;
	return value && value->kind == JSON_STRING && value->len == n && memcmp(value->text, is + 1, n) == 0;
}

static bool has_signs(const struct value *object, const char *signs)
{
	for (size_t len; words_list_next(&signs, &len); signs += len)
		if (!has_sign(object, signs, len))
			return false;
	return true;
}

void format_read(struct reading *reading, struct import_draft *draft, const struct value *object)
{
	const char *type = member_text(object, "type");
	enum import_kind kind = type ? content_kind(type) : IMPORT_N_KINDS;

	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
		if ((!draft || formats[i].is == MESSAGE) && has_signs(object, formats[i].signs)) {
			struct import_draft chat = {.n = 0};

			formats[i].read(reading, formats[i].is == CHAT ? &chat : draft, object);
			if (formats[i].is == CHAT)
				draft_end(reading, &chat);
			return;
		}
	if (draft)
		message_read(reading, draft, object);
	else
		reading_count(reading, kind == IMPORT_N_KINDS ? IMPORT_UNKNOWN_ENTRIES : kind, 1);
}

void import_put_formats(struct buf *out)
{
	const char *before = "";

	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
		if (formats[i].program) {
			buf_printf(out, "%s%s", before, formats[i].program);
			before = ", ";
		}
}
