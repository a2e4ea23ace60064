#include "pull/again.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "base/sys.h"

enum { SLICE_MS = 20 };

bool again_is_passing(int code)
{
	return code == 408 || code == 429 || code / 100 == 5;
}

static bool is_worth_it(const struct http_answer *answer, bool has_begun)
{
	switch (answer->trouble) {
	case HTTP_FINE: return again_is_passing(answer->code);
	case HTTP_BROKEN: case HTTP_NO_ANSWER: case HTTP_SILENT: return true;
	case HTTP_REFUSED: case HTTP_NO_ROUTE: case HTTP_NO_HOST: return has_begun;
	default: return false;
	}
}

/* The hub's header, `RateLimit: "api";r=0;t=55`: nothing is left, and the window ends in 55 s. -1: it does not say. */
static int64_t rate_limit_ms(const struct http_answer *answer)
{
	const char *head = buf_text(&answer->head), *line = head, *at;
	int64_t seconds = 0;

	do
		line = strstr(line == head ? head : line + 1, "ratelimit: ");
	while (line && line != head && line[-1] != '\n');
	at = line ? strstr(line, ";t=") : NULL;
	if (!at || at >= line + strcspn(line, "\n") || !number_is_digit(at[3]))
		return -1;
	for (at += 3; number_is_digit(*at) && seconds < AGAIN_LONGEST_S; at++)
		seconds = seconds * 10 + (*at - '0');
	return seconds * 1000;
}

int64_t again_wait(unsigned *n, const struct http_answer *answer, bool has_begun)
{
	int64_t ms, said = answer->retry_after_ms;

	if (!is_worth_it(answer, has_begun) || *n >= AGAIN_MAX)
		return -1;
	ms = (int64_t)1000 << (*n)++;
	if (answer->code == 429 && said < 0)
		said = rate_limit_ms(answer);
	if (said >= 0)
		ms = said;
	return ms <= (int64_t)AGAIN_LONGEST_S * 1000 ? ms : -1;
}

static void describe(const char *host, const struct http_answer *answer, char *out, size_t size)
{
	if (answer->trouble == HTTP_NO_HOST || answer->trouble == HTTP_NO_ROUTE)
		snprintf(out, size, "there is no way to %s", host);
	else if (answer->trouble == HTTP_REFUSED)
		snprintf(out, size, "nothing listens at %s", host);
	else if (answer->trouble == HTTP_SILENT || answer->trouble == HTTP_NO_ANSWER)
		snprintf(out, size, "%s is silent", host);
	else if (answer->trouble)
		snprintf(out, size, "the connection to %s broke", host);
	else if (answer->code == 429 || answer->code == 503)
		snprintf(out, size, "%s is busy", host);
	else
		snprintf(out, size, "%s cannot answer (%d)", host, answer->code);
}

static void sleep_ms(uint64_t ms)
{
	const struct timespec time = {.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000};

	nanosleep(&time, NULL);
}

static uint64_t for_tests(const char *variable, uint64_t usual)
{
	const char *text = sys_variable(variable);
	int64_t ms;

	return text && number_parse_int(text, &ms) && ms > 0 ? (uint64_t)ms : usual;
}

uint64_t again_silence_ms(void)
{
	return for_tests("SOTTO_TEST_PULL_SILENCE", 30 * 1000);
}

static bool is_cancelled(const struct web *web)
{
	return web->cancelled && web->cancelled(web->ctx);
}

static void tell(const struct web *web, const char *text)
{
	if (web->waiting)
		web->waiting(web->ctx, text);
}

bool again_pause_for(const struct web *web, const char *why, int64_t ms, unsigned n)
{
	uint64_t second = for_tests("SOTTO_TEST_PULL_SECOND", 1000), now = sys_now_ms(), end = now + (uint64_t)ms * second / 1000, told = UINT64_MAX;

	for (; now < end && !is_cancelled(web); now = sys_now_ms()) {
		uint64_t left = (end - now + second - 1) / second, slice = end - now < SLICE_MS ? end - now : SLICE_MS;
		char text[200];

		if (left != told) {
			snprintf(text, sizeof text, "%s: asked again in %llu s (%u of %d)", why, (unsigned long long)left, n,
			         AGAIN_MAX);
			tell(web, text);
		}
		told = left;
		sleep_ms(slice);
	}
	tell(web, "");
	return !is_cancelled(web);
}

bool again_pause(const struct web *web, const char *host, const struct http_answer *answer, int64_t ms, unsigned n)
{
	char why[160];

	describe(host, answer, why, sizeof why);
	return again_pause_for(web, why, ms, n);
}

enum status again_give_up(const char *host, const struct http_answer *answer, enum status status, struct error *err)
{
	if (status != STATUS_OK)
		return status;
	if (answer->code == 429)
		return error_set(err, STATUS_IO, "%s is busy (429): try again later", host);
	return error_set(err, STATUS_IO, "%s cannot answer (%d): try again later", host, answer->code);
}
