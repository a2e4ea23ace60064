/* The programs whose files are read: how an object of theirs is recognised, and what it holds. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "base/words.h"
#include "import/date.h"
#include "import/reading.h"

/* What all programs together call the same thing. */
static const char content_keys[] = "content value text mes message parts body refusal transcript";
static const char reasoning_keys[] = "reasoning_content reasoningContent thinking reasoning";
static const char id_keys[] = "id _id uuid messageId message_id";
static const char parent_keys[] =
	"parent parentId parent_id parentMessageId parent_message_id parent_message_uuid";
static const char date_keys[] =
	"created_at createdAt create_time created timestamp time date send_date datetime_utc "
	"create_date updated_at updatedAt lastModified";
static const char model_keys[] =
	"model model_slug modelName model_name model_id conversation_model";
static const char file_keys[] = "extra attachments files files_v2 images prompt_attachments documents audio";
static const char title_keys[] = "title name conversation_name character_name";
static const char leaf_keys[] =
	"currNode current_node currentId currentNode current_leaf_message_uuid";
static const char system_keys[] =
	"system systemPrompt system_prompt preprompt instructions systemInstruction "
	"system_instruction systemMessage systemRole promptPrefix";
static const char list_keys[] =
	"messages conversations conversation items chat_messages messagesTree contents chunks";

static const struct {
	const char *names;
	enum role role;
} roles[] = {
	{"user human you prompter", ROLE_USER},
	{"assistant gpt chatgpt model bot bing bard claude ai llm", ROLE_ASSISTANT},
	{"system developer", ROLE_SYSTEM},
};
static const char call_roles[] = "function_call tool_call tool_use";
static const char result_roles[] =
	"tool function observation ipython tool_result function_response tool_response";

static const char *role_text(const struct value *object)
{
	const char *name = member_text(object, "role from");
	const struct value *by_user = member_get(object, "isCreatedByUser is_user");

	if (!name)
		name = member_text(member_get(object, "author"), "role");
	if (!name && by_user)
		name = json_is_true(by_user) ? "user" : "assistant";
	return name ? name : member_text(object, "sender speaker author");
}

/* False: nobody who has a place in a chat; it is counted. */
static bool find_role(struct reading *reading, const struct value *object, enum role *role)
{
	const char *name = role_text(object), *type = member_text(object, "type");
	enum import_kind kind = IMPORT_UNKNOWN_ROLES;
	char small[32] = "";

	for (size_t i = 0; name && i + 1 < sizeof small && name[i]; i++)
		small[i] =
		    (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] + ('a' - 'A') : name[i]);
	for (size_t i = 0; name && i < sizeof roles / sizeof roles[0]; i++)
		if (words_have(roles[i].names, small, strlen(small))) {
			*role = roles[i].role;
			return true;
		}
	if (words_have(call_roles, small, strlen(small)))
		kind = IMPORT_TOOL_CALLS;
	else if (words_have(result_roles, small, strlen(small)))
		kind = IMPORT_TOOL_RESULTS;
	else if (!name && type && content_kind(type) != IMPORT_N_KINDS)
		kind = content_kind(type);
	reading_count(reading, kind, 1);
	return false;
}

static void replace(struct reading *reading, char **to, const char *text)
{
	if (!text)
		return;
	free(*to);
	*to = reading_copy(reading, text);
}

/* The texts of all keys that have one: the first counts; others that say something else are
 * counted. */
static void read_texts(struct reading *reading, struct import_message *message,
		       const struct value *object, const char *keys, bool is_thought)
{
	struct buf *to = is_thought ? &message->reasoning : &message->text;
	const size_t before = to->len;

	for (size_t len; words_list_next(&keys, &len); keys += len) {
		const struct value *value = member_named(object, keys, len);

		if (!value)
			continue;
		if (to->len == before && !(message->files && !is_thought)) {
			if (is_thought)
				content_put_reasoning(reading, message, value);
			else
				content_put(reading, message, value);
		} else {
			content_count_other(reading, to, value, is_thought);
		}
	}
}

static void read_place(struct reading *reading, struct import_message *message,
		       const struct value *object)
{
	const struct value *ancestors = member_get(object, "ancestors"),
			   *parent = member_get(object, parent_keys);

	replace(reading, &message->id, id_of(member_get(object, id_keys)));
	if (!parent && json_is_list(ancestors))
		parent = ancestors->last;
	replace(reading, &message->parent, id_of(parent));
	message->is_first = !message->parent && (member_has(object, parent_keys) || ancestors);
	message->created = date_of(member_get(object, date_keys));
}

static size_t count_left_out(const struct reading *reading)
{
	size_t n = 0;

	for (int i = IMPORT_FIRST_LEFT_OUT; i < IMPORT_N_KINDS; i++)
		n += reading->import->counts.n[i];
	return n;
}

/* A message of most programs. */
static void read_message(struct reading *reading, struct import_draft *draft,
			 const struct value *object)
{
	struct import_message *message = draft_add(reading, draft);
	const struct value *children = member_get(object, "children");
	size_t self = draft->n;

	if (!message)
		return;
	read_place(reading, message, object);
	replace(reading, &message->model, member_text(object, model_keys));
	if (!message->model)
		replace(reading, &message->model,
			member_text(member_get(object, "metadata"), "model_slug"));
	if (!find_role(reading, object, &message->role)) {
		message->is_left_out = true;
	} else {
		const bool has_text = member_has(object, content_keys) ||
				      member_has(object, "tool_calls toolCalls function_call");
		const size_t n_left_out = count_left_out(reading);
		const char *key = file_keys;

		read_texts(reading, message, object, reasoning_keys, true);
		read_texts(reading, message, object, content_keys, false);
		for (size_t len; words_list_next(&key, &len); key += len)
			content_put_files(reading, message, member_named(object, key, len));
		content_count_calls(reading,
				    member_get(object, "tool_calls toolCalls function_call"),
				    IMPORT_TOOL_CALLS);
		if (message->role == ROLE_ASSISTANT)
			content_split_thoughts(reading, message);
		if (json_is_true(member_get(object, "isThought")) &&
		    buf_append(&message->reasoning, message->text.data, message->text.len) ==
			STATUS_OK)
			buf_clear(&message->text);
		if (!message->text.len && !message->files &&
		    !(message->role == ROLE_ASSISTANT && message->reasoning.len)) {
			message->is_left_out = true;
			if (message->reasoning.len) /* of a question */
				reading_count(reading, IMPORT_OTHER_TEXTS, 1);
			else if (!has_text)
				reading_count(reading, IMPORT_UNKNOWN_ROLES, 1);
			else if (count_left_out(reading) == n_left_out &&
				 !json_is(member_get(object, "type"), "root"))
				reading_count(reading, IMPORT_EMPTY, 1);
		}
	}
	/* LibreChat nests what follows. */
	for (const struct value *child = json_is_list(children) ? children->first : NULL; child;
	     child = child->next)
		if (child->kind == JSON_OBJECT) {
			draft->tip = self;
			format_read(reading, draft, child);
		}
}

static void read_head(struct reading *reading, struct import_draft *draft,
		      const struct value *object)
{
	replace(reading, &draft->title, member_text(object, title_keys));
	replace(reading, &draft->leaf, id_of(member_get(object, leaf_keys)));
	replace(reading, &draft->model, member_text(object, model_keys));
	if (!draft->created)
		draft->created = date_of(member_get(object, date_keys));
}

static void read_system_text(struct reading *reading, struct import_draft *draft,
			     const struct value *system)
{
	struct import_message *message;

	if (!system || (system->kind == JSON_STRING && !system->len))
		return;
	if (draft->n) {
		content_count_other(reading, &draft->messages[0].text, system, false);
		return;
	}
	message = draft_add(reading, draft);
	if (!message)
		return;
	message->role = ROLE_SYSTEM;
	content_put(reading, message, system);
	message->is_left_out = !message->text.len;
	draft->has_system = !message->is_left_out;
}

/* Above the chat; of several texts, as of a message, the first. */
static void read_system(struct reading *reading, struct import_draft *draft,
			const struct value *object)
{
	const char *keys = system_keys;

	for (size_t len; words_list_next(&keys, &len); keys += len)
		read_system_text(reading, draft, member_named(object, keys, len));
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

		if (!list || list->kind == JSON_NULL || (!*is_first && !json_is_list(list)))
			continue;
		if (*is_first)
			read_list(reading, draft, list);
		else
			format_read_again(reading, draft, list);
		*is_first = !list->len && *is_first;
	}
}

/* A chat with its messages in one of the lists, or in several. */
static void read_chat(struct reading *reading, struct import_draft *outer,
		      const struct value *object)
{
	struct import_draft draft = {.n = 0};
	const struct value *conv = member_get(object, "conv chat chunkedPrompt");
	bool is_first = true;

	(void)outer;
	read_head(reading, &draft, object);
	if (conv) {
		read_head(reading, &draft, conv);
		read_head(reading, &draft, member_get(conv, "history"));
	}
	read_system(reading, &draft, object);
	read_system(reading, &draft, conv);
	read_lists(reading, &draft, object, list_keys, &is_first);
	read_lists(reading, &draft, member_get(conv, "history"), "messages", &is_first);
	read_lists(reading, &draft, conv, list_keys, &is_first);
	draft_end(reading, &draft);
}

/* ChatGPT's: messages by id, each in a node that knows its parent. */
static void read_mapping(struct reading *reading, struct import_draft *outer,
			 const struct value *object)
{
	struct import_draft draft = {.n = 0};

	(void)outer;
	read_head(reading, &draft, object);
	for (const struct value *node = member_get(object, "mapping")->first;
	     node && !reading->status; node = node->next) {
		const struct value *inner = member_get(node, "message");
		struct import_message *message;

		if (inner && inner->kind == JSON_OBJECT)
			format_read(reading, &draft, inner);
		else if ((message = draft_add(reading, &draft)))
			message->is_left_out = true;
		if (!draft.n)
			continue;
		message = &draft.messages[draft.n - 1];
		replace(reading, &message->id, node->key[0] ? node->key : NULL);
		replace(reading, &message->parent, id_of(member_get(node, "parent")));
		message->is_first = !message->parent;
	}
	draft_end(reading, &draft);
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
			read_message(reading, draft, row);
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
		read_message(reading, draft, inner);
	else
		reading_count(reading, IMPORT_UNKNOWN_ENTRIES, 1);
}

/* Several takes of a message; what follows hangs on the chosen one. */
static void read_takes(struct reading *reading, struct import_draft *draft,
		       const struct value *takes, int64_t chosen, const struct value *like)
{
	const struct value *reasoning = member_get(member_get(like, "extra"), "reasoning");
	const size_t base = draft->tip;
	size_t tip = base;
	int64_t i = 0;

	for (const struct value *take = takes->first; take && !reading->status;
	     take = take->next, i++) {
		draft->tip = base;
		if (take->kind == JSON_OBJECT) {
			format_read(reading, draft, take);
		} else if (take->kind == JSON_STRING) {
			struct import_message *message = draft_add(reading, draft);

			if (!message)
				return;
			message->role =
			    json_is_true(member_get(like, "is_user")) ? ROLE_USER : ROLE_ASSISTANT;
			message->created = date_of(member_get(like, date_keys));
			replace(reading, &message->model,
				message->role == ROLE_ASSISTANT ? member_text(like, "name") : NULL);
			content_put(reading, message, take);
			if (message->role == ROLE_ASSISTANT)
				content_split_thoughts(reading, message);
			if (reasoning && (i == chosen || takes->len == 1))
				content_put_reasoning(reading, message, reasoning);
			message->is_left_out = !message->text.len && !message->reasoning.len;
			reading_count(reading, IMPORT_EMPTY, message->is_left_out);
		}
		if (i == chosen || (i == 0 && tip == base))
			tip = draft->tip;
	}
	draft->tip = tip;
}

static int64_t index_of(const struct value *object, const char *key)
{
	const char *text = member_text(object, key);

	return text ? strtol(text, NULL, 10) : 0;
}

/* LM Studio's. */
static void read_versions(struct reading *reading, struct import_draft *draft,
			  const struct value *object)
{
	if (draft)
		read_takes(reading, draft, member_get(object, "versions"),
			   index_of(object, "currentlySelected"), object);
}

static void read_steps(struct reading *reading, struct import_draft *draft,
		       const struct value *object)
{
	struct import_message *message = draft ? draft_add(reading, draft) : NULL;

	if (!message || !find_role(reading, object, &message->role)) {
		if (message)
			message->is_left_out = true;
		return;
	}
	replace(reading, &message->model,
		member_text(member_get(object, "senderInfo"), "senderName"));
	for (const struct value *step = member_get(object, "steps")->first; step;
	     step = step->next) {
		const struct value *content = member_get(step, "content");

		if (!content)
			continue;
		if (json_is(member_get(member_get(step, "style"), "type"), "thinking"))
			content_put_reasoning(reading, message, content);
		else
			content_put(reading, message, content);
	}
	content_split_thoughts(reading, message);
	message->is_left_out = !message->text.len && !message->reasoning.len;
	reading_count(reading, IMPORT_EMPTY, message->is_left_out);
}

static bool list_has(const struct value *list, const struct value *text)
{
	const struct value *item = list->first;

	while (item && (item->kind != text->kind || item->len != text->len ||
			memcmp(item->text, text->text, text->len) != 0))
		item = item->next;
	return item != NULL;
}

/* SillyTavern's. */
static void read_tavern(struct reading *reading, struct import_draft *draft,
			const struct value *object)
{
	const struct value *swipes = member_get(object, "swipes"),
			   *extra = member_get(object, "extra");
	struct value alone = {.kind = JSON_ARRAY, .len = 1};
	struct value text;
	size_t base;

	if (!draft)
		draft = reading_draft(reading, NULL);
	if (!draft)
		return;
	base = draft->tip;
	text = *member_get(object, "mes");
	text.next = NULL;
	alone.first = &text;
	if (!json_is_list(swipes) || !swipes->len) {
		read_takes(reading, draft, &alone, 0, object);
	} else {
		read_takes(reading, draft, swipes, index_of(object, "swipe_id"), object);
		if (!list_has(swipes, &text)) { /* what is shown was edited after that */
			draft->tip = base;
			read_takes(reading, draft, &alone, 0, object);
		}
	}
	reading_count(reading, IMPORT_IMAGES,
		      member_has(extra, "image") || member_has(extra, "media"));
	reading_count(reading, IMPORT_OTHER_FILES,
		      member_has(extra, "file") || member_has(extra, "files"));
}

/* llm's: a question with its answer, of a conversation. */
static void read_exchange(struct reading *reading, struct import_draft *outer,
			  const struct value *object)
{
	const char *key = id_of(member_get(object, "conversation_id id"));
	struct import_draft *draft = outer ? outer : reading_draft(reading, key);
	const int64_t created = date_of(member_get(object, date_keys));
	size_t from = draft ? draft->n : 0;
	struct import_message *message;

	if (!draft)
		return;
	replace(reading, &draft->title, member_text(object, "conversation_name"));
	draft->by_date = true;
	if (!from)
		draft_say(reading, draft, ROLE_SYSTEM, member_get(object, "system"));
	message = draft_say(reading, draft, ROLE_USER, member_get(object, "prompt"));
	if (message)
		content_put_files(reading, message,
				  member_get(object, "attachments prompt_attachments"));
	message = draft_say(reading, draft, ROLE_ASSISTANT, member_get(object, "response"));
	if (message) {
		replace(reading, &message->model, member_text(object, model_keys));
		if (member_get(object, "reasoning"))
			content_put_reasoning(reading, message, member_get(object, "reasoning"));
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
		read_message(reading, draft, object);
}

/* An object is of the first row all of whose signs it has: keys, or "key=string". In a list of
 * messages only rows of messages are looked at. */
static const struct {
	const char *program; /* NULL: named before */
	const char *signs;
	bool is_message;
	void (*read)(struct reading *reading, struct import_draft *draft,
		     const struct value *object);
} formats[] = {
	{"llama.cpp's web interface", "type=session", false, read_session},
	{NULL, "type=message message", true, read_wrapped},
	{NULL, "conv messages", false, read_chat},
	{"llama.ui", "table rows", false, read_table},
	{"ChatGPT", "mapping", false, read_mapping},
	{"Claude", "chat_messages", false, read_chat},
	{"Open WebUI", "chat", false, read_chat},
	{"LibreChat", "messagesTree", false, read_chat},
	{"SillyTavern", "mes", true, read_tavern},
	{NULL, "chat_metadata", false, read_session},
	{NULL, "user_name character_name", false, read_session},
	{"LM Studio", "versions", true, read_versions},
	{NULL, "steps role", true, read_steps},
	{"text-generation-webui", "internal", false, format_read_pairs},
	{"llm", "prompt response", true, read_exchange},
	{"Google AI Studio", "chunkedPrompt", false, read_chat},
	{"Jan", "object=thread.message", true, read_alone},
	{"OpenAI's and Anthropic's interfaces", "messages", false, read_chat},
	{NULL, "contents", false, read_chat},
	{NULL, "items", false, read_chat},
	{"ShareGPT", "conversations", false, read_chat},
	{NULL, "conversation", false, read_chat},
	{NULL, "role", true, read_alone},
	{NULL, "from", true, read_alone},
	{NULL, "sender", true, read_alone},
	{NULL, "author", true, read_alone},
	{NULL, "isCreatedByUser", true, read_alone},
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
		if ((!draft || formats[i].is_message) && has_signs(object, formats[i].signs)) {
			formats[i].read(reading, draft, object);
			return;
		}
	if (draft)
		read_message(reading, draft, object);
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
