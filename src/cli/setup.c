#include "cli/setup.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/words.h"
#include "cli/cli.h"
#include "models/catalog.h"

#define ROW(field) .offset = offsetof(struct common_params, field)

static const struct option common_options[] = {
	{"config", NULL, OPTION_STRING, ROW(config), .arg = "FILE",
	 .help = "read this instead of the user's config.yaml", .flags = OPTION_CLI_ONLY},
	{"print-config", NULL, OPTION_BOOL, ROW(print_config), .def = "no",
	 .help = "print all settings as a configuration file, and stop", .flags = OPTION_CLI_ONLY},
	{"help", "h", OPTION_BOOL, ROW(help), .def = "no", .help = "print this, and stop",
	 .flags = OPTION_CLI_ONLY},
	{"version", NULL, OPTION_BOOL, ROW(version), .def = "no",
	 .help = "print the version, and stop", .flags = OPTION_CLI_ONLY},
};

int cli_print(const char *text, size_t len)
{
	struct error err;

	if (fwrite(text, 1, len, stdout) == len && fflush(stdout) == 0)
		return 0;
	error_errno(&err, errno, "cannot write to standard output");
	return cli_fail(&err);
}

static bool is_of_all_commands(const struct option *option)
{
	const struct option *tables[] = {engine_options, sampler_options, ui_options};
	const size_t n[] = {engine_n_options, sampler_n_options, ui_n_options};

	for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
		for (size_t i = 0; i < n[t]; i++)
			if (&tables[t][i] == option)
				return true;
	return false;
}

static bool acts(const struct cli_usage *usage, const struct option *option, bool on_screen)
{
	if (!is_of_all_commands(option))
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
		cli_warn_unused(setup, "continue", "beside --resume");
	if (by_name || ui->resume_last)
		cli_warn_unused(setup, "system-prompt", "on a chat that has begun");
	else if (ui->prompt_template && ui->prompt_template[0])
		cli_warn_unused(setup, "system-prompt", "beside a template");
}

static void warn_of_options(struct cli_setup *setup, const struct cli_usage *usage,
                            const char *command)
{
	char where[64];

	snprintf(where, sizeof where, usage->is_chat ? "where standard input or output is no terminal"
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
	int rc;

	buf_init(&out, MIB(1));
	buf_printf(&out, "usage: %s\n%s\n\nOptions (defaults in brackets):\n", usage->synopsis,
	           usage->text);
	settings_help(setup->settings, is_in_help, usage, &out);
	if (usage->more)
		buf_printf(&out, "\n%s", usage->more);
	rc = cli_print(buf_text(&out), out.len);
	buf_free(&out);
	return rc;
}

static int print_config(const struct cli_setup *setup)
{
	struct error err;
	struct buf out;
	int rc;

	buf_init(&out, MIB(16));
	if (settings_print(setup->settings, &out)) {
		error_set(&err, buf_status(&out), "not enough memory for the settings");
		rc = cli_fail(&err);
	} else {
		rc = cli_print(buf_text(&out), out.len);
	}
	buf_free(&out);
	return rc;
}

/* No model named is the guide, where there is one; "guide" is, in any case; "" is none. */
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
	struct cli_setup setup = {0};
	const struct option_table tables[] = {
		{engine_options, engine_n_options, &setup.engine},
		{sampler_options, sampler_n_options, &setup.sampler},
		{ui_options, ui_n_options, &setup.ui},
		{common_options, sizeof common_options / sizeof common_options[0], &setup.common},
	};
	int at = 0;

	if (settings_create(&setup.settings, tables, sizeof tables / sizeof tables[0], NULL) == 0)
		at = settings_find_word(setup.settings, argc, argv);
	settings_free(setup.settings);
	return at;
}

int cli_setup(struct cli_setup *setup, const struct cli_usage *usage, int argc, char **argv)
{
	const struct option_table common = {
		common_options, sizeof common_options / sizeof common_options[0], &setup->common};
	struct option_table tables[5] = {
		{engine_options, engine_n_options, &setup->engine},
		{sampler_options, sampler_n_options, &setup->sampler},
		{ui_options, ui_n_options, &setup->ui},
	};
	/* `sotto -p hello`, `sotto --json models` */
	const char *hint = usage->is_chat ? " in the chat; those of a command go behind its name, as in "
	                                    "`sotto run -p TEXT`" : "";
	struct error err;
	size_t n = 3;

	*setup = (struct cli_setup){
		.on_screen = usage->is_chat && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)};
	buf_init(&setup->notice, MIB(1));
	if (usage->own)
		tables[n++] = *usage->own;
	tables[n++] = common;
	/* The command line first: it may name the file, and it wins anyway. */
	if (settings_create(&setup->settings, tables, n, &err))
		return cli_fail(&err);
	if (settings_read_argv(setup->settings, argc, argv, &setup->n_words, hint, &err))
		return cli_fail(&err);
	setup->words = argv + 1;
	if (setup->common.help)
		return print_help(setup, usage);
	if (setup->common.version)
		return cli_print("sotto " PACKAGE_VERSION "\n", strlen("sotto " PACKAGE_VERSION "\n"));
	if (settings_read_file(setup->settings, setup->common.config, &err)) {
		if (!usage->is_chat || setup->common.config || setup->common.print_config)
			return cli_fail(&err);
		setup->config_error = err;
		if (setup->on_screen)
			warn(setup, err.text);
	}
	if (settings_read_environment(setup->settings, &err))
		return cli_fail(&err);
	warn_of_environment(setup);
	if (setup->common.print_config)
		return print_config(setup);
	warn_of_options(setup, usage, argv[0]);
	return name_model(setup, &err) ? cli_fail(&err) : CLI_GO_ON;
}

void cli_setup_free(struct cli_setup *setup)
{
	settings_free(setup->settings);
	setup->settings = NULL;
	buf_free(&setup->notice);
}
