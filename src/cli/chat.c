/* sotto: the chat. If input or output is not a terminal it never draws: standard
 * input is then one prompt, and the reply goes to standard output. */
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/nearest.h"
#include "base/text_ends.h"
#include "cli/backends.h"
#include "cli/checkpoint_model.h"
#include "cli/input.h"
#include "cli/print.h"
#include "cli/reply.h"
#include "cli/setup.h"
#include "cli/subcommands.h"
#include "cli/trial.h"
#include "engine/backend.h"
#include "ui/app.h"

/* The subcommand that a mistyped word most likely means; NULL: none. */
static const char *nearest_subcommand(const char *word)
{
	struct nearest nearest;

	nearest_init(&nearest, word, strlen(word));
	for (size_t i = 0; i < cli_n_subcommands; i++)
		nearest_offer(&nearest, cli_subcommands[i].name);
	return nearest_best(&nearest);
}

static enum status check_words(const struct cli_setup *setup, struct error *err)
{
	const char *nearest;

	if (setup->n_words == 0)
		return STATUS_OK;
	if (text_has_extension(setup->words[0], ".gguf"))
		return error_set(err, STATUS_USAGE, "a model's file goes after -m: sotto -m %s", setup->words[0]);
	if (settings_find(setup->settings, setup->words[0])) /* `sotto help` */
		return error_set(err, STATUS_USAGE, "there is no command '%.60s', did you mean '--%.60s'?",
		                 setup->words[0], setup->words[0]);
	nearest = nearest_subcommand(setup->words[0]);
	if (nearest && strcmp(nearest, setup->words[0]) == 0)
		return error_set(err, STATUS_USAGE, "'%s' is not a command after '--'", nearest);
	if (nearest)
		return error_set(err, STATUS_USAGE, "there is no command '%.60s', did you mean '%s'?",
		                 setup->words[0], nearest);
	return error_set(err, STATUS_USAGE,
	                 "there is no command '%.60s'; a prompt goes after `sotto run`",
	                 setup->words[0]);
}

static int chat_without_terminal(struct cli_setup *setup)
{
	struct buf prompt = {.max = LIMIT_MESSAGE};
	struct error err;
	enum status status;
	int rc;

	if (isatty(STDIN_FILENO))
		status = error_set(&err, STATUS_USAGE,
		                   "standard output is not a terminal; use `sotto run -p TEXT`");
	else
		status = input_read_stdin(&prompt, &err);
	if (!status)
		status = input_as_text(&prompt, "standard input", &err);
	if (!status && prompt.len == 0)
		status = error_set(&err, STATUS_USAGE, "there is no prompt: standard input is empty");
	rc = status ? cli_fail(&err) : reply_print(setup, &prompt, &(struct reply_options){0});
	buf_free(&prompt);
	return rc;
}

/* A model that the command line names must be there. As far as the file's header tells, that is
 * checked before the screen opens. */
static enum status check_model(const struct cli_setup *setup, struct error *err)
{
	const char *model = setup->engine.model;

	if (!settings_is_from(setup->settings, "model", ORIGIN_FLAG) || !model || !model[0])
		return STATUS_OK;
	return backend_check(&setup->engine, cli_backends, err);
}

static int chat_on_screen(struct cli_setup *setup)
{
	struct app_config config = {
		.settings = setup->settings,
		.sampler = &setup->sampler,
		.engine = &setup->engine,
		.ui = &setup->ui,
		.backends = cli_backends,
		.try_model = trial_model,
		.log = setup->log,
	};
	struct error err;
	int rc = checkpoint_model_offer(setup);

	if (rc)
		return rc;
	if (check_model(setup, &err))
		return cli_fail_model(&err);
	cli_warn_unused_of_chat(setup);
	if (setup->ui.accessible)
		cli_warn_unused(setup, "inline", "together with --accessible");
	config.notice = setup->notice.len ? buf_text(&setup->notice) : NULL;
	if (!app_run(&config, &rc, &err))
		return rc;
	return cli_fail_usage(&err); /* it is not a model that is missing */
}

static int chat(struct cli_setup *setup, void *own)
{
	struct error err;

	(void)own;
	if (check_words(setup, &err))
		return cli_fail(&err);
	return setup->on_screen ? chat_on_screen(setup) : chat_without_terminal(setup);
}

static void put_subcommands(struct buf *out)
{
	buf_puts(out, "\nCommands (sotto COMMAND --help tells more):\n");
	for (size_t i = 0; i < cli_n_subcommands; i++)
		buf_printf(out, "  %-12s %s\n", cli_subcommands[i].name, cli_subcommands[i].help);
}

const struct cli_command cli_chat = {
	.synopsis = "sotto [OPTION]...\n       sotto COMMAND [OPTION]...",
	.text = "A chat in the terminal with a language model on this machine, or on a server.",
	.put_list = put_subcommands,
	.is_chat = true,
	.takes_words = true,
	.run = chat,
};
