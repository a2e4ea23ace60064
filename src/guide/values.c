/* What the guide says of this machine, in the words that it was trained with
 * (tools/guide/facts.py, machine). */
#include <inttypes.h>
#include <stdio.h>

#include "base/sys.h"
#include "catalog/recommended_models.h"
#include "guide/guide_internal.h"

static void put_gib(char out[32], uint64_t bytes)
{
	if (bytes)
		snprintf(out, 32, "%.1f GiB", (double)bytes / (1 << 30));
	else
		snprintf(out, 32, "an unknown amount");
}

/* The largest file that is fast enough: a quarter of the memory is for the cache, and for others. */
static void put_fits(char out[32], uint64_t available, double weight_rate)
{
	const uint64_t giga = 1000000000;
	uint64_t most = available / 4 * 3, fast = recommended_most_bytes(weight_rate);

	most = most < fast ? most : fast;
	if (!available)
		snprintf(out, 32, "1 GB");
	else if (most < giga)
		snprintf(out, 32, "%.1f GB", (double)most / (double)giga);
	else
		snprintf(out, 32, "%" PRIu64 " GB", most / giga);
}

void guide_values_now(struct guide_values *out, size_t turn, double weight_rate)
{
	uint64_t available = sys_memory_available();

	put_gib(out->memory, sys_memory_total());
	put_gib(out->free, available);
	put_fits(out->fits, available, weight_rate);
	recommended_words(recommended_choose(available, weight_rate), out->suggestion,
	                  sizeof out->suggestion);
	snprintf(out->version, sizeof out->version, "%s", PACKAGE_VERSION);
	snprintf(out->turn, sizeof out->turn, "%zu", (turn ? turn - 1 : 0) % GUIDE_TURNS + 1);
}
