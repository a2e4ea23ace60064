/* sotto doctor: whether a model and the engine on this machine are what they should be. */
#include "doctor/doctor.h"

#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/server_path.h"
#include "cli/bar.h"
#include "cli/print.h"
#include "cli/setup.h"
#include "cli/subcommands.h"

struct doctor_params {
	bool json;
};

#define ROW(field, more_flags) CLI_ROW(doctor_params, field, more_flags)

static const struct option doctor_options[] = {
	{"json", NULL, OPTION_BOOL, ROW(json, 0), .def = "no", .help = "print what each rung says as JSON"},
};

static const char *const verdicts[] = {[VERDICT_FINE] = "fine", [VERDICT_FINDING] = "FINDING", [VERDICT_REMARK] = "remark",
                                       [VERDICT_SKIPPED] = "skipped"};

struct report {
	struct bar bar;
	struct buf out;
	struct json_writer json;
	bool is_json;
	struct diagnosis first; /* finding: the likely cause of the others */
	size_t n_findings;
};

static void show_progress(void *ctx, const char *rung, size_t done, size_t all)
{
	struct report *r = ctx;

	bar_show(&r->bar, done, all, rung, strlen(rung));
}

static void put_json(struct report *r, const struct diagnosis *d)
{
	json_put_line(&r->json, "\n  ");
	json_put_begin(&r->json, NULL, '{');
	json_put_string(&r->json, "rung", d->rung);
	json_put_string(&r->json, "looks_at", d->looks_at);
	json_put_string(&r->json, "verdict", d->verdict == VERDICT_FINDING ? "finding" : verdicts[d->verdict]);
	if (d->verdict == VERDICT_FINDING)
		json_put_string(&r->json, "cause", d->cause);
	json_put_string(&r->json, "text", d->text);
	if (d->number_is) {
		/* JSON knows no infinity */
		if (d->number - d->number == 0)
			json_put_number(&r->json, "number", "%.9g", d->number);
		else
			json_put_null(&r->json, "number");
		json_put_string(&r->json, "number_is", d->number_is);
	}
	if (d->show[0])
		json_put_string(&r->json, "show", d->show);
	json_put_end(&r->json, '}');
}

static void put_text(struct buf *out, const struct diagnosis *d)
{
	buf_printf(out, "%-8s %-11s", verdicts[d->verdict], d->rung);
	if (d->verdict == VERDICT_FINDING)
		buf_printf(out, " %s", d->cause);
	else if (d->verdict == VERDICT_FINE)
		buf_printf(out, " %s.", d->looks_at);
	if (d->text[0])
		buf_printf(out, " %s", d->text);
	if (d->number_is && d->verdict != VERDICT_SKIPPED)
		buf_printf(out, " (%s: %.6g)", d->number_is, d->number);
	buf_putc(out, '\n');
	if (d->show[0])
		buf_printf(out, "%21sSee it: %s\n", "", d->show);
}

static void tell(void *ctx, const struct diagnosis *diagnosis)
{
	struct report *r = ctx;

	if (diagnosis->verdict == VERDICT_FINDING && r->n_findings++ == 0)
		r->first = *diagnosis;
	if (r->is_json)
		put_json(r, diagnosis);
	else
		put_text(&r->out, diagnosis);
}

static void put_verdict(struct report *r)
{
	if (r->is_json) {
		json_put_line(&r->json, "\n");
		json_put_end(&r->json, ']');
		json_put_number(&r->json, "findings", "%zu", r->n_findings);
		json_put_string(&r->json, "likely_cause", r->n_findings ? r->first.cause : NULL);
		json_put_end(&r->json, '}');
		buf_putc(&r->out, '\n');
	} else if (!r->n_findings) {
		buf_puts(&r->out, "\nNothing was found.\n");
	} else {
		buf_printf(&r->out, "\n%s\n", r->first.cause);
		if (r->n_findings > 1)
			buf_printf(&r->out, "The %zu findings after that of '%s' may come from it.\n", r->n_findings - 1, r->first.rung);
	}
}

static int examine(const struct engine_params *params, bool json)
{
	struct report r = {.bar = bar_begin(), .out = {.max = MIB(1)}, .is_json = json};
	const struct doctor doctor = {.params = params, .progress = show_progress, .tell = tell, .ctx = &r};
	struct error err;
	size_t n_findings;
	enum status status;
	int rc;

	r.json.out = &r.out;
	if (json) {
		json_put_begin(&r.json, NULL, '{');
		json_put_string(&r.json, "model", params->model);
		json_put_begin(&r.json, "rungs", '[');
	}
	status = doctor_examine(&doctor, &n_findings, &err);
	bar_end(&r.bar);
	if (status) {
		buf_free(&r.out);
		return cli_fail_model(&err);
	}
	put_verdict(&r);
	rc = cli_print_safe(&r.out, "the report");
	return rc ? rc : n_findings > 0;
}

static int run(struct cli_setup *setup, void *own)
{
	const struct doctor_params *params = own;
	struct engine_params engine = setup->engine;
	struct error err;

	if (cli_word_paths(setup, setup->n_words, &err))
		return cli_fail(&err);
	if (setup->n_words > 1 || (!setup->n_words && (!engine.model || !engine.model[0])))
		return cli_fail_with(STATUS_USAGE, "one model file is needed: sotto doctor MODEL");
	if (setup->n_words) {
		cli_warn_unused(setup, "model", "where a model is named without it");
		if (!server_path_is(setup->words[0]) && cli_word_model(setup, 0, &err))
			return cli_fail_model(&err);
		engine.model = setup->words[0];
	}
	if (server_path_is(engine.model))
		return cli_fail_with(STATUS_USAGE, "`sotto doctor` looks into the file of a model: %s is on a server", engine.model);
	return examine(&engine, params->json);
}

const struct cli_command cli_doctor = {
	.synopsis = "sotto doctor [OPTION]... MODEL",
	.text = "Looks for what is wrong where a model answers badly: climbs a ladder of checks, from the file's\n"
	        "weights through the engine on this machine to the template and what comes out. For each rung it\n"
	        "prints a verdict with the number behind it; a finding names the likely cause first, then a\n"
	        "command that shows it. The first finding is the likely cause of those after it. The exit status\n"
	        "is 0 without a finding, 1 with one.",
	CLI_OWN(doctor_options, doctor_params),
	.takes_words = true,
	.acts = "model threads isa repack mlock cache-type-k cache-type-v chat-template " CLI_MODEL_ACTS,
	.run = run,
};
