#include "chat/tree.h"

#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "base/utf8.h"

struct tree {
	struct node **nodes; /* node of id i at i - 1; each stays where it is */
	size_t n, cap;
	struct node root;    /* the parent 0: only its children count */
	uint32_t leaf;
};

struct tree *tree_create(void)
{
	return alloc_array(1, sizeof(struct tree));
}

static void free_node(struct node *node)
{
	if (!node)
		return;
	free(node->text);
	attachments_free(&node->attachments);
	free(node->ids);
	free(node->reasoning);
	free(node->origin);
	free(node->model);
	tree_drop_runs(node);
	free(node->runs);
	free(node);
}

const struct reply_run *node_run_at(const struct node *node, size_t token)
{
	const struct reply_run *run = NULL;

	for (size_t i = 0; i < node->n_runs; i++)
		if (node->runs[i].has_begun && (!run || node->runs[i].from_id <= token))
			run = &node->runs[i];
	return run;
}

bool node_is_remote(const struct node *node)
{
	return node->n_runs && run_is_remote(&node->runs[node->n_runs - 1]);
}

void tree_drop_runs(struct node *node)
{
	for (size_t i = 0; i < node->n_runs; i++)
		run_free(&node->runs[i]);
	node->n_runs = 0;
}

enum status tree_add_run(struct node *node, struct reply_run *run)
{
	if (!alloc_grow(&node->runs, &node->cap_runs, node->n_runs + 1, sizeof *node->runs,
	                LIMIT_NODE_IDS)) {
		run_free(run);
		return STATUS_NOMEM;
	}
	node->runs[node->n_runs++] = *run;
	*run = (struct reply_run){.has_begun = false};
	return STATUS_OK;
}

void tree_free(struct tree *tree)
{
	if (!tree)
		return;
	for (size_t i = 0; i < tree->n; i++)
		free_node(tree->nodes[i]);
	free(tree->nodes);
	free(tree);
}

size_t tree_n(const struct tree *tree)
{
	return tree->n;
}

struct node *tree_node(const struct tree *tree, uint32_t id)
{
	return id >= 1 && id <= tree->n ? tree->nodes[id - 1] : NULL;
}

/* The node, or the root for 0. */
static struct node *parent_node(struct tree *tree, uint32_t id)
{
	return id ? tree_node(tree, id) : &tree->root;
}

static void link_child(struct tree *tree, struct node *node, uint32_t parent)
{
	struct node *above = parent_node(tree, parent), *last = tree_node(tree, above->last_child);

	node->parent = parent;
	node->previous = above->last_child;
	node->next = 0;
	if (last)
		last->next = node->id;
	else
		above->first_child = node->id;
	above->last_child = node->id;
}

static void unlink_child(struct tree *tree, const struct node *node)
{
	struct node *above = parent_node(tree, node->parent);
	struct node *previous = tree_node(tree, node->previous), *next = tree_node(tree, node->next);

	*(previous ? &previous->next : &above->first_child) = node->next;
	*(next ? &next->previous : &above->last_child) = node->previous;
}

uint32_t tree_first_child(const struct tree *tree, uint32_t id)
{
	const struct node *node = id ? tree_node(tree, id) : &tree->root;

	return node ? node->first_child : 0;
}

void tree_set_parent(struct tree *tree, uint32_t id, uint32_t parent)
{
	struct node *node = tree_node(tree, id);

	if (!node || parent >= id || node->parent == parent)
		return;
	unlink_child(tree, node);
	link_child(tree, node, parent);
}

uint32_t tree_leaf(const struct tree *tree)
{
	return tree->leaf;
}

void tree_set_leaf(struct tree *tree, uint32_t id)
{
	if (id <= tree->n)
		tree->leaf = id;
}

enum status tree_add(struct tree *tree, uint32_t parent, enum role role, const char *text,
                     size_t len, uint32_t *id, struct error *err)
{
	enum status status = STATUS_OK;
	struct node *node;

	if (parent > tree->n)
		return error_set(err, STATUS_NOTFOUND, "there is no message %u", parent);
	if (tree->n >= LIMIT_NODES)
		return error_set(err, STATUS_LIMIT, "a chat holds at most %zu messages",
		                 (size_t)LIMIT_NODES);
	node = alloc_array(1, sizeof *node);
	if (!node || !alloc_grow(&tree->nodes, &tree->cap, tree->n + 1, sizeof *tree->nodes,
	                         LIMIT_NODES))
		status = STATUS_NOMEM;
	if (!status)
		status = tree_append(node, text, len);
	if (status) {
		free_node(node);
		return error_set(err, status,
		                 status == STATUS_LIMIT ? "a message holds at most %zu bytes"
		                                        : "not enough memory for a message",
		                 (size_t)LIMIT_MESSAGE);
	}
	node->role = role;
	node->created = sys_wall_time();
	tree->nodes[tree->n++] = node;
	node->id = (uint32_t)tree->n;
	link_child(tree, node, parent);
	tree->leaf = node->id;
	if (id)
		*id = node->id;
	return STATUS_OK;
}

void tree_drop_last(struct tree *tree)
{
	struct node *node = tree_node(tree, (uint32_t)tree->n);

	if (!node)
		return;
	unlink_child(tree, node);
	if (tree->leaf == node->id)
		tree->leaf = node->parent;
	tree->n--;
	free_node(node);
}

static enum status append(char **to, size_t *to_len, size_t *cap, const char *text, size_t len)
{
	if (len > LIMIT_MESSAGE - *to_len)
		return STATUS_LIMIT;
	if (!alloc_grow(to, cap, *to_len + len + 1, 1, LIMIT_MESSAGE + 1))
		return STATUS_NOMEM;
	if (len)
		memcpy(*to + *to_len, text, len);
	*to_len += len;
	(*to)[*to_len] = '\0';
	return STATUS_OK;
}

enum status tree_append(struct node *node, const char *text, size_t len)
{
	return append(&node->text, &node->len, &node->cap, text, len);
}

enum status tree_append_reasoning(struct node *node, const char *text, size_t len)
{
	return append(&node->reasoning, &node->reasoning_len, &node->cap_reasoning, text, len);
}

enum status tree_set_attachments(struct node *node, const struct attachments *list)
{
	struct attachments copy = {.n = 0};
	enum status status = attachments_copy(&copy, list);

	if (status)
		return status;
	attachments_free(&node->attachments);
	node->attachments = copy;
	return STATUS_OK;
}

enum status tree_set_origin(struct node *node, const char *origin)
{
	char *copy = alloc_strndup(origin, strlen(origin));

	if (!copy)
		return STATUS_NOMEM;
	free(node->origin);
	node->origin = copy;
	return STATUS_OK;
}

enum status tree_set_model(struct node *node, const char *model)
{
	size_t len = utf8_cut(model, strlen(model), LIMIT_MODEL_LABEL);
	char *copy = NULL;

	if (len && !(copy = alloc_strndup(model, len)))
		return STATUS_NOMEM;
	free(node->model);
	node->model = copy;
	return STATUS_OK;
}

enum status tree_append_id(struct node *node, int32_t token)
{
	if (node->ids_unknown)
		return STATUS_OK;
	if (node->n_ids >= LIMIT_NODE_IDS)
		return STATUS_LIMIT;
	if (!alloc_grow(&node->ids, &node->cap_ids, node->n_ids + 1, sizeof *node->ids,
	                LIMIT_NODE_IDS))
		return STATUS_NOMEM;
	node->ids[node->n_ids++] = token;
	return STATUS_OK;
}

void tree_forget_ids(struct node *node)
{
	node->ids_unknown = true;
	node->n_ids = node->n_reasoning_ids = 0;
}

enum status tree_add_reply(struct tree *tree, const struct sampler_params *params,
                           const char *model, uint32_t *id)
{
	struct node *node;
	enum status status;

	*id = 0;
	status = tree_add(tree, tree->leaf, ROLE_ASSISTANT, "", 0, id, NULL);
	if (status)
		return status;
	node = tree_node(tree, *id);
	node->state = NODE_STREAMING;
	node->params = *params;
	node->has_params = true;
	return tree_set_model(node, model);
}

/* What a reply has said so far was reasoning. */
static enum status recant(struct node *node)
{
	enum status status = node->len ? tree_append_reasoning(node, node->text, node->len) : STATUS_OK;

	if (!status && node->len) {
		node->text[0] = '\0';
		node->len = 0;
	}
	return status;
}

enum status tree_append_token(struct node *node, const struct token *token)
{
	enum status status = token->recants ? recant(node) : STATUS_OK;

	if (!status && token->recants)
		node->n_reasoning_ids = node->n_ids;
	if (!status && !token->rest && token->id < 0)
		tree_forget_ids(node);
	else if (!status && !token->rest)
		status = tree_append_id(node, token->id);
	if (status)
		return status;
	if (!token->reasoning)
		return tree_append(node, token->bytes, token->len);
	node->n_reasoning_ids = node->n_ids;
	return token->len ? tree_append_reasoning(node, token->bytes, token->len) : STATUS_OK;
}

size_t tree_path(const struct tree *tree, uint32_t *ids, size_t cap)
{
	const struct node *node;
	size_t n = 0, at;

	/* A parent is always older than its child: this ends. */
	for (node = tree_node(tree, tree->leaf); node; node = tree_node(tree, node->parent))
		n++;
	at = n;
	for (node = tree_node(tree, tree->leaf); node; node = tree_node(tree, node->parent))
		if (--at < cap)
			ids[at] = node->id;
	return n;
}

uint32_t *tree_path_ids(const struct tree *tree, size_t *n)
{
	uint32_t *ids;

	*n = tree_path(tree, NULL, 0);
	ids = alloc_array(*n, sizeof *ids);
	if (ids)
		tree_path(tree, ids, *n);
	return ids;
}

const char *tree_speaker(const struct node *node)
{
	switch (node->role) {
	case ROLE_USER: return "You";
	case ROLE_ASSISTANT: return node->model ? node->model : "Assistant";
	default: return node->sums_up ? "Summary" : "System";
	}
}

const char *tree_mark(const struct node *node)
{
	return node->state == NODE_INTERRUPTED ? " (interrupted)" : "";
}
