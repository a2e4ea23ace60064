/* Finding text in all chats: 10,000 chats, 1 GB of text.
 *
 * usage: bench/chats make FOLDER [CHATS [MEGABYTES]]   writes them to FOLDER/chats
 *        bench/chats FOLDER     the index made and asked, in FOLDER/sotto
 * Where it may, it empties the page cache for what is called cold. */
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "bench/bench.h"
#include "chat/tree.h"
#include "journal/journal_internal.h"
#include "search/finder.h"

enum { MESSAGES = 20, WORDS = 1000000 };

static uint64_t state = 88172645463325252u;

/* xorshift64 */
static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* A word of a language whose k-th most frequent word has the frequency 1/k. */
static void put_word(struct buf *out)
{
	static const char *const begin[] = {"b", "st", "d", "f", "g", "h", "k", "l", "m", "n", "pr", "r",
	                                    "s", "t", "v", "w"};
	static const char *const middle[] = {"a", "e", "i", "o", "u", "ea", "ou", "\303\251"};
	static const char *const last[] = {"n", "r", "s", "", "t", "l", "", "d"};
	double chance = (double)(next_random() >> 11) / (double)((uint64_t)1 << 53);
	unsigned rank = (unsigned)exp(chance * log(WORDS)), rest = rank;

	do {
		buf_puts(out, begin[rest % 16]);
		buf_puts(out, middle[rest / 16 % 8]);
		buf_puts(out, last[rank % 8]);
		rest /= 128;
	} while (rest);
	buf_putc(out, next_random() % 12 ? ' ' : '\n');
}

static int no_sync(int fd)
{
	(void)fd;
	return 0;
}

static void make_chat(const char *folder, size_t number, size_t bytes)
{
	struct io_ops io = io_system;
	struct tree *tree = tree_create();
	struct buf text, path;
	struct error err;
	uint32_t id = 0;

	io.fsync = io.fdatasync = no_sync;
	buf_init(&text, LIMIT_MESSAGE);
	buf_init(&path, KIB(4));
	for (int i = 0; i < MESSAGES; i++) {
		enum role role = i % 2 ? ROLE_ASSISTANT : ROLE_USER;

		buf_clear(&text);
		while (text.len < (role == ROLE_USER ? bytes / MESSAGES / 5 : bytes / MESSAGES * 9 / 5))
			put_word(&text);
		if (i == MESSAGES / 2 && number % 1000 == 7)
			buf_printf(&text, "zygote number %zu\n", number);
		if (tree_add(tree, id, role, buf_text(&text), text.len, &id, &err))
			fail(err.text);
	}
	buf_printf(&path, "%s/chats/20260101-%06zu-%04zx.yaml", folder, number, number & 0xFFFF);
	if (journal_export_io(tree, "", buf_text(&path), &io, &err))
		fail(err.text);
	tree_free(tree);
	buf_free(&text);
	buf_free(&path);
}

static void make(const char *folder, size_t n, size_t megabytes)
{
	struct buf path;
	struct error err;

	buf_init(&path, KIB(4));
	buf_printf(&path, "%s/chats", folder);
	if (sys_make_dirs(buf_text(&path), &err))
		fail(err.text);
	buf_free(&path);
	for (size_t i = 0; i < n; i++)
		make_chat(folder, i, MIB(megabytes) / n);
}

static bool never(void *context)
{
	(void)context;
	return false;
}

/* Writes all to the disk first: only what is clean is dropped. */
static bool drop_page_cache(void)
{
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY);
	bool ok;

	sync();
	ok = fd >= 0 && write(fd, "3", 1) == 1;
	if (fd >= 0)
		close(fd);
	return ok;
}

static double ms_since(uint64_t start_us)
{
	return (double)(sys_now_us() - start_us) / 1e3;
}

struct hits {
	uint64_t start;
	double first, screen; /* ms until the first one, and until there are 20 */
	size_t n;
};

static bool count(const struct search_hit *hit, void *context)
{
	struct hits *hits = context;

	(void)hit;
	hits->n++;
	if (hits->n == 1)
		hits->first = ms_since(hits->start);
	if (hits->n == 20)
		hits->screen = ms_since(hits->start);
	return hits->n < 1000;
}

static void ask(struct index *index, const struct journal_entry *entries, size_t n, const char *text)
{
	struct hits hits = {.start = sys_now_us()};
	struct search_use use = {count, never, &hits};
	struct error err;

	if (search_chats(index, entries, n, text, strlen(text), &use, &err))
		fail(err.text);
	printf("%-34s %6zu %10.1f %10.1f %10.1f\n", text, hits.n, hits.first, hits.screen, ms_since(hits.start));
}

static void list(struct index *index, struct journal_entry **entries, size_t *n, const char *what)
{
	uint64_t start = sys_now_us();
	struct error err;

	if (index_list(index, entries, n, &err))
		fail(err.text);
	printf("the list of %zu chats, %s: %.1f ms\n", *n, what, ms_since(start));
}

/* What a key costs who presses it: rows of the first answer, in the thread. */
static void ask_finder(struct finder *finder, const char *text, const char *what)
{
	uint64_t start = sys_now_us();
	struct finder_news news;
	double first = 0, asked;
	size_t n = 0;

	finder_ask(finder, text, strlen(text), ORDER_NEWEST, false);
	asked = ms_since(start);
	do {
		struct pollfd fd = {.fd = finder_fd(finder), .events = POLLIN};

		poll(&fd, 1, -1);
		finder_take(finder, &news);
		if (news.n && !n)
			first = ms_since(start);
		n += news.n;
		finder_rows_free(news.rows, news.n);
	} while (!news.is_done);
	printf("%-34s %6zu %10.1f %21.1f  (%.3f to ask)\n", what, n, first, ms_since(start), asked);
}

/* As F5 does it, from the start of the thread on, with the index of the cache directory. */
static void measure_finder(const char *folder, bool cold)
{
	struct finder *finder;
	struct error err;

	setenv("XDG_CACHE_HOME", folder, 1);
	if (cold && !drop_page_cache())
		return;
	if (finder_start(&finder, &err))
		fail(err.text);
	printf("as F5 asks, %s\n", cold ? "cold" : "warm");
	if (cold)
		ask_finder(finder, "zygo", "the first question, zygo");
	ask_finder(finder, "", "all chats");
	ask_finder(finder, "zygo", "zygo");
	ask_finder(finder, "zygot", "zygot");
	ask_finder(finder, "stea", "stea");
	finder_end(finder);
}

static struct index *open_index(const char *folder)
{
	struct index *index;
	struct error err;
	struct buf path;

	buf_init(&path, KIB(4));
	buf_printf(&path, "%s/sotto/chats.db", folder);
	if (index_open_file(&index, buf_text(&path), &err))
		fail(err.text);
	buf_free(&path);
	return index;
}

static void measure(const char *folder)
{
	static const char *const texts[] = {"zyg", "zygote", "zygote number 4007", "stea", "man", "stean man",
	                                    "nothing of that", "ka"};
	struct journal_entry *entries;
	struct index *index;
	struct error err;
	struct buf path;
	uint64_t start;
	size_t n, n_left;

	setenv("SOTTO_DATA_DIR", folder, 1);
	buf_init(&path, KIB(4));
	buf_printf(&path, "%s/sotto", folder);
	if (sys_make_dirs(buf_text(&path), &err))
		fail(err.text);
	buf_free(&path);
	list(NULL, &entries, &n, "warm, without an index");
	start = sys_now_us();
	index = open_index(folder);
	if (index_update(index, entries, n, never, NULL, &n_left, &err))
		fail(err.text);
	printf("index brought up to date: %.1f s, %zu left\n", ms_since(start) / 1e3, n_left);
	measure_finder(folder, false);
	measure_finder(folder, true);
	for (int cold = 0; cold < 2; cold++) {
		journal_list_free(entries, n);
		index_close(index);
		if (cold && !drop_page_cache())
			break;
		start = sys_now_us();
		index = open_index(folder);
		list(index, &entries, &n, cold ? "cold" : "warm");
		printf("index opened and chats listed: %.1f ms\n%-34s %6s %10s %10s %10s\n", ms_since(start),
		       cold ? "cold, one after the other" : "warm", "chats", "first, ms", "20th, ms", "all, ms");
		for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
			ask(index, entries, n, texts[i]);
	}
	journal_list_free(entries, n);
	index_close(index);
}

int main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "make") == 0)
		make(argv[2], argc > 3 ? (size_t)atol(argv[3]) : 10000, argc > 4 ? (size_t)atol(argv[4]) : 1000);
	else if (argc == 2)
		measure(argv[1]);
	else
		fail("usage: bench/chats make FOLDER [CHATS [MEGABYTES]], then bench/chats FOLDER");
	return 0;
}
