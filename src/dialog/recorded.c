#include "dialog/recorded.h"

#include "dialog/dialog.h"

/* The reply as it was when the turn began. */
static void cut(struct node *reply, const struct reply_run *run)
{
	if (run->from_text < reply->len)
		reply->len = run->from_text;
	if (run->from_id < reply->n_ids)
		reply->n_ids = run->from_id;
	if (reply->n_reasoning_ids > reply->n_ids)
		reply->n_reasoning_ids = reply->n_ids;
	if (run->from_reasoning < reply->reasoning_len)
		reply->reasoning_len = run->from_reasoning;
}

enum status dialog_build_recorded_turn(struct dialog *dialog, struct node *reply, size_t index,
                                       struct chat_turn *out, struct error *err)
{
	const struct reply_run *run = &reply->runs[index];
	const struct node whole = *reply;
	struct run_marks marks = {.known = false}; /* as they are now */
	struct stops stops = {.n = 0};
	struct sampler_params sampler = run_params_at(run, 0);
	struct chat_turn_source source = dialog_turn_source(dialog);
	enum status status = stops_add_record(&stops, run->stops, err);

	*out = (struct chat_turn){.messages = NULL};
	source.sampler = &sampler;
	source.stops = (const char *const *)stops.texts;
	source.n_stops = stops.n;
	source.no_summary = false; /* the recorded policy says what was done */
	source.continues = run_continues(run);
	source.weight_rate = run->weight_rate;
	tree_set_leaf(dialog->tree, source.continues ? reply->id : reply->parent);
	if (source.continues)
		cut(reply, run);
	run_marks_take(&marks, dialog->tree);
	run_marks_set(&run->marks, dialog->tree);
	if (!status)
		status = chat_turn_build(out, &source, err);
	out->turn.reasoning.clock = run->wish.clock;
	out->turn.has_first = run->has_first;
	out->turn.first = run->first;
	run_marks_set(&marks, dialog->tree);
	run_marks_free(&marks);
	*reply = whole;
	stops_free(&stops);
	return status;
}
