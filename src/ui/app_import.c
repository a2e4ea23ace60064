/* /import: chats that other programs have written become chats of ours. */
#include "ui/app_internal.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/sys.h"
#include "chat/import.h"

/* The chats on the disk, each in a file of its own. *first is that of the first. */
static enum status keep(const struct import *import, char **first, size_t *n_kept,
                        struct error *err)
{
	*first = NULL;
	for (*n_kept = 0; *n_kept < import->n; ++*n_kept) {
		const struct import_chat *chat = &import->chats[*n_kept];
		char *path;
		enum status status = journal_add(chat->tree, chat->title, &path, err);

		if (status)
			return status;
		if (*first)
			free(path);
		else
			*first = path;
	}
	return STATUS_OK;
}

static enum status read_file(const char *name, struct import *import, struct error *err)
{
	enum status status = STATUS_OK;
	char *text = NULL;
	struct buf path;
	size_t len;

	*import = (struct import){.n = 0};
	buf_init(&path, KIB(16));
	app_expand_home(&path, name);
	if (buf_status(&path))
		status = error_set(err, STATUS_LIMIT, "the file's name is too long");
	if (!status)
		status = sys_read_file(buf_text(&path), LIMIT_IMPORT, &text, &len, err);
	if (!status)
		status = import_read(import, buf_text(&path), text, len, err);
	free(text);
	buf_free(&path);
	return status;
}

static void tell(struct app *app, const struct import *import)
{
	if (import->n_left_out)
		app_notice(app, STYLE_WARNING, "%zu messages or parts of them that are not text, such as tool calls or "
		           "images, were left out.", import->n_left_out);
	if (import->n > 1)
		app_notice(app, STYLE_SUCCESS, "%zu chats were imported; %s lists them.", import->n,
		           app_key(app, "load"));
	else
		app_notice(app, STYLE_SUCCESS, "The chat was imported; the file is not needed any more.");
}

/* One chat is opened; of several none is chosen. */
bool app_import(struct app *app, const struct command_call *call)
{
	struct import import;
	char *first = NULL;
	struct error err;
	size_t n_kept = 0;
	enum status status;

	if (!app->config->ui->save) {
		app_message(app, STYLE_ERROR, "chats are not saved (--no-save): there is nowhere to import to");
		return false;
	}
	status = read_file(call->argument, &import, &err);
	if (!status)
		status = keep(&import, &first, &n_kept, &err);
	if (status && n_kept)
		app_notice(app, STYLE_ERROR, "Only %zu of %zu chats were imported: %s", n_kept, import.n, err.text);
	else if (status)
		app_message(app, STYLE_ERROR, "%s", err.text);
	else if (import.n > 1 || app_open_chat(app, first))
		tell(app, &import);
	import_free(&import);
	free(first);
	return !status;
}
