#include "import/import.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "import/reading.h"

void reading_fail(struct reading *reading, enum status status)
{
	if (reading->status)
		return;
	reading->status =
	    error_set(reading->err, status,
		      status == STATUS_LIMIT
			  ? "a message or a chat is too long, or there are more than %zu chats"
			  : "not enough memory to import",
		      (size_t)LIMIT_TRANSCRIPTS);
}

void reading_count(struct reading *reading, enum import_kind kind, size_t n)
{
	reading->import->counts.n[kind] += n;
}

char *reading_copy(struct reading *reading, const char *text)
{
	char *copy = alloc_strndup(text, strlen(text));

	if (!copy)
		reading_fail(reading, STATUS_NOMEM);
	return copy;
}

void reading_replace(struct reading *reading, char **to, const char *text)
{
	if (!text)
		return;
	free(*to);
	*to = reading_copy(reading, text);
}

const char *id_of(const struct value *value)
{
	if (value && value->kind == JSON_OBJECT)
		value = member_get(value, "$oid");
	return value && (value->kind == JSON_STRING || value->kind == JSON_NUMBER) && value->len
		   ? value->text
		   : NULL;
}

void message_free(struct import_message *message)
{
	free(message->id);
	free(message->parent);
	free(message->model);
	buf_free(&message->text);
	buf_free(&message->reasoning);
	if (message->files)
		attached_free(message->files);
	free(message->files);
}

void draft_free(struct import_draft *draft)
{
	for (size_t i = 0; i < draft->n; i++)
		message_free(&draft->messages[i]);
	free(draft->messages);
	free(draft->key);
	free(draft->title);
	free(draft->leaf);
	free(draft->model);
	*draft = (struct import_draft){.n = 0};
}

struct import_message *draft_add(struct reading *reading, struct import_draft *draft)
{
	struct import_message *message;

	if (reading->status)
		return NULL;
	if (!alloc_grow(&draft->messages, &draft->cap, draft->n + 1, sizeof *draft->messages,
			LIMIT_NODES)) {
		reading_fail(reading, STATUS_LIMIT);
		return NULL;
	}
	message = &draft->messages[draft->n++];
	*message = (struct import_message){.after = draft->tip};
	buf_init(&message->text, LIMIT_MESSAGE);
	buf_init(&message->reasoning, LIMIT_MESSAGE);
	draft->tip = draft->n;
	return message;
}

struct import_message *draft_say(struct reading *reading, struct import_draft *draft,
				  enum role role, const struct value *text)
{
	struct import_message *message =
	    text && !(text->kind == JSON_STRING && !text->len) ? draft_add(reading, draft) : NULL;

	if (message) {
		message->role = role;
		content_put(reading, message, text);
		if (role == ROLE_ASSISTANT)
			content_split_reasoning(reading, message);
		message->is_left_out = !message->text.len && !message->reasoning.len;
	}
	return message;
}

void draft_end(struct reading *reading, struct import_draft *draft)
{
	if (!reading->status)
		draft_build(reading, draft);
	draft_free(draft);
}

struct import_draft *reading_draft(struct reading *reading, const char *key)
{
	struct import_draft *draft;

	/* Rows of a chat mostly follow each other. */
	for (size_t i = reading->n_drafts; i--;) {
		draft = &reading->drafts[i];
		if (key ? draft->key && strcmp(draft->key, key) == 0 : !draft->key)
			return draft;
	}
	if (reading->status ||
	    !alloc_grow(&reading->drafts, &reading->cap_drafts, reading->n_drafts + 1,
			sizeof *reading->drafts, LIMIT_TRANSCRIPTS)) {
		reading_fail(reading, STATUS_LIMIT);
		return NULL;
	}
	draft = &reading->drafts[reading->n_drafts++];
	*draft = (struct import_draft){.key = key ? reading_copy(reading, key) : NULL};
	return draft;
}

void reading_end(struct reading *reading, struct import_draft *draft)
{
	size_t at = (size_t)(draft - reading->drafts);

	if (!reading->status)
		draft_build(reading, draft);
	draft_free(draft);
	reading->n_drafts--;
	memmove(draft, draft + 1, (reading->n_drafts - at) * sizeof *draft);
}

/* Messages that stand in a list, or on lines, are a chat. */
static void end_alone(struct reading *reading)
{
	for (size_t i = 0; i < reading->n_drafts; i++)
		if (!reading->drafts[i].key) {
			reading_end(reading, &reading->drafts[i]);
			return;
		}
}

/* A document: an object, or a list of objects, or of lists of them. */
static enum status read_document(struct reading *reading, struct json_reader *json,
				 const struct json_item *first, struct job *job)
{
	struct json_item item = *first;
	const struct value *object;
	enum status status;

	if (item.kind == JSON_OBJECT) {
		status = values_load(&reading->values, json, &item, job, &object, reading->err);
		if (status)
			return status;
		format_read(reading, NULL, object);
		reading_count(reading, IMPORT_REPEATED_KEYS, reading->values.n_repeated);
		values_free(&reading->values);
		return reading->status;
	}
	if (item.kind != JSON_ARRAY) {
		reading_count(reading, IMPORT_UNKNOWN_ENTRIES, item.kind != JSON_NULL);
		return STATUS_OK;
	}
	for (;;) {
		status = json_next(json, &item, reading->err);
		if (status)
			return status;
		if (item.kind == JSON_ARRAY_END) {
			end_alone(reading);
			return reading->status;
		}
		status = read_document(reading, json, &item, job);
		if (status)
			return status;
	}
}

/* Files that hold an export, or another text than UTF-8, by how they begin. */
static const struct {
	const char *begins;
	size_t n;
	const char *what;
} wrapped[] = {
	{"PK\3\4", 4, "the file is a zip archive: unzip it, and import the JSON files in it (of ChatGPT and Claude conversations.json)"},
	{"\x1f\x8b", 2, "the file is compressed: unpack it with gunzip first"},
	{"\xFD" "7zXZ", 5, "the file is compressed: unpack it with unxz first"},
	{"BZh", 3, "the file is compressed: unpack it with bunzip2 first"},
	{"\x28\xB5\x2F\xFD", 4, "the file is compressed: unpack it with unzstd first"},
	{"7z\xBC\xAF", 4, "the file is an archive: unpack it first"},
	{"SQLite format 3", 15, "the file is a database: export the chats as JSON with the program that wrote it"},
	{"%PDF", 4, "the file is a PDF, not JSON: export the chats as JSON"},
	{"\xFF\xFE\0\0", 4, "the text is UTF-32; iconv -f UTF-32 -t UTF-8 converts it"},
	{"\0\0\xFE\xFF", 4, "the text is UTF-32; iconv -f UTF-32 -t UTF-8 converts it"},
	{"\xFF\xFE", 2, "the text is UTF-16; iconv -f UTF-16 -t UTF-8 converts it"},
	{"\xFE\xFF", 2, "the text is UTF-16; iconv -f UTF-16 -t UTF-8 converts it"},
};

static const char *find_wrapped(const char *text, size_t len)
{
	const bool zeros[4] = {len > 0 && !text[0], len > 1 && !text[1], len > 2 && !text[2], len > 3 && !text[3]};

	for (size_t i = 0; i < sizeof wrapped / sizeof wrapped[0]; i++)
		if (len >= wrapped[i].n && memcmp(text, wrapped[i].begins, wrapped[i].n) == 0)
			return wrapped[i].what;
	/* Without a mark: JSON begins with ASCII. */
	if (zeros[1] && zeros[2] && zeros[3])
		return "the text is UTF-32; iconv -f UTF-32LE -t UTF-8 converts it";
	if (zeros[0] && zeros[1])
		return "the text is UTF-32; iconv -f UTF-32BE -t UTF-8 converts it";
	if (zeros[1])
		return "the text is UTF-16; iconv -f UTF-16LE -t UTF-8 converts it";
	return zeros[0] && len > 1 ? "the text is UTF-16; iconv -f UTF-16BE -t UTF-8 converts it" : NULL;
}

enum status import_read(struct import *import, const char *name, const char *text, size_t len,
			struct job *job, struct error *err)
{
	struct reading reading = {.import = import, .err = err};
	struct json_reader json;
	struct json_item item;
	enum status status;
	struct buf formats;
	const char *what;

	*import = (struct import){.n = 0};
	what = find_wrapped(text, len);
	if (what)
		return error_set(err, STATUS_FORMAT, "%s: %s", name, what);
	reading_count(&reading, IMPORT_BAD_BYTES, utf8_count_bad(text, len));
	json_begin(&json, name, text, len);
	for (;;) {
		status = json_next(&json, &item, err);
		if (status || item.kind == JSON_END)
			break;
		status = read_document(&reading, &json, &item, job);
		if (status)
			break;
	}
	while (!status && reading.n_drafts) {
		reading_end(&reading, &reading.drafts[0]);
		status = reading.status;
	}
	if (job)
		atomic_store_explicit(&job->done, json.at, memory_order_relaxed);
	for (size_t i = 0; i < reading.n_drafts; i++)
		draft_free(&reading.drafts[i]);
	free(reading.drafts);
	values_free(&reading.values);
	json_end(&json);
	if (status || import->n)
		return status;
	buf_init(&formats, KIB(4));
	import_put_formats(&formats);
	status = error_set(err, STATUS_FORMAT,
			   "%s: has no messages that sotto can read; it reads files of %s", name,
			   buf_text(&formats));
	buf_free(&formats);
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
