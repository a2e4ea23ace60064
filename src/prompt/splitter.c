#include "prompt/splitter.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "prompt/harmony.h"
#include "prompt/shape.h"

enum { HELD_MAX = 1 << 20 };

struct held_token {
	struct token token; /* without bytes and candidates, which are in the text and below */
	size_t n_bytes;     /* how many bytes of the text are its own */
	bool is_control;    /* they are its name, which is not shown */
	struct token_candidate candidates[TOKEN_CANDIDATES_MAX];
};

void splitter_init(struct splitter *splitter, const struct reasoning_markers *markers,
                   bool thinking, const char *const *stops, bool trim)
{
	*splitter = (struct splitter){
		.markers = markers, .opened = thinking, .stops = stops, .skip_blanks = trim};
	splitter->state = markers ? SPLITTER_START : SPLITTER_ANSWER;
	buf_init(&splitter->text, LIMIT_MESSAGE);
}

void splitter_deinit(struct splitter *splitter)
{
	free(splitter->tokens);
	buf_free(&splitter->text);
	*splitter = (struct splitter){0};
}

static enum header_match match_headers(const char *const *headers, const char *text, size_t len,
                                       size_t *header_len)
{
	enum header_match best = HEADER_NONE;

	for (; *headers && best != HEADER_FOUND; headers++) {
		enum header_match match = header_match(*headers, text, len);

		if (match == HEADER_FOUND)
			*header_len = strlen(*headers);
		best = match > best ? match : best;
	}
	return best;
}

/* What bytes are reported as. */
enum part { PART_MARKER, PART_REASONING, PART_ASIDE, PART_ANSWER };

struct outlet {
	splitter_sink sink;
	void *ctx;
	struct error *err;
};

/* Reports a token with the first `n` of its bytes. */
static enum status report(struct splitter *s, const struct outlet *out,
                               const struct held_token *held, enum part part, const char *bytes,
                               size_t n)
{
	struct token token = held->token;

	if (part == PART_MARKER || held->is_control)
		n = 0;
	if (part == PART_ANSWER && s->skip_blanks) {
		size_t blanks = prompt_count_blanks(bytes, n);

		bytes += blanks;
		n -= blanks;
		s->skip_blanks = n == 0;
	}
	token.bytes = bytes;
	token.len = n;
	token.candidates = held->candidates;
	token.reasoning = part != PART_ANSWER;
	token.aside = part == PART_ASIDE;
	return out->sink(out->ctx, &token, out->err);
}

/* What happens to a token that extends beyond the bytes that are released. */
enum border {
	BORDER_HOLD, /* it is held back whole */
	BORDER_CUT,  /* it is reported with its first bytes; if they are a marker's, it loses them and
	              * is held back with the rest */
	BORDER_END,  /* as HOLD, but tokens without bytes that follow are released too */
	BORDER_STOP, /* it is reported with its first bytes, and all else is dropped */
};

/* Reports the tokens that end within the first `n` bytes, and drops them from the queue. */
static enum status release(struct splitter *s, size_t n, enum part part, enum border border,
                           const struct outlet *out)
{
	enum status status = STATUS_OK;
	size_t n_tokens = 0, at = 0;
	struct held_token *held;

	s->said_before |= n > 0 && (part == PART_REASONING || part == PART_ASIDE);
	while (!status && n_tokens < s->n && s->tokens[n_tokens].n_bytes <= n - at) {
		held = &s->tokens[n_tokens];
		/* A token without bytes begins a character that the next one completes. */
		if (held->n_bytes == 0 && at == n && border != BORDER_END)
			break;
		n_tokens++;
		status = report(s, out, held, part, buf_text(&s->text) + at, held->n_bytes);
		at += held->n_bytes;
	}
	held = n_tokens < s->n ? &s->tokens[n_tokens] : NULL;
	if (!status && at < n && held && part != PART_MARKER &&
	    (border == BORDER_CUT || border == BORDER_STOP))
		status = report(s, out, held, part, buf_text(&s->text) + at, n - at);
	if (border == BORDER_STOP) {
		n_tokens = s->n;
		at = s->text.len;
		s->n_left = 0;
	} else if (!status && border == BORDER_CUT && at < n) {
		size_t rest = (held ? held->n_bytes : s->n_left) - (n - at);

		at = n;
		if (held && part != PART_MARKER)
			held = ++n_tokens < s->n ? held + 1 : NULL; /* the next gets the rest */
		else if (held)
			held->n_bytes = 0;
		if (held)
			held->n_bytes += rest;
		else
			s->n_left = rest;
	}
	buf_remove(&s->text, 0, at);
	s->n -= n_tokens;
	if (n_tokens && s->n)
		memmove(s->tokens, s->tokens + n_tokens, s->n * sizeof *s->tokens);
	return status;
}

static size_t count_blanks(const struct splitter *s)
{
	return prompt_count_blanks(buf_text(&s->text), s->text.len);
}

/* How many bytes at the end of a text may begin `what`, which is not in it. */
static size_t count_begun(const char *text, size_t len, const char *what)
{
	size_t n = strlen(what);

	n = n > len ? len : n ? n - 1 : 0;
	while (n && memcmp(text + len - n, what, n) != 0)
		n--;
	return n;
}

/* What kind of part a header opens. */
enum opening { OPENING_NONE, OPENING_MAYBE, OPENING_REASONING, OPENING_ANSWER };

static enum opening match_channel(struct splitter *s, const char *text, size_t len,
                                  size_t *header_len)
{
	struct harmony_header header;
	enum header_match match = harmony_match(text, len, &header);
	size_t n;

	s->aside = false;
	s->recipient[0] = '\0';
	if (match != HEADER_FOUND)
		return match == HEADER_MAYBE ? OPENING_MAYBE : OPENING_NONE;
	*header_len = header.len;
	s->aside = header.channel == HARMONY_COMMENTARY;
	n = header.recipient_len < SPLITTER_RECIPIENT_MAX ? header.recipient_len
	                                                   : SPLITTER_RECIPIENT_MAX;
	if (n)
		memcpy(s->recipient, header.recipient, n);
	s->recipient[n] = '\0';
	return header.channel == HARMONY_FINAL ? OPENING_ANSWER : OPENING_REASONING;
}

static enum opening match_opening(struct splitter *s, const char *text, size_t len,
                                  size_t *header_len)
{
	enum header_match open, answer;

	if (s->markers->channels)
		return match_channel(s, text, len, header_len);
	open = match_headers(s->markers->opens, text, len, header_len);
	if (open == HEADER_FOUND)
		return OPENING_REASONING;
	answer = match_headers(s->markers->answers, text, len, header_len);
	if (answer == HEADER_FOUND)
		return OPENING_ANSWER;
	return open == HEADER_MAYBE || answer == HEADER_MAYBE ? OPENING_MAYBE : OPENING_NONE;
}

/* Each step releases what can be told in its state. *more: go on with the next state. */
static enum status step_start(struct splitter *s, bool *more, const struct outlet *out)
{
	size_t blanks = count_blanks(s), len = s->text.len - blanks, header = 0;
	enum opening opening;

	if (len == 0)
		return STATUS_OK;
	opening = match_opening(s, buf_text(&s->text) + blanks, len, &header);
	if (opening == OPENING_MAYBE)
		return STATUS_OK;
	*more = true;
	s->said = false;
	if (opening == OPENING_REASONING)
		s->state = SPLITTER_REASONING;
	else if (opening == OPENING_ANSWER)
		s->state = SPLITTER_CLOSED;
	else if (s->opened)
		s->state = SPLITTER_REASONING;
	else if (s->thought || s->tokens[0].is_control)
		s->state = SPLITTER_CLOSED;
	else
		s->state = SPLITTER_ANSWER;
	s->opened = false;
	s->thought |= opening == OPENING_REASONING;
	return header ? release(s, blanks + header, PART_MARKER, BORDER_CUT, out) : STATUS_OK;
}

/* Puts a blank line between this part and the one before; its first token gets the bytes. */
static enum status put_gap(struct splitter *s, struct error *err)
{
	static const char gap[2] = "\n\n";

	if (buf_append(&s->text, gap, sizeof gap))
		return error_set(err, STATUS_NOMEM, "not enough memory for the reply");
	memmove(s->text.data + sizeof gap, s->text.data, s->text.len - sizeof gap);
	memcpy(s->text.data, gap, sizeof gap);
	if (s->n)
		s->tokens[0].n_bytes += sizeof gap;
	else
		s->n_left += sizeof gap;
	return STATUS_OK;
}

/* Where the bytes at the end begin that may belong to the closing marker or to the blanks
 * before it. */
static size_t open_end(const struct splitter *s)
{
	const char *text = buf_text(&s->text);
	size_t len = s->text.len - count_begun(text, s->text.len, s->markers->close);

	while (len > 0 && prompt_is_blank(text[len - 1]))
		len--;
	return len;
}

static enum status step_reasoning(struct splitter *s, bool *more, const struct outlet *out)
{
	const char *close = s->markers->close, *hit;
	enum part part = s->aside ? PART_ASIDE : PART_REASONING;
	size_t said, end;
	enum status status;

	if (!s->said) {
		size_t blanks = count_blanks(s);

		status = release(s, blanks, PART_MARKER, BORDER_CUT, out);
		if (status)
			return status;
		s->said = s->text.len > 0;
		if (s->said && s->said_before)
			status = put_gap(s, out->err);
		if (status)
			return status;
	}
	hit = memmem(buf_text(&s->text), s->text.len, close, strlen(close));
	if (!hit)
		return release(s, open_end(s), part, BORDER_HOLD, out);
	said = end = (size_t)(hit - buf_text(&s->text));
	end += strlen(close);
	while (said > 0 && prompt_is_blank(buf_text(&s->text)[said - 1]))
		said--;
	*more = true;
	s->thought = true;
	s->state = s->markers->answers[0] ? SPLITTER_START : SPLITTER_CLOSED;
	status = release(s, said, part, BORDER_CUT, out);
	return status ? status : release(s, end - said, PART_MARKER, BORDER_CUT, out);
}

static enum status step_closed(struct splitter *s, bool *more, const struct outlet *out)
{
	enum status status = release(s, count_blanks(s), PART_MARKER, BORDER_CUT, out);

	while (!status && s->n && s->tokens[0].is_control)
		status = release(s, s->tokens[0].n_bytes, PART_MARKER, BORDER_CUT, out);
	if (!status && s->text.len && !prompt_is_blank(*buf_text(&s->text))) {
		s->state = SPLITTER_ANSWER;
		*more = true;
	}
	return status;
}

/* Whether the newest token ends a part of the answer, so that another part may follow. */
static bool ends_part(const struct splitter *s)
{
	const struct held_token *last = s->n ? &s->tokens[s->n - 1] : NULL;
	size_t n = s->markers ? strlen(s->markers->close) : 0;

	return last && last->is_control && s->markers && s->markers->parts && last->n_bytes == n &&
	       memcmp(buf_text(&s->text) + s->text.len - n, s->markers->close, n) == 0;
}

/* Removes the names of the control tokens among the first n: they are not part of the answer. */
static void drop_names(struct splitter *s, size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		if (s->tokens[i].is_control) {
			buf_remove(&s->text, at, s->tokens[i].n_bytes);
			s->tokens[i].n_bytes = 0;
		}
		at += s->tokens[i].n_bytes;
	}
}

/* How many of the first `len` bytes cannot belong to a stop string; if there is one, how many come
 * before it. */
static size_t find_stop(struct splitter *s, size_t len)
{
	const char *text = buf_text(&s->text);
	size_t first = len, open = 0; /* bytes at the end that may begin one */

	for (const char *const *stop = s->stops; *stop; stop++) {
		size_t n = strlen(*stop), begun = count_begun(text, len, *stop);
		const char *hit = n ? memmem(text, len, *stop, n) : NULL;

		if (hit && (size_t)(hit - text) < first) {
			first = (size_t)(hit - text);
			s->stopped = true;
		}
		open = begun > open ? begun : open;
	}
	return s->stopped ? first : len - open;
}

static enum status step_answer(struct splitter *s, bool *more, const struct outlet *out)
{
	bool ends = ends_part(s);
	size_t n = ends ? s->tokens[s->n - 1].n_bytes : 0, len, safe;
	enum status status;

	drop_names(s, s->n - ends);
	len = s->text.len - n;
	safe = find_stop(s, len);
	if (s->stopped)
		return release(s, safe, PART_ANSWER, BORDER_STOP, out);
	if (!ends)
		return release(s, safe, PART_ANSWER, BORDER_END, out);
	s->state = SPLITTER_START;
	s->thought = *more = true;
	status = release(s, len, PART_ANSWER, BORDER_HOLD, out);
	return status ? status : release(s, n, PART_MARKER, BORDER_CUT, out);
}

static enum status run_steps(struct splitter *s, const struct outlet *out)
{
	enum status status = STATUS_OK;

	for (bool more = true; more && !status;) {
		more = false;
		switch (s->state) {
		case SPLITTER_START:
			status = step_start(s, &more, out);
			break;
		case SPLITTER_REASONING:
			status = step_reasoning(s, &more, out);
			break;
		case SPLITTER_CLOSED:
			status = step_closed(s, &more, out);
			break;
		case SPLITTER_ANSWER:
			status = step_answer(s, &more, out);
			break;
		}
	}
	return status;
}

enum status splitter_push(struct splitter *splitter, const struct token *token,
                          const char *name, size_t name_len, splitter_sink sink, void *ctx,
                          struct error *err)
{
	const struct outlet out = {sink, ctx, err};
	const char *text = name ? name : token->bytes;
	size_t len = name ? name_len : token->len;
	struct held_token *held;

	if (splitter->stopped)
		return STATUS_OK;
	if (!alloc_grow(&splitter->tokens, &splitter->cap, splitter->n + 1,
	                sizeof *splitter->tokens, HELD_MAX) ||
	    buf_append(&splitter->text, text, len))
		return error_set(err, STATUS_NOMEM, "not enough memory for the reply");
	held = &splitter->tokens[splitter->n++];
	held->token = *token;
	if (token->n_candidates)
		memcpy(held->candidates, token->candidates,
		       token->n_candidates * sizeof *held->candidates);
	held->n_bytes = len + splitter->n_left;
	held->is_control = name != NULL;
	splitter->n_left = 0;
	return run_steps(splitter, &out);
}

/* Whether the reply was cut short inside a header. */
static bool ends_in_header(const struct splitter *s)
{
	struct harmony_header header;

	return s->state == SPLITTER_START && s->markers->channels && s->n && s->tokens[0].is_control &&
	       harmony_match(buf_text(&s->text), s->text.len, &header) == HEADER_MAYBE;
}

enum status splitter_flush(struct splitter *splitter, splitter_sink sink, void *ctx,
                           struct error *err)
{
	const struct outlet out = {sink, ctx, err};
	bool thinking = splitter->state == SPLITTER_REASONING || splitter->opened;
	enum part part = PART_ANSWER;
	enum status status = STATUS_OK;
	bool more;

	if (splitter->stopped)
		return STATUS_OK;
	if (thinking)
		part = splitter->aside ? PART_ASIDE : PART_REASONING;
	else if (splitter->state == SPLITTER_CLOSED || ends_in_header(splitter))
		part = PART_MARKER;
	else
		status = step_answer(splitter, &more, &out);
	if (status || splitter->stopped)
		return status;
	return release(splitter, splitter->text.len, part, BORDER_END, &out);
}
