/* How far a fetch is, in words. */
#include <inttypes.h>

#include "base/amount.h"
#include "pull/puller.h"

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
	char amount[AMOUNT_TEXT_MAX];

	if (progress->all) /* not 100 before all is there */
		buf_printf(out, "%.0f %% of ", (double)(uint64_t)((double)progress->done * 100 / (double)progress->all));
	buf_puts(out, amount_thousands(amount, progress->all ? progress->all : progress->done));
	if (progress->rate > 0)
		buf_printf(out, ", %s/s", amount_thousands(amount, (uint64_t)(progress->rate + 0.5)));
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
