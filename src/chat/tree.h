/* The message tree of one conversation: every message has a parent, a reply
 * regenerated is a sibling of the old one. Nothing is ever deleted but a message that was refused. The
 * *path* is the line from the root to the current leaf: what is shown and sent.
 *
 * Node ids are dense, from 1 in order of creation; 0 is "none". */
#ifndef SOTTO_CHAT_TREE_H
#define SOTTO_CHAT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/role.h"
#include "chat/attachment.h"
#include "chat/run.h"
#include "sampler/params.h"

enum node_state {
	NODE_COMPLETE,
	NODE_STREAMING,   /* a reply under way */
	NODE_INTERRUPTED, /* cancelled, or the program ended during the reply */
};

struct node {
	uint32_t id;
	uint32_t parent; /* 0 = root; set by tree_set_parent */
	/* The messages that follow it, in the order in which they were added: its own first and last
	 * one, and its neighbours among its parent's. 0: none. */
	uint32_t first_child, last_child, previous, next;
	enum role role;
	enum node_state state;
	char *text; /* owned; UTF-8, the model's real text */
	size_t len, cap;
	struct attachments attachments; /* messages of the user: files that are parts of the text */
	int32_t *ids; /* owned; the tokens a reply was sampled as */
	size_t n_ids, cap_ids;
	bool ids_unknown; /* some of it came from a server that does not tell them: there are none */
	/* Replies: what the model thought before it answered, not part of `text`;
	 * the first n_reasoning_ids tokens belong to it. Owned; NULL for none. */
	char *reasoning;
	size_t reasoning_len, cap_reasoning;
	size_t n_reasoning_ids;
	/* System messages. `whole`: applies to the whole conversation and replaces every system
	 * message before it; otherwise it applies from here on. `origin`: the prompt template it
	 * was made from, as /template takes it ("translator to=German"); owned, NULL for none. */
	bool whole;
	char *origin;
	/* System messages: a summary that is sent instead of the path's messages up to this one;
	 * 0: it is none. */
	uint32_t sums_up;
	/* Messages of the user and the models: its turn is never left out for lack of room; it is not
	 * sent until that is taken back. */
	bool pinned, dropped;
	char *model; /* replies: the name of the model that made it; owned, NULL: not known */
	struct sampler_params params; /* replies: as at their first token */
	bool has_params;
	struct reply_run *runs; /* replies: how they were made, a turn each; owned */
	size_t n_runs, cap_runs;
	int64_t created; /* seconds since the epoch: a label, never compared */
};

struct tree;

struct tree *tree_create(void);
void tree_free(struct tree *tree);

size_t tree_n(const struct tree *tree);
/* NULL for 0 and unknown ids. Borrowed; valid until tree_free. */
struct node *tree_node(const struct tree *tree, uint32_t id);
/* How a reply's token number `token` was made; NULL: it is not recorded. */
const struct reply_run *node_run_at(const struct node *node, size_t token);
/* Whether a server's model made the last part of a reply. */
bool node_is_remote(const struct node *node);
/* The first message that follows `id` (0: that begins the chat); 0: none. */
uint32_t tree_first_child(const struct tree *tree, uint32_t id);
/* Moves a message, with all that follows it, to the end of another parent's children. `parent` is an
 * older message, or 0. */
void tree_set_parent(struct tree *tree, uint32_t id, uint32_t parent);
uint32_t tree_leaf(const struct tree *tree); /* 0 when empty */
void tree_set_leaf(struct tree *tree, uint32_t id);

/* Adds a node under `parent` and makes it the leaf. */
enum status tree_add(struct tree *tree, uint32_t parent, enum role role, const char *text,
                     size_t len, uint32_t *id, struct error *err) MUST_CHECK;
/* Takes out the newest message, if there is one; if it is the leaf, its parent becomes that. */
void tree_drop_last(struct tree *tree);
/* Begins a reply to the leaf: empty, streaming, made by `model` with `params`. Without memory *id
 * is 0, or that of a reply without its model's name. */
enum status tree_add_reply(struct tree *tree, const struct sampler_params *params,
                           const char *model, uint32_t *id) MUST_CHECK;
/* Appends a token of it, or what is left of one: a piece of its text, or of its reasoning. After one without an
 * id (TOKEN_NONE) those of the reply are unknown. */
enum status tree_append_token(struct node *node, const struct token *token) MUST_CHECK;
enum status tree_append(struct node *node, const char *text, size_t len) MUST_CHECK;
/* Does nothing where ids are unknown. */
enum status tree_append_id(struct node *node, int32_t token) MUST_CHECK;
void tree_forget_ids(struct node *node); /* from now on they are unknown */
enum status tree_append_reasoning(struct node *node, const char *text, size_t len) MUST_CHECK;
/* Copies the list; it fits the node's text (attachments_fit). */
enum status tree_set_attachments(struct node *node, const struct attachments *list) MUST_CHECK;
enum status tree_set_origin(struct node *node, const char *origin) MUST_CHECK;
/* Takes a run, which is emptied; without memory, too. */
enum status tree_add_run(struct node *node, struct reply_run *run) MUST_CHECK;
void tree_drop_runs(struct node *node);
/* Who it is by, as people read it: "You", the model's name, "System", "Summary". Borrows the node. */
const char *tree_speaker(const struct node *node);
const char *tree_mark(const struct node *node); /* what stands behind that: " (interrupted)", or "" */
/* Cut to LIMIT_MODEL_LABEL bytes, whole characters; "": none. */
enum status tree_set_model(struct node *node, const char *model) MUST_CHECK;

/* The ids from the root to the leaf, oldest first: writes at most `cap`,
 * returns the whole length. */
size_t tree_path(const struct tree *tree, uint32_t *ids, size_t cap);
/* All of them, *n; NULL without memory. The caller frees. */
uint32_t *tree_path_ids(const struct tree *tree, size_t *n);

#endif
