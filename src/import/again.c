/* A chat whose messages stand in several lists: Open WebUI's have a map of all and a list of those shown. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "import/reading.h"

/* An id or a text with its message. */
struct known {
	const char *text;
	size_t len, at;
};

static int compare_texts(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	return x->len == y->len ? memcmp(x->text, y->text, x->len) : x->len < y->len ? -1 : 1;
}

static int compare_known(const void *a, const void *b)
{
	const struct known *x = a, *y = b;
	int order = compare_texts(a, b);

	return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* The messages of a chat by id, and those that have a text by it. */
struct known_messages {
	struct known *ids, *texts;
	size_t n_ids, n_texts;
};

static bool index_init(struct known_messages *index, const struct import_draft *draft)
{
	*index = (struct known_messages){.ids = alloc_array(draft->n + 1, sizeof *index->ids),
	                        .texts = alloc_array(draft->n + 1, sizeof *index->texts)};
	if (!index->ids || !index->texts)
		return false;
	for (size_t i = 0; i < draft->n; i++) {
		const struct import_message *m = &draft->messages[i];

		if (m->id)
			index->ids[index->n_ids++] = (struct known){m->id, strlen(m->id), i};
		if (m->text.len)
			index->texts[index->n_texts++] = (struct known){m->text.data, m->text.len, i};
	}
	qsort(index->ids, index->n_ids, sizeof *index->ids, compare_known);
	qsort(index->texts, index->n_texts, sizeof *index->texts, compare_known);
	return true;
}

/* The message that is the same as this one, which stands in another list; NULL: none is. */
static const struct known *index_find(const struct known_messages *index,
                                      const struct import_message *message)
{
	struct known key = {.text = message->id ? message->id : message->text.data};

	key.len = message->id ? strlen(message->id) : message->text.len;
	if (!key.len)
		return NULL;
	return message->id ? bsearch(&key, index->ids, index->n_ids, sizeof key, compare_texts)
	                   : bsearch(&key, index->texts, index->n_texts, sizeof key, compare_texts);
}

static bool says_the_same(struct reading *reading, const struct import_message *a, const struct import_message *b)
{
	return content_says_nothing_new(reading, &a->text, buf_text(&b->text), b->text.len) &&
	       content_says_nothing_new(reading, &a->reasoning, buf_text(&b->reasoning), b->reasoning.len);
}

void format_read_again(struct reading *reading, struct import_draft *draft, const struct value *list)
{
	struct known_messages index;

	if (!index_init(&index, draft))
		reading_fail(reading, STATUS_NOMEM);
	for (const struct value *item = list->first; item && !reading->status; item = item->next) {
		const struct import_counts before = reading->import->counts;
		const size_t from = draft->n;
		size_t n_known = 0, n_others = 0;

		if (item->kind == JSON_OBJECT)
			format_read(reading, draft, item);
		else
			reading_count(reading, IMPORT_UNKNOWN_ENTRIES, item->kind != JSON_NULL);
		for (size_t i = from; i < draft->n; i++) {
			struct import_message *message = &draft->messages[i];
			const struct known *known = index_find(&index, message);

			if (!known)
				continue;
			n_known++;
			n_others += !says_the_same(reading, &draft->messages[known->at], message);
			message->is_left_out = true;
			draft->tip = known->at + 1;
		}
		if (n_known && n_known == draft->n - from)
			reading->import->counts = before; /* its parts have been counted */
		reading_count(reading, IMPORT_OTHER_TEXTS, n_others);
	}
	free(index.ids);
	free(index.texts);
}
