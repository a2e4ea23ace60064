#include "crash/scenario_chats.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "crash/disk.h"
#include "journal/journal.h"
#include "journal/journal_internal.h"
#include "journal/trash.h"

/* The system's calls, but that of files that were opened among the chats nothing more is written
 * while the disk is full. */
struct full_disk {
	struct io_ops ops;
	bool is_full;
	bool is_home[1024]; /* by descriptor */
};

struct chat {
	struct full_disk disk;
	struct journal *journal;
	struct tree *tree;
	int lock; /* of the other program; -1 */
	struct journal_point before, after; /* the last message */
	bool taken;                         /* it was taken back */
	uint64_t now;
};

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "scenario: %s\n", what);
	abort();
}

/* Text that would be read as the frame of a record if it came to stand at a line's beginning, so
 * that torn records are put to the test. */
static const char *text_of(uint32_t id, size_t n)
{
	static const char pattern[] =
		"said %u: \"quoted\" \\ and\n--- # r seq=7 len=5 crc32c=00000000\ntype: \"message\"\n...\n";
	static char text[16384];
	char piece[200];
	size_t len = 0, some = (size_t)snprintf(piece, sizeof piece, pattern, id);

	must(n < sizeof text, "a longer text than there is room for");
	while (len < n) {
		size_t m = some < n - len ? some : n - len;

		memcpy(text + len, piece, m);
		len += m;
	}
	text[n] = '\0';
	return text;
}

static struct node *add(struct tree *tree, uint32_t parent, enum role role, size_t n)
{
	const char *text = text_of((uint32_t)tree_n(tree) + 1, n);
	uint32_t id;

	must(tree_add(tree, parent, role, text, n, &id, NULL) == STATUS_OK, "memory");
	return tree_node(tree, id);
}

static struct chat *new_chat(void)
{
	struct chat *chat = calloc(1, sizeof *chat);

	must(chat, "memory");
	chat->lock = -1;
	return chat;
}

void *chat_begin_new(void)
{
	struct chat *chat = new_chat();

	chat->tree = tree_create();
	must(chat->tree && journal_create(&chat->journal, NULL) == STATUS_OK, "memory");
	return chat;
}

/* Writes a chat of two messages, and returns its path. */
static char *make_chat(void)
{
	struct chat *chat = chat_begin_new();
	struct error err;
	char *path;

	must(journal_message(chat->journal, add(chat->tree, 0, ROLE_USER, 100), &err) == STATUS_OK &&
	     journal_reply_end(chat->journal, add(chat->tree, 1, ROLE_ASSISTANT, 300), &err) == STATUS_OK,
	     "the older chat");
	path = strdup(journal_path(chat->journal));
	must(path, "memory");
	chat_end(chat);
	return path;
}

static void open_chat(struct chat *chat, const char *path)
{
	struct error err;
	size_t n_damaged;
	bool forked;

	must(journal_open(&chat->journal, &chat->tree, path, &forked, &n_damaged, &err) == STATUS_OK,
	     err.text);
}

void *chat_begin_opened(void)
{
	struct chat *chat = new_chat();
	char *path = make_chat();

	open_chat(chat, path);
	free(path);
	return chat;
}

void *chat_begin_torn(void)
{
	static const char half[] = "--- # r seq=9 len=1000 crc32c=00000000\ntype: \"mess";
	struct chat *chat = new_chat();
	char *path = make_chat();
	int fd = open(path, O_WRONLY | O_APPEND);

	must(fd >= 0 && write(fd, half, sizeof half - 1) == (ssize_t)sizeof half - 1, "half a record");
	close(fd);
	open_chat(chat, path);
	free(path);
	return chat;
}

void *chat_begin_edited(void)
{
	struct chat *chat = new_chat();
	char *path = make_chat(), *text, *marked;
	size_t len;
	int fd;

	must(sys_read_file(path, LIMIT_TRANSCRIPT, &text, &len, NULL) == STATUS_OK, "the older chat");
	marked = malloc(len + 3);
	must(marked, "memory");
	memcpy(marked, "\xEF\xBB\xBF", 3);
	memcpy(marked + 3, text, len);
	fd = open(path, O_WRONLY);
	must(fd >= 0 && write(fd, marked, len + 3) == (ssize_t)len + 3, "a byte order mark");
	close(fd);
	free(text);
	free(marked);
	open_chat(chat, path);
	free(path);
	return chat;
}

void *chat_begin_copy(void)
{
	struct chat *chat = new_chat();
	char *path = make_chat();

	chat->lock = open(path, O_RDONLY);
	must(chat->lock >= 0 && flock(chat->lock, LOCK_EX | LOCK_NB) == 0, "lock");
	open_chat(chat, path);
	must(*journal_copy_id(chat->journal), "it is no copy");
	free(path);
	return chat;
}

void chat_end(void *state)
{
	struct chat *chat = state;

	journal_close(chat->journal);
	tree_free(chat->tree);
	if (chat->lock >= 0)
		close(chat->lock);
	free(chat);
}

static enum status say(struct chat *chat, uint32_t parent, size_t n, struct error *err)
{
	return journal_message(chat->journal, add(chat->tree, parent, ROLE_USER, n), err);
}

static enum status answer(struct chat *chat, size_t n, struct error *err)
{
	struct node *node = add(chat->tree, tree_leaf(chat->tree), ROLE_ASSISTANT, n);

	must(tree_append_id(node, 7) == STATUS_OK && tree_append_reasoning(node, "hm", 2) == STATUS_OK,
	     "memory");
	return journal_reply_end(chat->journal, node, err);
}

/* More of the reply under way, and that it is time to write it. */
static enum status stream(struct chat *chat, size_t n, struct error *err)
{
	struct node *node = tree_node(chat->tree, tree_leaf(chat->tree));
	enum status status = STATUS_OK;

	if (node->role != ROLE_ASSISTANT || node->state != NODE_STREAMING) {
		node = add(chat->tree, node->id, ROLE_ASSISTANT, 0);
		node->state = NODE_STREAMING;
		status = journal_reply_part(chat->journal, node, chat->now, err);
	}
	must(tree_append(node, text_of(node->id, n), n) == STATUS_OK, "memory");
	chat->now += 5000;
	return status ? status : journal_reply_part(chat->journal, node, chat->now, err);
}

static enum status finish(struct chat *chat, struct error *err)
{
	struct node *node = tree_node(chat->tree, tree_leaf(chat->tree));

	node->state = NODE_COMPLETE;
	return journal_reply_end(chat->journal, node, err);
}

enum status chat_step(void *state, size_t step, struct error *err)
{
	struct chat *chat = state;
	struct journal *journal = chat->journal;
	uint32_t leaf = tree_leaf(chat->tree);

	switch (step) {
	case 0: return say(chat, leaf, 300, err);
	case 1: return stream(chat, 600, err);
	case 2: return stream(chat, 1500, err);
	case 3: return finish(chat, err);
	case 4: return journal_title(journal, "a title", err);
	case 5: return journal_draft(journal, "half a thought", 14, NULL, err);
	case 6: return say(chat, leaf, 4500, err);
	case 7: return answer(chat, 900, err);
	case 8:
		tree_set_leaf(chat->tree, leaf - 2);
		return journal_leaf(journal, leaf - 2, err);
	case 9: return say(chat, tree_node(chat->tree, leaf)->parent, 200, err);
	case 10: return answer(chat, 2000, err);
	case 11: return journal_title(journal, "another title", err);
	case 12: return journal_draft(journal, "another thought", 15, NULL, err);
	case 13:
		tree_node(chat->tree, leaf)->pinned = tree_node(chat->tree, leaf)->dropped = true;
		return journal_mark(journal, tree_node(chat->tree, leaf), err);
	default: return STATUS_OK;
	}
}

enum status chat_retry(void *state, size_t step, struct error *err)
{
	struct chat *chat = state;

	(void)step;
	must(journal_is_unsaved(chat->journal), "a failed step, and nothing is called unsaved");
	return journal_retry(chat->journal, err);
}

static enum status take_back(struct chat *chat, struct error *err)
{
	if (chat->taken)
		return STATUS_OK;
	disk_withdraw();
	if (!journal_take_back(chat->journal, &chat->before, &chat->after))
		return error_set(err, STATUS_IO, "the message stays");
	tree_drop_last(chat->tree);
	chat->taken = true;
	return STATUS_OK;
}

enum status chat_take_back_step(void *state, size_t step, struct error *err)
{
	struct chat *chat = state;
	enum status status;

	if (step == 1 || step == 4) {
		status = take_back(chat, err);
		return status ? status : say(chat, tree_leaf(chat->tree), 200 + 700 * step, err);
	}
	if (step == 2 || step == 5)
		return answer(chat, 100 * step, err);
	chat->taken = false;
	chat->before = journal_point(chat->journal);
	status = say(chat, tree_leaf(chat->tree), 3100, err);
	chat->after = journal_point(chat->journal);
	return status;
}

enum status chat_take_back_retry(void *state, size_t step, struct error *err)
{
	struct chat *chat = state;

	if (journal_is_unsaved(chat->journal))
		return journal_retry(chat->journal, err);
	return chat_take_back_step(state, step, err);
}

static void put_node(struct buf *out, const struct node *node)
{
	buf_printf(out, "%u after %u, %d %d%s%s, %zu tokens: ", node->id, node->parent, (int)node->role,
	           node->state == NODE_COMPLETE, node->pinned ? ", pinned" : "",
	           node->dropped ? ", dropped" : "", node->n_ids);
	buf_append(out, node->text, node->len);
	buf_printf(out, "\n  %.*s\n", (int)node->reasoning_len, node->reasoning ? node->reasoning : "");
}

/* The chat as a text, "" where it has neither message nor title nor draft. Whatever of the file was
 * not read must have been told. */
static void put_chat(const char *path, struct found *found)
{
	struct parse_report report = {0};
	struct buf *out = found_add(found), title;
	struct error err;
	struct tree *tree = NULL;
	char *text = NULL;
	size_t len = 0;

	buf_init(&title, LIMIT_RECORD);
	if (sys_read_file(path, LIMIT_TRANSCRIPT, &text, &len, &err) || (transcript_mend(text, &len), false) ||
	    transcript_parse(text, len, &tree, &title, &report, &err)) {
		buf_printf(&found->trouble, "%s", err.text);
	} else {
		for (uint32_t id = 1; id <= tree_n(tree); id++)
			put_node(out, tree_node(tree, id));
		if (tree_n(tree) || title.len || report.draft)
			buf_printf(out, "leaf %u\ntitle: %s\ndraft: %s\n", tree_leaf(tree), buf_text(&title),
			           report.draft ? report.draft : "");
		if (report.good_len < len && !report.n_damaged)
			buf_printf(&found->trouble, "%zu of %zu bytes are read as if that were all",
			           report.good_len, len);
		if (report.n_edited)
			buf_printf(&found->trouble, "%zu records are taken for edited", report.n_edited);
	}
	free(report.draft);
	buf_free(&title);
	tree_free(tree);
	free(text);
}

/* As the list has it, and as the chat opens. */
static void look_at(const struct journal_entry *entry, struct found *found)
{
	struct journal *journal;
	struct tree *tree;
	struct error err;
	size_t n_damaged;
	bool forked;

	put_chat(entry->path, found);
	if (!found->texts[found->n - 1].len)
		found->n--; /* nothing was saved in it */
	if (entry->is_damaged) { /* half a first record, or zeros: told, and with the reason */
		if (!entry->title[0])
			buf_printf(&found->trouble, "%s: damaged, without a reason", entry->path);
		return;
	}
	if (journal_open(&journal, &tree, entry->path, &forked, &n_damaged, &err)) {
		buf_printf(&found->trouble, "does not open: %s", err.text);
		return;
	}
	if (tree_n(tree) && tree_node(tree, 1)->len && !entry->title[0])
		buf_printf(&found->trouble, "stands in the list without a title");
	journal_close(journal);
	tree_free(tree);
}

void chat_describe(struct found *found)
{
	struct journal_entry *entries;
	struct error err;
	size_t n;

	if (journal_list(&entries, &n, &err)) {
		buf_printf(&found->trouble, "%s", err.text);
		return;
	}
	for (size_t i = 0; i < n; i++)
		look_at(&entries[i], found);
	journal_list_free(entries, n);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(buf_text((const struct buf *)a), buf_text((const struct buf *)b));
}

void chat_describe_all(struct found *found)
{
	struct found chats;
	struct buf *all = found_add(found);

	found_init(&chats);
	chat_describe(&chats);
	if (chats.n)
		qsort(chats.texts, chats.n, sizeof chats.texts[0], compare_texts);
	for (size_t i = 0; i < chats.n; i++)
		buf_append(all, chats.texts[i].data, chats.texts[i].len);
	if (!all->len)
		found->n--;
	if (chats.trouble.len)
		buf_puts(&found->trouble, buf_text(&chats.trouble));
	found_free(&chats);
}

/* Every chat takes one more message, and has all that it had. */
const char *chat_go_on(void)
{
	static char why[600];
	struct journal_entry *entries;
	struct error err = {0};
	size_t n;

	why[0] = '\0';
	if (journal_list(&entries, &n, &err))
		return "the list";
	for (size_t i = 0; i < n && !why[0]; i++) {
		struct found before, after;
		struct chat *chat;

		if (entries[i].is_damaged)
			continue;
		chat = new_chat();
		found_init(&before);
		found_init(&after);
		put_chat(entries[i].path, &before);
		open_chat(chat, entries[i].path);
		if (say(chat, tree_leaf(chat->tree), 50, &err) != STATUS_OK)
			snprintf(why, sizeof why, "it takes no further message: %s", err.text);
		put_chat(journal_path(chat->journal), &after);
		must(tree_n(chat->tree) > 0, "no message");
		if (!why[0]) {
			const char *old = buf_text(&before.texts[0]), *new = buf_text(&after.texts[0]);
			const char *end = strstr(old, "leaf ");
			size_t same = end ? (size_t)(end - old) : 0;
			char last[64];

			snprintf(last, sizeof last, "%zu after ", tree_n(chat->tree));
			if (strncmp(old, new, same) != 0 || !strstr(new + same, last))
				snprintf(why, sizeof why, "with a further message the others differ");
			if (after.trouble.len && !before.trouble.len)
				snprintf(why, sizeof why, "with a further message: %s", buf_text(&after.trouble));
		}
		chat_end(chat);
		found_free(&before);
		found_free(&after);
	}
	journal_list_free(entries, n);
	return why;
}

static struct full_disk *in_use;

static int full_open(const char *path, int flags, mode_t mode)
{
	struct full_disk *disk = in_use;
	int fd = io_system.open(path, flags, mode);

	if (fd >= 0)
		disk->is_home[fd] = strstr(path, "/data/sotto/chats/") != NULL;
	return fd;
}

static ssize_t full_write(int fd, const void *bytes, size_t n)
{
	struct full_disk *disk = in_use;

	if (!disk->is_full || !disk->is_home[fd])
		return io_system.write(fd, bytes, n);
	errno = ENOSPC;
	return -1;
}

void *chat_begin_full(void)
{
	struct chat *chat = chat_begin_opened();
	char *path = strdup(journal_path(chat->journal));
	struct error err;
	size_t n_damaged;
	bool forked;

	must(path, "memory");
	journal_close(chat->journal);
	tree_free(chat->tree);
	chat->disk.ops = io_system;
	chat->disk.ops.open = full_open;
	chat->disk.ops.write = full_write;
	in_use = &chat->disk;
	must(journal_open_io(&chat->journal, &chat->tree, path, &forked, &n_damaged, &chat->disk.ops, &err) ==
	     STATUS_OK, err.text);
	free(path);
	return chat;
}

/* As the chat does it: what failed is tried again a second later, and goes aside. */
static enum status retried(struct chat *chat, enum status status, struct error *err)
{
	return status && chat->disk.is_full ? journal_retry(chat->journal, err) : status;
}

enum status chat_full_step(void *state, size_t step, struct error *err)
{
	struct chat *chat = state;

	if (step == 2 || step == 5)
		chat->disk.is_full = step == 2;
	switch (step) {
	case 0: return say(chat, tree_leaf(chat->tree), 300, err);
	case 1: return stream(chat, 900, err);
	case 2: return retried(chat, stream(chat, 1500, err), err);
	case 3: return retried(chat, finish(chat, err), err);
	case 4: return retried(chat, journal_title(chat->journal, "a title", err), err);
	case 5: return say(chat, tree_leaf(chat->tree), 400, err);
	default: return answer(chat, 800, err);
	}
}

enum status chat_full_retry(void *state, size_t step, struct error *err)
{
	struct chat *chat = state;

	(void)step;
	/* It may have been brought home to the last word, and only the answer was lost. */
	return journal_is_unsaved(chat->journal) ? journal_retry(chat->journal, err) : STATUS_OK;
}

static void put_tree(struct tree *tree)
{
	add(tree, 0, ROLE_USER, 400);
	add(tree, 1, ROLE_ASSISTANT, 1500);
	add(tree, 1, ROLE_ASSISTANT, 700);
	add(tree, 3, ROLE_USER, 600);
	add(tree, 0, ROLE_USER, 100);
	tree_set_leaf(tree, 3);
}

enum status chat_tree_step(void *state, size_t step, struct error *err)
{
	struct chat *chat = state;

	if (step == 0) {
		put_tree(chat->tree);
		return journal_tree(chat->journal, chat->tree, "a fork", err);
	}
	return step == 1 ? say(chat, tree_leaf(chat->tree), 300, err) : answer(chat, 1200, err);
}

void *chat_begin_import(void)
{
	struct chat *chat = new_chat();

	chat->tree = tree_create();
	must(chat->tree, "memory");
	put_tree(chat->tree);
	must(mkdir(scenario_path("out"), 0700) == 0, "a folder");
	return chat;
}

enum status chat_import_step(void *state, size_t step, struct error *err)
{
	struct chat *chat = state;
	char title[32], *path;
	enum status status;

	snprintf(title, sizeof title, "import %zu", step);
	status = journal_add(chat->tree, title, &path, err);
	free(path);
	return status;
}

enum status chat_export_step(void *state, size_t step, struct error *err)
{
	struct chat *chat = state;

	if (step == 1 && tree_n(chat->tree) == 5)
		add(chat->tree, 3, ROLE_USER, 1000);
	return journal_export(chat->tree, "exported", scenario_path("out/export.yaml"), err);
}

void chat_describe_export(struct found *found)
{
	if (access(scenario_path("out/export.yaml"), F_OK) == 0)
		put_chat(scenario_path("out/export.yaml"), found);
}

/* Three chats, of which two go to the trash and one of those comes back; then the trash is emptied. */
void *chat_begin_trash(void)
{
	struct chat *chat = chat_begin_import();
	static const char *const titles[] = {"first", "second", "third"};
	char *path;

	for (size_t i = 0; i < 3; i++) {
		must(journal_add(chat->tree, titles[i], &path, NULL) == STATUS_OK, "a chat");
		free(path);
	}
	return chat;
}

/* The chat of that title in one of the two folders; NULL: it is not there. */
static char *find_chat(enum status (*list)(struct journal_entry **, size_t *, struct error *),
                       const char *title)
{
	struct journal_entry *entries;
	struct error err;
	char *path = NULL;
	size_t n;

	must(list(&entries, &n, &err) == STATUS_OK, err.text);
	for (size_t i = 0; i < n && !path; i++)
		if (strcmp(entries[i].title, title) == 0)
			path = strdup(entries[i].path);
	journal_list_free(entries, n);
	return path;
}

static enum status sync_both(struct error *err)
{
	int error = io_sync_folder(&io_system, scenario_path("data/sotto/chats/x"));

	if (!error)
		error = io_sync_folder(&io_system, scenario_path("data/sotto/trash/x"));
	return error ? error_errno(err, error, "the folders cannot be synced") : STATUS_OK;
}

static enum status move_chat(const char *title, bool back, struct error *err)
{
	enum status status = STATUS_OK;
	char *path;

	disk_pause(); /* a list says which of its files cannot be read; that is no part of this */
	path = find_chat(back ? trash_list : journal_list, title);
	disk_resume();
	if (path)
		status = (back ? trash_restore : trash_put)(path, &io_system, err);
	else /* it was moved, and that could not be synced, which was told: as by sync(1) */
		status = sync_both(err);
	free(path);
	return status;
}

enum status chat_trash_step(void *state, size_t step, struct error *err)
{
	struct journal_entry *entries;
	enum status status;
	size_t n, n_removed;

	(void)state;
	switch (step) {
	case 0: return move_chat("first", false, err);
	case 1: return move_chat("second", false, err);
	case 2: return move_chat("first", true, err);
	default:
		disk_pause();
		status = trash_list(&entries, &n, err);
		disk_resume();
		if (!status) {
			status = n ? trash_empty(entries, n, &n_removed, &io_system, err) : sync_both(err);
			journal_list_free(entries, n);
		}
		return status;
	}
}

/* A line for each: its length, and where it is. */
void chat_describe_trash(struct found *found)
{
	static const char *const titles[] = {"first", "second", "third"};
	struct buf *out = found_add(found);
	struct found chat;

	for (size_t i = 0; i < 3; i++) {
		char *here = find_chat(journal_list, titles[i]), *there = find_chat(trash_list, titles[i]);

		found_init(&chat);
		if (here || there)
			put_chat(here ? here : there, &chat);
		buf_printf(out, "%s: %zu bytes, %s\n", titles[i], chat.texts[0].len,
		           here && there ? "in both" : here ? "in the list" : there ? "in the trash" : "gone");
		if (chat.trouble.len)
			buf_puts(&found->trouble, buf_text(&chat.trouble));
		found_free(&chat);
		free(here);
		free(there);
	}
}
