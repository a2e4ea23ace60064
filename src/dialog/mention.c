#include "dialog/mention.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/file_pattern.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "chat/attach.h"
#include "chat/mention.h"
#include "dialog/dialog.h"

/* What is looked at: pasted text may be full of @ and of closing brackets. */
enum { MENTIONS_MAX = 100, TRIMMED_MAX = 400, NAME_MAX_BYTES = 1024 };

/* What a mention is about. */
enum target { TARGET_NONE, TARGET_FILE, TARGET_FOLDER, TARGET_PATTERN };

/* Takes off what belongs to the sentence, unless a file is really called that. */
static enum target look_up(const struct mention *mention, struct buf *path, struct stat *st)
{
	struct buf whole, shorter;
	enum target target = TARGET_NONE;
	int n_trimmed = 0;

	buf_init(&whole, KIB(16));
	buf_init(&shorter, KIB(16));
	buf_append(&shorter, path->data, path->len);
	while (!mention->quoted && shorter.len > NAME_MAX_BYTES && mention_trim(&shorter))
		;
	do {
		buf_clear(&whole);
		home_path_put(&whole, buf_text(&shorter));
		if (!buf_status(&whole) && stat(buf_text(&whole), st) == 0)
			target = S_ISDIR(st->st_mode) ? TARGET_FOLDER : TARGET_FILE;
	} while (!target && !mention->quoted && n_trimmed++ < TRIMMED_MAX && mention_trim(&shorter));
	if (target) {
		buf_clear(path);
		buf_append(path, shorter.data, shorter.len);
	} else if (!mention->quoted) {
		mention_trim_all(path);
		target = file_pattern_has_wildcards(buf_text(path)) ? TARGET_PATTERN : TARGET_NONE;
	}
	buf_free(&whole);
	buf_free(&shorter);
	return mention->is_unsure && target != TARGET_FILE ? TARGET_NONE : target;
}

/* A reply that is edited stays without files. */
static bool may_mention(const struct dialog *dialog)
{
	const struct node *edited = tree_node(dialog->tree, dialog->edit.message);

	return !edited || edited->role == ROLE_USER;
}

static bool is_doubted(const struct dialog_files *files, const char *line, size_t len)
{
	return files->doubted && strlen(files->doubted) == len && memcmp(files->doubted, line, len) == 0;
}

/* A pattern that is still being typed would name too much. */
static bool is_complete(const struct dialog_files *files, enum target target, const struct mention *mention,
                        const char *line, size_t len)
{
	return target == TARGET_FILE ||
	       (target == TARGET_PATTERN && (mention->end < len || is_doubted(files, line, len)));
}

/* What the line mentions, one a line, with what tells whether a file has changed. */
static enum status list_mentions(const struct dialog *dialog, const char *line, size_t len,
                                 struct buf *out)
{
	struct mention mention = {.end = 0};
	size_t n = 0;
	struct buf path;

	buf_init(&path, KIB(8));
	while (may_mention(dialog) && n++ < MENTIONS_MAX &&
	       mention_next(line, len, mention.end, &mention, &path)) {
		struct stat st = {.st_size = 0};
		enum target target = look_up(&mention, &path, &st);

		if (is_complete(&dialog->files, target, &mention, line, len))
			buf_printf(out, "%s\n%lld %lld %ld\n", buf_text(&path), (long long)st.st_size,
			           (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	}
	buf_free(&path);
	return buf_status(out);
}

/* Those that are given already are not read again. */
static void drop_given(struct dialog_files *files)
{
	struct attached *mentioned = &files->mentioned;

	for (size_t i = mentioned->list.n; i-- > 0;)
		if (attachments_find(&files->given.list, mentioned->list.items[i].name) < files->given.list.n)
			attached_remove(mentioned, i);
}

static void read_mentions(struct dialog_files *files, const char *line, size_t len)
{
	struct mention mention = {.end = 0};
	size_t n = 0;
	struct buf path;

	buf_init(&path, KIB(8));
	while (n++ < MENTIONS_MAX && mention_next(line, len, mention.end, &mention, &path)) {
		struct stat st;
		enum target target = look_up(&mention, &path, &st);

		/* Errors are reported when the message is sent. */
		if (is_complete(files, target, &mention, line, len))
			(void)!attach_files(&files->mentioned, buf_text(&path), &files->n_left_out, NULL);
	}
	buf_free(&path);
	drop_given(files);
}

void dialog_mentions_update(struct dialog *dialog, const char *line, size_t len)
{
	struct dialog_files *files = &dialog->files;
	struct buf mentions;

	if (!files->mentions && !memchr(line, '@', len))
		return;
	buf_init(&mentions, LIMIT_MESSAGE);
	if (!list_mentions(dialog, line, len, &mentions) &&
	    strcmp(buf_text(&mentions), files->mentions ? files->mentions : "") != 0) {
		attached_free(&files->mentioned);
		files->n_left_out = 0;
		files->version++;
		if (mentions.len)
			read_mentions(files, line, len);
		free(files->mentions);
		files->mentions = mentions.len ? buf_take(&mentions, NULL) : NULL;
	}
	buf_free(&mentions);
}

/* What is wrong with a mention; false: nothing. */
static bool find_fault(const struct mention *mention, struct buf *path, struct error *err)
{
	struct stat st;
	enum target target = look_up(mention, path, &st);
	struct attached scratch;
	size_t n_left_out = 0;
	bool fault;

	if (target == TARGET_NONE && !mention->is_unsure && (mention->quoted || mention_looks_meant(buf_text(path)))) {
		error_set(err, STATUS_NOTFOUND, "%s: there is no such file", buf_text(path));
		return true;
	}
	if (target == TARGET_NONE)
		return false;
	attached_init(&scratch);
	fault = attach_files(&scratch, buf_text(path), &n_left_out, err) != STATUS_OK;
	attached_free(&scratch);
	return fault;
}

bool dialog_mentions_doubt(struct dialog *dialog, const char *line, size_t len, struct error *err)
{
	struct dialog_files *files = &dialog->files;
	struct mention mention = {.end = 0};
	size_t n = 0, n_before = files->mentioned.list.n;
	struct buf path;
	bool fault = false;

	err->status = STATUS_OK;
	if (!may_mention(dialog) || !memchr(line, '@', len) || is_doubted(files, line, len))
		return false;
	buf_init(&path, KIB(8));
	while (!fault && n++ < MENTIONS_MAX && mention_next(line, len, mention.end, &mention, &path))
		fault = find_fault(&mention, &path, err);
	buf_free(&path);
	if (!fault)
		err->status = STATUS_OK; /* of what was tried */
	free(files->doubted);
	files->doubted = alloc_strndup(line, len);
	dialog_mentions_update(dialog, line, len); /* with the pattern at its end */
	return fault || files->mentioned.list.n > n_before;
}
