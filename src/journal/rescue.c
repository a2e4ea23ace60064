/* Chats in the rescue folder. A chat whose file cannot be written (a full disk) goes on there, in a
 * file of the same name that has all of it, and goes home as soon as there is room. A program that
 * ends before that leaves two states of one chat, of which one has all that the other has; a crash
 * on the way home, too. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"
#include "base/sys.h"
#include "journal/journal_internal.h"

/* Where a record begins at or before `at`, in bytes that are the same in both. */
static size_t record_before(const char *bytes, size_t len, size_t at)
{
	const size_t n = sizeof RECORD_MARK - 1;

	for (;; at--) {
		if ((at == 0 || bytes[at - 1] == '\n') && len - at >= n && memcmp(bytes + at, RECORD_MARK, n) == 0)
			return at;
		if (at == 0)
			return 0;
	}
}

/* Where the record ends, or where what is no record ends. */
static size_t piece_end(const struct buf *bytes, size_t at)
{
	static const char end[] = "\n" RECORD_END;
	const char *begin = bytes->data + at, *stop, *next;
	size_t len = bytes->len - at;

	next = memmem(begin, len, "\n" RECORD_MARK, sizeof RECORD_MARK);
	len = next ? (size_t)(next - begin) + 1 : len;
	stop = memmem(begin, len, end, sizeof end - 1);
	return at + (stop ? (size_t)(stop - begin) + sizeof end - 1 : len);
}

/* A record whose text is also in the whole reply, or so little of one that it has no text. */
static bool is_part(const char *record, size_t len)
{
	static const char type[] = "type: \"assistant-part\"\n";
	const char *newline = memchr(record, '\n', len);
	size_t rest = newline ? len - (size_t)(newline + 1 - record) : 0;

	if (rest < sizeof type - 1)
		return !newline || memcmp(newline + 1, type, rest) == 0;
	return memcmp(newline + 1, type, sizeof type - 1) == 0;
}

static struct tree *read_tree(const struct buf *bytes)
{
	struct tree *tree = NULL;

	if (journal_parse(bytes->data, bytes->len, &tree, NULL, NULL, NULL)) {
		tree_free(tree);
		return NULL;
	}
	return tree;
}

static bool begins_with(const char *all, size_t len, const char *part, size_t part_len)
{
	return part_len <= len && (!part_len || memcmp(all, part, part_len) == 0);
}

/* Whether each message of `part` is in `all`, perhaps longer. */
static bool has_messages(const struct buf *all, const struct buf *part)
{
	struct tree *whole = read_tree(all), *some = read_tree(part);
	bool ok = whole && some && tree_n(whole) >= tree_n(some);

	for (uint32_t id = 1; ok && id <= tree_n(some); id++) {
		const struct node *a = tree_node(whole, id), *b = tree_node(some, id);

		ok = a->parent == b->parent && a->role == b->role && begins_with(a->text, a->len, b->text, b->len) &&
		     begins_with(a->reasoning, a->reasoning_len, b->reasoning, b->reasoning_len);
	}
	tree_free(whole);
	tree_free(some);
	return ok;
}

/* How many bytes the two begin with alike, but for half a record. */
static size_t common_records(const struct buf *a, const struct buf *b)
{
	size_t least = a->len < b->len ? a->len : b->len, at = 0;

	while (at < least && a->data[at] == b->data[at])
		at++;
	if (at < a->len)
		return record_before(a->data, a->len, at);
	return at < b->len ? record_before(b->data, b->len, at) : at;
}

/* Where the piece is, from `from` on, or else anywhere; SIZE_MAX: nowhere. Records mostly are in the
 * same order in both, but a tear makes a program write some of them again. */
static size_t find_piece(const struct buf *in, size_t from, const char *piece, size_t len)
{
	const char *found;

	if (in->len < len)
		return SIZE_MAX;
	found = memmem(in->data + from, in->len - from, piece, len);
	if (!found && from)
		found = memmem(in->data, in->len, piece, len);
	return found ? (size_t)(found - in->data) : SIZE_MAX;
}

static size_t trimmed_end(const struct buf *bytes, size_t begin, size_t end)
{
	while (end > begin && bytes->data[end - 1] == '\n')
		end--;
	return end;
}

/* Whether the bytes of one transcript have all that those of another have: they are older and newer
 * states of one chat. */
static bool covers(const struct buf *all, const struct buf *part)
{
	size_t at = common_records(all, part), found = at, next;

	for (size_t begin = at; begin < part->len; begin = next) {
		size_t end, there;

		next = piece_end(part, begin);
		end = trimmed_end(part, begin, next);
		if (end == begin || memchr(part->data + begin, 0, end - begin))
			continue; /* zeros: a power cut on the way home, before that was said to be done */
		there = find_piece(all, found, part->data + begin, end - begin);
		if (there != SIZE_MAX)
			found = there;
		else if (!is_part(part->data + begin, end - begin))
			return false;
	}
	return at == part->len || has_messages(all, part);
}

static bool read_bytes(const char *path, struct buf *bytes)
{
	struct error err;
	size_t len;
	char *text;

	if (sys_read_file(path, LIMIT_TRANSCRIPT, &text, &len, &err))
		return false;
	transcript_mend(text, &len);
	buf_append(bytes, text, len);
	free(text);
	return !buf_status(bytes);
}

/* Which of two files has all that the other has; NULL: none has. Of equal ones the first. */
static const char *choose(const char *first, const char *second)
{
	const char *chosen = NULL;
	struct buf a = {.max = LIMIT_TRANSCRIPT};
	struct buf b = {.max = LIMIT_TRANSCRIPT};

	if (read_bytes(first, &a) && read_bytes(second, &b))
		chosen = covers(&a, &b) ? first : covers(&b, &a) ? second : NULL;
	buf_free(&a);
	buf_free(&b);
	return chosen;
}

static void drop(struct journal_entry *entries, size_t *n, size_t at)
{
	journal_entry_free(&entries[at]);
	memmove(entries + at, entries + at + 1, (*n - at - 1) * sizeof *entries);
	--*n;
}

void rescue_drop_covered(struct journal_entry *chats, size_t *n, struct journal_entry *rescued,
                         size_t *n_rescued)
{
	for (size_t i = *n_rescued; i-- > 0;)
		for (size_t j = 0; j < *n; j++) {
			const char *chosen;

			if (strcmp(chats[j].id, rescued[i].id) != 0)
				continue;
			chosen = choose(chats[j].path, rescued[i].path);
			if (chosen == chats[j].path)
				drop(rescued, n_rescued, i);
			else if (chosen)
				drop(chats, n, j);
			break;
		}
}

static bool is_same_folder(const char *one, const char *other)
{
	struct stat a, b;

	return strcmp(one, other) == 0 || (stat(one, &a) == 0 && stat(other, &b) == 0 &&
	                                   a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

static bool is_folder_of(const char *path, const char *folder)
{
	const char *slash = strrchr(path, '/');
	struct buf of = {.max = KIB(64)};
	bool same;

	same = !(slash ? buf_append(&of, path, (size_t)(slash + 1 - path)) : buf_puts(&of, ".")) &&
	       is_same_folder(buf_text(&of), folder);
	buf_free(&of);
	return same;
}

bool rescue_folder(const char *home, struct buf *out)
{
	return chats_spare_dir(out, NULL) == STATUS_OK && !is_same_folder(home, buf_text(out));
}

/* Where the other half of the file would be; "": it is in neither folder. */
static enum status find_other(const char *path, struct buf *other, bool *is_rescued, struct error *err)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct buf home = {.max = KIB(64)};
	struct buf spare = {.max = KIB(64)};
	enum status status;

	*is_rescued = false;
	status = chats_dir(&home, err);
	if (!status && rescue_folder(buf_text(&home), &spare)) {
		*is_rescued = is_folder_of(path, buf_text(&spare));
		if (*is_rescued || is_folder_of(path, buf_text(&home)))
			status = buf_printf(other, "%s/%s", buf_text(*is_rescued ? &home : &spare), name)
			         ? error_set(err, STATUS_LIMIT, "the path of the chat is too long") : STATUS_OK;
	}
	buf_free(&home);
	buf_free(&spare);
	return status;
}

/* How a file is brought up to date with the mirror, which has all of it: by what it lacks, or, where it
 * is not the mirror's beginning, by another one in its place. */
static void set_behind(const struct journal *journal, struct journal_file *file, const struct buf *bytes)
{
	const bool begins = common_records(&journal->mirror, bytes) == bytes->len;

	file->is_old |= !begins;
	file->written = file->is_old ? 0 : bytes->len;
}

static void swap_bytes(struct buf *a, struct buf *b)
{
	struct buf other = *a;

	*a = *b;
	*b = other;
}

enum status rescue_join(struct journal *journal, struct error *err)
{
	struct journal_file other = {.fd = -1};
	const char *why_copy = NULL;
	struct buf path = {.max = KIB(64)};
	struct buf bytes = {.max = LIMIT_TRANSCRIPT};
	bool is_rescued, home_has_all, joined = false;
	enum status status;

	status = find_other(journal->file.path, &path, &is_rescued, err);
	if (status || !path.len)
		goto out;
	if (is_rescued) {
		journal->spare = journal->file;
		journal->file = (struct journal_file){.fd = -1};
		journal->is_aside = true;
	}
	if (journal_file_open(journal->io, &other, buf_text(&path), &bytes, &why_copy, NULL)) {
		/* It is gone: a file of that name is made again. */
		if (is_rescued && strlen(journal->id) < sizeof journal->copy_id)
			strcpy(journal->copy_id, journal->id);
		goto out;
	}
	if (why_copy)
		goto out;
	home_has_all = is_rescued ? covers(&bytes, &journal->mirror)
	                          : covers(&journal->mirror, &bytes);
	joined = home_has_all || (is_rescued ? covers(&journal->mirror, &bytes)
	                                     : covers(&bytes, &journal->mirror));
	if (!joined)
		goto out;
	if (is_rescued)
		journal->file = other;
	else
		journal->spare = other;
	journal->is_aside = !home_has_all;
	if (is_rescued == home_has_all)
		swap_bytes(&journal->mirror, &bytes);
	if (!home_has_all)
		set_behind(journal, &journal->file, &bytes);
out:
	if (!joined)
		journal_file_close(journal->io, &other);
	buf_free(&bytes);
	buf_free(&path);
	return status;
}

enum status rescue_original(const char *path, struct buf *out, struct error *err)
{
	bool is_rescued = false;
	enum status status = find_other(path, out, &is_rescued, err);

	if (!status && out->len && (!is_rescued || choose(path, buf_text(out)) != path))
		buf_clear(out);
	return status;
}
