#include "remote/waiting.h"

#include <stdio.h>

#include "remote/retry.h"

enum {
	WORTH_MS = 1000,        /* before the first token: how long nothing has come */
	SILENCE_WORTH_MS = 3000, /* in a reply */
	SLICE_MS = 20,
};

static void tell(const struct backend_host *host, const char *text, bool is_retry)
{
	backend_tell(host, &(struct event){.kind = EVENT_WAITING, .u.waiting = {.text = text, .is_retry = is_retry}});
}

void waiting_tell(const struct remote *remote, const struct backend_host *host, enum http_phase phase, uint64_t ms,
                  bool has_begun)
{
	const char *name = remote->server->name;
	unsigned long long s = ms / 1000;
	char text[160];

	if (ms < (has_begun ? SILENCE_WORTH_MS : WORTH_MS))
		return;
	if (has_begun)
		snprintf(text, sizeof text, "%s has been silent for %llu s", name, s);
	else if (phase == HTTP_CONNECTING)
		snprintf(text, sizeof text, "connecting to %s (%llu s)", name, s);
	else if (remote->is_loading)
		snprintf(text, sizeof text, "%s loads the model (%llu s)", name, s);
	else
		snprintf(text, sizeof text, "waiting for %s: no answer yet (%llu s)", name, s);
	tell(host, text, false);
}

/* Why a request has failed. */
static void describe(const struct remote *remote, const struct http_answer *answer, char *out, size_t size)
{
	const char *name = remote->server->name;

	if (remote->is_loading && !answer->trouble)
		snprintf(out, size, "%s is loading its model", name);
	else if (answer->trouble == HTTP_REFUSED)
		snprintf(out, size, "nothing listens at %s", name);
	else if (answer->trouble)
		snprintf(out, size, "the connection to %s broke", name);
	else if (answer->code == 429 || answer->code == 503)
		snprintf(out, size, "%s is busy", name);
	else
		snprintf(out, size, "%s cannot answer (%d)", name, answer->code);
}

bool waiting_pause(const struct remote *remote, const struct backend_host *host, const struct http_answer *answer,
                   uint64_t ms, unsigned try)
{
	const struct remote_clock *clock = remote->clock ? remote->clock : &remote_real_clock;
	uint64_t end = clock->now_ms() + ms, told = 0;
	char why[120], text[200];

	describe(remote, answer, why, sizeof why);
	for (;;) {
		uint64_t now = clock->now_ms(), left = now < end ? (end - now + 999) / 1000 : 0;

		if (host->cancelled(host->ctx))
			return false;
		if (now >= end)
			return true;
		if (left != told && try)
			snprintf(text, sizeof text, "%s: asked again in %llu s (%u of %d)", why, (unsigned long long)left, try,
			         RETRY_MAX);
		else
			snprintf(text, sizeof text, "%s", why);
		if (left != told)
			tell(host, text, true);
		told = left;
		clock->sleep_ms(SLICE_MS);
	}
}
