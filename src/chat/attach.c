#include "chat/attach.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file_pattern.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "base/text_file.h"
#include "base/words.h"

static enum status add_file(struct attached *into, const char *path, struct error *err)
{
	enum status status;
	struct buf name;
	char *text = NULL;
	size_t len;

	if (into->text.len >= LIMIT_MESSAGE)
		return error_set(err, STATUS_LIMIT, "%s: a message with its files holds at most %zu MiB", path,
		                 LIMIT_MESSAGE >> 20);
	status = text_file_read(path, LIMIT_MESSAGE - into->text.len, &text, &len, err);
	if (status)
		return status;
	buf_init(&name, LIMIT_MESSAGE);
	if (!sanitize_line(&name, path, strlen(path)))
		attached_remove(into, attachments_find(&into->list, buf_text(&name))); /* nothing, if there is none */
	buf_free(&name);
	status = attached_add(into, path, text, len, err);
	free(text);
	return status;
}

static enum status read_pattern(struct attached *into, const char *pattern, size_t *n_left_out,
                                struct error *err)
{
	struct error of_file;
	struct name_list names = {.n = 0};
	enum status status = file_pattern_expand(&names, pattern, LIMIT_PATTERN_FILES, err);
	size_t n_read = 0;

	if (!status && !names.n)
		status = error_set(err, STATUS_NOTFOUND, "%s: no file has a name like this", pattern);
	for (size_t i = 0; i < names.n && !status; i++) {
		status = add_file(into, names.items[i], &of_file);
		n_read += !status;
		if (status == STATUS_FORMAT || status == STATUS_IO) { /* no text, or not ours to read */
			status = STATUS_OK;
			++*n_left_out;
		} else if (status && err) {
			*err = of_file;
		}
	}
	if (!status && !n_read)
		status = error_set(err, STATUS_FORMAT, "%s: none of the files it names is text", pattern);
	name_list_free(&names);
	return status;
}

enum status attach_files(struct attached *into, const char *name, size_t *n_left_out, struct error *err)
{
	enum status status;
	struct stat st;
	struct buf path;

	buf_init(&path, KIB(16));
	home_path_put(&path, name);
	if (buf_status(&path))
		status = error_set(err, STATUS_LIMIT, "the file's name is too long");
	else if (stat(buf_text(&path), &st) == 0 && S_ISDIR(st.st_mode))
		status = error_set(err, STATUS_USAGE, "%s: is a folder; %s%s* attaches its files, %s%s** also those in its "
		                   "folders",
		                   name, name, name[strlen(name) - 1] == '/' ? "" : "/", name,
		                   name[strlen(name) - 1] == '/' ? "" : "/");
	else if (file_pattern_has_wildcards(buf_text(&path)) && stat(buf_text(&path), &st) != 0)
		status = read_pattern(into, buf_text(&path), n_left_out, err);
	else
		status = add_file(into, buf_text(&path), err);
	buf_free(&path);
	return status;
}

enum status attach_named(struct attached *into, const char *names, size_t len, size_t *n_left_out,
                         struct error *err)
{
	enum status status = STATUS_OK;
	bool found = true;
	struct stat st;
	struct buf word;

	buf_init(&word, KIB(16));
	home_path_put(&word, names);
	if (stat(buf_text(&word), &st) == 0) {
		buf_free(&word);
		return attach_files(into, names, n_left_out, err);
	}
	while (!status && !(status = words_next(&names, &len, &word, &found, err)) && found)
		status = attach_files(into, buf_text(&word), n_left_out, err);
	buf_free(&word);
	return status;
}
