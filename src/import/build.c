/* Messages that name their parents, or just follow each other, as a tree. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bisect.h"
#include "base/limits.h"
#include "import/reading.h"

/* An id, or a date, with its message, so that qsort needs nothing else. */
struct named {
	const char *id;
	int64_t date;
	size_t at;
};

enum state { WAITING, UNDER_WAY, PLACED };

/* Where a message goes. */
struct place {
	size_t up;     /* its parent, plus one; 0: none */
	uint32_t node; /* of one that is left out: that of the parent */
	enum state state;
};

struct places {
	struct import_draft *draft;
	struct named *ids; /* [n_ids], sorted; of equal ones the first in the file comes first */
	size_t n_ids;
	struct named *order; /* all, in the order in which they are added, but parents first */
	struct place *of;    /* each message */
	size_t *stack;       /* room for all */
	bool is_tree;        /* some message names another one as its parent */
};

static int compare_ids(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->id, y->id);

	return order ? order : (x->at > y->at) - (x->at < y->at);
}

static int compare_dates(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return x->date != y->date ? (x->date > y->date) - (x->date < y->date)
				  : (x->at > y->at) - (x->at < y->at);
}

static void places_free(struct places *places)
{
	free(places->ids);
	free(places->order);
	free(places->of);
	free(places->stack);
}

/* The first message of this id, plus one; 0: none. */
static size_t find(const struct places *places, const char *id)
{
	size_t at = 0;

	if (!id)
		return 0;
	BISECT(at, places->n_ids, i, strcmp(places->ids[i].id, id) < 0);
	return at < places->n_ids && strcmp(places->ids[at].id, id) == 0 ? places->ids[at].at + 1 : 0;
}

/* What programs call the parent of the first message. */
static bool is_root_name(const char *id)
{
	static const char *const names[] = {"-1", "0", "root", "client-created-root", "null"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(id, names[i]) == 0)
			return true;
	return strncmp(id, "00000000-0000-", 14) == 0;
}

/* Lists all messages, of which none is placed yet. False without memory. */
static bool places_init(struct places *places, struct import_draft *draft)
{
	const size_t n = draft->n + 1;

	*places = (struct places){.draft = draft,
				  .ids = alloc_array(n, sizeof *places->ids),
				  .order = alloc_array(n, sizeof *places->order),
				  .of = alloc_array(n, sizeof *places->of),
				  .stack = alloc_array(n, sizeof *places->stack)};
	if (!places->ids || !places->order || !places->of || !places->stack)
		return false;
	for (size_t i = 0; i < draft->n; i++)
		if (draft->messages[i].id)
			places->ids[places->n_ids++] =
			    (struct named){.id = draft->messages[i].id, .at = i};
	if (places->n_ids)
		qsort(places->ids, places->n_ids, sizeof *places->ids, compare_ids);
	for (size_t i = 0; i < draft->n && !places->is_tree; i++) {
		size_t parent = find(places, draft->messages[i].parent);

		places->is_tree = parent && parent != i + 1;
	}
	return true;
}

/* The parent of a message: in a chat where none names another one, the one before it. Where a
 * parent is not there the message begins the chat, unless another one says that it does. */
static size_t find_parent(const struct places *places, size_t i, bool has_first)
{
	const struct import_draft *draft = places->draft;
	const struct import_message *message = &draft->messages[i];
	const size_t above = draft->has_system && i ? 1 : 0;
	size_t parent = find(places, message->parent);

	if (!places->is_tree)
		return message->after;
	if (parent && parent != i + 1)
		return parent;
	if (message->parent)
		return has_first && !is_root_name(message->parent) ? message->after : above;
	return message->is_first ? above : message->after;
}

/* Messages of a tree are added by their dates, if all have one, and otherwise as they are listed.
 */
static void put_in_order(struct places *places)
{
	const struct import_draft *draft = places->draft;
	bool by_date = places->is_tree || draft->by_date, has_first = false;

	for (size_t i = 0; i < draft->n; i++) {
		const struct import_message *message = &draft->messages[i];

		by_date = by_date &&
			  (message->created || message->is_left_out || (draft->has_system && !i));
		has_first = has_first || (message->is_first && !(draft->has_system && !i)) ||
			    (message->parent && is_root_name(message->parent));
		places->order[i] = (struct named){.at = i};
	}
	for (size_t i = 0; i < draft->n; i++) {
		places->order[i].date = by_date ? draft->messages[i].created : 0;
		places->of[i].up = find_parent(places, i, has_first);
	}
	if (draft->n)
		qsort(places->order, draft->n, sizeof *places->order, compare_dates);
	for (size_t i = 0; !places->is_tree && draft->by_date && i < draft->n; i++)
		places->of[places->order[i].at].up = i ? places->order[i - 1].at + 1 : 0;
}

static void add_node(struct reading *reading, struct tree *tree, struct places *places, size_t i,
		     uint32_t parent)
{
	struct import_message *message = &places->draft->messages[i];
	const char *model = message->model ? message->model : places->draft->model;
	int64_t created = message->created ? message->created : places->draft->created;
	struct attachments files = {.n = 0};
	struct buf text = {.max = LIMIT_MESSAGE};
	struct node *node;
	enum status status = STATUS_OK;

	if (message->files)
		status = attached_join(message->files, buf_text(&message->text), message->text.len,
				       &text, &files, reading->err);
	else
		buf_append(&text, message->text.data, message->text.len);
	if (!status)
		status = tree_add(tree, parent, message->role, buf_text(&text), text.len,
				  &places->of[i].node, reading->err);
	if (!status) {
		node = tree_node(tree, places->of[i].node);
		if (created > 0)
			node->created = created / 1000;
		if (message->role == ROLE_USER && files.n)
			status = tree_set_attachments(node, &files);
		if (!status && message->role == ROLE_ASSISTANT && message->reasoning.len)
			status = tree_append_reasoning(node, message->reasoning.data,
						       message->reasoning.len);
		if (!status && message->role == ROLE_ASSISTANT && model)
			status = tree_set_model(node, model);
		if (message->role != ROLE_ASSISTANT && message->reasoning.len)
			reading_count(reading, IMPORT_OTHER_TEXTS, 1);
		reading_count(reading, IMPORT_MESSAGES, 1);
		reading_count(reading, IMPORT_FILES, files.n);
	}
	if (status)
		reading_fail(reading, status);
	attachments_free(&files);
	buf_free(&text);
}

/* Adds a message, and before it those above it that are not there yet. Those that name each other
 * in a circle begin the chat. */
static void place(struct reading *reading, struct tree *tree, struct places *places, size_t i)
{
	const size_t from = i;
	size_t depth = 0, *stack = places->stack;

	while (places->of[i].state == WAITING) {
		size_t up = places->of[i].up;

		places->of[i].state = UNDER_WAY;
		stack[depth++] = i;
		if (up && places->of[up - 1].state == UNDER_WAY) {
			/* Once more, without the circle. */
			places->of[up - 1].up = 0;
			while (depth)
				places->of[stack[--depth]].state = WAITING;
			i = from;
		} else if (up) {
			i = up - 1;
		}
	}
	while (depth && !reading->status) {
		size_t at = stack[--depth];
		uint32_t parent = places->of[at].up ? places->of[places->of[at].up - 1].node : 0;

		places->of[at].node = parent;
		places->of[at].state = PLACED;
		if (!places->draft->messages[at].is_left_out)
			add_node(reading, tree, places, at, parent);
	}
}

/* What is shown: the message that the chat names, or the latest, with what follows it. */
static uint32_t find_leaf(const struct places *places, const struct tree *tree)
{
	const struct import_draft *draft = places->draft;
	size_t named = find(places, draft->leaf);
	uint32_t leaf = named ? places->of[named - 1].node : 0;

	if (leaf)
		return leaf;
	if (!places->is_tree && !draft->by_date && draft->tip)
		leaf = places->of[draft->tip - 1].node;
	for (size_t i = draft->n; i-- && !leaf;)
		if (!draft->messages[places->order[i].at].is_left_out)
			leaf = places->of[places->order[i].at].node;
	while (leaf && tree_node(tree, leaf)->last_child)
		leaf = tree_node(tree, leaf)->last_child;
	return leaf;
}

/* Some say the system message twice: above the chat, and in it. */
static void leave_out_same_system(struct import_draft *draft)
{
	struct import_message *first, *second;

	if (!draft->has_system || draft->n < 2)
		return;
	first = &draft->messages[0];
	second = &draft->messages[1];
	if (second->role == ROLE_SYSTEM &&
	    first->text.len == second->text.len &&
	    memcmp(buf_text(&first->text), buf_text(&second->text), first->text.len) == 0)
		second->is_left_out = true;
}

static void keep(struct reading *reading, struct tree *tree, const char *title)
{
	struct import *import = reading->import;
	char *copy = reading_copy(reading, title ? title : "");

	if (!copy || !alloc_grow(&import->chats, &import->cap, import->n + 1, sizeof *import->chats,
				 LIMIT_TRANSCRIPTS)) {
		tree_free(tree);
		free(copy);
		reading_fail(reading, STATUS_LIMIT);
		return;
	}
	import->chats[import->n++] = (struct import_chat){tree, copy};
	import->counts.n_chats++;
}

/* Adds the draft's tree to the import, if one of its messages says anything. */
static void build_tree(struct reading *reading, struct import_draft *draft)
{
	struct tree *tree = tree_create();
	struct places places;

	if (!places_init(&places, draft) || !tree) {
		reading_fail(reading, STATUS_NOMEM);
	} else {
		leave_out_same_system(draft);
		put_in_order(&places);
	}
	for (size_t i = 0; i < draft->n && !reading->status; i++)
		place(reading, tree, &places, places.order[i].at);
	if (!reading->status && tree_n(tree)) {
		tree_set_leaf(tree, find_leaf(&places, tree));
		keep(reading, tree, draft->title);
		tree = NULL;
	}
	tree_free(tree);
	places_free(&places);
}

void draft_end(struct reading *reading, struct import_draft *draft)
{
	if (!reading->status)
		build_tree(reading, draft);
	draft_free(draft);
}

void reading_end(struct reading *reading, struct import_draft *draft)
{
	size_t at = (size_t)(draft - reading->drafts);

	draft_end(reading, draft);
	reading->n_drafts--;
	memmove(draft, draft + 1, (reading->n_drafts - at) * sizeof *draft);
}
