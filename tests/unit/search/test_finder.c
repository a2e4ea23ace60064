/* The search in a thread: what was asked last is answered, and nobody waits for it. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chat_support.h"
#include "search/finder.h"

static void set_up(void)
{
	static char cache[4096];

	chat_folder_make();
	snprintf(cache, sizeof cache, "%s/../cache", chat_folder());
	setenv("XDG_CACHE_HOME", cache, 1);
}

TestSuite(finder, .init = set_up, .fini = chat_folder_remove, .timeout = 300);

static struct error err;

#define OK(call) cr_assert_eq((call), STATUS_OK, "%s: %s", #call, err.text)

static void add(const char *text, size_t n_replies)
{
	struct tree *tree = tree_create();
	uint32_t id = chat_add(tree, 0, ROLE_USER, text);
	char *path;

	for (size_t i = 0; i < n_replies; i++)
		id = chat_add(tree, id, ROLE_ASSISTANT, "a reply");
	OK(journal_add(tree, "", &path, &err));
	free(path);
	tree_free(tree);
	usleep(2000); /* times that differ */
}

struct answer {
	struct finder_row *rows;
	size_t n;
};

/* Waits for all rows of the answer. */
static struct answer wait_for(struct finder *finder)
{
	struct answer answer = {.n = 0};
	struct finder_news news;

	do {
		struct pollfd fd = {.fd = finder_fd(finder), .events = POLLIN};

		cr_assert_eq(poll(&fd, 1, 60000), 1, "no answer");
		finder_take(finder, &news);
		if (news.is_new) {
			finder_rows_free(answer.rows, answer.n);
			answer = (struct answer){.n = 0};
		}
		cr_expect_eq(news.err.status, STATUS_OK, "%s", news.err.text);
		answer.rows = realloc(answer.rows, (answer.n + news.n + 1) * sizeof *answer.rows);
		if (news.n)
			memcpy(answer.rows + answer.n, news.rows, news.n * sizeof *news.rows);
		answer.n += news.n;
		free(news.rows);
	} while (!news.is_done);
	return answer;
}

static struct answer ask(struct finder *finder, const char *text, enum finder_order order)
{
	finder_ask(finder, text, strlen(text), order, false);
	return wait_for(finder);
}

static void expect_titles(struct answer answer, const char *titles)
{
	char text[1000] = "";

	for (size_t i = 0; i < answer.n; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? "," : "", answer.rows[i].title);
	cr_expect_str_eq(text, titles);
	finder_rows_free(answer.rows, answer.n);
}

Test(finder, answers)
{
	struct finder *finder;
	struct answer answer;

	add("bees", 1);
	add("Ants", 3);
	add("cats", 2);
	OK(finder_start(&finder, &err));
	expect_titles(ask(finder, "", ORDER_NEWEST), "cats,Ants,bees");
	expect_titles(ask(finder, "", ORDER_OLDEST), "bees,Ants,cats");
	expect_titles(ask(finder, "", ORDER_TITLE), "Ants,bees,cats");
	expect_titles(ask(finder, "", ORDER_LONGEST), "Ants,cats,bees");
	expect_titles(ask(finder, "a reply", ORDER_TITLE), "Ants,bees,cats");
	expect_titles(ask(finder, "ts", ORDER_TITLE), "Ants,cats");
	expect_titles(ask(finder, "nothing of that", ORDER_TITLE), "");
	answer = ask(finder, "EES", ORDER_NEWEST);
	cr_assert_eq(answer.n, 1);
	cr_expect_str_eq(answer.rows[0].line, "bees");
	cr_expect_eq(answer.rows[0].from, 1);
	cr_expect_eq(answer.rows[0].to, 4);
	finder_rows_free(answer.rows, answer.n);
	finder_ask(finder, "", 0, ORDER_NEWEST, true);
	expect_titles(wait_for(finder), "");
	finder_end(finder);
}

Test(finder, numbers_chats_of_one_title_by_age)
{
	struct finder *finder;
	struct answer answer;
	size_t seen = 0;

	for (int i = 0; i < 3; i++) {
		add("twins", 1);
		add(i ? "other" : "single", 1);
	}
	OK(finder_start(&finder, &err));
	answer = ask(finder, "", ORDER_OLDEST);
	cr_assert_eq(answer.n, 6);
	for (size_t i = 0; i < answer.n; i++) {
		if (strcmp(answer.rows[i].title, "twins") == 0)
			seen |= (size_t)1 << answer.rows[i].twin;
		cr_expect(strcmp(answer.rows[i].title, "single") != 0 || answer.rows[i].twin == 0);
	}
	cr_expect_eq(seen, 2 | 4 | 8);
	finder_rows_free(answer.rows, answer.n);
	finder_end(finder);
}

/* It sees new files when it is told to look, and says nothing when there are none. */
Test(finder, looks_again)
{
	struct finder *finder;
	struct pollfd fd;

	add("bees", 1);
	OK(finder_start(&finder, &err));
	expect_titles(ask(finder, "bee", ORDER_NEWEST), "bees");
	add("more bees", 1);
	finder_look(finder);
	expect_titles(wait_for(finder), "more bees,bees");
	finder_look(finder);
	fd = (struct pollfd){.fd = finder_fd(finder), .events = POLLIN};
	cr_expect_eq(poll(&fd, 1, 300), 0, "nothing is new");
	finder_end(finder);
}

/* Questions in quick succession, pauses, and the end at any moment. */
Test(finder, the_last_question_counts)
{
	for (int round = 0; round < 30; round++) {
		struct finder *finder;

		if (round < 10)
			add("a text with many words", 2);
		OK(finder_start(&finder, &err));
		for (size_t i = 0; i < 20; i++) {
			finder_ask(finder, "a text with many words", i + 2, ORDER_NEWEST, false);
			if (i % 7 == 3)
				finder_pause(finder);
			if (i % 5 == 4)
				finder_look(finder);
		}
		if (round % 3) {
			struct answer answer = ask(finder, "many words", ORDER_NEWEST);

			cr_expect_eq(answer.n, round < 10 ? (size_t)round + 1 : 10);
			finder_rows_free(answer.rows, answer.n);
		}
		finder_end(finder);
	}
}
