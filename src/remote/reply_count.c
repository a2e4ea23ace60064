/* What a reply has taken: tokens, time, money. */
#include "remote/estimate.h"
#include "remote/reply_internal.h"

enum { TOKENS_MAX = 1 << 24 }; /* more than any model's context: a count beyond is none */

static bool is_believable(const struct chunk_usage *usage)
{
	return usage->n_prompt <= TOKENS_MAX && usage->n_generated <= TOKENS_MAX;
}

void reply_take_usage(struct chunk_usage *usage, const struct chunk_usage *more)
{
	if (more->is_known && is_believable(more)) {
		usage->is_known = true;
		usage->n_prompt = more->n_prompt;
		usage->n_generated = more->n_generated;
		usage->n_reasoning = more->n_reasoning < more->n_generated ? more->n_reasoning : more->n_generated;
	}
	if (more->knows_cached) {
		usage->knows_cached = true;
		usage->n_cached = more->n_cached;
	}
	if (more->knows_cost) {
		usage->knows_cost = true;
		usage->cost = more->cost;
	}
	usage->prefill_ms = more->prefill_ms > 0 ? more->prefill_ms : usage->prefill_ms;
	usage->decode_ms = more->decode_ms > 0 ? more->decode_ms : usage->decode_ms;
}

static void count_cost(const struct reply *reply, struct turn_stats *stats)
{
	const struct remote *remote = reply->remote;
	const struct server_model *model = server_find_model(remote->server, remote->model);
	double cached_price;

	stats->has_cost = reply->usage.knows_cost;
	stats->cost = reply->usage.cost;
	if (stats->has_cost || !reply->usage.is_known || !model || model->price_in < 0 || model->price_out < 0)
		return;
	cached_price = model->price_cached >= 0 ? model->price_cached : model->price_in;
	stats->has_cost = true;
	stats->cost = (stats->n_evaluated * model->price_in + stats->n_cached * cached_price +
	               stats->n_generated * model->price_out) / 1e6;
}

/* Tokens of the thoughts: those that the server tells, or their share of all. */
static uint32_t count_thoughts(const struct reply *reply)
{
	const struct chunk_usage *usage = &reply->usage;
	double all = (double)(reply->n_thought + reply->n_bytes);

	if (usage->n_reasoning)
		return usage->n_reasoning;
	return all > 0 ? (uint32_t)(usage->n_generated * ((double)reply->n_thought / all)) : 0;
}

/* For estimates of what comes next. */
static void learn(struct reply *reply)
{
	const struct chunk_usage *usage = &reply->usage;
	uint32_t n_reply = usage->n_generated - count_thoughts(reply);

	estimate_remember(reply->remote, reply->ask->turn, reply->request, usage->n_prompt, n_reply, reply->n_bytes);
	estimate_correct_text(reply->remote, reply->n_bytes, n_reply);
}

/* What the server has counted replaces what was counted here. */
void reply_count(struct reply *reply, uint64_t now_ms)
{
	const struct chunk_usage *usage = &reply->usage;
	const struct remote_request *request = reply->request;
	struct turn_stats *stats = reply->stats;

	stats->n_prompt = usage->is_known && usage->n_prompt ? usage->n_prompt : request->n_prompt;
	stats->estimated = request->is_estimate && !(usage->is_known && usage->n_prompt);
	if (usage->is_known && usage->n_generated)
		stats->n_generated = usage->n_generated;
	stats->n_reasoning = usage->n_reasoning;
	stats->n_dropped = request->n_dropped;
	stats->cached_unknown = !usage->knows_cached;
	stats->n_cached = usage->n_cached < stats->n_prompt ? usage->n_cached : stats->n_prompt;
	stats->n_evaluated = stats->n_prompt - stats->n_cached;
	stats->n_ctx_used = stats->n_prompt + stats->n_generated;
	stats->prefill_ms = usage->prefill_ms;
	stats->decode_ms = usage->decode_ms;
	if (!(usage->prefill_ms > 0))
		stats->prefill_ms = (double)((reply->has_begun ? reply->begun_ms : now_ms) - reply->sent_ms);
	if (!(usage->decode_ms > 0) && reply->has_begun)
		stats->decode_ms = (double)(now_ms - reply->begun_ms);
	if (request->is_estimate && usage->is_known && usage->n_prompt)
		learn(reply);
	if (reply->remote->model)
		count_cost(reply, stats);
}
