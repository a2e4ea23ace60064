/* Slash commands, and what they do: a new one is a function and a row here. */
#include "ui/commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/role.h"
#include "chat/path.h"
#include "chat/run.h"
#include "dialog/dialog.h"
#include "turn/turn.h"
#include "ui/app.h"
#include "ui/app_branch.h"
#include "ui/app_chats.h"
#include "ui/app_context.h"
#include "ui/app_copy.h"
#include "ui/app_edit.h"
#include "ui/app_files.h"
#include "ui/app_find.h"
#include "ui/app_guide.h"
#include "ui/app_import.h"
#include "ui/app_inspect.h"
#include "ui/app_keep.h"
#include "ui/app_keymap.h"
#include "ui/app_load.h"
#include "ui/app_marks.h"
#include "ui/app_models.h"
#include "ui/app_panel.h"
#include "ui/app_presets.h"
#include "ui/app_reply.h"
#include "ui/app_settings.h"
#include "ui/app_store.h"
#include "ui/app_template.h"
#include "ui/app_themes.h"
#include "ui/app_turn.h"
#include "ui/app_write.h"
#include "ui/panel_help.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "view/chat_view.h"
#include "view/panel.h"

/* The system message applies from here on: it becomes part of the conversation. An empty one
 * (clears) applies to the whole conversation and replaces all earlier ones. */
static bool system_message(struct app *app, const struct command_call *call)
{
	bool clears = call->quoted ? !call->argument_len : strcmp(call->argument, "none") == 0;
	const char *text = clears ? "" : call->argument;
	const char *current = app_system_message(app);
	struct error err;
	uint32_t id;

	if (!text[0] && !clears) {
		app_notice(app, STYLE_SYSTEM, current && current[0] ? "System message: %s"
		           : "There is no system message.", current ? current : "");
		return true;
	}
	if (clears && (!current || !current[0])) {
		app_message(app, STYLE_STATUS, "there is no system message");
		return true;
	}
	if (tree_add(app->dialog->tree, tree_leaf(app->dialog->tree), ROLE_SYSTEM, text, strlen(text), &id, &err)) {
		app_message(app, STYLE_ERROR, "%s", err.text);
		return false;
	}
	tree_node(app->dialog->tree, id)->whole = clears;
	app_store_message(app, id);
	app_template_forget(app);
	app_guide_instructed(app);
	return true;
}

static bool save_copy(struct app *app, const char *name)
{
	const char *title = app->dialog->journal ? journal_get_title(app->dialog->journal) : "";
	enum status status;
	struct error err;
	struct buf path;

	buf_init(&path, KIB(16));
	status = app_take_path(&path, name, &err);
	if (!status)
		status = journal_export(app->dialog->tree, title, buf_text(&path), &err);
	if (status) {
		app_message(app, STYLE_ERROR, "%s", err.text);
	} else {
		/* The rest of an unfinished reply is not in the copy. */
		app->dialog->store.n_copied = app->dialog->turn.reply ? app->dialog->turn.reply - 1 : tree_n(app->dialog->tree);
		app_tell_written(app, "the chat", buf_text(&path), 0);
	}
	buf_free(&path);
	return !status;
}

/* With a '/' or .yaml it is a path to write to, otherwise a name for the chat. */
static bool save(struct app *app, const struct command_call *call)
{
	const char *name = call->argument;
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
	app->dialog->store.recorded = true;
	if (journal_title(app->dialog->journal, name, &err)) {
		app_store_check(app, err.status, &err);
		return true;
	}
	app_notice(app, STYLE_SUCCESS, "This chat is now called \"%s\"", name);
	return true;
}

/* "12 tokens in 340 ms (35.3 tok/s)"; no rate where the clock is too coarse for one. */
static void append_rate(struct buf *out, uint32_t tokens, double ms)
{
	buf_printf(out, "%u token%s in %.0f ms", tokens, tokens == 1 ? "" : "s", ms);
	if (ms >= 1)
		buf_printf(out, " (%.1f tok/s)", (double)tokens * 1e3 / ms);
}

/* What the chat's file has of a reply that was made before the chat was opened here. */
static void put_kept(struct buf *text, const struct node *reply)
{
	const struct reply_run *run = reply->n_runs ? &reply->runs[reply->n_runs - 1] : NULL;
	char date[APP_DATE_MAX];

	if (run && run->has_begun)
		buf_printf(text, "prompt   %u tokens\n", run->begin.n_prompt);
	buf_puts(text, "reply    ");
	if (reply->n_ids)
		buf_printf(text, "%zu token%s", reply->n_ids, reply->n_ids == 1 ? "" : "s");
	else
		buf_printf(text, "%zu bytes", reply->len);
	if (reply->n_reasoning_ids)
		buf_printf(text, ", %zu of them thought", reply->n_reasoning_ids);
	app_date_text(reply->created, date);
	buf_printf(text, ", by %s, %s\nIts times are not known: nothing was measured since this chat was opened.",
	           tree_speaker(reply), date);
}

static void put_measured(struct buf *text, const struct turn_stats *s, uint32_t n_ctx)
{
	buf_printf(text, "prompt   %u tokens, %u of them in the cache; ", s->n_prompt, s->n_cached);
	append_rate(text, s->n_evaluated, s->prefill_ms);
	if (s->n_again)
		buf_printf(text, "\nstates   kept up to token %u: the %u after it %s evaluated again",
		           s->n_cached, s->n_again, s->n_again == 1 ? "was" : "were");
	buf_puts(text, "\nreply    ");
	append_rate(text, s->n_generated, s->decode_ms);
	buf_printf(text, "\ncontext  %u of %u tokens", s->n_ctx_used, n_ctx);
}

static bool stats(struct app *app, const struct command_call *call)
{
	const struct node *reply = path_reply(app->dialog->tree);
	struct buf text;

	(void)call;
	if (!app->chat->has_stats && !reply) {
		app_message(app, STYLE_STATUS, "there is no reply yet");
		return true;
	}
	buf_init(&text, KIB(4));
	if (app->chat->has_stats)
		put_measured(&text, &app->chat->stats, app->model->n_ctx);
	else
		put_kept(&text, reply);
	if (!buf_status(&text))
		app_notice(app, STYLE_SYSTEM, "%s", buf_text(&text));
	buf_free(&text);
	return true;
}

/* All keys and commands, or those that have the words. */
static bool help(struct app *app, const struct command_call *call)
{
	const char *words = call->argument, *instead;
	struct panel *panel;
	bool found;

	if (!words[0]) {
		app_open_panel(app, panel_help_open(app->keys), NULL, NULL);
		return true;
	}
	panel = panel_help_find(app->keys, app->config->settings, words, &found);
	if (!panel || found) {
		app_open_panel(app, panel, NULL, NULL);
		return true;
	}
	panel_close(panel);
	instead = command_instead(words, call->argument_len);
	if (instead)
		app_message(app, STYLE_STATUS, "%s: %s", words, instead);
	else
		app_message(app, STYLE_ERROR, "no key, command or option contains '%s'; %s shows them all", words,
		            app_key(app, "help"));
	return instead != NULL;
}

static void moved(struct app *app, const struct panel *panel)
{
	(void)panel;
	app_after_settings(app);
}

static bool sampler(struct app *app, const struct command_call *call)
{
	static const struct panel_use use = {.flags = PANEL_IS_DOCKED, .changed = moved};

	(void)call;
	app_open_panel(app, panel_sampler_open(app->config->settings), &use, NULL);
	return true;
}

static bool quit(struct app *app, const struct command_call *call)
{
	app_leave(app, call->forced);
	return true;
}

const struct command commands[] = {
	{"help", "?", ARGUMENT_COMMAND, 0, "[WORD]",
	 "show keys and commands, or find a word in them and in the options", help},
	{"keys", "bindings hotkeys shortcuts", ARGUMENT_NONE, 0, NULL,
	 "show the keys and what keys.yaml changes, after reading that file again", app_show_keys},
	{"quit", "exit bye q", ARGUMENT_NONE, COMMAND_CAN_BE_FORCED, NULL,
	 "leave; the chat is saved (/quit! leaves even if it could not be)", quit},
	{"new", "clear reset", ARGUMENT_NONE, COMMAND_NEEDS_IDLE, NULL,
	 "start a new chat; the old one is kept", app_new_chat},
	{"model", "models", ARGUMENT_MODEL, COMMAND_ARGUMENT_NEEDS_IDLE, "[FILE|guide|chat]",
	 "load another model (chat: that of the chat), or choose one on this machine", app_model},
	{"system", NULL, ARGUMENT_TEXT, COMMAND_ARGUMENT_NEEDS_IDLE, "[TEXT]",
	 "set the system message (none: clear it), or show it", system_message},
	{"template", "role templates", ARGUMENT_TEMPLATE, COMMAND_ARGUMENT_NEEDS_IDLE,
	 "[-a] [NAME VARIABLE=VALUE...]",
	 "switch the prompt template from here on (-a: for the whole chat; none: use none), or choose "
	 "one",
	 app_template_command},
	{"set", NULL, ARGUMENT_SETTING, COMMAND_NEEDS_ARGUMENT, "NAME VALUE",
	 "change a setting, or reset it (VALUE default); /NAME VALUE does the same", app_set},
	{"sampler", "sliders", ARGUMENT_NONE, 0, NULL,
	 "open the sampler sliders", sampler},
	{"preset", "presets", ARGUMENT_PRESET, COMMAND_CAN_BE_FORCED, "[save|compare] [NAME]",
	 "use a preset, a named set of sampling values; save or compare one; or choose one", app_preset},
	{"show", "info config", ARGUMENT_OPTION, 0, "[NAME]",
	 "show the settings and where they come from", app_show},
	{"keep", NULL, ARGUMENT_NONE, 0, NULL,
	 "write what was changed (F2, F6, F7, /set) to config.yaml, for the next start", app_keep},
	{"save", NULL, ARGUMENT_FILE, 0, "[NAME|FILE]",
	 "name this chat, or write a copy to a file (a name with / or .yaml)", save},
	{"load", "resume open session switch chats", ARGUMENT_CHAT, COMMAND_ARGUMENT_NEEDS_IDLE,
	 "[NAME|FILE]",
	 "continue another chat, or choose one", app_load},
	{"list", "sessions", ARGUMENT_NONE, 0, NULL,
	 "list the saved chats", app_list_chats},
	{"regen", "retry regenerate", ARGUMENT_NONE, COMMAND_NEEDS_IDLE, NULL,
	 "ask for another reply; the old one is kept", app_regenerate},
	{"edit", NULL, ARGUMENT_TEXT, COMMAND_NEEDS_IDLE | COMMAND_FILLS_LINE, "[N|reply|summary]",
	 "edit your last (Nth last) message and send it again, or edit the last reply or the summary; the "
	 "old one is kept",
	 app_edit},
	{"continue", "cont", ARGUMENT_NONE, COMMAND_NEEDS_IDLE, NULL,
	 "continue the last reply where it was cut off", app_continue},
	{"undo", "pop back", ARGUMENT_TEXT, COMMAND_NEEDS_IDLE | COMMAND_FILLS_LINE, "[N]",
	 "take back your last message (the last N) and what followed; nothing is deleted", app_undo},
	{"pin", NULL, ARGUMENT_TEXT, COMMAND_NEEDS_IDLE, "[N]",
	 "keep your last (Nth last) or picked message when the context is full; again: undo that",
	 app_pin},
	{"drop", "forget", ARGUMENT_TEXT, COMMAND_NEEDS_IDLE, "[N]",
	 "stop sending your last (Nth last) message and its replies, or the picked one; again: undo that",
	 app_drop},
	{"undrop", NULL, ARGUMENT_TEXT, COMMAND_NEEDS_IDLE, "[N|summary]",
	 "send again what /drop left out, or the messages that a summary replaces", app_undrop},
	{"prev", "previous", ARGUMENT_NONE, COMMAND_NEEDS_IDLE, NULL,
	 "show the previous version of the last reply or message that has several", app_previous_take},
	{"next", NULL, ARGUMENT_NONE, COMMAND_NEEDS_IDLE, NULL,
	 "show the next version", app_next_take},
	{"branches", "tree", ARGUMENT_NONE, 0, NULL,
	 "show all messages as a tree; Enter goes to one", app_branches},
	{"fork", "branch", ARGUMENT_TEXT, COMMAND_NEEDS_IDLE, "[NAME]",
	 "begin a new chat with the messages up to here", app_fork},
	{"read", "attach file upload include", ARGUMENT_FILES, COMMAND_NEEDS_ARGUMENT, "FILE...",
	 "attach text files to your next message (@FILE in it does the same); * and ** match names: DIR/* "
	 "takes a folder's files", app_read},
	{"detach", NULL, ARGUMENT_TEXT, 0, "[N|all]",
	 "remove the last attached file, the Nth or all", app_detach},
	{"find", "search grep", ARGUMENT_TEXT, COMMAND_NEEDS_ARGUMENT, "TEXT",
	 "find text in this chat, ignoring case and accents; then n: next match, N: previous one",
	 app_find},
	{"copy", "yank", ARGUMENT_TEXT, 0, "[N|all]",
	 "copy the last reply, its Nth code block or the chat to the clipboard", app_copy},
	{"write", NULL, ARGUMENT_PART, COMMAND_NEEDS_ARGUMENT | COMMAND_CAN_BE_FORCED, "[N] FILE",
	 "write the last reply, or its Nth code block, to a file (/write! overwrites)", app_write},
	{"export", "dump-chat", ARGUMENT_FORMAT, COMMAND_NEEDS_ARGUMENT | COMMAND_CAN_BE_FORCED,
	 "md|json|txt|html [FILE]",
	 "write the chat in a format for other programs (/export! overwrites)", app_export},
	{"import", NULL, ARGUMENT_FILE, COMMAND_NEEDS_ARGUMENT | COMMAND_NEEDS_IDLE, "FILE",
	 "add chats from a JSON file of another program", app_import},
	{"stats", NULL, ARGUMENT_NONE, 0, NULL,
	 "show the times and speeds of the last reply", stats},
	{"context", NULL, ARGUMENT_TEXT, 0, "[text]",
	 "show what fills the context (text: write it into the chat)", app_context},
	{"inspect", "dump prompt", ARGUMENT_NONE, COMMAND_NEEDS_IDLE, NULL,
	 "show what the model sees, token by token", app_inspect},
	{"think", NULL, ARGUMENT_TEXT, 0, "[on|off|auto]",
	 "set whether a model that can think before it answers does so", app_think},
	{"theme", "themes", ARGUMENT_THEME, 0, "[NAME]",
	 "change the colours, or choose a theme", app_theme},
	{"plain", "raw", ARGUMENT_TEXT, 0, "[on|off]",
	 "show replies as the model wrote them, or as Markdown", app_plain},
	{"mouse", NULL, ARGUMENT_TEXT, COMMAND_NEEDS_SCREEN, "[on|off]",
	 "turn the mouse on or off", app_mouse},
};
const size_t commands_n = sizeof commands / sizeof commands[0];

/* Whether it has to wait until nothing runs. This includes an edited message, which is not queued,
 * since by then another branch may be on the screen. */
static bool needs_idle(const struct app *app, const struct command_call *call)
{
	if (!call->command)
		return app->dialog->edited;
	return call->command->flags & COMMAND_NEEDS_IDLE ||
	       (call->command->flags & COMMAND_ARGUMENT_NEEDS_IDLE &&
	        (call->argument_len || call->quoted));
}

bool app_call(struct app *app, const struct command_call *call)
{
	struct command_call whole = *call;
	char *argument;
	bool done;

	if (needs_idle(app, call) && app_refuse_while_busy(app))
		return false;
	chat_view_drop_notices(app->view, NOTICE_UNTIL_COMMAND);
	if (!call->command)
		return app_send(app, call->argument, call->argument_len);
	if (app->line && call->command->flags & COMMAND_NEEDS_SCREEN) {
		app_message(app, STYLE_WARNING, "/%s works only on the full screen; here the terminal does that",
		            call->command->name);
		return true;
	}
	argument = alloc_strndup(call->argument_len ? call->argument : "", call->argument_len);
	if (!argument) {
		app_message(app, STYLE_ERROR, "not enough memory");
		return false;
	}
	whole.argument = argument;
	done = call->command->run(app, &whole);
	free(argument);
	return done;
}
