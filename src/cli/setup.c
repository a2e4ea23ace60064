#include "cli/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "base/words.h"
#include "catalog/catalog.h"
#include "cli/completions.h"
#include "cli/print.h"
#include "config/preset.h"
#include "engine/options.h"

#define ROW(field) .offset = offsetof(struct common_params, field)

static const struct option common_options[] = {
	{"config", NULL, OPTION_STRING, ROW(config), .arg = "FILE",
	 .help = "read this instead of the user's config.yaml",
	 .flags = OPTION_CLI_ONLY | OPTION_PATH},
	{"print-config", NULL, OPTION_BOOL, ROW(print_config), .def = "no",
	 .help = "print all settings as a configuration file, and stop", .flags = OPTION_CLI_ONLY},
	{"help", "h", OPTION_BOOL, ROW(help), .def = "no", .help = "print this, and stop",
	 .flags = OPTION_CLI_ONLY},
	{"version", NULL, OPTION_BOOL, ROW(version), .def = "no",
	 .help = "print the version, and stop", .flags = OPTION_CLI_ONLY},
};

enum { N_SHARED = 3, N_COMMON = 1 };

/* The shared options, which not every command uses (cli_usage.acts), then the common ones. */
static void list_tables(struct cli_setup *setup, struct option_table tables[N_SHARED + N_COMMON])
{
	tables[0] = (struct option_table){engine_options, engine_n_options, &setup->engine};
	tables[1] = (struct option_table){sampler_options, sampler_n_options, &setup->sampler};
	tables[2] = (struct option_table){ui_options, ui_n_options, &setup->ui};
	tables[3] = (struct option_table)OPTION_TABLE(common_options, &setup->common);
}

static bool is_shared(const struct option *option)
{
	struct option_table tables[N_SHARED + N_COMMON];

	list_tables(&(struct cli_setup){0}, tables);
	for (size_t t = 0; t < N_SHARED; t++)
		for (size_t i = 0; i < tables[t].n; i++)
			if (&tables[t].rows[i] == option)
				return true;
	return false;
}

static bool acts(const struct cli_usage *usage, const struct option *option, bool on_screen)
{
	if (!is_shared(option))
		return true;
	if (usage->acts)
		return words_have(usage->acts, option->name, strlen(option->name));
	return on_screen || !(option->flags & OPTION_CHAT);
}

static bool is_in_help(const void *usage, const struct option *option)
{
	return acts(usage, option, ((const struct cli_usage *)usage)->is_chat);
}

static void warn(struct cli_setup *setup, const char *text)
{
	if (setup->on_screen)
		buf_printf(&setup->notice, "%s%s", setup->notice.len ? "\n" : "", text);
	else
		cli_warn(text);
}

void cli_warn_unused(struct cli_setup *setup, const char *option, const char *where)
{
	const struct option *found = settings_find(setup->settings, option);
	char text[ERROR_TEXT_MAX];

	if (!found || settings_origin_of(setup->settings, found) != ORIGIN_FLAG)
		return;
	snprintf(text, sizeof text, "--%s has no effect %s", found->name, where);
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

static void warn_of_options(struct cli_setup *setup, const struct cli_usage *usage,
                            const char *command)
{
	char where[64];

	snprintf(where, sizeof where, usage->is_chat ? "where standard input or output is not a terminal"
	                                             : "on `sotto %.20s`", command);
	for (size_t i = 0; i < settings_n(setup->settings); i++) {
		const struct option *option = settings_option(setup->settings, i);

		if (!acts(usage, option, setup->on_screen))
			cli_warn_unused(setup, option->name, where);
	}
}

static void warn_of_environment(struct cli_setup *setup)
{
	struct buf lines;

	buf_init(&lines, MIB(1));
	if (settings_check_environment(setup->settings, environ, &lines) == STATUS_OK)
		for (char *line = lines.data, *end; line && (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			warn(setup, line);
		}
	buf_free(&lines);
}

static int print_help(const struct cli_setup *setup, const struct cli_usage *usage)
{
	struct buf out;

	buf_init(&out, MIB(1));
	buf_printf(&out, "usage: %s\n%s\n\nOptions (defaults in brackets):\n", usage->synopsis,
	           usage->text);
	settings_help(setup->settings, is_in_help, usage, &out);
	if (usage->more)
		buf_printf(&out, "\n%s", usage->more);
	return cli_print_buf(&out, "the help");
}

static int print_config(const struct cli_setup *setup)
{
	struct buf out;

	buf_init(&out, MIB(16));
	settings_print(setup->settings, &out);
	return cli_print_buf(&out, "the settings");
}

static enum status use_preset(struct cli_setup *setup, struct error *err)
{
	const char *name = setup->ui.preset;
	const struct option *option = settings_find(setup->settings, "preset");
	struct preset preset;
	enum settings_origin origin;
	enum status status;

	if (!option || !name || !name[0])
		return STATUS_OK;
	origin = settings_origin_of(setup->settings, option);
	status = preset_load(&preset, name, setup->settings, err);
	if (status && status != STATUS_NOMEM) /* it is no model that is missing or wrong */
		status = err->status = STATUS_USAGE;
	if (!status)
		status = preset_begin(&preset, setup->settings, origin, err);
	if (!status || origin == ORIGIN_FLAG || !setup->on_screen)
		return status;
	warn(setup, err->text); /* a configuration that is wrong does not keep the chat from beginning */
	return STATUS_OK;
}

/* cli_setup's rules about the model. */
static enum status name_model(struct cli_setup *setup, struct error *err)
{
	const char *model = setup->engine.model;
	const struct option *option = settings_find(setup->settings, "model");
	bool is_guide = model && strcmp(model, CATALOG_GUIDE) == 0, is_there;
	enum status status = STATUS_OK;
	enum settings_origin origin;
	struct buf path;

	if (!option || (model && model[0] && !is_guide))
		return STATUS_OK;
	origin = settings_origin_of(setup->settings, option);
	if (model && !model[0])
		return settings_assign(setup->settings, "model", NULL, origin, err);
	buf_init(&path, KIB(64));
	is_there = !catalog_guide_path(&path, err);
	if (is_there || is_guide)
		status = settings_assign(setup->settings, "model", buf_text(&path), origin, err);
	buf_free(&path);
	return status;
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
	struct buf problems;

	if (!setup->on_screen || setup->common.config || setup->common.print_config)
		return settings_read_file(setup->settings, setup->common.config, err);
	buf_init(&problems, MIB(1));
	if (settings_read_good_lines(setup->settings, NULL, &problems, err))
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

static int fail(struct cli_setup *setup, const struct error *err)
{
	setup->error = *err;
	return cli_fail(err);
}

int cli_setup(struct cli_setup *setup, const struct cli_usage *usage, int argc, char **argv)
{
	struct option_table tables[N_SHARED + N_COMMON + 1];
	size_t n = N_SHARED + N_COMMON;
	/* `sotto -p hello`, `sotto --json models` */
	const char *hint = usage->is_chat ? " in the chat; options of a command go after its name, as in "
	                                    "`sotto run -p TEXT`" : "";
	struct error err;

	*setup = (struct cli_setup){
		.on_screen = usage->is_chat && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)};
	buf_init(&setup->notice, MIB(1));
	list_tables(setup, tables);
	if (usage->own) {
		tables[n++] = tables[N_SHARED]; /* the common ones come last in --help */
		tables[N_SHARED] = *usage->own;
	}
	/* The command line first: it may name the file, and it wins anyway. */
	if (settings_create(&setup->settings, tables, n, &err))
		return fail(setup, &err);
	if (argc > 1 && strcmp(argv[1], CLI_COMPLETE) == 0)
		return cli_complete(&(struct cli_completed){
			.command = argv[0], .settings = setup->settings, .has = is_in_help, .usage = usage,
			.is_chat = usage->is_chat, .takes_words = usage->takes_words}, argc - 2, argv + 2);
	if (settings_read_argv(setup->settings, argc, argv, &setup->n_words, hint, &err))
		return fail(setup, &err);
	setup->words = argv + 1;
	if (setup->common.help)
		return print_help(setup, usage);
	if (setup->common.version)
		return cli_print("sotto " PACKAGE_VERSION "\n", strlen("sotto " PACKAGE_VERSION "\n"));
	if (read_config(setup, &err))
		return fail(setup, &err);
	if (settings_read_environment(setup->settings, &err))
		return fail(setup, &err);
	warn_of_environment(setup);
	if (setup->common.print_config)
		return print_config(setup);
	if (setup->n_words && !usage->takes_words) {
		error_set(&err, STATUS_USAGE, "`sotto %.20s` takes no words: '%.60s'", argv[0],
		          setup->words[0]);
		return fail(setup, &err);
	}
	warn_of_options(setup, usage, argv[0]);
	if (use_preset(setup, &err) || name_model(setup, &err))
		return fail(setup, &err);
	return CLI_GO_ON;
}

enum status cli_word_paths(struct cli_setup *setup, int n, struct error *err)
{
	enum status status = STATUS_OK;
	struct buf path;

	setup->paths = alloc_array((size_t)n + 1, sizeof *setup->paths);
	if (!setup->paths)
		return error_no_memory(err, NULL);
	for (int i = 0; i < n && i < setup->n_words && !status; i++) {
		buf_init(&path, KIB(64));
		if (home_path_put(&path, setup->words[i]) == STATUS_OK)
			setup->paths[i] = alloc_strndup(buf_text(&path), path.len);
		if (!setup->paths[i])
			status = error_set(err, STATUS_USAGE, "the path '%.60s...' is too long", setup->words[i]);
		else
			setup->words[i] = setup->paths[i];
		buf_free(&path);
	}
	return status;
}

void cli_setup_free(struct cli_setup *setup)
{
	for (char **path = setup->paths; path && *path; path++)
		free(*path);
	free(setup->paths);
	setup->paths = NULL;
	settings_free(setup->settings);
	setup->settings = NULL;
	buf_free(&setup->notice);
}
