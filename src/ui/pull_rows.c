#include "ui/pull_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/amount.h"
#include "base/limits.h"

static const char *const heads[] = {"size", "bits a weight", "tokens/s", "state"};
enum { N_COLUMNS = sizeof heads / sizeof heads[0], COLUMN_MAX = 32 };

const struct list_extras pull_rows_extras = {.heads = heads, .n_columns = N_COLUMNS};

#define DOT " \302\267 "

/* The texts of a row that nobody else has. */
struct pull_text {
	char value[COLUMN_MAX], size[AMOUNT_TEXT_MAX], bits[COLUMN_MAX], speed[AMOUNT_TEXT_MAX], state[COLUMN_MAX];
	struct buf name, note;
};

static bool is_part(const struct pull_choice *choice)
{
	return choice->n_stored && choice->n_stored < choice->n_bytes;
}

/* Lines become one. */
static void put_notes(struct buf *out, const char *notes)
{
	for (; *notes; notes++) {
		if (*notes != '\n')
			buf_putc(out, *notes);
		else if (notes[1])
			buf_puts(out, DOT);
	}
}

void pull_rows_put_notes(struct buf *out, const struct pull_offer *offer)
{
	buf_printf(out, "licence: %s", offer->licence ? offer->licence : "it does not say");
	if (offer->notes) {
		buf_puts(out, DOT);
		put_notes(out, offer->notes);
	}
}

static const char *between(const struct buf *out)
{
	return out->len ? DOT : "";
}

/* `size` "": it stands in the row. */
static void put_note(struct buf *out, const struct pull_choice *choice, bool is_best, const char *size, uint64_t available)
{
	char text[AMOUNT_TEXT_MAX];

	if (is_best)
		buf_puts(out, "this one suits this machine");
	if (size[0])
		buf_printf(out, "%s%s", between(out), size);
	if (choice->memory)
		buf_printf(out, "%sneeds %s", between(out), amount_bytes(text, choice->memory));
	if (choice->memory && available)
		buf_printf(out, " of %s free", amount_bytes(text, available));
	if (choice->n > 1)
		buf_printf(out, "%sin %zu files", between(out), choice->n);
}

static void put_state(char *out, size_t size, const struct pull_choice *choice)
{
	if (choice->n_bytes && choice->n_stored >= choice->n_bytes)
		snprintf(out, size, "on this machine");
	else if (is_part(choice))
		snprintf(out, size, "%.0f %% is here", (double)choice->n_stored * 100 / (double)choice->n_bytes);
	else
		snprintf(out, size, "%s", choice->memory ? catalog_state_name(choice->fits) : "");
}

static void add_row(struct pull_rows *rows, const struct pull_offer *offer, size_t i, uint64_t available, bool is_screen)
{
	const struct pull_choice *choice = &offer->choices[i];
	struct pull_text *text = &rows->texts[rows->n];
	bool is_best = i == offer->chosen && !offer->is_by_tag && offer->n_choices > 1;

	buf_init(&text->name, KIB(4));
	buf_init(&text->note, KIB(64));
	buf_printf(&text->name, "%s%s", choice->quant, is_best ? " (best here)" : "");
	if (choice->n_bytes)
		amount_thousands(text->size, choice->n_bytes);
	put_note(&text->note, choice, is_best, is_screen ? text->size : "", available);
	if (is_screen) { /* which has the note of one row, and no column for the size where it is narrow */
		buf_puts(&text->note, between(&text->note));
		pull_rows_put_notes(&text->note, offer);
	}
	snprintf(text->value, sizeof text->value, "%zu", i);
	if (choice->bits > 0)
		snprintf(text->bits, sizeof text->bits, "%.1f", choice->bits);
	if (choice->speed > 0)
		amount_estimate(text->speed, choice->speed);
	put_state(text->state, sizeof text->state, choice);
	rows->items[rows->n++] = (struct list_item){
		.text = buf_text(&text->name), .value = text->value, .note = buf_text(&text->note),
		.columns = {text->size, text->bits, text->speed, text->state}};
}

bool pull_rows_make(struct pull_rows *out, const struct pull_offer *offer, uint64_t available, bool is_screen)
{
	bool is_whole = true;

	*out = (struct pull_rows){.items = alloc_array(offer->n_choices, sizeof *out->items),
	                          .texts = alloc_array(offer->n_choices, sizeof *out->texts)};
	if (!out->items || !out->texts)
		return false;
	for (size_t i = 0; i < offer->n_choices; i++)
		add_row(out, offer, i, available, is_screen);
	for (size_t i = 0; i < out->n; i++)
		is_whole &= !buf_status(&out->texts[i].name) && !buf_status(&out->texts[i].note);
	return is_whole;
}

void pull_rows_free(struct pull_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		buf_free(&rows->texts[i].name);
		buf_free(&rows->texts[i].note);
	}
	free(rows->texts);
	free(rows->items);
	*rows = (struct pull_rows){.n = 0};
}

const char *pull_rows_first(const struct pull_rows *rows, const struct pull_offer *offer)
{
	for (size_t i = 0; i < rows->n; i++)
		if (is_part(&offer->choices[i]))
			return rows->items[i].value;
	return offer->chosen < rows->n ? rows->items[offer->chosen].value : NULL;
}
