#include "net/transfer.h"

#include "base/limits.h"
#include "base/sys.h"
#include "net/pipe_guard.h"

enum {
	STEP_MS = 20,    /* the longest that nobody asks whether it is cancelled */
	TELL_MS = 1000,
};

static bool is_cancelled(const struct http_call *call)
{
	return call->cancelled && call->cancelled(call->ctx);
}

/* Hands over what libcurl has left, outside of libcurl. */
static enum status deliver(struct transfer *transfer, struct error *err)
{
	struct buf *pending = &transfer->pending;
	enum status status = transfer->taken;

	if (status == STATUS_OK && pending->len > 0)
		status = transfer->call->take(transfer->call->ctx, pending->data, pending->len, err);
	buf_clear(pending);
	return status;
}

static void enter(struct transfer *transfer, enum http_phase phase, uint64_t now)
{
	transfer->phase = phase;
	transfer->phase_began = transfer->last_byte = transfer->told = now;
	if (transfer->call->phase)
		transfer->call->phase(transfer->call->ctx, phase, 0);
}

/* Since when nothing has moved; in CONNECTING since it began. */
static uint64_t still_since(const struct transfer *transfer)
{
	return transfer->phase == HTTP_RECEIVING ? transfer->last_byte : transfer->phase_began;
}

/* While a long body is being sent, the wait for the answer has not begun. */
static void watch_sending(struct transfer *transfer, uint64_t now)
{
	curl_off_t n_sent = 0;

	transfer->curl->easy_getinfo(transfer->easy, CURLINFO_SIZE_UPLOAD_T, &n_sent);
	if (n_sent > transfer->n_sent)
		transfer->phase_began = now;
	transfer->n_sent = n_sent;
}

static void watch_phase(struct transfer *transfer, uint64_t now)
{
	curl_off_t until_sending = 0;

	transfer->curl->easy_getinfo(transfer->easy, CURLINFO_PRETRANSFER_TIME_T, &until_sending);
	if (transfer->phase == HTTP_CONNECTING && until_sending > 0)
		enter(transfer, HTTP_WAITING, now);
	if (transfer->phase == HTTP_WAITING && transfer->has_head)
		enter(transfer, HTTP_RECEIVING, now);
	if (transfer->phase == HTTP_WAITING)
		watch_sending(transfer, now);
	if (transfer->call->phase && now - transfer->told >= TELL_MS) {
		transfer->told = now;
		transfer->call->phase(transfer->call->ctx, transfer->phase, now - still_since(transfer));
	}
}

static enum passed_limit passed_limit(const struct transfer *transfer, uint64_t now)
{
	static const enum passed_limit names[] = {PASSED_CONNECT, PASSED_FIRST_BYTE, PASSED_SILENCE};
	const struct http_limits *limits = &transfer->call->limits;
	const uint64_t of_phase[] = {limits->connect, limits->first_byte, limits->silence};
	uint64_t limit = of_phase[transfer->phase];

	if (limits->whole && now - transfer->began >= limits->whole)
		return PASSED_WHOLE;
	return limit && now - still_since(transfer) >= limit ? names[transfer->phase] : PASSED_NONE;
}

/* Whether the transfer is over; transfer->result says how. */
static bool perform(struct transfer *transfer)
{
	const struct curl *curl = transfer->curl;
	struct pipe_guard guard;
	CURLMsg *message;
	CURLMcode code;
	int n_running, n_left;

	pipe_guard_begin(&guard);
	code = curl->multi_perform(transfer->multi, &n_running);
	pipe_guard_end(&guard);
	if (code != CURLM_OK) {
		transfer->result = CURLE_OUT_OF_MEMORY;
		return true;
	}
	while ((message = curl->multi_info_read(transfer->multi, &n_left)))
		if (message->msg == CURLMSG_DONE && message->easy_handle == transfer->easy) {
			transfer->result = message->data.result;
			return true;
		}
	return false;
}

static enum status run(struct transfer *transfer, struct error *err)
{
	for (;;) {
		bool is_over;
		uint64_t now;
		enum status status;

		if (is_cancelled(transfer->call))
			return error_set(err, STATUS_CANCELLED, "cancelled");
		is_over = perform(transfer);
		now = sys_now_ms();
		watch_phase(transfer, now);
		status = deliver(transfer, err);
		if (status != STATUS_OK || is_over)
			return status;
		transfer->passed = passed_limit(transfer, now);
		if (transfer->passed != PASSED_NONE)
			return STATUS_OK;
		transfer->curl->multi_poll(transfer->multi, NULL, 0, STEP_MS, NULL);
	}
}

enum status transfer_run(struct transfer *transfer, struct error *err)
{
	struct pipe_guard guard;
	enum status status = handle_create(transfer, err);
	bool is_well;

	if (status != STATUS_OK)
		return status;
	buf_init(&transfer->pending, LIMIT_HTTP_BODY);
	transfer->err = err;
	enter(transfer, HTTP_CONNECTING, sys_now_ms());
	status = run(transfer, err);
	is_well = status == STATUS_OK && transfer->passed == PASSED_NONE && transfer->result == CURLE_OK;
	pipe_guard_begin(&guard);
	handle_free(transfer, is_well);
	pipe_guard_end(&guard);
	buf_free(&transfer->pending);
	return status;
}
