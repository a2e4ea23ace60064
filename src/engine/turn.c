#include "engine/turn.h"

#include <string.h>

#include "base/alloc.h"

enum status turn_copy(struct worker_turn **out, const struct worker_turn *turn, struct error *err)
{
	struct worker_message *messages;
	struct worker_turn *copy = NULL;
	size_t size, n_ids = 0, n_text = 0, bytes;
	int32_t *ids;
	char *text;
	bool overflow;

	*out = NULL;
	overflow = mul_overflows(turn->n_messages, sizeof *messages, &size) ||
	           add_overflows(size, sizeof *copy, &size);
	for (size_t i = 0; i < turn->n_messages; i++) {
		overflow |= add_overflows(n_ids, turn->messages[i].n_ids, &n_ids);
		overflow |= add_overflows(n_text, turn->messages[i].len, &n_text);
	}
	overflow |= mul_overflows(n_ids, sizeof *ids, &bytes) || add_overflows(size, bytes, &size) ||
	            add_overflows(size, n_text, &size);
	/* The turn, its messages, their ids, their texts: by falling alignment. */
	if (!overflow)
		copy = alloc_array(1, size);
	if (!copy)
		return error_set(err, STATUS_NOMEM, "not enough memory for the conversation");
	messages = (struct worker_message *)(copy + 1);
	ids = (int32_t *)(messages + turn->n_messages);
	text = (char *)(ids + n_ids);
	*copy = *turn;
	copy->messages = messages;
	for (size_t i = 0; i < turn->n_messages; i++) {
		const struct worker_message *from = &turn->messages[i];

		messages[i] = *from;
		messages[i].ids = ids;
		messages[i].text = text;
		if (from->n_ids)
			memcpy(ids, from->ids, from->n_ids * sizeof *ids);
		if (from->len)
			memcpy(text, from->text, from->len);
		ids += from->n_ids;
		text += from->len;
	}
	*out = copy;
	return STATUS_OK;
}
