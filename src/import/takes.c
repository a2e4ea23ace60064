/* Messages in several takes, or steps: SillyTavern's, LM Studio's, and text-generation-webui's. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/number.h"
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
			content_put(reading, message, take, false);
			if (message->role == ROLE_ASSISTANT)
				content_split_reasoning(reading, message);
			if (reasoning && (i == chosen || takes->len == 1))
				content_put(reading, message, reasoning, true);
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
		const struct value *style = member_get(member_get(step, "style"), "type");

		if (content)
			content_put(reading, message, content, json_is(style, "thinking"));
	}
	content_split_reasoning(reading, message);
	message->is_left_out = !message->text.len && !message->reasoning.len;
	reading_count(reading, IMPORT_EMPTY, message->is_left_out);
}

static bool list_has(const struct value *list, const struct value *text)
{
	const struct value *item = list->first;

	while (item && !json_same(item, text))
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
		if (text.kind == JSON_STRING && !list_has(swipes, &text)) { /* what is shown was edited after that */
			draft->tip = base;
			read_takes(reading, draft, &alone, 0, object);
		}
	}
	reading_count(reading, IMPORT_IMAGES,
		      member_has(extra, "image") || member_has(extra, "media"));
	reading_count(reading, IMPORT_OTHER_FILES,
		      member_has(extra, "file") || member_has(extra, "files"));
}

/* ---- pairs of question and answer ---- */

/* What is shown, in HTML, counts where it says more than what the model was told. */
static void count_shown(struct reading *reading, const struct value *said, const struct value *shown)
{
	struct buf a = {.max = LIMIT_MESSAGE}, b = {.max = LIMIT_MESSAGE};

	if (!said || !shown || shown->kind != JSON_STRING || said->kind != JSON_STRING)
		return;
	buf_append(&a, said->text, said->len);
	content_put_unescaped(&b, shown->text, shown->len);
	if (buf_status(&a) || buf_status(&b))
		reading_fail(reading, STATUS_LIMIT);
	else if (!content_says_nothing_new(reading, &a, buf_text(&b), b.len) &&
	         !content_says_nothing_new(reading, &a, shown->text, shown->len))
		reading_count(reading, IMPORT_OTHER_TEXTS, 1);
	buf_free(&a);
	buf_free(&b);
}

/* What one of the two says: the text of the pair, and the other versions that its metadata has. True: it has
 * versions. */
static bool read_side(struct reading *reading, struct import_draft *draft, enum role role,
                      const struct value *text, const struct value *about)
{
	const struct value *versions = member_get(about, "versions");
	const size_t base = draft->tip;
	struct import_message *message = draft_say(reading, draft, role, text);
	const struct value *files = member_get(about, "attachments");
	bool is_found = false;

	if (!message && json_is_list(files) && files->len && (message = draft_add(reading, draft)))
		message->role = role;
	if (message) {
		message->created = date_of(member_get(about, "timestamp"));
		content_put_files(reading, message, files);
		message->is_left_out = message->is_left_out && !message->files;
	}
	content_count_calls(reading, member_get(about, "tool_sequence"), IMPORT_TOOL_CALLS);
	if (!json_is_list(versions))
		return false;
	for (const struct value *version = versions->first; version && !reading->status; version = version->next) {
		const struct value *content = member_get(version, "content");
		const size_t tip = draft->tip;

		if (!is_found && json_same(content, text)) {
			is_found = true; /* the one that is shown */
			continue;
		}
		draft->tip = base;
		message = content ? draft_say(reading, draft, role, content) : NULL;
		if (message)
			message->created = date_of(member_get(version, "timestamp"));
		else
			reading_count(reading, content ? IMPORT_EMPTY : IMPORT_UNKNOWN_ENTRIES, 1);
		draft->tip = tip;
	}
	return true;
}

/* By "user_0" and its kin what else is known of the n pairs: of the question and of the answer of each. Owned;
 * NULL without memory. */
static const struct value **list_metadata(const struct value *metadata, size_t n)
{
	const struct value **about = alloc_array(2 * n, sizeof *about);

	for (const struct value *m = metadata ? metadata->first : NULL; about && m; m = m->next) {
		const bool is_answer = strncmp(m->key, "assistant_", 10) == 0;
		int64_t i;

		if ((is_answer || strncmp(m->key, "user_", 5) == 0) && number_parse_int(m->key + (is_answer ? 10 : 5), &i) &&
		    i >= 0 && (uint64_t)i < n && !about[2 * i + is_answer])
			about[2 * i + is_answer] = m;
	}
	return about;
}

void format_read_pairs(struct reading *reading, struct import_draft *draft,
                       const struct value *object)
{
	const struct value *metadata = member_get(object, "metadata"), *shown = member_get(object, "visible");
	const struct value *pairs = member_get(object, "internal"), **about = list_metadata(metadata, pairs->first ? pairs->len : 0);
	size_t i = 0, n_versions = 0, n_all = 0;

	if (!about)
		reading_fail(reading, STATUS_NOMEM);
	shown = json_is_list(shown) ? shown->first : NULL;
	for (const struct value *pair = pairs->first; pair && !reading->status; pair = pair->next, i += 2) {
		if (!json_is_list(pair) || pair->len != 2) {
			reading_count(reading, IMPORT_UNKNOWN_ENTRIES, 1);
		} else {
			const struct value *both = shown && json_is_list(shown) && shown->len == 2 ? shown->first : NULL;

			if (!json_is(pair->first, "<|BEGIN-VISIBLE-CHAT|>")) {
				n_versions += read_side(reading, draft, ROLE_USER, pair->first,
				                        about[i]);
				count_shown(reading, pair->first, both);
			}
			n_versions += read_side(reading, draft, ROLE_ASSISTANT, pair->last,
			                        about[i + 1]);
			count_shown(reading, pair->last, both ? both->next : NULL);
		}
		shown = shown ? shown->next : NULL;
	}
	/* Versions of messages that are not there. */
	for (const struct value *m = metadata ? metadata->first : NULL; m; m = m->next)
		n_all += json_is_list(member_get(m, "versions"));
	reading_count(reading, IMPORT_UNKNOWN_ENTRIES, n_all - n_versions);
	free(about);
}
