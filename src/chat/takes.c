#include "chat/takes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_value.h"
#include "base/utf8.h"
#include "base/words.h"
#include "chat/branch.h"

/* ---- where they part ---- */

static size_t count_same(const char *a, size_t n_a, const char *b, size_t n_b)
{
	const size_t most = n_a < n_b ? n_a : n_b;
	size_t n = 0;

	while (n < most && a[n] == b[n])
		n++;
	while (n && ((n < n_a && (a[n] & 0xC0) == 0x80) || (n < n_b && (b[n] & 0xC0) == 0x80)))
		n--; /* back to the beginning of a character */
	return n;
}

/* Only the tokens behind that are known then. */
static bool is_begun_by_user(const struct node *reply)
{
	return reply->n_runs && reply->runs[0].from_text && !reply->runs[0].from_id;
}

/* Where it is not known who made them, the same ids are the same tokens all the same. */
static bool is_one_vocabulary(const struct node *a, const struct node *b)
{
	const struct reply_run *of_a = node_run_at(a, 0), *of_b = node_run_at(b, 0);

	return !of_a || !of_b || strcmp(of_a->model.file, of_b->model.file) == 0;
}

static void find_parting(struct takes *takes)
{
	const struct node *a = takes->a, *b = takes->b;

	takes->by_tokens = a->n_ids && b->n_ids && !is_begun_by_user(a) && !is_begun_by_user(b) && is_one_vocabulary(a, b);
	while (takes->by_tokens && takes->n_shared < a->n_ids && takes->n_shared < b->n_ids &&
	       a->ids[takes->n_shared] == b->ids[takes->n_shared])
		takes->n_shared++;
	takes->shared.reasoning = count_same(a->reasoning, a->reasoning_len, b->reasoning, b->reasoning_len);
	if (takes->shared.reasoning == a->reasoning_len && takes->shared.reasoning == b->reasoning_len)
		takes->shared.text = count_same(a->text, a->len, b->text, b->len);
	takes->is_same = a->len == b->len && a->reasoning_len == b->reasoning_len && takes->shared.text == a->len &&
	                 takes->shared.reasoning == a->reasoning_len &&
	                 (!takes->by_tokens || (takes->n_shared == a->n_ids && takes->n_shared == b->n_ids));
}

/* ---- why ---- */

static void put_value(char out[TAKE_VALUE_MAX], const char *text, size_t len)
{
	const char *end;

	while (len && words_is_blank(*text)) {
		text++;
		len--;
	}
	end = memchr(text, '\n', len);
	len = end ? (size_t)(end - text) : len;
	snprintf(out, TAKE_VALUE_MAX, "%.*s", (int)utf8_cut(text, len, TAKE_VALUE_MAX - 1), text);
}

/* Adds it if the values differ. */
static void add(struct takes *takes, const char *what, const char *a, const char *b)
{
	struct take_reason *reason;

	a = a ? a : "";
	b = b ? b : "";
	if (strcmp(a, b) == 0 || takes->n_reasons == TAKES_REASONS_MAX)
		return;
	reason = &takes->reasons[takes->n_reasons++];
	snprintf(reason->what, sizeof reason->what, "%s", what);
	put_value(reason->a, a, strlen(a));
	put_value(reason->b, b, strlen(b));
}

static void add_number(struct takes *takes, const char *what, int64_t a, int64_t b)
{
	char text_a[24], text_b[24];

	snprintf(text_a, sizeof text_a, "%lld", (long long)a);
	snprintf(text_b, sizeof text_b, "%lld", (long long)b);
	add(takes, what, text_a, text_b);
}

void takes_fork(const struct tree *tree, const struct node **a, const struct node **b)
{
	while ((*a)->parent != (*b)->parent) { /* a parent is older than what follows it */
		if ((*a)->parent > (*b)->parent)
			*a = tree_node(tree, (*a)->parent);
		else
			*b = tree_node(tree, (*b)->parent);
	}
}

static const char *name_message(const struct node *a, const struct node *b)
{
	if (a->role == ROLE_USER && b->role == ROLE_USER)
		return "your message";
	if (a->role == ROLE_ASSISTANT && b->role == ROLE_ASSISTANT)
		return "an earlier reply";
	return "the system message";
}

/* What stands before them. */
static void add_messages(struct takes *takes, const struct tree *tree)
{
	const struct node *a = takes->a, *b = takes->b;

	takes_fork(tree, &a, &b);
	if (a == takes->a && b == takes->b)
		return;
	add(takes, name_message(a, b), a->text ? a->text : "", b->text ? b->text : "");
	if (a->origin || b->origin)
		add(takes, "prompt template", a->origin, b->origin);
}

/* A token that the user chose where they part, or words that the user wrote. True: one was chosen. */
static bool add_choice(struct takes *takes, const struct reply_run *a, const struct reply_run *b)
{
	const size_t at = takes->n_shared;
	const bool chose_a = a->has_first && a->from_id == at, chose_b = b->has_first && b->from_id == at;

	if (chose_a || chose_b)
		add(takes, "the token", chose_a ? "your choice" : "sampled", chose_b ? "your choice" : "sampled");
	add(takes, "its beginning", is_begun_by_user(takes->a) ? "put there by you" : "the model's",
	    is_begun_by_user(takes->b) ? "put there by you" : "the model's");
	return chose_a || chose_b;
}

static void add_model(struct takes *takes, const struct reply_run *a, const struct reply_run *b)
{
	add(takes, "model", takes->a->model, takes->b->model);
	add(takes, "the model's file", a->model.file, b->model.file);
	add(takes, "server", a->model.server, b->model.server);
	add(takes, "chat template", a->model.tmpl, b->model.tmpl);
	add(takes, "template variables", a->template_kwargs, b->template_kwargs);
	add(takes, "instruction set", a->model.isa, b->model.isa);
	add(takes, "cache types", a->model.cache, b->model.cache);
	add(takes, "model options", a->options, b->options);
}

static void add_wishes(struct takes *takes, const struct reply_run *a, const struct reply_run *b)
{
	static const char *const modes[] = {"auto", "on", "off"}, *const efforts[] = {"auto", "low", "medium", "high"};

	add(takes, "reasoning", modes[a->wish.mode % 3], modes[b->wish.mode % 3]);
	add(takes, "effort", efforts[a->wish.effort % 4], efforts[b->wish.effort % 4]);
}

/* What the model saw, where nothing else says why it was another prompt. */
static void add_prompt(struct takes *takes, const struct reply_run *a, const struct reply_run *b)
{
	char text_a[32], text_b[32];

	if (takes->n_reasons || run_is_remote(a) || a->begin.prompt_hash == b->begin.prompt_hash ||
	    a->from_id != b->from_id)
		return;
	snprintf(text_a, sizeof text_a, "%u tokens", a->begin.n_prompt);
	snprintf(text_b, sizeof text_b, "%u tokens%s", b->begin.n_prompt,
	         a->begin.n_prompt == b->begin.n_prompt ? ", others" : "");
	add(takes, "the prompt", text_a, text_b);
}

/* Those of the token where they part, by name. */
static void add_params(struct takes *takes, const struct reply_run *a, const struct reply_run *b, bool is_chosen)
{
	const struct sampler_params of_a = run_params_of(a, takes->n_shared), of_b = run_params_of(b, takes->n_shared);
	const bool is_decided = sampler_params_is_greedy(&of_a) && sampler_params_is_greedy(&of_b);

	add(takes, "samplers", a->samplers, b->samplers);
	add(takes, "logit-bias", a->logit_bias, b->logit_bias);
	for (size_t i = 0; i < sampler_n_options; i++) {
		const struct option *option = &sampler_options[i];
		struct buf value_a = {.max = 64}, value_b = {.max = 64};

		option_print(option, &of_a, &value_a);
		option_print(option, &of_b, &value_b);
		if (strcmp(option->name, "seed") != 0)
			add(takes, option->name, buf_text(&value_a), buf_text(&value_b));
		buf_free(&value_a);
		buf_free(&value_b);
	}
	add(takes, "dry-sequence-breaker", a->dry_breakers, b->dry_breakers);
	if (!is_decided && !is_chosen) /* otherwise it decides nothing */
		add_number(takes, "seed", a->begin.seed, b->begin.seed);
}

/* Why one is longer than the other. */
static void add_end(struct takes *takes, const struct reply_run *a, const struct reply_run *b)
{
	add(takes, "stop", a->stops, b->stops);
	add_number(takes, "predict", a->n_predict, b->n_predict);
	add(takes, "its end", a->ended, b->ended);
}

void takes_compare(struct takes *out, const struct tree *tree, uint32_t a, uint32_t b)
{
	const struct reply_run *of_a, *of_b;
	bool is_chosen;

	*out = (struct takes){.a = tree_node(tree, a), .b = tree_node(tree, b)};
	find_parting(out);
	of_a = node_run_at(out->a, out->n_shared);
	of_b = node_run_at(out->b, out->n_shared);
	out->is_known = of_a && of_b;
	add_messages(out, tree);
	if (!out->is_known) {
		add(out, "model", out->a->model, out->b->model);
		return;
	}
	is_chosen = !out->is_same && add_choice(out, of_a, of_b);
	add_model(out, of_a, of_b);
	add_wishes(out, of_a, of_b);
	add_prompt(out, of_a, of_b);
	add_params(out, of_a, of_b, is_chosen);
	if (!out->n_reasons) /* nothing else says what was another */
		add(out, "sent to the server", of_a->sent, of_b->sent);
	if (out->n_shared == out->a->n_ids || out->n_shared == out->b->n_ids)
		add_end(out, of_a, of_b);
}

/* ---- with what ---- */

/* The first reply below a message, along the newest branch. */
static uint32_t first_reply(const struct tree *tree, uint32_t id)
{
	uint32_t newest = branch_newest(tree, id), found = 0;

	for (const struct node *node = tree_node(tree, newest); node; node = tree_node(tree, node->parent)) {
		if (node->role == ROLE_ASSISTANT)
			found = node->id;
		if (node->id == id)
			break;
	}
	return found;
}

size_t takes_others(const struct tree *tree, uint32_t reply, uint32_t *ids, size_t cap)
{
	const struct node *node = tree_node(tree, reply);
	size_t n = 0;

	/* At the nearest message above that has other versions. */
	while (node && !branch_beside(tree, node->id, -1) && !branch_beside(tree, node->id, 1))
		node = tree_node(tree, node->parent);
	if (!node)
		return 0;
	for (uint32_t id = tree_first_child(tree, node->parent); id; id = tree_node(tree, id)->next) {
		uint32_t other = id == node->id || tree_node(tree, id)->role != node->role ? 0 : first_reply(tree, id);

		if (other && n++ < cap)
			ids[n - 1] = other;
	}
	return n;
}

uint32_t takes_other(const struct tree *tree, uint32_t reply)
{
	enum { MANY = 256 };
	uint32_t ids[MANY], best = 0;
	size_t n = takes_others(tree, reply, ids, MANY);

	for (size_t i = 0; i < n && i < MANY; i++)
		if (!best || ids[i] < reply)
			best = ids[i];
	return best;
}
