#include <criterion/criterion.h>
#include <locale.h>
#include <string.h>

#include "base/limits.h"
#include "base/role.h"
#include "chat/tree.h"
#include "ui/app_farewell.h"

static void add(struct tree *tree, enum role role, const char *text)
{
	uint32_t id;

	cr_assert_eq(tree_add(tree, tree_leaf(tree), role, text, strlen(text), &id, NULL), STATUS_OK);
}

static void expect(const struct tree *tree, size_t rows, int cols, const char *text)
{
	struct buf out = {.max = MIB(1)};

	app_scrollback_put(tree, rows, cols, &out);
	cr_assert_eq(buf_status(&out), STATUS_OK);
	cr_expect_str_eq(buf_text(&out), text, "%zu rows of %d: '%s'", rows, cols, buf_text(&out));
	buf_free(&out);
}

Test(scrollback, has_the_last_messages_that_fit)
{
	struct tree *tree = tree_create();

	setlocale(LC_CTYPE, "C.UTF-8");
	expect(tree, 100, 80, "");
	add(tree, ROLE_USER, "one\ntwo");
	add(tree, ROLE_ASSISTANT, "a\nb\n\nc\n\n");
	add(tree, ROLE_USER, "");
	add(tree, ROLE_USER, "a few words");
	expect(tree, 100, 80, "You:\none\ntwo\n\nAssistant:\na\nb\n\nc\n\nYou:\na few words\n\n");
	expect(tree, 13, 80, "You:\none\ntwo\n\nAssistant:\na\nb\n\nc\n\nYou:\na few words\n\n");
	expect(tree, 9, 80, "(1 earlier message left out)\n\nAssistant:\na\nb\n\nc\n\nYou:\na few words\n\n");
	expect(tree, 7, 80, "(1 earlier message left out)\n\nAssistant:\n\u2026\nc\n\nYou:\na few words\n\n");
	expect(tree, 6, 80, "(2 earlier messages left out)\n\nYou:\na few words\n\n");
	expect(tree, 4, 6, "(2 earlier messages left out)\n\nYou:\na few\nwords\n\n"); /* two rows */
	expect(tree, 5, 3, "(2 earlier messages left out)\n\nYou:\n\u2026\nfew\nwords\n\n"); /* a, few, wor, ds */
	expect(tree, 1, 80, "");
	tree_free(tree);
}

/* Escapes, and what cannot be seen. */
Test(scrollback, has_only_what_may_be_shown)
{
	struct tree *tree = tree_create();

	setlocale(LC_CTYPE, "C.UTF-8");
	add(tree, ROLE_SYSTEM, "be\tkind\x1B[2J");
	add(tree, ROLE_ASSISTANT, "a\x1B]52;c;AAAA\x07 b\xE2\x80\xAE\r\nc\x80");
	expect(tree, 100, 80, "System:\nbe\tkind^[[2J\n\nAssistant:\na^[]52;c;AAAA^G b<U+202E>\nc\uFFFD\n\n");
	tree_free(tree);
}
