/* Opens the guide, and puts it around the backend of its model: each turn gets the help that fits
 * its last question. The conversation itself knows nothing of that. */
#include "guide/guide_internal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"

/* Where the facts are under the data directory: installed, and in the source tree. */
static const char *const places[] = {"/guide/facts.yaml", "/tools/guide/facts.yaml"};

static enum status read_found(char **text, size_t *len, struct buf *path, struct error *err)
{
	enum status status = STATUS_NOTFOUND;

	for (size_t i = 0; i < sizeof places / sizeof places[0] && status == STATUS_NOTFOUND; i++) {
		buf_clear(path);
		status = sys_data_path(places[i], path, err);
		if (!status)
			status = sys_read_file(buf_text(path), LIMIT_GUIDE_FACTS, text, len, err);
	}
	return status;
}

/* The weights stand beside facts.yaml; without them facts are found by their words alone. */
static enum status read_weights(const struct buf *facts_path, struct guide *guide, struct error *err)
{
	enum status status = STATUS_OK;
	struct buf path = {.max = KIB(8)};
	char *bytes;
	size_t len;

	buf_append(&path, facts_path->data, facts_path->len - strlen(".yaml"));
	if (buf_puts(&path, ".weights"))
		status = error_no_memory(err, NULL);
	if (!status)
		status = sys_read_file(buf_text(&path), LIMIT_GUIDE_WEIGHTS, &bytes, &len, err);
	if (!status)
		status = ranker_read(&guide->ranker, buf_text(&path), bytes, len, &guide->facts, err);
	buf_free(&path);
	return status == STATUS_NOTFOUND ? STATUS_OK : status;
}

enum status guide_open(struct guide **out, const char *path, struct error *err)
{
	struct guide *guide = alloc_array(1, sizeof *guide);
	enum status status = guide ? STATUS_OK : error_no_memory(err, NULL);
	struct buf found = {.max = KIB(8)};
	char *text = NULL;
	size_t len;

	if (!status && !path)
		status = read_found(&text, &len, &found, err);
	else if (!status && buf_puts(&found, path))
		status = error_no_memory(err, NULL);
	else if (!status)
		status = sys_read_file(path, LIMIT_GUIDE_FACTS, &text, &len, err);
	if (!status)
		status = facts_read(&guide->facts, buf_text(&found), text, len, err);
	if (!status)
		status = phrases_make(&guide->phrases, &guide->facts, err);
	if (!status)
		status = read_weights(&found, guide, err);
	if (status)
		guide_close(guide);
	else
		*out = guide;
	free(text);
	buf_free(&found);
	return status;
}

void guide_close(struct guide *guide)
{
	if (guide) {
		backend_close(guide->inner);
		ranker_deinit(&guide->ranker);
		phrases_deinit(&guide->phrases);
		facts_deinit(&guide->facts);
	}
	free(guide);
}

static const char no_question[] =
	"the guide, the model that comes with sotto, can only answer short questions about sotto; "
	"-m FILE takes another model ('sotto models' lists those that are here)";

static enum status guide_run(struct backend *backend, const struct turn *turn,
                             enum backend_mode mode, const struct backend_host *host,
                             struct backend_result *result, struct error *err)
{
	struct guide *guide = (struct guide *)backend;
	struct helped_turn helped;
	enum status status = guide_help(&helped, guide, turn, err);

	if (!status && helped.declined && guide->strict)
		status = error_set(err, STATUS_DECLINED, "%s", no_question);
	if (!status && mode == BACKEND_SCORE) { /* what the user asks about, not what the guide would say */
		helped.turn.answers = turn->answers;
		helped.turn.n_answers = turn->n_answers;
	}
	if (!status)
		status = backend_run(guide->inner, &helped.turn, mode, host, result, err);
	helped_turn_free(&helped);
	return status;
}

static enum status guide_inspect(struct backend *backend, const struct turn *turn, const struct backend_host *host,
                                 struct inspection *out, struct error *err)
{
	struct guide *guide = (struct guide *)backend;
	struct message_count *asked = out->messages;
	struct helped_turn helped;
	enum status status = guide_help(&helped, guide, turn, err);
	size_t next = 0;

	/* With help there may be a message more. */
	out->messages = alloc_array(turn->n_messages + 1, sizeof *out->messages);
	if (!status && !out->messages)
		status = error_no_memory(err, "to count the conversation");
	if (!status)
		status = backend_inspect(guide->inner, &helped.turn, host, out, err);
	/* The help is counted before the messages that are left. */
	if (!status && helped.messages)
		out->help = out->messages[next++];
	for (size_t i = 0; i < turn->n_messages && !status; i++) {
		bool is_replaced = helped.messages && turn->messages[i].role == ROLE_SYSTEM;

		asked[i] = is_replaced ? (struct message_count){.tokens = 0} : out->messages[next++];
	}
	free(out->messages);
	out->messages = asked;
	helped_turn_free(&helped);
	return status;
}

static void close_guide(struct backend *backend)
{
	guide_close((struct guide *)backend);
}

static const struct backend_ops guide_ops = {
	.run = guide_run, .inspect = guide_inspect, .close = close_guide};

static void decorate(struct backend **backend, struct model_info *info, bool strict)
{
	struct guide *guide;
	struct error err;

	if (!(info->capabilities & CAPABILITY_HELP))
		return;
	if (guide_open(&guide, NULL, &err)) {
		model_info_note(info, NOTE_WARNING, "The guide's help could not be read: %.200s", err.text);
		return;
	}
	guide->base.ops = &guide_ops;
	guide->inner = *backend;
	guide->strict = strict;
	*backend = &guide->base;
}

void guide_decorate(struct backend **backend, struct model_info *info)
{
	decorate(backend, info, false);
}

void guide_decorate_strict(struct backend **backend, struct model_info *info)
{
	decorate(backend, info, true);
}
