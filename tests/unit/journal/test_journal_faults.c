/* Each system call of the write path fails once, with each error, at each
 * call: nothing that was in memory is lost, the user is told every time, and
 * no transcript is corrupt. */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "chat_support.h"
#include "support/faulter.h"

TestSuite(journal_faults, .init = chat_folder_make, .fini = chat_folder_remove, .timeout = 300);

static struct error err;

#define OK(call) cr_assert_eq((call), STATUS_OK, "%s: %s", #call, err.text)

static const struct fault {
	int error, shorten;
	const char *name;
} faults[] = {
	{ENOSPC, 0, "ENOSPC"}, {EIO, 0, "EIO"}, {EINTR, 0, "EINTR"}, {EDQUOT, 0, "EDQUOT"},
	{EROFS, 0, "EROFS"}, {EACCES, 0, "EACCES"}, {EMFILE, 0, "EMFILE"}, {EFBIG, 0, "EFBIG"},
	{0, 1, "short 1"}, {0, 2, "short 2"}, {0, -1, "short n-1"},
};

/* What was said to be saved: by node, this many bytes. */
struct promises {
	size_t len[16];
	size_t n_failed;
};

static char what[100]; /* which fault, for messages */

static void note(struct journal *journal, const struct node *node, enum status status, size_t len,
                 struct promises *promises)
{
	if (!status) {
		cr_assert_not(journal_is_unsaved(journal), "%s", what);
		if (node)
			promises->len[node->id] = len + 1;
		return;
	}
	promises->n_failed++;
	cr_assert(journal_is_unsaved(journal), "%s: told as saved", what);
	cr_assert_gt(strlen(err.text), 0, "%s", what);
	cr_assert_eq(err.status, status, "%s", what);
}

static void say(struct journal *journal, struct tree *tree, enum role role, const char *text,
                struct promises *promises)
{
	struct node *node = tree_node(tree, chat_add(tree, tree_leaf(tree), role, text));
	enum status status;

	err = (struct error){0};
	status = role == ROLE_ASSISTANT ? journal_reply_end(journal, node, &err)
	                                : journal_message(journal, node, &err);
	note(journal, node, status, node->len, promises);
}

/* A scripted conversation with every kind of record. */
static void converse(struct journal *journal, struct tree *tree, struct promises *promises)
{
	struct node *reply;
	enum status status;

	say(journal, tree, ROLE_USER, "first \xe2\x82\xac\nquestion", promises);
	reply = tree_node(tree, chat_add(tree, tree_leaf(tree), ROLE_ASSISTANT, ""));
	reply->state = NODE_STREAMING;
	for (uint64_t i = 0; i < 3; i++) {
		cr_assert_eq(tree_append(reply, "some words ", 11), STATUS_OK);
		cr_assert_eq(tree_append_id(reply, (int32_t)i), STATUS_OK);
		err = (struct error){0};
		status = journal_reply_part(journal, reply, i * 3000, &err);
		if (i > 0) /* the first time nothing is due yet */
			note(journal, reply, status, reply->len, promises);
		else
			cr_assert_eq(status, STATUS_OK);
	}
	reply->state = NODE_COMPLETE;
	err = (struct error){0};
	note(journal, reply, journal_reply_end(journal, reply, &err), reply->len, promises);
	err = (struct error){0};
	note(journal, NULL, journal_title(journal, "a title", &err), 0, promises);
	say(journal, tree, ROLE_USER, "second question", promises);
	say(journal, tree, ROLE_ASSISTANT, "last answer", promises);
	err = (struct error){0};
	note(journal, NULL, journal_leaf(journal, tree_leaf(tree), &err), 0, promises);
	/* The last one is continued. */
	reply = tree_node(tree, tree_leaf(tree));
	reply->state = NODE_STREAMING;
	for (uint64_t i = 0; i < 3; i++) {
		cr_assert_eq(tree_append(reply, ", and more", 10), STATUS_OK);
		err = (struct error){0};
		status = journal_reply_part(journal, reply, 20000 + i * 3000, &err);
		if (i > 0)
			note(journal, reply, status, reply->len, promises);
	}
	reply->state = NODE_COMPLETE;
	err = (struct error){0};
	note(journal, reply, journal_reply_end(journal, reply, &err), reply->len, promises);
}

/* The most of node `id` that any file of the folders has. */
static size_t longest_in_files(const char *folder, const struct node *node)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	size_t longest = 0;

	while (dir && (entry = readdir(dir))) {
		size_t n = strlen(entry->d_name), len;
		struct parse_report report;
		const struct node *found;
		struct tree *tree;
		char path[600], *text;

		if (n < 5 || strcmp(entry->d_name + n - 5, ".yaml") != 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		text = chat_read(path, &len);
		OK(transcript_parse(text, len, &tree, NULL, &report, &err));
		found = tree_node(tree, node->id);
		if (found && found->len <= node->len &&
		    memcmp(found->text, node->text, found->len) == 0 && found->len + 1 > longest)
			longest = found->len + 1;
		tree_free(tree);
		free(text);
	}
	if (dir)
		closedir(dir);
	return longest;
}

/* As if the program had been killed here: every promise is kept. */
static void assert_promises(const struct tree *tree, const struct promises *promises)
{
	char state[200];

	snprintf(state, sizeof state, "%s/sotto/chats", getenv("XDG_STATE_HOME"));
	for (uint32_t id = 1; id <= tree_n(tree); id++) {
		size_t here, there;

		if (!promises->len[id])
			continue;
		here = longest_in_files(chat_folder(), tree_node(tree, id));
		there = longest_in_files(state, tree_node(tree, id));
		cr_assert_geq(here > there ? here : there, promises->len[id],
		              "%s: message %u was saved and is gone", what, id);
	}
}

static void assert_whole(const char *path, const struct tree *tree, bool tears)
{
	struct parse_report report;
	struct tree *again;
	size_t len;
	char *text = chat_read(path, &len);

	OK(transcript_parse(text, len, &again, NULL, &report, &err));
	chat_assert_same(tree, again, what);
	if (!tears)
		cr_assert_eq(report.n_damaged, 0, "%s: %zu damaged", what, report.n_damaged);
	cr_assert_eq(report.n_edited, 0, "%s", what);
	tree_free(again);
	free(text);
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st, (void)kind, (void)at;
	return remove(path);
}

/* Hundreds of times: too often for `rm` in a shell. */
static void empty_folders(void)
{
	const char *const folders[] = {getenv("SOTTO_DATA_DIR"), getenv("XDG_STATE_HOME")};

	for (size_t i = 0; i < 2; i++)
		cr_assert(nftw(folders[i], remove_entry, 8, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT);
}

/* One conversation in a new chat; false when the fault was never reached. */
static bool run_new(struct faulter *faulter)
{
	struct tree *tree = tree_create();
	struct promises promises = {0};
	struct journal *journal;

	faulter_init(faulter);
	OK(journal_create_io(&journal, &faulter->ops, &err));
	converse(journal, tree, &promises);
	assert_promises(tree, &promises);
	if (faulter->forever && faulter->fired && faulter->error && faulter->error != EINTR) {
		cr_assert_neq(journal_retry(journal, &err), STATUS_OK, "%s", what);
		assert_promises(tree, &promises);
	}
	faulter->error = faulter->shorten = 0;
	OK(journal_retry(journal, &err));
	cr_assert_not(journal_is_unsaved(journal));
	assert_whole(journal_path(journal), tree, faulter->forever);
	journal_close(journal);
	tree_free(tree);
	return faulter->fired;
}

static void each_fault(bool (*run)(struct faulter *), bool forever, const char *name)
{
	size_t runs = 0;

	for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
		size_t missed = 0;

		for (size_t at = 1; missed < 40; at++) {
			struct faulter faulter = {.at = at, .error = faults[f].error,
			                          .shorten = faults[f].shorten, .forever = forever};

			snprintf(what, sizeof what, "%s: %s at call %zu%s", name, faults[f].name, at,
			         forever ? " and for ever" : "");
			/* Shortened writes only fire at writes: go on for a while. */
			missed = run(&faulter) ? 0 : missed + 1;
			if (!missed)
				runs++;
			if (faults[f].error && missed)
				break;
			empty_folders();
		}
	}
	fprintf(stderr, "%s: %zu faults%s\n", name, runs, forever ? ", lasting" : "");
	cr_assert_gt(runs, 50);
}

Test(journal_faults, once_in_a_new_chat)
{
	each_fault(run_new, false, "new chat");
}

Test(journal_faults, for_ever_in_a_new_chat)
{
	each_fault(run_new, true, "new chat");
}

/* A tree that is recorded at once, and continued. */
static bool run_tree(struct faulter *faulter)
{
	struct tree *tree = tree_create();
	struct promises promises = {0};
	struct journal *journal;
	enum status status;

	faulter_init(faulter);
	for (uint32_t id = 0; id < 6; id++)
		chat_add(tree, id, id % 2 ? ROLE_ASSISTANT : ROLE_USER, "said before");
	OK(journal_create_io(&journal, &faulter->ops, &err));
	err = (struct error){0};
	status = journal_tree(journal, tree, "a title", &err);
	for (uint32_t id = 1; id <= 6; id++)
		note(journal, tree_node(tree, id), status, tree_node(tree, id)->len, &promises);
	say(journal, tree, ROLE_USER, "and a question", &promises);
	assert_promises(tree, &promises);
	faulter->error = faulter->shorten = 0;
	OK(journal_retry(journal, &err));
	cr_assert_not(journal_is_unsaved(journal));
	assert_whole(journal_path(journal), tree, faulter->forever);
	journal_close(journal);
	tree_free(tree);
	return faulter->fired;
}

Test(journal_faults, once_in_a_fork)
{
	each_fault(run_tree, false, "fork");
}

Test(journal_faults, for_ever_in_a_fork)
{
	each_fault(run_tree, true, "fork");
}

/* The conversation in a chat that is there, with a torn tail. */
static bool run_opened(struct faulter *faulter)
{
	struct tree *tree, *old = tree_create();
	struct promises promises = {0};
	struct journal *journal;
	size_t n_damaged, len, len_after;
	char path[200], *text, *after;
	bool forked;

	faulter_init(faulter);
	OK(journal_create(&journal, &err));
	say(journal, old, ROLE_USER, "an older question", &promises);
	snprintf(path, sizeof path, "%s", journal_path(journal));
	journal_close(journal);
	text = chat_read(path, &len);
	text = realloc(text, len + 64);
	len += (size_t)sprintf(text + len, "--- # r seq=9 len=1000 crc32c=00000000\ntype: \"mess");
	chat_write(path, text, len);
	err = (struct error){0};
	if (journal_open_io(&journal, &tree, path, &forked, &n_damaged, &faulter->ops, &err)) {
		cr_assert_gt(strlen(err.text), 0, "%s", what);
		after = chat_read(path, &len_after);
		cr_assert_eq(len_after, len, "%s", what);
		free(after);
		faulter->error = 0;
		OK(journal_open_io(&journal, &tree, path, &forked, &n_damaged, &faulter->ops, &err));
	}
	cr_assert_eq(n_damaged, 1, "%s", what);
	if (faulter->at == 1 && !faulter->forever) /* it may be read, but not written */
		cr_assert_eq(forked, faulter->error == EACCES || faulter->error == EROFS, "%s", what);
	converse(journal, tree, &promises);
	assert_promises(tree, &promises);
	faulter->error = faulter->shorten = 0;
	OK(journal_retry(journal, &err));
	assert_whole(journal_path(journal), tree, true);
	after = chat_read(path, &len_after);
	cr_assert(len_after >= len && memcmp(text, after, len) == 0, "%s: it shrank", what);
	free(after);
	free(text);
	journal_close(journal);
	tree_free(tree);
	tree_free(old);
	return faulter->fired;
}

Test(journal_faults, once_in_an_opened_chat)
{
	each_fault(run_opened, false, "opened chat");
}

Test(journal_faults, for_ever_in_an_opened_chat)
{
	each_fault(run_opened, true, "opened chat");
}

/* An export is there whole, or what was there before is. */
static bool run_export(struct faulter *faulter)
{
	struct tree *old = tree_create(), *tree = tree_create(), *again;
	struct parse_report report;
	char path[200], *text;
	enum status status;
	size_t len;

	faulter_init(faulter);
	mkdir(getenv("SOTTO_DATA_DIR"), 0700);
	snprintf(path, sizeof path, "%s/export.yaml", getenv("SOTTO_DATA_DIR"));
	chat_add(old, 0, ROLE_USER, "old");
	OK(journal_export(old, "", path, &err));
	chat_add(tree, 0, ROLE_USER, "new");
	err = (struct error){0};
	status = journal_export_io(tree, "", path, &faulter->ops, &err);
	text = chat_read(path, &len);
	OK(transcript_parse(text, len, &again, NULL, &report, &err));
	cr_assert_eq(report.n_damaged, 0, "%s", what);
	if (!status || strcmp(tree_node(again, 1)->text, "old") != 0)
		chat_assert_same(again, tree, what);
	else
		chat_assert_same(again, old, what);
	if (status)
		cr_assert_gt(strlen(err.text), 0, "%s", what);
	free(text);
	tree_free(again);
	tree_free(tree);
	tree_free(old);
	return faulter->fired;
}

Test(journal_faults, once_in_an_export)
{
	each_fault(run_export, false, "export");
}

Test(journal_faults, for_ever_in_an_export)
{
	each_fault(run_export, true, "export");
}
