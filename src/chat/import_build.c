/* Messages of another program, which name their parents or just follow each other, as a tree. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/words.h"
#include "chat/import_internal.h"

/* A message's place in the list, and in the tree: what follows it hangs there. */
struct known {
	const char *id; /* borrowed */
	uint32_t node;  /* 0: the root */
};

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct known *)a)->id, ((const struct known *)b)->id);
}

static struct known *find(struct known *known, size_t n, const char *id)
{
	struct known key = {.id = id};

	return n && id ? bsearch(&key, known, n, sizeof *known, compare) : NULL;
}

/* False: nobody who has a place in a chat. */
static bool find_role(const char *name, enum role *role)
{
	size_t len = name ? strlen(name) : 0;

	if (words_have("user human", name, len))
		*role = ROLE_USER;
	else if (words_have("assistant gpt chatgpt model bot bing bard claude", name, len))
		*role = ROLE_ASSISTANT;
	else if (words_have("system developer", name, len))
		*role = ROLE_SYSTEM;
	else
		return false;
	return true;
}

static enum status add_message(struct tree *tree, const struct import_object *message,
                               uint32_t parent, enum role role, uint32_t *id, struct error *err)
{
	const char *text = message->fields[IMPORT_CONTENT];
	const char *reasoning = role == ROLE_ASSISTANT ? message->fields[IMPORT_REASONING] : NULL;
	const char *model = role == ROLE_ASSISTANT ? message->fields[IMPORT_MODEL] : NULL;
	enum status status = tree_add(tree, parent, role, text ? text : "",
	                              message->lens[IMPORT_CONTENT], id, err);
	struct node *node;

	if (status)
		return status;
	node = tree_node(tree, *id);
	if (message->created > 0)
		node->created = message->created;
	if (reasoning)
		status = tree_append_reasoning(node, reasoning, message->lens[IMPORT_REASONING]);
	if (!status && model)
		status = tree_set_model(node, model);
	return status ? error_set(err, status, "a message is too long, or there is too little memory")
	              : STATUS_OK;
}

/* The ids that messages have, sorted; of equal ones bsearch takes any. */
static struct known *sort_ids(const struct import_object *chat, size_t *n)
{
	struct known *known = alloc_array(chat->n ? chat->n : 1, sizeof *known);

	*n = 0;
	for (size_t i = 0; known && i < chat->n; i++)
		if (chat->messages[i].fields[IMPORT_ID])
			known[(*n)++].id = chat->messages[i].fields[IMPORT_ID];
	if (known)
		qsort(known, *n, sizeof *known, compare);
	return known;
}

static bool is_empty(const struct import_object *message, enum role role)
{
	return !message->lens[IMPORT_CONTENT] &&
	       (role != ROLE_ASSISTANT || !message->lens[IMPORT_REASONING]);
}

enum status import_build(const struct import_object *chat, struct tree **tree,
                         size_t *n_left_out, struct error *err)
{
	size_t n_known;
	struct known *known = sort_ids(chat, &n_known), *leaf;
	enum status status = STATUS_OK;
	uint32_t last = 0;

	*tree = tree_create();
	if (!known || !*tree)
		status = error_set(err, STATUS_NOMEM, "not enough memory for a chat");
	if (!status && chat->lens[IMPORT_SYSTEM])
		status = tree_add(*tree, 0, ROLE_SYSTEM, chat->fields[IMPORT_SYSTEM],
		                  chat->lens[IMPORT_SYSTEM], &last, err);
	for (size_t i = 0; !status && i < chat->n; i++) {
		const struct import_object *message = &chat->messages[i];
		struct known *self = find(known, n_known, message->fields[IMPORT_ID]);
		struct known *parent = find(known, n_known, message->fields[IMPORT_PARENT]);
		bool is_first = self && !message->fields[IMPORT_PARENT];
		uint32_t under = parent ? parent->node : is_first ? 0 : last;
		enum role role = ROLE_SYSTEM;

		/* One that is left out stands for its parent. */
		if (!find_role(message->fields[IMPORT_ROLE], &role))
			(*n_left_out)++;
		else if (!is_empty(message, role))
			status = add_message(*tree, message, under, role, &under, err);
		if (self)
			self->node = under;
		last = under;
	}
	leaf = find(known, n_known, chat->fields[IMPORT_LEAF]);
	last = leaf && leaf->node ? leaf->node : last;
	if (!status)
		tree_set_leaf(*tree, last ? last : (uint32_t)tree_n(*tree));
	free(known);
	if (*tree && (status || tree_n(*tree) == 0)) {
		tree_free(*tree);
		*tree = NULL;
	}
	return status;
}
