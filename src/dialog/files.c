#include "dialog/files.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "dialog/outgoing.h"

void dialog_files_init(struct dialog_files *files)
{
	attached_init(&files->given);
	attached_init(&files->mentioned);
}

void dialog_files_clear(struct dialog_files *files)
{
	attached_free(&files->given);
	attached_free(&files->mentioned);
	free(files->mentions);
	free(files->doubted);
	files->mentions = files->doubted = NULL;
	files->version++;
}

/* ---- the lists ---- */

static enum status add_all(struct attached *to, const struct attached *from, struct error *err)
{
	return attached_add_all(to, &from->list, buf_text(&from->text), err);
}

void dialog_files_give(struct dialog_files *files, struct attached *list)
{
	attached_free(&files->given);
	files->given = *list;
	attached_init(list);
	files->version++;
}

enum status dialog_files_add(struct dialog_files *files, const struct attached *more, struct error *err)
{
	struct attached all;
	enum status status;

	attached_init(&all);
	status = add_all(&all, &files->given, err);
	for (size_t i = 0; i < more->list.n && !status; i++)
		attached_remove(&all, attachments_find(&all.list, more->list.items[i].name));
	if (!status)
		status = add_all(&all, more, err);
	if (!status)
		dialog_files_give(files, &all);
	attached_free(&all);
	return status;
}

enum status dialog_files_add_from(struct dialog_files *files, const char *text,
                                  const struct attachments *list, struct error *err)
{
	return attached_add_all(&files->given, list, text, err);
}

void dialog_files_remove(struct dialog_files *files, size_t index)
{
	attached_remove(&files->given, index);
	files->version++;
}

void dialog_files_remove_all(struct dialog_files *files)
{
	attached_free(&files->given);
	files->version++;
}

enum status dialog_files_join(const struct dialog_files *files, const char *words, size_t len,
                              struct outgoing *out, struct error *err)
{
	struct attached all;
	enum status status;
	struct buf text;

	*out = (struct outgoing){.text = NULL};
	attached_init(&all);
	buf_init(&text, LIMIT_MESSAGE);
	(void)((status = add_all(&all, &files->given, err)) || (status = add_all(&all, &files->mentioned, err)) ||
	       (status = attached_join(&all, words, len, &text, &out->files, err)));
	if (!status && !(out->text = buf_take(&text, &out->len)))
		status = error_no_memory(err, "for the message");
	attached_free(&all);
	buf_free(&text);
	if (status)
		outgoing_free(out);
	return status;
}

/* ---- what they take ---- */

size_t dialog_files_n(const struct dialog_files *files)
{
	return files->given.list.n + files->mentioned.list.n;
}

static struct attachment *find(const struct dialog_files *files, size_t index, const struct attached **of)
{
	*of = &files->given;
	if (index >= files->given.list.n) {
		index -= files->given.list.n;
		*of = &files->mentioned;
	}
	return index < (*of)->list.n ? &(*of)->list.items[index] : NULL;
}

struct attachment *dialog_file_at(const struct dialog_files *files, size_t index)
{
	const struct attached *of;

	return find(files, index, &of);
}

uint64_t dialog_files_tokens(const struct dialog_files *files)
{
	uint64_t total = 0;

	for (size_t i = 0; i < dialog_files_n(files); i++)
		total += dialog_file_at(files, i)->tokens;
	return total;
}

bool dialog_files_are_estimated(const struct dialog_files *files)
{
	for (size_t i = 0; i < dialog_files_n(files); i++)
		if (dialog_file_at(files, i)->is_estimated)
			return true;
	return false;
}

bool dialog_files_next(struct dialog_files *files, uint64_t generation, struct message *block)
{
	const struct attached *of;
	const struct attachment *item;
	size_t n = dialog_files_n(files), i = 0, end;

	if (files->asked || !n)
		return false;
	if (files->failed && files->failed_version == files->version && files->generation == generation)
		return false;
	if (files->generation != generation) /* another model counts otherwise */
		for (size_t k = 0; k < n; k++)
			dialog_file_at(files, k)->tokens = 0;
	files->generation = generation;
	while (i < n && dialog_file_at(files, i)->tokens)
		i++;
	if (i == n)
		return false;
	item = find(files, i, &of);
	end = item + 1 == of->list.items + of->list.n ? of->text.len : item[1].start;
	*block = (struct message){.role = ROLE_USER, .text = of->text.data + item->start, .len = end - item->start};
	files->asked_index = i;
	return true;
}

void dialog_files_asked(struct dialog_files *files, bool asked)
{
	files->asked = asked;
	files->asked_version = files->version;
}

void dialog_files_not_counted(struct dialog_files *files)
{
	files->asked = false;
	files->failed = true;
	files->failed_version = files->asked_version;
}

const struct attachment *dialog_files_counted(struct dialog_files *files, uint32_t tokens, bool is_estimated)
{
	struct attachment *item = files->asked_version == files->version ? dialog_file_at(files, files->asked_index) : NULL;

	files->asked = files->failed = false;
	if (item) {
		item->tokens = tokens ? tokens : 1;
		item->is_estimated = is_estimated;
	}
	return item;
}
