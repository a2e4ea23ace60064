/* What comes of a request for a reply. */
#include <stdio.h>
#include <string.h>

#include "remote/ask_internal.h"
#include "remote/call.h"
#include "remote/estimate.h"
#include "remote/fields.h"
#include "remote/request.h"
#include "remote/waiting.h"

enum { REFUSALS_MAX = 8 }; /* fields that are dropped in one turn */

/* Waits where that may help. */
static enum verdict retry(struct asking *a)
{
	int64_t ms = retry_wait(&a->retry, &a->answer, a->remote->is_loading, remote_chance());

	if (a->reply.has_begun || a->ask.mode == BACKEND_WARM || ms < 0)
		return REPLY_FAILED;
	(void)waiting_pause(a->remote, a->host, &a->answer, (uint64_t)ms, a->remote->is_loading ? 0 : a->retry.n);
	return ASK_AGAIN; /* where cancelling is noticed */
}

/* An optional field that the model does not take is not sent to it again. */
static bool drop_field(struct asking *a)
{
	const char *name = a->chunk.refused;

	/* OpenAI forbids to ask some models for candidates. */
	if (a->answer.code == 403 && strstr(buf_text(&a->answer.body), "logprobs"))
		name = "logprobs";
	else if (a->answer.code != 400 && a->answer.code != 422)
		return false;
	if (a->n_refusals >= REFUSALS_MAX)
		return false;
	if (!fields_drop(a->remote, name)) {
		name = fields_named_in(a->remote, a->chunk.error.text);
		if (!name || !fields_drop(a->remote, name))
			return false;
	}
	a->n_refusals++;
	fields_list_idle(a->remote, &a->remote->info);
	a->remote->has_learnt = true;
	return true;
}

/* Whether more is left out now than was the last time. */
static bool leaves_out_more(const struct asking *a)
{
	struct remote_request request;
	bool more;

	remote_request_init(&request);
	more = estimate_fit(a->remote, a->ask.turn, &request, NULL) == STATUS_OK &&
	       request.n_dropped > a->request.n_dropped;
	remote_request_free(&request);
	return more;
}

/* The context is smaller than it was thought, or the text longer: once, more is left out. */
static bool fit_again(struct asking *a)
{
	const struct chunk *chunk = &a->chunk;
	struct model_info *info = &a->remote->info;
	enum context_policy policy = a->ask.turn->policy;

	if (a->is_refitted || !a->request.is_estimate)
		return false;
	a->is_refitted = true;
	if (!chunk->n_ctx || (info->n_ctx == chunk->n_ctx && !chunk->n_prompt))
		return false;
	info->n_ctx = info->identity.n_ctx = chunk->n_ctx;
	if (chunk->n_prompt)
		estimate_correct(a->remote, a->ask.turn, a->request.keep, chunk->n_prompt);
	a->remote->has_learnt = true;
	/* The other policies are the chat's affair, which knows the size now. */
	if ((policy != CONTEXT_ROLL && policy != CONTEXT_ENDS) || !leaves_out_more(a))
		return false;
	a->is_told = false;
	return true;
}

static enum status too_long(const struct asking *a, struct error *err)
{
	const struct chunk *chunk = &a->chunk;
	const char *name = a->remote->server->name;

	if (chunk->n_prompt && chunk->n_ctx)
		return error_set(err, STATUS_CONTEXT, "%s: the prompt has %u tokens, the model's context has room for %u", name,
		                 chunk->n_prompt, chunk->n_ctx);
	return error_set(err, STATUS_CONTEXT, "%s: the prompt is too long for the model's context (about %u tokens)", name,
	                 a->request.n_prompt);
}

/* An answer that is not a 2xx. */
static enum verdict refuse(struct asking *a, struct error *err)
{
	const char *body = buf_text(&a->answer.body);
	enum status status;

	chunk_clear(&a->chunk);
	(void)!a->remote->dialect->read(a->remote, body, a->answer.body.len, &a->chunk, NULL);
	if (!a->chunk.error.status)
		chunk_read_error(&a->chunk, body, a->answer.body.len, true);
	status = remote_refuse(a->remote, &a->answer, err);
	if (a->chunk.error.status == STATUS_CONTEXT) {
		if (fit_again(a))
			return ASK_AGAIN;
		status = too_long(a, err);
	} else if (drop_field(a)) {
		return ASK_AGAIN;
	}
	return status == STATUS_CONTEXT ? REPLY_FAILED : retry(a);
}

/* A 2xx that has come whole. */
static enum verdict judge_reply(struct asking *a, struct error *err)
{
	const char *name = a->remote->server->name;

	if (a->remote->again)
		return ASK_AGAIN;
	if (a->reply.has_begun || a->reply.end || a->ask.mode == BACKEND_WARM)
		return REPLY_IS_DONE;
	if (a->stream.strange[0]) {
		char says[ERROR_TEXT_MAX];

		snprintf(says, sizeof says, "%s", a->stream.strange);
		remote_quote(a->remote, says);
		error_set(err, STATUS_FORMAT, "%s: its answer is not a reply of a model: '%s': check its url in servers.yaml",
		          name, says);
	} else {
		error_set(err, STATUS_IO, "%s: the server ended without an answer", name);
	}
	return REPLY_FAILED;
}

enum verdict ask_judge(struct asking *a, enum status status, struct error *err)
{
	a->remote->is_loading = false;
	if (!status && (a->answer.code / 100 == 2 || a->is_ended || a->remote->again))
		return judge_reply(a, err);
	if (!status)
		return refuse(a, err);
	if (status == STATUS_CANCELLED || status == STATUS_NOMEM)
		return REPLY_FAILED;
	if (a->answer.trouble && a->reply.end) /* what has ended may be cut */
		return REPLY_IS_DONE;
	if (status == STATUS_CONTEXT)
		(void)too_long(a, err);
	remote_name_error(a->remote, err);
	return a->answer.trouble ? retry(a) : REPLY_FAILED;
}

bool ask_writes_again(struct asking *a)
{
	http_answer_free(&a->answer);
	a->answer = a->remote->refused;
	return retry(a) == ASK_AGAIN;
}
