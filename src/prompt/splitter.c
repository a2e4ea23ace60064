#include "prompt/splitter.h"

#include <string.h>

#include "prompt/harmony.h"
#include "prompt/shape.h"

void splitter_init(struct splitter *splitter, const struct reasoning_markers *markers,
                   bool thinking, const char *const *stops, bool trim,
                   held_sink sink, void *ctx)
{
	*splitter = (struct splitter){
		.markers = markers, .opened = thinking, .stops = stops};
	splitter->state = markers ? SPLITTER_START : SPLITTER_ANSWER;
	held_init(&splitter->held, trim, sink, ctx);
}

void splitter_deinit(struct splitter *splitter)
{
	held_deinit(&splitter->held);
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

/* Each step releases what can be told in its state. *more: go on with the next state. */
static enum status step_start(struct splitter *s, bool *more, struct error *err)
{
	size_t blanks = count_blanks(s), len = s->held.text.len - blanks, header = 0;
	enum opening opening;

	if (len == 0)
		return STATUS_OK;
	opening = match_opening(s, buf_text(&s->held.text) + blanks, len, &header);
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
	else if (s->thought || s->held.tokens[0].is_control)
		s->state = SPLITTER_CLOSED;
	else
		s->state = SPLITTER_ANSWER;
	s->opened = false;
	s->thought |= opening == OPENING_REASONING;
	return header ? release(s, blanks + header, PART_MARKER, BORDER_CUT, err) : STATUS_OK;
}

/* Where the bytes at the end begin that may belong to the closing marker or to the blanks
 * before it. */
static size_t open_end(const struct splitter *s)
{
	const char *text = buf_text(&s->held.text);
	size_t len = s->held.text.len - count_begun(text, s->held.text.len, s->markers->close);

	while (len > 0 && prompt_is_blank(text[len - 1]))
		len--;
	return len;
}

static enum status step_reasoning(struct splitter *s, bool *more, struct error *err)
{
	const char *close = s->markers->close, *hit;
	enum held_part part = s->aside ? PART_ASIDE : PART_REASONING;
	size_t said, end;
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
	hit = memmem(buf_text(&s->held.text), s->held.text.len, close, strlen(close));
	if (!hit)
		return release(s, open_end(s), part, BORDER_HOLD, err);
	said = end = (size_t)(hit - buf_text(&s->held.text));
	end += strlen(close);
	while (said > 0 && prompt_is_blank(buf_text(&s->held.text)[said - 1]))
		said--;
	*more = true;
	s->thought = true;
	s->state = s->markers->answers[0] ? SPLITTER_START : SPLITTER_CLOSED;
	status = release(s, said, part, BORDER_CUT, err);
	return status ? status : release(s, end - said, PART_MARKER, BORDER_CUT, err);
}

static enum status step_closed(struct splitter *s, bool *more, struct error *err)
{
	enum status status = release(s, count_blanks(s), PART_MARKER, BORDER_CUT, err);

	while (!status && s->held.n && s->held.tokens[0].is_control)
		status = release(s, s->held.tokens[0].n_bytes, PART_MARKER, BORDER_CUT, err);
	if (!status && s->held.text.len && !prompt_is_blank(*buf_text(&s->held.text))) {
		s->state = SPLITTER_ANSWER;
		*more = true;
	}
	return status;
}

/* Whether the newest token ends a part of the answer, so that another part may follow. */
static bool ends_part(const struct splitter *s)
{
	const struct held_token *last = s->held.n ? &s->held.tokens[s->held.n - 1] : NULL;
	size_t n = s->markers ? strlen(s->markers->close) : 0;

	return last && last->is_control && s->markers && s->markers->parts && last->n_bytes == n &&
	       memcmp(buf_text(&s->held.text) + s->held.text.len - n, s->markers->close, n) == 0;
}

/* How many of the first `len` bytes cannot belong to a stop string; if there is one, how many come
 * before it. */
static size_t find_stop(struct splitter *s, size_t len)
{
	const char *text = buf_text(&s->held.text);
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

static enum status step_answer(struct splitter *s, bool *more, struct error *err)
{
	bool ends = ends_part(s);
	size_t n = ends ? s->held.tokens[s->held.n - 1].n_bytes : 0, len, safe;
	enum status status;

	held_drop_names(&s->held, s->held.n - ends);
	len = s->held.text.len - n;
	safe = find_stop(s, len);
	if (s->stopped)
		return release(s, safe, PART_ANSWER, BORDER_STOP, err);
	if (!ends)
		return release(s, safe, PART_ANSWER, BORDER_END, err);
	s->state = SPLITTER_START;
	s->thought = *more = true;
	status = release(s, len, PART_ANSWER, BORDER_HOLD, err);
	return status ? status : release(s, n, PART_MARKER, BORDER_CUT, err);
}

static enum status run_steps(struct splitter *s, struct error *err)
{
	enum status status = STATUS_OK;

	for (bool more = true; more && !status;) {
		more = false;
		switch (s->state) {
		case SPLITTER_START:
			status = step_start(s, &more, err);
			break;
		case SPLITTER_REASONING:
			status = step_reasoning(s, &more, err);
			break;
		case SPLITTER_CLOSED:
			status = step_closed(s, &more, err);
			break;
		case SPLITTER_ANSWER:
			status = step_answer(s, &more, err);
			break;
		}
	}
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

/* Whether the reply was cut short inside a header. */
static bool ends_in_header(const struct splitter *s)
{
	struct harmony_header header;

	return s->state == SPLITTER_START && s->markers->channels && s->held.n && s->held.tokens[0].is_control &&
	       harmony_match(buf_text(&s->held.text), s->held.text.len, &header) == HEADER_MAYBE;
}

enum status splitter_flush(struct splitter *splitter, struct error *err)
{
	bool thinking = splitter->state == SPLITTER_REASONING || splitter->opened;
	enum held_part part = PART_ANSWER;
	enum status status = STATUS_OK;
	bool more;

	if (splitter->stopped)
		return STATUS_OK;
	if (thinking)
		part = splitter->aside ? PART_ASIDE : PART_REASONING;
	else if (splitter->state == SPLITTER_CLOSED || ends_in_header(splitter))
		part = PART_MARKER;
	else
		status = step_answer(splitter, &more, err);
	if (status || splitter->stopped)
		return status;
	return release(splitter, splitter->held.text.len, part, BORDER_END, err);
}
