/* What if, of replies of a real engine: what is told of the candidates that are kept is what the engine does if it is
 * asked anew with the same seed. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/backend.h"
#include "engine/options.h"
#include "kept/what_if.h"
#include "support/family_model.h"

enum { TOKENS = 40, REPLIES = 200, NODE = 1 };

static char dir[] = "/tmp/sotto-test-XXXXXX", path[300];
static struct backend *backend;
static struct sampler_params sampler;
static struct kept *kept;
static struct error err;
static int32_t ids[TOKENS];
static size_t n_ids, n_parted;

static bool host_cancelled(void *ctx)
{
	(void)ctx;
	return false;
}

static void host_params(void *ctx, uint32_t n, struct sampler_params *out)
{
	(void)n;
	(void)ctx;
	*out = sampler;
}

/* With `ctx`, the reply is kept. */
static enum status host_event(void *ctx, const struct event *event, struct error *error)
{
	if (event->kind == EVENT_BEGIN && ctx)
		return kept_begin(ctx, NODE, 0, "model", &event->u.begin, error);
	if (event->kind != EVENT_TOKEN)
		return STATUS_OK;
	if (!event->u.token.rest)
		ids[n_ids++] = event->u.token.id;
	return ctx ? kept_add(ctx, NODE, &event->u.token, 0, error) : STATUS_OK;
}

static void ask(struct kept *into)
{
	const struct backend_host host = {
		.ctx = into, .cancelled = host_cancelled, .params = host_params, .event = host_event};
	const struct message message = {.role = ROLE_USER, .text = "Tell me", .len = 7};
	const struct turn turn = {.messages = &message, .n_messages = 1, .n_predict = TOKENS,
	                          .n_candidates = TOKEN_CANDIDATES_MAX};
	struct backend_result result;

	n_ids = 0;
	cr_assert_eq(backend_run(backend, &turn, BACKEND_REPLY, &host, &result, &err), STATUS_OK, "%s", err.text);
}

static void init(void)
{
	struct family_model made = family_model_of("qwen3");
	struct backend_host host = {.cancelled = host_cancelled, .event = host_event};
	struct engine_params params = engine_params_default();
	struct model_info info;

	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/model.gguf", dir);
	made.vocabulary = FAMILY_ALL_BYTES;
	made.sizes.n_ctx = 512;
	cr_assert_eq(family_model_save(&made, path, &err), STATUS_OK, "%s", err.text);
	params.model = path;
	params.n_ctx = 512;
	params.n_threads = 1;
	cr_assert_eq(backend_open(&backend, &params, &host, &info, &err), STATUS_OK, "%s", err.text);
}

static void fini(void)
{
	backend_close(backend);
	unlink(path);
	rmdir(dir);
}

TestSuite(what_if, .init = init, .fini = fini, .timeout = 120);

/* Some other values for the reply of that number. */
static struct sampler_params other_than(struct sampler_params params, int i)
{
	params.temp = i % 4 ? (float)(i % 7) * 0.25f : params.temp;
	params.top_k = 1 + i % 40;
	params.top_p = i % 3 ? 1 : 0.9f;
	params.min_p = i % 5 ? 0 : 0.1f;
	params.xtc_probability = i % 6 ? 0 : 0.5f;
	params.repeat_penalty = i % 8 ? 1 : 1.02f;
	return params;
}

static void check(int i)
{
	struct sampler_order order = sampler_order_default();
	struct what_if_run run = {.seed = i};
	struct sampler_params before = sampler_params_default();
	struct what_if what;
	int32_t old[TOKENS];
	size_t at = 0, n_old;

	before.seed = i;
	before.temp = 3; /* its distributions are peaked */
	sampler = before;
	ask(kept);
	n_old = n_ids;
	memcpy(old, ids, sizeof old);
	if (!n_old)
		return;
	sampler = other_than(before, i);
	ask(NULL);
	while (at < n_old && at < n_ids && ids[at] == old[at])
		at++;
	cr_assert_eq(kept_what_if(kept_reply(kept, NODE), &run, 1, &order, &sampler, &what, &err), STATUS_OK);
	if (what.end == WHAT_IF_UNKNOWN) {
		cr_assert_leq(what.at, at);
		cr_assert(sampler.repeat_penalty > 1, "%s", what.lacks);
		return;
	}
	cr_assert_eq(what.at, at, "reply %d: at %zu, not %zu", i, what.at, at);
	cr_assert_eq(what.end, at < n_old ? WHAT_IF_OTHER : WHAT_IF_SAME);
	n_parted += at < n_old;
	if (at < n_old && at < n_ids) /* otherwise it would have ended there */
		cr_assert_eq(what.id, ids[at]);
}

Test(what_if, of_a_reply_is_what_the_engine_does_when_asked_anew)
{
	for (int i = 1; i <= REPLIES; i++) {
		kept = kept_create();
		check(i);
		kept_free(kept);
	}
	cr_assert_gt(n_parted, REPLIES / 5);
}
