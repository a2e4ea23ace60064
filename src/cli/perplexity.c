/* sotto perplexity: how surprised a model is by a text. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/limits.h"
#include "catalog/describe.h"
#include "cli/bar.h"
#include "cli/compare_text.h"
#include "cli/evaluate.h"
#include "cli/print.h"
#include "cli/setup.h"
#include "cli/stop.h"
#include "cli/subcommands.h"
#include "compare/run.h"

struct perplexity_params {
	struct text_params text;
	bool json, csv;
};

#define ROW(field, more_flags) CLI_ROW(perplexity_params, field, more_flags)

static const struct option perplexity_options[] = {
	TEXT_OPTIONS(perplexity_params),
	{"json", NULL, OPTION_BOOL, ROW(json, 0), .def = "no", .help = "print a JSON object"},
	{"csv", NULL, OPTION_BOOL, ROW(csv, 0), .def = "no", .help = "print a line for each window"},
};

struct perplexity {
	const struct perplexity_params *own;
	struct cli_setup *setup;
	struct engine_params params; /* strings are the setup's */
	struct text_model model;
	struct evaluation evaluation;
	struct compared_text text;
	size_t window;               /* tokens of each; 0: not cut in windows */
	struct moments *windows;     /* owned, [text.n_windows]: of all up to each */
	struct moments all;
};

static enum status open_text(struct perplexity *p, struct error *err)
{
	enum status status = text_model_open(&p->model, &p->params, err);

	p->window = p->params.n_ctx > 0 ? (size_t)p->params.n_ctx : WINDOW_USUAL;
	if (!status)
		status = text_read(&p->text, &p->own->text, p->setup, &p->model, p->window, err);
	if (status)
		return status;
	if (text_is_chats(&p->own->text, p->setup) || !text_has_windows(p->text.n, p->window))
		p->window = 0;
	p->windows = alloc_array(p->text.n_windows, sizeof *p->windows);
	return p->windows ? STATUS_OK : error_no_memory(err, NULL);
}

static void note_window(void *ctx, size_t index, const struct moments *surprise)
{
	struct perplexity *p = ctx;

	p->windows[index] = *surprise;
}

static enum status read_all(struct perplexity *p, struct error *err)
{
	struct bar bar = bar_begin();
	const struct compare_run run = {.text = &p->text, .progress = bar_progress, .progress_ctx = &bar};
	const struct logits_source source =
		source_of_session(p->evaluation.session, model_plan(p->evaluation.model)->n_vocab);
	enum status status;

	bar.name = "reading";
	stop_catch_signals();
	session_set_progress(p->evaluation.session, stop_go_on, NULL);
	status = perplexity_run(&run, &source, note_window, p, &p->all, err);
	bar_end(&bar);
	if (!status && !p->all.n)
		return error_set(err, STATUS_USAGE, "the text is too short: no token follows another");
	return status;
}

/* ---- what comes of it ---- */

static void put_text(const struct perplexity *p, struct buf *out)
{
	buf_printf(out, "perplexity   %.4f", perplexity_of(&p->all));
	if (perplexity_error(&p->all) > 0)
		buf_printf(out, " ± %.5f", perplexity_error(&p->all));
	buf_puts(out, "\nover         ");
	if (p->window)
		buf_printf(out, "%zu windows of %zu tokens, the second half of each: ", p->text.n_windows, p->window);
	else if (text_is_chats(&p->own->text, p->setup))
		buf_puts(out, "what the replies say: ");
	else
		buf_puts(out, "all of the text: ");
	buf_printf(out, "%zu token%s\n", p->all.n, p->all.n == 1 ? "" : "s");
	if (!p->window && !text_is_chats(&p->own->text, p->setup))
		buf_puts(out, "             less than two windows: other programs' figures are no comparison\n");
}

static void put_csv(const struct perplexity *p, struct buf *out)
{
	buf_puts(out, "window,tokens,perplexity,error\n");
	for (size_t i = 0; i < p->text.n_windows; i++)
		buf_printf(out, "%zu,%zu,%.9g,%.9g\n", i, p->windows[i].n, perplexity_of(&p->windows[i]),
		           perplexity_error(&p->windows[i]));
}

static void put_json(const struct perplexity *p, struct buf *out)
{
	struct json_writer json = {.out = out};

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "model", text_file_name(p->params.model));
	json_put_string(&json, "type", describe_type(p->model.gguf));
	json_put_real(&json, "perplexity", perplexity_of(&p->all));
	json_put_real(&json, "error", perplexity_error(&p->all));
	json_put_number(&json, "tokens", "%zu", p->all.n);
	json_put_number(&json, "window", "%zu", p->window);
	json_put_begin(&json, "windows", '[');
	for (size_t i = 0; i < p->text.n_windows; i++)
		json_put_real(&json, NULL, perplexity_of(&p->windows[i]));
	json_put_end(&json, ']');
	json_put_end(&json, '}');
	buf_putc(out, '\n');
}

static int print(const struct perplexity *p)
{
	struct buf out = {.max = MIB(256)};

	(p->own->json ? put_json : p->own->csv ? put_csv : put_text)(p, &out);
	return cli_print_buf(&out, "the figures");
}

static int perplexity(struct perplexity *p)
{
	struct error err;
	int rc;

	if (p->own->json && p->own->csv)
		return cli_fail_with(STATUS_USAGE, "give --json or --csv, not both");
	if (text_check(&p->own->text, p->setup, &err))
		return cli_fail(&err);
	if (open_text(p, &err))
		return cli_fail_model(&err);
	p->params.n_ctx = (int32_t)text_longest(&p->text);
	rc = evaluation_open(&p->evaluation, &p->params);
	if (rc)
		return rc;
	if (read_all(p, &err))
		return stop_or_fail(&err);
	return print(p);
}

static int run(struct cli_setup *setup, void *own)
{
	struct perplexity p = {.own = own, .setup = setup, .params = setup->engine};
	int rc = perplexity(&p);

	evaluation_close(&p.evaluation);
	text_model_close(&p.model);
	text_free(&p.text);
	free(p.windows);
	return rc;
}

const struct cli_command cli_perplexity = {
	.synopsis = "sotto perplexity -m MODEL (-f FILE | -p TEXT | --ids IDS | --chats N | CHAT...) [OPTION]...",
	.text = "Prints how surprised a model is by a text: its perplexity, among how many equally likely\n"
	        "tokens it would have had to guess each next one, and how far that may be off by chance. The\n"
	        "text is cut in windows of -c N tokens (default 512), each of which begins with the BOS\n"
	        "token if the model has one and of which the second half counts, as in llama-perplexity: the\n"
	        "figures can be held side by side. A text of less than two windows is taken as a whole. Of\n"
	        "saved chats, the last N or some by id, title or path, what the replies say counts.",
	CLI_OWN(perplexity_options, perplexity_params),
	.takes_words = true,
	.more = "Exit status: 0 done, 1 failure, 2 bad command line, 3 model missing, unsupported or\n"
	        "corrupt.\n",
	.acts = EVALUATION_ACTS " chat-template chat-template-kwargs",
	.run = run,
};
