#include "cli/evaluate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/print.h"
#include "engine/engine.h"

enum { MAX_IDS = 1 << 24 };

enum status evaluation_read_ids(struct evaluation *e, const char *text, struct error *err)
{
	static const char separators[] = " ,\t\n";
	size_t cap = 0;
	char *end;

	for (const char *at = text;; at = end) {
		size_t skipped = strspn(at, separators);
		long id;

		at += skipped;
		if (*at == '\0')
			break;
		errno = 0;
		id = strtol(at, &end, 10);
		/* The session knows the vocabulary and checks the range. */
		if (end == at || errno || id < 0 || id > INT32_MAX ||
		    (*end && !strchr(separators, *end)))
			return error_set(err, STATUS_USAGE,
			                 "--ids: found '%.20s', expected token ids separated by blanks",
			                 at);
		if (!alloc_grow(&e->ids, &cap, e->n_ids + 1, sizeof *e->ids, MAX_IDS))
			return error_set(err, STATUS_NOMEM, "--ids: too many ids");
		e->ids[e->n_ids++] = (int32_t)id;
	}
	if (e->n_ids == 0)
		return error_set(err, STATUS_USAGE, "--ids: there are no token ids in it");
	return STATUS_OK;
}

int evaluation_open_model(struct evaluation *e, const struct engine_params *params)
{
	struct error err;

	if (!params->model || !params->model[0])
		return cli_fail_with(STATUS_USAGE, "no model is given: use -m FILE");
	if (compute_open(&e->compute, params->isa, (size_t)params->n_threads, &err))
		return cli_fail(&err);
	if (engine_open_model(&e->model, params, &e->compute, NULL, NULL, &err))
		return cli_fail_model(&err);
	if (model_memory(e->model).lock_error.status)
		cli_note("%s", model_memory(e->model).lock_error.text);
	if (session_create(&e->session, e->model, &e->compute, params, &err))
		return cli_fail(&err);
	return 0;
}

int evaluation_open(struct evaluation *e, const struct engine_params *params, const char *ids)
{
	struct error err;

	if (!ids)
		return cli_fail_with(STATUS_USAGE, "no token ids are given: --ids \"1 2 3\"");
	return evaluation_read_ids(e, ids, &err) ? cli_fail(&err) : evaluation_open_model(e, params);
}

void evaluation_close(struct evaluation *e)
{
	session_free(e->session);
	tokenizer_close(e->tokenizer);
	compute_close(&e->compute);
	model_close(e->model);
	free(e->ids);
	*e = (struct evaluation){0};
}
