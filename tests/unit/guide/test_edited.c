/* The facts are edited without a training run: what the weights that are shipped have never
 * seen is found by its words, and other words in an answer change nothing. The copies are
 * edited in ways that do not depend on what the facts say today. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sys.h"
#include "guide/guide_internal.h"

static struct guide guide;
static struct error err;

static char *read_source(const char *path, size_t most, size_t *len)
{
	char *bytes = NULL;

	cr_assert_eq(sys_read_file(path, most, &bytes, len, &err), STATUS_OK, "%s", err.text);
	return bytes;
}

static void read_facts(const char *bytes, size_t n)
{
	size_t len;
	char *weights = read_source(TEST_SRCDIR "/tools/guide/facts.weights", LIMIT_GUIDE_WEIGHTS, &len);

	cr_assert_eq(facts_read(&guide.facts, "facts.yaml", bytes, n, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(phrases_make(&guide.phrases, &guide.facts, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(ranker_read(&guide.ranker, "facts.weights", weights, len, &guide.facts, &err), STATUS_OK,
	             "%s", err.text);
}

static void free_facts(void)
{
	ranker_deinit(&guide.ranker);
	phrases_deinit(&guide.phrases);
	facts_deinit(&guide.facts);
}

/* The first fact found, after any other; GUIDE_NOTHING. */
static size_t find_bytes(const char *question, size_t len, size_t before)
{
	struct guide_hit hits[GUIDE_ENTRIES];

	return guide_look_up(&guide, question, len, before, hits) ? hits[0].fact : GUIDE_NOTHING;
}

static size_t find(const char *question, size_t before)
{
	return find_bytes(question, strlen(question), before);
}

/* The facts of the source tree with `added` put before the first. */
static void read_with(const char *added)
{
	static const char list[] = "\nfacts:\n";
	size_t len;
	char *bytes = read_source(TEST_SRCDIR "/tools/guide/facts.yaml", LIMIT_GUIDE_FACTS, &len), *at = strstr(bytes, list);
	struct buf text = {.max = LIMIT_GUIDE_FACTS};

	cr_assert(at);
	at += strlen(list);
	buf_append(&text, bytes, (size_t)(at - bytes));
	buf_puts(&text, added);
	cr_assert_eq(buf_puts(&text, at), STATUS_OK);
	read_facts(buf_text(&text), text.len);
	buf_free(&text);
	free(bytes);
}

Test(edited_facts, with_a_new_entry_have_it_found_by_its_words)
{
	static const char *const asked[] = {
		"how do I fold the transcript into an origami crane?", "fold an origami crane", "/origami",
		"what does /origami do", "can sotto make origami cranes", "which command folds a paper crane",
		"it rains here. how do I fold the transcript into a crane?",
		"/origami folds the transcript into a paper crane; sharp creases come first.",
	};

	read_with("  - id: zz-origami\n"
	          "    text: \"/origami folds the transcript into a paper crane; sharp creases come first.\"\n"
	          "    commands: [origami]\n"
	          "    do: [fold the transcript into a crane, fold an origami crane]\n"
	          "    ask: [can sotto make origami cranes]\n");
	cr_assert(!ranker_knows(&guide.ranker, 0));
	for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
		cr_expect_eq(find(asked[i], GUIDE_NOTHING), 0, "%s", asked[i]);
		cr_expect_eq(find(asked[i], GUIDE_DECLINED), 0, "%s", asked[i]);
		cr_expect_eq(find(asked[i], 1), 0, "after another: %s", asked[i]);
	}
	cr_expect_eq(find("say that again please", 0), 0);
	/* and is none that is found without them */
	cr_expect_neq(find("how do I quit?", GUIDE_NOTHING), 0);
	cr_expect_neq(find("what is the capital of France", GUIDE_NOTHING), 0);
	cr_expect_neq(find("hello", GUIDE_NOTHING), 0);
	free_facts();
}

/* Puts other words in the place of each answer of one line that stands in quotes. */
static void reword(const char *bytes, struct buf *out)
{
	static const char text[] = "\n    text: \"";
	const char *at;

	while ((at = strstr(bytes, text))) {
		buf_append(out, bytes, (size_t)(at - bytes) + strlen(text));
		buf_puts(out, "Ask somebody else.\"");
		bytes = at + strlen(text);
		bytes += strcspn(bytes, "\n");
	}
	cr_assert_eq(buf_puts(out, bytes), STATUS_OK);
}

/* Each tenth of what the facts are asked with: what is found for it; how many there are. */
static size_t ask_all(size_t *found, size_t most)
{
	size_t n = 0, nth = 0;

	for (size_t i = 0; i < guide.facts.n; i++) {
		const char *line = guide.facts.lists.data + guide.facts.items[i].phrases;

		for (; *line; line += strcspn(line, "\n") + 1)
			if (nth++ % 10 == 0 && n < most)
				found[n++] = find_bytes(line, strcspn(line, "\n"), GUIDE_NOTHING);
	}
	return n;
}

Test(edited_facts, with_other_words_in_every_answer_are_found_as_before)
{
	enum { MOST = 1000 };
	static size_t before[MOST], after[MOST];
	size_t len, n, n_same = 0;
	char *bytes = read_source(TEST_SRCDIR "/tools/guide/facts.yaml", LIMIT_GUIDE_FACTS, &len);
	struct buf text = {.max = LIMIT_GUIDE_FACTS};

	read_facts(bytes, len);
	n = ask_all(before, MOST);
	free_facts();
	reword(bytes, &text);
	read_facts(buf_text(&text), text.len);
	cr_assert_str_eq(facts_text(&guide.facts, 0), "Ask somebody else.");
	cr_assert_eq(ask_all(after, MOST), n);
	for (size_t i = 0; i < n; i++)
		n_same += before[i] == after[i];
	cr_assert_gt(n, 100);
	cr_expect_geq(n_same * 100, n * 97, "%zu of %zu", n_same, n);
	free_facts();
	buf_free(&text);
	free(bytes);
}

/* Questions that another entry was found for, once. */
Test(edited_facts, are_found_by_questions_that_were_misread)
{
	static const char *const rows[][2] = {
		{"how do I use llama-server", "servers"}, {"connect to llama-server", "servers"},
		{"is there something like llama-server", "server"}, {"answer now", "answer-now"},
		{"stop thinking and answer", "answer-now"}, {"stop thinking", "think-cmd"},
		{"end this answer now", "stop-reply"},
	};
	size_t len;
	char *bytes = read_source(TEST_SRCDIR "/tools/guide/facts.yaml", LIMIT_GUIDE_FACTS, &len);

	read_facts(bytes, len);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		size_t fact = find(rows[i][0], GUIDE_NOTHING);

		cr_assert_neq(fact, GUIDE_NOTHING, "%s", rows[i][0]);
		cr_expect_str_eq(facts_id(&guide.facts, fact), rows[i][1], "%s", rows[i][0]);
	}
	free_facts();
	free(bytes);
}
