#include "encode/match.h"

#include <string.h>

#include "base/bisect.h"
#include "base/limits.h"

/* This many bytes of a text are enough to find it in what the ids spell. */
enum { NEEDLE_MAX = 48 };

struct match {
	const struct prompt *prompt;
	const struct message *message;
	const struct tokenizer *tokenizer;
	struct error *err;
};

void match_runs(const struct prompt *prompt, struct text_run *runs)
{
	size_t at = 0;

	for (size_t i = 0; i < prompt->n_spans; at = prompt->spans[i++].end) {
		uint32_t source = prompt->spans[i].source;
		struct text_run *run = source == SOURCE_TEMPLATE ? NULL : &runs[source - 1];

		if (run && run->n++ == 0) {
			run->start = at;
			run->end = prompt->spans[i].end;
		}
	}
}

static bool is_template(const struct prompt *prompt, size_t from, size_t to)
{
	size_t at = 0;

	BISECT(at, prompt->n_spans, i, prompt->spans[i].end <= from);
	return at < prompt->n_spans && prompt->spans[at].source == SOURCE_TEMPLATE && prompt->spans[at].end >= to;
}

/* What an id spells: a control token's name, or the characters completed by it. *known is
 * false if it is not in this vocabulary. */
static enum status spell(const struct match *s, struct detokenizer *detokenizer, int32_t id,
                         struct buf *out, bool *known)
{
	const char *name;
	size_t len;

	buf_clear(out);
	*known = id >= 0 && (size_t)id < tokenizer_n_vocab(s->tokenizer);
	if (!*known)
		return STATUS_OK;
	if (!tokenizer_is_control(s->tokenizer, id))
		return detokenizer_push(detokenizer, id, out);
	name = tokenizer_name(s->tokenizer, id, &len);
	return buf_append(out, name, len);
}

/* Compares the prompt from `start` to `bound` with the ids from `first` on, as far as they
 * spell the same. `blanks`: leading blanks may differ. */
static enum status walk(const struct match *s, size_t start, size_t bound, size_t first,
                        bool blanks, struct reply_match *out)
{
	const char *prompt = s->prompt->text;
	struct detokenizer detokenizer;
	enum status status = STATUS_OK;
	size_t at = start, begin;
	struct buf text = {.max = LIMIT_MESSAGE};

	*out = (struct reply_match){.start = start, .end = start, .first = first};
	if (blanks)
		at += prompt_count_blanks(prompt + at, bound - at);
	begin = at;
	detokenizer_init(&detokenizer, s->tokenizer, false);
	for (size_t i = first; i < s->message->n_ids; i++) {
		const char *bytes;
		size_t n, skipped;
		bool known;

		status = spell(s, &detokenizer, s->message->ids[i], &text, &known);
		if (status || !known)
			break;
		skipped = blanks && at == begin ? prompt_count_blanks(buf_text(&text), text.len) : 0;
		bytes = buf_text(&text) + skipped;
		n = text.len - skipped;
		if (n > bound - at || memcmp(bytes, prompt + at, n) != 0)
			break;
		if (tokenizer_is_reserved(s->tokenizer, s->message->ids[i]) &&
		    !is_template(s->prompt, at, at + n))
			break;
		at += n;
		if (detokenizer.utf8.n_held == 0) {
			out->n = i + 1 - first;
			out->end = at;
		}
	}
	buf_free(&text);
	/* Blanks alone are better tokenised with the text that follows. */
	if (out->end <= begin)
		out->n = 0;
	return status ? error_set(s->err, status, "not enough memory for the reply's text")
	              : STATUS_OK;
}

/* Finds where in the prompt the text of all ids begins, markers included: it is located
 * by the first visible bytes of `run`, and must match up to those. */
static enum status find_start(const struct match *s, struct text_run run, size_t *start,
                              bool *found)
{
	const char *prompt = s->prompt->text, *hit;
	struct detokenizer detokenizer;
	enum status status = STATUS_OK;
	struct buf whole = {.max = LIMIT_MESSAGE};
	struct buf piece = {.max = LIMIT_MESSAGE};
	bool known = true;
	size_t n;

	*found = false;
	run.start += prompt_count_blanks(prompt + run.start, run.end - run.start);
	n = run.end - run.start < NEEDLE_MAX ? run.end - run.start : NEEDLE_MAX;
	detokenizer_init(&detokenizer, s->tokenizer, false);
	for (size_t i = 0; i < s->message->n_ids && !status && known; i++) {
		status = spell(s, &detokenizer, s->message->ids[i], &piece, &known);
		if (!status)
			status = buf_append(&whole, buf_text(&piece), piece.len);
	}
	hit = n ? memmem(buf_text(&whole), whole.len, prompt + run.start, n) : NULL;
	if (!status && hit) {
		n = (size_t)(hit - buf_text(&whole));
		*found = n <= run.start &&
		         memcmp(prompt + run.start - n, buf_text(&whole), n) == 0;
		*start = run.start - n;
	}
	buf_free(&piece);
	buf_free(&whole);
	return status ? error_set(s->err, status, "not enough memory for the reply's text")
	              : STATUS_OK;
}

static bool stands_before(const struct prompt *prompt, size_t at, const char *text)
{
	size_t n = strlen(text);

	return n <= at && memcmp(prompt->text + at - n, text, n) == 0 &&
	       (n == 0 || is_template(prompt, at - n, at));
}

enum status match_reply(struct reply_match out[REPLY_MATCHES_MAX], size_t *n,
                        const struct prompt *prompt, const struct text_run runs[2],
                        const struct message *message, const struct tokenizer *tokenizer,
                        const char *lead, struct error *err)
{
	const struct match search = {prompt, message, tokenizer, err};
	const struct text_run *content = &runs[0];
	const struct text_run *shown = message->reasoning_len ? &runs[1] : &runs[0];
	enum status status = STATUS_OK;
	size_t start = 0;
	bool found = false;

	*n = 0;
	if (!message->n_ids || content->n != 1)
		return STATUS_OK;
	status = tokenizer_prepare(tokenizer, message->ids, message->n_ids, err);
	if (status)
		return status;
	/* With reasoning and markers, if the template shows them. */
	if (message->n_reasoning_ids && shown->n == 1 && shown->start <= content->start)
		status = find_start(&search, *shown, &start, &found);
	if (!status && found)
		status = walk(&search, start, content->end, 0, false, &out[0]);
	if (!status && found && out[0].n)
		*n = 1;
	if (status || (*n && out[0].n > message->n_reasoning_ids) ||
	    message->n_reasoning_ids >= message->n_ids)
		return status;
	/* The answer alone; blanks before it may differ from the template's. */
	start = content->start;
	if (!message->n_reasoning_ids && stands_before(prompt, start, lead))
		start -= strlen(lead);
	status = walk(&search, start, content->end, message->n_reasoning_ids, true, &out[*n]);
	if (!status && out[*n].n)
		++*n;
	return status;
}
