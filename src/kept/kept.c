#include "kept/kept.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "kept/kept_internal.h"
#include "sampler/filters.h"

enum { REPLIES_MAX = 1 << 20, TOKENS_MAX = 1 << 24, MODELS_MAX = 1 << 10 };

/* ---- what cut a candidate: 0 is nothing, then the filters, then these ---- */

static const char *const other_cuts[] = {"mirostat", "temp"};

const char *kept_cut_name(unsigned cut_by)
{
	if (cut_by == 0)
		return NULL;
	if (cut_by <= sampler_n_filters)
		return sampler_filters[cut_by - 1].name;
	cut_by -= (unsigned)sampler_n_filters + 1;
	return cut_by < sizeof other_cuts / sizeof other_cuts[0] ? other_cuts[cut_by] : NULL;
}

uint8_t kept_cut_code(const char *name)
{
	const char *known;

	for (unsigned code = 1; name && (known = kept_cut_name(code)); code++)
		if (strcmp(known, name) == 0)
			return (uint8_t)code;
	return 0;
}

/* ---- what is there ---- */

struct kept *kept_create(void)
{
	return alloc_array(1, sizeof(struct kept));
}

static void reply_free(struct kept_reply *reply)
{
	free(reply->tokens);
	free(reply->candidates);
	free(reply);
}

void kept_free(struct kept *kept)
{
	if (!kept)
		return;
	for (size_t i = 0; i < kept->n_replies; i++)
		reply_free(kept->replies[i]);
	for (size_t i = 0; i < kept->n_models; i++) {
		kept_texts_free(&kept->models[i]->texts);
		free(kept->models[i]->name);
		free(kept->models[i]);
	}
	free(kept->replies);
	free(kept->models);
	free(kept->path);
	free(kept);
}

/* Where a reply is, or would be: they are in the order of their nodes. */
static size_t place_of(const struct kept *kept, uint32_t node)
{
	size_t from = 0, to = kept->n_replies;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (kept->replies[middle]->node < node)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static struct kept_reply *find_reply(const struct kept *kept, uint32_t node)
{
	size_t at = place_of(kept, node);

	return at < kept->n_replies && kept->replies[at]->node == node ? kept->replies[at] : NULL;
}

const struct kept_reply *kept_reply(const struct kept *kept, uint32_t node)
{
	const struct kept_reply *reply = kept ? find_reply(kept, node) : NULL;

	return reply && reply->n ? reply : NULL;
}

uint32_t kept_last(const struct kept *kept)
{
	return kept->n_replies ? kept->replies[kept->n_replies - 1]->node : 0;
}

uint32_t kept_before(const struct kept *kept, uint32_t node)
{
	size_t at = place_of(kept, node);

	return at ? kept->replies[at - 1]->node : 0;
}

size_t kept_n(const struct kept_reply *reply)
{
	return reply->n;
}

uint64_t kept_bytes(const struct kept_reply *reply, size_t n)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		bytes += kept_token(reply, i)->n_bytes;
	return bytes;
}

const struct kept_token *kept_token(const struct kept_reply *reply, size_t i)
{
	return &reply->tokens[i];
}

const int32_t *kept_tail(const struct kept_reply *reply, size_t *n, bool *is_whole)
{
	*n = reply->n_tail;
	*is_whole = reply->n_tail == reply->n_prompt;
	return reply->tail;
}

uint32_t kept_n_vocab(const struct kept_reply *reply)
{
	return reply->n_vocab;
}

const char *kept_model_name(const struct kept_reply *reply)
{
	return reply->model->name;
}

const char *kept_text(const struct kept_reply *reply, int32_t id, size_t *len)
{
	const struct kept_text *text = kept_texts_find(&reply->model->texts, id);

	*len = text ? text->len : 0;
	return text ? text->text : NULL;
}

/* ---- adding ---- */

struct kept_model *kept_model_of(struct kept *kept, const char *name)
{
	struct kept_model *model;

	for (size_t i = 0; i < kept->n_models; i++)
		if (strcmp(kept->models[i]->name, name) == 0)
			return kept->models[i];
	if (!alloc_grow(&kept->models, &kept->cap_models, kept->n_models + 1, sizeof *kept->models, MODELS_MAX))
		return NULL;
	model = alloc_array(1, sizeof *model);
	if (!model || !(model->name = alloc_strndup(name, strlen(name)))) {
		free(model);
		return NULL;
	}
	kept->models[kept->n_models++] = model;
	return model;
}

struct kept_reply *kept_add_reply(struct kept *kept, uint32_t node)
{
	size_t at = place_of(kept, node);
	struct kept_reply *reply;

	if (at < kept->n_replies && kept->replies[at]->node == node)
		return kept->replies[at];
	if (!alloc_grow(&kept->replies, &kept->cap_replies, kept->n_replies + 1, sizeof *kept->replies, REPLIES_MAX) ||
	    !(reply = alloc_array(1, sizeof *reply)))
		return NULL;
	reply->node = node;
	memmove(kept->replies + at + 1, kept->replies + at, (kept->n_replies - at) * sizeof *kept->replies);
	kept->replies[at] = reply;
	kept->n_replies++;
	return reply;
}

void kept_cut(struct kept_reply *reply, size_t n)
{
	if (n >= reply->n)
		return;
	reply->n_candidates = reply->candidates ? (size_t)(reply->tokens[n].candidates - reply->candidates) : 0;
	reply->n = n;
	if (reply->n_saved > n)
		reply->n_saved = n;
}

static bool name_by_text(const struct kept_reply *reply, struct kept_model *to, int32_t *id)
{
	const struct kept_text *text = kept_texts_find(&reply->model->texts, *id);

	return kept_texts_name(&to->texts, text ? text->text : "", text ? text->len : 0, id);
}

/* Another model goes on: ids mean nothing to it, texts do. False: no memory. */
static bool change_model(struct kept_reply *reply, struct kept_model *to)
{
	for (size_t i = 0; i < reply->n; i++)
		if (!name_by_text(reply, to, &reply->tokens[i].id))
			return false;
	for (size_t i = 0; i < reply->n_candidates; i++)
		if (!name_by_text(reply, to, &reply->candidates[i].id))
			return false;
	reply->n_saved = 0;
	reply->n_vocab = 0;
	return true;
}

/* Without memory: a reply is kept whole, or not at all. */
static enum status give_up(struct kept *kept, uint32_t node, struct error *err)
{
	kept_drop(kept, node);
	return error_no_memory(err, "for the candidates of a reply");
}

enum status kept_begin(struct kept *kept, uint32_t node, size_t from, const char *model,
                       const struct turn_begin *begin, struct error *err)
{
	struct kept_reply *reply = kept_add_reply(kept, node);
	size_t n_tail = begin->n_tail < KEPT_TAIL_MAX ? begin->n_tail : KEPT_TAIL_MAX;
	struct kept_model *known = kept_model_of(kept, model);

	if (!reply || !known)
		return give_up(kept, node, err);
	if (from > reply->n) { /* what came before is not known: neither is the rest kept */
		kept_drop(kept, node);
		return STATUS_OK;
	}
	kept_cut(reply, from);
	if (from && reply->model != known && !change_model(reply, known))
		return give_up(kept, node, err);
	reply->model = known;
	if (from) /* its prompt ended with what is kept already */
		return STATUS_OK;
	reply->n_vocab = begin->n_vocab;
	reply->n_prompt = begin->n_prompt;
	reply->n_tail = n_tail;
	if (n_tail)
		memcpy(reply->tail, begin->tail + begin->n_tail - n_tail, n_tail * sizeof *reply->tail);
	return STATUS_OK;
}

/* Where the next token's candidates go; NULL: there is no room, as there are none so far. */
static struct kept_candidate *next_candidate(const struct kept_reply *reply)
{
	return reply->candidates ? reply->candidates + reply->n_candidates : NULL;
}

static bool make_room(struct kept_reply *reply, size_t n_candidates)
{
	const size_t cap = reply->cap_candidates;

	if (!alloc_grow(&reply->tokens, &reply->cap_tokens, reply->n + 1, sizeof *reply->tokens, TOKENS_MAX) ||
	    !alloc_grow(&reply->candidates, &reply->cap_candidates, reply->n_candidates + n_candidates,
	                sizeof *reply->candidates, (size_t)TOKENS_MAX * TOKEN_CANDIDATES_MAX))
		return false;
	if (reply->cap_candidates != cap) /* they may have moved */
		for (size_t i = 0, first = 0; i < reply->n; first += reply->tokens[i++].n_candidates)
			reply->tokens[i].candidates = reply->candidates + first;
	return true;
}

/* Those with a logit, in their order; and the token's own text. */
static bool add_candidates(struct kept_reply *reply, const struct token *token)
{
	struct kept_candidate *to = next_candidate(reply), *first = to;
	struct kept_texts *texts = &reply->model->texts;

	for (size_t i = 0; i < token->n_candidates && i < TOKEN_CANDIDATES_MAX; i++) {
		const struct token_candidate *from = &token->candidates[i];

		*to = (struct kept_candidate){.id = from->id, .logit = from->logit, .chosen_p = from->chosen_p,
		                              .cut_by = kept_cut_code(from->cut_by)};
		if (!isfinite(from->logit))
			continue;
		if (from->id < 0 ? !kept_texts_name(texts, from->text, from->len, &to->id)
		                 : !kept_texts_add(texts, from->id, from->text, from->len))
			return false;
		to++;
	}
	reply->tokens[reply->n].n_candidates = to ? (size_t)(to - first) : 0;
	return true;
}

static float raw_probability(const struct token *token)
{
	for (size_t i = 0; i < token->n_candidates && token->raw_p <= 0; i++)
		if (token->candidates[i].id == token->id && token->id >= 0)
			return token->candidates[i].probability;
	return token->raw_p;
}

enum status kept_add(struct kept *kept, uint32_t node, const struct token *token, uint32_t us, struct error *err)
{
	struct kept_reply *reply = find_reply(kept, node);
	struct kept_token *to;
	int32_t id = token->id;

	if (!reply)
		return STATUS_OK;
	if (token->rest) {
		if (reply->n && token->len) {
			reply->tokens[reply->n - 1].n_bytes += (uint32_t)token->len;
			reply->n_saved -= reply->n_saved == reply->n; /* it is written again */
		}
		return STATUS_OK;
	}
	if (!make_room(reply, token->n_candidates) ||
	    (id < 0 && !kept_texts_name(&reply->model->texts, token->bytes, token->len, &id)))
		return give_up(kept, node, err);
	to = &reply->tokens[reply->n];
	*to = (struct kept_token){
		.id = id, .flags = (token->reasoning ? KEPT_REASONING : 0) | (token->put ? KEPT_PICKED : 0),
		.probability = token->probability, .raw_p = raw_probability(token),
		.entropy = token->n_candidates ? token->entropy : NAN,
		.log_sum = token->n_candidates ? token->log_sum : NAN, .n_bytes = (uint32_t)token->len, .us = us,
		.candidates = next_candidate(reply)};
	if (!add_candidates(reply, token))
		return give_up(kept, node, err);
	reply->n++;
	reply->n_candidates += to->n_candidates;
	return STATUS_OK;
}

bool kept_push(struct kept_reply *reply, const struct kept_token *token)
{
	if (!make_room(reply, token->n_candidates))
		return false;
	reply->tokens[reply->n] = *token;
	reply->tokens[reply->n].candidates = next_candidate(reply);
	if (token->n_candidates)
		memcpy(reply->candidates + reply->n_candidates, token->candidates,
		       token->n_candidates * sizeof *reply->candidates);
	reply->n++;
	reply->n_candidates += token->n_candidates;
	return true;
}

/* The first n tokens of another reply. */
static enum status fill(struct kept *kept, struct kept_reply *to, struct kept_model *model,
                        const struct kept_reply *from, size_t n, struct error *err)
{
	kept_cut(to, 0);
	to->model = model;
	to->n_vocab = from->n_vocab;
	to->n_prompt = from->n_prompt;
	to->n_tail = from->n_tail;
	memcpy(to->tail, from->tail, sizeof to->tail);
	for (size_t i = 0; i < n && i < from->n; i++)
		if (!kept_push(to, &from->tokens[i]))
			return give_up(kept, to->node, err);
	return STATUS_OK;
}

enum status kept_copy(struct kept *kept, uint32_t to_node, uint32_t from_node, size_t n, struct error *err)
{
	const struct kept_reply *from = find_reply(kept, from_node);
	struct kept_reply *to = from ? kept_add_reply(kept, to_node) : NULL;

	if (!to)
		return from ? give_up(kept, to_node, err) : STATUS_OK;
	return fill(kept, to, from->model, from, n, err);
}

enum status kept_take_over(struct kept *kept, uint32_t node, const struct kept_reply *from, struct error *err)
{
	struct kept_model *model = from ? kept_model_of(kept, from->model->name) : NULL;
	struct kept_reply *to = model ? kept_add_reply(kept, node) : NULL;
	enum status status;

	if (!to)
		return from ? give_up(kept, node, err) : STATUS_OK;
	status = fill(kept, to, model, from, from->n, err);
	for (size_t i = 0; i < from->model->texts.n && !status; i++) {
		const struct kept_text *text = &from->model->texts.items[i];

		if (!kept_texts_add(&model->texts, text->id, text->text, text->len))
			status = give_up(kept, node, err);
	}
	return status;
}

void kept_drop(struct kept *kept, uint32_t node)
{
	size_t at = place_of(kept, node);

	if (at == kept->n_replies || kept->replies[at]->node != node)
		return;
	reply_free(kept->replies[at]);
	kept->n_replies--;
	memmove(kept->replies + at, kept->replies + at + 1, (kept->n_replies - at) * sizeof *kept->replies);
}
