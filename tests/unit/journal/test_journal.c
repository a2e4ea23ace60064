#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "base/limits.h"
#include "base/sys.h"
#include "base/utf8.h"
#include "chat_support.h"

static struct error err;

#define OK(call) cr_assert_eq((call), STATUS_OK, "%s: %s", #call, err.text)

/* Of the test: a tree, what records it, and where it was when it was closed. */
static struct tree *tree;
static struct journal *journal;
static char path[200];

static void close_chat(void)
{
	snprintf(path, sizeof path, "%s", journal ? journal_path(journal) : "");
	journal_close(journal);
	journal = NULL;
}

static void set_up(void)
{
	chat_folder_make();
	tree = tree_create();
}

static void tear_down(void)
{
	close_chat();
	tree_free(tree);
	chat_folder_remove();
}

/* Another tree, for what is tried several times. */
static void begin_anew(void)
{
	close_chat();
	tree_free(tree);
	tree = tree_create();
}

TestSuite(journal, .init = set_up, .fini = tear_down, .timeout = 120);

/* A user's message into the tree and the chat. */
static void say(uint32_t parent, const char *text)
{
	uint32_t id = chat_add(tree, parent, ROLE_USER, text);

	OK(journal_message(journal, tree_node(tree, id), &err));
}

/* A chat of every kind of record; the journal is still open. */
static void write_chat(void)
{
	struct node *reply;
	uint32_t id;

	OK(journal_create(&journal, &err));
	id = chat_add(tree, 0, ROLE_SYSTEM, "Be brief.");
	OK(journal_message(journal, tree_node(tree, id), &err));
	id = chat_add(tree, id, ROLE_USER, "Hello,\n  two lines \"quoted\"\n");
	OK(journal_message(journal, tree_node(tree, id), &err));
	id = chat_add(tree, id, ROLE_ASSISTANT, "");
	reply = tree_node(tree, id);
	reply->state = NODE_STREAMING;
	reply->has_params = true;
	reply->params = sampler_params_default();
	reply->params.temp = 0.7f;
	reply->params.seed = 42;
	cr_assert_eq(tree_set_model(reply, "Tiny \"1\"\nLlama"), STATUS_OK);
	for (int i = 0; i < 5; i++) {
		cr_assert_eq(tree_append(reply, "w\xc3\xb6rd ", 6), STATUS_OK);
		cr_assert_eq(tree_append_id(reply, 1000 + i), STATUS_OK);
		OK(journal_reply_part(journal, reply, (uint64_t)i * 2500, &err));
	}
	reply->state = NODE_COMPLETE;
	OK(journal_reply_end(journal, reply, &err));
	id = chat_add(tree, reply->parent, ROLE_ASSISTANT, "another");
	OK(journal_reply_end(journal, tree_node(tree, id), &err));
	OK(journal_title(journal, "greetings", &err));
	tree_set_leaf(tree, reply->id);
	OK(journal_leaf(journal, reply->id, &err));
}

/* Opens the file as the test's journal. */
static enum status go_on(struct tree **out, const char *file)
{
	size_t n_damaged;
	bool forked;

	return journal_open(&journal, out, file, &forked, &n_damaged, &err);
}

static struct tree *open_tree(const char *file, size_t *n_damaged, size_t *n_edited)
{
	struct journal *opened;
	struct tree *found;
	bool forked;

	OK(journal_open(&opened, &found, file, &forked, n_damaged, &err));
	*n_edited = journal_n_edited(opened);
	journal_close(opened);
	return found;
}

static void assert_loads(const char *file, const struct tree *expected, size_t damaged,
                         const char *what)
{
	size_t n_damaged, n_edited;
	struct tree *found = open_tree(file, &n_damaged, &n_edited);

	cr_assert_eq(n_damaged, damaged, "%s: %zu damaged", what, n_damaged);
	cr_assert_eq(n_edited, 0, "%s: %zu edited", what, n_edited);
	chat_assert_same(found, expected, what);
	tree_free(found);
}

Test(journal, the_sum_is_that_of_rfc_3720)
{
	unsigned char zeros[32] = {0}, ones[32];

	memset(ones, 0xFF, sizeof ones);
	cr_assert_eq(crc32c("123456789", 9), 0xE3069283u);
	cr_assert_eq(crc32c(zeros, 32), 0x8A9136AAu);
	cr_assert_eq(crc32c(ones, 32), 0x62A8AB43u);
	cr_assert_eq(crc32c("", 0), 0);
}

Test(journal, a_chat_comes_back_as_it_was)
{
	struct stat st;

	OK(journal_create(&journal, &err));
	cr_assert_str_eq(journal_path(journal), "");
	cr_assert_neq(stat(chat_folder(), &st), 0, "nothing before the first record");
	close_chat();
	write_chat();
	snprintf(path, sizeof path, "%s", journal_path(journal));
	cr_assert_eq(strncmp(path, chat_folder(), strlen(chat_folder())), 0, "%s", path);
	cr_assert_eq(strlen(journal_id(journal)), strlen("20261121-093000-ab12"));
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 07777, 0600);
	cr_assert_eq(stat(chat_folder(), &st), 0);
	cr_assert_eq(st.st_mode & 07777, 0700);
	cr_assert_not(journal_is_unsaved(journal));
	close_chat();
	assert_loads(path, tree, 0, "whole");
}

Test(journal, a_whole_tree_is_recorded_at_once)
{
	struct buf title = {.max = LIMIT_TITLE};
	size_t len;
	char *text;

	write_chat();
	close_chat();
	OK(journal_create(&journal, &err));
	OK(journal_tree(journal, tree, "another\nname", &err));
	cr_assert_eq(journal->n_messages, 3);
	cr_assert_str_eq(journal_get_title(journal), "another name");
	cr_assert_not(journal_is_unsaved(journal));
	chat_add(tree, tree_leaf(tree), ROLE_USER, "and on");
	OK(journal_message(journal, tree_node(tree, 5), &err));
	close_chat();
	assert_loads(path, tree, 0, "the copy");
	text = chat_read(path, &len);
	tree_free(tree);
	OK(journal_parse(text, len, &tree, NULL, &title, &err));
	cr_assert_str_eq(buf_text(&title), "another name");
	free(text);
	buf_free(&title);
}

Test(journal, the_format_is_the_documented_one)
{
	static const char meta[] = "type: \"meta\"\nformat: \"1\"\nprogram: \"" PACKAGE_STRING "\"\n";
	char expected[300];
	char *text;
	size_t len;

	setenv("SOTTO_TEST_CLOCK", "1795253400", 1);
	OK(journal_create(&journal, &err));
	say(0, "Hi there,\nyou\ntwo");
	text = chat_read(journal_path(journal), &len);
	snprintf(expected, sizeof expected, "--- # r seq=1 len=%zu crc32c=%08x\n%s...\n", strlen(meta),
	         (unsigned)crc32c(meta, strlen(meta)), meta);
	cr_assert_eq(strncmp(text, expected, strlen(expected)), 0, "%s", text);
	cr_assert_str_eq(text + strlen(expected),
	                 "--- # r seq=2 len=124 crc32c=b8ac386f\n"
	                 "type: \"message\"\nid: \"1\"\nparent: \"0\"\nrole: \"user\"\n"
	                 "time: \"2026-11-21T09:30:00Z\"\ntext: \"Hi there,\\n\\\n  you\\ntwo\"\nmessages: \"1\"\n...\n");
	free(text);
}

Test(journal, a_chat_goes_on_after_opening)
{
	struct tree *again;
	char *before, *after;
	size_t n_damaged, len, len_after;
	bool forked;
	uint32_t id;

	write_chat();
	close_chat();
	before = chat_read(path, &len);
	OK(journal_open(&journal, &again, path, &forked, &n_damaged, &err));
	cr_assert_not(forked);
	cr_assert_str_eq(journal_get_title(journal), "greetings");
	cr_assert_str_eq(journal_path(journal), path);
	after = chat_read(path, &len_after);
	cr_assert_eq(len, len_after, "opening changes nothing");
	cr_assert_eq(memcmp(before, after, len), 0);
	free(after);
	id = chat_add(again, tree_leaf(again), ROLE_USER, "more");
	OK(journal_message(journal, tree_node(again, id), &err));
	close_chat();
	after = chat_read(path, &len_after);
	cr_assert_gt(len_after, len);
	cr_assert_eq(memcmp(before, after, len), 0);
	assert_loads(path, again, 0, "more");
	free(before);
	free(after);
	tree_free(again);
}

Test(journal, a_reply_cut_short_is_there_as_far_as_it_came)
{
	struct tree *again;
	struct node *reply;
	size_t n_damaged, n_edited;

	OK(journal_create(&journal, &err));
	say(0, "q");
	reply = tree_node(tree, chat_add(tree, 1, ROLE_ASSISTANT, ""));
	for (int i = 0; i < 10; i++) {
		cr_assert_eq(tree_append(reply, "0123456789", 10), STATUS_OK);
		cr_assert_eq(tree_append_id(reply, i), STATUS_OK);
		OK(journal_reply_part(journal, reply, (uint64_t)i * 1000, &err));
	}
	/* parts at 2 s, 4 s, 6 s and 8 s: nine of ten are there */
	again = open_tree(journal_path(journal), &n_damaged, &n_edited);
	cr_assert_eq(tree_n(again), 2);
	cr_assert_eq(tree_node(again, 2)->state, NODE_INTERRUPTED);
	cr_assert_eq(tree_node(again, 2)->len, 90);
	cr_assert_eq(tree_node(again, 2)->n_ids, 9);
	cr_assert_eq(n_damaged, 0);
	tree_free(again);
	/* 4 KiB do not wait for the clock, and half a character waits */
	for (int i = 0; i < 5000; i++)
		cr_assert_eq(tree_append(reply, "x", 1), STATUS_OK);
	cr_assert_eq(tree_append(reply, "\xe2\x82", 2), STATUS_OK);
	OK(journal_reply_part(journal, reply, 9001, &err));
	again = open_tree(journal_path(journal), &n_damaged, &n_edited);
	cr_assert_eq(tree_node(again, 2)->len, 5100);
	tree_free(again);
	cr_assert_eq(tree_append(reply, "\xac", 1), STATUS_OK);
	reply->state = NODE_INTERRUPTED;
	OK(journal_reply_end(journal, reply, &err));
	assert_loads(journal_path(journal), tree, 0, "ended");
}

/* A server goes on with a reply whose tokens were known: none are kept, and none come back of those that were
 * written already. */
Test(journal, a_reply_without_ids_comes_back_without_them)
{
	struct tree *again;
	struct node *reply;
	size_t n_damaged, n_edited;

	OK(journal_create(&journal, &err));
	say(0, "q");
	reply = tree_node(tree, chat_add(tree, 1, ROLE_ASSISTANT, ""));
	for (int i = 0; i < 10; i++) {
		const struct token token = {.id = i < 5 ? i : -1, .bytes = "0123456789", .len = 10};

		cr_assert_eq(tree_append_token(reply, &token), STATUS_OK);
		OK(journal_reply_part(journal, reply, (uint64_t)i * 1000, &err));
		again = open_tree(journal_path(journal), &n_damaged, &n_edited);
		if (i == 4)
			cr_expect_eq(tree_node(again, 2)->n_ids, 5);
		if (i >= 6) {
			cr_expect_geq(tree_node(again, 2)->len, 70);
			cr_expect_eq(tree_node(again, 2)->n_ids, 0);
			cr_expect(tree_node(again, 2)->ids_unknown);
		}
		cr_expect_eq(n_damaged, 0);
		tree_free(again);
	}
	reply->state = NODE_COMPLETE;
	OK(journal_reply_end(journal, reply, &err));
	assert_loads(journal_path(journal), tree, 0, "ended");
	cr_assert_eq(tree_append_token(reply, &(struct token){.id = 7, .bytes = "!", .len = 1}), STATUS_OK);
	cr_expect_eq(reply->n_ids, 0, "nor what a file's model adds");
}

/* A reply that thinks for ten seconds, then answers for five. */
static void think_and_answer(struct node *reply, int seconds)
{
	for (int i = 0; i < seconds; i++) {
		bool thinks = i < 10;

		cr_assert_eq(thinks ? tree_append_reasoning(reply, "hm\xe2\x80\xa6 ", 6)
		                    : tree_append(reply, "so ", 3), STATUS_OK);
		cr_assert_eq(tree_append_id(reply, i), STATUS_OK);
		if (thinks)
			reply->n_reasoning_ids++;
		OK(journal_reply_part(journal, reply, (uint64_t)i * 1000, &err));
	}
}

Test(journal, reasoning_is_written_while_it_streams)
{
	for (int seconds = 1; seconds <= 15; seconds++) {
		struct tree *again;
		struct node *reply, *found;
		size_t n_damaged, n_edited;

		begin_anew();
		OK(journal_create(&journal, &err));
		say(0, "q");
		reply = tree_node(tree, chat_add(tree, 1, ROLE_ASSISTANT, ""));
		reply->state = NODE_STREAMING;
		think_and_answer(reply, seconds);
		again = open_tree(journal_path(journal), &n_damaged, &n_edited);
		found = tree_node(again, 2);
		if (seconds > 2) {
			cr_assert_not_null(found, "%d", seconds);
			cr_assert_geq(found->reasoning_len / 6 + found->len / 3, (size_t)seconds - 2);
			cr_assert_eq(found->n_ids, found->reasoning_len / 6 + found->len / 3);
			cr_assert_eq(found->n_reasoning_ids, found->reasoning_len / 6);
			cr_assert_eq(memcmp(found->reasoning, reply->reasoning, found->reasoning_len), 0);
			cr_assert_eq(memcmp(found->text, reply->text, found->len), 0);
			cr_assert_eq(found->state, NODE_INTERRUPTED);
		}
		tree_free(again);
		reply->state = NODE_INTERRUPTED;
		OK(journal_reply_end(journal, reply, &err));
		assert_loads(journal_path(journal), tree, 0, "ended");
	}
}

Test(journal, system_messages_keep_where_they_hold_and_what_they_are_from)
{
	char copy[200];
	uint32_t id;

	OK(journal_create(&journal, &err));
	id = chat_add(tree, 0, ROLE_SYSTEM, "Translate.");
	tree_node(tree, id)->whole = true;
	cr_assert_eq(tree_set_origin(tree_node(tree, id), "translator 'to=\xc3\x96\n \"x\"'"), 0);
	OK(journal_message(journal, tree_node(tree, id), &err));
	id = chat_add(tree, id, ROLE_SYSTEM, "");
	cr_assert_eq(tree_set_origin(tree_node(tree, id), "none"), 0);
	OK(journal_message(journal, tree_node(tree, id), &err));
	id = chat_add(tree, id, ROLE_ASSISTANT, "done");
	cr_assert_eq(tree_append_reasoning(tree_node(tree, id), "thought", 7), 0);
	OK(journal_reply_end(journal, tree_node(tree, id), &err));
	assert_loads(journal_path(journal), tree, 0, "written");
	snprintf(copy, sizeof copy, "%s/copy.yaml", chat_folder());
	OK(journal_export(tree, "", copy, &err));
	assert_loads(copy, tree, 0, "exported");
}

Test(journal, marks_and_summaries_come_back)
{
	char copy[200];

	OK(journal_create(&journal, &err));
	chat_add(tree, 0, ROLE_USER, "one");
	chat_add(tree, 1, ROLE_ASSISTANT, "two");
	chat_add(tree, 2, ROLE_USER, "three");
	tree_node(tree, chat_add(tree, 3, ROLE_SYSTEM, "in short"))->sums_up = 2;
	for (uint32_t id = 1; id <= 4; id++)
		OK(journal_node(journal, tree_node(tree, id), &err));
	tree_node(tree, 1)->pinned = tree_node(tree, 2)->dropped = tree_node(tree, 3)->dropped = true;
	for (uint32_t id = 1; id <= 3; id++)
		OK(journal_mark(journal, tree_node(tree, id), &err));
	tree_node(tree, 3)->dropped = false;
	OK(journal_mark(journal, tree_node(tree, 3), &err));
	assert_loads(journal_path(journal), tree, 0, "in records of their own");
	snprintf(copy, sizeof copy, "%s/copy.yaml", chat_folder());
	OK(journal_export(tree, "", copy, &err));
	assert_loads(copy, tree, 0, "with their messages");
}

/* What this version writes of a mark is what earlier ones skip: a record of a type that they do not
 * know. A mark of a message that is not there is damage. */
Test(journal, a_mark_needs_its_message)
{
	struct record_source source = {.seq = 1};
	struct node node = {.id = 7, .pinned = true};
	struct tree *parsed;
	struct buf record = {.max = 1000};
	size_t n_damaged;

	record_put_mark(&record, &source, &node);
	cr_assert(strstr(buf_text(&record), "type: \"mark\"\nid: \"7\"\npinned: \"yes\"\ndropped: \"no\"\n"));
	OK(journal_parse(buf_text(&record), record.len, &parsed, &n_damaged, NULL, &err));
	cr_assert_eq(n_damaged, 1);
	cr_assert_eq(tree_n(parsed), 0);
	tree_free(parsed);
	buf_free(&record);
}

Test(journal, the_second_to_open_goes_on_in_a_copy)
{
	struct tree *first_tree, *second_tree;
	struct journal *first, *second;
	char copy[200];
	size_t n_damaged;
	bool forked;

	write_chat();
	close_chat();
	OK(journal_open(&first, &first_tree, path, &forked, &n_damaged, &err));
	cr_assert_not(forked);
	OK(journal_open(&second, &second_tree, path, &forked, &n_damaged, &err));
	cr_assert(forked);
	cr_assert_str_eq(journal_why_copy(first), "");
	cr_assert_str_eq(journal_why_copy(second), "is open in another sotto");
	cr_assert_str_eq(journal_path(second), path, "a copy only when there is something new");
	OK(journal_message(first, tree_node(first_tree, chat_add(first_tree, 3, ROLE_USER, "A")), &err));
	OK(journal_message(second, tree_node(second_tree, chat_add(second_tree, 3, ROLE_USER, "B")), &err));
	snprintf(copy, sizeof copy, "%s", journal_path(second));
	cr_assert_str_neq(copy, path);
	journal_close(first);
	journal_close(second);
	assert_loads(path, first_tree, 0, "first");
	assert_loads(copy, second_tree, 0, "copy");
	tree_free(first_tree);
	tree_free(second_tree);
}

static int open_read_only(const char *file, int flags, mode_t mode)
{
	if ((flags & O_ACCMODE) == O_RDONLY)
		return io_system.open(file, flags, mode);
	errno = EROFS;
	return -1;
}

static int never_lock(int fd, int operation)
{
	(void)fd;
	(void)operation;
	errno = ENOLCK;
	return -1;
}

Test(journal, who_goes_on_in_a_copy_is_told_why)
{
	struct tree *again;
	struct io_ops read_only = io_system, no_locks = io_system;
	const struct {
		const struct io_ops *io;
		const char *why;
	} cases[] = {{&read_only, "may not be written to"}, {&no_locks, "cannot be locked"}};

	write_chat();
	close_chat();
	read_only.open = open_read_only;
	no_locks.flock = never_lock;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t n_damaged;
		bool forked;

		OK(journal_open_io(&journal, &again, path, &forked, &n_damaged, cases[i].io, &err));
		cr_assert(forked);
		cr_assert_str_eq(journal_why_copy(journal), cases[i].why);
		close_chat();
		tree_free(again);
	}
}

/* Every cut of the file: all whole records load, one torn at most is counted,
 * and going on loses nothing more. */
Test(journal, a_torn_tail_hides_nothing_else)
{
	char torn_path[220], *text, *torn;
	size_t len, torn_len, step = getenv("SOTTO_TEST_LONG") ? 1 : 7;

	write_chat();
	close_chat();
	text = chat_read(path, &len);
	snprintf(path, sizeof path, "%s/torn.yaml", chat_folder());
	snprintf(torn_path, sizeof torn_path, "%s.torn", path);
	for (size_t cut = 1; cut < len; cut += step) {
		struct tree *again;
		struct parse_report report;
		size_t n_damaged, n_messages;
		bool forked;
		uint32_t id;

		unlink(torn_path);
		OK(transcript_parse(text, cut, &again, NULL, &report, &err));
		n_messages = tree_n(again);
		cr_assert_leq(report.n_damaged, 1, "cut at %zu", cut);
		tree_free(again);
		chat_write(path, text, cut);
		if (n_messages == 0)
			continue;
		OK(journal_open(&journal, &again, path, &forked, &n_damaged, &err));
		cr_assert_eq(tree_n(again), n_messages);
		id = chat_add(again, tree_leaf(again), ROLE_USER, "after");
		OK(journal_message(journal, tree_node(again, id), &err));
		close_chat();
		assert_loads(path, again, report.n_damaged, "after the tear");
		if (report.torn) {
			torn = chat_read(torn_path, &torn_len);
			cr_assert_eq(torn_len, cut - report.good_len);
			cr_assert_eq(memcmp(torn, text + report.good_len, torn_len), 0);
			free(torn);
		}
		torn = chat_read(path, &torn_len);
		cr_assert_eq(memcmp(torn, text, cut), 0, "nothing is taken away");
		free(torn);
		tree_free(again);
	}
	free(text);
}

/* Of a record's own lines, not of its frame: the sum holds over these. */
static bool in_body(const char *text, size_t at)
{
	while (at && text[at - 1] != '\n')
		at--;
	return strncmp(text + at, "--- # r ", 8) != 0;
}

Test(journal, a_damaged_byte_hides_one_record_at_most)
{
	size_t len, step = getenv("SOTTO_TEST_LONG") ? 1 : 3;
	char *text;

	write_chat();
	close_chat();
	text = chat_read(path, &len);
	for (size_t at = 0; at < len; at += step) {
		static const char damages[] = {'\0', '\xff', '\n', '-', 'x'};

		for (size_t d = 0; d < sizeof damages; d++) {
			struct parse_report report;
			struct tree *again;
			char saved = text[at];
			size_t different = 0;

			text[at] = damages[d];
			OK(transcript_parse(text, len, &again, NULL, &report, &err));
			text[at] = saved;
			cr_assert_geq(tree_n(again), tree_n(tree) - 1, "byte %zu", at);
			for (uint32_t id = 1; id <= tree_n(again) && id <= tree_n(tree); id++) {
				const struct node *a = tree_node(tree, id), *b = tree_node(again, id);

				different += a->len != b->len || memcmp(a->text, b->text, a->len) != 0;
			}
			cr_assert_leq(different, 1, "byte %zu", at);
			if (damages[d] != saved && in_body(text, at))
				cr_assert_gt(report.n_damaged + report.n_edited, 0, "byte %zu", at);
			tree_free(again);
		}
	}
	free(text);
}

Test(journal, lost_messages_keep_their_places)
{
	char *text, *at;
	size_t len, n_damaged, n_edited;
	struct tree *again;

	OK(journal_create(&journal, &err));
	for (uint32_t i = 0; i < 4; i++)
		say(i, "text");
	close_chat();
	text = chat_read(path, &len);
	at = strstr(text, "id: \"2\"");
	at[1] = '\x01';
	chat_write(path, text, len);
	free(text);
	again = open_tree(path, &n_damaged, &n_edited);
	cr_assert_eq(n_damaged, 1);
	cr_assert_eq(tree_n(again), 4);
	cr_assert_eq(tree_path(again, NULL, 0), 4, "the way to the root is whole");
	cr_assert_not_null(strstr(tree_node(again, 2)->text, "could not be read"));
	cr_assert_str_eq(tree_node(again, 3)->text, "text");
	tree_free(again);
}

Test(journal, a_file_edited_by_hand_is_read)
{
	static const char text[] =
		"# my notes\n"
		"--- # r seq=1 len=9 crc32c=00000000\n"
		"type: message\nid: 1\nparent: 0\nrole: user\ntext: |\n  written\n  by hand\n...\n"
		"\n# a remark in between\n\n"
		"--- # r\n"
		"type: assistant-end\nid: 2\nparent: 1\nrole: assistant\nstate: complete\n"
		"text: plain\nlater: {things: [1, 2]}\n...\n"
		"---\n{type: message, id: 3, parent: 2, role: user, text: framed by others}\n";
	struct parse_report report;
	struct tree *parsed;

	OK(transcript_parse(text, sizeof text - 1, &parsed, NULL, &report, &err));
	cr_assert_eq(tree_n(parsed), 3);
	cr_assert_str_eq(tree_node(parsed, 1)->text, "written\nby hand\n");
	cr_assert_str_eq(tree_node(parsed, 2)->text, "plain");
	cr_assert_str_eq(tree_node(parsed, 3)->text, "framed by others");
	cr_assert_eq(report.n_damaged, 0);
	cr_assert_eq(report.n_edited, 3);
	tree_free(parsed);
}

Test(journal, records_that_make_no_sense_are_counted)
{
	static const char *const bodies[] = {
		"type: message\nid: 0\nparent: 0\nrole: user\ntext: x\n",
		"type: message\nid: 1\nparent: 1\nrole: user\ntext: x\n",
		"type: message\nid: 1\nparent: 7\nrole: user\ntext: x\n",
		"type: message\nid: 2000\nparent: 0\nrole: user\ntext: x\n",
		"type: message\nid: 99999999999999\nparent: 0\nrole: user\ntext: x\n",
		"type: message\nid: 1\nparent: -1\nrole: user\ntext: x\n",
		"type: message\nid: 1\nparent: 0\nrole: king\ntext: x\n",
		"type: message\nid: 1\nparent: 0\nrole: user\n",
		"type: message\nid: 1\nrole: user\ntext: x\n",
		"type: message\nid: 1\nparent: 0\nrole: user\ntext: x\ntokens: 1 b\n",
		"type: message\nid: 1\nparent: 0\nrole: user\ntext: x\ntokens: -1\n",
		"type: leaf\nid: 9\n",
		"type: leaf\n",
		"- list\n",
		"text\n",
		"type: message\nid: 1\nparent: 0\nrole: user\ntext: x\ntext: y\n",
		"type: message\nid: &a 1\nparent: 0\nrole: user\ntext: *a\n",
	};

	for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
		struct parse_report report;
		struct tree *parsed;
		char text[300];
		int n = snprintf(text, sizeof text, "--- # r seq=1 len=%zu crc32c=%08x\n%s...\n",
		                 strlen(bodies[i]), (unsigned)crc32c(bodies[i], strlen(bodies[i])),
		                 bodies[i]);

		OK(transcript_parse(text, (size_t)n, &parsed, NULL, &report, &err));
		cr_assert_eq(report.n_damaged, 1, "%s", bodies[i]);
		cr_assert_eq(tree_n(parsed), 0, "%s", bodies[i]);
		tree_free(parsed);
	}
}

Test(journal, what_is_no_transcript_is_refused)
{
	struct tree *opened;
	uint32_t id;

	mkdir(getenv("SOTTO_DATA_DIR"), 0700);
	mkdir(chat_folder(), 0700);
	snprintf(path, sizeof path, "%s/x.yaml", chat_folder());
	chat_write(path, "hello: world\n", 13);
	cr_assert_eq(go_on(&opened, path), STATUS_FORMAT);
	cr_assert(strstr(err.text, "not a chat saved by sotto"));
	chat_write(path, "\0\xff\n\n", 4);
	cr_assert_eq(go_on(&opened, path), STATUS_FORMAT);
	cr_assert_eq(go_on(&opened, chat_folder()), STATUS_IO);
	cr_assert_eq(go_on(&opened, "/nonexistent"), STATUS_NOTFOUND);
	cr_assert_eq(go_on(&opened, "/dev/null"), STATUS_IO);
	cr_assert_eq(access(path, F_OK), 0, "and left alone");
	chat_write(path, "", 0);
	OK(go_on(&opened, path));
	id = chat_add(opened, 0, ROLE_USER, "into an empty file");
	OK(journal_message(journal, tree_node(opened, id), &err));
	close_chat();
	assert_loads(path, opened, 0, "empty");
	tree_free(opened);
}

Test(journal, a_file_replaced_or_cut_under_us_is_gone_on_with_elsewhere)
{
	for (int how = 0; how < 4; how++) {
		char other[220], *text;
		size_t len;

		begin_anew();
		write_chat();
		snprintf(path, sizeof path, "%s", journal_path(journal));
		snprintf(other, sizeof other, "%s.bak", path);
		text = chat_read(path, &len);
		if (how == 0)
			unlink(path);
		else if (how == 1)
			cr_assert_eq(truncate(path, 10), 0);
		else if (how == 2)
			cr_assert_eq(rename(path, other), 0);
		else
			chat_write(path, text, len); /* in place, the same: nothing happened */
		say(3, "on");
		cr_assert_eq(strcmp(journal_path(journal), path) == 0, how == 3, "%d", how);
		assert_loads(journal_path(journal), tree, 0, "elsewhere");
		free(text);
	}
}

/* What a message that was refused leaves: nothing, however the chat goes on. */
Test(journal, a_message_is_taken_back)
{
	for (int goes_on = 0; goes_on < 2; goes_on++) {
		struct journal_point before, after;
		char *text, *again;
		size_t len, len_again;

		begin_anew();
		write_chat();
		before = journal_point(journal);
		text = chat_read(journal_path(journal), &len);
		say(3, "too long");
		after = journal_point(journal);
		cr_assert(journal_take_back(journal, &before, &after));
		cr_assert_not(journal_take_back(journal, &before, &after), "once");
		tree_drop_last(tree);
		again = chat_read(journal_path(journal), &len_again);
		cr_assert(len == len_again && memcmp(text, again, len) == 0, "the file is as it was");
		if (goes_on)
			say(3, "on");
		assert_loads(journal_path(journal), tree, 0, "taken back");
		cr_assert_not(journal_is_unsaved(journal));
		free(text);
		free(again);
	}
}

Test(journal, with_its_only_message_the_chat_goes)
{
	struct journal_entry *entries;
	struct journal_point before, after;
	size_t n;

	OK(journal_create(&journal, &err));
	for (int i = 0; i < 2; i++) {
		before = journal_point(journal);
		OK(journal_message(journal, tree_node(tree, chat_add(tree, 0, ROLE_SYSTEM, "Be.")), &err));
		say(1, "x");
		after = journal_point(journal);
		cr_assert(journal_take_back(journal, &before, &after));
		tree_drop_last(tree);
		tree_drop_last(tree);
		cr_assert_str_eq(journal_path(journal), "");
		cr_assert_str_eq(journal_id(journal), "");
		OK(journal_list(&entries, &n, &err));
		cr_assert_eq(n, 0);
		journal_list_free(entries, n);
	}
	say(0, "on");
	assert_loads(journal_path(journal), tree, 0, "another file");
}

/* Where the record is not certainly the newest of this file, it stays, and so does all else. */
Test(journal, what_is_not_ours_to_cut_stays)
{
	for (int why = 0; why < 5; why++) {
		struct journal_point before, after;
		char other[220];
		FILE *file;

		begin_anew();
		write_chat();
		before = journal_point(journal);
		snprintf(path, sizeof path, "%s", journal_path(journal));
		snprintf(other, sizeof other, "%s.bak", path);
		say(3, "stays");
		after = journal_point(journal);
		if (why == 0)
			OK(journal_title(journal, "newer", &err));
		else if (why == 1)
			cr_assert_eq(rename(path, other), 0);
		else if (why == 2)
			cr_assert_eq(unlink(path), 0);
		else if (why == 3)
			cr_assert_eq(truncate(path, 10), 0);
		file = why == 4 ? fopen(path, "a") : NULL;
		if (file) {
			fputs("# of another program\n", file);
			fclose(file);
		}
		cr_assert_not(journal_take_back(journal, &before, &after), "%d", why);
		say(5, "on");
		assert_loads(journal_path(journal), tree, 0, "it stays");
	}
}

/* Nothing could be written: nothing has to be cut. */
Test(journal, what_is_only_in_memory_is_taken_back)
{
	struct journal_point before, after;

	setenv("SOTTO_DATA_DIR", "/dev/null", 1);
	setenv("XDG_STATE_HOME", "/dev/null", 1);
	OK(journal_create(&journal, &err));
	for (int i = 0; i < 2; i++) {
		before = journal_point(journal);
		cr_assert_neq(journal_message(journal, tree_node(tree, chat_add(tree, 0, ROLE_USER, "x")), &err), 0);
		after = journal_point(journal);
		if (i == 1)
			break;
		cr_assert(journal_take_back(journal, &before, &after));
		tree_drop_last(tree);
		cr_assert_not(journal_is_unsaved(journal), "there is nothing to save");
		cr_assert_neq(journal_message(journal, tree_node(tree, chat_add(tree, 0, ROLE_USER, "y")), &err), 0);
	}
	cr_assert(journal_take_back(journal, &before, &after));
	cr_assert(journal_is_unsaved(journal), "the message before it is not saved");
}

Test(journal, what_others_append_stays)
{
	FILE *file;

	write_chat();
	file = fopen(journal_path(journal), "a");
	fputs("# no end of line", file);
	fclose(file);
	say(3, "on");
	assert_loads(journal_path(journal), tree, 0, "appended");
}

/* All characters, and bytes that are none, through a record and back. */
Test(journal, every_character_survives)
{
	struct tree *again;
	struct record_source source = {.seq = 1};
	struct parse_report report;
	struct buf text = {.max = LIMIT_MESSAGE}, record = {.max = LIMIT_TRANSCRIPT}, repaired;

	buf_init(&repaired, LIMIT_MESSAGE);
	for (uint32_t cp = 1; cp <= 0x10FFFF; cp++) {
		char bytes[UTF8_MAX];

		buf_append(&text, bytes, utf8_encode(cp, bytes)); /* surrogates become U+FFFD */
	}
	for (uint32_t i = 0, random = 1; i < 100000; i++) {
		random = random * 1664525u + 1013904223u;
		buf_putc(&text, (char)(random >> 24 ? random >> 24 : 1));
	}
	utf8_repair(&repaired, text.data, text.len);
	cr_assert_eq(tree_add(tree, 0, ROLE_USER, text.data, text.len, NULL, &err), STATUS_OK);
	record_put_message(&record, &source, tree_node(tree, 1));
	cr_assert_eq(buf_status(&record), STATUS_OK);
	OK(transcript_parse(record.data, record.len, &again, NULL, &report, &err));
	cr_assert_eq(report.n_damaged + report.n_edited, 0);
	cr_assert_eq(tree_node(again, 1)->len, repaired.len);
	cr_assert_eq(memcmp(tree_node(again, 1)->text, repaired.data, repaired.len), 0);
	buf_free(&text);
	buf_free(&record);
	buf_free(&repaired);
	tree_free(again);
}

Test(journal, the_longest_messages_are_saved_whatever_they_hold)
{
	static const char *const fills[] = {"x", "\n", "a\n", "\x01", "\x7f", "\xee\x80\x80", "\xf4\x8f\xbf\xbf", " \n"};
	char *text = malloc(LIMIT_MESSAGE + 8);

	for (size_t i = 0; i < sizeof fills / sizeof fills[0]; i += getenv("SOTTO_TEST_LONG") ? 1 : 3) {
		struct tree *again;
		size_t n = strlen(fills[i]), len = 0, n_damaged, n_edited;
		struct node *node;

		while (len + n <= LIMIT_MESSAGE) {
			memcpy(text + len, fills[i], n);
			len += n;
		}
		begin_anew();
		OK(journal_create(&journal, &err));
		OK(tree_add(tree, 0, ROLE_ASSISTANT, text, len, NULL, &err));
		node = tree_node(tree, 1);
		for (size_t t = 0; t < LIMIT_NODE_IDS && i == 3; t++)
			cr_assert_eq(tree_append_id(node, 1999999), STATUS_OK);
		OK(journal_reply_end(journal, node, &err));
		again = open_tree(journal_path(journal), &n_damaged, &n_edited);
		chat_assert_same(tree, again, fills[i]);
		cr_assert_eq(n_damaged, 0);
		tree_free(again);
	}
	free(text);
}

Test(journal, a_record_ends_at_its_limit)
{
	struct buf text;
	char *big = malloc(LIMIT_RECORD + 100);

	/* one scalar that fills the record exactly, one that is a byte too long */
	for (size_t over = 0; over <= 1; over++) {
		static const char head[] = "type: \"message\"\nid: \"1\"\nparent: \"0\"\nrole: \"user\"\ntext: \"x\"\nother: \"";
		size_t len = LIMIT_RECORD + over, n = sizeof head - 1;
		struct parse_report report;
		struct tree *parsed;

		memset(big, 'y', len);
		memcpy(big, head, n);
		memcpy(big + len - 2, "\"\n", 2);
		buf_init(&text, LIMIT_TRANSCRIPT);
		buf_printf(&text, "--- # r seq=1 len=%zu crc32c=%08x\n", len, (unsigned)crc32c(big, len));
		buf_append(&text, big, len);
		buf_puts(&text, "...\n");
		OK(transcript_parse(text.data, text.len, &parsed, NULL, &report, &err));
		cr_assert_eq(tree_n(parsed), 1 - over);
		cr_assert_eq(report.n_damaged, over);
		tree_free(parsed);
		buf_free(&text);
	}
	free(big);
}

Test(journal, a_record_without_room_is_never_called_saved)
{
	struct node *node = tree_node(tree, chat_add(tree, 0, ROLE_USER, "short"));
	struct node big = {.id = 2, .parent = 1, .role = ROLE_USER, .len = LIMIT_RECORD};

	big.text = malloc(big.len);
	memset(big.text, 'y', big.len);
	OK(journal_create(&journal, &err));
	OK(journal_message(journal, node, &err));
	cr_assert_not(journal_is_unsaved(journal));
	cr_assert_eq(journal_message(journal, &big, &err), STATUS_LIMIT);
	cr_assert(journal_is_unsaved(journal));
	cr_assert_eq(journal_retry(journal, &err), STATUS_LIMIT);
	cr_assert(journal_is_unsaved(journal));
	OK(journal_leaf(journal, 1, &err)); /* what fits is still written */
	cr_assert(journal_is_unsaved(journal), "but the message is gone");
	assert_loads(journal_path(journal), tree, 0, "the rest");
	free(big.text);
}

Test(journal, export_writes_all_branches)
{
	char other[sizeof path + 8], *text;
	struct stat st;
	size_t len;

	write_chat();
	snprintf(path, sizeof path, "%s/copy of it.yaml", chat_folder());
	snprintf(other, sizeof other, "%s/other", chat_folder());
	OK(journal_export(tree, "", path, &err));
	assert_loads(path, tree, 0, "export");
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 07777, 0600);
	chat_add(tree, 3, ROLE_USER, "more");
	OK(journal_export(tree, "", path, &err)); /* over a transcript */
	assert_loads(path, tree, 0, "export again");
	chat_write(other, "precious", 8);
	cr_assert_eq(journal_export(tree, "", other, &err), STATUS_USAGE, "not over anything else");
	text = chat_read(other, &len);
	cr_assert_str_eq(text, "precious");
	free(text);
	snprintf(other, sizeof other, "%s.part", path);
	chat_write(other, "precious", 8);
	OK(journal_export(tree, "a name", path, &err));
	text = chat_read(other, &len);
	cr_assert_str_eq(text, "precious", "nor on the way");
	free(text);
	assert_loads(path, tree, 0, "export with a title");
	text = chat_read(path, &len);
	cr_assert_not_null(strstr(text, "\ntitle: \"a name\"\n"));
	free(text);
	snprintf(other, sizeof other, "%s/other", chat_folder());
	cr_assert_eq(journal_export(tree, "", chat_folder(), &err), STATUS_IO);
	cr_assert_eq(journal_export(tree, "", "/nonexistent/x", &err), STATUS_NOTFOUND);
	unlink(other);
	cr_assert_eq(symlink(path, other), 0);
	OK(journal_export(tree, "", other, &err));
	cr_assert_eq(lstat(other, &st), 0);
	cr_assert(S_ISLNK(st.st_mode), "through a link");
}

/* A message with a file that looks like the end of its block. */
static uint32_t add_with_files(struct tree *to, uint32_t parent, const char *words)
{
	struct attachments list = {.n = 0};
	struct attached files;
	struct buf text = {.max = LIMIT_MESSAGE};
	uint32_t id;

	attached_init(&files);
	OK(attached_add(&files, "src/a.c", "\n```\n\nnot \"said\"\xe2\x80\x8b\n", 20, &err));
	OK(attached_add(&files, "b: \n\"c\"", "\ttext without end", 17, &err));
	files.list.items[0].tokens = 77;
	OK(attached_join(&files, words, strlen(words), &text, &list, &err));
	id = chat_add(to, parent, ROLE_USER, buf_text(&text));
	OK(tree_set_attachments(tree_node(to, id), &list));
	cr_assert_eq(tree_node(to, id)->attachments.items[0].n_hidden, 1);
	attached_free(&files);
	attachments_free(&list);
	buf_free(&text);
	return id;
}

/* An older sotto, which does not know of files, has the whole text. */
Test(journal, files_are_kept_in_the_text)
{
	struct tree *copy;
	char *text, *key;
	size_t len;

	write_chat();
	OK(journal_message(journal, tree_node(tree, add_with_files(tree, 3, "What is it?")), &err));
	OK(journal_message(journal, tree_node(tree, add_with_files(tree, 3, "//")), &err));
	close_chat();
	assert_loads(path, tree, 0, "with files");
	text = chat_read(path, &len);
	while ((key = strstr(text, "attachments:"))) /* not a key that it knows */
		memcpy(key, "enclosures:", 11);
	chat_write(path, text, len);
	copy = open_tree(path, &(size_t){0}, &(size_t){0});
	cr_assert_eq(tree_node(copy, 5)->len, tree_node(tree, 5)->len);
	cr_assert_eq(memcmp(tree_node(copy, 5)->text, tree_node(tree, 5)->text, tree_node(tree, 5)->len), 0);
	cr_assert_eq(tree_node(copy, 5)->attachments.n, 0);
	free(text);
	tree_free(copy);
}

/* What was edited by hand is read as it is, and no longer taken for files where it is none. */
Test(journal, files_that_were_edited_by_hand_are_words)
{
	static const struct {
		const char *from, *to;
		size_t n_files;
	} edits[] = {
		{"name: \"src/a.c\"", "name: \"src/b.c\"", 0}, {"bytes: \"20\"", "bytes: \"18\"", 0},
		{"What is it?", "What it is?", 2}, {"bytes: \"20\"", "bytes: \"-1\"", 0},
		{"tokens: \"77\"", "tokens: \"78\"", 2}, {"What is it?", "What was it?", 0},
		{"text without end", "next without end", 2}, {"  - name", "    name", 0},
		{"bytes: \"20\"", "bites: \"21\"", 0},
	};

	for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
		struct tree *edited;
		char *text, *at;
		size_t len, n_damaged, n_edited;
		struct buf changed = {.max = KIB(64)};

		begin_anew();
		write_chat();
		OK(journal_message(journal, tree_node(tree, add_with_files(tree, 3, "What is it?")), &err));
		close_chat();
		text = chat_read(path, &len);
		at = strstr(text, edits[i].from);
		cr_assert_not_null(at, "%s", edits[i].from);
		buf_append(&changed, text, (size_t)(at - text));
		buf_puts(&changed, edits[i].to);
		buf_puts(&changed, at + strlen(edits[i].from));
		chat_write(path, changed.data, changed.len);
		edited = open_tree(path, &n_damaged, &n_edited);
		if (tree_n(edited) == 5) { /* else the record is no YAML any more */
			cr_assert_eq(n_edited, 1, "edit %zu", i);
			cr_assert_eq(tree_node(edited, 5)->attachments.n, edits[i].n_files, "edit %zu", i);
			cr_assert_not_null(strstr(tree_node(edited, 5)->text, "without end"));
		} else {
			cr_assert_eq(n_damaged, 1, "edit %zu", i);
		}
		tree_free(edited);
		buf_free(&changed);
		free(text);
	}
}

Test(journal, a_draft_keeps_its_files)
{
	struct tree *again;
	const struct node *draft;

	write_chat();
	draft = tree_node(tree, add_with_files(tree, 3, "Not yet"));
	OK(journal_draft(journal, draft->text, draft->len, &draft->attachments, &err));
	close_chat();
	OK(go_on(&again, path));
	cr_assert_str_eq(journal_get_draft(journal), draft->text);
	cr_assert_eq(journal_get_draft_files(journal)->n, 2);
	cr_assert_eq(attachments_words(journal_get_draft_files(journal), draft->len), strlen("Not yet"));
	OK(journal_message(journal, tree_node(again, add_with_files(again, 3, "Now")), &err));
	cr_assert_eq(journal_get_draft_files(journal)->n, 0);
	tree_free(again);
	close_chat();
	OK(go_on(&again, path));
	cr_assert_eq(journal_get_draft_files(journal)->n, 0);
	tree_free(again);
}

/* What was not sent comes back until the user sends something. */
Test(journal, a_draft_is_kept_until_a_message_is_sent)
{
	struct tree *again;
	size_t size;
	struct stat st;

	write_chat();
	snprintf(path, sizeof path, "%s", journal_path(journal));
	OK(journal_draft(journal, "not\nyet \"sent\"", 14, NULL, &err));
	cr_assert_eq(stat(path, &st), 0);
	size = (size_t)st.st_size;
	OK(journal_draft(journal, "not\nyet \"sent\"", 14, NULL, &err));
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq((size_t)st.st_size, size, "the same again");
	close_chat();
	OK(go_on(&again, path));
	cr_assert_str_eq(journal_get_draft(journal), "not\nyet \"sent\"");
	cr_assert_eq(tree_n(again), tree_n(tree), "it is no message");
	OK(journal_message(journal, tree_node(again, chat_add(again, tree_leaf(again), ROLE_USER, "x")),
	                   &err));
	cr_assert_str_eq(journal_get_draft(journal), "");
	tree_free(again);
	close_chat();
	OK(go_on(&again, path));
	cr_assert_str_eq(journal_get_draft(journal), "");
	tree_free(again);
}
