/* A file that nobody vouches for: no digest says what it is, and only the server's tags tell its versions apart. */
#include <criterion/criterion.h>
#include <string.h>

#include "fetching.h"

enum { SMALL = 100 * 1000 + 7 };

Test(fetch, knows_nothing_before)
{
	struct fetching fetching;

	for (int i = 0; i < 3; i++) {
		fetching_begin(&fetching, NULL, SMALL);
		fetching.fetch.digest = "";
		fetching.fetch.size = i == 1 ? SMALL : 0;
		if (i == 2)
			hub_server_fault(fetching.server, &(struct hub_fault){HUB_BYTES, HUB_CHUNKED});
		fetching_run(&fetching);
		fetching_expect_whole(&fetching);
		fetching_end(&fetching);
	}
}

Test(fetch, goes_on_with_the_same_version_alone)
{
	struct fetching fetching;
	const struct hub_request *request;

	fetching_begin(&fetching, NULL, SMALL);
	fetching.fetch.digest = "";
	fetching.fetch.size = 0;
	fetching.cancel_at = 30000;
	hub_server_fault(fetching.server, &(struct hub_fault){HUB_BYTES, HUB_STANDS_STILL, .at = 30000, .n = 1});
	fetching_run(&fetching);
	cr_assert_eq(fetching.status, STATUS_CANCELLED);
	cr_expect_eq(fetch_kept(fetching.path), 30000);
	fetching.cancel_at = 0;
	/* Another file is there now. */
	fetching.size = SMALL / 2;
	hub_server_put(fetching.server, "owner/repo", "x.gguf", "", 0, fetching.size);
	fetching_run(&fetching);
	fetching_expect_whole(&fetching);
	request = hub_server_request(fetching.server, HUB_BYTES, 1);
	cr_assert_not_null(request);
	cr_expect_not_null(strstr(request->headers, "if-range: \""), "%s", request->headers);
	fetching_end(&fetching);
}

/* Whatever form the tag has: bytes of two versions never come into one file. */
Test(fetch, begins_anew_where_the_version_changes)
{
	static const char *const tags[] = {"\"other\"", "W/\"other\"", "other", "\"a\", \"b\""};

	for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
		struct fetching fetching;
		const struct hub_request *last;

		fetching_begin(&fetching, NULL, SMALL);
		fetching.fetch.digest = "";
		hub_server_fault(fetching.server, &(struct hub_fault){HUB_BYTES, HUB_CUTS, .at = 30000, .n = 1});
		hub_server_fault(fetching.server, &(struct hub_fault){HUB_BYTES, HUB_ETAG, .text = tags[i], .first = 2, .n = 1});
		fetching_run(&fetching);
		fetching_expect_whole(&fetching);
		cr_expect_eq(hub_server_n_requests(fetching.server, HUB_BYTES), 3, "%s", tags[i]);
		last = hub_server_request(fetching.server, HUB_BYTES, 2);
		cr_expect(last && !strstr(last->headers, "\nrange: "), "%s: all of it", tags[i]);
		fetching_end(&fetching);
	}
}

/* A tag that is not strong does not vouch for what an earlier fetch has left; nor is one sent that no header may have. */
Test(fetch, goes_on_later_by_strong_tags_alone)
{
	static const char *const tags[] = {"W/\"x\"", "x", "\"x\1\"", "\"x\", \"y\"", ""};

	for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
		struct fetching fetching;

		fetching_begin(&fetching, NULL, SMALL);
		fetching.fetch.digest = "";
		hub_server_fault(fetching.server, &(struct hub_fault){HUB_BYTES, HUB_ETAG, .text = tags[i]});
		fetching.cancel_at = 1;
		fetching_run(&fetching);
		fetching.cancel_at = 0;
		fetching_run(&fetching);
		fetching_expect_whole(&fetching);
		for (size_t j = 0; j < hub_server_n_requests(fetching.server, HUB_BYTES); j++)
			cr_expect_not(strstr(hub_server_request(fetching.server, HUB_BYTES, j)->headers, "\nif-range: "), "%s", tags[i]);
		fetching_end(&fetching);
	}
}
