#include "dialog/examine.h"

#include "base/alloc.h"
#include "dialog/dialog.h"
#include "dialog/kept.h"

/* How each of the turns that made the reply sampled its part. Without memory: as the first one began. */
static void add_parts(const struct node *reply, struct chat_turn *out)
{
	size_t n = reply->n_runs;

	for (size_t i = 0; i < reply->n_runs; i++)
		n += reply->runs[i].n_changes;
	out->parts = alloc_array(n, sizeof *out->parts);
	for (size_t i = 0; out->parts && i < reply->n_runs; i++) {
		const struct reply_run *run = &reply->runs[i];

		if (!run->has_begun)
			continue;
		out->parts[out->turn.n_parts++] =
			(struct turn_part){.from = (uint32_t)run->from_id, .begins = true, .params = run_params_at(run, 0)};
		for (size_t k = 0; k < run->n_changes; k++)
			out->parts[out->turn.n_parts++] = (struct turn_part){
				.from = (uint32_t)run->from_id + run->changes[k].at, .params = run_params_at(run, run->changes[k].at)};
	}
	out->turn.parts = out->parts;
}

/* What the turn that began the reply had set. */
static void take_settings(const struct reply_run *run, struct turn *turn)
{
	turn->reasoning.mode = run->wish.mode;
	turn->reasoning.effort = run->wish.effort;
	turn->reasoning.clock = run->wish.clock;
	turn->reasoning.template_kwargs = run->template_kwargs;
	turn->samplers = run->samplers;
	turn->logit_bias = run->logit_bias;
	turn->dry_breakers = run->dry_breakers;
	turn->n_predict = run->n_predict;
	turn->policy = run->policy == CONTEXT_SUMMARY ? CONTEXT_ROLL : run->policy;
}

/* What is sent up to the reply, as it was when that was made. */
static enum status build(struct dialog *dialog, const struct node *reply, struct chat_turn *out, struct error *err)
{
	const struct reply_run *run = reply->n_runs && reply->runs[0].has_begun ? &reply->runs[0] : NULL;
	const uint32_t leaf = tree_leaf(dialog->tree);
	struct chat_turn_source source = dialog_turn_source(dialog);
	struct sampler_params sampler = run ? run_params_at(run, 0) : *dialog->config.sampler;
	struct run_marks marks = {.known = false}; /* as they are now */
	enum status status;

	source.sampler = &sampler;
	source.no_summary = source.continues = true;
	source.n_stops = 0;
	tree_set_leaf(dialog->tree, reply->id);
	if (run) {
		run_marks_take(&marks, dialog->tree);
		run_marks_set(&run->marks, dialog->tree);
	}
	status = chat_turn_build(out, &source, err);
	if (run) {
		take_settings(run, &out->turn);
		add_parts(reply, out);
		run_marks_set(&marks, dialog->tree);
		run_marks_free(&marks);
	}
	tree_set_leaf(dialog->tree, leaf);
	return status;
}

enum status dialog_build_examine(struct dialog *dialog, uint32_t reply, struct chat_turn *out, struct error *err)
{
	const struct node *node = tree_node(dialog->tree, reply);

	*out = (struct chat_turn){.messages = NULL};
	if (!node || node->role != ROLE_ASSISTANT || (!node->len && !node->n_ids))
		return error_set(err, STATUS_USAGE, "there is nothing of this reply to go through");
	if (node->dropped)
		return error_set(err, STATUS_USAGE, "this reply is dropped: send it again with /undrop first");
	if (!dialog->model || !(dialog->model->capabilities & CAPABILITY_EXAMINE))
		return error_set(err, STATUS_UNSUPPORTED, "no candidates of this reply are kept, and only a model that runs here "
		                 "can go through it once more");
	return build(dialog, node, out, err);
}

void dialog_examine_runs(struct dialog *dialog, uint32_t reply, uint64_t id)
{
	dialog->examine = (struct dialog_examine){.turn = id, .reply = reply,
	                                          .n = tree_node(dialog->tree, reply)->n_ids};
}

/* Whether the user chose token number i, or wrote what stands there, behind so many bytes. */
static bool was_put(const struct node *reply, size_t i, size_t n_bytes)
{
	const struct reply_run *first = reply && reply->n_runs ? &reply->runs[0] : NULL;

	if (first && !first->from_id && n_bytes < first->from_reasoning + first->from_text)
		return true;
	for (size_t run = 0; reply && run < reply->n_runs; run++)
		if (reply->runs[run].has_first && reply->runs[run].from_id == i)
			return true;
	return false;
}

/* As it was when it was made. */
static void keep_token(struct dialog *dialog, const struct token *told)
{
	struct dialog_examine *examine = &dialog->examine;
	struct token token = *told;

	if (!token.rest)
		token.put = was_put(tree_node(dialog->tree, examine->reply), examine->n_done++, examine->n_bytes);
	examine->n_bytes += token.len;
	(void)!dialog_kept_add(dialog, examine->reply, &token, 0, NULL); /* without memory nothing of it is shown */
}

bool dialog_examine_event(struct dialog *dialog, const struct event *event)
{
	struct dialog_examine *examine = &dialog->examine;
	const uint32_t reply = examine->reply;

	switch (event->kind) {
	case EVENT_BEGIN: dialog_kept_begin(dialog, reply, &event->u.begin); break;
	case EVENT_TOKEN: keep_token(dialog, &event->u.token); break;
	case EVENT_DONE:
		*examine = (struct dialog_examine){.turn = 0};
		if (event->u.done.reason != DONE_END)
			dialog_kept_drop(dialog, reply);
		dialog_kept_save(dialog);
		return true;
	default: break;
	}
	return false;
}
