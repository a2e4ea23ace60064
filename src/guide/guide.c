#include "guide/guide.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "guide/facts.h"
#include "guide/index.h"
#include "guide/look_up.h"
#include "guide/ranker.h"

struct guide {
	struct facts facts;
	struct index index;
	struct ranker ranker;
	double weight_rate; /* 0: not measured yet */
};

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

/* The weights stand beside the facts, and are of the same name but for the end. Without
 * them the look-up does what it can. */
static enum status read_weights(const char *facts_path, struct guide *guide, struct error *err)
{
	static const char end[] = ".yaml";
	size_t n = strlen(facts_path), n_end = sizeof end - 1, len;
	enum status status = STATUS_OK;
	struct buf path;
	char *bytes;

	if (n < n_end || strcmp(facts_path + n - n_end, end) != 0)
		return STATUS_OK;
	buf_init(&path, KIB(8));
	if (buf_append(&path, facts_path, n - n_end) || buf_puts(&path, ".weights"))
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
	enum status status;
	struct buf found;
	char *text = NULL;
	size_t len;

	buf_init(&found, KIB(8));
	if (!guide) {
		status = error_set(err, STATUS_NOMEM, "not enough memory for the guide's facts");
		goto out;
	}
	if (path)
		status = sys_read_file(path, LIMIT_GUIDE_FACTS, &text, &len, err);
	else
		status = read_found(&text, &len, &found, err);
	if (!status)
		status = facts_read(&guide->facts, path ? path : buf_text(&found), text, len, err);
	if (!status)
		status = index_make(&guide->index, &guide->facts, err);
	if (!status)
		status = read_weights(path ? path : buf_text(&found), guide, err);
out:
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
		index_deinit(&guide->index);
		facts_deinit(&guide->facts);
	}
	free(guide);
}

void guide_set_weight_rate(struct guide *guide, double weight_rate)
{
	guide->weight_rate = weight_rate;
}

double guide_weight_rate(const struct guide *guide)
{
	return guide->weight_rate;
}

size_t guide_n_facts(const struct guide *guide)
{
	return guide->facts.n;
}

const char *guide_fact_id(const struct guide *guide, size_t fact)
{
	return fact == GUIDE_NOTHING ? "" : facts_text(&guide->facts, guide->facts.items[fact].id);
}

const char *guide_fact_text(const struct guide *guide, size_t fact)
{
	return facts_text(&guide->facts, guide->facts.items[fact].text);
}

size_t guide_look_up(const struct guide *guide, const char *question, size_t len, size_t before,
                     struct guide_hit hits[GUIDE_ENTRIES])
{
	return look_up(&guide->index, &guide->facts, &guide->ranker, question, len, before, hits);
}

size_t guide_look_up_last(const struct guide *guide, const struct message *messages,
                          size_t n, struct guide_hit hits[GUIDE_ENTRIES])
{
	size_t before = GUIDE_NOTHING, first = n, n_hits = 0;

	for (size_t left = GUIDE_QUESTIONS; first > 0 && left > 0; first--)
		left -= messages[first - 1].role == ROLE_USER;
	for (size_t i = first; i < n; i++) {
		const struct fact *fact;

		if (messages[i].role != ROLE_USER)
			continue;
		n_hits = guide_look_up(guide, messages[i].text, messages[i].len, before, hits);
		if (!n_hits && before == GUIDE_NOTHING)
			before = GUIDE_DECLINED;
		if (!n_hits || hits[0].fact == GUIDE_NOTHING)
			continue;
		fact = &guide->facts.items[hits[0].fact];
		if (!fact->alone || fact->again)
			before = hits[0].fact;
	}
	return n_hits;
}
