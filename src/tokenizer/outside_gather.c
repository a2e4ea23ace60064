/* Many texts at once: a conversation is encoded a first time only to note what has to be asked for. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "tokenizer/outside_known.h"

void outside_gather_free(struct outside_gather *gather)
{
	for (size_t i = 0; i < gather->n_wants; i++)
		free((char *)(size_t)gather->wants[i].text);
	free(gather->wants);
	token_list_free(&gather->ids);
	*gather = (struct outside_gather){.is_on = false};
}

enum status outside_note(struct outside *o, const struct outside_want *wants, size_t n, bool *missing,
                         struct error *err)
{
	struct outside_gather *gather = &o->gather;

	for (size_t i = 0; i < n; i++) {
		struct outside_want want = wants[i];

		if (outside_find(o, want))
			continue;
		*missing = true;
		want.text = alloc_strndup(want.text, want.len);
		if (!want.text || !alloc_grow(&gather->wants, &gather->cap, gather->n_wants + 1, sizeof *gather->wants,
		                              SIZE_MAX / sizeof *gather->wants)) {
			free((char *)(size_t)want.text);
			return error_no_memory(err, "for the prompt");
		}
		gather->wants[gather->n_wants++] = want;
	}
	return STATUS_OK;
}

enum status outside_note_ids(struct outside *o, const int32_t *ids, size_t n, bool *missing, struct error *err)
{
	for (size_t i = 0; i < n; i++) {
		if (ids[i] < 0 || (o->n_vocab && (size_t)ids[i] >= o->n_vocab) ||
		    outside_token(o, ids[i])->flags & OUTSIDE_SORTED)
			continue;
		*missing = true;
		if (token_list_push(&o->gather.ids, ids[i]))
			return error_no_memory(err, "for the prompt");
	}
	return STATUS_OK;
}

static int compare_wants(const void *a, const void *b)
{
	const struct outside_want *x = a, *y = b;

	if (x->mode != y->mode)
		return x->mode < y->mode ? -1 : 1;
	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->text, y->text, x->len);
}

static int compare_ids(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

/* Each only once. */
static void thin_out(struct outside_gather *gather)
{
	size_t n = 0;

	if (gather->n_wants)
		qsort(gather->wants, gather->n_wants, sizeof *gather->wants, compare_wants);
	for (size_t i = 0; i < gather->n_wants; i++) {
		if (n && compare_wants(&gather->wants[n - 1], &gather->wants[i]) == 0)
			free((char *)(size_t)gather->wants[i].text);
		else
			gather->wants[n++] = gather->wants[i];
	}
	gather->n_wants = n;
	n = 0;
	if (gather->ids.n)
		qsort(gather->ids.ids, gather->ids.n, sizeof *gather->ids.ids, compare_ids);
	for (size_t i = 0; i < gather->ids.n; i++)
		if (!n || gather->ids.ids[n - 1] != gather->ids.ids[i])
			gather->ids.ids[n++] = gather->ids.ids[i];
	gather->ids.n = n;
}

enum status outside_gathered(struct outside *o, bool *any, struct error *err)
{
	struct outside_gather gather = o->gather;
	enum status status = STATUS_OK;

	o->gather = (struct outside_gather){.is_on = false};
	*any = gather.n_wants || gather.ids.n;
	thin_out(&gather);
	if (gather.n_wants)
		status = outside_fetch(o, gather.wants, gather.n_wants, err);
	if (!status && gather.ids.n)
		status = outside_prepare(o, gather.ids.ids, gather.ids.n, err);
	outside_gather_free(&gather);
	return status;
}
