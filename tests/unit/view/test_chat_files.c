#include <criterion/criterion.h>
#include <locale.h>
#include <string.h>

#include "base/limits.h"
#include "pad.h"
#include "view/chat_view.h"

/* A message with two files, and a reply. */
static struct tree *make_chat(uint32_t *message)
{
	struct tree *tree = tree_create();
	struct attachments list = {.n = 0};
	struct attached files;
	struct buf text = {.max = LIMIT_MESSAGE};
	struct error err;

	attached_init(&files);
	cr_assert_eq(attached_add(&files, "a.c", "int a;\n", 7, &err), STATUS_OK);
	cr_assert_eq(attached_add(&files, "b", "B", 1, &err), STATUS_OK);
	files.list.items[1].tokens = 5;
	cr_assert_eq(attached_join(&files, "look", 4, &text, &list, &err), STATUS_OK);
	cr_assert_eq(tree_add(tree, 0, ROLE_USER, buf_text(&text), text.len, message, &err), STATUS_OK);
	cr_assert_eq(tree_set_attachments(tree_node(tree, *message), &list), STATUS_OK);
	cr_assert_eq(tree_add(tree, *message, ROLE_ASSISTANT, "seen", 4, NULL, &err), STATUS_OK);
	attached_free(&files);
	attachments_free(&list);
	buf_free(&text);
	return tree;
}

static void expect(struct chat_view *view, WINDOW *win, const char *expected, const char *what)
{
	struct buf all = {.max = KIB(4)};

	werase(win);
	chat_view_draw(view, win, 0, 0);
	for (int row = 0; row < 20; row++) {
		const char *text = pad_row(win, row);

		if (text[0])
			buf_printf(&all, "%s%s", all.len ? "|" : "", text);
	}
	cr_assert_str_eq(buf_text(&all), expected, "%s: %s", what, buf_text(&all));
	buf_free(&all);
}

#define FOLDED "You|look|\xe2\x96\xb8 a.c  7 B|\xe2\x96\xb8 b  1 B, 5 tokens (a key unfolds)|Assistant|seen"
#define UNFOLDED "You|look|File: a.c|```|int a;|```|File: b|```|B|```|Assistant|seen"

Test(chat_files, are_rows_until_they_are_unfolded)
{
	uint32_t message;
	struct tree *tree = make_chat(&message);
	struct chat_view *view = chat_view_create();
	WINDOW *win = pad_open(20, 60);
	const char *text = tree_node(tree, message)->text;
	size_t in_file = (size_t)(strstr(text, "int a") - text);

	setlocale(LC_CTYPE, "C.UTF-8");
	chat_view_set_tree(view, tree);
	chat_view_resize(view, 20, 60, 0);
	cr_assert_eq(chat_view_sync(view), STATUS_OK);
	expect(view, win, FOLDED, "at first");
	chat_view_toggle_reasoning(view);
	expect(view, win, UNFOLDED, "unfolded");
	chat_view_toggle_reasoning(view);
	cr_assert_eq(chat_view_sync(view), STATUS_OK);
	expect(view, win, FOLDED, "folded again");
	/* A place in the words needs no file; one in a file unfolds them. */
	chat_view_show_text(view, message, 0, 4);
	expect(view, win, FOLDED, "a place in the words");
	chat_view_show_text(view, message, in_file, in_file + 3);
	expect(view, win, UNFOLDED, "a place in a file");
	chat_view_show_text(view, 0, 0, 0);
	for (int cols = 1; cols < 30; cols++) {
		chat_view_resize(view, 1 + cols % 7, cols, 0);
		chat_view_draw(view, win, 0, 0);
		chat_view_toggle_reasoning(view);
		chat_view_draw(view, win, 0, 0);
	}
	chat_view_free(view);
	tree_free(tree);
}
