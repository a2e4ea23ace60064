#include "remote/retry.h"

#include <sys/random.h>
#include <time.h>

#include "base/sys.h"

static void sleep_ms(uint64_t ms)
{
	const struct timespec time = {.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000};

	nanosleep(&time, NULL);
}

const struct remote_clock remote_real_clock = {sys_now_ms, sleep_ms};

uint32_t remote_chance(void)
{
	uint32_t number = 0;

	if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number)
		number = (uint32_t)sys_now_us() * 2654435761U;
	return number;
}

static bool is_worth_it(const struct http_answer *answer)
{
	switch (answer->trouble) {
	case HTTP_FINE:
		return answer->code == 429 || answer->code == 502 || answer->code == 503 || answer->code == 504;
	case HTTP_REFUSED: case HTTP_BROKEN:
		return true;
	default:
		return false;
	}
}

int64_t retry_wait(struct retry *retry, const struct http_answer *answer, bool is_loading, uint32_t chance)
{
	int64_t ms;

	if (is_loading)
		return retry->n_loading++ < RETRY_LOADING_MAX ? RETRY_LOADING_MS : -1;
	if (!is_worth_it(answer) || retry->n >= RETRY_MAX)
		return -1;
	ms = (int64_t)1000 << retry->n++;
	ms += (int64_t)(chance % (uint32_t)(ms / 2 + 1)) - ms / 4;
	if (answer->retry_after_ms >= 0)
		ms = answer->retry_after_ms > RETRY_AFTER_MIN_MS ? answer->retry_after_ms : RETRY_AFTER_MIN_MS;
	return ms <= RETRY_AFTER_MAX_MS ? ms : -1;
}
