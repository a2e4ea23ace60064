#include "view/chat_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "chat/path.h"
#include "view/chat_view_internal.h"

struct chat_view *chat_view_create(void)
{
	struct chat_view *view = alloc_array(1, sizeof *view);

	if (view) {
		view->following = true;
		view->rows = 24;
		view->cols = 80;
		view->own.max = KIB(64);
		view->fold_key = "a key"; /* until the app says which */
	}
	return view;
}

static void block_free(struct block *block)
{
	free(block->text);
	free(block->folded);
	wrap_free(&block->wrap);
	markdown_free(&block->markdown);
	sampling_marks_free(&block->marks);
	band_runs_free(&block->bands);
}

static void free_blocks(struct chat_view *view, size_t from)
{
	for (size_t i = from; i < view->n; i++)
		block_free(&view->blocks[i]);
	view->n = from;
}

void chat_view_free(struct chat_view *view)
{
	if (!view)
		return;
	free_blocks(view, 0);
	free(view->blocks);
	free(view->left_out);
	band_runs_free(&view->marked_bands);
	buf_free(&view->own);
	free(view);
}

void chat_view_set_tree(struct chat_view *view, const struct tree *tree)
{
	free_blocks(view, 0);
	view->tree = tree;
	view->n_left_out = 0;
	chat_view_to_bottom(view);
}

enum status chat_view_set_left_out(struct chat_view *view, const uint32_t *messages, size_t n)
{
	if (!alloc_grow(&view->left_out, &view->cap_left_out, n, sizeof *view->left_out, LIMIT_NODES))
		return STATUS_NOMEM;
	if (n)
		memcpy(view->left_out, messages, n * sizeof *messages);
	view->n_left_out = n;
	return STATUS_OK;
}

void chat_view_set_picked(struct chat_view *view, uint32_t message)
{
	view->picked = message;
}

void chat_view_set_fold_key(struct chat_view *view, const char *key)
{
	view->fold_key = key;
}

void chat_view_set_continue_key(struct chat_view *view, const char *key)
{
	view->continue_key = key;
}

/* "System, from here on (template translator to=German)"; NULL without memory. */
static char *system_label(const struct tree *tree, const struct node *node)
{
	struct buf label = {.max = LIMIT_MESSAGE};

	if (node->sums_up) {
		buf_puts(&label, node->len ? "Summary, sent instead of the messages before it"
		                           : "No summary from here on");
		return buf_take(&label, NULL);
	}
	buf_puts(&label, node->len || !node->whole ? "System" : "No system message");
	if (path_has_talk_before(tree, node))
		buf_puts(&label, node->whole ? ", for the whole conversation" : ", from here on");
	if (node->origin)
		buf_printf(&label, " (template %s)", node->origin);
	return buf_take(&label, NULL);
}

/* The words, and a row for each file. *words: bytes of those, which begin the message's text, too.
 * `key` unfolds it. Names are not sanitised. */
static enum status put_folded(struct buf *out, const struct node *node, const char *key,
                              size_t *words)
{
	const struct attachments *list = &node->attachments;

	*words = attachments_words(list, node->len);
	buf_append(out, node->text, *words);
	for (size_t i = 0; i < list->n; i++) {
		buf_printf(out, "%s\u25B8 %s  ", out->len ? "\n" : "", list->items[i].name);
		attachment_put_size(out, &list->items[i]);
	}
	return buf_printf(out, " (%s unfolds)", key);
}

/* What is shown of a message with files; without memory, all of it. */
static void fold(struct chat_view *view, struct block *block)
{
	const struct node *node = tree_node(view->tree, block->node);
	bool wants = node->attachments.n && !block->is_reasoning && !block->unfolded;
	struct buf text = {.max = LIMIT_MESSAGE};
	size_t words;

	if (wants == (block->folded != NULL))
		return;
	free(block->folded);
	block->folded = NULL;
	wrap_free(&block->wrap);
	if (wants && !put_folded(&text, node, view->fold_key, &words)) {
		block->folded_rows = (struct style_run){(uint32_t)words, (uint32_t)(text.len - words), STYLE_HINT};
		block->folded = buf_take(&text, NULL);
	}
	buf_free(&text);
}

/* `len`: of its text. */
static void shade(struct chat_view *view, struct block *block, size_t len)
{
	const struct kept_reply *reply = NULL;

	block->unshaded = NULL;
	if (view->shade.by)
		reply = view->shade.look(view->shade.ctx, block->node, &block->unshaded);
	band_runs_update(&block->bands, reply, view->shade.by, block->is_reasoning, len);
}

/* Brings a block up to date with its node; true when something has changed. */
static bool refresh_block(struct chat_view *view, struct block *block)
{
	static const enum theme_role styles[ROLE_COUNT] = {
		[ROLE_SYSTEM] = STYLE_SYSTEM, [ROLE_USER] = STYLE_USER,
		[ROLE_ASSISTANT] = STYLE_ASSISTANT,
	};
	const struct node *node = tree_node(view->tree, block->node);
	size_t len;
	bool unfolded = block->is_reasoning
	                ? view->shows_reasoning || (node->state == NODE_STREAMING && !node->len)
	                : block->unfolded;
	bool changed;

	fold(view, block);
	if (block->is_reasoning)
		len = utf8_trimmed(node->reasoning, node->reasoning_len);
	else
		len = block->folded ? strlen(block->folded) : utf8_trimmed(node->text, node->len);
	changed = len != block->len || node->state != block->state || unfolded != block->unfolded;
	if (len < block->len) { /* it has not grown: it is another text */
		wrap_free(&block->wrap);
		markdown_free(&block->markdown);
		sampling_marks_free(&block->marks);
		band_runs_free(&block->bands);
	}
	if (node->role == ROLE_ASSISTANT) {
		sampling_marks_update(&block->marks, node);
		shade(view, block, len);
	}
	block->len = len;
	block->state = node->state;
	block->unfolded = unfolded;
	block->style = (struct text_style){
		.role = block->is_reasoning ? STYLE_REASONING : styles[node->role]};
	if (node->role == ROLE_SYSTEM && !block->text)
		block->text = system_label(view->tree, node);
	return changed;
}

void chat_view_unfold(struct chat_view *view, struct block *block, bool unfolded)
{
	if (!block->node || block->is_reasoning || !tree_node(view->tree, block->node)->attachments.n)
		return;
	block->unfolded = unfolded;
	refresh_block(view, block);
}

/* Takes over what the block owns. */
static enum status add_block(struct chat_view *view, struct block block)
{
	if (!alloc_grow(&view->blocks, &view->cap, view->n + 1, sizeof *view->blocks,
	                SIZE_MAX / sizeof *view->blocks)) {
		block_free(&block);
		return STATUS_NOMEM;
	}
	view->blocks[view->n++] = block;
	return STATUS_OK;
}

bool chat_view_has_reasoning(const struct chat_view *view, uint32_t id)
{
	return tree_node(view->tree, id)->reasoning_len > 0;
}

/* How many blocks are still right: those of the path's beginning, each with the notices after it.
 * *n_nodes is how many messages of the path they cover. */
static size_t common_blocks(const struct chat_view *view, const uint32_t *path, size_t n_path,
                            size_t *n_nodes)
{
	size_t i, nodes = 0;
	uint32_t last = 0;
	bool reasoned = false; /* the previous block is this message's reasoning */

	for (i = 0; i < view->n; i++) {
		const struct block *block = &view->blocks[i];

		if (!block->node) {
			if (block->after != last)
				break;
			continue;
		}
		if (nodes == n_path || path[nodes] != block->node)
			break;
		if (block->is_reasoning) {
			reasoned = true;
			continue;
		}
		if (reasoned != chat_view_has_reasoning(view, block->node))
			break;
		reasoned = false;
		last = block->node;
		nodes++;
	}
	*n_nodes = nodes;
	return reasoned ? i - 1 : i; /* the two belong together */
}

/* The blocks are in the order of their messages, and so are those for which there is no room. */
static void mark_left_out(struct chat_view *view)
{
	uint32_t summed_up = view->n ? path_summed_up(view->tree) : 0;
	size_t at = 0;

	for (size_t i = 0; i < view->n; i++) {
		struct block *block = &view->blocks[i];
		const struct node *node = block->node ? tree_node(view->tree, block->node) : NULL;

		block->left_out = NULL;
		if (!node)
			continue;
		while (at < view->n_left_out && view->left_out[at] < block->node)
			at++;
		if (node->dropped)
			block->left_out = "dropped";
		else if (path_is_summed_up(node, summed_up))
			block->left_out = "summed up";
		else if (at < view->n_left_out && view->left_out[at] == block->node)
			block->left_out = "left out";
	}
}

static enum status add_message(struct chat_view *view, struct block block)
{
	refresh_block(view, &block);
	return add_block(view, block);
}

enum status chat_view_sync(struct chat_view *view)
{
	size_t n_path = 0, n_nodes, first_new;
	uint32_t *path = view->tree ? tree_path_ids(view->tree, &n_path) : NULL;
	enum status status = STATUS_OK;
	bool changed;

	if (view->tree && !path)
		return STATUS_NOMEM;
	first_new = common_blocks(view, path, n_path, &n_nodes);
	changed = first_new < view->n || n_nodes < n_path;
	free_blocks(view, first_new);
	for (size_t i = 0; i < view->n; i++)
		if (view->blocks[i].node && refresh_block(view, &view->blocks[i]))
			changed = true;
	for (; n_nodes < n_path && !status; n_nodes++) {
		const uint32_t id = path[n_nodes];

		if (chat_view_has_reasoning(view, id))
			status = add_message(view, (struct block){.node = id, .is_reasoning = true});
		if (!status)
			status = add_message(view, (struct block){.node = id});
	}
	free(path);
	if (status)
		return status;
	mark_left_out(view);
	if (view->top.block >= view->n)
		view->following = true;
	if (changed && !view->following)
		view->new_below = true;
	return STATUS_OK;
}

enum status chat_view_notice(struct chat_view *view, enum notice_life life, enum theme_role role,
                             const char *text, size_t len)
{
	struct block block = {.life = life, .style.role = role, .len = utf8_trimmed(text, len)};
	enum status status = chat_view_sync(view);

	if (status || !block.len)
		return status;
	for (size_t i = view->n; i-- > 0 && !block.after;)
		block.after = view->blocks[i].node;
	block.text = alloc_strndup(text, block.len);
	if (!block.text || add_block(view, block))
		return STATUS_NOMEM;
	if (!view->following)
		view->new_below = true;
	return STATUS_OK;
}

/* What is being read stays in place: if that goes, what comes after it. */
static void remove_block(struct chat_view *view, size_t index)
{
	block_free(&view->blocks[index]);
	view->n--;
	memmove(view->blocks + index, view->blocks + index + 1, (view->n - index) * sizeof *view->blocks);
	if (view->top.block == index)
		view->top.row = 0;
	else if (view->top.block > index)
		view->top.block--;
	if (view->top.block >= view->n)
		view->following = true;
}

void chat_view_drop_notices(struct chat_view *view, enum notice_life life)
{
	uint32_t last = view->tree ? tree_leaf(view->tree) : 0;

	for (size_t i = view->n; i-- > 0;) {
		const struct block *block = &view->blocks[i];

		if (!block->node && block->life == life && (life != NOTICE_UNTIL_REPLY || block->after == last))
			remove_block(view, i);
	}
	chat_scroll_settle(view);
}

void chat_view_toggle_reasoning(struct chat_view *view)
{
	view->shows_reasoning = !view->shows_reasoning;
	for (size_t i = 0; i < view->n; i++)
		if (view->blocks[i].is_reasoning)
			refresh_block(view, &view->blocks[i]);
		else
			chat_view_unfold(view, &view->blocks[i], view->shows_reasoning);
	chat_scroll_settle(view);
}
