#include "import/reading.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"

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
	*message = (struct import_message){.after = draft->tip, .text = {.max = LIMIT_MESSAGE},
	                                   .reasoning = {.max = LIMIT_MESSAGE}};
	draft->tip = draft->n;
	return message;
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
