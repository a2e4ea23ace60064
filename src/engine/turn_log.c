#include "engine/turn_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/option_value.h"

/* Errors of a turn may quote the conversation, those of opening a model cannot. */
static const char *error_text(const struct log *log, const struct error *err, bool may_quote)
{
	if (!err)
		return "it is not said why";
	return may_quote && !log_has_text(log) ? "--log-text says why" : err->text;
}

void turn_log_opened(struct log *log, const struct model_info *info, double ms, enum status status,
                     const struct error *err)
{
	const struct model_identity *id = &info->identity;

	if (status) {
		log_line(log, LOG_ENGINE, "no model was opened: status %d, %s", (int)status, error_text(log, err, false));
		return;
	}
	log_line(log, LOG_ENGINE, "opened %s in %.0f ms: context %u, capabilities 0x%x", info->name, ms, info->n_ctx,
	         info->capabilities);
	if (info->place[0])
		log_line(log, LOG_ENGINE, "on a server: %s, model %s", id->dialect, id->model);
	else
		log_line(log, LOG_ENGINE, "file %s, instruction set %s, cache %s, options %s", id->file, id->isa, id->cache,
		         info->options);
	log_line(log, LOG_TEMPLATE, "template: %s, hash %s", info->template_name, id->tmpl[0] ? id->tmpl : "not known");
	for (size_t i = 0; i < info->n_notes; i++)
		log_line(log, info->notes[i].kind == NOTE_TEMPLATE ? LOG_TEMPLATE : LOG_ENGINE, "note: %s", info->notes[i].text);
}

void turn_log_begun(struct log *log, const struct turn *turn, enum backend_mode mode)
{
	static const char *const modes[] = {[BACKEND_REPLY] = "a reply", [BACKEND_WARM] = "a prompt without a reply",
	                                    [BACKEND_EXAMINE] = "looking at a reply again", [BACKEND_SCORE] = "weighing texts"};
	size_t n_bytes = 0;

	for (size_t i = 0; i < turn->n_messages; i++)
		n_bytes += turn->messages[i].len;
	log_line(log, LOG_ENGINE, "turn begins: %s to %zu messages of %zu bytes%s%s, predict %d, policy %d", modes[mode],
	         turn->n_messages, n_bytes, turn->raw ? ", raw" : "", turn->continued ? ", continued" : "", turn->n_predict,
	         (int)turn->policy);
}

void turn_log_ended(struct log *log, const struct backend_result *result, enum status status, const struct error *err)
{
	const struct turn_stats *s = &result->stats;
	const char *about = s->estimated ? "about " : "";

	log_line(log, LOG_ENGINE, "turn ends: %s; prompt %s%u tokens in %.0f ms, reply %u in %.0f ms, context %u",
	         status ? "error" : done_reason_name(result->reason), about, s->n_prompt, s->prefill_ms, s->n_generated,
	         s->decode_ms, s->n_ctx_used);
	if (status)
		log_line(log, LOG_ENGINE, "status %d: %s", (int)status, error_text(log, err, true));
	if (s->cached_unknown)
		log_line(log, LOG_CACHE, "the server does not tell what was in its cache");
	else
		log_line(log, LOG_CACHE, "%u of %u tokens were kept, %u evaluated%s", s->n_cached, s->n_prompt, s->n_evaluated,
		         s->n_again ? ", some of them again, as states go back to checkpoints only" : "");
	if (s->n_dropped)
		log_line(log, LOG_CACHE, "%u messages were left out", s->n_dropped);
}

/* The prompt as the model sees it, control tokens by their names. */
static void log_prompt_text(struct log *log, const struct tokenizer *tokenizer, const struct token_list *ids)
{
	struct buf text = {.max = LIMIT_TOKENIZE_INPUT};

	for (size_t i = 0; i < ids->n; i++) {
		size_t len;
		const char *shown = tokenizer_shown(tokenizer, ids->ids[i], &len);

		buf_append(&text, shown, len);
	}
	log_text(log, LOG_TEMPLATE, "prompt", buf_text(&text), text.len);
	buf_free(&text);
}

void turn_log_prompt(struct log *log, const struct tokenizer *tokenizer, const struct chat_template *tmpl,
                     const struct turn *turn, const struct encoded *encoded)
{
	uint32_t markup = 0;

	if (!log_has(log, LOG_TEMPLATE))
		return;
	for (size_t i = 0; i < turn->n_messages; i++) {
		const struct message_count *count = &encoded->counts[i];

		markup += count->markup;
		log_line(log, LOG_TEMPLATE, "message %zu, %s: %u tokens, %u of them markup%s%s", i + 1,
		         role_name(turn->messages[i].role), count->tokens, count->markup, count->left_out ? ", left out" : "",
		         turn->messages[i].n_ids ? ", of a reply" : "");
	}
	log_line(log, LOG_TEMPLATE, "%s, hash %016" PRIx64 ": %zu tokens, %u of them markup, changes 0x%x, reasoning start %d",
	         turn->raw ? "raw" : tmpl->name, turn->raw ? 0 : tmpl->source_hash, encoded->ids.n, markup, encoded->changes,
	         (int)encoded->start);
	if (log_has_text(log))
		log_prompt_text(log, tokenizer, &encoded->ids);
}

void turn_log_cache(struct log *log, const struct backend_result *result, size_t n_past)
{
	const struct cache_difference *d = &result->difference;
	struct buf words = {.max = KIB(1)};

	if (!log_has(log, LOG_CACHE))
		return;
	cache_difference_put(d, log_has_text(log), &words);
	log_line(log, LOG_CACHE, "prompt of %u tokens, history of %zu: %u are the same, evaluation from %u on", result->stats.n_prompt,
	         n_past, d->at, result->stats.n_cached);
	if (words.len)
		log_line(log, LOG_CACHE, "%s", buf_text(&words));
	buf_free(&words);
}

void turn_log_reply(struct log *log, const struct turn *turn, const struct turn_begin *begin)
{
	struct buf words = {.max = KIB(4)};

	if (!log_has(log, LOG_SAMPLER))
		return;
	option_put_words(sampler_options, sampler_n_options, OPTION_SLIDER, &begin->params, NULL, &words);
	log_line(log, LOG_SAMPLER, "seed %" PRId64 ", prompt hash %016" PRIx64 ", order %s%s, %s", begin->seed,
	         begin->prompt_hash, turn->samplers ? turn->samplers : "the usual one", turn->logit_bias ? ", biases" : "",
	         buf_text(&words));
	buf_free(&words);
}

/* Of the candidates that were collected, how many each option took out. */
static void put_cuts(struct buf *out, const struct sampler_choice *choice)
{
	bool is_counted[TOKEN_CANDIDATES_MAX] = {false};

	for (size_t i = 0; i < choice->top.n; i++) {
		const char *cut_by = choice->top.items[i].cut_by;
		size_t n = 0;

		if (!cut_by || is_counted[i])
			continue;
		for (size_t j = i; j < choice->top.n; j++)
			if (choice->top.items[j].cut_by && strcmp(choice->top.items[j].cut_by, cut_by) == 0) {
				is_counted[j] = true;
				n++;
			}
		buf_printf(out, ", %s cut %zu", cut_by, n);
	}
}

/* An id tells what the model writes: it is text. */
void turn_log_choice(struct log *log, const struct sampler_choice *choice, uint32_t n)
{
	struct buf cuts = {.max = KIB(2)};
	char id[24] = "";
	size_t left = 0;

	if (!log_has(log, LOG_SAMPLER))
		return;
	for (size_t i = 0; i < choice->top.n; i++)
		left += !choice->top.items[i].cut_by;
	put_cuts(&cuts, choice);
	if (log_has_text(log))
		snprintf(id, sizeof id, "id %" PRId32 ", ", choice->id);
	if (choice->top.n)
		log_line(log, LOG_SAMPLER, "token %u: %sp %.6f; of the best %zu, %zu are left%s", n, id,
		         (double)choice->probability, choice->top.n, left, buf_text(&cuts));
	else
		log_line(log, LOG_SAMPLER, "token %u: %sp %.6f", n, id, (double)choice->probability);
	buf_free(&cuts);
}
