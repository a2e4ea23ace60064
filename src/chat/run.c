#include "chat/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "base/words.h"

enum { CHANGES_MAX = 10000 };

static bool copy(char **out, const char *text)
{
	*out = text && text[0] ? alloc_strndup(text, strlen(text)) : NULL;
	return *out || !text || !text[0];
}

static bool join_stops(char **out, const struct turn *turn)
{
	struct buf words = {.max = LIMIT_MESSAGE};

	if (!turn->n_stops)
		return true;
	for (size_t i = 0; i < turn->n_stops; i++)
		words_put(&words, turn->stops[i], strlen(turn->stops[i]));
	*out = buf_status(&words) ? NULL : buf_take(&words, NULL);
	buf_free(&words);
	return *out;
}

/* The hour that it is here, as if it were UTC's: what a template that is given it shows. */
static int64_t local_clock(void)
{
	int64_t wall = sys_wall_time_us();
	time_t now = (time_t)(wall / 1000000);
	struct tm tm;

	return (localtime_r(&now, &tm) ? (int64_t)timegm(&tm) : (int64_t)now) * 1000000 + wall % 1000000;
}

enum status run_prepare(struct reply_run *run, struct turn *turn, const struct tree *tree,
                        const struct model_info *model, struct error *err)
{
	const struct message *last = turn->n_messages ? &turn->messages[turn->n_messages - 1] : NULL;

	if (!turn->reasoning.clock)
		turn->reasoning.clock = local_clock();
	*run = (struct reply_run){.model = model->identity, .wish = turn->reasoning,
	                          .weight_rate = turn->weight_rate, .n_predict = turn->n_predict,
	                          .policy = turn->policy, .has_first = turn->has_first, .first = turn->first};
	snprintf(run->program, sizeof run->program, "%s", PACKAGE_STRING);
	run->wish.template_kwargs = NULL;
	run_marks_take(&run->marks, tree);
	if (turn->continued && last) {
		run->from_id = last->n_ids;
		run->from_text = last->len;
		run->from_reasoning = last->reasoning_len;
	}
	if (copy(&run->options, model->options) && copy(&run->template_kwargs, turn->reasoning.template_kwargs) &&
	    copy(&run->samplers, turn->samplers) && copy(&run->logit_bias, turn->logit_bias) &&
	    copy(&run->dry_breakers, turn->dry_breakers) && join_stops(&run->stops, turn))
		return STATUS_OK;
	return error_no_memory(err, "for the reply");
}

bool run_continues(const struct reply_run *run)
{
	return run->from_id || run->from_text || run->from_reasoning;
}

void run_set_sent(struct reply_run *run, const char *json)
{
	size_t len = strlen(json);

	free(run->sent);
	run->sent = len && len <= RUN_SENT_MAX ? alloc_strndup(json, len) : NULL;
}

bool run_is_remote(const struct reply_run *run)
{
	return run->model.server[0];
}

bool run_add_change(struct reply_run *run, uint32_t at, const struct sampler_params *params,
                    size_t text)
{
	struct run_change *last = run->n_changes ? &run->changes[run->n_changes - 1] : NULL;

	if (!last || last->at != at) {
		if (!alloc_grow(&run->changes, &run->cap_changes, run->n_changes + 1,
		                sizeof *run->changes, CHANGES_MAX)) {
			run->has_begun = false;
			return false;
		}
		last = &run->changes[run->n_changes++];
	}
	*last = (struct run_change){at, *params, text};
	return true;
}

struct sampler_params run_params_at(const struct reply_run *run, uint32_t at)
{
	struct sampler_params params = run->begin.params;

	for (size_t i = 0; i < run->n_changes && run->changes[i].at <= at; i++)
		params = run->changes[i].params;
	params.seed = run->begin.seed;
	return params;
}

struct sampler_params run_params_of(const struct reply_run *run, size_t token)
{
	return run_params_at(run, token > run->from_id ? (uint32_t)(token - run->from_id) : 0);
}

enum status run_copy(struct reply_run *to, const struct reply_run *from)
{
	bool ok = true;

	*to = *from;
	to->changes = NULL;
	to->n_changes = to->cap_changes = 0;
	to->marks = (struct run_marks){.known = from->marks.known && !from->marks.n};
	ok &= copy(&to->options, from->options);
	ok &= copy(&to->template_kwargs, from->template_kwargs);
	ok &= copy(&to->samplers, from->samplers);
	ok &= copy(&to->logit_bias, from->logit_bias);
	ok &= copy(&to->dry_breakers, from->dry_breakers);
	ok &= copy(&to->stops, from->stops);
	ok &= copy(&to->sent, from->sent);
	for (size_t i = 0; i < from->n_changes && ok; i++)
		ok = run_add_change(to, from->changes[i].at, &from->changes[i].params, from->changes[i].text);
	if (ok)
		return STATUS_OK;
	run_free(to);
	return STATUS_NOMEM;
}

void run_free(struct reply_run *run)
{
	free(run->options);
	free(run->template_kwargs);
	free(run->samplers);
	free(run->logit_bias);
	free(run->dry_breakers);
	free(run->stops);
	free(run->sent);
	free(run->changes);
	run_marks_free(&run->marks);
	*run = (struct reply_run){.has_begun = false};
}
