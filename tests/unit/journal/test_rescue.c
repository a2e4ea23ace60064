/* A chat whose disk is full goes on in the rescue folder and comes home: in every random order of
 * messages, full disks, ends of the program and ways to open it again there is one chat in the list,
 * which has every word. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "chat_support.h"
#include "journal/trash.h"

TestSuite(rescue, .init = chat_folder_make, .fini = chat_folder_remove, .timeout = 300);

static struct error err;
static size_t n_taken_back;

#define OK(call) cr_assert_eq((call), STATUS_OK, "%s: %s", #call, err.text)

/* A disk on which a random part of a write to a chat's own file goes in while it is full. */
struct full_disk {
	struct io_ops ops;
	bool is_full;
	bool is_home[1024]; /* by descriptor */
	unsigned random;
};

static struct full_disk *in_use;

static unsigned chance(struct full_disk *disk, unsigned n)
{
	disk->random = disk->random * 1103515245u + 12345u;
	return (disk->random >> 16) % n;
}

static int full_open(const char *path, int flags, mode_t mode)
{
	struct full_disk *disk = in_use;
	int fd = io_system.open(path, flags, mode);

	if (fd >= 0 && fd < 1024)
		disk->is_home[fd] = strncmp(path, chat_folder(), strlen(chat_folder())) == 0;
	return fd;
}

static ssize_t full_write(int fd, const void *bytes, size_t n)
{
	struct full_disk *disk = in_use;

	if (!disk->is_full || !disk->is_home[fd])
		return io_system.write(fd, bytes, n);
	n = n > 1 ? chance(disk, (unsigned)n / 2 + 1) : 0;
	if (n)
		return io_system.write(fd, bytes, n);
	errno = ENOSPC;
	return -1;
}

/* So that half a record stays now and then. */
static int full_truncate(int fd, off_t length)
{
	struct full_disk *disk = in_use;

	if (disk->is_full && chance(disk, 3) == 0) {
		errno = EIO;
		return -1;
	}
	return io_system.ftruncate(fd, length);
}

/* No power is cut here. */
static int no_sync(int fd)
{
	(void)fd;
	return 0;
}

static void set_up(struct full_disk *disk, unsigned seed)
{
	*disk = (struct full_disk){.ops = io_system, .random = seed * 2654435761u + 1};
	disk->ops.open = full_open;
	disk->ops.write = full_write;
	disk->ops.ftruncate = full_truncate;
	disk->ops.fdatasync = disk->ops.fsync = no_sync;
	in_use = disk;
}

static const char *spare_folder(void)
{
	static char folder[300];

	snprintf(folder, sizeof folder, "%s/sotto/chats", getenv("XDG_STATE_HOME"));
	return folder;
}

static size_t count_files(const char *folder)
{
	struct journal_entry *entries;
	size_t n;

	OK(journal_list_folder(folder, &entries, &n, NULL, NULL, &err));
	journal_list_free(entries, n);
	return n;
}

/* The only chat of the list. */
static char *only_chat(unsigned seed)
{
	struct journal_entry *entries;
	char *path;
	size_t n;

	OK(journal_list(&entries, &n, &err));
	for (size_t i = 0; n != 1 && i < n; i++)
		fprintf(stderr, "%s\n", entries[i].path);
	cr_assert_eq(n, 1, "seed %u: %zu chats", seed, n);
	path = strdup(entries[0].path);
	journal_list_free(entries, n);
	return path;
}

static void assert_listed(const struct tree *tree, const char *title, unsigned seed)
{
	char *path = only_chat(seed), what[40];
	struct tree *again;
	struct buf found = {.max = KIB(64)};
	size_t n_damaged;

	snprintf(what, sizeof what, "seed %u", seed);
	OK(journal_load(path, &again, &n_damaged, &found, &err));
	chat_assert_same(tree, again, what);
	cr_assert_str_eq(buf_text(&found), title, "%s", what);
	buf_free(&found);
	tree_free(again);
	free(path);
}

static void may_fail(struct journal *journal, enum status status, unsigned seed)
{
	if (!status)
		return;
	cr_assert(journal_is_unsaved(journal), "seed %u", seed);
	OK(journal_retry(journal, &err)); /* goes aside, or there was room for the rest */
	cr_assert_not(journal_is_unsaved(journal), "seed %u", seed);
}

static void say(struct journal *journal, struct tree *tree, struct full_disk *disk, unsigned seed)
{
	struct node *node;
	char text[400];
	size_t n = 1 + chance(disk, 300);

	memset(text, 'a' + (int)chance(disk, 26), n);
	text[n] = '\0';
	node = tree_node(tree, chat_add(tree, tree_leaf(tree), ROLE_USER, text));
	may_fail(journal, journal_message(journal, node, &err), seed);
}

/* A message that is refused. It stays where the chat is, or was, in the rescue folder. */
static void take_back(struct journal *journal, struct tree *tree, struct full_disk *disk, unsigned seed)
{
	struct journal_point before = journal_point(journal), after;

	say(journal, tree, disk, seed);
	after = journal_point(journal);
	if (!journal_take_back(journal, &before, &after))
		return;
	cr_assert_not(journal_is_aside(journal), "seed %u", seed);
	cr_assert_not(journal_is_unsaved(journal), "seed %u", seed);
	tree_drop_last(tree);
	n_taken_back++;
}

static void reply(struct journal *journal, struct tree *tree, struct full_disk *disk, unsigned seed)
{
	struct node *node = tree_node(tree, chat_add(tree, tree_leaf(tree), ROLE_ASSISTANT, ""));

	node->state = NODE_STREAMING;
	for (uint64_t i = 0; i < 4; i++) {
		OK(tree_append(node, "some more of a reply. ", 22));
		disk->is_full ^= chance(disk, 8) == 0;
		may_fail(journal, journal_reply_part(journal, node, i * 5000, &err), seed);
	}
	node->state = NODE_COMPLETE;
	may_fail(journal, journal_reply_end(journal, node, &err), seed);
}

/* The program ends, and another one opens the chat: from the list, or by its old name. */
static void begin_again(struct journal **journal, struct tree **tree, struct full_disk *disk, const char *title,
                        unsigned seed)
{
	char *path, home[300];
	struct tree *again;
	size_t n_damaged;
	bool forked;

	snprintf(home, sizeof home, "%s/%s.yaml", chat_folder(), journal_id(*journal));
	journal_close(*journal);
	assert_listed(*tree, title, seed);
	path = only_chat(seed);
	if (chance(disk, 2) && access(home, F_OK) == 0)
		OK(journal_open_io(journal, &again, home, &forked, &n_damaged, &disk->ops, &err));
	else
		OK(journal_open_io(journal, &again, path, &forked, &n_damaged, &disk->ops, &err));
	cr_assert_not(forked, "seed %u", seed);
	chat_assert_same(*tree, again, "opened");
	tree_free(*tree);
	*tree = again;
	free(path);
}

static void converse(unsigned seed)
{
	struct tree *tree = tree_create();
	struct journal *journal;
	struct full_disk disk;
	char title[16] = "", home[300];

	set_up(&disk, seed);
	disk.is_full = chance(&disk, 4) == 0; /* from the first word on */
	OK(journal_create_io(&journal, &disk.ops, &err));
	say(journal, tree, &disk, seed);
	for (int i = 0; i < 12; i++) {
		disk.is_full ^= chance(&disk, 3) == 0;
		switch (chance(&disk, 7)) {
		case 0: case 1: say(journal, tree, &disk, seed); break;
		case 2: case 3: reply(journal, tree, &disk, seed); break;
		case 4:
			snprintf(title, sizeof title, "title %d", i);
			may_fail(journal, journal_title(journal, title, &err), seed);
			break;
		case 5: take_back(journal, tree, &disk, seed); break;
		default: begin_again(&journal, &tree, &disk, title, seed); break;
		}
		assert_listed(tree, title, seed);
	}
	disk.is_full = false;
	say(journal, tree, &disk, seed);
	cr_assert_not(journal_is_aside(journal), "seed %u", seed);
	snprintf(home, sizeof home, "%s/%s.yaml", chat_folder(), journal_id(journal));
	cr_assert_str_eq(journal_path(journal), home, "seed %u", seed);
	journal_close(journal);
	assert_listed(tree, title, seed);
	cr_assert_eq(count_files(spare_folder()), 0, "seed %u: it is not at home", seed);
	cr_assert_eq(count_files(chat_folder()), 1, "seed %u", seed);
	cr_assert_eq(unlink(home), 0);
	tree_free(tree);
}

Test(rescue, comes_home_whatever_happens)
{
	for (unsigned seed = 1; seed <= 400; seed++)
		converse(seed);
	cr_assert_gt(n_taken_back, 100);
}

/* A chat that is aside: its original has the first words, the rescue folder has all. */
static char *make_aside(struct tree *tree)
{
	struct journal *journal;
	struct full_disk disk;
	char *path;

	set_up(&disk, 7);
	OK(journal_create_io(&journal, &disk.ops, &err));
	say(journal, tree, &disk, 0);
	disk.is_full = true;
	say(journal, tree, &disk, 0);
	path = strdup(journal_path(journal));
	cr_assert(journal_is_at(journal, path));
	journal_close(journal);
	return path;
}

Test(rescue, a_chat_that_went_on_elsewhere_is_another_one)
{
	struct tree *tree = tree_create(), *other;
	char *path = make_aside(tree), home[300];
	struct journal *journal;
	size_t n_damaged, len;
	bool forked;
	char *text;

	snprintf(home, sizeof home, "%s/%s", chat_folder(), strrchr(path, '/') + 1);
	text = chat_read(home, &len);
	memset(strstr(text, "text: \"") + 7, 'Q', 1); /* edited by hand */
	chat_write(home, text, len);
	free(text);
	{
		struct journal_entry *entries;
		size_t n;

		OK(journal_list(&entries, &n, &err));
		cr_assert_eq(n, 2, "both are there");
		journal_list_free(entries, n);
	}
	OK(journal_open(&journal, &other, path, &forked, &n_damaged, &err));
	chat_assert_same(tree, other, "the rescued one");
	OK(journal_message(journal, tree_node(other, chat_add(other, tree_leaf(other), ROLE_USER, "on")), &err));
	cr_assert_str_neq(journal_path(journal), home, "the edited one is left alone");
	journal_close(journal);
	cr_assert_eq(count_files(spare_folder()), 0);
	cr_assert_eq(count_files(chat_folder()), 2);
	tree_free(other);
	tree_free(tree);
	free(path);
}

Test(rescue, goes_to_the_trash_with_its_original_and_gets_a_title)
{
	struct tree *tree = tree_create();
	char *path = make_aside(tree);
	struct journal_entry *entries;
	size_t n;

	OK(journal_rename(path, "a name", &io_system, &err));
	cr_assert_neq(access(path, F_OK), 0, "it went home");
	assert_listed(tree, "a name", 0);
	free(path);
	path = only_chat(0);
	OK(trash_put(path, &io_system, &err));
	free(path);
	tree_free(tree);
	tree = tree_create();
	path = make_aside(tree);
	OK(trash_put(path, &io_system, &err));
	OK(journal_list(&entries, &n, &err));
	cr_assert_eq(n, 0, "the shorter one does not come up again");
	journal_list_free(entries, n);
	OK(trash_list(&entries, &n, &err));
	cr_assert_eq(n, 3, "nothing is deleted");
	journal_list_free(entries, n);
	tree_free(tree);
	free(path);
}
