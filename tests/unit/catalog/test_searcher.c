#include <criterion/criterion.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/searcher.h"
#include "engine/options.h"

static void init(void)
{
	setenv("HOME", "/nonexistent", 1);
	setenv("SOTTO_TEST_WEIGHT_RATE", "20e9", 1);
}

TestSuite(searcher, .init = init, .timeout = 600);

/* What the catalog of a search says of the machine's speed. */
static double search(struct searcher *searcher, bool may_measure)
{
	struct engine_params params = engine_params_default();
	struct catalog *catalog;
	struct pollfd fd;
	char model[] = "none.gguf";
	double rate;
	struct error err;

	params.model = model;
	cr_assert_eq(searcher_start(searcher, &params, may_measure, &err), STATUS_OK);
	memset(model, '!', sizeof model - 1); /* what it is given is copied */
	cr_assert_eq(searcher_start(searcher, &params, may_measure, &err), STATUS_BUSY);
	fd = (struct pollfd){.fd = job_fd(&searcher->job), .events = POLLIN};
	cr_assert_eq(poll(&fd, 1, 120000), 1);
	cr_assert(job_is_over(&searcher->job));
	cr_assert_eq(searcher_take(searcher, &catalog, &err), STATUS_OK);
	rate = catalog->weight_rate;
	catalog_free(catalog);
	return rate;
}

Test(searcher, measures_the_machine_once_and_not_beside_a_reply)
{
	struct searcher searcher = {.weight_rate = 0};

	cr_assert_eq(search(&searcher, false), 0);
	cr_assert_eq(search(&searcher, true), 20e9);
	setenv("SOTTO_TEST_WEIGHT_RATE", "30e9", 1);
	cr_assert_eq(search(&searcher, true), 20e9);
	cr_assert_eq(search(&searcher, false), 20e9);
}

Test(searcher, may_end_at_any_time)
{
	const struct engine_params params = engine_params_default();
	struct searcher searcher = {.weight_rate = 0};
	struct error err;

	searcher_end(&searcher);
	for (int i = 0; i < 20; i++) {
		struct catalog *catalog;
		enum status status;

		cr_assert_eq(searcher_start(&searcher, &params, false, &err), STATUS_OK);
		if (i % 2) {
			job_stop(&searcher.job);
			status = searcher_take(&searcher, &catalog, &err);
			cr_assert(status == STATUS_OK || status == STATUS_CANCELLED, "%s", err.text);
			catalog_free(catalog);
		}
		searcher_end(&searcher);
		cr_assert_eq(job_fd(&searcher.job), -1);
	}
}
