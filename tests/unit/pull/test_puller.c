#include <criterion/criterion.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "pull/puller.h"

static const struct pull_machine machine = {0};

/* Until its job is over. */
static void wait_for(struct puller *puller)
{
	while (puller_fd(puller) >= 0) {
		struct pollfd poller = {.fd = puller_fd(puller), .events = POLLIN};

		cr_assert_geq(poll(&poller, 1, -1), 0);
		(void)puller_update(puller);
	}
}

static struct puller *make(void)
{
	struct puller *puller;

	cr_assert_eq(puller_create(&puller, NULL), STATUS_OK);
	cr_assert_eq(puller_state(puller), PULLER_IDLE);
	cr_assert_eq(puller_fd(puller), -1);
	return puller;
}

Test(puller, a_wrong_name_fails)
{
	struct puller *puller = make();

	cr_assert_eq(puller_look(puller, "a//b", &machine, NULL), STATUS_OK);
	cr_expect_eq(puller_state(puller), PULLER_LOOKING);
	cr_expect_eq(puller_look(puller, "a/b", &machine, NULL), STATUS_BUSY);
	wait_for(puller);
	cr_expect_eq(puller_state(puller), PULLER_FAILED);
	cr_expect(strstr(puller_error(puller)->text, "not the name of a repository"));
	cr_expect_str_eq(puller_name(puller), "a//b");
	cr_expect_null(puller_offer(puller));
	cr_expect_null(puller_model(puller));
	cr_expect_eq(puller_fetch(puller, 0, NULL), STATUS_USAGE);
	puller_forget(puller);
	cr_expect_eq(puller_state(puller), PULLER_IDLE);
	puller_free(puller);
}

Test(puller, offline_says_which_variable)
{
	struct puller *puller = make();

	setenv("HF_HUB_OFFLINE", "1", 1);
	cr_assert_eq(puller_look(puller, "owner/repo", &machine, NULL), STATUS_OK);
	wait_for(puller);
	cr_expect_eq(puller_state(puller), PULLER_FAILED);
	cr_expect(strstr(puller_error(puller)->text, "HF_HUB_OFFLINE is set"), "%s", puller_error(puller)->text);
	puller_free(puller);
}

Test(puller, is_freed_while_it_runs)
{
	struct puller *puller = make();

	setenv("HF_ENDPOINT", "http://127.0.0.1:1", 1);
	cr_assert_eq(puller_look(puller, "owner/repo", &machine, NULL), STATUS_OK);
	puller_stop(puller);
	puller_free(puller);
	puller_free(NULL);
}
