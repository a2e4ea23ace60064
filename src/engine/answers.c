#include "engine/answers.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum status answers_make(struct answers *out, const struct tokenizer *tokenizer,
                         const struct turn *turn, struct error *err)
{
	enum status status = STATUS_OK;

	*out = (struct answers){.n_left = turn->n_answers};
	if (!turn->n_answers)
		return STATUS_OK;
	out->items = alloc_array(turn->n_answers, sizeof *out->items);
	if (!out->items)
		return error_no_memory(err, "for the reply");
	for (; !status && out->n < turn->n_answers; out->n++)
		status = tokenizer_encode(tokenizer, turn->answers[out->n], strlen(turn->answers[out->n]),
		                          turn->continued ? ENCODE_CONTINUE : 0, &out->items[out->n], err);
	return status;
}

void answers_free(struct answers *answers)
{
	for (size_t i = 0; i < answers->n; i++)
		token_list_free(&answers->items[i]);
	free(answers->items);
	*answers = (struct answers){0};
}

/* Keeps those that go on with this id. */
static void go_on(struct answers *answers, int32_t id)
{
	size_t n_left = 0;

	for (size_t i = 0; i < answers->n_left; i++) {
		struct token_list item = answers->items[i];

		if (answers->at == item.n || item.ids[answers->at] != id)
			continue;
		answers->items[i] = answers->items[n_left];
		answers->items[n_left++] = item;
	}
	answers->n_left = n_left;
	answers->at++;
}

bool answers_choose(struct answers *answers, const float *logits, bool ends,
                    struct sampler_choice *choice)
{
	int32_t best = TOKEN_NONE;
	bool may_end = false;

	if (!answers->n)
		return !ends;
	for (size_t i = 0; i < answers->n_left; i++) {
		const struct token_list *item = &answers->items[i];
		int32_t id;

		if (answers->at == item->n) {
			may_end = true;
			continue;
		}
		id = item->ids[answers->at];
		if (!ends && id == choice->id)
			best = id;
		else if (best == TOKEN_NONE || (best != choice->id && logits[id] > logits[best]))
			best = id;
	}
	if (best == TOKEN_NONE || (ends && may_end))
		return false;
	if (ends || best != choice->id) {
		choice->id = best;
		choice->probability = 0;
	}
	go_on(answers, best);
	return true;
}
