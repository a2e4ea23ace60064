#include "cli/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "base/server_path.h"
#include "base/sys.h"
#include "base/words.h"
#include "catalog/catalog.h"
#include "cli/backends.h"
#include "cli/checkpoint_model.h"
#include "cli/completions.h"
#include "cli/print.h"
#include "config/preset.h"
#include "config/servers.h"
#include "engine/backend.h"
#include "engine/options.h"
#include "pull/stored.h"

#define ROW(field, more_flags) CLI_ROW(common_params, field, more_flags)

static const struct option common_options[] = {
	{"config", NULL, OPTION_STRING, ROW(config, OPTION_PATH), .arg = "FILE",
	 .help = "read this instead of the user's config.yaml"},
	{"print-config", NULL, OPTION_BOOL, ROW(print_config, 0), .def = "no",
	 .help = "print all settings as a configuration file, and stop"},
	{"help", "h", OPTION_BOOL, ROW(help, 0), .def = "no", .help = "print this, and stop"},
	{"version", NULL, OPTION_BOOL, ROW(version, 0), .def = "no",
	 .help = "print the version, and stop"},
};

enum { N_COMMON_OPTIONS = sizeof common_options / sizeof common_options[0] };
enum { N_SHARED = 3, N_COMMON = 1, CLI_GO_ON = -1 };

/* The shared options, which not every command uses (cli_command.acts), then the common ones. */
static void list_tables(struct cli_setup *setup, struct option_table tables[N_SHARED + N_COMMON])
{
	tables[0] = (struct option_table){engine_options, engine_n_options, &setup->engine};
	tables[1] = (struct option_table){sampler_options, sampler_n_options, &setup->sampler};
	tables[2] = (struct option_table){ui_options, ui_n_options, &setup->ui};
	tables[3] = (struct option_table){common_options, N_COMMON_OPTIONS, &setup->common};
}

static bool is_in(const struct option *rows, size_t n, const struct option *option)
{
	for (size_t i = 0; i < n; i++)
		if (&rows[i] == option)
			return true;
	return false;
}

static bool acts(const struct cli_command *command, const struct option *option, bool on_screen)
{
	if (is_in(common_options, N_COMMON_OPTIONS, option) ||
	    is_in(command->own.rows, command->own.n, option))
		return true;
	if (command->acts)
		return words_have(command->acts, option->name, strlen(option->name));
	return on_screen || !(option->flags & OPTION_CHAT);
}

bool cli_is_in_help(const void *command, const struct option *option)
{
	return acts(command, option, ((const struct cli_command *)command)->is_chat);
}

static void warn(struct cli_setup *setup, const char *text)
{
	if (setup->on_screen)
		buf_printf(&setup->notice, "%s%s", setup->notice.len ? "\n" : "", text);
	else
		cli_warn("%s", text);
}

void cli_warn_unused(struct cli_setup *setup, const char *option, const char *where)
{
	char text[ERROR_TEXT_MAX];

	if (!settings_is_from(setup->settings, option, ORIGIN_FLAG))
		return;
	snprintf(text, sizeof text, "--%s has no effect %s", option, where);
	warn(setup, text);
}

void cli_warn_unused_of_chat(struct cli_setup *setup)
{
	const struct ui_params *ui = &setup->ui;
	bool by_name = ui->resume && ui->resume[0];

	if (by_name)
		cli_warn_unused(setup, "continue", "together with --resume");
	if (by_name || ui->resume_last)
		cli_warn_unused(setup, "system-prompt", "on a chat that has already begun");
	else if (ui->prompt_template && ui->prompt_template[0])
		cli_warn_unused(setup, "system-prompt", "together with a template");
}

static void warn_of_options(struct cli_setup *setup, const struct cli_command *command,
                            const char *name)
{
	char where[64];

	snprintf(where, sizeof where,
	         command->is_chat ? "where standard input or output is not a terminal"
	                          : "on `sotto %.20s`", name);
	for (size_t i = 0; i < settings_n(setup->settings); i++) {
		const struct option *option = settings_option(setup->settings, i);

		if (!acts(command, option, setup->on_screen))
			cli_warn_unused(setup, option->name, where);
	}
}

static void warn_of_environment(struct cli_setup *setup)
{
	struct buf lines = {.max = MIB(1)};

	if (settings_check_environment(setup->settings, environ, &lines) == STATUS_OK)
		for (char *line = lines.data, *end; line && (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			warn(setup, line);
		}
	buf_free(&lines);
}

static int print_help(const struct cli_setup *setup, const struct cli_command *command)
{
	struct buf out = {.max = MIB(1)};

	buf_printf(&out, "usage: %s\n%s\n\nOptions (defaults in brackets):\n", command->synopsis,
	           command->text);
	settings_help(setup->settings, cli_is_in_help, command, &out);
	if (command->put_list)
		command->put_list(&out);
	if (command->more)
		buf_printf(&out, "\n%s", command->more);
	return cli_print_buf(&out, "the help");
}

static int print_config(const struct cli_setup *setup)
{
	struct buf out = {.max = MIB(16)};

	settings_print(setup->settings, &out);
	return cli_print_buf(&out, "the settings");
}

static enum status use_preset(struct cli_setup *setup, struct error *err)
{
	const char *name = setup->ui.preset;
	enum settings_origin origin =
		settings_origin_of(setup->settings, settings_find(setup->settings, "preset"));
	struct preset preset;
	enum status status;

	if (!name || !name[0])
		return STATUS_OK;
	status = preset_load(&preset, name, setup->settings, err);
	if (status && status != STATUS_NOMEM) /* it is no model that is missing or wrong */
		status = err->status = STATUS_USAGE;
	if (!status)
		status = preset_begin(&preset, setup->settings, origin, err);
	if (!status || origin == ORIGIN_FLAG || !setup->on_screen || setup->common.print_config)
		return status;
	warn(setup, err->text); /* a configuration that is wrong does not keep the chat from beginning */
	return STATUS_OK;
}

/* Commands that need none, if they are given something else. */
static bool may_do_without_model(const char *name)
{
	return words_have("info render", name, strlen(name));
}

static bool uses_model(const struct cli_command *command)
{
	return !command->acts || words_have(command->acts, "model", 5);
}

/* A published model by its name, where there is no file of that name: it becomes the path of the one on this machine. On
 * the chat's screen one that only the configuration names may be missing. */
static enum status find_model(struct cli_setup *setup, const struct cli_command *command, const char *name,
                              enum settings_origin origin, struct error *err)
{
	const char *model = setup->engine.model;
	struct buf path = {.max = KIB(64)};
	enum status status;

	if (!uses_model(command) || !backend_is_file(model, cli_backends))
		return STATUS_OK;
	status = stored_put_model(&path, model, err);
	if (!status) {
		status = settings_assign(setup->settings, "model", buf_text(&path), origin, err);
	} else if (status == STATUS_NOTFOUND && (may_do_without_model(name) || (setup->on_screen && origin != ORIGIN_FLAG))) {
		if (setup->on_screen)
			warn(setup, err->text);
		status = STATUS_OK;
	}
	buf_free(&path);
	return status;
}

/* cli_run_command's rules about the model. */
static enum status name_model(struct cli_setup *setup, const struct cli_command *command, const char *name,
                              struct error *err)
{
	const char *model = setup->engine.model;
	enum settings_origin origin =
		settings_origin_of(setup->settings, settings_find(setup->settings, "model"));
	bool is_guide = model && strcmp(model, CATALOG_GUIDE) == 0, is_there;
	enum status status = STATUS_OK;
	struct buf path = {.max = KIB(64)};

	if (model && model[0] && !is_guide)
		return find_model(setup, command, name, origin, err);
	if (model && !model[0])
		return settings_assign(setup->settings, "model", NULL, origin, err);
	is_there = !catalog_guide_path(&path, err);
	if (is_there || is_guide)
		status = settings_assign(setup->settings, "model", buf_text(&path), origin, err);
	buf_free(&path);
	return status;
}

/* Commands that want a model's file cannot ask a server. */
static enum status check_file(const struct cli_setup *setup, const struct cli_command *command,
                              const char *name, struct error *err)
{
	const char *acts = command->acts ? command->acts : "servers";

	if (!words_have(acts, "model", 5) || words_have(acts, "servers", 7) || !server_path_is(setup->engine.model) ||
	    (may_do_without_model(name) && !settings_is_from(setup->settings, "model", ORIGIN_FLAG)))
		return STATUS_OK;
	return error_set(err, STATUS_USAGE, "`sotto %.20s` takes the file of a model: %.200s is on a server", name,
	                 setup->engine.model);
}

int cli_find_word(int argc, char **argv)
{
	struct option_table tables[N_SHARED + N_COMMON];
	struct cli_setup setup = {0};
	int at = 0;

	list_tables(&setup, tables);
	if (settings_create(&setup.settings, tables, sizeof tables / sizeof tables[0], NULL) == 0)
		at = settings_find_word(setup.settings, argc, argv);
	settings_free(setup.settings);
	return at;
}

/* A configuration that is wrong does not keep the chat from beginning; what is right in it applies. */
static enum status read_config(struct cli_setup *setup, struct error *err)
{
	struct buf problems = {.max = MIB(1)};

	if (!setup->on_screen || setup->common.config || setup->common.print_config)
		return settings_read_file(setup->settings, setup->common.config, NULL, err);
	if (settings_read_file(setup->settings, NULL, &problems, err))
		warn(setup, err->text);
	if (problems.len) {
		warn(setup, buf_text(&problems));
		warn(setup, settings_has_said(setup->settings, ORIGIN_FILE)
				? "The other lines of the configuration apply."
				: "Nothing of the configuration applies.");
	}
	buf_free(&problems);
	return STATUS_OK;
}

/* Fills *setup. *rc is CLI_GO_ON, or the exit status where there is nothing more to do. */
static enum status set_up(struct cli_setup *setup, const struct cli_command *command, int argc,
                          char **argv, int *rc, struct error *err)
{
	struct option_table tables[N_SHARED + N_COMMON + 1];
	size_t n = N_SHARED + N_COMMON;
	/* `sotto -p hello`, `sotto --json models` */
	const char *hint = command->is_chat ? " in the chat; options of a command go after its "
	                                      "name, as in `sotto run -p TEXT`" : "";

	*setup = (struct cli_setup){
		.on_screen = command->is_chat && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
		.notice = {.max = MIB(1)},
		.own = alloc_array(1, command->own_size),
		.argv = alloc_array((size_t)argc, sizeof *argv)};
	if (!setup->own || !setup->argv)
		return error_no_memory(err, NULL);
	memcpy(setup->argv, argv, (size_t)argc * sizeof *argv);
	setup->words = setup->argv + 1;
	list_tables(setup, tables);
	if (command->own.n) {
		tables[n++] = tables[N_SHARED]; /* the common ones come last in --help */
		tables[N_SHARED] =
			(struct option_table){command->own.rows, command->own.n, setup->own};
	}
	if (settings_create(&setup->settings, tables, n, err))
		return err->status;
	if (argc > 1 && strcmp(argv[1], CLI_COMPLETE) == 0) {
		*rc = cli_complete(command, argv[0], setup->settings, argc - 2, argv + 2);
		return STATUS_OK;
	}
	/* The command line first: it may name the file, and it wins anyway. */
	if (settings_read_argv(setup->settings, argc, setup->argv, &setup->n_words, hint, err))
		return err->status;
	if (setup->common.help || setup->common.version) {
		static const char version[] = "sotto " PACKAGE_VERSION "\n";

		*rc = setup->common.help ? print_help(setup, command)
		                         : cli_print(version, sizeof version - 1);
		return STATUS_OK;
	}
	if (read_config(setup, err) || settings_read_environment(setup->settings, err))
		return err->status;
	warn_of_environment(setup);
	if (setup->common.print_config) {
		if (use_preset(setup, err))
			return err->status;
		*rc = print_config(setup);
		return STATUS_OK;
	}
	if (setup->n_words && !command->takes_words)
		return error_set(err, STATUS_USAGE, "`sotto %.20s` takes no words: '%.60s'",
		                 argv[0], setup->words[0]);
	warn_of_options(setup, command, argv[0]);
	if (use_preset(setup, err) || name_model(setup, command, argv[0], err))
		return err->status;
	if (!setup->on_screen && settings_is_from(setup->settings, "model", ORIGIN_FLAG) && checkpoint_model_find(setup, err))
		return err->status;
	return check_file(setup, command, argv[0], err);
}

/* Whether the command has a log: all that take all of the shared options do. */
static bool has_log(const struct cli_command *command)
{
	return !command->acts || words_have(command->acts, "log", 3);
}

/* On the chat's screen standard error is not seen: there the log is a file. One that is named by the configuration and
 * cannot be written does not keep the chat from beginning. */
static enum status open_log(struct cli_setup *setup, struct error *err)
{
	bool is_asked = setup->ui.log && setup->ui.log[0];
	struct buf path = {.max = KIB(64)};
	bool is_file = setup->on_screen && !sys_user_path(SYS_DIR_STATE, "/debug.log", &path, err);
	enum status status = log_create(&setup->log, is_file ? buf_text(&path) : NULL, err);

	if (!status)
		log_set_text(setup->log, setup->ui.log_text);
	if (!status && is_asked)
		status = log_use(setup->log, setup->ui.log, err);
	buf_free(&path);
	if (!status || !setup->log || !setup->on_screen || settings_is_from(setup->settings, "log", ORIGIN_FLAG))
		return status;
	warn(setup, err->text);
	return STATUS_OK;
}

static void setup_free(struct cli_setup *setup)
{
	log_free(setup->log);
	name_list_free(&setup->paths);
	settings_free(setup->settings);
	free(setup->own);
	free(setup->argv);
	buf_free(&setup->notice);
}

int cli_run_command(const struct cli_command *command, int argc, char **argv)
{
	struct cli_setup setup;
	struct error err;
	int rc = CLI_GO_ON;

	if (set_up(&setup, command, argc, argv, &rc, &err)) {
		rc = cli_fail(&err);
		if (command->fail)
			command->fail(argc, argv, &err, rc);
	} else if (rc == CLI_GO_ON && has_log(command) && open_log(&setup, &err)) {
		rc = cli_fail(&err);
		if (command->fail)
			command->fail(argc, argv, &err, rc);
	} else if (rc == CLI_GO_ON) {
		rc = command->run(&setup, setup.own);
	}
	setup_free(&setup);
	return rc;
}

enum status cli_word_model(struct cli_setup *setup, int i, struct error *err)
{
	struct buf path = {.max = KIB(64)};
	enum status status = stored_put_model(&path, setup->words[i], err);

	if (!status && !name_list_add(&setup->paths, buf_text(&path), path.len))
		status = error_no_memory(err, NULL);
	if (!status)
		setup->words[i] = setup->paths.items[setup->paths.n - 1];
	buf_free(&path);
	return status;
}

enum status cli_word_paths(struct cli_setup *setup, int n, struct error *err)
{
	enum status status = STATUS_OK;
	struct buf path = {.max = KIB(64)};

	for (int i = 0; i < n && i < setup->n_words && !status; i++) {
		buf_clear(&path);
		if (home_path_put(&path, setup->words[i]) ||
		    !name_list_add(&setup->paths, buf_text(&path), path.len))
			status = error_set(err, STATUS_USAGE, "the path '%.60s...' is too long", setup->words[i]);
		else
			setup->words[i] = setup->paths.items[i];
	}
	buf_free(&path);
	return status;
}
