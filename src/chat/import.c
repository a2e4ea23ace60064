#include "chat/import.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json_reader.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/words.h"
#include "chat/import_internal.h"

/* The keys of all formats; no two of them mean different things by one, but for `name`, which is a
 * chat's title or who of several users speaks. */
static const char *const keys[IMPORT_N_FIELDS] = {
	[IMPORT_ROLE] = "role from",
	[IMPORT_CONTENT] = "content value text",
	[IMPORT_REASONING] = "reasoning_content reasoningContent thinking reasoning",
	[IMPORT_ID] = "id",
	[IMPORT_PARENT] = "parent",
	[IMPORT_MODEL] = "model",
	[IMPORT_TITLE] = "title name",
	[IMPORT_LEAF] = "currNode",
	[IMPORT_TYPE] = "type",
	[IMPORT_SYSTEM] = "system",
};

struct state {
	struct import *import;
	struct json_reader reader;
	struct import_watch *watch; /* NULL: nobody waits */
	struct import_object open; /* a chat whose messages come one after the other */
};

static void object_free(struct import_object *object)
{
	for (size_t i = 0; i < IMPORT_N_FIELDS; i++)
		free(object->fields[i]);
	for (size_t i = 0; i < object->n; i++)
		object_free(&object->messages[i]);
	free(object->messages);
	*object = (struct import_object){.n = 0};
}

static enum status no_memory(struct error *err)
{
	return error_set(err, STATUS_NOMEM, "not enough memory to import");
}

static enum status set_field(struct import_object *object, enum import_field field,
                             const char *text, size_t len, struct error *err)
{
	char *copy = alloc_strndup(text, len);

	if (!copy)
		return no_memory(err);
	free(object->fields[field]);
	object->fields[field] = copy;
	object->lens[field] = len;
	return STATUS_OK;
}

/* Takes what is in *message. */
static enum status add_message(struct import_object *chat, struct import_object *message,
                               struct error *err)
{
	if (!alloc_grow(&chat->messages, &chat->cap, chat->n + 1, sizeof *chat->messages, LIMIT_NODES)) {
		object_free(message);
		return error_set(err, STATUS_LIMIT, "not enough memory to import, or more than %zu messages",
		                 (size_t)LIMIT_NODES);
	}
	chat->messages[chat->n++] = *message;
	return STATUS_OK;
}

static enum status read_object(struct state *state, struct import_object *object,
                               struct error *err);

/* A list of messages, of which each is an object. */
static enum status read_messages(struct state *state, struct import_object *chat,
                                 struct error *err)
{
	struct import_object message;
	struct json_item item;
	enum status status;

	chat->is_chat = true;
	for (;;) {
		status = json_next(&state->reader, &item, err);
		if (status || item.kind == JSON_ARRAY_END)
			return status;
		if (item.kind == JSON_OBJECT)
			status = read_object(state, &message, err);
		else
			status = json_skip(&state->reader, &item, err);
		if (!status && item.kind == JSON_OBJECT)
			status = add_message(chat, &message, err);
		if (status)
			return status;
	}
}

/* The parts of a message: their texts are joined. */
static enum status read_parts(struct state *state, struct import_object *object,
                              struct error *err)
{
	struct import_object part;
	struct json_item item;
	enum status status;
	struct buf text;

	buf_init(&text, LIMIT_MESSAGE);
	for (;;) {
		status = json_next(&state->reader, &item, err);
		if (status || item.kind == JSON_ARRAY_END)
			break;
		if (item.kind == JSON_STRING) {
			buf_append(&text, item.text, item.len);
		} else if (item.kind == JSON_OBJECT) {
			status = read_object(state, &part, err);
			if (!status && part.fields[IMPORT_CONTENT])
				buf_append(&text, part.fields[IMPORT_CONTENT], part.lens[IMPORT_CONTENT]);
			else
				state->import->n_left_out++;
			object_free(&part);
		} else {
			status = json_skip(&state->reader, &item, err);
		}
		if (status)
			break;
	}
	if (!status && buf_status(&text))
		status = error_set(err, buf_status(&text), "a message is too long");
	if (!status)
		status = set_field(object, IMPORT_CONTENT, buf_text(&text), text.len, err);
	buf_free(&text);
	return status;
}

/* An object in an object: what it says is the outer one's, or it is a message of that. */
static enum status read_inner(struct state *state, const char *key, struct import_object *object,
                              struct error *err)
{
	struct import_object inner;
	enum status status = read_object(state, &inner, err);

	if (status || strcmp(key, "message") == 0)
		return status ? status : add_message(object, &inner, err);
	for (size_t i = 0; i < IMPORT_N_FIELDS; i++) {
		free(object->fields[i]);
		object->fields[i] = inner.fields[i];
		object->lens[i] = inner.lens[i];
		inner.fields[i] = NULL;
	}
	object_free(&inner);
	return STATUS_OK;
}

static enum import_field field_of(const char *key, size_t len)
{
	size_t field = 0;

	while (field < IMPORT_N_FIELDS && !words_have(keys[field], key, len))
		field++;
	return (enum import_field)field;
}

static enum status read_value(struct state *state, const char *key, struct import_object *object,
                              struct error *err)
{
	enum import_field field = field_of(key, strlen(key));
	struct json_item item;
	enum status status = json_next(&state->reader, &item, err);
	int64_t number;

	if (status)
		return status;
	if (item.kind == JSON_ARRAY && words_have("messages conversations conversation items", key,
	                                           strlen(key)))
		return read_messages(state, object, err);
	if (item.kind == JSON_OBJECT && words_have("conv message", key, strlen(key)))
		return read_inner(state, key, object, err);
	if (item.kind == JSON_ARRAY && field == IMPORT_CONTENT)
		return read_parts(state, object, err);
	if (item.kind == JSON_STRING && field < IMPORT_N_FIELDS)
		return set_field(object, field, item.text, item.len, err);
	if (item.kind == JSON_NUMBER && strcmp(key, "timestamp") == 0 &&
	    number_parse_int(item.text, &number))
		object->created = number / 1000;
	if (item.kind == JSON_ARRAY && words_have("extra tool_calls toolCalls", key, strlen(key)))
		state->import->n_left_out++;
	return json_skip(&state->reader, &item, err);
}

/* Says how far it is, and asks whether to go on: at every object, which is often enough. */
static enum status look(const struct state *state, struct error *err)
{
	if (!state->watch)
		return STATUS_OK;
	atomic_store_explicit(&state->watch->done, state->reader.at, memory_order_relaxed);
	if (atomic_load_explicit(&state->watch->stop, memory_order_relaxed))
		return error_set(err, STATUS_CANCELLED, "stopped");
	return STATUS_OK;
}

/* Behind its brace. object_free is done if it fails. */
static enum status read_object(struct state *state, struct import_object *object,
                               struct error *err)
{
	struct json_item item;
	enum status status;
	struct buf key;

	*object = (struct import_object){.n = 0};
	status = look(state, err);
	if (status)
		return status;
	buf_init(&key, LIMIT_YAML_BYTES);
	for (;;) {
		status = json_next(&state->reader, &item, err);
		if (status || item.kind == JSON_OBJECT_END)
			break;
		buf_clear(&key);
		if (buf_append(&key, item.text, item.len))
			status = error_set(err, buf_status(&key), "%s: a key is too long", state->reader.name);
		else
			status = read_value(state, buf_text(&key), object, err);
		if (status)
			break;
	}
	buf_free(&key);
	if (status)
		object_free(object);
	return status;
}

/* A chat becomes a tree, and is empty afterwards. */
static enum status end_chat(struct state *state, struct import_object *chat, struct error *err)
{
	const char *title = chat->fields[IMPORT_TITLE];
	struct import *import = state->import;
	struct tree *tree;
	enum status status = import_build(chat, &tree, &import->n_left_out, err);
	char *copy = NULL;

	if (!status && tree) {
		copy = alloc_strndup(title ? title : "", title ? strlen(title) : 0);
		if (!copy || !alloc_grow(&import->chats, &import->cap, import->n + 1, sizeof *import->chats,
		                         LIMIT_TRANSCRIPTS)) {
			tree_free(tree);
			free(copy);
			status = error_set(err, STATUS_LIMIT, "not enough memory to import, or more than %zu chats",
			                   (size_t)LIMIT_TRANSCRIPTS);
		} else {
			import->chats[import->n++] = (struct import_chat){tree, copy};
		}
	}
	object_free(chat);
	return status;
}

static bool is_type(const struct import_object *object, const char *type)
{
	return object->fields[IMPORT_TYPE] && strcmp(object->fields[IMPORT_TYPE], type) == 0;
}

/* An object that stands alone or in a list: a chat, the head of one, or the next message. */
static enum status take_object(struct state *state, struct error *err)
{
	struct import_object object;
	enum status status = read_object(state, &object, err);

	if (status)
		return status;
	if (object.is_chat)
		return end_chat(state, &object, err);
	if (is_type(&object, "session")) {
		status = end_chat(state, &state->open, err);
		state->open = object;
		return status;
	}
	if (is_type(&object, "message") && object.n == 1) {
		struct import_object message = object.messages[0];

		object.n = 0;
		object_free(&object);
		return add_message(&state->open, &message, err);
	}
	if (object.fields[IMPORT_ROLE])
		return add_message(&state->open, &object, err);
	object_free(&object);
	return STATUS_OK;
}

/* A document: an object, or a list of objects, or of lists of them. Messages that stand in a list
 * are a chat. */
static enum status take_document(struct state *state, const struct json_item *first,
                                 struct error *err)
{
	struct json_item item = *first;
	enum status status = STATUS_OK;

	if (item.kind == JSON_OBJECT)
		return take_object(state, err);
	if (item.kind != JSON_ARRAY)
		return json_skip(&state->reader, &item, err);
	for (;;) {
		status = json_next(&state->reader, &item, err);
		if (status)
			return status;
		if (item.kind == JSON_ARRAY_END)
			return end_chat(state, &state->open, err);
		status = take_document(state, &item, err);
		if (status)
			return status;
	}
}

enum status import_read(struct import *import, const char *name, const char *text, size_t len,
                        struct import_watch *watch, struct error *err)
{
	struct state state = {.import = import, .watch = watch};
	struct json_item item;
	enum status status;

	*import = (struct import){.n = 0};
	json_begin(&state.reader, name, text, len);
	for (;;) {
		status = json_next(&state.reader, &item, err);
		if (status || item.kind == JSON_END)
			break;
		status = take_document(&state, &item, err);
		if (status)
			break;
	}
	if (!status)
		status = end_chat(&state, &state.open, err);
	if (watch)
		atomic_store_explicit(&watch->done, state.reader.at, memory_order_relaxed);
	object_free(&state.open);
	json_end(&state.reader);
	if (!status && !import->n)
		status = error_set(err, STATUS_FORMAT, "%s: has no messages as OpenAI, ShareGPT or llama.cpp "
		                   "write them", name);
	return status;
}

void import_free(struct import *import)
{
	for (size_t i = 0; i < import->n; i++) {
		tree_free(import->chats[i].tree);
		free(import->chats[i].title);
	}
	free(import->chats);
	*import = (struct import){.n = 0};
}
