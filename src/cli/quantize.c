/* sotto quantize: writes a model file with fewer bits per weight. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/sanitize.h"
#include "base/sys.h"
#include "catalog/beside.h"
#include "cli/bar.h"
#include "cli/print.h"
#include "cli/setup.h"
#include "cli/stop.h"
#include "cli/subcommands.h"
#include "cli/type_word.h"
#include "quantize/quantize.h"

struct quantize_params {
	bool pure, requantize, dry_run;
};

#define ROW(field, more_flags) CLI_ROW(quantize_params, field, more_flags)

static const struct option quantize_options[] = {
	{"pure", NULL, OPTION_BOOL, ROW(pure, 0), .def = "no",
	 .help = "use the same type for all tensors that are quantised, no mixture"},
	{"allow-requantize", NULL, OPTION_BOOL, ROW(requantize, 0), .def = "no",
	 .help = "quantise even quantised tensors, which loses more than starting from the "
	         "original"},
	{"dry-run", NULL, OPTION_BOOL, ROW(dry_run, 0), .def = "no",
	 .help = "print the type that each tensor would get, and write nothing"},
};

static bool on_progress(void *ctx, uint64_t done, uint64_t weights,
                        const struct gguf_tensor *tensor)
{
	bar_show(ctx, done, weights, tensor->name.data, tensor->name.len);
	return stop_signal() == 0;
}

static int print_plan(const struct gguf *gguf, const struct quantize_plan *plan)
{
	struct buf out = {.max = MIB(64)};

	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);

		buf_printf(&out, "%-7s -> %-7s ", block_info(tensor->type)->name,
		           block_info(plan->types[i])->name);
		sanitize_line(&out, tensor->name.data, tensor->name.len);
		buf_putc(&out, '\n');
	}
	return cli_print_buf(&out, "the plan");
}

static int print_summary(const char *path, const struct recipe *recipe,
                         const struct quantize_plan *plan)
{
	struct buf out = {.max = MIB(1)};

	sanitize_line(&out, path, strlen(path));
	buf_printf(&out, ": %s, %.1f MiB of weights (were %.1f), %.2f bits each\n", recipe->name,
	           (double)plan->n_bytes / (double)MIB(1), (double)plan->n_bytes_before / (double)MIB(1),
	           8 * (double)plan->n_bytes / (double)plan->n_weights);
	return cli_print_buf(&out, "the summary");
}

static void tell(const struct quantize_plan *plan)
{
	if (plan->n_requantized)
		cli_note("%zu tensor%s already quantised: expect more loss than from the original",
		         plan->n_requantized, plan->n_requantized == 1 ? " is" : "s are");
	if (plan->n_fallbacks)
		cli_note("%zu tensor%s rows that are not whole blocks: they get a type with "
		         "smaller ones", plan->n_fallbacks, plan->n_fallbacks == 1 ? " has" : "s have");
}

static int save(const struct gguf *gguf, const struct quantize_plan *plan, struct quantize_job *job,
                const char *path, size_t n_threads)
{
	struct bar bar = bar_begin();
	struct threadpool *pool;
	struct error err;
	enum status status;

	stop_catch_signals();
	job->progress = on_progress;
	job->ctx = &bar;
	if (threadpool_create(&pool, n_threads, &err))
		return cli_fail(&err);
	status = quantize_save(plan, job, gguf, path, pool, &io_system, &err);
	threadpool_free(pool);
	bar_end(&bar);
	if (status == STATUS_CANCELLED && stop_signal())
		return 128 + stop_signal();
	return status ? cli_fail(&err) : print_summary(path, job->recipe, plan);
}

/* The file of a model, which a manifest of ollama's only names. */
static enum status open_model(struct gguf **out, const char *path, struct error *err)
{
	struct buf file = {.max = PATH_MAX};
	enum status status = beside_model_path(&file, path, err);

	if (!status)
		status = gguf_open(out, buf_text(&file), err);
	buf_free(&file);
	return status;
}

static int quantize(char **words, struct quantize_job *job, bool dry_run, size_t n_threads)
{
	struct quantize_plan plan = {0};
	struct gguf *gguf;
	struct error err;
	int rc;

	if (open_model(&gguf, words[0], &err))
		return cli_fail_model(&err);
	if (quantize_plan_init(&plan, job, gguf, &err)) {
		error_prefix(&err, "%s", words[0]);
		rc = cli_fail_model(&err);
	} else if (dry_run) {
		rc = print_plan(gguf, &plan);
	} else {
		tell(&plan);
		rc = save(gguf, &plan, job, words[1], n_threads);
	}
	quantize_plan_deinit(&plan);
	gguf_close(gguf);
	return rc;
}

static enum status read_words(const struct cli_setup *setup, const struct recipe **recipe,
                              struct error *err)
{
	if (setup->n_words != 3)
		return error_set(err, STATUS_USAGE,
		                 "two files and a type are needed: sotto quantize IN OUT TYPE");
	return type_word_read(setup->words[2], recipe, err);
}

static void put_types(struct buf *out)
{
	buf_puts(out, "\nTypes, and how many bits a weight takes in most models:\n");
	type_word_put_all(out);
}

static int run(struct cli_setup *setup, void *own)
{
	const struct quantize_params *params = own;
	struct quantize_job job = {.pure = params->pure, .requantize = params->requantize};
	int n_threads = setup->engine.n_threads > 0 ? setup->engine.n_threads : sys_cpu_count();
	struct error err;

	if (read_words(setup, &job.recipe, &err) || cli_word_paths(setup, 2, &err))
		return cli_fail(&err);
	if (cli_word_model(setup, 0, &err))
		return cli_fail_model(&err);
	return quantize(setup->words, &job, params->dry_run, (size_t)n_threads);
}

const struct cli_command cli_quantize = {
	.synopsis = "sotto quantize [OPTION]... IN OUT TYPE",
	.text = "Writes the model file IN as OUT, with fewer bits per weight. Most tensors get TYPE;\n"
	        "those that matter more get a better one. An existing OUT is replaced when the new\n"
	        "file is complete; until then that one is named OUT.*.part.",
	CLI_OWN(quantize_options, quantize_params),
	.takes_words = true,
	.put_list = put_types,
	.more = "Exit status: 0 done, 1 failure, 2 bad command line or configuration, 3 model\n"
	        "missing, unsupported or corrupt, 130 interrupted.\n",
	.acts = "threads",
	.run = run,
};
