/* What a llama-server says while it makes a reply.
 *
 * Raw, every token comes as an event of its own, with its id, but for those that end inside a character: they are
 * passed over, ids and all, and the text of the next one has theirs, too. Such a character is tokenised again; if that
 * does not give as many tokens with the same last one, the rest of the reply is taken by its text alone, without
 * ids. The token that ends a reply comes like any other, so control tokens are held back until the next event. */
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "remote/llama_event.h"
#include "remote/llama_server.h"

/* ---- tokens ---- */

static bool is_marker(const struct reasoning_markers *markers, const char *name, size_t len)
{
	if (!markers || !len)
		return false;
	for (const char *const *open = markers->opens; *open; open++)
		if (memmem(*open, strlen(*open), name, len))
			return true;
	return memmem(markers->close, strlen(markers->close), name, len) != NULL;
}

/* Tells a token, or where the reply's ids are not all known its text, if it has one or is a marker. */
static enum status tell(struct llama_server *llama, struct chunk *out, int32_t id, struct error *err)
{
	struct llama_reply *reply = &llama->reply;
	size_t len;

	if (reply->lacks_ids) {
		const char *name = tokenizer_name(llama->tokenizer, id, &len);

		if (tokenizer_is_control(llama->tokenizer, id) && is_marker(llama->tmpl->reasoning, name, len))
			buf_append(&out->text, name, len);
		return STATUS_OK;
	}
	if (out->n_ids == CHUNK_IDS_MAX)
		return error_set(err, STATUS_FORMAT, "too many tokens at once");
	out->ids[out->n_ids++] = id;
	return token_list_push(&reply->ids, id) ? error_no_memory(err, "for the reply") : STATUS_OK;
}

static enum status tell_held(struct llama_server *llama, struct chunk *out, struct error *err)
{
	struct llama_reply *reply = &llama->reply;
	int32_t id = reply->held;

	if (id == TOKEN_NONE)
		return STATUS_OK;
	reply->held = TOKEN_NONE;
	memcpy(out->candidates, reply->held_candidates, sizeof out->candidates);
	out->n_candidates = reply->n_held_candidates;
	out->probability = reply->held_probability;
	return tell(llama, out, id, err);
}

/* The ids that ended the thinking at the user's wish: they are in reply->ids, or in the prompt, already. */
static void tell_forced(struct llama_reply *reply, struct chunk *out)
{
	for (size_t i = 0; i < reply->forced.n && out->n_ids < CHUNK_IDS_MAX; i++)
		out->ids[out->n_ids++] = reply->forced.ids[i];
	reply->forced.n = 0;
}

/* Whether the text that came with a token is the token's own. */
static bool is_plain(const struct llama_reply *reply, const struct buf *content)
{
	const char *text = buf_text(content);

	return content->len && !reply->owed && *text != '<' && *text != '[' && !memmem(text, content->len, "\xEF\xBF\xBD", 3);
}

/* Learns what an id stands for: from its text, or by asking. STATUS_FORMAT: for nothing. */
static enum status learn(struct llama_server *llama, int32_t id, const struct buf *content, bool is_alone,
                         struct error *err)
{
	size_t len;

	if (id < 0 || (llama->n_vocab && (uint32_t)id >= llama->n_vocab))
		return error_set(err, STATUS_FORMAT, "token %ld is in no vocabulary", (long)id);
	tokenizer_name(llama->tokenizer, id, &len);
	if (len)
		return STATUS_OK;
	if (is_alone && is_plain(&llama->reply, content))
		return tokenizer_put_piece(llama->tokenizer, id, content->data, content->len, err);
	return tokenizer_prepare(llama->tokenizer, &id, 1, err);
}

/* Tells tokens that were passed over, and the one behind them, by tokenising their text again. *told false: that
 * gives others. */
static enum status tell_again(struct llama_server *llama, struct chunk *out, const char *text, size_t len, size_t n,
                              int32_t last, bool *told, struct error *err)
{
	struct token_list ids = {0};
	enum status status = tokenizer_encode(llama->tokenizer, text, len, ENCODE_CONTINUE, &ids, err);

	*told = !status && ids.n == n && ids.ids[n - 1] == last;
	for (size_t i = 0; *told && i < n && !status; i++)
		status = tell(llama, out, ids.ids[i], err);
	token_list_free(&ids);
	return status;
}

/* From here on the reply is its text. What was told by ids has been told, and `owed` bytes of what comes are that. */
static void give_up_ids(struct llama_server *llama, struct chunk *out)
{
	llama->reply.lacks_ids = true;
	llama->reply.ids.n = 0;
	out->n_candidates = 0;
	for (size_t i = 0; i < out->n_ids; i++) { /* of this event */
		size_t len;
		const char *name = tokenizer_name(llama->tokenizer, out->ids[i], &len);

		if (!tokenizer_is_control(llama->tokenizer, out->ids[i]) || is_marker(llama->tmpl->reasoning, name, len))
			buf_append(&out->text, name, len);
	}
	out->n_ids = 0;
}

static void tell_text(struct llama_reply *reply, struct chunk *out, const struct buf *content)
{
	size_t known = reply->owed < content->len ? reply->owed : content->len;

	reply->owed -= known;
	buf_append(&out->text, buf_text(content) + known, content->len - known);
}

/* `n_missing` tokens have come without an event before this one. */
static enum status tell_behind_missing(struct llama_server *llama, struct chunk *out, int32_t id, size_t n_missing,
                                       const struct buf *content, struct error *err)
{
	struct llama_reply *reply = &llama->reply;
	size_t owed = reply->owed;
	bool told = false;
	enum status status = STATUS_OK;

	if (content->len > owed)
		status = tell_again(llama, out, content->data + owed, content->len - owed, n_missing + 1, id, &told, err);
	if (told)
		reply->owed = 0;
	else if (!status)
		give_up_ids(llama, out);
	if (reply->lacks_ids)
		tell_text(reply, out, content);
	return status;
}

static void account(struct llama_server *llama, int32_t id, const struct buf *content)
{
	struct llama_reply *reply = &llama->reply;
	size_t len;

	tokenizer_bytes(llama->tokenizer, id, &len);
	reply->owed += len;
	reply->owed -= content->len < reply->owed ? content->len : reply->owed;
}

static size_t count_missing(const struct llama_server *llama, const struct llama_event *event)
{
	uint32_t seen = llama->reply.n_seen;
	size_t len;
	const char *bytes = tokenizer_bytes(llama->tokenizer, event->ids[0], &len);

	/* Some count tokens that they have drafted before they tell them. */
	if (!event->has_predicted || event->predicted <= seen + 1 ||
	    (len && len == event->content.len && memcmp(bytes, buf_text(&event->content), len) == 0))
		return 0;
	return event->predicted - seen - 1;
}

/* Whether it ends a reply by what the template says. */
static bool is_end(const struct llama_server *llama, int32_t id)
{
	return id != TOKEN_NONE && id == llama->tmpl->end_id && !llama->reply.is_raw;
}

/* A token whose id stands for nothing: its text is taken. */
static enum status read_strange(struct llama_server *llama, const struct llama_event *event, struct chunk *out,
                                struct error *err)
{
	enum status status = tell_held(llama, out, err);

	if (!status) {
		give_up_ids(llama, out);
		tell_text(&llama->reply, out, &event->content);
	}
	return status;
}

/* A token: its id, the text that has come with it, and how many were passed over. */
static enum status read_token(struct llama_server *llama, const struct llama_event *event, struct chunk *out,
                              struct error *err)
{
	struct llama_reply *reply = &llama->reply;
	int32_t id = event->ids[0];
	size_t n_missing = count_missing(llama, event);
	enum status status = learn(llama, id, &event->content, n_missing == 0, err);

	if (!status && n_missing)
		n_missing = count_missing(llama, event);
	reply->n_seen = event->has_predicted ? event->predicted : reply->n_seen + 1;
	if (status == STATUS_FORMAT)
		return read_strange(llama, event, out, err);
	if (!status && is_end(llama, reply->held)) { /* the server does not know that it ends a reply */
		reply->held = TOKEN_NONE;
		out->end = CHUNK_END;
		out->is_last = true;
		return STATUS_OK;
	}
	if (!status)
		status = tell_held(llama, out, err);
	if (status)
		return status;
	if (!out->n_ids && !out->n_candidates) {
		memcpy(out->candidates, event->candidates, sizeof out->candidates);
		out->n_candidates = event->n_candidates;
		out->probability = event->probability;
	}
	if (tokenizer_is_reserved(llama->tokenizer, id)) {
		reply->held = id;
		memcpy(reply->held_candidates, event->candidates, sizeof reply->held_candidates);
		reply->n_held_candidates = event->n_candidates;
		reply->held_probability = event->probability;
		out->n_candidates = out->n_ids ? out->n_candidates : 0;
		account(llama, id, &event->content);
		return STATUS_OK;
	}
	if (n_missing && !reply->lacks_ids)
		return tell_behind_missing(llama, out, id, n_missing, &event->content, err);
	if (reply->lacks_ids)
		tell_text(reply, out, &event->content);
	else
		account(llama, id, &event->content);
	return tell(llama, out, id, err);
}

/* ---- the end ---- */

static enum chunk_end name_end(const struct llama_event *event)
{
	if (strcmp(event->stop_type, "word") == 0)
		return CHUNK_STOP;
	if (strcmp(event->stop_type, "limit") == 0)
		return event->truncated ? CHUNK_CONTEXT : CHUNK_LENGTH;
	return CHUNK_END; /* "none" where nothing was to be generated */
}

static enum status read_last(struct llama_server *llama, const struct llama_event *event, struct chunk *out,
                             struct error *err)
{
	struct llama_reply *reply = &llama->reply;
	bool eos = strcmp(event->stop_type, "eos") == 0 || is_end(llama, reply->held);
	enum status status = STATUS_OK;

	if (eos)
		reply->held = TOKEN_NONE;
	else
		status = tell_held(llama, out, err);
	if (!status && event->content.len && !reply->n_seen)
		give_up_ids(llama, out); /* the whole answer at once */
	if (reply->lacks_ids)
		tell_text(reply, out, &event->content);
	out->end = eos ? CHUNK_END : name_end(event);
	out->is_last = true;
	out->usage.is_known = event->has_predicted;
	out->usage.n_generated = reply->n_before + event->predicted - (eos && event->predicted);
	out->usage.n_prompt = reply->n_before ? reply->n_prompt : event->evaluated;
	out->usage.knows_cached = event->knows_cached;
	out->usage.n_cached = event->cache_n < out->usage.n_prompt ? event->cache_n : out->usage.n_prompt;
	out->usage.prefill_ms = event->prompt_ms;
	out->usage.decode_ms = event->predicted_ms;
	return status;
}

/* Texts of candidates: a control token has none, so it is shown by its name. */
static enum status name_candidates(struct llama_server *llama, struct llama_event *event, struct error *err)
{
	int32_t unknown[TOKEN_CANDIDATES_MAX];
	size_t n = 0, len;
	enum status status = STATUS_OK;

	for (size_t i = 0; i < event->n_candidates; i++) {
		struct token_candidate *candidate = &event->candidates[i];

		candidate->probability = expf(candidate->logit);
		tokenizer_name(llama->tokenizer, candidate->id, &len);
		if (!candidate->len && !len)
			unknown[n++] = candidate->id;
	}
	if (n)
		status = tokenizer_prepare(llama->tokenizer, unknown, n, err);
	for (size_t i = 0; i < event->n_candidates; i++) {
		struct token_candidate *candidate = &event->candidates[i];
		const char *name = tokenizer_name(llama->tokenizer, candidate->id, &len);

		if (candidate->len)
			continue;
		candidate->len = (uint8_t)(len < sizeof candidate->text ? len : sizeof candidate->text);
		memcpy(candidate->text, name, candidate->len);
	}
	return status;
}

static enum status use_event(struct llama_server *llama, struct llama_event *event, struct chunk *out,
                             struct error *err)
{
	enum status status = STATUS_OK;

	if (event->has_progress) {
		out->progress.is_known = true;
		out->progress.done = event->processed;
		out->progress.total = event->total;
		out->progress.cached = event->cache;
		return STATUS_OK; /* the id in it is none */
	}
	if (llama->reply.is_warm && !event->stop)
		return STATUS_OK;
	if (event->n_ids || event->stop)
		tell_forced(&llama->reply, out);
	if (event->n_candidates)
		status = name_candidates(llama, event, err);
	if (!status && event->n_ids == 1 && !event->stop)
		status = read_token(llama, event, out, err);
	else if (!status && event->n_ids && !event->stop)
		status = error_set(err, STATUS_FORMAT, "several tokens in one event");
	if (!status && !event->n_ids && event->content.len && !event->stop) { /* an older one, without ids */
		give_up_ids(llama, out);
		tell_text(&llama->reply, out, &event->content);
	}
	if (!status && event->stop)
		status = read_last(llama, event, out, err);
	return status;
}

static enum status read_raw(struct llama_server *llama, const char *json, size_t len, struct chunk *out,
                            struct error *err)
{
	struct llama_event event = {.content = {.max = LIMIT_MESSAGE}};
	enum status status = llama_event_read(&event, json, len, err);

	if (!status && buf_status(&event.content))
		status = error_set(err, buf_status(&event.content), "a token of more than %zu bytes", event.content.max);
	if (!status)
		chunk_read_error(out, json, len, false);
	if (!status && !out->error.status)
		status = use_event(llama, &event, out, err);
	buf_free(&event.content);
	return status;
}

enum status llama_read(struct remote *remote, const char *json, size_t len, struct chunk *out, struct error *err)
{
	struct llama_server *llama = remote->own;
	enum status status;

	if (llama->mode != LLAMA_RAW)
		return chunk_read_openai(out, json, len, err);
	llama->is_reading = true;
	status = read_raw(llama, json, len, out, err);
	llama->is_reading = false;
	return status;
}
