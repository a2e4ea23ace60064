/* Files that come with a message: the words name them (@path), patterns find them, and their contents
 * become blocks of the text. The input is divided by RS: the words first, then names and contents. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_pattern.h"
#include "base/limits.h"
#include "base/text_file.h"
#include "base/utf8.h"
#include "chat/attachment.h"
#include "chat/mention.h"
#include "fuzz/fuzz.h"

enum { DIVIDER = 0x1e };

/* Patterns only look at these: two folders, a file in each, and a link that leads round. */
static char root[] = "/tmp/sotto-fuzz-XXXXXX";
static const char *const folders[] = {"", "/a", "/a/b"};
static const char *const files[] = {"/a/x.c", "/a/b/y.c", "/a/b/up"};

static const char *in_root(const char *name)
{
	static char path[sizeof root + 16];

	snprintf(path, sizeof path, "%s%s", root, name);
	return path;
}

static void remove_root(void)
{
	for (int i = 0; i < 3; i++)
		unlink(in_root(files[i]));
	for (int i = 3; i-- > 0;)
		rmdir(in_root(folders[i]));
}

static void make_root(void)
{
	static bool made;
	FILE *file;

	if (made)
		return;
	made = true;
	FUZZ_CHECK(mkdtemp(root) && atexit(remove_root) == 0);
	for (int i = 1; i < 3; i++)
		FUZZ_CHECK(mkdir(in_root(folders[i]), 0700) == 0);
	for (int i = 0; i < 2; i++)
		FUZZ_CHECK((file = fopen(in_root(files[i]), "w")) && fclose(file) == 0);
	FUZZ_CHECK(symlink("..", in_root(files[2])) == 0);
}

static void check_pattern(const char *pattern)
{
	struct name_list names = {.n = 0};
	struct buf path = {.max = LIMIT_MESSAGE};
	struct stat st;

	if (strstr(pattern, "..") || strstr(pattern, "up")) /* what is outside is none of the target's */
		return;
	make_root();
	FUZZ_CHECK(buf_printf(&path, "%s/%s", root, pattern) == STATUS_OK);
	FUZZ_CHECK(file_pattern_expand(&names, buf_text(&path), 100, NULL) == STATUS_OK || names.n <= 100);
	for (size_t i = 0; i < names.n; i++) {
		FUZZ_CHECK(stat(names.items[i], &st) == 0 && S_ISREG(st.st_mode));
		FUZZ_CHECK(i == 0 || strcmp(names.items[i - 1], names.items[i]) < 0);
	}
	name_list_free(&names);
	buf_free(&path);
}

static void check_mentions(const char *text, size_t len)
{
	struct mention mention = {.end = 0};
	struct buf path = {.max = LIMIT_MESSAGE};

	for (size_t at = 0; mention_next(text, len, at, &mention, &path); at = mention.end) {
		FUZZ_CHECK(mention.start >= at && mention.end > mention.start + 1 && mention.end <= len);
		FUZZ_CHECK(text[mention.start] == '@' && path.len > 0);
		(void)mention_looks_meant(buf_text(&path));
		check_pattern(buf_text(&path));
		for (size_t before = path.len; mention_trim(&path); before = path.len)
			FUZZ_CHECK(path.len < before && path.len > 0);
		mention_trim_all(&path);
		FUZZ_CHECK(path.len > 0);
	}
	buf_free(&path);
}

/* A message of these files: the list fits its text, and fits no other. */
static void check_joined(struct attached *attached, const char *words, size_t n_words)
{
	struct attachments list = {.n = 0}, copy = {.n = 0};
	struct attached again;
	struct buf text = {.max = LIMIT_MESSAGE}, sent = {.max = LIMIT_MESSAGE};

	FUZZ_CHECK(attached_join(attached, words, n_words, &text, &list, NULL) == STATUS_OK);
	FUZZ_CHECK(attachments_words(&list, text.len) == n_words);
	FUZZ_CHECK(attachments_put_sent(&sent, &list, text.data, text.len) == STATUS_OK);
	FUZZ_CHECK(sent.len == text.len - (list.n && n_words));
	FUZZ_CHECK(attachments_copy(&copy, &list) == STATUS_OK);
	for (size_t i = 0; i < copy.n; i++)
		copy.items[i].start = 0; /* is filled in */
	FUZZ_CHECK(!copy.n || attachments_fit(&copy, buf_text(&text), text.len));
	for (size_t i = 0; i < copy.n; i++)
		FUZZ_CHECK(copy.items[i].start == list.items[i].start);
	if (copy.n) {
		copy.items[copy.n - 1].from++;
		FUZZ_CHECK(!attachments_fit(&copy, buf_text(&text), text.len));
	}
	attached_init(&again);
	FUZZ_CHECK(attached_add_all(&again, &list, buf_text(&text), NULL) == STATUS_OK);
	FUZZ_CHECK(again.text.len == attached->text.len);
	FUZZ_CHECK(!again.text.len || memcmp(again.text.data, attached->text.data, again.text.len) == 0);
	attached_free(&again);
	attachments_free(&list);
	attachments_free(&copy);
	buf_free(&text);
	buf_free(&sent);
}

static size_t piece(const char *bytes, size_t len)
{
	const char *end = memchr(bytes, DIVIDER, len);

	return end ? (size_t)(end - bytes) : len;
}

/* The next two pieces, as a name and what a file has. Returns what is left. */
static size_t add_file(struct attached *attached, const char **at, size_t left)
{
	size_t n_name = piece(*at, left), n_content, n_bad;
	const char *content = *at + n_name + (n_name < left);
	char *name = strndup(*at, n_name);
	struct buf text;

	left -= n_name + (n_name < left);
	n_content = piece(content, left);
	FUZZ_CHECK(name);
	buf_init(&text, 3 * n_content + 1);
	if (text_file_put(&text, "name", content, n_content, &n_bad, NULL) == STATUS_OK) {
		FUZZ_CHECK(text.len > 0 && text.len <= n_content + 2 * n_bad && utf8_valid(text.data, text.len));
		FUZZ_CHECK(!memchr(text.data, '\r', text.len));
		FUZZ_CHECK(attached_add(attached, name, text.data, text.len, NULL) == STATUS_OK ||
		           attached->list.n == LIMIT_ATTACHMENTS);
	}
	*at = content + n_content + (n_content < left);
	free(name);
	buf_free(&text);
	return left - n_content - (n_content < left);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *words = (const char *)data, *at;
	struct attached attached;
	size_t n_words = size ? piece(words, size) : 0, left = size - n_words;

	check_mentions(words, n_words);
	attached_init(&attached);
	for (at = words + n_words + (left > 0), left -= left > 0; left > 0;)
		left = add_file(&attached, &at, left);
	check_joined(&attached, words, n_words);
	while (attached.list.n) {
		attached_remove(&attached, n_words % attached.list.n);
		check_joined(&attached, words, n_words);
	}
	FUZZ_CHECK(attached.text.len == 0);
	attached_free(&attached);
	return 0;
}
