/* Servers that speak OpenAI's interface and have no dialect of their own: what differs between them is in hosts.c. */

#include <string.h>

#include "base/json.h"
#include "remote/estimate.h"
#include "remote/fields.h"
#include "remote/hosts.h"
#include "remote/list.h"
#include "remote/messages.h"
#include "remote/route.h"

static int knows(const struct probe *probe)
{
	return probe->code / 100 == 2 && memmem(probe->body, probe->len, "\"id\"", 4) ? 1 : 0;
}

/* Nothing is asked: the list of models has said what there is to know. */
static enum status open_openai(struct remote *remote, struct error *err)
{
	const struct host_kind *kind = host_kind_find(remote);
	struct model_info *info = &remote->info;

	(void)err;
	remote->own = (void *)kind;
	remote->fields = kind->fields;
	remote->n_fields = kind->n_fields;
	remote->has_inline_thoughts = kind->thinks_inline;
	info->capabilities = CAPABILITY_BRANCH | CAPABILITY_REASONING;
	info->capabilities |= fields_find(remote, "candidates") ? CAPABILITY_LOGITS : 0;
	info->capabilities |= fields_find(remote, "effort") ? CAPABILITY_EFFORT : 0;
	info->capabilities |= fields_find(remote, "reasoning") ? CAPABILITY_SWITCH : 0;
	info->capabilities |= kind->counts == HOST_COUNTS_MESSAGES ? CAPABILITY_COUNTS : 0;
	info->capabilities |= kind->continues ? CAPABILITY_CONTINUE : 0;
	return STATUS_OK;
}

static enum status write_openai(struct remote *remote, const struct remote_ask *ask, struct remote_request *out,
                                struct error *err)
{
	const struct host_kind *kind = remote->own;
	struct json_writer json = {.out = &out->body};
	enum status status;

	if (ask->turn->continued && !kind->continues)
		return error_set(err, STATUS_DECLINED, "%s: this server cannot go on with a reply that was cut",
		                 remote->server->name);
	status = host_count(remote, kind, ask->turn, err);
	if (!status)
		status = estimate_fit(remote, ask->turn, out, err);
	if (status)
		return status;
	out->echoes = ask->turn->continued && kind->style.prefix;
	buf_puts(&out->path, remote_route(remote->url, ask->turn->raw ? "/v1/completions" : "/v1/chat/completions"));
	json_put_begin(&json, NULL, '{');
	json_put_line(&json, "\n  ");
	json_put_string(&json, "model", remote->model);
	json_put_bool(&json, "stream", true);
	status = fields_write(&json, remote, NULL, ask, err);
	if (!status && kind->more)
		json_put_raw(&json, NULL, kind->more, strlen(kind->more));
	json_put_line(&json, "\n  ");
	if (!status && ask->turn->raw)
		status = messages_write_raw(&json, ask->turn, out->keep, err);
	else if (!status)
		status = messages_write(&json, "messages", ask->turn, out->keep, &kind->style, &out->changes, err);
	json_put_line(&json, "\n");
	json_put_end(&json, '}');
	return status;
}

static enum status inspect_openai(struct remote *remote, const struct turn *turn, struct inspection *out,
                                  struct error *err)
{
	enum status status = host_count(remote, remote->own, turn, err);

	return status ? status : estimate_inspect(remote, turn, out, err);
}

static enum status read_openai(struct remote *remote, const char *json, size_t len, struct chunk *out,
                               struct error *err)
{
	(void)remote;
	return chunk_read_openai(out, json, len, err);
}

const struct dialect dialect_openai = {
	.name = "openai",
	.title = "OpenAI's interface",
	.knows = knows,
	.list = remote_list_openai,
	.open = open_openai,
	.write = write_openai,
	.read = read_openai,
	.inspect = inspect_openai,
};
