/* What a message of most programs says: who wrote it, where it stands, its texts, reasoning and files. */
#include <string.h>

#include "base/words.h"
#include "import/reading.h"

/* What all programs together call the same thing. */
static const char content_keys[] = "content value text mes message parts body refusal transcript";
static const char reasoning_keys[] = "reasoning_content reasoningContent thinking reasoning";
static const char id_keys[] = "id _id uuid messageId message_id";
static const char parent_keys[] =
	"parent parentId parent_id parentMessageId parent_message_id parent_message_uuid";
static const char file_keys[] = "extra attachments files files_v2 images prompt_attachments documents audio";
const char import_date_keys[] =
	"created_at createdAt create_time created timestamp time date send_date datetime_utc "
	"create_date updated_at updatedAt lastModified";
const char import_model_keys[] =
	"model model_slug modelName model_name model_id conversation_model";

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

bool message_find_role(struct reading *reading, const struct value *object, enum role *role)
{
	const char *name = role_text(object), *type = member_text(object, "type");
	enum import_kind kind = IMPORT_UNKNOWN_ROLES;
	char small[32];

	content_lower(small, sizeof small, name ? name : "");
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

/* The texts of all keys that have one: the first counts; others that say something else are
 * counted. */
static void read_texts(struct reading *reading, struct import_message *message,
		       const struct value *object, const char *keys, bool is_reasoning)
{
	struct buf *to = is_reasoning ? &message->reasoning : &message->text;
	const size_t before = to->len;

	for (size_t len; words_list_next(&keys, &len); keys += len) {
		const struct value *value = member_named(object, keys, len);

		if (!value)
			continue;
		if (to->len == before && !(message->files && !is_reasoning))
			content_put(reading, message, value, is_reasoning);
		else
			content_count_other(reading, to, value, is_reasoning);
	}
}

static void read_place(struct reading *reading, struct import_message *message,
		       const struct value *object)
{
	const struct value *ancestors = member_get(object, "ancestors"),
			   *parent = member_get(object, parent_keys);

	reading_replace(reading, &message->id, id_of(member_get(object, id_keys)));
	if (!parent && json_is_list(ancestors))
		parent = ancestors->last;
	reading_replace(reading, &message->parent, id_of(parent));
	message->is_first = !message->parent && (member_has(object, parent_keys) || ancestors);
	message->created = date_of(member_get(object, import_date_keys));
}

void message_read(struct reading *reading, struct import_draft *draft,
			 const struct value *object)
{
	struct import_message *message = draft_add(reading, draft);
	const struct value *children = member_get(object, "children");
	size_t self = draft->n;

	if (!message)
		return;
	read_place(reading, message, object);
	reading_replace(reading, &message->model, member_text(object, import_model_keys));
	if (!message->model)
		reading_replace(reading, &message->model,
			member_text(member_get(object, "metadata"), "model_slug"));
	if (!message_find_role(reading, object, &message->role)) {
		message->is_left_out = true;
	} else {
		const bool has_text = member_has(object, content_keys) ||
				      member_has(object, "tool_calls toolCalls function_call");
		const size_t n_left_out = import_n_left_out(&reading->import->counts);
		const char *key = file_keys;

		read_texts(reading, message, object, reasoning_keys, true);
		read_texts(reading, message, object, content_keys, false);
		for (size_t len; words_list_next(&key, &len); key += len)
			content_put_files(reading, message, member_named(object, key, len));
		content_count_calls(reading,
				    member_get(object, "tool_calls toolCalls function_call"),
				    IMPORT_TOOL_CALLS);
		if (message->role == ROLE_ASSISTANT)
			content_split_reasoning(reading, message);
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
			else if (import_n_left_out(&reading->import->counts) == n_left_out &&
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
