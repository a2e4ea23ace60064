/* Another token in the place of one of a reply: what follows is what follows where that prefix is evaluated anew, to the
 * bit, at every token of a long reply, for models that attend, that have recurrent states, and that have experts. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "engine/engine.h"
#include "engine/options.h"
#include "support/family_model.h"

enum { REPLY = 200, BEHIND = 4, IDS_MAX = REPLY + BEHIND + 1, ROWS_MAX = 300, SHOWN = TOKEN_CANDIDATES_MAX };

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
static struct told whole, branch;
static float *rows[IDS_MAX]; /* the logits that each token of the branch was chosen from */
static float *anew;          /* of all positions, evaluated anew */

static bool host_cancelled(void *ctx)
{
	(void)ctx;
	return false;
}

/* Asked for just before a token is chosen. */
static void host_params(void *ctx, uint32_t n, struct sampler_params *out)
{
	const struct engine *engine = (const struct engine *)backend;
	const size_t n_bytes = model_plan(engine->model)->n_vocab * sizeof **rows;

	cr_assert_lt(n, IDS_MAX);
	if (ctx == &branch && (rows[n] || (rows[n] = malloc(n_bytes))))
		memcpy(rows[n], session_logits(engine->session), n_bytes);
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
	whole.text.max = branch.text.max = MIB(1);
}

static void fini(void)
{
	backend_close(backend);
	backend_close(fresh);
	buf_free(&whole.text);
	buf_free(&branch.text);
	for (size_t i = 0; i < IDS_MAX; i++)
		free(rows[i]);
	free(anew);
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

/* All that the session has, evaluated anew by one that keeps nothing: every logit behind the k tokens is the same to the
 * bit, and so is what is chosen. */
static void expect_fresh(size_t k)
{
	const struct engine *used = (const struct engine *)backend, *engine = (const struct engine *)fresh;
	const size_t n = session_n_past(used->session), n_rows = model_plan(used->model)->n_vocab;
	const size_t n_prompt = result.stats.n_prompt;
	const int32_t *ids = session_tokens(used->session);

	/* The last one is evaluated where the model ends the reply behind it. */
	cr_assert(n <= ROWS_MAX && n == n_prompt + branch.n - (result.reason == DONE_LENGTH), "at %zu: %zu tokens", k, n);
	cr_assert_eq(session_eval(engine->session, ids, n, 0, anew, &err), STATUS_OK, "%s", err.text);
	cr_assert(memcmp(ids + n_prompt - k, whole.ids, k * sizeof *ids) == 0);
	for (size_t i = 0; i < branch.n; i++) {
		const float *row = anew + (n_prompt - 1 + i) * n_rows;
		int32_t best = 0;

		cr_assert(memcmp(rows[i], row, n_rows * sizeof *row) == 0, "at %zu: other logits, %zu behind it", k, i);
		for (size_t id = 0; id < n_rows; id++)
			best = row[id] > row[best] ? (int32_t)id : best;
		cr_assert(i == 0 || branch.ids[i] == best, "at %zu: token %d, not %d, %zu behind it", k, (int)branch.ids[i],
		          (int)best, i);
	}
}

/* What might have come is what might have come when the reply was made. */
static void expect_same_candidates(size_t k)
{
	const struct token_candidate *a = branch.candidates[0], *b = whole.candidates[k];

	for (size_t i = 0; i < SHOWN; i++)
		cr_assert(a[i].id == b[i].id && memcmp(&a[i].logit, &b[i].logit, sizeof a->logit) == 0 &&
		          memcmp(&a[i].probability, &b[i].probability, sizeof a->probability) == 0,
		          "at %zu, candidate %zu: %d %.9g, not %d %.9g", k, i, (int)a[i].id, (double)a[i].logit, (int)b[i].id,
		          (double)b[i].logit);
}

/* From the whole reply in the cache, as after it was made. `n_asked`: tokens of the
 * prompt before its last one; a recurrent model has kept its states there. */
static void check_at(size_t k, bool is_recurrent, uint32_t n_asked)
{
	static struct told end = {.text = {.max = MIB(1)}};
	int32_t id = -1;

	branch.n = 0;
	/* The best one that was not taken, and neither ends the reply nor is followed by the end. */
	for (size_t i = 0; branch.n < 2; i++) {
		cr_assert_lt(i, SHOWN);
		id = whole.candidates[k][i].id;
		if (id == whole.ids[k])
			continue;
		ask(backend, &whole, REPLY, -1, 1, &end);
		cr_assert_eq(end.n, 1);
		ask(backend, k ? &whole : NULL, k, id, 1 + BEHIND, &branch);
	}
	cr_assert_eq(branch.ids[0], id);
	if (is_recurrent)
		cr_assert(result.stats.n_cached >= n_asked && result.stats.n_again <= result.stats.n_prompt - n_asked,
		          "at %zu: %u evaluated, %u of them again", k, result.stats.n_evaluated, result.stats.n_again);
	else
		cr_assert(result.stats.n_evaluated == 1 && result.stats.n_again == 0, "at %zu: %u evaluated", k,
		          result.stats.n_evaluated);
	expect_same_candidates(k);
	expect_fresh(k);
}

static void check(const char *family, bool is_recurrent)
{
	struct family_model made = family_model_of(family);
	uint32_t n_prompt;

	made.vocabulary = FAMILY_ALL_BYTES;
	made.sizes.n_ctx = 512;
	cr_assert_eq(family_model_save(&made, path, &err), STATUS_OK, "%s", err.text);
	backend = load(true);
	fresh = load(false);
	anew = calloc((size_t)ROWS_MAX * model_plan(((struct engine *)fresh)->model)->n_vocab, sizeof *anew);
	cr_assert_not_null(anew);
	make_reply();
	n_prompt = result.stats.n_prompt;
	sampler.temp = 0; /* what comes behind a token is the same in both */
	for (size_t k = 0; k < REPLY; k++)
		check_at(k, is_recurrent, n_prompt - 1);
}

Test(branch, a_model_that_attends)
{
	check("qwen3", false);
}

Test(branch, one_with_experts)
{
	check("qwen3moe", false);
}

/* It goes back to states that it has kept. */
Test(branch, one_with_recurrent_states)
{
	check("qwen35", true);
}

Test(branch, one_with_convolutions)
{
	check("lfm2", true);
}
