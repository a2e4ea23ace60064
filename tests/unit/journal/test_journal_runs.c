/* How a reply was made, in its record. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "chat_support.h"
#include "journal/journal_internal.h"
#include "journal/journal_runs.h"

TestSuite(journal_runs, .init = chat_folder_make, .fini = chat_folder_remove, .timeout = 120);

static struct error err;

static struct reply_run make_run(size_t from)
{
	struct reply_run run = {
		.from_id = from, .from_text = 2 * from, .from_reasoning = 3, .has_begun = true,
		.has_first = from > 0, .first = (int32_t)from * 40,
		.program = "sotto 0.1.0", .n_predict = 77, .policy = CONTEXT_ENDS, .weight_rate = 1e9 / 3,
		.wish = {.mode = REASONING_OFF, .effort = EFFORT_HIGH, .clock = 1795648064001234},
		.begin = {.params = sampler_params_default(), .seed = INT64_MAX - 5, .n_prompt = 12,
		          .prompt_hash = 0xfedcba9876543210u},
		.model = {.file = "0123456789abcdef", .tmpl = "t\"x", .isa = "avx2", .cache = "f16 q8_0",
		          .n_ctx = 4096, .server = "b\xc3\xb6x.1", .model = "org/qwen \"72b\"", .dialect = "llama-server"},
		.ended = "cancelled"};
	struct sampler_params params;

	run.begin.params.temp = 0.1f + 0.2f;
	params = run.begin.params;
	run.samplers = strdup("top_k;temperature");
	run.options = strdup("rope-freq-base=500000 \"override-kv=a=str:b \\\"c\\\"\"");
	run.template_kwargs = strdup("{\"a\": \"b\\nc\",\n \"d\": 1}");
	run_set_sent(&run, "{\"temperature\":0.3,\n\"stop\":[\"\\n\"]}");
	run.stops = strdup("END \"two\nwords\"");
	params.top_p = 1.0f / 3;
	cr_assert(run_add_change(&run, 4, &params, 17));
	params.temp = 0;
	params.mirostat = 2;
	cr_assert(run_add_change(&run, 90000, &params, RUN_TEXT_UNKNOWN));
	cr_assert(run_marks_add(&run.marks, (struct run_mark){4, .dropped = true}));
	cr_assert(run_marks_add(&run.marks, (struct run_mark){7, .pinned = true}));
	cr_assert(run_marks_add(&run.marks, (struct run_mark){900, .pinned = true, .dropped = true}));
	run.marks.known = true;
	return run;
}

static void expect_same(const struct reply_run *a, const struct reply_run *b)
{
	cr_expect_eq(a->from_id, b->from_id);
	cr_expect_eq(a->from_text, b->from_text);
	cr_expect_eq(a->from_reasoning, b->from_reasoning);
	cr_expect_eq(a->has_begun, b->has_begun);
	cr_expect_eq(a->has_first, b->has_first);
	cr_expect_eq(a->first, b->first);
	cr_expect_str_eq(a->program, b->program);
	cr_expect_str_eq(a->ended, b->ended);
	cr_expect_eq(a->n_predict, b->n_predict);
	cr_expect_eq(a->policy, b->policy);
	cr_expect_eq(a->weight_rate, b->weight_rate);
	cr_expect_eq(memcmp(&a->wish, &b->wish, sizeof a->wish), 0);
	cr_expect_eq(a->begin.seed, b->begin.seed);
	cr_expect_eq(a->begin.n_prompt, b->begin.n_prompt);
	cr_expect_eq(a->begin.prompt_hash, b->begin.prompt_hash);
	cr_expect(sampler_params_equal(&a->begin.params, &b->begin.params));
	cr_expect_str_eq(a->model.file, b->model.file);
	cr_expect_str_eq(a->model.tmpl, b->model.tmpl);
	cr_expect_str_eq(a->model.isa, b->model.isa);
	cr_expect_str_eq(a->model.cache, b->model.cache);
	cr_expect_eq(a->model.n_ctx, b->model.n_ctx);
	cr_expect_str_eq(a->model.server, b->model.server);
	cr_expect_str_eq(a->model.model, b->model.model);
	cr_expect_str_eq(a->model.dialect, b->model.dialect);
	cr_expect_str_eq(a->sent ? a->sent : "", b->sent ? b->sent : "");
	cr_expect_str_eq(a->samplers, b->samplers);
	cr_expect_str_eq(a->options, b->options);
	cr_expect_str_eq(a->template_kwargs, b->template_kwargs);
	cr_expect_str_eq(a->stops, b->stops);
	cr_expect_null(b->logit_bias);
	cr_assert_eq(a->marks.known, b->marks.known);
	cr_assert_eq(a->marks.n, b->marks.n);
	for (size_t i = 0; i < a->marks.n; i++) {
		cr_expect_eq(a->marks.items[i].message, b->marks.items[i].message);
		cr_expect_eq(a->marks.items[i].pinned, b->marks.items[i].pinned);
		cr_expect_eq(a->marks.items[i].dropped, b->marks.items[i].dropped);
	}
	cr_assert_eq(a->n_changes, b->n_changes);
	for (size_t i = 0; i < a->n_changes; i++) {
		cr_expect_eq(a->changes[i].at, b->changes[i].at);
		cr_expect_eq(a->changes[i].text, b->changes[i].text);
		cr_expect(sampler_params_equal(&a->changes[i].params, &b->changes[i].params));
	}
}

Test(journal_runs, come_back_as_they_were)
{
	struct tree *tree = tree_create(), *read;
	uint32_t asked = chat_add(tree, 0, ROLE_USER, "q"), id = chat_add(tree, asked, ROLE_ASSISTANT, "answer");
	struct reply_run first = make_run(0), second = make_run(1), unknown = {.from_id = 3};
	struct node *node = tree_node(tree, id);
	struct record_source source = {.seq = 2};
	struct buf out = {.max = MIB(1)};

	cr_assert_eq(tree_add_run(node, &first), STATUS_OK);
	cr_expect_null(first.stops, "it was taken");
	cr_assert_eq(tree_add_run(node, &second), STATUS_OK);
	cr_assert_eq(tree_add_run(node, &unknown), STATUS_OK); /* nothing to say of it */
	record_put_meta(&out, &(struct record_source){.seq = 1});
	record_put_message(&out, &source, tree_node(tree, asked));
	source.seq++;
	record_put_reply(&out, &source, node);
	cr_assert_eq(journal_parse(out.data, out.len, &read, &(size_t){0}, NULL, &err), STATUS_OK);
	cr_assert_eq(tree_n(read), 2);
	cr_assert_eq(tree_node(read, 2)->n_runs, 2);
	for (size_t i = 0; i < 2; i++)
		expect_same(&node->runs[i], &tree_node(read, 2)->runs[i]);
	buf_free(&out);
	tree_free(read);
	tree_free(tree);
}

/* A reply that was continued very often can still be read; of its runs there are the last ones. */
Test(journal_runs, many_are_no_reason_to_lose_a_message)
{
	enum { N = JOURNAL_RUNS_MAX + 5 };
	struct tree *tree = tree_create(), *read;
	uint32_t id = chat_add(tree, 0, ROLE_ASSISTANT, "answer");
	struct node *node = tree_node(tree, id);
	struct record_source source = {.seq = 1};
	size_t n_damaged;
	struct buf out = {.max = MIB(8)};

	for (size_t i = 0; i < N; i++) {
		struct reply_run run = make_run(i);

		cr_assert_eq(tree_add_run(node, &run), STATUS_OK);
	}
	record_put_reply(&out, &source, node);
	cr_assert_eq(journal_parse(out.data, out.len, &read, &n_damaged, NULL, &err), STATUS_OK);
	cr_expect_eq(n_damaged, 0);
	cr_assert_eq(tree_n(read), 1);
	cr_expect_str_eq(tree_node(read, 1)->text, "answer");
	cr_assert_eq(tree_node(read, 1)->n_runs, JOURNAL_RUNS_MAX);
	expect_same(&node->runs[N - 1], &tree_node(read, 1)->runs[JOURNAL_RUNS_MAX - 1]);
	buf_free(&out);
	tree_free(read);
	tree_free(tree);
}

static struct tree *parse_reply(const char *runs, size_t *n_damaged)
{
	struct tree *tree;
	struct buf text = {.max = MIB(1)};

	buf_printf(&text, "--- # r seq=1 len=1 crc32c=0\ntype: \"message\"\nid: \"1\"\nparent: \"0\"\n"
	           "role: \"user\"\ntext: \"q\"\n...\n--- # r seq=2 len=1 crc32c=0\n"
	           "type: \"assistant-end\"\nid: \"2\"\nparent: \"1\"\nrole: \"assistant\"\n"
	           "state: \"complete\"\n%stext: \"answer\"\ntokens: \"1 2\"\n...\n", runs);
	cr_assert_eq(journal_parse(text.data, text.len, &tree, n_damaged, NULL, &err), STATUS_OK);
	buf_free(&text);
	return tree;
}

/* Whatever is wrong with them, the message is there. */
Test(journal_runs, that_cannot_be_understood_cost_no_message)
{
	static const struct {
		const char *runs;
		size_t n_runs, n_known;
	} rows[] = {
		{"", 0, 0},
		{"runs: []\n", 0, 0},
		{"runs: \"none\"\n", 0, 0},
		{"runs: {a: \"b\"}\n", 0, 0},
		{"runs:\n  - \"text\"\n  - prompt: \"3 ff\"\n", 1, 1},
		{"runs:\n  - prompt: \"3 ff\"\n    later: \"x\"\n    list: [\"a\"]\n", 1, 1},
		{"runs:\n  - from: \"0 0 0\"\n", 1, 0},
		{"runs:\n  - prompt: \"three\"\n", 1, 0},
		{"runs:\n  - prompt: \"3 ff\"\n    seed: \"-4\"\n", 1, 0},
		{"runs:\n  - prompt: \"3 ff\"\n    from: \"x\"\n", 1, 0},
		{"runs:\n  - prompt: \"3 ff\"\n    changes: \"9 temp=1; 4 temp=2\"\n", 1, 0},
		{"runs:\n  - prompt: \"3 ff\"\n    changes: \"temp=1\"\n", 1, 0},
		{"runs:\n  - prompt: \"3 ff\"\n    clock: \"9223372036853\"\n    microseconds: \"999999\"\n", 1, 1},
		{"runs:\n  - prompt: \"3 ff\"\n    clock: \"-9223372036853\"\n", 1, 1},
		{"runs:\n  - prompt: \"3 ff\"\n    clock: \"9223372036854775807\"\n", 1, 0},
		{"runs:\n  - prompt: \"3 ff\"\n    clock: \"-9223372036854775808\"\n", 1, 0},
		{"runs:\n  - prompt: \"3 ff\"\n    params: \"temp=warm =3 x top-k=5 later=1\"\n", 1, 1},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		size_t n_damaged, n_known = 0;
		struct tree *tree = parse_reply(rows[i].runs, &n_damaged);
		const struct node *node = tree_node(tree, 2);

		cr_assert(node, "%s", rows[i].runs);
		cr_expect_str_eq(node->text, "answer");
		cr_expect_eq(n_damaged, 0, "%s", rows[i].runs);
		cr_expect_eq(node->n_runs, rows[i].n_runs, "%s", rows[i].runs);
		for (size_t r = 0; r < node->n_runs; r++)
			n_known += node->runs[r].has_begun;
		cr_expect_eq(n_known, rows[i].n_known, "%s", rows[i].runs);
		tree_free(tree);
	}
}

/* None is something else than not known, as in chats of older versions. */
Test(journal_runs, say_which_messages_were_marked)
{
	static const struct {
		const char *line;
		size_t n_known;
		bool known;
		size_t n;
	} rows[] = {
		{"", 1, false, 0},
		{"    marks: \"\"\n", 1, true, 0},
		{"    marks: \"1d\"\n", 1, true, 1},
		{"    marks: \"1d  2p 3dp\"\n", 1, true, 3},
		{"    marks: \"2d 1d\"\n", 0, false, 0},
		{"    marks: \"2\"\n", 0, false, 0},
		{"    marks: \"2x\"\n", 0, false, 0},
		{"    marks: \"d\"\n", 0, false, 0},
		{"    marks: \"99999999999d\"\n", 0, false, 0},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		size_t n_damaged;
		struct tree *tree;
		const struct reply_run *run;
		char text[300];

		snprintf(text, sizeof text, "runs:\n  - prompt: \"3 ff\"\n%s", rows[i].line);
		tree = parse_reply(text, &n_damaged);
		run = tree_node(tree, 2)->runs;
		cr_expect_eq(run->has_begun, rows[i].n_known, "%s", rows[i].line);
		cr_expect_eq(run->marks.known, rows[i].known, "%s", rows[i].line);
		cr_expect_eq(run->marks.n, rows[i].n, "%s", rows[i].line);
		tree_free(tree);
	}
}

/* Chats of older versions, and what cannot be understood: the changes stay, without their places. */
Test(journal_runs, say_after_how_much_text_a_change_was)
{
	static const struct {
		const char *line;
		size_t first, second;
	} rows[] = {
		{"", RUN_TEXT_UNKNOWN, RUN_TEXT_UNKNOWN},
		{"    changes_text: \"3 6\"\n", 3, 6},
		{"    changes_text: \"- 6\"\n", RUN_TEXT_UNKNOWN, 6},
		{"    changes_text: \"3\"\n", 3, RUN_TEXT_UNKNOWN},
		{"    changes_text: \"3 4 5 6\"\n", 3, 4},
		{"    changes_text: \"-3 x6\"\n", RUN_TEXT_UNKNOWN, RUN_TEXT_UNKNOWN},
		{"    changes_text: \"99999999999999999999999 6\"\n", RUN_TEXT_UNKNOWN, 6},
		{"    changes_text: [\"3\"]\n", RUN_TEXT_UNKNOWN, RUN_TEXT_UNKNOWN},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		size_t n_damaged;
		struct tree *tree;
		const struct reply_run *run;
		char text[300];

		snprintf(text, sizeof text, "runs:\n  - prompt: \"3 ff\"\n    changes: \"4 temp=1; 9 temp=2\"\n%s",
		         rows[i].line);
		tree = parse_reply(text, &n_damaged);
		run = tree_node(tree, 2)->runs;
		cr_assert(run->has_begun && run->n_changes == 2, "%s", rows[i].line);
		cr_expect_eq(run->changes[0].text, rows[i].first, "%s: %zu", rows[i].line, run->changes[0].text);
		cr_expect_eq(run->changes[1].text, rows[i].second, "%s: %zu", rows[i].line, run->changes[1].text);
		tree_free(tree);
	}
}

/* Names that are too long are cut between characters, what was sent is left out then; a chat of a file's model
 * has none of it. */
Test(journal_runs, say_which_server_made_a_reply)
{
	struct buf text = {.max = MIB(1)};
	const struct reply_run *run;
	struct tree *tree;
	size_t n_damaged;

	buf_puts(&text, "runs:\n  - prompt: \"3 ff\"\n    server: \"x");
	for (int i = 0; i < 70; i++)
		buf_puts(&text, "\xc3\xa9");
	buf_puts(&text, "\"\n    server_model: \"m\"\n    dialect: \"later-than-this-version-of-the-program\"\n    sent: \"");
	for (int i = 0; i <= RUN_SENT_MAX; i++)
		buf_putc(&text, 'x');
	buf_puts(&text, "\"\n    price: \"3\"\n");
	tree = parse_reply(buf_text(&text), &n_damaged);
	run = tree_node(tree, 2)->runs;
	cr_assert(run->has_begun && run_is_remote(run));
	cr_expect_eq(strlen(run->model.server), 63);
	cr_expect_eq(memcmp(run->model.server + 61, "\xc3\xa9", 3), 0);
	cr_expect_str_eq(run->model.model, "m");
	cr_expect_str_eq(run->model.dialect, "later-than-this-version");
	cr_expect_null(run->sent);
	tree_free(tree);
	buf_free(&text);
	tree = parse_reply("runs:\n  - prompt: \"3 ff\"\n", &n_damaged);
	cr_expect(!run_is_remote(tree_node(tree, 2)->runs) && !tree_node(tree, 2)->runs->sent);
	tree_free(tree);
}
