/* Finding chats: the folder, the list of its chats, and a chat by the name that a user gives. Only
 * the beginning and the end of each file are read. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/sys.h"
#include "base/utf8.h"
#include "config/yaml.h"
#include "journal/journal_internal.h"

enum {
	HEAD_BYTES = 4096,       /* usually enough for the first message ... */
	LONG_HEAD_BYTES = 65536, /* ... this after a long system prompt */
	TAIL_BYTES = 4096,       /* more than model and title take, even if all is escaped */
	FILES_MAX = 1000000,
	SMALL_BYTES = 1 << 20,   /* a file that is read whole to see whether it is a chat at all */
};

#define DAMAGED "[damaged: nothing of a chat can be read]"

enum status data_folder(struct buf *out, const char *name, struct error *err)
{
	const char *forced = getenv("SOTTO_DATA_DIR");

	if (!forced || !*forced)
		return sys_user_path(SYS_DIR_DATA, name, out, err);
	return buf_printf(out, "%s%s", forced, name)
	               ? error_set(err, STATUS_LIMIT, "the path of the chats is too long") : STATUS_OK;
}

enum status chats_dir(struct buf *out, struct error *err)
{
	return data_folder(out, "/chats", err);
}

enum status chats_spare_dir(struct buf *out, struct error *err)
{
	return sys_user_path(SYS_DIR_STATE, "/chats", out, err);
}

int journal_compare_newest(const void *a, const void *b)
{
	const struct journal_entry *x = a, *y = b;

	if (x->modified != y->modified)
		return x->modified < y->modified ? 1 : -1;
	if (x->modified_ns != y->modified_ns)
		return x->modified_ns < y->modified_ns ? 1 : -1;
	return strcmp(y->id, x->id);
}

static bool is_chat_name(const char *name, size_t *stem)
{
	size_t len = strlen(name);

	*stem = len - 5;
	return len > 5 && name[0] != '.' && strcmp(name + len - 5, ".yaml") == 0;
}

/* Decodes the inside of double quotes, up to what cannot be read. */
static char *unquote(const char *inside, size_t len)
{
	static const struct yaml_limits limits = {LONG_HEAD_BYTES * 2, 10, 2};
	struct yaml_reader *reader = NULL;
	struct yaml_item item;
	char *text = NULL;
	struct buf quoted = {.max = LONG_HEAD_BYTES * 2};

	buf_printf(&quoted, "\"%.*s\"", (int)len, inside);
	if (!buf_status(&quoted) &&
	    yaml_open(&reader, "title", buf_text(&quoted), quoted.len, 1, &limits, NULL) == 0 &&
	    yaml_next(reader, &item, NULL) == 0 && item.kind == YAML_SCALAR)
		text = alloc_strndup(item.text, item.len);
	yaml_close(reader);
	buf_free(&quoted);
	return text;
}

/* The first line of a double-quoted text that begins at `text` (behind the
 * quote) and may be cut off at `end`; at most LIMIT_TITLE bytes. */
static char *first_line(const char *text, const char *end)
{
	const char *at = text, *whole = text;
	char *line;

	while (at < end && *at != '"' && *at != '\n' && at - text < LIMIT_TITLE * 4) {
		int32_t cp;

		if (*at == '\\') {
			size_t n = end - at < 2 ? 0 : at[1] == 'x' ? 4 : at[1] == 'u' ? 6
			           : at[1] == 'U' ? 10 : 2;

			if (n == 0 || (size_t)(end - at) < n || at[1] == 'n' || at[1] == '\n')
				break;
			at += n;
		} else {
			at += utf8_decode(at, (size_t)(end - at), &cp);
			if (cp < 0)
				break;
		}
		whole = at;
	}
	line = unquote(text, (size_t)(whole - text));
	if (line)
		line[utf8_cut(line, strlen(line), LIMIT_TITLE)] = '\0';
	return line;
}

static const char *find(const char *at, const char *end, const char *word)
{
	return at < end ? memmem(at, (size_t)(end - at), word, strlen(word)) : NULL;
}

/* The first line of the first user message, as far as it is in `head`. */
static char *title_from_head(const char *head, size_t len)
{
	static const char role[] = "\nrole: \"user\"\n", text[] = "\ntext: \"";
	const char *end = head + len, *at;

	/* Texts are indented after their first line: these stand at the margin. */
	at = find(head, end, role);
	at = at ? find(at, end, text) : NULL;
	if (!at)
		return NULL;
	at += sizeof text - 1;
	while (end - at >= 2 && memcmp(at, "\\n", 2) == 0) { /* empty lines before it */
		at += 2;
		if (end - at < 2 || memcmp(at, "\\\n", 2) != 0)
			continue;
		for (at += 2; at < end && *at == ' ';)
			at++;
	}
	return first_line(at, end);
}

/* The last value of a key ("\ntitle: \"") in the end of a file; NULL: it is not there. Texts are
 * indented after their first line, so what looks like a key at the margin is one. */
static char *from_tail(const char *tail, size_t len, const char *key)
{
	const char *end = tail + len, *last = NULL;

	for (const char *at = find(tail, end, key); at; at = find(at + 1, end, key))
		last = at;
	return last ? first_line(last + strlen(key), end) : NULL;
}

/* Every record ends with the number of messages and the title, if there is one; a reply's record
 * also with its model. */
static void read_tail(int fd, off_t size, struct journal_entry *entry)
{
	char tail[TAIL_BYTES], *count;
	ssize_t n = pread(fd, tail, sizeof tail, size > TAIL_BYTES ? size - TAIL_BYTES : 0);
	int64_t n_messages;

	if (n <= 0)
		return;
	entry->title = from_tail(tail, (size_t)n, "\ntitle: \"");
	entry->model = from_tail(tail, (size_t)n, "\nmodel: \"");
	count = from_tail(tail, (size_t)n, "\nmessages: \"");
	if (count && number_parse_int(count, &n_messages) && n_messages > 0)
		entry->n_messages = (size_t)n_messages;
	free(count);
}

/* The file's beginning, mended. Returns its length. */
static size_t read_head(int fd, char *head, size_t room)
{
	ssize_t n = pread(fd, head, room - 1, 0);
	size_t len = n > 0 ? (size_t)n : 0;

	head[len] = '\0';
	transcript_mend(head, &len);
	return len;
}

/* What the beginning of a file tells. */
struct beginning {
	char *title;     /* the first line of the user's first message; NULL: not found */
	bool has_record; /* there is something of a chat */
	bool is_sound;   /* it begins with a record that has its end */
};

static void look_at_head(const char *head, size_t n, struct beginning *out)
{
	const char *end = head + n;

	out->has_record |= transcript_has_record(head, n);
	out->title = out->has_record ? title_from_head(head, n) : NULL;
	out->is_sound = out->title && transcript_has_record(head, n < sizeof RECORD_MARK - 1 ? n : sizeof RECORD_MARK - 1) &&
	                find(head, end, "\n...\n");
}

static void read_beginning(int fd, off_t size, struct beginning *out)
{
	char head[HEAD_BYTES], *longer;

	*out = (struct beginning){0};
	look_at_head(head, read_head(fd, head, sizeof head), out);
	if (out->title || size < (off_t)sizeof head)
		return;
	longer = malloc(LONG_HEAD_BYTES);
	if (longer)
		look_at_head(longer, read_head(fd, longer, LONG_HEAD_BYTES), out);
	free(longer);
}

void journal_entry_free(struct journal_entry *entry)
{
	free(entry->id);
	free(entry->path);
	free(entry->title);
	free(entry->model);
}

/* Fills an empty entry with what is known of a file before it is read. */
static bool name_entry(const char *folder, const char *name, size_t stem, const struct stat *st,
                       struct journal_entry *entry)
{
	struct buf path = {.max = KIB(64)};

	*entry = (struct journal_entry){
		.id = alloc_strndup(name, stem), .modified = st->st_mtim.tv_sec,
		.modified_ns = st->st_mtim.tv_nsec, .size = st->st_size, .inode = st->st_ino};
	if (buf_printf(&path, "%s/%s", folder, name) == STATUS_OK)
		entry->path = buf_take(&path, NULL);
	buf_free(&path);
	return entry->id && entry->path;
}

static void name_damage(struct journal_entry *entry, const char *why)
{
	entry->is_damaged = true;
	free(entry->title);
	entry->title = alloc_strndup(why, strlen(why));
}

/* Where the first record is not whole there may be nothing that can be read: half of it, or zeros
 * before a piece that ends in a title. */
static void look_closer(struct journal_entry *entry)
{
	struct tree *tree;
	size_t n_damaged;

	if (entry->size > SMALL_BYTES)
		return;
	if (journal_load(entry->path, &tree, &n_damaged, NULL, NULL))
		name_damage(entry, DAMAGED);
	else
		tree_free(tree);
}

/* A file that is there is listed: if it is no chat, or cannot be read, that is said in place of its
 * title. False: no memory. */
static bool read_entry(struct journal_entry *entry)
{
	int fd = open(entry->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char why[ERROR_TEXT_MAX + 2];
	struct beginning beginning;
	struct error err;

	if (fd < 0) {
		error_errno(&err, errno, "[cannot be read");
		snprintf(why, sizeof why, "%s]", err.text);
		name_damage(entry, why);
		return entry->title != NULL;
	}
	read_tail(fd, entry->size, entry);
	read_beginning(fd, entry->size, &beginning);
	close(fd);
	if (entry->size == 0)
		name_damage(entry, "[an empty file]");
	else if (!beginning.has_record)
		name_damage(entry, DAMAGED);
	else {
		if (!entry->title || !entry->title[0]) {
			free(entry->title);
			entry->title = beginning.title ? beginning.title : alloc_strndup("", 0);
			beginning.title = NULL;
		}
		if (!beginning.is_sound && entry->title)
			look_closer(entry);
	}
	free(beginning.title);
	return entry->title != NULL;
}

/* Lists a folder's files without reading them. */
static enum status scan(const char *folder, DIR *dir, struct journal_entry **out, size_t *n, struct error *err)
{
	struct dirent *found;
	size_t cap = 0, stem;

	while ((found = readdir(dir))) {
		struct journal_entry entry;
		struct stat st;

		/* A link that leads nowhere is a chat that cannot be read. */
		if (!is_chat_name(found->d_name, &stem) ||
		    (fstatat(dirfd(dir), found->d_name, &st, 0) != 0 &&
		     fstatat(dirfd(dir), found->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) ||
		    (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode)))
			continue;
		if (!name_entry(folder, found->d_name, stem, &st, &entry) ||
		    !alloc_grow(out, &cap, *n + 1, sizeof **out, FILES_MAX)) {
			journal_entry_free(&entry);
			return error_no_memory(err, "for the list");
		}
		(*out)[(*n)++] = entry;
	}
	return STATUS_OK;
}

enum status journal_list(struct journal_entry **entries, size_t *n, struct error *err)
{
	return journal_list_known(entries, n, NULL, NULL, err);
}

/* Lists the two folders as one. */
static enum status join_lists(struct journal_entry **entries, size_t *n, struct journal_entry *more,
                              size_t n_more, struct error *err)
{
	struct journal_entry *all = alloc_array(*n + n_more, sizeof *all);

	if (!all)
		return error_no_memory(err, "for the list");
	if (*n)
		memcpy(all, *entries, *n * sizeof *all);
	memcpy(all + *n, more, n_more * sizeof *all);
	free(*entries);
	*entries = all;
	*n += n_more;
	qsort(all, *n, sizeof *all, journal_compare_newest);
	while (*n > LIMIT_TRANSCRIPTS)
		journal_entry_free(&all[--*n]);
	return STATUS_OK;
}

enum status journal_list_known(struct journal_entry **entries, size_t *n, journal_known_fn *known,
                               void *context, struct error *err)
{
	struct journal_entry *rescued = NULL;
	size_t n_rescued = 0;
	struct buf folder = {.max = KIB(64)};
	struct buf spare = {.max = KIB(64)};
	enum status status;

	*entries = NULL;
	*n = 0;
	status = chats_dir(&folder, err);
	if (!status)
		status = journal_list_folder(buf_text(&folder), entries, n, known, context, err);
	/* That these cannot be looked for is no reason not to list the others. */
	if (!status && rescue_folder(buf_text(&folder), &spare) &&
	    journal_list_folder(buf_text(&spare), &rescued, &n_rescued, known, context, NULL) == STATUS_OK &&
	    n_rescued) {
		rescue_drop_covered(*entries, n, rescued, &n_rescued);
		status = join_lists(entries, n, rescued, n_rescued, err);
		if (status)
			journal_list_free(rescued, n_rescued);
		else
			free(rescued);
	} else {
		journal_list_free(rescued, n_rescued);
	}
	buf_free(&spare);
	buf_free(&folder);
	return status;
}

enum status journal_list_folder(const char *folder, struct journal_entry **entries, size_t *n,
                                journal_known_fn *known, void *context, struct error *err)
{
	DIR *dir = opendir(folder);
	struct journal_entry *found = NULL;
	size_t n_found = 0;
	enum status status;

	*entries = NULL;
	*n = 0;
	if (!dir)
		return errno == ENOENT ? STATUS_OK : error_errno(err, errno, "%s: cannot open", folder);
	status = scan(folder, dir, &found, &n_found, err);
	closedir(dir);
	if (status) {
		journal_list_free(found, n_found);
		return status;
	}
	if (n_found)
		qsort(found, n_found, sizeof *found, journal_compare_newest);
	for (size_t i = 0; i < n_found; i++)
		if (*n < LIMIT_TRANSCRIPTS && ((known && known(&found[i], context)) || read_entry(&found[i])))
			found[(*n)++] = found[i];
		else
			journal_entry_free(&found[i]);
	*entries = found;
	return STATUS_OK;
}

void journal_list_free(struct journal_entry *entries, size_t n)
{
	for (size_t i = 0; i < n; i++)
		journal_entry_free(&entries[i]);
	free(entries);
}

static enum status copy_path(const char *from, char **path, struct error *err)
{
	*path = alloc_strndup(from, strlen(from));
	return *path ? STATUS_OK : error_no_memory(err, NULL);
}

/* The entry that `name` stands for; NULL: none or several, *n_matches says how many. */
static const struct journal_entry *match(const struct journal_entry *entries, size_t n,
                                         const char *name, size_t *n_matches)
{
	const struct journal_entry *prefixed = NULL;
	size_t len = strlen(name);

	*n_matches = 1;
	for (size_t i = 0; i < n; i++)
		if (strcmp(entries[i].id, name) == 0)
			return &entries[i];
	for (size_t i = 0; i < n; i++) /* of several with the same title the newest */
		if (strcmp(entries[i].title, name) == 0)
			return &entries[i];
	*n_matches = 0;
	for (size_t i = 0; len && i < n; i++)
		if (strncmp(entries[i].id, name, len) == 0) {
			prefixed = &entries[i];
			++*n_matches;
		}
	return *n_matches == 1 ? prefixed : NULL;
}

enum status journal_match(const struct journal_entry *entries, size_t n, const char *name, char **path,
                          struct error *err)
{
	size_t n_matches;
	const struct journal_entry *found = match(entries, n, name, &n_matches);
	struct nearest nearest;
	enum status status;

	if (found) {
		status = copy_path(found->path, path, err);
	} else if (n_matches > 1) {
		status = error_set(err, STATUS_USAGE, "%zu chats begin with '%.60s'", n_matches, name);
	} else {
		nearest_init(&nearest, name, strlen(name));
		for (size_t i = 0; i < n; i++)
			nearest_offer(&nearest, entries[i].title);
		status = error_set(err, STATUS_NOTFOUND, "there is no chat '%.60s'%s", name, nearest_hint(&nearest));
	}
	return status;
}

static enum status resolve(const char *name, char **path, struct error *err)
{
	struct journal_entry *entries;
	enum status status;
	const bool may_be_path = strchr(name, '/') || strstr(name, ".yaml"); /* or a title like it */
	size_t n;

	if (may_be_path && access(name, F_OK) == 0)
		return copy_path(name, path, err);
	status = journal_list(&entries, &n, err);
	if (status)
		return status;
	status = journal_match(entries, n, name, path, err);
	journal_list_free(entries, n);
	if (status == STATUS_NOTFOUND && may_be_path) /* whoever opens it says that it is not there */
		status = copy_path(name, path, err);
	return status;
}

enum status journal_resolve(const char *name, char **path, struct error *err)
{
	enum status status;
	struct buf whole = {.max = KIB(64)};

	home_path_put(&whole, name);
	status = buf_status(&whole) ? error_set(err, STATUS_USAGE, "the chat's name is too long")
	                            : resolve(buf_text(&whole), path, err);
	buf_free(&whole);
	return status;
}

enum status journal_last(char **path, struct error *err)
{
	struct journal_entry *entries;
	size_t n, at = 0;
	enum status status = journal_list(&entries, &n, err);

	if (status)
		return status;
	while (at < n && entries[at].is_damaged)
		at++;
	status = at < n ? copy_path(entries[at].path, path, err)
	           : error_set(err, STATUS_NOTFOUND, "there is no chat to continue yet");
	journal_list_free(entries, n);
	return status;
}
