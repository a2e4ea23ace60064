#include "cli/pull_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/amount.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/sanitize.h"

static void put_rest(struct buf *out, const struct pull_choice *choice)
{
	const char *before = "  ";

	if (choice->n > 1) {
		buf_printf(out, "%s%zu files", before, choice->n);
		before = ", ";
	}
	if (choice->n_bytes && choice->n_stored >= choice->n_bytes)
		buf_printf(out, "%shere already", before);
	else if (choice->n_stored)
		buf_printf(out, "%s%.0f %% here", before, (double)(100 * choice->n_stored / choice->n_bytes));
}

static void put_row(struct buf *out, const struct pull_offer *offer, size_t index)
{
	const struct pull_choice *choice = &offer->choices[index];
	char size[AMOUNT_TEXT_MAX], speed[AMOUNT_TEXT_MAX], bits[16] = "-";
	struct buf quant = {.max = KIB(4)};

	sanitize_line(&quant, choice->quant, strlen(choice->quant));
	if (choice->bits > 0)
		snprintf(bits, sizeof bits, "%.1f", choice->bits);
	buf_printf(out, "%c %3zu  %-14s  %9s  %4s  %-9s  %8s", index == offer->chosen ? '*' : ' ', index + 1, buf_text(&quant),
	           choice->n_bytes ? amount_thousands(size, choice->n_bytes) : "-", bits,
	           choice->memory ? catalog_state_name(choice->fits) : "-",
	           choice->speed > 0 ? amount_estimate(speed, choice->speed) : "-");
	put_rest(out, choice);
	buf_putc(out, '\n');
	buf_free(&quant);
}

void pull_table_put(struct buf *out, const struct pull_offer *offer)
{
	if (offer->n_choices)
		buf_printf(out, "  %3s  %-14s  %9s  %4s  %-9s  %8s\n", "", "NAME", "SIZE", "BITS", "MEMORY", "TOKENS/S");
	for (size_t i = 0; i < offer->n_choices; i++)
		put_row(out, offer, i);
}

void pull_table_put_name(struct buf *out, const struct pull_offer *offer, size_t choice)
{
	const struct pull_name *name = &offer->name;

	pull_name_put(name, out);
	if (!name->tag && !name->file && name->source == PULL_HUB && choice < offer->n_choices)
		buf_printf(out, ":%s", offer->choices[choice].quant);
}

static void put_known(struct json_writer *json, const char *key, const char *format, double value)
{
	if (value > 0)
		json_put_number(json, key, format, value);
	else
		json_put_null(json, key);
}

static void put_json_row(struct buf *out, const struct pull_offer *offer, size_t index)
{
	const struct pull_choice *choice = &offer->choices[index];
	struct json_writer json = {.out = out};
	struct buf name = {.max = KIB(8)};

	pull_table_put_name(&name, offer, index);
	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "name", buf_text(&name));
	json_put_string(&json, "quant", choice->quant);
	json_put_number(&json, "bytes", "%" PRIu64, choice->n_bytes);
	json_put_number(&json, "files", "%zu", choice->n);
	put_known(&json, "bits", "%.3g", choice->bits);
	json_put_string(&json, "state", choice->memory ? catalog_state_name(choice->fits) : NULL);
	put_known(&json, "memory", "%.0f", (double)choice->memory);
	put_known(&json, "tokens_per_second", "%.3g", choice->speed);
	json_put_number(&json, "stored", "%" PRIu64, choice->n_stored);
	json_put_bool(&json, "chosen", index == offer->chosen);
	json_put_string(&json, "licence", offer->licence);
	json_put_end(&json, '}');
	buf_putc(out, '\n');
	buf_free(&name);
}

void pull_table_put_json(struct buf *out, const struct pull_offer *offer)
{
	for (size_t i = 0; i < offer->n_choices; i++)
		put_json_row(out, offer, i);
}

size_t pull_table_find(const struct pull_offer *offer, const char *answer)
{
	char *end;
	unsigned long number = strtoul(answer, &end, 10);

	if (!answer[0])
		return offer->chosen;
	for (size_t i = 0; i < offer->n_choices; i++)
		if (strcasecmp(offer->choices[i].quant, answer) == 0)
			return i;
	return !*end && number >= 1 && number <= offer->n_choices ? number - 1 : offer->n_choices;
}
