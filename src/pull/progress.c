/* How far a fetch is, in words. */
#include <inttypes.h>

#include "pull/puller.h"

/* GB are 10^9 bytes, as the hub shows them. */
static void put_amount(struct buf *out, double n, const char *behind)
{
	if (n >= 1e9)
		buf_printf(out, "%.2f GB%s", n / 1e9, behind);
	else if (n >= 1e6)
		buf_printf(out, "%.1f MB%s", n / 1e6, behind);
	else if (n >= 1e3)
		buf_printf(out, "%.0f kB%s", n / 1e3, behind);
	else
		buf_printf(out, "%.0f B%s", n, behind);
}

static void put_left(struct buf *out, double seconds)
{
	uint64_t n = seconds < 1e7 ? (uint64_t)(seconds + 0.5) : 10000000;

	if (n < 100)
		buf_printf(out, "%" PRIu64 " s left", n);
	else if (n < 6000)
		buf_printf(out, "%" PRIu64 " min left", (n + 30) / 60);
	else
		buf_printf(out, "%" PRIu64 " h left", (n + 1800) / 3600);
}

static void put_done(struct buf *out, const struct puller_progress *progress)
{
	if (progress->all) {
		/* Not 100 before all is there. */
		buf_printf(out, "%.0f %% of ", (double)(uint64_t)((double)progress->done * 100 / (double)progress->all));
		put_amount(out, (double)progress->all, "");
	} else {
		put_amount(out, (double)progress->done, "");
	}
	if (progress->rate > 0) {
		buf_puts(out, ", ");
		put_amount(out, progress->rate, "/s");
	}
	if (progress->left >= 0) {
		buf_puts(out, ", ");
		put_left(out, progress->left);
	}
}

void puller_progress_put(const struct puller_progress *progress, struct buf *out)
{
	if (progress->waiting[0]) {
		buf_puts(out, progress->waiting);
		return;
	}
	switch (progress->phase) {
	case FETCH_ASKING:
		if (!progress->done) {
			buf_puts(out, "asking where it is");
			return;
		}
		break;
	case FETCH_OTHERS:
		buf_puts(out, "another sotto fetches it: ");
		break;
	case FETCH_CHECKING:
		buf_puts(out, "checking");
		return;
	case FETCH_GETTING:
		break;
	}
	put_done(out, progress);
}
