#include "guide/guide_internal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"

/* Where the facts are under the data directory: installed, and in the source tree. */
static const char *const places[] = {"guide/facts.yaml", "tools/guide/facts.yaml"};

static enum status read_found(char **text, size_t *len, struct buf *path, struct error *err)
{
	enum status status = STATUS_NOTFOUND;

	for (size_t i = 0; i < sizeof places / sizeof places[0] && status == STATUS_NOTFOUND; i++) {
		buf_clear(path);
		status = sys_data_dir(path, err);
		if (!status && buf_printf(path, "/%s", places[i]))
			status = error_set(err, STATUS_NOMEM, "not enough memory");
		if (!status)
			status = sys_read_file(buf_text(path), LIMIT_GUIDE_FACTS, text, len, err);
	}
	return status;
}

/* The weights stand beside facts.yaml; without them facts are found by their words alone. */
static enum status read_weights(const struct buf *facts_path, struct guide *guide, struct error *err)
{
	enum status status = STATUS_OK;
	struct buf path;
	char *bytes;
	size_t len;

	buf_init(&path, KIB(8));
	buf_append(&path, facts_path->data, facts_path->len - strlen(".yaml"));
	if (buf_puts(&path, ".weights"))
		status = error_set(err, STATUS_NOMEM, "not enough memory");
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
	enum status status = guide ? STATUS_OK : error_set(err, STATUS_NOMEM, "not enough memory");
	struct buf found;
	char *text = NULL;
	size_t len;

	buf_init(&found, KIB(8));
	if (!status && !path)
		status = read_found(&text, &len, &found, err);
	else if (!status && buf_puts(&found, path))
		status = error_set(err, STATUS_NOMEM, "not enough memory");
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
		ranker_deinit(&guide->ranker);
		phrases_deinit(&guide->phrases);
		facts_deinit(&guide->facts);
	}
	free(guide);
}

void guide_set_weight_rate(struct guide *guide, double weight_rate)
{
	guide->weight_rate = weight_rate;
}
