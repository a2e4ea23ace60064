/* Another token in the place of one of a reply: what follows is what follows where that prefix is evaluated anew, to the
 * bit, at every token of a long reply, for models that attend, that have recurrent states, and that have experts. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "engine/backend.h"
#include "engine/options.h"
#include "support/family_model.h"

enum { REPLY = 200, BEHIND = 3, IDS_MAX = REPLY + BEHIND + 1, SHOWN = 20 };

/* What was told of a reply: its tokens, and of each what else might have come. */
struct told {
	struct buf text;
	size_t text_before[IDS_MAX]; /* bytes of it before each token */
	int32_t ids[IDS_MAX];
	size_t n;
	struct token_candidate candidates[IDS_MAX][SHOWN];
};

static char dir[] = "/tmp/sotto-test-XXXXXX", path[300];
static struct backend *backend, *fresh;
static struct backend_result result;
static struct sampler_params sampler;
static struct error err;
static struct told whole, branch, anew;

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

static enum status host_event(void *ctx, const struct event *event, struct error *error)
{
	const struct token *token = &event->u.token;
	struct told *told = ctx;

	(void)error;
	if (event->kind != EVENT_TOKEN)
		return STATUS_OK;
	if (!token->rest) {
		cr_assert_lt(told->n, IDS_MAX);
		told->text_before[told->n] = told->text.len;
		told->ids[told->n] = token->id;
		cr_assert_eq(token->n_candidates, SHOWN);
		memcpy(told->candidates[told->n++], token->candidates, SHOWN * sizeof *token->candidates);
	}
	buf_append(&told->text, token->bytes, token->len);
	return STATUS_OK;
}

static void init(void)
{
	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/model.gguf", dir);
	sampler = sampler_params_default();
	sampler.temp = 1;
	whole.text.max = branch.text.max = anew.text.max = MIB(1);
}

static void fini(void)
{
	backend_close(backend);
	backend_close(fresh);
	buf_free(&whole.text);
	buf_free(&branch.text);
	buf_free(&anew.text);
	unlink(path);
	rmdir(dir);
}

TestSuite(branch, .init = init, .fini = fini, .timeout = 300);

static struct backend *load(bool keeps_cache)
{
	struct backend_host host = {.cancelled = host_cancelled, .event = host_event};
	struct engine_params params = engine_params_default();
	struct model_info info;
	struct backend *loaded;

	params.model = path;
	params.n_ctx = 512;
	params.n_threads = 1;
	params.kv_cache = keeps_cache;
	cr_assert_eq(backend_open(&loaded, &params, &host, &info, &err), STATUS_OK, "%s", err.text);
	return loaded;
}

/* Begins as the first `k` tokens of a reply, goes on with `first` (-1: as it will) and `n` tokens in all. */
static void ask(struct backend *model, const struct told *begun, size_t k, int32_t first, int32_t n, struct told *out)
{
	const struct backend_host host = {
		.ctx = out, .cancelled = host_cancelled, .params = host_params, .event = host_event};
	const struct message messages[] = {
		{.role = ROLE_USER, .text = "Tell me", .len = 7},
		{.role = ROLE_ASSISTANT, .text = begun ? begun->text.data : "", .ids = begun ? begun->ids : NULL, .n_ids = k,
		 .len = !begun ? 0 : k < begun->n ? begun->text_before[k] : begun->text.len}};
	const struct turn turn = {.messages = messages, .n_messages = k ? 2 : 1, .n_predict = n, .n_candidates = SHOWN,
	                          .continued = k > 0, .has_first = first >= 0, .first = first};

	buf_clear(&out->text);
	out->n = 0;
	cr_assert_eq(backend_run(model, &turn, BACKEND_REPLY, &host, &result, &err), STATUS_OK, "%s", err.text);
}

/* A reply that is long enough: not every seed gives one. */
static void make_reply(void)
{
	for (sampler.seed = 1; sampler.seed < 300; sampler.seed++) {
		ask(backend, NULL, 0, -1, REPLY, &whole);
		if (whole.n == REPLY)
			break;
	}
	cr_assert_eq(whole.n, REPLY, "no long reply was found");
}

/* The `k` tokens of the whole, one that was not taken, and that as a reply to be gone on with. */
static void join(struct told *out, size_t k, int32_t id)
{
	buf_clear(&out->text);
	buf_append(&out->text, whole.text.data, whole.text_before[k]);
	memcpy(out->ids, whole.ids, k * sizeof *out->ids);
	out->ids[k] = id;
	out->n = k + 1;
}

/* The same candidates, with the same logits and the same probabilities before the samplers. */
static void expect_same(const struct token_candidate a[SHOWN], const struct token_candidate b[SHOWN], size_t k,
                        const char *what)
{
	for (size_t i = 0; i < SHOWN; i++)
		cr_assert(a[i].id == b[i].id && memcmp(&a[i].logit, &b[i].logit, sizeof a->logit) == 0 &&
		          memcmp(&a[i].probability, &b[i].probability, sizeof a->probability) == 0,
		          "at %zu, %s, candidate %zu: %d %.9g, not %d %.9g", k, what, i, (int)a[i].id, (double)a[i].logit,
		          (int)b[i].id, (double)b[i].logit);
}

/* From the whole reply in the cache, as after it was made; and anew without a cache. */
static void check_at(size_t k, uint32_t most_again)
{
	static struct told joined = {.text = {.max = MIB(1)}}, end = {.text = {.max = MIB(1)}};
	int32_t id = -1;

	branch.n = 0;
	/* The best one that was not taken, and neither ends the reply nor is followed by the end. */
	for (size_t i = 0; branch.n < 2; i++) {
		cr_assert_lt(i, SHOWN);
		id = whole.candidates[k][i].id;
		if (id == whole.ids[k])
			continue;
		ask(backend, &whole, REPLY, -1, 1, &end);
		ask(backend, k ? &whole : NULL, k, id, 2, &branch);
	}
	cr_assert_eq(branch.ids[0], id);
	cr_assert_leq(result.stats.n_evaluated, 1 + most_again, "at %zu: %u evaluated", k, result.stats.n_evaluated);
	join(&joined, k, id);
	buf_append(&joined.text, branch.text.data, branch.n > 1 ? branch.text_before[1] : branch.text.len);
	ask(fresh, &joined, k + 1, -1, 1, &anew);
	cr_assert_eq(result.stats.n_cached, 0);
	cr_assert_eq(anew.n, 1);
	cr_assert_eq(anew.ids[0], branch.ids[1]);
	expect_same(branch.candidates[1], anew.candidates[0], k, "behind it");
	expect_same(branch.candidates[0], whole.candidates[k], k, "the reply's own");
}

static void check(const char *family, uint32_t most_again)
{
	struct family_model made = family_model_of(family);

	made.vocabulary = FAMILY_ALL_BYTES;
	made.sizes.n_ctx = 512;
	cr_assert_eq(family_model_save(&made, path, &err), STATUS_OK, "%s", err.text);
	backend = load(true);
	fresh = load(false);
	make_reply();
	sampler.temp = 0; /* what comes behind a token is the same in both */
	for (size_t k = 0; k < REPLY; k++)
		check_at(k, most_again);
}

Test(branch, a_model_that_attends)
{
	check("qwen3", 0);
}

Test(branch, one_with_experts)
{
	check("qwen3moe", 0);
}

/* It goes back to states that it has kept. */
Test(branch, one_with_recurrent_states)
{
	check("qwen35", REPLY + 100);
}

Test(branch, one_with_convolutions)
{
	check("lfm2", REPLY + 100);
}
