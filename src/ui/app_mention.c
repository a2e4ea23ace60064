/* @path in a message: the files that the line names are read while it is typed, so that their
 * size is seen before it is sent. */
#include "ui/app_mention.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/file_pattern.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "base/role.h"
#include "chat/attachment.h"
#include "chat/mention.h"
#include "chat/tree.h"
#include "dialog/dialog.h"
#include "line/input_line.h"
#include "ui/app_files.h"
#include "ui/command.h"
#include "ui/state.h"
#include "ui/tell.h"

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

/* A command mentions nothing, and a reply that is edited stays without files. */
static bool may_mention(const struct app *app, const char *line, size_t len)
{
	const struct node *edited = tree_node(app->dialog->tree, app->dialog->edited);

	if (command_is(line, len))
		return false;
	return !edited || edited->role == ROLE_USER;
}

static bool is_doubted(const struct app *app, const char *line, size_t len)
{
	return app->dialog->files.doubted && strlen(app->dialog->files.doubted) == len &&
	       memcmp(app->dialog->files.doubted, line, len) == 0;
}

/* A pattern that is still being typed would name too much. */
static bool is_complete(const struct app *app, enum target target, const struct mention *mention,
                        const char *line, size_t len)
{
	return target == TARGET_FILE ||
	       (target == TARGET_PATTERN && (mention->end < len || is_doubted(app, line, len)));
}

/* What the line mentions, one a line, with what tells whether a file has changed. */
static enum status list_mentions(const struct app *app, const char *line, size_t len, struct buf *out)
{
	struct mention mention = {.end = 0};
	size_t n = 0;
	struct buf path;

	buf_init(&path, KIB(8));
	while (may_mention(app, line, len) && n++ < MENTIONS_MAX &&
	       mention_next(line, len, mention.end, &mention, &path)) {
		struct stat st = {.st_size = 0};
		enum target target = look_up(&mention, &path, &st);

		if (is_complete(app, target, &mention, line, len))
			buf_printf(out, "%s\n%lld %lld %ld\n", buf_text(&path), (long long)st.st_size,
			           (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	}
	buf_free(&path);
	return buf_status(out);
}

/* Those that are given already are not read again. */
static bool is_given(const struct app *app, const char *name)
{
	const struct attachments *given = &app->dialog->files.given.list;

	for (size_t i = 0; i < given->n; i++)
		if (strcmp(given->items[i].name, name) == 0)
			return true;
	return false;
}

static void drop_given(const struct app *app, struct attached *files)
{
	for (size_t i = files->list.n; i-- > 0;)
		if (is_given(app, files->list.items[i].name))
			attached_remove(files, i);
}

static void read_mentions(struct app *app, const char *line, size_t len)
{
	struct mention mention = {.end = 0};
	struct attached *files = &app->dialog->files.mentioned;
	size_t n = 0;
	struct buf path;

	attached_free(files);
	app->dialog->files.n_left_out = 0;
	app->dialog->files.version++;
	buf_init(&path, KIB(8));
	while (n++ < MENTIONS_MAX && mention_next(line, len, mention.end, &mention, &path)) {
		struct stat st;
		enum target target = look_up(&mention, &path, &st);

		/* Errors are reported when the message is sent. */
		if (is_complete(app, target, &mention, line, len))
			(void)!app_files_read(files, buf_text(&path), &app->dialog->files.n_left_out, NULL);
	}
	buf_free(&path);
	drop_given(app, files);
}

void app_mentions_update_for(struct app *app, const char *line, size_t len)
{
	struct buf mentions;

	if (!app->dialog->files.mentions && !memchr(line, '@', len))
		return;
	buf_init(&mentions, LIMIT_MESSAGE);
	if (!list_mentions(app, line, len, &mentions) &&
	    strcmp(buf_text(&mentions), app->dialog->files.mentions ? app->dialog->files.mentions : "") != 0) {
		if (mentions.len) {
			read_mentions(app, line, len);
		} else {
			attached_free(&app->dialog->files.mentioned);
			app->dialog->files.version++;
		}
		free(app->dialog->files.mentions);
		app->dialog->files.mentions = mentions.len ? buf_take(&mentions, NULL) : NULL;
	}
	buf_free(&mentions);
}

void app_mentions_update(struct app *app)
{
	size_t len;
	const char *line = input_line_text(&len);

	app_mentions_update_for(app, line, len);
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
	fault = app_files_read(&scratch, buf_text(path), &n_left_out, err) != STATUS_OK;
	attached_free(&scratch);
	return fault;
}

bool app_mentions_refuse(struct app *app, const char *line, size_t len)
{
	struct mention mention = {.end = 0};
	size_t n = 0, n_before = app->dialog->files.mentioned.list.n, n_now;
	struct error err;
	struct buf path;
	bool fault = false;

	if (!may_mention(app, line, len) || !memchr(line, '@', len) || is_doubted(app, line, len))
		return false;
	buf_init(&path, KIB(8));
	while (!fault && n++ < MENTIONS_MAX && mention_next(line, len, mention.end, &mention, &path))
		fault = find_fault(&mention, &path, &err);
	buf_free(&path);
	free(app->dialog->files.doubted);
	app->dialog->files.doubted = alloc_strndup(line, len);
	app_mentions_update_for(app, line, len); /* with the pattern at its end */
	n_now = app->dialog->files.mentioned.list.n;
	if (fault)
		app_message(app, STYLE_WARNING, "%s; Enter again sends the message without it", err.text);
	else if (n_now > n_before && app->dialog->files.n_left_out)
		app_message(app, STYLE_WARNING, "%zu file%s attached, %zu left out because %s not text; Enter sends",
		            n_now, n_now == 1 ? "" : "s", app->dialog->files.n_left_out,
		            app->dialog->files.n_left_out == 1 ? "it is" : "they are");
	else if (n_now > n_before)
		app_message(app, STYLE_STATUS, "%zu file%s attached; Enter sends", n_now, n_now == 1 ? "" : "s");
	return fault || n_now > n_before;
}
