/* The keys in force: reading keys.yaml, showing what it changes, and the help on keys and commands. */
#include "ui/app_keymap.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/sys.h"
#include "ui/app_panel.h"
#include "ui/command.h"
#include "ui/panel_help.h"
#include "ui/tell.h"

static enum status keys_path(struct buf *out, struct error *err)
{
	return sys_user_path(SYS_DIR_CONFIG, "/keys.yaml", out, err);
}

bool app_load_keys(struct app *app)
{
	struct buf path = {.max = KIB(64)}, problems = {.max = KIB(256)};
	enum status status;
	struct error err;
	char *text = NULL;
	size_t len = 0;
	bool right, is_read;

	status = keys_path(&path, &err);
	if (!status)
		status = sys_read_file(buf_text(&path), LIMIT_YAML_BYTES, &text, &len, &err);
	is_read = !status || status == STATUS_NOTFOUND;
	if (is_read)
		keymap_read(app->keys, buf_text(&path), text ? text : "", len, app->commands,
		            app->config->settings, &problems);
	free(text);
	right = is_read && !problems.len;
	if (!is_read)
		app_notice(app, STYLE_WARNING, "%s\nThe keys are as they were; /keys reads the file again.",
		           err.text);
	else if (!right)
		app_notice(app, STYLE_WARNING, "%s\n%s; /keys reads the file again.", buf_text(&problems),
		           app->keys->n_changes ? "The other lines apply" : "Nothing of it applies");
	chat_view_set_fold_key(app->view, app_key(app, "thinking"));
	buf_free(&problems);
	buf_free(&path);
	return right;
}

bool app_show_keys(struct app *app, const struct command_call *call)
{
	struct help_text help = {.n = 0};
	struct error err;
	struct buf path = {.max = KIB(64)};

	(void)call;
	if (!app_load_keys(app))
		return true; /* what is wrong is in the transcript, which a panel would hide */
	if (keys_path(&path, &err))
		buf_puts(&path, "keys.yaml");
	help_text_keys(&help, app->keys, buf_text(&path));
	app_open_panel(app, panel_help_open("Keys", &help), NULL, NULL);
	buf_free(&path);
	return true;
}

/* All keys and commands, or those that have the words. */
bool app_help(struct app *app, const struct command_call *call)
{
	const char *words = call->argument, *instead;
	struct help_text help = {.n = 0};

	if (words[0])
		help_text_find(&help, app->keys, app->commands, app->config->settings, words);
	else
		help_text_all(&help, app->keys, app->commands);
	if (help.n || help.has_failed) {
		app_open_panel(app, panel_help_open(words[0] ? words : "Help", &help), NULL, NULL);
		return true;
	}
	help_text_free(&help);
	instead = command_instead(words, call->argument_len);
	if (instead)
		app_message(app, STYLE_STATUS, "%s: %s", words, instead);
	else
		app_message(app, STYLE_ERROR, "no key, command or option contains '%s'; %s shows them all", words,
		            app_key(app, "help"));
	return instead != NULL;
}
