#include "encode/encode.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "encode/match.h"
#include "encode/shape.h"

/* A prompt being turned into ids. */
struct encoding {
	const struct tokenizer *tokenizer;
	const struct chat_template *tmpl;
	const struct turn *turn;
	const struct prompt *prompt;
	struct encoded *out;
	size_t at;       /* bytes of the prompt that are done */
	size_t span;     /* the index of the span that `at` is in */
	unsigned flags;  /* for what is tokenised next */
	uint32_t *sources; /* owned: the source of each token */
	uint32_t counted;  /* the message's text that tokens are counted of, as a source, ... */
	size_t text_at;    /* ... and where it begins in the prompt */
	size_t cap;
	struct error *err;
};

/* The source of the byte at `at`, which never decreases from call to call. */
static uint32_t source_at(struct encoding *e, size_t at)
{
	const struct prompt *prompt = e->prompt;

	while (e->span < prompt->n_spans && prompt->spans[e->span].end <= at)
		e->span++;
	return e->span < prompt->n_spans ? prompt->spans[e->span].source : SOURCE_TEMPLATE;
}

/* How many of the `n` bytes at `text` match a token's bytes; 0 if they do not.
 * SentencePiece reads U+2581 as a blank. */
static size_t match_bytes(const char *text, size_t n, const char *bytes, size_t len)
{
	static const char blank[] = "\xE2\x96\x81";
	size_t at = 0;

	for (size_t i = 0; i < len; i++) {
		if (at < n && text[at] == bytes[i])
			at++;
		else if (bytes[i] == ' ' && n - at >= 3 && memcmp(text + at, blank, 3) == 0)
			at += 3;
		else
			return 0;
	}
	return at;
}

/* Finds a token's bytes in [*at, end) of the prompt: returns where they begin, and
 * sets *at to where they end. A tokenizer may add a blank in front or drop some;
 * the unknown token stands for one character. */
static size_t locate(const struct encoding *e, int32_t id, size_t *at, size_t end)
{
	const char *prompt = e->prompt->text, *bytes;
	size_t len, start = *at, n;
	int32_t cp;

	bytes = tokenizer_is_control(e->tokenizer, id) ? tokenizer_name(e->tokenizer, id, &len)
	                                               : tokenizer_bytes(e->tokenizer, id, &len);
	if (!len)
		return start;
	for (;; start++) {
		n = match_bytes(prompt + start, end - start, bytes, len);
		if (!n && *bytes == ' ' && len == 1)
			return start; /* the blank that was added */
		if (!n && *bytes == ' ')
			n = match_bytes(prompt + start, end - start, bytes + 1, len - 1);
		if (n || start == end || !prompt_is_blank(prompt[start]))
			break;
	}
	if (!n && start < end && id == tokenizer_unk(e->tokenizer))
		n = utf8_decode(prompt + start, end - start, &cp);
	if (!n)
		n = len < end - start ? len : end - start;
	*at = start + n;
	return start;
}

/* Counts a token of a message's text, whose first byte is `at` in the prompt, if it is one of its
 * files, which come first. */
static void count_files(struct encoding *e, uint32_t source, size_t at)
{
	size_t message = prompt_source_message(source);

	if (!e->turn->messages[message].files_len)
		return;
	if (e->counted != source) {
		e->counted = source;
		e->text_at = at;
	}
	e->out->counts[message].files += at - e->text_at < e->turn->messages[message].files_len;
}

/* The source of a token. If it joins text of the template and of a message, such as a blank and the
 * word after it, it is the message's. */
static uint32_t next_source(struct encoding *e, int32_t id, size_t end)
{
	size_t at = locate(e, id, &e->at, end);
	uint32_t source = source_at(e, at);

	while (source == SOURCE_TEMPLATE && ++at < e->at)
		source = source_at(e, at);
	if (source != SOURCE_TEMPLATE)
		count_files(e, source, at);
	return source;
}

/* Records the sources of the tokens from `first` on: `given`, or if that is 0, those of their
 * bytes. */
static enum status note_sources(struct encoding *e, size_t first, size_t end, uint32_t given)
{
	const struct token_list *ids = &e->out->ids;

	if (!alloc_grow(&e->sources, &e->cap, ids->n, sizeof *e->sources, SIZE_MAX / sizeof *e->sources))
		return error_no_memory(e->err, "for the prompt");
	for (size_t i = first; i < ids->n; i++) {
		e->sources[i] = given ? given : next_source(e, ids->ids[i], end);
		if (e->at <= e->prompt->n_asked)
			e->out->n_asked = i + 1;
	}
	return STATUS_OK;
}

/* Tokenises the prompt up to `end` as one string. */
static enum status encode_text(struct encoding *e, size_t end)
{
	const struct prompt *prompt = e->prompt;
	size_t first = e->out->ids.n, from = e->at, n = 0, last;
	struct text_span *spans;
	enum status status;
	bool has_bos;

	if (from >= end && !(e->flags & ENCODE_BOS))
		return STATUS_OK;
	source_at(e, from);
	for (last = e->span; last < prompt->n_spans && prompt->spans[last].end < end; last++)
		;
	spans = alloc_array(last - e->span + 1, sizeof *spans);
	if (!spans)
		return error_no_memory(e->err, "for the prompt");
	for (size_t i = e->span; i < prompt->n_spans && from < end; i++) {
		size_t stop = prompt->spans[i].end < end ? prompt->spans[i].end : end;

		spans[n++] = (struct text_span){prompt->text + from, stop - from,
		                                prompt->spans[i].source != SOURCE_TEMPLATE};
		from = stop;
	}
	status = tokenizer_encode_spans(e->tokenizer, spans, n, e->flags, &e->out->ids, e->err);
	free(spans);
	if (status)
		return status;
	has_bos = (e->flags & ENCODE_BOS) && tokenizer_adds_bos(e->tokenizer);
	e->flags = ENCODE_CONTINUE;
	/* The BOS that the tokenizer adds has no bytes in the prompt. */
	if (has_bos && e->cap == 0 && !alloc_grow(&e->sources, &e->cap, 1, sizeof *e->sources, SIZE_MAX))
		return error_no_memory(e->err, "for the prompt");
	if (has_bos)
		e->sources[first++] = SOURCE_TEMPLATE;
	status = note_sources(e, first, end, 0);
	e->at = end;
	return status;
}

/* Uses a reply's own ids for the text that they match. */
static enum status encode_reply(struct encoding *e, size_t message,
                                const struct text_run runs[2])
{
	const struct message *reply = &e->turn->messages[message];
	struct reply_match matches[REPLY_MATCHES_MAX];
	size_t n;
	enum status status = match_reply(matches, &n, e->prompt, runs, reply, e->tokenizer,
	                                 e->tmpl->lead, e->err);

	for (size_t i = 0; i < n && !status; i++) {
		size_t first;

		if (matches[i].start < e->at)
			continue;
		status = encode_text(e, matches[i].start);
		first = e->out->ids.n;
		for (size_t id = 0; id < matches[i].n && !status; id++)
			if (token_list_push(&e->out->ids, reply->ids[matches[i].first + id]))
				status = error_no_memory(e->err, "for the prompt");
		if (!status)
			status = note_sources(e, first, 0, prompt_source(message, false));
		e->at = matches[i].end;
	}
	return status;
}

/* Avoids a second BOS if both the tokenizer and the template add one: the template's
 * is skipped, or if blanks come before it, the tokenizer adds none. */
static void begin_prompt(struct encoding *e)
{
	const struct prompt *prompt = e->prompt;
	size_t len = 0, n, bound;
	const char *bos = "";

	e->flags = ENCODE_BOS;
	if (tokenizer_adds_bos(e->tokenizer))
		bos = tokenizer_name(e->tokenizer, tokenizer_bos(e->tokenizer), &len);
	if (!len || !prompt->n_spans || prompt->spans[0].source != SOURCE_TEMPLATE)
		return;
	bound = prompt->spans[0].end;
	while (e->at + len <= bound && memcmp(prompt->text + e->at, bos, len) == 0)
		e->at += len;
	if (e->at)
		return;
	n = prompt_count_blanks(prompt->text, bound);
	if (n + len <= bound && memcmp(prompt->text + n, bos, len) == 0)
		e->flags = 0;
}

static enum status encode_prompt(struct encoding *e)
{
	size_t n = e->turn->n_messages;
	struct text_run *runs = alloc_array(n, 2 * sizeof *runs);
	enum status status = STATUS_OK;

	if (!runs)
		return error_no_memory(e->err, "for the prompt");
	match_runs(e->prompt, runs);
	begin_prompt(e);
	for (size_t i = 0; i < n && !status && !e->turn->raw; i++)
		if (e->turn->messages[i].role == ROLE_ASSISTANT)
			status = encode_reply(e, i, &runs[2 * i]);
	free(runs);
	return status ? status : encode_text(e, e->prompt->len);
}

/* Has a tokenizer that asks do so for all of the prompt at once: control tokens and the ids of replies first,
 * then what those are, then the text between them. */
static enum status gather(const struct encoding *e)
{
	enum { PASSES = 4 };
	enum status status = STATUS_OK;
	bool any = true;

	for (size_t pass = 0; pass < PASSES && any && !status; pass++) {
		struct encoded scratch = {0};
		struct encoding copy = *e;
		enum status asked;

		if (!tokenizer_gather(e->tokenizer, pass > 0))
			return STATUS_OK;
		copy.out = &scratch;
		status = encode_prompt(&copy);
		asked = tokenizer_gathered(e->tokenizer, &any, status ? NULL : e->err);
		status = status ? status : asked;
		any |= pass == 0;
		free(copy.sources);
		token_list_free(&scratch.ids);
	}
	return status;
}

static bool is_blank_token(const struct tokenizer *tokenizer, int32_t id)
{
	size_t len;
	const char *bytes = tokenizer_bytes(tokenizer, id, &len);

	return prompt_count_blanks(bytes, len) == len;
}

/* Divides the markup [from, to) between two messages: the first one gets everything up to
 * the first control token, and the blanks after it. Without a control token it gets
 * nothing. */
static size_t divide_markup(const struct encoding *e, size_t from, size_t to)
{
	const int32_t *ids = e->out->ids.ids;
	size_t at = from;

	while (at < to && !tokenizer_is_control(e->tokenizer, ids[at]))
		at++;
	if (at == to)
		return from;
	for (at++; at < to && is_blank_token(e->tokenizer, ids[at]) &&
	           !tokenizer_is_control(e->tokenizer, ids[at]); at++)
		;
	return at;
}

/* Assigns every token to a message and counts them. */
static enum status assign(struct encoding *e, size_t first_message)
{
	struct encoded *out = e->out;
	size_t owner = first_message, done = 0;
	bool any = false;

	if (!alloc_grow(&out->origins, &out->origins_cap, out->ids.n, sizeof *out->origins,
	                SIZE_MAX / sizeof *out->origins))
		return error_no_memory(e->err, "for the prompt");
	for (size_t i = 0; i <= out->ids.n; i++) {
		bool end = i == out->ids.n;
		size_t next, border;

		if (!end && e->sources[i] == SOURCE_TEMPLATE)
			continue;
		next = end ? owner : prompt_source_message(e->sources[i]);
		border = next == owner || !any ? done : divide_markup(e, done, i);
		for (; done < i || (!end && done == i); done++) {
			size_t message = done < border ? owner : next;

			out->origins[done].message = (uint32_t)message;
			out->origins[done].is_input = e->sources[done] != SOURCE_TEMPLATE;
			out->counts[message].tokens++;
			out->counts[message].markup += !out->origins[done].is_input;
		}
		owner = next;
		any = true;
	}
	return STATUS_OK;
}

enum status encode_kept(struct encoded *out, const struct tokenizer *tokenizer,
                        const struct chat_template *tmpl, const struct turn *turn,
                        struct error *err)
{
	struct prompt prompt;
	struct encoding encoding = {.tokenizer = tokenizer, .tmpl = tmpl, .turn = turn,
	                            .prompt = &prompt, .out = out, .err = err};
	size_t first = 0;
	enum status status = prompt_render(&prompt, tmpl, turn, out->keep, err);

	out->ids.n = out->n_asked = 0;
	memset(out->counts, 0, turn->n_messages * sizeof *out->counts);
	if (!status)
		status = gather(&encoding);
	if (!status)
		status = encode_prompt(&encoding);
	while (!status && first + 1 < turn->n_messages && !out->keep[first])
		first++;
	if (!status)
		status = assign(&encoding, first);
	out->changes = prompt.changes;
	out->start = prompt.start;
	free(encoding.sources);
	prompt_free(&prompt);
	return status;
}

enum status encoded_init(struct encoded *out, const struct turn *turn, struct error *err)
{
	size_t n = turn->n_messages + 1;

	*out = (struct encoded){.counts = alloc_array(n, sizeof *out->counts),
	                        .whole_tokens = alloc_array(n, sizeof(uint32_t)),
	                        .keep = alloc_array(n, sizeof(bool))};
	return out->counts && out->whole_tokens && out->keep
	               ? STATUS_OK : error_no_memory(err, "for the prompt");
}

void encoded_free(struct encoded *encoded)
{
	token_list_free(&encoded->ids);
	free(encoded->origins);
	free(encoded->counts);
	free(encoded->whole_tokens);
	free(encoded->keep);
	*encoded = (struct encoded){0};
}
