/* What the test backend plays of a server. */
#include <stdio.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/sys.h"
#include "engine/synthetic_internal.h"

enum { TELL_MS = 1000 };

static void add_idle(struct model_info *info, const char *name, const char *why)
{
	info->idle[info->n_idle++] = (struct idle_option){name, why};
}

void synthetic_be_remote(const struct synthetic *s, struct model_info *info)
{
	if (!s->remote)
		return;
	info->capabilities &= ~(unsigned)(CAPABILITY_LIVE_PARAMS | CAPABILITY_EXAMINE);
	if (s->remote == SYNTHETIC_CHAT_SERVER)
		info->capabilities &= ~(unsigned)(CAPABILITY_LOGITS | CAPABILITY_COUNTS | CAPABILITY_IDS);
	else if (s->mode == SYNTHETIC_REASONING)
		info->capabilities |= CAPABILITY_ANSWER_NOW;
	if (s->cannot_continue)
		info->capabilities &= ~(unsigned)CAPABILITY_CONTINUE;
	snprintf(info->name, sizeof info->name, "toy-7b");
	snprintf(info->place, sizeof info->place, "box (127.0.0.1:8080)");
	snprintf(info->identity.server, sizeof info->identity.server, "box");
	snprintf(info->identity.model, sizeof info->identity.model, "toy-7b");
	snprintf(info->identity.dialect, sizeof info->identity.dialect, "synthetic");
	info->is_unverified = s->is_unverified;
	if (s->has_no_ctx)
		info->n_ctx = info->identity.n_ctx = 0;
	if (s->remote == SYNTHETIC_CHAT_SERVER) {
		add_idle(info, "top-k", "OpenAI's interface has no field for it");
		add_idle(info, "mirostat", "OpenAI's interface has no field for it");
	}
}

bool synthetic_wait(const struct synthetic *s, long ms, const char *what, const struct backend_host *host)
{
	uint64_t start = sys_now_us();
	char text[128];
	bool goes_on = true;

	for (long at = 0; s->remote && at < ms && goes_on; at += TELL_MS) {
		long next = at + TELL_MS < ms ? at + TELL_MS : ms;

		snprintf(text, sizeof text, "%s (%ld s)", what, at / TELL_MS);
		backend_tell(host, &(struct event){.kind = EVENT_WAITING, .u.waiting = {.text = text}});
		goes_on = synthetic_sleep_until(start + (uint64_t)next * 1000, host);
	}
	return goes_on;
}

static void learn(struct synthetic *s, const struct backend_host *host)
{
	if (!s->learns || s->has_learnt)
		return;
	s->has_learnt = true;
	s->n_ctx = 8192;
	s->info.n_ctx = s->info.identity.n_ctx = (uint32_t)s->n_ctx;
	add_idle(&s->info, "min-p", "refused by this model");
	backend_tell(host, &(struct event){.kind = EVENT_LEARNT, .u.model = &s->info});
}

enum status synthetic_ask(struct synthetic *s, const struct backend_host *host, struct error *err)
{
	if (!s->remote)
		return STATUS_OK;
	if (s->fails_as_server)
		return error_set(err, STATUS_IO, "box: the request was refused (400):\nline one\n\033[31mline two\n"
		                 "line three\nline four\nline five\nline six");
	backend_tell(host, &(struct event){.kind = EVENT_SENT, .u.sent = "{\"model\":\"toy-7b\",\"stream\":true}"});
	learn(s, host);
	return STATUS_OK;
}

void synthetic_count_as_remote(const struct synthetic *s, struct turn_stats *stats)
{
	stats->estimated = stats->cached_unknown = s->remote == SYNTHETIC_CHAT_SERVER;
	stats->has_cost = s->remote && s->cost;
	stats->cost = (double)s->cost / 1e6;
}

char *synthetic_request(const struct synthetic *s, const struct turn *turn)
{
	struct buf text = {.max = LIMIT_MESSAGE};
	struct json_writer json = {.out = &text};
	char *request = NULL;

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "model", s->info.name);
	json_put_begin(&json, "messages", '[');
	for (size_t i = 0; i < turn->n_messages; i++) {
		json_put_begin(&json, NULL, '{');
		json_put_string(&json, "role", role_name(turn->messages[i].role));
		json_put_text(&json, "content", turn->messages[i].text, turn->messages[i].len);
		json_put_end(&json, '}');
	}
	json_put_end(&json, ']');
	json_put_bool(&json, "stream", true);
	json_put_end(&json, '}');
	if (!buf_status(&text))
		request = buf_take(&text, NULL);
	buf_free(&text);
	return request;
}
