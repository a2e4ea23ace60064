/* sotto compare: how far a model is from another one over a text. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/server_path.h"
#include "catalog/describe.h"
#include "cli/bar.h"
#include "cli/compare_result.h"
#include "cli/compare_served.h"
#include "cli/compare_text.h"
#include "cli/evaluate.h"
#include "cli/print.h"
#include "cli/setup.h"
#include "cli/stop.h"
#include "cli/subcommands.h"
#include "compare/layers.h"
#include "compare/run.h"
#include "compare/source_file.h"
#include "pull/stored.h"

enum { LAYERS_HELD = 32, MAX_OUTPUT_MIB = 1024 };

struct compare_params {
	struct text_params text;
	char *reference, *server; /* owned */
	bool layers, json, csv;
};

#define ROW(field, more_flags) CLI_ROW(compare_params, field, more_flags)

static const struct option compare_options[] = {
	TEXT_OPTIONS(compare_params),
	{"reference", NULL, OPTION_STRING, ROW(reference, OPTION_PATH), .arg = "FILE",
	 .help = "logits to compare with: a file of `sotto logits`, or of llama-perplexity --kl-divergence-base"},
	{"server", NULL, OPTION_STRING, ROW(server, 0), .arg = "NAME",
	 .help = "a server of servers.yaml, or NAME/MODEL: the text is a question, and its reply's candidates are compared"},
	{"layers", NULL, OPTION_BOOL, ROW(layers, 0), .def = "no",
	 .help = "also how far apart the residual streams are behind each layer"},
	{"json", NULL, OPTION_BOOL, ROW(json, 0), .def = "no", .help = "print a JSON object"},
	{"csv", NULL, OPTION_BOOL, ROW(csv, 0), .def = "no",
	 .help = "print a line for each place, or with --layers for each layer"},
};

struct side {
	struct engine_params params; /* strings are the setup's, or `path`'s */
	struct buf path;
	struct text_model model;
	struct evaluation evaluation;
};

struct compare {
	const struct compare_params *own;
	struct cli_setup *setup;
	struct side sides[N_SIDES]; /* the reference's is empty where that is a file */
	struct source_file file;
	struct logits_source sources[N_SIDES];
	struct compared_text text;
	size_t window;
	struct layers layers;
	struct comparison comparison;
	struct comparison_summary summary;
};

/* ---- what is asked for ---- */

/* -m A -m B: the second is the reference, and the settings' model. */
static enum status name_models(struct compare *c, struct error *err)
{
	size_t n;
	const char *first = settings_flag_before(c->setup->settings, "model", &n);
	enum status status;

	for (size_t side = 0; side < N_SIDES; side++)
		c->sides[side].params = c->setup->engine;
	if (n > 2)
		return error_set(err, STATUS_USAGE, "two models can be compared, not %zu", n);
	if (!n || (n < 2 && !c->own->reference && !c->own->server))
		return error_set(err, STATUS_USAGE, "two models are needed: -m MODEL -m REFERENCE, or -m MODEL with --reference "
		                 "FILE or --server NAME");
	if (n - 1 + (c->own->reference != NULL) + (c->own->server != NULL) > 1)
		return error_set(err, STATUS_USAGE, "one reference only: -m REFERENCE, --reference FILE or --server NAME");
	if (server_path_is(c->setup->engine.model) || server_path_is(first))
		return error_set(err, STATUS_USAGE, "`sotto compare` takes the files of models: for what a server tells of its "
		                 "tokens there is --server NAME");
	if (n < 2)
		return STATUS_OK;
	c->sides[SIDE_JUDGED].path.max = KIB(64);
	status = stored_put_model(&c->sides[SIDE_JUDGED].path, first, err);
	if (!status)
		c->sides[SIDE_JUDGED].params.model = c->sides[SIDE_JUDGED].path.data;
	return status;
}

static enum status check(struct compare *c, struct error *err)
{
	bool has_text = c->own->reference && source_file_is_llama(c->own->reference);
	const struct text_params *text = &c->own->text;

	if (c->own->json && c->own->csv)
		return error_set(err, STATUS_USAGE, "give --json or --csv, not both");
	if (c->own->layers && (c->own->reference || c->own->server))
		return error_set(err, STATUS_USAGE, c->own->reference ? "--layers needs two models: a file has only logits"
		                                                      : "--layers needs two models: a server tells nothing of "
		                                                        "its layers");
	if (has_text && (text_input_is_given(&text->input) || text_is_chats(text, c->setup)))
		return error_set(err, STATUS_USAGE, "%s says itself which text it is about: give no other",
		                 c->own->reference);
	if (!has_text && text_check(text, c->setup, err))
		return err->status;
	return name_models(c, err);
}

/* ---- opening ---- */

static bool has_two(const struct compare *c)
{
	return !c->own->reference;
}

/* Vocabularies, and the text; weights are opened when both are known to be right. */
static enum status open_text(struct compare *c, struct error *err)
{
	struct side *judged = &c->sides[SIDE_JUDGED], *reference = &c->sides[SIDE_REFERENCE];
	size_t n_ctx = (size_t)c->setup->engine.n_ctx;
	enum status status = text_model_open(&judged->model, &judged->params, err);

	if (!status && has_two(c))
		status = text_model_open(&reference->model, &reference->params, err);
	if (!status && has_two(c))
		status = text_models_agree(&judged->model, &reference->model, err);
	if (status || (!has_two(c) && source_file_is_llama(c->own->reference)))
		return status;
	/* The rows of a file are of one text that was not cut. */
	c->window = has_two(c) ? n_ctx ? n_ctx : WINDOW_USUAL : 0;
	status = text_read(&c->text, &c->own->text, c->setup, &judged->model, c->window, err);
	if (text_is_chats(&c->own->text, c->setup) || !text_has_windows(c->text.n, c->window))
		c->window = 0;
	return status;
}

static int open_model(struct side *side, const struct compared_text *text)
{
	side->params.n_ctx = (int32_t)text_longest(text);
	return evaluation_open(&side->evaluation, &side->params);
}

/* A file of llama-perplexity has the text, too, which is then not here yet. */
static enum status open_file(struct compare *c, struct error *err)
{
	const struct text_model *model = &c->sides[SIDE_JUDGED].model;
	struct logits_source *source = &c->sources[SIDE_REFERENCE];
	size_t n_vocab = tokenizer_n_vocab(model->tokenizer);
	enum status status;

	if (c->text.n)
		return source_file_open_rows(&c->file, c->own->reference, n_vocab, c->text.n, source, err);
	status = source_file_open_llama(&c->file, c->own->reference, n_vocab, text_bos(model), &c->text, source, err);
	if (!status)
		c->window = c->text.windows[0].n;
	return status;
}

static void watch(struct compare *c, enum compared_side side)
{
	struct evaluation *evaluation = &c->sides[side].evaluation;

	session_set_progress(evaluation->session, stop_go_on, NULL);
	c->sources[side] = source_of_session(evaluation->session, model_plan(evaluation->model)->n_vocab);
}

static int open_sources(struct compare *c)
{
	struct error err;
	int rc;

	if (!has_two(c) && open_file(c, &err))
		return cli_fail_usage(&err);
	rc = open_model(&c->sides[SIDE_JUDGED], &c->text);
	if (!rc)
		watch(c, SIDE_JUDGED);
	if (!rc && has_two(c))
		rc = open_model(&c->sides[SIDE_REFERENCE], &c->text);
	if (!rc && has_two(c))
		watch(c, SIDE_REFERENCE);
	if (!rc && c->sources[0].n_vocab != c->sources[1].n_vocab)
		rc = cli_fail_with(STATUS_USAGE, "the models cannot be compared: one has logits for %zu tokens, the other for %zu",
		                   c->sources[0].n_vocab, c->sources[1].n_vocab);
	return rc;
}

static enum status open_layers(struct compare *c, struct error *err)
{
	const struct plan *a = model_plan(c->sides[SIDE_JUDGED].evaluation.model);
	const struct plan *b = model_plan(c->sides[SIDE_REFERENCE].evaluation.model);

	if (a->n_layer != b->n_layer || a->n_embd != b->n_embd)
		return error_set(err, STATUS_USAGE, "--layers needs two models of one shape: one has %zu layers %zu wide, the "
		                 "other %zu layers %zu wide", (size_t)a->n_layer, (size_t)a->n_embd, (size_t)b->n_layer,
		                 (size_t)b->n_embd);
	return layers_begin(&c->layers, a->n_layer, a->n_embd, LAYERS_HELD, c->sides[SIDE_JUDGED].evaluation.session,
	                    c->sides[SIDE_REFERENCE].evaluation.session, err);
}

/* ---- running ---- */

static enum status compare_all(struct compare *c, struct error *err)
{
	struct bar bar = bar_begin();
	const struct compare_run run = {.text = &c->text, .n_at_once = c->own->layers ? LAYERS_HELD : 0,
	                                .progress = bar_progress, .progress_ctx = &bar};
	enum status status = STATUS_OK;

	bar.name = "comparing";
	stop_catch_signals();
	if (c->own->layers)
		status = open_layers(c, err);
	if (!status)
		status = compare_run(&run, &c->sources[SIDE_JUDGED], &c->sources[SIDE_REFERENCE], &c->comparison, err);
	bar_end(&bar);
	return status ? status : comparison_summarise(&c->comparison, &c->summary, err);
}

static int print(const struct compare *c)
{
	const struct side *reference = &c->sides[SIDE_REFERENCE];
	const struct compare_result result = {
		.name = {text_file_name(c->sides[SIDE_JUDGED].params.model),
		         text_file_name(has_two(c) ? reference->params.model : c->own->reference)},
		.type = {describe_type(c->sides[SIDE_JUDGED].model.gguf),
		         has_two(c) ? describe_type(reference->model.gguf) : ""},
		.model = &c->sides[SIDE_JUDGED].model, .text = &c->text, .window = c->window,
		.is_chats = text_is_chats(&c->own->text, c->setup), .comparison = &c->comparison, .summary = &c->summary,
		.layers = c->own->layers ? &c->layers : NULL};
	struct buf out = {.max = MIB(MAX_OUTPUT_MIB)};

	(c->own->json ? compare_result_json : c->own->csv ? compare_result_csv : compare_result_text)(&result, &out);
	return cli_print_safe(&out, "the figures");
}

static int compare(struct compare *c)
{
	struct error err;
	int rc;

	if (check(c, &err))
		return cli_fail(&err);
	if (c->own->server)
		return compare_served(c->setup, &(struct served_params){.text = &c->own->text, .server = c->own->server,
		                                                        .json = c->own->json, .csv = c->own->csv});
	if (open_text(c, &err))
		return cli_fail_model(&err);
	rc = open_sources(c);
	if (rc)
		return rc;
	if (compare_all(c, &err))
		return stop_or_fail(&err);
	return print(c);
}

static void compare_free(struct compare *c)
{
	for (size_t side = 0; side < N_SIDES; side++) {
		evaluation_close(&c->sides[side].evaluation);
		text_model_close(&c->sides[side].model);
		buf_free(&c->sides[side].path);
	}
	layers_free(&c->layers);
	source_file_close(&c->file);
	comparison_free(&c->comparison);
	text_free(&c->text);
}

static int run(struct cli_setup *setup, void *own)
{
	struct compare c = {.own = own, .setup = setup};
	int rc = compare(&c);

	compare_free(&c);
	return rc;
}

const struct cli_command cli_compare = {
	.synopsis = "sotto compare -m MODEL (-m REFERENCE | --reference FILE | --server NAME) "
	            "(-f FILE | -p TEXT | --ids IDS | --chats N | CHAT...)",
	.text = "Evaluates a text with a model and with one that it is held against, such as a smaller\n"
	        "quantisation and the larger one that it would replace, and prints how far their\n"
	        "expectations are apart: the Kullback-Leibler divergence, how often both have the same\n"
	        "first choice, where that first differs, and the places that differ most. Of saved\n"
	        "chats, the last N or some by id, title or path, what the replies say counts, of each in\n"
	        "its first -c N tokens. A text of at least two windows (-c N, by default 512 tokens) is cut\n"
	        "as llama-perplexity cuts it, whose --kl-divergence gives the same figures; a shorter one\n"
	        "is taken as a whole. A server is asked for a reply to the text, or to a chat's last\n"
	        "question, of -n N tokens (64) at temperature 0; of its tokens it tells 20 candidates at\n"
	        "most, so that only these can be compared.",
	CLI_OWN(compare_options, compare_params),
	.takes_words = true,
	.acts = EVALUATION_ACTS " chat-template chat-template-kwargs servers predict",
	.more = "Exit status: 0 done, 1 failure, 2 bad command line, 3 model missing, unsupported or\n"
	        "corrupt.\n",
	.run = run,
};
