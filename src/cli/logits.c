/* sotto logits: the logits of every position, as the engine computes them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "cli/evaluate.h"
#include "cli/print.h"
#include "cli/setup.h"
#include "cli/stop.h"
#include "cli/subcommands.h"
#include "cli/text_input.h"

struct logits_params {
	char *ids, *output; /* owned */
};

#define ROW(field, more_flags) CLI_ROW(logits_params, field, more_flags)

static const struct option logits_options[] = {
	{"ids", NULL, OPTION_STRING, ROW(ids, 0), .arg = "IDS",
	 .help = "token ids, separated by blanks"},
	{"output", "o", OPTION_STRING, ROW(output, OPTION_PATH), .arg = "FILE",
	 .help = "where to write"},
};

static int fail_write(const char *path)
{
	struct error err;

	error_errno(&err, errno, "%s: cannot write", path);
	err.status = STATUS_IO;
	return cli_fail(&err);
}

/* Evaluates and writes as many positions at a time as fit in 256 MiB. */
static int write_logits(const struct evaluation *e, FILE *file, const char *path)
{
	size_t n_vocab = model_plan(e->model)->n_vocab, row = n_vocab * sizeof(float);
	size_t rows = MIB(256) / row + 1;
	float *logits;
	struct error err;
	int rc = 0;

	if (rows > e->ids.n)
		rows = e->ids.n;
	logits = alloc_array(rows, row);
	if (!logits)
		return cli_fail_with(STATUS_NOMEM, "not enough memory for the logits");
	stop_catch_signals(); /* so that no half of a file is left */
	session_set_progress(e->session, stop_go_on, NULL);
	for (size_t at = 0; at < e->ids.n && !rc; at += rows) {
		size_t n = e->ids.n - at < rows ? e->ids.n - at : rows;

		if (session_eval(e->session, e->ids.ids + at, n, at, logits, &err))
			rc = stop_or_fail(&err);
		else if (fwrite(logits, row, n, file) != n)
			rc = fail_write(path);
	}
	free(logits);
	return rc;
}

static int write_file(const struct evaluation *e, const char *path)
{
	FILE *file = fopen(path, "wbe");
	struct stat st;
	int rc;

	if (!file)
		return fail_write(path);
	rc = write_logits(e, file, path);
	if (fclose(file) != 0 && rc == 0)
		rc = fail_write(path);
	/* Half a file is of no use. A device or a link is not ours to remove. */
	if (rc && lstat(path, &st) == 0 && S_ISREG(st.st_mode))
		unlink(path);
	return rc;
}

static int run(struct cli_setup *setup, void *own)
{
	const struct logits_params *params = own;
	struct evaluation evaluation = {.model = NULL};
	struct error err;
	int rc;

	if (!params->output || !params->output[0])
		return cli_fail_with(STATUS_USAGE, "no output file is named: -o FILE");
	if (!params->ids)
		return cli_fail_with(STATUS_USAGE, "no token ids are given: --ids \"1 2 3\"");
	rc = text_input_ids(params->ids, &evaluation.ids, &err) ? cli_fail(&err) : evaluation_open(&evaluation, &setup->engine);
	if (!rc)
		rc = write_file(&evaluation, params->output);
	evaluation_close(&evaluation);
	return rc;
}

const struct cli_command cli_logits = {
	.synopsis = "sotto logits [-m MODEL] --ids IDS -o FILE [OPTION]...",
	.text = "Evaluates token ids and writes the logits of every position: for each id a row of\n"
	        "little-endian float32, one for each token of the vocabulary.",
	CLI_OWN(logits_options, logits_params),
	.acts = EVALUATION_ACTS,
	.run = run,
};
