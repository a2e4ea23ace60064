/* Counting a conversation by servers of OpenAI's kind that can. */
#include "base/limits.h"
#include "remote/call.h"
#include "remote/estimate.h"
#include "remote/hosts.h"

/* {"text": [messages]} for TabbyAPI, which renders and counts them. */
static enum status write_messages(struct buf *body, const struct host_kind *kind, const struct turn *turn,
                                  struct error *err)
{
	struct json_writer json = {.out = body};
	unsigned changes;
	enum status status;

	json_put_begin(&json, NULL, '{');
	json_put_bool(&json, "add_bos_token", true);
	status = messages_write(&json, "text", turn, NULL, &kind->style, &changes, err);
	json_put_end(&json, '}');
	return status;
}

/* {"prompt": text} for KoboldCpp. */
static enum status write_text(struct buf *body, const struct turn *turn, struct error *err)
{
	struct json_writer json = {.out = body};
	enum status status;

	json_put_begin(&json, NULL, '{');
	status = messages_write_raw(&json, turn, NULL, err);
	json_put_end(&json, '}');
	return status;
}

/* The number at `place` in the answer; *n stays 0 where there is none. */
static enum status ask(struct remote *remote, const char *path, const struct buf *body, const char *place,
                       uint32_t *n, struct error *err)
{
	const struct json_place places[] = {{place, JSON_PLACE_U32, 0, 0}};
	enum status status = remote_call_values(remote, path, body, REMOTE_CALL_MS, places, 1, n, NULL, err);

	if (status)
		*n = 0;
	return status == STATUS_CANCELLED || status == STATUS_NOMEM ? status : STATUS_OK;
}

enum status host_count(struct remote *remote, const struct host_kind *kind, const struct turn *turn,
                       struct error *err)
{
	struct buf body = {.max = LIMIT_REQUEST};
	enum status status = STATUS_OK;
	size_t n_bytes = 0;
	uint32_t n = 0;

	if (turn->raw || estimate_is_known(remote, turn))
		return STATUS_OK;
	if (kind->counts == HOST_COUNTS_MESSAGES && !write_messages(&body, kind, turn, NULL)) {
		status = ask(remote, "/v1/token/encode", &body, "length", &n, err);
		if (!status && n)
			estimate_know(remote, turn, n);
	} else if (kind->counts == HOST_COUNTS_TEXT && !write_text(&body, turn, NULL)) {
		for (size_t i = 0; i < turn->n_messages; i++)
			n_bytes += turn->messages[i].len;
		status = ask(remote, "/api/extra/tokencount", &body, "value", &n, err);
		if (!status)
			estimate_correct_text(remote, n_bytes, n);
	}
	buf_free(&body);
	return status;
}
