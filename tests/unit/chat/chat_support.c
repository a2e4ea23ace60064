#include "chat_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "support/folder.h"

static char root[64], folder[96];

void chat_folder_make(void)
{
	make_memory_folder(root, sizeof root, "chat");
	snprintf(folder, sizeof folder, "%s/data", root);
	setenv("SOTTO_DATA_DIR", folder, 1);
	snprintf(folder, sizeof folder, "%s/state", root);
	setenv("XDG_STATE_HOME", folder, 1);
	snprintf(folder, sizeof folder, "%s/data/chats", root);
}

void chat_folder_remove(void)
{
	remove_folder(root);
}

const char *chat_folder(void)
{
	return folder;
}

uint32_t chat_add(struct tree *tree, uint32_t parent, enum role role, const char *text)
{
	struct error err;
	uint32_t id;

	cr_assert_eq(tree_add(tree, parent, role, text, strlen(text), &id, &err), STATUS_OK, "%s",
	             err.text);
	return id;
}

void chat_assert_same(const struct tree *a, const struct tree *b, const char *what)
{
	cr_assert_eq(tree_n(a), tree_n(b), "%s: %zu and %zu messages", what, tree_n(a), tree_n(b));
	cr_assert_eq(tree_leaf(a), tree_leaf(b), "%s: leaf %u and %u", what, tree_leaf(a),
	             tree_leaf(b));
	for (uint32_t id = 1; id <= tree_n(a); id++) {
		const struct node *x = tree_node(a, id), *y = tree_node(b, id);

		cr_assert_eq(x->parent, y->parent, "%s: %u", what, id);
		cr_assert_eq(x->role, y->role, "%s: %u", what, id);
		cr_assert_eq(x->state, y->state, "%s: %u: %d %d", what, id, x->state, y->state);
		cr_assert_eq(x->len, y->len, "%s: %u: %zu and %zu bytes", what, id, x->len, y->len);
		cr_assert_eq(memcmp(x->text, y->text, x->len), 0, "%s: %u", what, id);
		cr_assert_eq(x->reasoning_len, y->reasoning_len, "%s: %u", what, id);
		if (x->reasoning_len)
			cr_assert_eq(memcmp(x->reasoning, y->reasoning, x->reasoning_len), 0, "%s: %u",
			             what, id);
		cr_assert_eq(x->n_reasoning_ids, y->n_reasoning_ids, "%s: %u", what, id);
		cr_assert_eq(x->whole, y->whole, "%s: %u", what, id);
		cr_assert_eq(x->sums_up, y->sums_up, "%s: %u", what, id);
		cr_assert_eq(x->pinned, y->pinned, "%s: %u", what, id);
		cr_assert_eq(x->dropped, y->dropped, "%s: %u", what, id);
		cr_assert_str_eq(x->origin ? x->origin : "", y->origin ? y->origin : "", "%s: %u", what,
		                 id);
		cr_assert_str_eq(x->model ? x->model : "", y->model ? y->model : "", "%s: %u", what, id);
		cr_assert_eq(x->attachments.n, y->attachments.n, "%s: %u: files", what, id);
		for (size_t i = 0; i < x->attachments.n; i++) {
			const struct attachment *f = &x->attachments.items[i], *g = &y->attachments.items[i];

			cr_assert_str_eq(f->name, g->name, "%s: %u", what, id);
			cr_assert(f->from == g->from && f->len == g->len && f->start == g->start &&
			          f->tokens == g->tokens && f->n_hidden == g->n_hidden, "%s: %u", what, id);
		}
		cr_assert_eq(x->created, y->created, "%s: %u", what, id);
		cr_assert_eq(x->n_ids, y->n_ids, "%s: %u", what, id);
		cr_assert_eq(x->ids_unknown, y->ids_unknown, "%s: %u", what, id);
		for (size_t i = 0; i < x->n_ids; i++)
			cr_assert_eq(x->ids[i], y->ids[i], "%s: %u", what, id);
		cr_assert_eq(x->has_params, y->has_params, "%s: %u", what, id);
		if (x->has_params) {
			cr_assert_eq(x->params.temp, y->params.temp);
			cr_assert_eq(x->params.top_k, y->params.top_k);
			cr_assert_eq(x->params.seed, y->params.seed);
		}
	}
}

char *chat_read(const char *path, size_t *len)
{
	struct error err;
	char *text;

	cr_assert_eq(sys_read_file(path, LIMIT_TRANSCRIPT, &text, len, &err), STATUS_OK, "%s",
	             err.text);
	return text;
}

void chat_write(const char *path, const void *bytes, size_t len)
{
	FILE *file = fopen(path, "w");

	cr_assert_not_null(file, "%s", path);
	cr_assert_eq(fwrite(bytes, 1, len, file), len);
	cr_assert_eq(fclose(file), 0);
}
