#include "remote/ask_internal.h"

#include "base/limits.h"
#include "encode/shape.h"
#include "remote/call.h"
#include "remote/request.h"
#include "remote/waiting.h"

enum {
	FIRST_BYTE_FAR_MS = 600 * 1000, /* others may load a model, or be busy, as long as it takes */
	SILENCE_FAR_MS = 120 * 1000,
	SILENCE_THINKING_MS = 300 * 1000, /* some hide their thoughts */
	DONE_MS = 1000, /* how long the answer may take to end behind [DONE]: some servers never end it */
};

static uint64_t now_ms(const struct asking *a)
{
	return (a->remote->clock ? a->remote->clock : &remote_real_clock)->now_ms();
}

/* ---- what comes ---- */

static enum status take_document(void *ctx, const char *json, size_t len, struct error *err)
{
	struct asking *a = ctx;
	struct chunk *chunk = &a->chunk;
	enum status status;

	chunk_clear(chunk);
	status = a->remote->dialect->read(a->remote, json, len, chunk, err);
	if (status == STATUS_FORMAT)
		return STATUS_OK; /* passed over */
	if (a->stream.is_done || a->ask.mode == BACKEND_WARM) { /* text behind the end is none */
		buf_clear(&chunk->text);
		buf_clear(&chunk->reasoning);
		chunk->n_ids = 0;
	}
	if (!status)
		status = reply_take(&a->reply, chunk, now_ms(a), err);
	if (!status && chunk->error.status == STATUS_CONTEXT && a->reply.has_begun)
		a->reply.end = CHUNK_CONTEXT; /* the text has filled it */
	else if (!status && chunk->error.status) {
		remote_quote(a->remote, chunk->error.text);
		status = error_set(err, chunk->error.status, "%s", chunk->error.text);
	}
	/* The only way to end a call from within it is an error: send() takes this one for none. */
	a->is_ended = !status && (a->reply.is_over || chunk->is_last || chunk->error.status || a->remote->again);
	return a->is_ended ? error_set(err, STATUS_CANCELLED, "no more is wanted") : status;
}

static enum status take_bytes(void *ctx, const char *bytes, size_t n, struct error *err)
{
	struct asking *a = ctx;

	return stream_push(&a->stream, bytes, n, err);
}

static void tell_phase(void *ctx, enum http_phase phase, uint64_t ms)
{
	const struct asking *a = ctx;

	if (a->ask.mode == BACKEND_REPLY)
		waiting_tell(a->remote, a->host, phase, ms, a->reply.has_begun);
}

/* "Answer now", once a turn. */
static void end_thinking(struct asking *a)
{
	struct error err;

	if (a->wanted_answer || !a->remote->dialect->answer_now || !a->reply.is_thinking || !a->host->wants_answer ||
	    !a->host->wants_answer(a->host->ctx))
		return;
	a->wanted_answer = true;
	/* Where that fails the model thinks on, as it may. */
	(void)!a->remote->dialect->answer_now(a->remote, a->reply.id, &err);
}

static bool has_ended_long_ago(struct asking *a)
{
	uint64_t now;

	if (!a->stream.is_done)
		return false;
	now = now_ms(a);
	a->done_ms = a->done_ms ? a->done_ms : now;
	return now - a->done_ms >= DONE_MS;
}

/* Asked every few milliseconds while a call runs. */
static bool is_cancelled(void *ctx)
{
	struct asking *a = ctx;

	if (a->host->cancelled(a->host->ctx))
		return true;
	a->is_ended |= has_ended_long_ago(a);
	if (a->is_ended)
		return true;
	end_thinking(a);
	return a->remote->again;
}

/* ---- what is sent ---- */

static void tell_changes(const struct asking *a)
{
	struct buf text = {.max = ERROR_TEXT_MAX};

	if (!a->request.changes)
		return;
	prompt_describe_changes(a->request.changes, &text);
	backend_tell(a->host, &(struct event){.kind = EVENT_NOTE, .u.note = buf_text(&text)});
	buf_free(&text);
}

static void tell_learnt(struct asking *a)
{
	if (!a->remote->has_learnt)
		return;
	a->remote->has_learnt = false;
	backend_tell(a->host, &(struct event){.kind = EVENT_LEARNT, .u.model = &a->remote->info});
}

/* Before it is sent, so that whoever wants nothing else sent than before can say so. */
static void tell_sent(const struct asking *a)
{
	struct buf sent = {.max = KIB(64)};

	if (a->ask.mode == BACKEND_REPLY && !a->reply.has_begun &&
	    remote_request_print_sent(&a->request, &sent, NULL) == STATUS_OK)
		backend_tell(a->host, &(struct event){.kind = EVENT_SENT, .u.sent = buf_text(&sent)});
	buf_free(&sent);
}

static enum status write_request(struct asking *a, struct error *err)
{
	struct remote_request *request = &a->request;
	enum status status;

	remote_request_free(request);
	a->remote->told = a->ask.mode == BACKEND_REPLY && !a->reply.has_begun ? a->host : NULL;
	status = remote_request_write(a->remote, &a->ask, request, err);
	a->remote->told = NULL;
	tell_learnt(a);
	if ((!status || request->refused) && request->keep && !a->is_told)
		backend_tell_fitted(a->host, a->ask.turn, request->keep);
	if (status)
		return status;
	if (!a->is_told)
		tell_changes(a);
	a->is_told = true;
	tell_sent(a);
	return a->host->cancelled(a->host->ctx) ? error_set(err, STATUS_CANCELLED, "cancelled") : STATUS_OK;
}

static struct http_limits limits_of(const struct asking *a)
{
	struct http_limits limits = {.connect = remote_connect_ms(a->remote), .bytes = LIMIT_STREAM};

	if (a->remote->distance == HTTP_FAR) {
		limits.first_byte = FIRST_BYTE_FAR_MS;
		limits.silence = a->ask.turn->reasoning.mode == REASONING_OFF ? SILENCE_FAR_MS : SILENCE_THINKING_MS;
	}
	return limits;
}

/* One request. STATUS_OK: an answer is there, with whatever code, and was taken. */
static enum status send(struct asking *a, struct error *err)
{
	const struct http_call call = {
		.target = &a->remote->target, .path = buf_text(&a->request.path), .body = buf_text(&a->request.body),
		.body_len = a->request.body.len, .limits = limits_of(a), .cancelled = is_cancelled, .phase = tell_phase,
		.take = take_bytes, .ctx = a};
	enum status status;

	http_answer_free(&a->answer);
	a->answer = (struct http_answer){.code = 0, .retry_after_ms = -1};
	stream_free(&a->stream);
	stream_init(&a->stream, take_document, a);
	a->is_ended = a->remote->again = false;
	a->done_ms = 0;
	reply_send(&a->reply, &a->request, now_ms(a));
	status = http_call(a->remote->http, &call, &a->answer, err);
	if (!status && a->answer.code / 100 == 2)
		status = stream_end(&a->stream, err);
	return a->is_ended || a->remote->again ? STATUS_OK : status;
}

/* ---- all of it ---- */

static enum status ask(struct asking *a, struct error *err)
{
	enum verdict verdict = ASK_AGAIN;
	enum status status = STATUS_OK;
	struct error failed = {.text = ""};

	while (verdict == ASK_AGAIN) {
		if (a->host->cancelled(a->host->ctx))
			return error_set(err, STATUS_CANCELLED, "cancelled");
		a->remote->is_loading = false;
		a->remote->refused = (struct http_answer){.code = 0};
		status = write_request(a, err);
		if (status && ask_writes_again(a))
			continue;
		if (status)
			return status;
		status = send(a, &failed);
		verdict = ask_judge(a, status, &failed);
	}
	if (verdict == REPLY_IS_DONE)
		return STATUS_OK;
	return error_set(err, failed.status, "%s", failed.text);
}

static enum done_reason reason_of(const struct asking *a)
{
	const struct turn_stats *stats = &a->result->stats;
	uint32_t n_ctx = a->remote->info.n_ctx;

	switch (a->reply.end) {
	case CHUNK_END: return DONE_END;
	case CHUNK_STOP: return DONE_STOP;
	case CHUNK_CONTEXT: return DONE_CONTEXT;
	case CHUNK_FILTERED: return DONE_FILTERED;
	case CHUNK_LENGTH:
		return n_ctx && a->reply.usage.is_known && stats->n_ctx_used + 1 >= n_ctx ? DONE_CONTEXT : DONE_LENGTH;
	default: return DONE_EARLY;
	}
}

/* The turn's end, whatever has ended it. */
static enum status finish(struct asking *a, enum status status, struct error *err)
{
	struct backend_result *result = a->result;
	bool is_whole = !status && a->reply.end && a->reply.end != CHUNK_LENGTH;
	struct error flushed_err;
	enum status flushed = reply_end(&a->reply, is_whole, now_ms(a), &result->in_character, &flushed_err);

	result->reason = DONE_ERROR;
	if (status == STATUS_CANCELLED) {
		result->reason = DONE_CANCELLED;
		return STATUS_OK;
	}
	if (status)
		return status;
	if (flushed)
		return error_set(err, flushed, "%s", flushed_err.text);
	result->reason = a->ask.mode == BACKEND_WARM ? DONE_END : reason_of(a);
	return STATUS_OK;
}

enum status remote_run(struct remote *remote, const struct turn *turn, enum backend_mode mode,
                       const struct backend_host *host, struct backend_result *result, struct error *err)
{
	struct asking a = {.remote = remote, .host = host, .result = result, .ask = {.turn = turn, .mode = mode}};
	enum status status;

	result->reason = DONE_END;
	if (mode == BACKEND_EXAMINE || mode == BACKEND_SCORE)
		return error_set(err, STATUS_USAGE, "a server cannot evaluate given texts: that takes a model on this machine");
	if (mode == BACKEND_WARM && !remote->dialect->warms)
		return STATUS_OK;
	host->params(host->ctx, 0, &a.ask.params);
	a.ask.seed = a.ask.params.seed < 0 ? (int64_t)(remote_chance() >> 1) : a.ask.params.seed;
	remote->cancelled = host->cancelled;
	remote->cancel_ctx = host->ctx;
	remote_request_init(&a.request);
	reply_init(&a.reply, remote, &a.ask, host, &result->stats);
	stream_init(&a.stream, take_document, &a);
	chunk_init(&a.chunk);
	status = ask(&a, err);
	status = finish(&a, status, err);
	tell_learnt(&a);
	reply_free(&a.reply);
	chunk_free(&a.chunk);
	stream_free(&a.stream);
	remote_request_free(&a.request);
	http_answer_free(&a.answer);
	return status;
}
