/* sotto trace: what passes through a model, layer by layer, head by head. It shows where two engines begin to
 * differ, and where one goes wrong. */
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "cli/bar.h"
#include "cli/print.h"
#include "cli/setup.h"
#include "cli/subcommands.h"
#include "cli/trace_views.h"

#define ROW(field, more_flags) CLI_ROW(trace_params, field, more_flags)

enum { TOP_MAX = 1000, COLUMNS_USUAL = 80 };

static const struct option trace_options[] = {
	TEXT_INPUT_OPTIONS(trace_params, input),
	{"layers", NULL, OPTION_BOOL, ROW(layers, 0), .def = "no",
	 .help = "root mean square, mean, largest and growth after each layer and the final norm"},
	{"rope", NULL, OPTION_INT, ROW(rope, 0), .min = -1, .max = INT32_MAX, .def = "-1", .arg = "POS",
	 .help = "angles, cosines and sines of a position, for each set of rotations; needs no text"},
	{"attention", NULL, OPTION_STRING, ROW(attention, 0), .arg = "L,H",
	 .help = "what head H of layer L looks at: a map, with window and sinks; both count from 0"},
	{"top", NULL, OPTION_INT, ROW(top, 0), .min = 0, .max = TOP_MAX, .def = "0", .arg = "N",
	 .help = "the N best tokens to come"},
	{"experts", NULL, OPTION_BOOL, ROW(experts, 0), .def = "no",
	 .help = "which experts tokens went to, and how sure the router was"},
	{"state", NULL, OPTION_BOOL, ROW(state, 0), .def = "no",
	 .help = "norms of recurrent states behind the last token"},
	{"hex", NULL, OPTION_BOOL, ROW(hex, 0), .def = "no", .help = "id, bytes and text of each token"},
	{"json", NULL, OPTION_BOOL, ROW(json, 0), .def = "no", .help = "print a JSON object"},
	{"csv", NULL, OPTION_BOOL, ROW(csv, 0), .def = "no", .help = "print a table with commas, of one view"},
};

static const struct trace_view *const views[] = {
	&trace_view_hex, &trace_view_layers, &trace_view_rope, &trace_view_attention, &trace_view_experts,
	&trace_view_state, &trace_view_top};
enum { N_VIEWS = sizeof views / sizeof views[0] };

/* What is asked for. */
struct wish {
	const struct trace_view *views[N_VIEWS];
	size_t n;
	bool needs_tokens, evaluates;
};

static struct wish wish_of(const struct trace_params *params)
{
	struct wish wish = {.n = 0};

	for (size_t i = 0; i < N_VIEWS; i++)
		if (views[i]->is_wanted(params)) {
			wish.views[wish.n++] = views[i];
			wish.needs_tokens |= views[i]->needs_tokens;
			wish.evaluates |= views[i]->evaluates;
		}
	return wish;
}

static void see(void *ctx, const struct probed *seen)
{
	struct trace *trace = ctx;
	struct probe recorder = recorder_probe(&trace->recorder);

	if (trace->layers.sums)
		layers_see(&trace->layers, seen);
	recorder.see(recorder.ctx, seen);
}

/* Only where standard error is a terminal. */
static bool show_progress(void *ctx, size_t done, size_t total)
{
	static const char name[] = "evaluating";

	bar_show(ctx, done, total, name, sizeof name - 1);
	return true;
}

static enum status evaluate(struct trace *trace, const struct wish *wish, struct error *err)
{
	const struct evaluation *e = &trace->evaluation;
	const struct probe probe = {.ctx = trace, .see = see};
	struct bar bar = bar_begin();
	enum status status = STATUS_OK;

	for (size_t i = 0; i < wish->n && !status; i++)
		if (wish->views[i]->prepare)
			status = wish->views[i]->prepare(trace, err);
	if (status || !wish->evaluates)
		return status;
	bar.drawn = sys_now_ms(); /* none for what is done at once */
	session_set_probe(e->session, &probe);
	session_set_progress(e->session, show_progress, &bar);
	status = session_eval(e->session, e->ids.ids, e->ids.n, 0, NULL, err);
	session_set_progress(e->session, NULL, NULL);
	session_set_probe(e->session, NULL);
	bar_end(&bar);
	return status;
}

/* ---- what is printed ---- */

static enum status fill(struct trace *trace, const struct trace_view *view, struct figures *figures, struct error *err)
{
	*figures = (struct figures){.name = view->name, .text = {.max = SIZE_MAX / 2}};
	return view->fill(trace, figures, err);
}

static enum status put_json(struct trace *trace, const struct wish *wish, struct buf *out, struct error *err)
{
	struct json_writer json = {.out = out};
	enum status status = STATUS_OK;

	json_put_begin(&json, NULL, '{');
	if (wish->needs_tokens)
		json_put_number(&json, "tokens", "%zu", trace->evaluation.ids.n);
	for (size_t i = 0; i < wish->n && !status; i++) {
		struct figures figures;

		status = fill(trace, wish->views[i], &figures, err);
		json_put_line(&json, "\n ");
		if (!status)
			figures_put_json(&figures, &json);
		figures_free(&figures);
	}
	json_put_end(&json, '}');
	buf_putc(out, '\n');
	return status;
}

static enum status put_csv(struct trace *trace, const struct wish *wish, struct buf *out, struct error *err)
{
	struct figures figures;
	enum status status = fill(trace, wish->views[0], &figures, err);

	if (!status)
		figures_put_csv(&figures, out);
	figures_free(&figures);
	return status;
}

static enum status put_text(struct trace *trace, const struct wish *wish, struct buf *out, struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < wish->n && !status; i++) {
		const struct trace_view *view = wish->views[i];
		struct figures figures;

		if (i)
			buf_putc(out, '\n');
		if (view->put_text) {
			status = view->put_text(trace, out, err);
			continue;
		}
		status = fill(trace, view, &figures, err);
		if (!status)
			figures_put_text(&figures, out);
		figures_free(&figures);
	}
	return status;
}

static int print(struct trace *trace, const struct wish *wish)
{
	const struct trace_params *params = trace->params;
	struct buf out = {.max = SIZE_MAX / 2};
	struct error err;

	if ((params->json ? put_json : params->csv ? put_csv : put_text)(trace, wish, &out, &err)) {
		buf_free(&out);
		return cli_fail(&err);
	}
	return cli_print_safe(&out, "the figures");
}

/* Of the terminal on standard output. */
static size_t columns_of_terminal(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : COLUMNS_USUAL;
}

static int check(const struct trace_params *params, const struct wish *wish)
{
	if (!wish->n)
		return cli_fail_with(STATUS_USAGE, "nothing to trace: give --layers, --rope POS, --attention L,H, --top N, "
		                     "--experts, --state or --hex");
	if (params->json && params->csv)
		return cli_fail_with(STATUS_USAGE, "give --json or --csv, not both");
	if (params->csv && wish->n > 1)
		return cli_fail_with(STATUS_USAGE, "--csv prints one table: ask for one view at a time, or for --json");
	return 0;
}

static int run(struct cli_setup *setup, void *own)
{
	const struct trace_params *params = own;
	struct trace trace = {.params = params, .columns = columns_of_terminal()};
	struct wish wish = wish_of(params);
	struct error err;
	int rc = check(params, &wish);

	if (!rc)
		rc = trace_open(&trace.evaluation, setup, &params->input, wish.needs_tokens);
	if (!rc)
		rc = evaluate(&trace, &wish, &err) ? cli_fail(&err) : print(&trace, &wish);
	attention_free(&trace.attention);
	layers_trace_free(&trace.layers);
	recorder_free(&trace.recorder);
	evaluation_close(&trace.evaluation);
	return rc;
}

const struct cli_command cli_trace = {
	.synopsis = "sotto trace [-m MODEL] (-p TEXT | -f FILE | --ids IDS | CHAT) VIEW... [OPTION]...",
	.text = "Evaluates a text, token ids or a saved chat (its id, title or path; as the model sees\n"
	        "it) and prints what passes through the model. Views are --layers, --rope, --attention,\n"
	        "--top, --experts, --state and --hex; several may be given.",
	CLI_OWN(trace_options, trace_params),
	.takes_words = true,
	.more = "To a program --layers prints a layer's name, root mean square and mean alone; --csv and\n"
	        "--json have the other figures, too. A model on a server shows none of this.\n\n"
	        "Exit status: 0 done, 1 failure, 2 bad command line or configuration, 3 model missing,\n"
	        "unsupported or corrupt, 4 the text does not fit in the context.\n",
	.acts = EVALUATION_ACTS " chat-template chat-template-kwargs",
	.run = run,
};
