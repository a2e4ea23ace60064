/* What the guide says of this machine, in the words that it was trained with
 * (tools/guide/facts.py, machine). */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "guide/guide_internal.h"
#include "models/offers.h"

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
	uint64_t most = available / 4 * 3, fast = offer_most_bytes(weight_rate);

	most = most < fast ? most : fast;
	if (!available)
		snprintf(out, 32, "1 GB");
	else if (most < giga)
		snprintf(out, 32, "%.1f GB", (double)most / (double)giga);
	else
		snprintf(out, 32, "%" PRIu64 " GB", most / giga);
}

/* "8B" of "Llama 3.1 8B Instruct". */
static const char *size_word(const char *name, size_t *len)
{
	for (;; name += *len + 1) {
		*len = strcspn(name, " ");
		if (*len > 1 && isdigit((unsigned char)name[0]) && strchr("BM", name[*len - 1]))
			return name;
		if (!name[*len])
			return NULL;
	}
}

/* "an 8B model in Q4_K_M"; the file's name ends with "-Q4_K_M.gguf". */
static void put_suggestion(char out[128], const struct offer *offer)
{
	size_t len;
	const char *size = size_word(offer->name, &len), *type = strrchr(offer->file, '-');

	if (size && type)
		snprintf(out, 128, "%s %.*s model in %.*s", size[0] == '8' ? "an" : "a", (int)len, size,
		         (int)strcspn(type + 1, "."), type + 1);
	else
		snprintf(out, 128, "%s", offer->file);
}

void guide_values_now(struct guide_values *out, size_t turn, double weight_rate)
{
	uint64_t available = sys_memory_available();

	put_gib(out->memory, sys_memory_total());
	put_gib(out->free, available);
	put_fits(out->fits, available, weight_rate);
	put_suggestion(out->suggestion, offer_choose(available, weight_rate));
	snprintf(out->version, sizeof out->version, "%s", PACKAGE_VERSION);
	snprintf(out->turn, sizeof out->turn, "%zu", (turn ? turn - 1 : 0) % GUIDE_TURNS + 1);
}
