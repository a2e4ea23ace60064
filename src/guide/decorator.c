/* The guide around the backend of its model: each turn gets the help that fits its last question.
 * The conversation itself knows nothing of that. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "guide/guide.h"

struct guide_backend {
	struct backend base;
	struct backend *inner; /* owned, as the guide is */
	struct guide *guide;
};

/* A turn as the model gets it. */
struct helped_turn {
	struct turn turn;         /* borrows from the one that was asked for */
	struct message *messages; /* owned */
	struct buf prompt;        /* owned: the system message, which stands for all others */
};

static enum status add_help(struct helped_turn *out, const struct guide_backend *g,
                            const struct turn *turn, struct error *err)
{
	enum status status = STATUS_OK;

	*out = (struct helped_turn){.turn = *turn};
	buf_init(&out->prompt, 2 * LIMIT_MESSAGE);
	if (turn->raw || !turn->n_messages)
		return STATUS_OK;
	guide_set_weight_rate(g->guide, turn->weight_rate);
	status = guide_messages(g->guide, turn->messages, turn->n_messages, &out->prompt,
	                        &out->messages, &out->turn.n_messages, err);
	if (!status)
		out->turn.messages = out->messages;
	return status;
}

static void helped_turn_free(struct helped_turn *helped)
{
	free(helped->messages);
	buf_free(&helped->prompt);
}

static enum status guide_run(struct backend *backend, const struct turn *turn,
                             enum backend_mode mode, const struct backend_host *host,
                             struct backend_result *result, struct error *err)
{
	struct guide_backend *g = (struct guide_backend *)backend;
	struct helped_turn helped;
	enum status status = add_help(&helped, g, turn, err);

	if (!status)
		status = backend_run(g->inner, &helped.turn, mode, host, result, err);
	helped_turn_free(&helped);
	return status;
}

/* From the messages that were counted, the help before the others, back to those of the turn. */
static void take_counts(struct backend_inspection *out, const struct turn *turn,
                        const uint32_t *counts)
{
	size_t next = 0;

	out->help_tokens = counts[next++];
	for (size_t i = 0; i < turn->n_messages; i++)
		out->message_tokens[i] = turn->messages[i].role == ROLE_SYSTEM ? 0 : counts[next++];
}

static enum status guide_inspect(struct backend *backend, const struct turn *turn,
                                 struct backend_inspection *out, struct error *err)
{
	struct guide_backend *g = (struct guide_backend *)backend;
	struct backend_inspection inner = *out;
	struct helped_turn helped;
	enum status status = add_help(&helped, g, turn, err);

	if (!status && helped.messages) {
		inner.message_tokens = alloc_array(helped.turn.n_messages, sizeof *inner.message_tokens);
		if (!inner.message_tokens)
			status = error_set(err, STATUS_NOMEM, "not enough memory to count the conversation");
	}
	if (!status)
		status = backend_inspect(g->inner, &helped.turn, &inner, err);
	if (!status) {
		uint32_t *counts = inner.message_tokens;

		inner.message_tokens = out->message_tokens;
		*out = inner;
		inner.message_tokens = counts;
		if (helped.messages)
			take_counts(out, turn, counts);
	}
	if (helped.messages)
		free(inner.message_tokens);
	helped_turn_free(&helped);
	return status;
}

static void guide_backend_close(struct backend *backend)
{
	struct guide_backend *g = (struct guide_backend *)backend;

	backend_close(g->inner);
	guide_close(g->guide);
	free(g);
}

static const struct backend_ops guide_backend = {
	.run = guide_run, .inspect = guide_inspect, .close = guide_backend_close};

void guide_decorate(struct backend **backend, struct model_info *info)
{
	struct guide_backend *g;
	struct error err;

	if (!(info->capabilities & CAPABILITY_HELP))
		return;
	g = alloc_array(1, sizeof *g);
	if (!g) {
		model_info_note(info, NOTE_WARNING, "The guide's help could not be read: not enough memory");
	} else if (guide_open(&g->guide, NULL, &err)) {
		model_info_note(info, NOTE_WARNING, "The guide's help could not be read: %.200s", err.text);
		free(g);
	} else {
		g->base.ops = &guide_backend;
		g->inner = *backend;
		*backend = &g->base;
	}
}
