/* Files of the chat: /write, a reply or a code block of it; /export, the chat for other programs;
 * /save, which names the chat or writes a copy. */
#include "ui/app_write.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "base/number.h"
#include "chat/export.h"
#include "dialog/dialog.h"
#include "ui/app_copy.h"
#include "ui/command.h"
#include "ui/tell.h"

/* "2 FILE", "FILE". *block: 0 without a number. */
static enum status take_apart(const char *argument, size_t *block, const char **name,
                              struct error *err)
{
	size_t digits = strspn(argument, "0123456789");
	const char *rest = argument + digits + strspn(argument + digits, " \t");
	char number[16];
	int64_t value;

	*block = 0;
	*name = argument;
	if (!digits || (argument[digits] && rest == argument + digits))
		return STATUS_OK;
	if (!*rest)
		return error_set(err, STATUS_USAGE, "/write %s needs a file's name, too (a file of that name: "
		                 "./%s)", argument, argument);
	if (digits >= sizeof number)
		return error_set(err, STATUS_NOTFOUND, "the last reply has no such code block");
	memcpy(number, argument, digits);
	number[digits] = '\0';
	if (!number_parse_int(number, &value) || value < 1)
		return error_set(err, STATUS_USAGE, "code blocks are counted from 1");
	*block = (size_t)value;
	*name = rest;
	return STATUS_OK;
}

/* "Chat written to x.md (in FOLDER), 12 bytes": what, and where. 0 bytes: not told. */
static void tell_written(struct app *app, const char *what, const char *path, size_t bytes)
{
	char folder[PATH_MAX], size[32] = "";

	if (strncmp(what, "the ", 4) == 0)
		what += 4;
	if (bytes)
		snprintf(size, sizeof size, ", %zu bytes", bytes);
	if (path[0] == '/' || !getcwd(folder, sizeof folder))
		folder[0] = '\0';
	app_notice(app, STYLE_SUCCESS, "%c%s written to %s%s%s%s%s", toupper((unsigned char)what[0]), what + 1, path,
	           folder[0] ? " (in " : "", folder, folder[0] ? ")" : "", size);
}

/* Writes a text to the file that was typed; over another one only if the command has a "!". Says
 * what came of it. */
static bool write_file(struct app *app, const char *name, const struct buf *text, const char *what,
                       const struct command_call *call)
{
	enum { MODE = 0666 };
	enum status status;
	struct error err;
	struct buf path = {.max = KIB(16)};

	status = home_path_put_typed(&path, name, &err);
	if (!status)
		status = file_write(&io_system, buf_text(&path), buf_text(text), text->len, call->forced,
		                    MODE, &err);
	if (status == STATUS_BUSY)
		app_message(app, STYLE_WARNING, "%s; /%s! overwrites it", err.text, call->command->name);
	else if (app_went_well(app, status, &err))
		tell_written(app, what, buf_text(&path), text->len);
	buf_free(&path);
	return !status;
}

bool app_write(struct app *app, const struct command_call *call)
{
	struct buf text = {.max = LIMIT_TRANSCRIPT}, what = {.max = 256};
	enum status status;
	const char *name;
	struct error err;
	size_t block;
	bool done = false;

	status = take_apart(call->argument, &block, &name, &err);
	if (!status)
		status = app_take_text(app, block, &text, &what, &err);
	if (!status && text.len && text.data[text.len - 1] != '\n' && buf_putc(&text, '\n'))
		status = error_set(&err, STATUS_NOMEM, "not enough memory");
	if (app_went_well(app, status, &err))
		done = write_file(app, name, &text, buf_text(&what), call);
	buf_free(&text);
	buf_free(&what);
	return done;
}

/* "md FILE", "md", "FILE.md"; *name "": to be made up. */
static const struct export_format *take_format(const char *argument, const char **name)
{
	size_t len = strcspn(argument, " \t");
	const struct export_format *format = export_find(argument, len);

	*name = format ? argument + len + strspn(argument + len, " \t") : argument;
	return format ? format : export_of_file(argument);
}

/* Where a chat gets a name that is made up. */
static bool is_folder(const char *name)
{
	struct stat st;
	struct buf path = {.max = KIB(16)};
	bool is;

	is = name[0] && !home_path_put_typed(&path, name, NULL) && stat(buf_text(&path), &st) == 0 &&
	     S_ISDIR(st.st_mode);
	buf_free(&path);
	return is;
}

bool app_export(struct app *app, const struct command_call *call)
{
	const char *name, *title = app->dialog->journal ? journal_get_title(app->dialog->journal) : "";
	const char *id = app->dialog->journal ? journal_id(app->dialog->journal) : "";
	const struct export_format *format = take_format(call->argument, &name);
	struct buf text = {.max = LIMIT_TRANSCRIPT}, made_up = {.max = KIB(16)};
	bool done = false;

	if (!format) {
		app_message(app, STYLE_ERROR, "/export takes " EXPORT_NAMES("") "; /save FILE.yaml writes all "
		            "branches");
		return false;
	}
	if (!tree_n(app->dialog->tree)) {
		app_message(app, STYLE_ERROR, "this chat is empty");
		return true;
	}
	if (is_folder(name))
		buf_printf(&made_up, "%s%s", name, name[strlen(name) - 1] == '/' ? "" : "/");
	buf_printf(&made_up, "%s.%s", id[0] ? id : "chat", format->name);
	if (format->write(app->dialog->tree, title, &text) || buf_status(&made_up))
		app_message(app, STYLE_ERROR, "not enough memory for the whole chat");
	else
		done = write_file(app, name[0] && !is_folder(name) ? name : buf_text(&made_up),
		                  &text, "the chat", call);
	buf_free(&made_up);
	buf_free(&text);
	return done;
}

/* ---- /save ---- */

static bool save_copy(struct app *app, const char *name)
{
	enum status status;
	struct error err;
	struct buf path = {.max = KIB(16)};

	status = home_path_put_typed(&path, name, &err);
	if (!status)
		status = dialog_store_copy(app->dialog, buf_text(&path), &err);
	if (app_went_well(app, status, &err))
		tell_written(app, "the chat", buf_text(&path), 0);
	buf_free(&path);
	return !status;
}

/* With a '/' or .yaml it is a path to write to, otherwise a name for the chat. */
bool app_save(struct app *app, const struct command_call *call)
{
	const char *name = call->argument;
	enum status status;
	struct error err;
	size_t len = call->argument_len;

	if (!name[0]) {
		if (!app->dialog->journal)
			app_notice(app, STYLE_SYSTEM, "This chat is not saved. /save FILE.yaml writes it to a file.");
		else if (!app->dialog->store.recorded)
			app_notice(app, STYLE_SYSTEM, "This chat will be saved from its first message on.");
		else
			app_notice(app, STYLE_SYSTEM, "This chat is saved as you go, in %s",
			           journal_path(app->dialog->journal));
		return true;
	}
	if (strchr(name, '/') || strcmp(name, "~") == 0 || (len > 5 && strcmp(name + len - 5, ".yaml") == 0))
		return save_copy(app, name);
	if (!app->dialog->journal) {
		app_message(app, STYLE_ERROR, "this chat is not saved; /save FILE.yaml writes it to a file");
		return false;
	}
	status = dialog_store_title(app->dialog, name, &err);
	app_tell_facts(app);
	if (!status)
		app_notice(app, STYLE_SUCCESS, "This chat is now called \"%s\"", name);
	return true;
}
