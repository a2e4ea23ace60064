#include "support/fake_server.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"

struct fake {
	struct backend base;
	struct model_info info;
	bool counts_slowly, thinks, has_ids, is_broken;
	enum done_reason reason;
};

/* Until the host says stop; `until` NULL: nothing else ends it. */
static void wait_for(const struct backend_host *host, bool (*until)(void *ctx))
{
	const struct timespec pause = {.tv_nsec = 1000000};

	while (!host->cancelled(host->ctx) && !(until && until(host->ctx)))
		nanosleep(&pause, NULL);
}

static void tell_waiting(const struct backend_host *host, const char *text)
{
	backend_tell(host, &(struct event){.kind = EVENT_WAITING, .u.waiting = {text, false}});
}

/* More is known once it was asked: the true context, and an option that does nothing. */
static void learn(struct fake *fake, const struct backend_host *host)
{
	fake->info.n_ctx = FAKE_N_CTX_LEARNT;
	fake->info.n_idle = 1;
	fake->info.idle[0] = (struct idle_option){"top-k", FAKE_WHY};
	backend_tell(host, &(struct event){.kind = EVENT_LEARNT, .u.model = &fake->info});
}

static void describe(struct fake *fake)
{
	struct model_info *info = &fake->info;

	info->n_ctx = info->identity.n_ctx = FAKE_N_CTX;
	info->capabilities = CAPABILITY_BRANCH | CAPABILITY_CONTINUE | CAPABILITY_REASONING | CAPABILITY_ANSWER_NOW;
	snprintf(info->name, sizeof info->name, "small");
	snprintf(info->place, sizeof info->place, "fake (127.0.0.1:1)");
	snprintf(info->identity.file, sizeof info->identity.file, "00000000000000aa");
	snprintf(info->identity.server, sizeof info->identity.server, "fake");
	snprintf(info->identity.model, sizeof info->identity.model, "small");
	snprintf(info->identity.dialect, sizeof info->identity.dialect, "openai");
}

static enum status open_fake(struct backend **out, const struct engine_params *params,
                             const struct backend_host *host, struct model_info *info, struct error *err)
{
	struct fake *fake = alloc_array(1, sizeof *fake);

	if (!fake)
		return error_no_memory(err, NULL);
	fake->base.ops = fake_servers[0];
	fake->counts_slowly = strstr(params->model, "count");
	fake->thinks = strstr(params->model, "think");
	fake->has_ids = strstr(params->model, "ids");
	fake->is_broken = strstr(params->model, "broken");
	fake->reason = strstr(params->model, "early") ? DONE_EARLY : strstr(params->model, "filtered") ? DONE_FILTERED : DONE_END;
	describe(fake);
	tell_waiting(host, "fake is asked");
	learn(fake, host);
	fake->info.n_ctx = FAKE_N_CTX;
	fake->info.n_idle = 0;
	if (strstr(params->model, "load")) {
		wait_for(host, NULL);
		free(fake);
		return error_set(err, STATUS_CANCELLED, "loading was cancelled");
	}
	*info = fake->info;
	*out = &fake->base;
	return STATUS_OK;
}

static enum status say(const struct fake *fake, const struct backend_host *host, struct backend_result *result,
                       const char *text, bool reasoning, struct error *err)
{
	const uint32_t n = result->stats.n_generated++;
	const struct token token = {.id = fake->has_ids ? (int32_t)n : -1, .bytes = text, .len = strlen(text),
	                            .n_generated = n + 1, .reasoning = reasoning};
	struct sampler_params params;

	host->params(host->ctx, n, &params);
	return host->event(host->ctx, &(struct event){.kind = EVENT_TOKEN, .u.token = token}, err);
}

static enum status run_fake(struct backend *backend, const struct turn *turn, enum backend_mode mode,
                            const struct backend_host *host, struct backend_result *result, struct error *err)
{
	static const char *const words[] = {"one", " two", " three"};
	struct fake *fake = (struct fake *)backend;
	enum status status = STATUS_OK;

	tell_waiting(host, "waiting for fake");
	backend_tell(host, &(struct event){.kind = EVENT_SENT, .u.sent = FAKE_SENT});
	learn(fake, host);
	result->reason = fake->reason;
	result->stats = (struct turn_stats){.n_prompt = 7, .estimated = true, .cached_unknown = true,
	                                    .has_cost = true, .cost = 0.25};
	if (mode == BACKEND_WARM)
		return STATUS_OK;
	backend_tell(host, &(struct event){.kind = EVENT_BEGIN, .u.begin = {.params = turn->sampler, .seed = 1}});
	if (fake->thinks) {
		status = say(fake, host, result, "hm", true, err);
		wait_for(host, host->wants_answer);
	}
	for (size_t i = 0; i < 3 && !status && !host->cancelled(host->ctx); i++)
		status = say(fake, host, result, words[i], false, err);
	if (host->cancelled(host->ctx))
		result->reason = DONE_CANCELLED;
	return status || !fake->is_broken ? status : error_set(err, STATUS_IO, "fake: the connection broke off");
}

static enum status inspect_fake(struct backend *backend, const struct turn *turn, const struct backend_host *host,
                                struct inspection *out, struct error *err)
{
	const struct fake *fake = (const struct fake *)backend;

	tell_waiting(host, "fake counts");
	if (fake->counts_slowly) {
		wait_for(host, NULL);
		return error_set(err, STATUS_CANCELLED, "counting was cancelled");
	}
	out->n_ctx = fake->info.n_ctx;
	out->estimated = true;
	for (size_t i = 0; i < turn->n_messages; i++)
		out->total += out->messages[i].tokens = 1 + (uint32_t)turn->messages[i].len / 4;
	return STATUS_OK;
}

static void close_fake(struct backend *backend)
{
	free(backend);
}

static const struct backend_ops fake_server = {
	.prefix = "server:",
	.open = open_fake,
	.run = run_fake,
	.inspect = inspect_fake,
	.close = close_fake,
};

const struct backend_ops *const fake_servers[] = {&fake_server, NULL};
