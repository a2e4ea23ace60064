#include "chat/turn.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "chat/path.h"

static struct message message_of(const struct node *node)
{
	return (struct message){
		.role = node->role, .text = node->text, .len = node->len,
		.ids = node->ids, .n_ids = node->n_ids,
		.reasoning = node->reasoning, .reasoning_len = node->reasoning_len,
		.n_reasoning_ids = node->n_reasoning_ids};
}

/* A reply that answers somebody. */
static bool is_answered(const struct message *messages, size_t n)
{
	if (n == 0 || messages[n - 1].role != ROLE_ASSISTANT)
		return false;
	for (size_t i = 0; i < n; i++)
		if (messages[i].role == ROLE_USER)
			return true;
	return false;
}

static enum status collect(struct chat_turn *out, const struct chat_turn_source *source,
                           struct error *err)
{
	size_t n;
	uint32_t *ids = path_sent(source->tree, &n);

	out->messages = ids ? alloc_array(n + 1, sizeof *out->messages) : NULL;
	for (size_t i = 0; out->messages && i < n; i++)
		out->messages[i] = message_of(tree_node(source->tree, ids[i]));
	free(ids);
	if (!out->messages)
		return error_set(err, STATUS_NOMEM, "not enough memory for the conversation");
	if (source->draft_len)
		out->messages[n++] = (struct message){.role = ROLE_USER, .text = source->draft,
		                                      .len = source->draft_len};
	out->turn.n_messages = n;
	return STATUS_OK;
}

enum status chat_turn_build(struct chat_turn *out, const struct chat_turn_source *source,
                            struct error *err)
{
	enum status status;

	*out = (struct chat_turn){.turn = turn_of(source->engine, source->sampler)};
	out->turn.stops = source->stops;
	out->turn.n_stops = source->n_stops;
	out->turn.weight_rate = source->weight_rate;
	status = collect(out, source, err);
	out->turn.messages = out->messages;
	out->turn.continued = source->continues;
	out->turn.answered = !status && !source->continues &&
	                     is_answered(out->messages, out->turn.n_messages);
	return status;
}

void chat_turn_free(struct chat_turn *turn)
{
	free(turn->messages);
	*turn = (struct chat_turn){.messages = NULL};
}
