/* sotto convert: a model as its laboratory publishes it becomes a GGUF file. */
#include <string.h>

#include "base/sys.h"
#include "cli/converting.h"
#include "cli/print.h"
#include "cli/setup.h"
#include "cli/subcommands.h"
#include "cli/type_word.h"

struct convert_params {
	bool dry_run;
};

static const struct option convert_options[] = {
	{"dry-run", NULL, OPTION_BOOL, CLI_ROW(convert_params, dry_run, 0), .def = "no",
	 .help = "print the type that each tensor would get, and write nothing"},
};

static enum status read_words(const struct cli_setup *setup, const struct recipe **recipe, struct error *err)
{
	*recipe = NULL;
	if (setup->n_words < 2 || setup->n_words > 3)
		return error_set(err, STATUS_USAGE, "a folder and a file are needed: sotto convert DIR OUT.gguf [TYPE]");
	if (setup->n_words == 2 && recipe_find(setup->words[1]))
		return error_set(err, STATUS_USAGE, "the file to write goes before the type: sotto convert DIR OUT.gguf %s",
		                 setup->words[1]);
	return setup->n_words == 3 ? type_word_read(setup->words[2], recipe, err) : STATUS_OK;
}

/* What `sotto pull --safetensors` has fetched goes by its name, too. */
static enum status find_folder(struct cli_setup *setup, struct error *err)
{
	static const char tag[] = ":safetensors";
	size_t len = strlen(setup->words[0]), n = strlen(tag);

	return len > n && strcmp(setup->words[0] + len - n, tag) == 0 ? cli_word_model(setup, 0, err) : STATUS_OK;
}

static void put_types(struct buf *out)
{
	buf_puts(out, "\nTypes; without one the weights keep their 16 bits, and what has 32 gets F16:\n");
	type_word_put_all(out);
}

static int run(struct cli_setup *setup, void *own)
{
	const struct convert_params *params = own;
	struct converting converting = {.dry_run = params->dry_run};
	int n_threads = setup->engine.n_threads > 0 ? setup->engine.n_threads : sys_cpu_count();
	struct error err;

	if (read_words(setup, &converting.recipe, &err) || cli_word_paths(setup, 2, &err))
		return cli_fail(&err);
	if (find_folder(setup, &err))
		return cli_fail_model(&err);
	converting.folder = setup->words[0];
	converting.out = setup->words[1];
	converting.n_threads = (size_t)n_threads;
	return converting_run(&converting);
}

const struct cli_command cli_convert = {
	.synopsis = "sotto convert [OPTION]... DIR OUT.gguf [TYPE]",
	.text = "Makes a GGUF file of a model as its laboratory publishes it: the folder DIR with files\n"
	        "model*.safetensors, config.json and tokenizer.json or tokenizer.model, or the name that\n"
	        "`sotto pull` has fetched it by, OWNER/REPO:safetensors. With TYPE the weights are\n"
	        "quantised on the way; of experts in MXFP4 (gpt-oss) the bytes are kept. An existing\n"
	        "OUT.gguf is replaced when the new file is complete and has been tried; until then that\n"
	        "one is named OUT.gguf.*.part.",
	CLI_OWN(convert_options, convert_params),
	.takes_words = true,
	.put_list = put_types,
	.more = "Exit status: 0 done, 1 failure, 2 bad command line or configuration, 3 the folder is\n"
	        "missing, unsupported or corrupt, 130 interrupted.\n",
	.acts = "threads",
	.run = run,
};
