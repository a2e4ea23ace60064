#include "engine/cached_prompt.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "engine/session.h"

enum {
	LEAD_MAX = 32,    /* bytes of a line that are shown before the place, */
	LINE_TOKENS = 64, /* ... and tokens on each side that are looked at */
};

/* ---- keeping ---- */

static uint64_t text_hash(const struct message *message)
{
	return hash_more(HASH_BEGIN, message->text, message->len);
}

void cached_prompt_free(struct cached_prompt *cached)
{
	free(cached->ids);
	free(cached->origins);
	free(cached->messages);
	*cached = (struct cached_prompt){.n = 0};
}

/* How many of the prompt's tokens come before a reply that is continued; all, where none is. */
static size_t count_before_reply(const struct turn *turn, const struct encoded *encoded)
{
	size_t n = encoded->ids.n, n_reply = turn->continued ? encoded->counts[turn->n_messages - 1].tokens : 0;

	return n_reply < n ? n - n_reply : n;
}

void cached_prompt_set(struct cached_prompt *cached, const struct turn *turn, const struct encoded *encoded)
{
	size_t n = count_before_reply(turn, encoded), n_messages = turn->n_messages - turn->continued;

	cached_prompt_free(cached);
	cached->ids = alloc_array(n, sizeof *cached->ids);
	cached->origins = alloc_array(n, sizeof *cached->origins);
	cached->messages = alloc_array(n_messages, sizeof *cached->messages);
	if (!cached->ids || !cached->origins || !cached->messages) {
		cached_prompt_free(cached);
		return;
	}
	memcpy(cached->ids, encoded->ids.ids, n * sizeof *cached->ids);
	memcpy(cached->origins, encoded->origins, n * sizeof *cached->origins);
	for (size_t i = 0; i < n_messages; i++)
		cached->messages[i] = (struct cached_message){.hash = text_hash(&turn->messages[i]),
		                                              .role = turn->messages[i].role, .is_kept = encoded->keep[i]};
	cached->n = n;
	cached->n_messages = n_messages;
}

/* ---- how a place reads ---- */

/* The tokens [from, to) as they are shown, at most LINE_TOKENS of them. */
static void put_tokens(const struct tokenizer *tokenizer, const int32_t *ids, size_t from, size_t to, struct buf *out)
{
	for (size_t i = from; i < to && i < from + LINE_TOKENS; i++) {
		size_t len;
		const char *text = tokenizer_shown(tokenizer, ids[i], &len);

		buf_append(out, text, len);
	}
}

/* The line around token `at` of n: from its beginning, or not long before, to its end. */
static void read_line(const struct tokenizer *tokenizer, const int32_t *ids, size_t n, size_t at,
                      char line[CACHE_LINE_MAX])
{
	struct buf before = {.max = KIB(64)}, text = {.max = KIB(64)};
	size_t from, lead, len;
	const char *end;

	put_tokens(tokenizer, ids, at > LINE_TOKENS ? at - LINE_TOKENS : 0, at, &before);
	put_tokens(tokenizer, ids, at, n, &text);
	for (from = before.len; from > 0 && before.data[from - 1] != '\n' && before.len - from < LEAD_MAX; from--)
		;
	while (from < before.len && (before.data[from] & 0xC0) == 0x80)
		from++;
	lead = before.len - from;
	end = memchr(buf_text(&text), '\n', text.len);
	len = end && end > text.data ? (size_t)(end - text.data) : text.len;
	len = utf8_cut(buf_text(&text), len, CACHE_LINE_MAX - 1 - lead);
	memcpy(line, buf_text(&before) + from, lead);
	memcpy(line + lead, buf_text(&text), len);
	line[lead + len] = '\0';
	buf_free(&before);
	buf_free(&text);
}

/* ---- comparing ---- */

struct comparison {
	const struct cached_prompt *cached;
	const struct cached_view *view;
	const int32_t *was; /* [n_was]: the history */
	size_t n_was, at;   /* the first token that differs */
	struct buf was_text, is_text; /* from there on, as far as is looked at */
};

static bool is_same_message(const struct comparison *c, size_t was, size_t is)
{
	const struct cached_message *a = &c->cached->messages[was];
	const struct message *b = &c->view->turn->messages[is];

	return a->role == b->role && a->hash == text_hash(b);
}

/* The first message that is another one than the one in the cache. */
static size_t first_other(const struct comparison *c)
{
	size_t i = 0;

	while (i < c->cached->n_messages && i < c->view->turn->n_messages && is_same_message(c, i, i))
		i++;
	return i;
}

static bool is_later_in_cache(const struct comparison *c, size_t from, size_t message)
{
	for (size_t i = from; i < c->cached->n_messages; i++)
		if (is_same_message(c, i, message))
			return true;
	return false;
}

static bool is_later_in_turn(const struct comparison *c, size_t from, size_t cached)
{
	for (size_t i = from; i < c->view->turn->n_messages; i++)
		if (is_same_message(c, cached, i))
			return true;
	return false;
}

/* Whether none of the turn's messages from there on was in the cache; false where there is only one. */
static bool is_other_chat(const struct comparison *c, size_t from)
{
	size_t n = c->view->turn->n_messages;

	for (size_t i = from; i < n; i++)
		if (is_later_in_cache(c, from, i))
			return false;
	return from + 1 < n;
}

/* Whether the message in the reply's place is the reply that the history ends with. */
static bool is_reply_in_cache(const struct comparison *c, const struct message *message)
{
	size_t n = c->n_was > c->cached->n ? c->n_was - c->cached->n : 0;

	if (message->role != ROLE_ASSISTANT || !n || !message->n_ids)
		return false;
	if (n > message->n_ids)
		n = message->n_ids;
	return memcmp(c->was + c->cached->n, message->ids, n * sizeof *message->ids) == 0;
}

static bool begins_alike(const struct buf *a, const struct buf *b)
{
	size_t n = a->len < b->len ? a->len : b->len;

	return n > 0 && memcmp(buf_text(a), buf_text(b), n) == 0;
}

/* Whether a text goes on with thoughts: an opening marker, after blanks. */
static bool opens_reasoning(const struct reasoning_markers *markers, const struct buf *text)
{
	const char *at = buf_text(text);

	while (*at == ' ' || *at == '\n')
		at++;
	for (size_t i = 0; markers && markers->opens[i]; i++)
		if (strncmp(at, markers->opens[i], strlen(markers->opens[i])) == 0)
			return true;
	return false;
}

/* Whether what the cache has at the place is what the reply was thought with. */
static bool was_thought(const struct comparison *c, size_t message)
{
	const struct turn *turn = c->view->turn;
	const struct reasoning_markers *markers = turn->raw ? NULL : c->view->tmpl->reasoning;
	const struct message *reply;

	while (message < turn->n_messages && turn->messages[message].role != ROLE_ASSISTANT)
		message++; /* what leads to it may still count as the message's before it */
	if (message == turn->n_messages)
		return false;
	reply = &turn->messages[message];
	return (c->at >= c->cached->n && c->at - c->cached->n < reply->n_reasoning_ids) ||
	       (opens_reasoning(markers, &c->was_text) && !opens_reasoning(markers, &c->is_text)) ||
	       (reply->reasoning_len && c->was_text.len && c->was_text.len <= reply->reasoning_len &&
	        strncmp(reply->reasoning, buf_text(&c->was_text), c->was_text.len) == 0);
}

/* The messages up to this one are the same ones: why its tokens are not. */
static enum cache_difference_kind kind_of_same(const struct comparison *c, size_t message)
{
	if (was_thought(c, message))
		return CACHE_REASONING;
	return begins_alike(&c->was_text, &c->is_text) ? CACHE_TOKENS : CACHE_MARKUP;
}

/* Message `i` is another one than in the cache. */
static enum cache_difference_kind kind_of_other(const struct comparison *c, size_t i)
{
	if (is_later_in_cache(c, i + 1, i))
		return CACHE_REMOVED;
	if (is_later_in_turn(c, i + 1, i))
		return CACHE_ADDED;
	return is_other_chat(c, i) ? CACHE_CHAT : CACHE_TEXT;
}

/* The first of n messages that is left out now and was not, or the other way round; n: there is none. */
static size_t first_fitted_otherwise(const struct comparison *c, size_t n)
{
	size_t i = 0;

	while (i < n && c->cached->messages[i].is_kept == c->view->encoded->keep[i])
		i++;
	return i;
}

/* Sets which message it is; one that is gone is named as the cache has it. */
static void name_message(const struct comparison *c, size_t message, struct cache_difference *d)
{
	const struct turn *turn = c->view->turn;
	bool is_gone = d->kind == CACHE_REMOVED;

	d->role = is_gone ? c->cached->messages[message].role : turn->messages[message].role;
	for (size_t i = 0; i <= message; i++)
		d->number += (is_gone ? c->cached->messages[i].role : turn->messages[i].role) == d->role;
}

static void judge(const struct comparison *c, struct cache_difference *d)
{
	const struct encoded *encoded = c->view->encoded;
	size_t message = encoded->origins[c->at].message, n = c->cached->n_messages, other = first_other(c);
	size_t bound = other < message + 1 ? other : message + 1, fitted = first_fitted_otherwise(c, bound);

	if (fitted < bound) {
		d->kind = encoded->keep[fitted] ? CACHE_BACK : CACHE_LEFT_OUT;
		message = fitted;
	} else if (message >= other && other < n) {
		d->kind = kind_of_other(c, other);
		message = other;
	} else if (message >= n && !is_reply_in_cache(c, &c->view->turn->messages[n])) {
		d->kind = CACHE_TEXT;
		message = n;
	} else {
		d->kind = kind_of_same(c, message);
	}
	name_message(c, message, d);
}

struct cache_difference cached_prompt_compare(const struct cached_prompt *cached, const struct session *session,
                                              const struct cached_view *view)
{
	struct comparison c = {.cached = cached, .view = view, .was = session_tokens(session),
	                       .n_was = session_n_past(session), .was_text = {.max = KIB(64)}, .is_text = {.max = KIB(64)}};
	struct cache_difference d = {.kind = CACHE_SAME};
	const struct token_list *ids = &view->encoded->ids;

	c.at = session_count_common(session, ids->ids, ids->n);
	d.at = (uint32_t)c.at;
	/* Of what else was evaluated meanwhile nothing is known. */
	if (c.at == c.n_was || c.at >= ids->n || !cached->n || !session_keeps_cache(session) ||
	    (c.at < cached->n && cached->ids[c.at] != c.was[c.at]))
		return d;
	put_tokens(view->tokenizer, c.was, c.at, c.n_was, &c.was_text);
	put_tokens(view->tokenizer, ids->ids, c.at, ids->n, &c.is_text);
	judge(&c, &d);
	read_line(view->tokenizer, c.was, c.n_was, c.at, d.was);
	read_line(view->tokenizer, ids->ids, ids->n, c.at, d.is);
	buf_free(&c.was_text);
	buf_free(&c.is_text);
	return d;
}
