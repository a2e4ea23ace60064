#include "engine/synthetic.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "encode/fit.h"
#include "engine/synthetic_internal.h"

enum { N_CTX_DEFAULT = 4096, N_TOKENS_DEFAULT = 64, N_REASONING_DEFAULT = 8, PREFILL_STEPS = 20 };

bool synthetic_sleep_until(uint64_t deadline, const struct backend_host *host)
{
	while (!host->cancelled(host->ctx)) {
		uint64_t now = sys_now_us(), left;
		struct timespec ts;

		if (now >= deadline)
			return true;
		left = deadline - now < 2000 ? deadline - now : 2000;
		ts = (struct timespec){.tv_nsec = (long)left * 1000};
		nanosleep(&ts, NULL);
	}
	return false;
}

static enum status parse_number(const char *key, const char *value, long *out, struct error *err)
{
	char *end;

	errno = 0;
	*out = strtol(value, &end, 10);
	if (end == value || *end || errno || *out < 0 || *out > 1000000000)
		return error_set(err, STATUS_USAGE, "synthetic: %s: '%s' is not a number from 0 to 10^9",
		                 key, value);
	return STATUS_OK;
}

/* One "key=value". */
static enum status parse_setting(struct synthetic *s, char *text, struct error *err)
{
	const struct {
		const char *key;
		long *field;
	} numbers[] = {{"rate", &s->rate},       {"tokens", &s->n_tokens},
	               {"load_ms", &s->load_ms}, {"prefill_ms", &s->prefill_ms},
	               {"n_ctx", &s->n_ctx},     {"think", &s->n_reasoning},
	               {"guide", &s->is_guide},   {"aside", &s->aside_every},
	               {"hold", &s->hold_after}, {"unopened", &s->unopened},
	               {"count_hold", &s->count_holds}, {"changed", &s->is_changed},
	               {"here", &s->is_here},
	               {"remote", &s->remote},   {"wait_load", &s->wait_load},
	               {"wait", &s->wait},       {"learns", &s->learns},
	               {"cost", &s->cost},       {"unverified", &s->is_unverified},
	               {"unknown_ctx", &s->has_no_ctx}, {"no_continue", &s->cannot_continue}};
	char *value = strchr(text, '=');

	if (!value)
		return error_set(err, STATUS_USAGE, "synthetic: '%s' is not KEY=VALUE", text);
	*value++ = '\0';
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		if (strcmp(text, numbers[i].key) == 0)
			return parse_number(text, value, numbers[i].field, err);
	if (strcmp(text, "fail") == 0) {
		if (strcmp(value, "load") == 0)
			return error_set(err, STATUS_FORMAT, "synthetic: made to fail");
		s->needs_all_memory = strcmp(value, "memory") == 0;
		s->fails_as_server = strcmp(value, "server") == 0;
		if (s->needs_all_memory || s->fails_as_server)
			return STATUS_OK;
		return parse_number(text, value, &s->fail_after, err);
	}
	if (strcmp(text, "end") == 0) {
		s->end = strcmp(value, "early") == 0 ? DONE_EARLY : strcmp(value, "filtered") == 0 ? DONE_FILTERED : DONE_END;
		return STATUS_OK;
	}
	if (strcmp(text, "mode") == 0) {
		for (size_t i = 0; i < synthetic_n_modes; i++)
			if (strcmp(value, synthetic_modes[i].name) == 0) {
				s->mode = i;
				return STATUS_OK;
			}
		return error_set(err, STATUS_USAGE, "synthetic: there is no mode '%s'", value);
	}
	return error_set(err, STATUS_USAGE, "synthetic: there is no setting '%s'", text);
}

static enum status parse(struct synthetic *s, const char *spec, struct error *err)
{
	char *copy = alloc_strndup(spec, strlen(spec)), *next, *rest = copy;
	enum status status = STATUS_OK;

	if (!copy)
		return error_no_memory(err, NULL);
	while (!status && (next = strsep(&rest, ",")))
		if (*next)
			status = parse_setting(s, next, err);
	free(copy);
	if (!status && s->n_ctx < 2)
		status = error_set(err, STATUS_USAGE, "synthetic: n_ctx must be at least 2");
	return status;
}

static enum status synthetic_load(struct synthetic *s, const struct backend_host *host,
                                  struct error *err)
{
	uint64_t start = sys_now_us();

	if (!synthetic_wait(s, s->wait_load, "box loads the model", host))
		return error_set(err, STATUS_CANCELLED, "loading was cancelled");
	for (long step = 0; step <= s->load_ms; step += 10) {
		if (!synthetic_sleep_until(start + (uint64_t)step * 1000, host))
			return error_set(err, STATUS_CANCELLED, "loading was cancelled");
		backend_tell(host, &(struct event){
			.kind = EVENT_LOADING, .u.loading = s->load_ms ? (float)step / (float)s->load_ms : 1});
	}
	return STATUS_OK;
}

static void synthetic_close(struct backend *backend)
{
	free(backend);
}

static enum status synthetic_open(struct backend **out, const struct engine_params *params,
                                  const struct backend_host *host, struct model_info *info,
                                  struct error *err)
{
	struct synthetic *s = alloc_array(1, sizeof *s);
	enum status status;

	if (!s)
		return error_no_memory(err, NULL);
	s->base.ops = &synthetic_backend;
	s->n_tokens = N_TOKENS_DEFAULT;
	s->n_reasoning = N_REASONING_DEFAULT;
	s->n_ctx = params->n_ctx > 0 ? params->n_ctx : N_CTX_DEFAULT;
	s->fail_after = SYNTHETIC_NEVER;
	status = parse(s, params->model + strlen(synthetic_backend.prefix), err);
	if (!status && s->needs_all_memory && params->beside)
		status = error_set(err, STATUS_NOMEM, "synthetic: not enough memory for two");
	if (!status)
		status = synthetic_load(s, host, err);
	if (status) {
		synthetic_close(&s->base);
		return status;
	}
	if (params->n_ctx > 0)
		s->n_ctx = params->n_ctx < 2 ? 2 : params->n_ctx;
	snprintf(info->name, sizeof info->name, "synthetic (%s)", synthetic_modes[s->mode].name);
	info->n_ctx = info->identity.n_ctx = (uint32_t)s->n_ctx;
	snprintf(info->identity.file, sizeof info->identity.file, "synthetic %zu", s->mode);
	if (s->is_here)
		snprintf(info->identity.isa, sizeof info->identity.isa, "synthetic");
	info->capabilities = CAPABILITY_LOGITS | CAPABILITY_BRANCH | CAPABILITY_LIVE_PARAMS | CAPABILITY_COUNTS |
	                     CAPABILITY_IDS | CAPABILITY_CONTINUE | CAPABILITY_EXAMINE;
	if (s->mode == SYNTHETIC_REASONING)
		info->capabilities |= CAPABILITY_REASONING | CAPABILITY_SWITCH;
	if (s->is_guide)
		info->capabilities |= CAPABILITY_HELP;
	snprintf(info->template_name, sizeof info->template_name, "synthetic");
	synthetic_be_remote(s, info);
	s->info = *info;
	*out = &s->base;
	return STATUS_OK;
}

static uint32_t count_words(const char *text, size_t len)
{
	uint32_t n = 0;
	bool in_word = false;

	for (size_t i = 0; i < len; i++) {
		bool blank = isspace((unsigned char)text[i]) != 0;

		n += !blank && !in_word;
		in_word = !blank;
	}
	return n;
}

/* A conversation, counted. */
struct counted {
	uint32_t *tokens; /* owned, [messages] */
	bool *keep;       /* owned, [messages] */
	uint32_t total, n_dropped;
	bool refused;     /* the policy leaves nothing out, and so the turn; `total` is all of it */
};

static enum status count(const struct synthetic *s, const struct turn *turn, struct counted *out,
                         struct error *err)
{
	size_t room = fit_room(turn, (size_t)s->n_ctx);
	struct turn asked = *turn;
	enum status status;
	uint32_t all = 0;

	*out = (struct counted){.tokens = alloc_array(turn->n_messages, sizeof *out->tokens),
	                        .keep = alloc_array(turn->n_messages, sizeof *out->keep)};
	if (!out->tokens || !out->keep)
		return error_no_memory(err, NULL);
	for (size_t i = 0; i < turn->n_messages; i++) {
		out->tokens[i] = 1 + count_words(turn->messages[i].text, turn->messages[i].len); /* markup */
		all += out->tokens[i];
	}
	asked.n_messages -= turn->answered || turn->continued;
	if (asked.n_messages < turn->n_messages)
		out->keep[asked.n_messages] = true;
	status = fit_messages(&asked, out->tokens, 0, room, fit_step(room), out->keep, &out->n_dropped, err);
	for (size_t i = 0; i < turn->n_messages; i++)
		out->total += out->keep[i] ? out->tokens[i] : 0;
	if (status)
		return status;
	status = fit_permit(turn, out->n_dropped, all, room, err);
	out->refused = status != STATUS_OK;
	if (out->refused) {
		out->total = all;
		out->n_dropped = 0;
	}
	return status;
}

static void counted_free(struct counted *counted)
{
	free(counted->tokens);
	free(counted->keep);
}

static enum status prefill(struct synthetic *s, const struct turn *turn,
                           const struct backend_host *host, struct turn_stats *stats,
                           bool *cancelled, struct error *err)
{
	uint64_t start = sys_now_us();
	struct counted counted;
	enum status status = count(s, turn, &counted, err);

	stats->n_prompt = counted.total;
	stats->n_dropped = counted.n_dropped;
	if (!status || counted.refused)
		backend_tell_fitted(host, turn, counted.keep);
	counted_free(&counted);
	if (status)
		return status;
	stats->n_cached = s->n_cached < stats->n_prompt ? s->n_cached : stats->n_prompt - 1;
	if (stats->n_dropped)
		stats->n_cached = 0;
	stats->n_evaluated = stats->n_prompt - stats->n_cached;
	*cancelled = !synthetic_wait(s, s->wait, "waiting for box: no answer yet", host);
	for (uint32_t step = 0; step <= PREFILL_STEPS && !*cancelled; step++) {
		uint64_t part = (uint64_t)s->prefill_ms * 1000 * step / PREFILL_STEPS;

		if (!synthetic_sleep_until(start + part, host))
			*cancelled = true;
		else
			backend_tell(host, &(struct event){
				.kind = EVENT_PREFILLING, .u.prefilling = {
					.done = stats->n_cached + stats->n_evaluated * step / PREFILL_STEPS,
					.total = stats->n_prompt, .cached = stats->n_cached,
					.n_dropped = stats->n_dropped}});
	}
	stats->prefill_ms = (double)(sys_now_us() - start) / 1000.0;
	stats->n_ctx_used = stats->n_prompt;
	if (!*cancelled)
		s->n_cached = stats->n_prompt;
	return STATUS_OK;
}

static const struct cache_difference other_date = {.kind = CACHE_MARKUP, .role = ROLE_SYSTEM, .number = 1,
                                                   .was = "Today: 28 Nov 2026", .is = "Today: 29 Nov 2026"};

static enum status synthetic_run(struct backend *backend, const struct turn *turn,
                                 enum backend_mode mode, const struct backend_host *host,
                                 struct backend_result *result, struct error *err)
{
	struct synthetic *s = (struct synthetic *)backend;
	bool cancelled;
	enum status status;

	if (turn->n_messages <= (size_t)turn->continued)
		return error_set(err, STATUS_USAGE, "an empty conversation");
	if (s->is_changed)
		result->difference = other_date;
	status = prefill(s, turn, host, &result->stats, &cancelled, err);
	if (status)
		return status;
	result->reason = cancelled ? DONE_CANCELLED : DONE_END;
	if (cancelled || mode == BACKEND_WARM)
		return STATUS_OK;
	if (mode == BACKEND_SCORE)
		return synthetic_score(s, turn, host, result);
	if (mode == BACKEND_EXAMINE)
		return synthetic_examine(s, turn, host, result, err);
	status = synthetic_ask(s, host, err);
	if (status)
		return status;
	synthetic_count_as_remote(s, &result->stats);
	return synthetic_generate(s, turn, host, result, err);
}

/* A message as tokens: its markup, then each word with the white space after it. */
static enum status list_words(const struct turn *turn, size_t index,
                              struct inspection *out, size_t *n, struct buf *text)
{
	const struct message *message = &turn->messages[index];
	size_t at = 0, len;

	buf_printf(text, "<%s>", role_name(message->role));
	out->tokens[(*n)++] = (struct prompt_token){.flags = PROMPT_TOKEN_CONTROL,
	                                            .message = (uint32_t)index,
	                                            .end = text->len};
	while (at < message->len && isspace((unsigned char)message->text[at]))
		at++;
	buf_append(text, message->text, at);
	for (; at < message->len; at += len) {
		len = 0;
		while (at + len < message->len && !isspace((unsigned char)message->text[at + len]))
			len++;
		while (at + len < message->len && isspace((unsigned char)message->text[at + len]))
			len++;
		buf_append(text, message->text + at, len);
		out->tokens[*n] = (struct prompt_token){.id = (int32_t)*n,
		                                        .flags = PROMPT_TOKEN_INPUT,
		                                        .message = (uint32_t)index,
		                                        .end = text->len};
		++*n;
	}
	return buf_status(text);
}

static enum status list_tokens(const struct turn *turn, const bool *keep,
                               struct inspection *out, struct error *err)
{
	enum status status = STATUS_OK;
	struct buf text = {.max = LIMIT_TOKENIZE_INPUT};
	size_t n = 0;

	out->tokens = alloc_array(out->total, sizeof *out->tokens);
	if (!out->tokens)
		status = STATUS_NOMEM;
	for (size_t i = 0; !status && i < turn->n_messages; i++)
		if (keep[i])
			status = list_words(turn, i, out, &n, &text);
	if (!status)
		out->text = buf_take(&text, NULL);
	buf_free(&text);
	return status || !out->text ? error_no_memory(err, NULL) : STATUS_OK;
}

static enum status synthetic_inspect(struct backend *backend, const struct turn *turn, const struct backend_host *host,
                                     struct inspection *out, struct error *err)
{
	struct synthetic *s = (struct synthetic *)backend;
	size_t n_ctx = (size_t)s->n_ctx;
	struct counted counted;
	enum status status = count(s, turn, &counted, err);

	if (s->count_holds > 0 && (out->purpose == INSPECT_COUNTS || out->purpose == INSPECT_TOKENS)) {
		s->count_holds--;
		(void)synthetic_sleep_until(UINT64_MAX, host);
		status = error_set(err, STATUS_CANCELLED, "counting gave way to something else");
	}
	if (status == STATUS_CONTEXT)
		status = STATUS_OK; /* the numbers show that */
	if (!status && counted.refused)
		memset(counted.keep, true, turn->n_messages * sizeof *counted.keep);
	out->n_ctx = (uint32_t)n_ctx;
	out->reserve = (uint32_t)(n_ctx - fit_room(turn, n_ctx));
	out->total = counted.total;
	out->cached = s->n_cached < out->total ? s->n_cached : out->total;
	out->n_past = s->n_cached;
	if (s->is_changed && out->difference && out->purpose == INSPECT_TOKENS)
		*out->difference = other_date;
	out->n_dropped = out->n_next_dropped = counted.n_dropped;
	if (!status && turn->answered)
		out->n_next_dropped = fit_dropped_next(turn, counted.tokens, n_ctx);
	for (size_t i = 0; !status && i < turn->n_messages; i++) {
		const struct message *message = &turn->messages[i];

		out->messages[i] = (struct message_count){.left_out = true};
		if (counted.keep[i])
			out->messages[i] = (struct message_count){
				.tokens = counted.tokens[i], .markup = 1,
				.files = count_words(message->text, message->files_len)};
	}
	out->estimated = s->remote == SYNTHETIC_CHAT_SERVER;
	if (s->has_no_ctx)
		out->n_ctx = out->reserve = 0;
	if (!status && out->purpose == INSPECT_TOKENS && s->remote == SYNTHETIC_CHAT_SERVER)
		status = (out->request = synthetic_request(s, turn)) ? STATUS_OK : error_no_memory(err, NULL);
	else if (!status && out->purpose == INSPECT_TOKENS)
		status = list_tokens(turn, counted.keep, out, err);
	counted_free(&counted);
	return status;
}

const struct backend_ops synthetic_backend = {
	.prefix = "synthetic:",
	.open = synthetic_open,
	.run = synthetic_run,
	.inspect = synthetic_inspect,
	.close = synthetic_close,
};
