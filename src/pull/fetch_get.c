/* A getter: takes spans of what is missing, asks for them and writes what comes, until none is left. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pull/again.h"
#include "pull/fetch_getter.h"
#include "pull/fetch_head.h"

/* ---- what getters share ---- */

void fetch_run_fail(struct fetch_run *run, enum status status, const struct error *err)
{
	if (run->status == STATUS_OK) {
		run->status = status;
		run->err = *err;
	}
	run->is_over = true;
	pthread_cond_broadcast(&run->moved);
}

enum step getter_fail(struct getter *getter, enum status status, const struct error *err)
{
	pthread_mutex_lock(&getter->run->lock);
	fetch_run_fail(getter->run, status, err);
	pthread_mutex_unlock(&getter->run->lock);
	return STEP_LEAVE;
}

static bool is_over(struct fetch_run *run)
{
	bool over;

	pthread_mutex_lock(&run->lock);
	over = run->is_over;
	pthread_mutex_unlock(&run->lock);
	return over;
}

static bool is_cancelled(void *ctx)
{
	struct getter *getter = ctx;

	return fetch_run_is_cancelled(getter->run) || is_over(getter->run);
}

static void tell_waiting(void *ctx, const char *text)
{
	const struct fetch *fetch = ((struct getter *)ctx)->run->fetch;

	if (fetch->waiting)
		fetch->waiting(fetch->ctx, text);
}

void getter_name_host(const struct getter *getter, char host[WEB_HOST_MAX])
{
	http_host(getter->place.base, host, WEB_HOST_MAX);
}

/* ---- a call ---- */

static enum status call(struct getter *getter, struct error *err)
{
	struct fetch_run *run = getter->run;
	const struct http_target target = {.url = getter->place.base, .key = getter->place.key, .ca = web_ca()};
	const struct http_limits limits = {.connect = WEB_CONNECT_MS, .first_byte = again_silence_ms(), .silence = again_silence_ms()};
	struct http_header headers[3] = {{"Accept-Encoding", "identity"}};
	struct http_call request = {
		.target = &target, .path = getter->place.path, .headers = headers, .n_headers = 1, .limits = limits,
		.stops_at_redirect = true, .cancelled = is_cancelled, .take = getter_take, .is_bulk = true, .ctx = getter,
	};
	char range[64], version[sizeof run->version];

	pthread_mutex_lock(&run->lock);
	memcpy(version, run->version, sizeof version);
	pthread_mutex_unlock(&run->lock);
	getter->from = getter->span->at;
	getter->to = run->size ? getter->span->to : 0;
	getter->asks_range = getter->from > 0 || (run->size && getter->to != run->size);
	getter->is_checked = false;
	getter->verdict = VERDICT_NONE;
	if (getter->to)
		snprintf(range, sizeof range, "bytes=%" PRIu64 "-%" PRIu64, getter->from, getter->to - 1);
	else
		snprintf(range, sizeof range, "bytes=%" PRIu64 "-", getter->from);
	if (getter->asks_range)
		headers[request.n_headers++] = (struct http_header){"Range", range};
	if (getter->asks_range && fetch_head_is_strong(version) && !run->fetch->digest[0])
		headers[request.n_headers++] = (struct http_header){"If-Range", version};
	return http_call(getter->web.http, &request, &getter->answer, err);
}

/* ---- after a call ---- */

/* Asked again after a while; or this getter leaves the work to others, and the last of them fails. */
static enum step try_again(struct getter *getter, const struct http_answer *answer, enum status status,
                           struct error *err)
{
	struct fetch_run *run = getter->run;
	char host[WEB_HOST_MAX];
	bool has_begun, is_last;
	int64_t ms;

	pthread_mutex_lock(&run->lock);
	has_begun = run->fresh > 0;
	is_last = run->n_active == 1;
	pthread_mutex_unlock(&run->lock);
	ms = again_wait(&getter->n_failed, answer, has_begun);
	if (getter->place.base)
		getter_name_host(getter, host);
	else
		snprintf(host, sizeof host, "%s", "the server");
	if (ms >= 0 && getter->verdict == VERDICT_BAD)
		again_pause_for(&getter->web, err->text, ms, getter->n_failed);
	else if (ms >= 0)
		again_pause(&getter->web, host, answer, ms, getter->n_failed);
	if (ms >= 0)
		return STEP_AGAIN;
	status = again_give_up(host, answer, status, err);
	if (is_last)
		return getter_fail(getter, status, err);
	pthread_mutex_lock(&run->lock);
	run->last_err = *err;
	pthread_mutex_unlock(&run->lock);
	return STEP_LEAVE;
}

/* A page of a network that wants a login, maybe. What is there stays, also where nothing better comes. */
static enum step wrong_size(struct getter *getter)
{
	struct error err;

	getter->answer.trouble = HTTP_BROKEN;
	return try_again(getter, &getter->answer,
	                 getter_bad(getter, &err, "sends a file that is not as large as was promised"), &err);
}

static enum step throw_away(struct getter *getter, enum fetch_anew why)
{
	struct fetch_run *run = getter->run;

	if (why == ANEW_SIZE && getter_has_vouched(getter))
		return wrong_size(getter);
	pthread_mutex_lock(&run->lock);
	if (run->anew == ANEW_NOT)
		run->anew = why;
	run->is_over = true;
	pthread_cond_broadcast(&run->moved);
	pthread_mutex_unlock(&run->lock);
	return STEP_LEAVE;
}

/* An answer with an end, where nobody knew how long it would be. */
static void end_unknown(struct getter *getter)
{
	struct fetch_run *run = getter->run;

	pthread_mutex_lock(&run->lock);
	if (!run->has_size) {
		run->size = getter->span->at;
		run->has_size = true;
		spans_set_size(&run->spans, run->size);
	}
	pthread_mutex_unlock(&run->lock);
}

static enum step refused(struct getter *getter)
{
	struct error err;
	char host[WEB_HOST_MAX];

	getter_name_host(getter, host);
	return getter_fail(getter, error_set(&err, STATUS_IO, "%s does not give the file (%d)", host, getter->answer.code), &err);
}

static enum step judge_answer(struct getter *getter, struct error *err)
{
	struct http_answer *answer = &getter->answer;
	enum status status = STATUS_OK;

	if (answer->redirect.len > 0)
		return getter_follow(getter);
	if (answer->code == 401 || answer->code == 403)
		return getter_locate_again(getter);
	if (answer->code == 416)
		return throw_away(getter, ANEW_SIZE);
	if (again_is_passing(answer->code))
		return try_again(getter, answer, STATUS_OK, err);
	if (answer->code / 100 != 2)
		return refused(getter);
	if (!getter->is_checked)
		status = getter_check_head(getter, err);
	if (getter->verdict == VERDICT_ANEW)
		return throw_away(getter, getter->anew);
	if (status == STATUS_OK)
		end_unknown(getter);
	if (status == STATUS_OK && getter->span->at == getter->span->to)
		return STEP_NEXT;
	if (status == STATUS_OK)
		status = getter_bad(getter, err, "sends fewer bytes than were asked for");
	answer->trouble = HTTP_BROKEN;
	return try_again(getter, answer, status, err);
}

static enum step judge(struct getter *getter, enum status status, struct error *err)
{
	if (fetch_run_is_cancelled(getter->run))
		return getter_fail(getter, error_set(err, STATUS_CANCELLED, "stopped: what is there is kept"), err);
	if (is_over(getter->run))
		return STEP_LEAVE;
	if (getter->verdict == VERDICT_ANEW)
		return throw_away(getter, getter->anew);
	if (getter->verdict == VERDICT_DISK)
		return getter_fail(getter, status, err);
	if (getter->is_checked && getter->run->has_size && getter->span->at == getter->span->to)
		return STEP_NEXT; /* whatever became of the connection */
	if (status == STATUS_OK)
		return judge_answer(getter, err);
	if (getter->verdict == VERDICT_BAD)
		getter->answer.trouble = HTTP_BROKEN;
	return try_again(getter, &getter->answer, status, err);
}

/* Nobody says where the bytes are. */
static enum step no_place(struct getter *getter, enum status status, struct error *err)
{
	const struct http_answer away = {.trouble = HTTP_NO_ROUTE, .retry_after_ms = -1};

	if (fetch_run_is_cancelled(getter->run))
		return getter_fail(getter, error_set(err, STATUS_CANCELLED, "stopped: what is there is kept"), err);
	if (is_over(getter->run))
		return STEP_LEAVE;
	return status == STATUS_IO ? try_again(getter, &away, status, err) : getter_fail(getter, status, err);
}

static enum step fill(struct getter *getter)
{
	struct error err = {.text = ""};
	enum status status = getter_find_place(getter, &err);
	enum step step;

	getter->verdict = VERDICT_NONE;
	if (status != STATUS_OK)
		return no_place(getter, status, &err);
	status = call(getter, &err);
	step = judge(getter, status, &err);
	http_answer_free(&getter->answer);
	return step;
}

/* ---- the thread ---- */

static bool next_span(struct getter *getter)
{
	struct fetch_run *run = getter->run;

	pthread_mutex_lock(&run->lock);
	if (getter->span)
		spans_give_back(&run->spans, getter->span);
	getter->span = run->is_over ? NULL : spans_take(&run->spans, run->most, run->least, run->n_getters);
	pthread_mutex_unlock(&run->lock);
	return getter->span != NULL;
}

static void leave(struct getter *getter)
{
	struct fetch_run *run = getter->run;

	pthread_mutex_lock(&run->lock);
	if (getter->span)
		spans_give_back(&run->spans, getter->span);
	if (--run->n_active == 0)
		run->is_over = true;
	pthread_cond_broadcast(&run->moved);
	pthread_mutex_unlock(&run->lock);
}

void fetch_get(struct fetch_run *run)
{
	struct getter getter = {.run = run, .web = {.cancelled = is_cancelled, .ctx = &getter, .waiting = tell_waiting}};
	struct error err;
	enum step step = STEP_NEXT;
	enum status status = http_create(&getter.web.http, &err);

	if (status != STATUS_OK)
		step = getter_fail(&getter, status, &err);
	while (step != STEP_LEAVE && (step == STEP_AGAIN || next_span(&getter)))
		step = fill(&getter);
	leave(&getter);
	web_place_free(&getter.place);
	http_free(getter.web.http);
}
