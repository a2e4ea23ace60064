#include <stdlib.h>
#include <string.h>

#include "chat/ledger.h"
#include "chat_support.h"

static struct tree *tree;

static void make_tree(void)
{
	tree = tree_create();
	chat_add(tree, 0, ROLE_SYSTEM, "Be brief.");
	chat_add(tree, 1, ROLE_USER, "one\nand more");
	chat_add(tree, 2, ROLE_ASSISTANT, "two");
	chat_add(tree, 3, ROLE_USER, "three");
	chat_add(tree, 4, ROLE_ASSISTANT, "four");
}

static void free_tree(void)
{
	tree_free(tree);
}

TestSuite(ledger, .init = make_tree, .fini = free_tree);

/* The table's text; and its rows sum up to the context, if it all fits. */
static const char *table(const struct ledger_counts *counts)
{
	static struct buf text;
	struct ledger ledger;
	uint64_t sum = 0, of_prompt = 0;

	cr_assert(ledger_make(&ledger, tree, counts));
	for (size_t i = 0; i < ledger.n; i++) {
		sum += ledger.rows[i].tokens;
		of_prompt += ledger.rows[i].kind < LEDGER_RESERVE ? ledger.rows[i].tokens : 0;
	}
	cr_assert_eq(of_prompt, counts->total);
	cr_assert_eq(sum, counts->n_ctx + ledger.over);
	buf_free(&text);
	buf_init(&text, 10000);
	ledger_put_text(&text, &ledger);
	ledger_free(&ledger);
	return buf_text(&text);
}

Test(ledger, rows_sum_up_to_the_context)
{
	const struct message_count messages[] = {{7, 3, 0, false}, {5, 2, 0, false}, {4, 2, 0, false},
	                                         {6, 2, 0, false}, {3, 2, 0, false}, {8, 4, 0, false}};
	struct ledger_counts counts = {.messages = messages, .n = 6,
	                               .total = 33, .cached = 20, .n_ctx = 100, .reserve = 25};

	tree_node(tree, 2)->pinned = true;
	cr_assert_str_eq(table(&counts),
	                 "        4  System: Be brief.\n"
	                 "       15  Chat template, around the messages\n"
	                 "        3  You (pinned): one\u2026\n"
	                 "        2  Assistant: two\n"
	                 "        4  You: three\n"
	                 "        1  Assistant: four\n"
	                 "        4  Draft in the input line\n"
	                 "       25  Reserved for the reply\n"
	                 "       42  Free");
	/* The reply has what room there is. */
	counts.n_ctx = 40;
	cr_assert(strstr(table(&counts), "        7  Reserved for the reply\n        0  Free"));
	counts.n_ctx = 33;
	cr_assert(strstr(table(&counts), "        0  Reserved for the reply\n        0  Free"));
	counts.n_ctx = 30;
	cr_assert(strstr(table(&counts), "        0  Reserved for the reply\n        0  Free"));
}

Test(ledger, says_what_is_not_sent_and_why)
{
	const struct message_count messages[] = {{7, 3, 0, false}, {9, 4, 0, false}, {0, 0, 0, true},
	                                         {6, 2, 0, false}, {3, 2, 0, false}};
	const struct message_count fewer[] = {{7, 3, 0, false}, {6, 2, 0, false}, {3, 2, 0, false}};
	struct ledger_counts counts = {.messages = messages, .n_ctx = 100};

	/* The first is summed up, the second is left out for lack of room. */
	chat_add(tree, 5, ROLE_SYSTEM, "a summary");
	tree_node(tree, 6)->sums_up = 2;
	counts.n = 5;
	counts.total = 25;
	cr_assert_str_eq(table(&counts),
	                 "        4  System: Be brief.\n"
	                 "        5  Summary: a summary\n"
	                 "       11  Chat template, around the messages\n"
	                 "summed up  You: one\u2026\n"
	                 " left out  Assistant: two\n"
	                 "        4  You: three\n"
	                 "        1  Assistant: four\n"
	                 "        0  Reserved for the reply\n"
	                 "       75  Free");
	tree_set_leaf(tree, 5);
	tree_node(tree, 2)->dropped = tree_node(tree, 3)->dropped = true;
	counts.messages = fewer;
	counts.n = 3;
	counts.total = 16;
	cr_assert(strstr(table(&counts), "  dropped  You: one\u2026\n  dropped  Assistant: two\n"));
}

Test(ledger, the_guides_help_stands_for_the_system_messages)
{
	const struct message_count messages[] = {{0, 0, 0, false}, {5, 2, 0, false}, {4, 2, 0, false},
	                                         {6, 2, 0, false}, {3, 2, 0, false}};
	struct ledger_counts counts = {.messages = messages, .n = 5, .total = 68, .n_ctx = 100,
	                               .help = {.tokens = 50, .markup = 4}};
	const char *text = table(&counts);

	cr_assert(strstr(text, "       46  System, with the guide's help"), "%s", text);
	cr_assert(strstr(text, "       12  Chat template"), "%s", text);
	cr_assert_null(strstr(text, "Be brief"));
}

Test(ledger, attached_files_have_rows_of_their_own)
{
	const struct message_count messages[] = {{7, 3, 0, false}, {25, 2, 20, false}, {4, 2, 0, false},
	                                         {6, 2, 0, false}, {3, 2, 0, false}, {18, 4, 10, false}};
	struct ledger_counts counts = {.messages = messages, .n = 6, .total = 63, .n_ctx = 100};
	char name[] = "notes.txt";
	struct attachment file = {.name = name};
	struct attachments list = {.items = &file, .n = 1};
	const char *text;

	tree_node(tree, 2)->attachments = list;
	text = table(&counts);
	cr_assert(strstr(text, "        3  You: one\u2026\n       20    attached file: notes.txt\n"), "%s", text);
	cr_assert(strstr(text, "        4  Draft in the input line\n       10    attached files\n"), "%s", text);
	tree_node(tree, 2)->attachments = (struct attachments){.n = 0};
}

/* Where all were counted they have a row each, which sum up to what they take now. */
Test(ledger, each_attached_file_has_a_row)
{
	const struct message_count messages[] = {{7, 3, 0, false}, {25, 2, 20, false}, {4, 2, 0, false},
	                                         {6, 2, 0, false}, {3, 2, 0, false}};
	struct ledger_counts counts = {.messages = messages, .n = 5, .total = 45, .n_ctx = 100};
	char a[] = "a.txt", b[] = "b.txt", c[] = "c.txt";
	struct attachment files[] = {{.name = a, .tokens = 12}, {.name = b, .tokens = 5}, {.name = c, .tokens = 3}};

	tree_node(tree, 2)->attachments = (struct attachments){.items = files, .n = 3};
	cr_expect(strstr(table(&counts), "\n       12    attached file: a.txt\n        5    attached file: b.txt\n"
	                 "        3    attached file: c.txt\n"), "%s", table(&counts));
	for (uint32_t tokens = 1; tokens < 60; tokens++) { /* table() sums them up */
		files[1].tokens = tokens;
		cr_expect(strstr(table(&counts), "attached file: c.txt"));
	}
	files[1].tokens = 0; /* not counted */
	cr_expect(strstr(table(&counts), "\n       20    attached files: a.txt\n"), "%s", table(&counts));
	tree_node(tree, 2)->attachments = (struct attachments){.n = 0};
}

/* It was counted before the last message was there. */
Test(ledger, counts_that_are_older_than_the_chat)
{
	const struct message_count messages[] = {{7, 3, 0, false}, {5, 2, 0, false}, {4, 2, 0, false}};
	struct ledger_counts counts = {.messages = messages, .n = 3, .total = 16, .n_ctx = 100};

	cr_assert(strstr(table(&counts), "        2  Assistant: two\n        0  Reserved"));
}
