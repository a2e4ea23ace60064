#include "chat/turn.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "chat/path.h"
#include "encode/template_kwargs.h"
#include "turn/engine_params.h"

static struct message message_of(const struct node *node)
{
	return (struct message){
		.role = node->role, .text = node->text, .len = node->len,
		.ids = node->ids, .n_ids = node->n_ids,
		.reasoning = node->reasoning, .reasoning_len = node->reasoning_len,
		.n_reasoning_ids = node->n_reasoning_ids,
		.pinned = node->pinned};
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

/* Files come before the words. `attachments` are those of the message's text. */
static enum status put_files_first(struct chat_turn *out, struct message *message,
                                   const struct attachments *attachments)
{
	struct buf *text = &out->texts[out->n_texts];
	enum status status;

	if (!attachments || !attachments->n)
		return STATUS_OK;
	buf_init(text, LIMIT_MESSAGE);
	out->n_texts++;
	status = attachments_put_sent(text, attachments, message->text, message->len);
	message->files_len = text->len - attachments_words(attachments, message->len);
	message->text = buf_text(text);
	message->len = text->len;
	return status;
}

static size_t count_with_files(const struct tree *tree, const uint32_t *ids, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += tree_node(tree, ids[i])->attachments.n > 0;
	return count;
}

static enum status collect(struct chat_turn *out, const struct chat_turn_source *source,
                           struct error *err)
{
	enum status status = STATUS_OK;
	size_t n;
	uint32_t *ids = path_sent(source->tree, &n);

	out->messages = ids ? alloc_array(n + 1, sizeof *out->messages) : NULL;
	out->texts = ids ? alloc_array(count_with_files(source->tree, ids, n) + 1, sizeof *out->texts) : NULL;
	if (!out->messages || !out->texts)
		status = STATUS_NOMEM;
	for (size_t i = 0; !status && i < n; i++) {
		const struct node *node = tree_node(source->tree, ids[i]);

		out->messages[i] = message_of(node);
		status = put_files_first(out, &out->messages[i], &node->attachments);
	}
	free(ids);
	if (!status && source->draft_len) {
		out->messages[n] = (struct message){.role = ROLE_USER, .text = source->draft,
		                                    .len = source->draft_len};
		status = put_files_first(out, &out->messages[n++], source->draft_files);
	}
	if (!status && source->begun) /* and no draft */
		out->messages[n++] = *source->begun;
	if (status)
		return error_set(err, status, "not enough memory for the conversation");
	out->turn.n_messages = n;
	return STATUS_OK;
}

struct turn chat_turn_of(const struct engine_params *engine, const struct sampler_params *sampler)
{
	return (struct turn){.sampler = *sampler, .n_predict = engine->n_predict,
	                     .dry_breakers = engine->dry_breakers, .logit_bias = engine->logit_bias,
	                     .samplers = engine->samplers,
	                     .reasoning = {.mode = template_kwargs_mode(engine->template_kwargs,
	                                                                (enum reasoning_mode)engine->reasoning),
	                                   .effort = (enum effort)engine->effort,
	                                   .template_kwargs = engine->template_kwargs},
	                     .policy = (enum context_policy)engine->context_policy};
}

enum status chat_turn_build(struct chat_turn *out, const struct chat_turn_source *source,
                            struct error *err)
{
	enum status status;

	*out = (struct chat_turn){.turn = chat_turn_of(source->engine, source->sampler)};
	out->turn.weight_rate = source->weight_rate;
	(void)((status = collect(out, source, err)) ||
	       (status = stops_add(&out->stops, source->stops, source->n_stops, err)) ||
	       (status = stops_add_option(&out->stops, source->engine->stop, err)));
	out->turn.stops = (const char *const *)out->stops.texts;
	out->turn.n_stops = out->stops.n;
	out->turn.messages = out->messages;
	out->turn.continued = source->continues;
	if ((source->no_summary || source->continues) && out->turn.policy == CONTEXT_SUMMARY)
		out->turn.policy = CONTEXT_ROLL;
	out->turn.answered = !status && !source->continues &&
	                     is_answered(out->messages, out->turn.n_messages);
	return status;
}

void chat_turn_free(struct chat_turn *turn)
{
	for (size_t i = 0; i < turn->n_texts; i++)
		buf_free(&turn->texts[i]);
	free(turn->texts);
	free(turn->messages);
	free(turn->parts);
	stops_free(&turn->stops);
	*turn = (struct chat_turn){.messages = NULL};
}
