#include "encode/splitter.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "encode/harmony.h"
#include "encode/shape.h"

void splitter_init(struct splitter *splitter, const struct reasoning_markers *markers,
                   enum reasoning_start start, const char *const *stops, bool trim,
                   held_sink sink, void *ctx)
{
	*splitter = (struct splitter){
		.markers = markers, .opened = start == REASONING_OPENED, .stops = stops,
		.state = markers ? SPLITTER_START : SPLITTER_ANSWER, .bytes = {.max = LIMIT_MESSAGE},
		.held = {.text = {.max = LIMIT_MESSAGE}, .trims = trim, .skip_blanks = trim,
		         .unsure = markers && !markers->parts && start == REASONING_UNOPENED,
		         .sink = sink, .ctx = ctx}};
}

void splitter_deinit(struct splitter *splitter)
{
	free(splitter->held.tokens);
	buf_free(&splitter->held.text);
	buf_free(&splitter->bytes);
	*splitter = (struct splitter){0};
}

static enum header_match match_headers(const char *const *headers, const char *text, size_t len,
                                       size_t *header_len)
{
	enum header_match best = HEADER_NONE;

	for (; *headers && best != HEADER_FOUND; headers++) {
		enum header_match match = header_match(*headers, text, len, header_len);

		best = match > best ? match : best;
	}
	return best;
}

static enum status release(struct splitter *s, size_t n, enum held_part part,
                           enum held_border border, struct error *err)
{
	s->said_before |= n > 0 && (part == PART_REASONING || part == PART_ASIDE);
	return held_release(&s->held, n, part, border, err);
}

static size_t count_blanks(const struct splitter *s)
{
	return prompt_count_blanks(buf_text(&s->held.text), s->held.text.len);
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

/* Each step releases what can be told in its state, and goes on to the next one when it is over. */
static enum status step_start(struct splitter *s, struct error *err)
{
	size_t blanks = count_blanks(s), len = s->held.text.len - blanks, header = 0;
	enum opening opening;

	if (len == 0)
		return STATUS_OK;
	opening = match_opening(s, buf_text(&s->held.text) + blanks, len, &header);
	if (opening == OPENING_MAYBE)
		return STATUS_OK;
	s->said = false;
	if (opening == OPENING_REASONING)
		s->state = SPLITTER_REASONING;
	else if (opening == OPENING_ANSWER)
		s->state = SPLITTER_CLOSED;
	else if (s->opened)
		s->state = SPLITTER_REASONING;
	else if (s->has_reasoned || s->held.tokens[0].is_control)
		s->state = SPLITTER_CLOSED;
	else
		s->state = SPLITTER_ANSWER;
	s->opened = false;
	s->has_reasoned |= opening == OPENING_REASONING;
	if (s->has_reasoned || opening == OPENING_ANSWER)
		s->held.unsure = false;
	return header ? release(s, blanks + header, PART_MARKER, BORDER_CUT, err) : STATUS_OK;
}

/* Where a control token ends a part of the reply. */
struct border {
	size_t at, len; /* where the part ends, and the marker's length; without one, all that is held */
	bool found;
	size_t n_tokens; /* before it */
};

/* Whether a control token's name begins one of the headers. */
static bool begins_header(const char *const *headers, const char *name, size_t len)
{
	for (; *headers; headers++)
		if (strncmp(*headers, name, len) == 0)
			return true;
	return false;
}

/* A part ends with the closing marker; where a model has left that out, before the next header. */
static struct border find_border(const struct splitter *s)
{
	const struct reasoning_markers *markers = s->markers;
	struct border border = {.n_tokens = 0};

	for (; border.n_tokens < s->held.n; border.n_tokens++) {
		const struct held_token *token = &s->held.tokens[border.n_tokens];
		const char *name = buf_text(&s->held.text) + border.at;

		if (token->is_control && token->n_bytes && markers && markers->answers[0]) {
			bool closes = token->n_bytes == strlen(markers->close) &&
			              memcmp(name, markers->close, token->n_bytes) == 0;

			if (closes || begins_header(markers->answers, name, token->n_bytes) ||
			    begins_header(markers->opens, name, token->n_bytes)) {
				border.found = true;
				border.len = closes ? token->n_bytes : 0;
				return border;
			}
		}
		border.at += token->n_bytes;
	}
	return border;
}

/* The first `len` bytes that are held, without the blanks at their end. */
static size_t trim_blanks(const struct splitter *s, size_t len)
{
	while (len > 0 && prompt_is_blank(buf_text(&s->held.text)[len - 1]))
		len--;
	return len;
}

/* Where the bytes at the end begin that may belong to the closing marker or to the blanks
 * before it. */
static size_t open_end(const struct splitter *s)
{
	const char *text = buf_text(&s->held.text);

	return trim_blanks(s, s->held.text.len - count_begun(text, s->held.text.len, s->markers->close));
}

/* Ends the reasoning: `said` bytes of it, then a marker and the blanks before it up to `end`. */
static enum status close_reasoning(struct splitter *s, size_t said, size_t end, struct error *err)
{
	enum held_part part = s->aside ? PART_ASIDE : PART_REASONING;
	enum status status;

	s->has_reasoned = true;
	s->state = s->markers->answers[0] ? SPLITTER_START : SPLITTER_CLOSED;
	said = trim_blanks(s, said);
	end -= said;
	status = release(s, said, part, BORDER_CUT, err);
	return status ? status : release(s, end, PART_MARKER, BORDER_CUT, err);
}

static enum status step_reasoning(struct splitter *s, struct error *err)
{
	const char *close = s->markers->close, *hit;
	struct border border;
	enum status status;

	if (!s->said) {
		size_t blanks = count_blanks(s);

		status = release(s, blanks, PART_MARKER, BORDER_CUT, err);
		if (status)
			return status;
		s->said = s->held.text.len > 0;
		if (s->said && s->said_before)
			status = held_put_gap(&s->held, err);
		if (status)
			return status;
	}
	border = find_border(s);
	hit = memmem(buf_text(&s->held.text), border.at, close, strlen(close));
	if (hit)
		border = (struct border){.at = (size_t)(hit - buf_text(&s->held.text)), .len = strlen(close)};
	if (hit || border.found)
		return close_reasoning(s, border.at, border.at + border.len, err);
	return release(s, open_end(s), s->aside ? PART_ASIDE : PART_REASONING, BORDER_HOLD, err);
}

static enum status step_closed(struct splitter *s, struct error *err)
{
	enum status status = STATUS_OK;
	size_t n;

	do {
		n = count_blanks(s);
		if (s->held.n && s->held.tokens[0].is_control)
			n = s->held.tokens[0].n_bytes;
		status = release(s, n, PART_MARKER, BORDER_CUT, err);
	} while (!status && n);
	if (!status && s->held.text.len)
		s->state = SPLITTER_ANSWER;
	return status;
}

/* What the beginning of an answer's text is decided to be. */
struct decision {
	size_t n;        /* bytes that are answer, or, before a closing marker, reasoning */
	bool stopped;    /* a stop string follows */
	bool recants;    /* a closing marker follows */
};

/* The first stop string to end within the first `len` bytes; otherwise how many of them cannot
 * belong to one. */
static struct decision find_stop(const struct splitter *s, size_t len)
{
	const char *text = buf_text(&s->held.text);
	size_t first = SIZE_MAX, open = 0; /* bytes at the end that may begin one */
	struct decision found = {0};

	for (const char *const *stop = s->stops; *stop; stop++) {
		size_t n = strlen(*stop), begun = count_begun(text, len, *stop);
		const char *hit = n ? memmem(text, len, *stop, n) : NULL;
		size_t at = hit ? (size_t)(hit - text) : 0;

		if (hit && (at + n < first || (at + n == first && at < found.n))) {
			first = at + n;
			found = (struct decision){.n = at, .stopped = true};
		}
		open = begun > open ? begun : open;
	}
	if (!found.stopped)
		found.n = len - open;
	return found;
}

/* Whether `what` is among the first `len` bytes; otherwise *len loses the end that may begin it. */
static bool find_marker(const struct splitter *s, const char *what, size_t *len, size_t *at)
{
	const char *text = buf_text(&s->held.text);
	const char *hit = memmem(text, *len, what, strlen(what));

	if (hit)
		*at = (size_t)(hit - text);
	else
		*len -= count_begun(text, *len, what);
	return hit != NULL;
}

/* Whether a closing marker behind the first `at` bytes is only spoken of. */
static bool is_quoted(const struct splitter *s, size_t at)
{
	const char *text = buf_text(&s->held.text);
	char last = at ? text[at - 1] : s->held.last;
	bool quoted = s->held.quoted;

	for (size_t i = 0; i < at; i++)
		quoted ^= text[i] == '`';
	return quoted || last == '"' || last == '\'';
}

/* While the answer may still turn out to be reasoning; `found`: what the stop strings say. */
static struct decision find_close(struct splitter *s, size_t len, struct decision found)
{
	size_t safe = len, at = 0, open_at = 0, close_len = strlen(s->markers->close);
	bool closes = find_marker(s, s->markers->close, &safe, &at), opens;

	opens = find_marker(s, s->markers->opens[0], &safe, &open_at);
	if (opens && (!closes || open_at < at)) {
		s->held.unsure = false; /* it is spoken of */
		return found;
	}
	if (closes && (!found.stopped || at + close_len <= found.n)) {
		if (!is_quoted(s, at))
			return (struct decision){.n = at, .recants = true};
		s->held.unsure = false;
		return found;
	}
	if (!found.stopped)
		found.n = trim_blanks(s, found.n < safe ? found.n : safe);
	return found;
}

/* A closing marker came, behind `said` bytes, without an opening one. */
static enum status recant(struct splitter *s, size_t said, struct error *err)
{
	size_t blanks = s->held.reported ? 0 : prompt_count_blanks(buf_text(&s->held.text), said);
	enum status status = release(s, blanks, PART_MARKER, BORDER_CUT, err);

	s->held.recant = s->held.reported;
	s->held.unsure = false;
	s->held.skip_blanks = s->held.trims;
	s->said_before |= s->held.reported;
	said -= blanks;
	return status ? status : close_reasoning(s, said, said + strlen(s->markers->close), err);
}

static enum status step_answer(struct splitter *s, struct error *err)
{
	struct border border = s->markers && s->markers->parts
	                               ? find_border(s)
	                               : (struct border){.at = s->held.text.len, .n_tokens = s->held.n};
	struct decision found;
	size_t len, n = border.len;
	enum status status;

	if (s->held.unsure) {
		found = find_close(s, border.at, find_stop(s, border.at));
		if (found.recants)
			return recant(s, found.n, err);
	}
	len = border.at - held_drop_names(&s->held, border.n_tokens);
	found = find_stop(s, len);
	if (s->held.unsure)
		found = find_close(s, len, found);
	s->stopped = found.stopped;
	if (s->stopped)
		return release(s, found.n, PART_ANSWER, BORDER_STOP, err);
	if (!border.found)
		return release(s, found.n, PART_ANSWER, BORDER_END, err);
	s->state = SPLITTER_START;
	s->has_reasoned = true;
	status = release(s, len, PART_ANSWER, BORDER_HOLD, err);
	return status ? status : release(s, n, PART_MARKER, BORDER_CUT, err);
}

static enum status run_steps(struct splitter *s, struct error *err)
{
	enum status status = STATUS_OK;
	enum splitter_state before;

	do {
		before = s->state;
		switch (s->state) {
		case SPLITTER_START:
			status = step_start(s, err);
			break;
		case SPLITTER_REASONING:
			status = step_reasoning(s, err);
			break;
		case SPLITTER_CLOSED:
			status = step_closed(s, err);
			break;
		case SPLITTER_ANSWER:
			status = step_answer(s, err);
			break;
		}
	} while (!status && s->state != before);
	return status;
}

enum status splitter_push(struct splitter *splitter, const struct token *token,
                          const char *name, size_t name_len, struct error *err)
{
	enum status status;

	if (splitter->stopped)
		return STATUS_OK;
	status = held_push(&splitter->held, token, name, name_len, err);
	return status ? status : run_steps(splitter, err);
}

enum status splitter_end_text(struct splitter *splitter, struct detokenizer *detokenizer,
                              struct error *err)
{
	struct token token = splitter->token;

	buf_clear(&splitter->bytes);
	if (utf8_stream_flush(&detokenizer->utf8, &splitter->bytes))
		return error_no_memory(err, "for the reply");
	token.bytes = buf_text(&splitter->bytes);
	token.len = splitter->bytes.len;
	token.rest = true;
	return token.len ? splitter_push(splitter, &token, NULL, 0, err) : STATUS_OK;
}

enum status splitter_push_id(struct splitter *splitter, struct detokenizer *detokenizer,
                             struct token *token, struct error *err)
{
	const struct tokenizer *tokenizer = detokenizer->tokenizer;
	bool is_control = tokenizer_is_control(tokenizer, token->id);
	enum status status = is_control ? splitter_end_text(splitter, detokenizer, err) : STATUS_OK;
	const char *name = NULL;
	size_t name_len = 0;

	if (status)
		return status;
	buf_clear(&splitter->bytes);
	if (detokenizer_push(detokenizer, token->id, &splitter->bytes))
		return error_no_memory(err, "for the reply");
	token->bytes = buf_text(&splitter->bytes);
	token->len = splitter->bytes.len;
	splitter->token = *token;
	splitter->token.candidates = NULL;
	splitter->token.n_candidates = 0;
	if (is_control)
		name = tokenizer_name(tokenizer, token->id, &name_len);
	return splitter_push(splitter, token, name, name_len, err);
}

/* Whether the reply was cut short inside a header. */
static bool ends_in_header(const struct splitter *s)
{
	struct harmony_header header;
	bool has_control = false;

	for (size_t i = 0; i < s->held.n; i++)
		has_control |= s->held.tokens[i].is_control;
	return s->state == SPLITTER_START && has_control && s->markers->channels &&
	       harmony_match(buf_text(&s->held.text), s->held.text.len, &header) == HEADER_MAYBE;
}

/* Text may come behind a header all the same. */
static enum status flush_header(struct splitter *s, struct error *err)
{
	struct harmony_header header;
	enum held_part part = PART_MARKER;
	enum status status = STATUS_OK;

	if (harmony_match_end(buf_text(&s->held.text), s->held.text.len, &header)) {
		status = release(s, header.len, PART_MARKER, BORDER_CUT, err);
		part = header.channel == HARMONY_ANALYSIS ? PART_REASONING : PART_ANSWER;
		if (!status)
			held_drop_names(&s->held, s->held.n);
	}
	return status ? status : release(s, s->held.text.len, part, BORDER_END, err);
}

enum status splitter_flush(struct splitter *splitter, struct error *err)
{
	bool reasoning = splitter->state == SPLITTER_REASONING || splitter->opened;
	enum held_part part = PART_ANSWER;
	enum status status = STATUS_OK;

	if (splitter->stopped)
		return STATUS_OK;
	if (ends_in_header(splitter))
		return flush_header(splitter, err);
	if (reasoning)
		part = splitter->aside ? PART_ASIDE : PART_REASONING;
	else if (splitter->state == SPLITTER_CLOSED)
		part = PART_MARKER;
	else
		status = step_answer(splitter, err);
	if (status || splitter->stopped)
		return status;
	return release(splitter, splitter->held.text.len, part, BORDER_END, err);
}
