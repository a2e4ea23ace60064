#include "view/band_runs.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/limits.h"

void band_runs_free(struct band_runs *runs)
{
	free(runs->items);
	*runs = (struct band_runs){.items = NULL};
}

bool band_role(enum kept_band band, enum theme_role *role)
{
	switch (band) {
	case BAND_SURE: *role = STYLE_PROB_SURE; return true;
	case BAND_LIKELY: *role = STYLE_PROB_LIKELY; return true;
	case BAND_OPEN: *role = STYLE_PROB_OPEN; return true;
	case BAND_GUESS: *role = STYLE_PROB_GUESS; return true;
	case BAND_UNKNOWN: break;
	}
	return false;
}

static enum status add(struct band_runs *runs, size_t from, size_t to, enum theme_role role)
{
	struct style_run *last = runs->n ? &runs->items[runs->n - 1] : NULL;

	if (from >= to)
		return STATUS_OK;
	if (last && last->role == role && last->from + last->len == from) {
		last->len += (uint32_t)(to - from);
		return STATUS_OK;
	}
	if (!alloc_grow(&runs->items, &runs->cap, runs->n + 1, sizeof *runs->items, LIMIT_MESSAGE))
		return STATUS_NOMEM;
	runs->items[runs->n++] = (struct style_run){(uint32_t)from, (uint32_t)(to - from), role};
	return STATUS_OK;
}

void band_runs_update(struct band_runs *runs, const struct kept_reply *reply, enum kept_shade shade,
                      bool is_reasoning, size_t len)
{
	size_t n = reply && shade ? kept_n(reply) : 0, at = 0;
	enum theme_role role;

	if (!n) {
		runs->n = runs->n_tokens = 0;
		runs->shade = SHADE_NONE;
		return;
	}
	if (runs->shade == shade && runs->n_tokens == n && runs->len == len)
		return;
	*runs = (struct band_runs){.items = runs->items, .cap = runs->cap, .n_tokens = n, .len = len, .shade = shade};
	for (size_t i = 0; i < n && at < len; i++) {
		const struct kept_token *token = kept_token(reply, i);
		size_t end = at + token->n_bytes < len ? at + token->n_bytes : len;

		if (is_reasoning != ((token->flags & KEPT_REASONING) != 0))
			continue;
		if (band_role(kept_band_of(token, shade), &role) && add(runs, at, end, role))
			return;
		at = end;
	}
}

void band_runs_with(struct band_runs *out, const struct band_runs *runs, struct style_run on_top)
{
	size_t end = on_top.from + on_top.len;
	enum status status = STATUS_OK;
	bool is_put = false;

	out->n = 0;
	for (size_t i = 0; i < runs->n && !status; i++) {
		size_t from = runs->items[i].from, to = from + runs->items[i].len;

		status = add(out, from, to < on_top.from ? to : on_top.from, runs->items[i].role);
		if (!is_put && !status && to > on_top.from) {
			status = add(out, on_top.from, end, on_top.role);
			is_put = true;
		}
		if (!status)
			status = add(out, from > end ? from : end, to, runs->items[i].role);
	}
	if (!is_put && !status)
		status = add(out, on_top.from, end, on_top.role);
	if (status)
		out->n = 0;
}
