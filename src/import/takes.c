/* Messages in several takes, or steps: SillyTavern's and LM Studio's. */
#include <stdlib.h>
#include <string.h>

#include "import/date.h"
#include "import/reading.h"

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
			message->created = date_of(member_get(like, import_date_keys));
			reading_replace(reading, &message->model,
				message->role == ROLE_ASSISTANT ? member_text(like, "name") : NULL);
			content_put(reading, message, take);
			if (message->role == ROLE_ASSISTANT)
				content_split_reasoning(reading, message);
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

void format_read_versions(struct reading *reading, struct import_draft *draft,
			  const struct value *object)
{
	if (draft)
		read_takes(reading, draft, member_get(object, "versions"),
			   index_of(object, "currentlySelected"), object);
}

void format_read_steps(struct reading *reading, struct import_draft *draft,
		       const struct value *object)
{
	struct import_message *message = draft ? draft_add(reading, draft) : NULL;

	if (!message || !message_find_role(reading, object, &message->role)) {
		if (message)
			message->is_left_out = true;
		return;
	}
	reading_replace(reading, &message->model,
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
	content_split_reasoning(reading, message);
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

void format_read_tavern(struct reading *reading, struct import_draft *draft,
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
