#include <criterion/criterion.h>

#include "pull/puller.h"

static const struct {
	struct puller_progress progress;
	const char *text;
} rows[] = {
	{{FETCH_ASKING, 0, 2500000000, 0, -1, ""}, "asking where it is"},
	{{FETCH_GETTING, 0, 2500000000, 0, -1, ""}, "0 % of 2.50 GB"},
	{{FETCH_GETTING, 1136000000, 2500000000, 34.06e6, 41.2, ""}, "45 % of 2.50 GB, 34.1 MB/s, 41 s left"},
	{{FETCH_GETTING, 2499999999, 2500000000, 34.06e6, 0.2, ""}, "99 % of 2.50 GB, 34.1 MB/s, 0 s left"},
	{{FETCH_GETTING, 10, 2500000000, 12000, 600, ""}, "0 % of 2.50 GB, 12 kB/s, 10 min left"},
	{{FETCH_GETTING, 10, 2500000000, 12, 36000, ""}, "0 % of 2.50 GB, 12 B/s, 10 h left"},
	{{FETCH_GETTING, 12345678, 0, 1e6, -1, ""}, "12.3 MB, 1.0 MB/s"},
	{{FETCH_OTHERS, 5, 10, 0, -1, ""}, "another sotto fetches it: 50 % of 10 B"},
	{{FETCH_CHECKING, 10, 10, 5, 1, ""}, "checking"},
	{{FETCH_GETTING, 1, 2, 5, 1, "box is busy: asked again in 8 s (2 of 6)"}, "box is busy: asked again in 8 s (2 of 6)"},
};

Test(puller_progress, table)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buf text = {.max = 1000};

		puller_progress_put(&rows[i].progress, &text);
		cr_expect_str_eq(buf_text(&text), rows[i].text);
		buf_free(&text);
	}
}
