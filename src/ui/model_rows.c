#include "ui/model_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/amount.h"
#include "base/date.h"
#include "base/limits.h"
#include "catalog/recommended_models.h"
#include "pull/pull.h"
#include "pull/stored.h"

static const char *const heads[] = {"context", "type", "size", "tokens/s", "state"};
enum { N_COLUMNS = sizeof heads / sizeof heads[0], COLUMN_MAX = 24, PUBLISHED_MAX = 6 };

const struct list_extras model_rows_extras = {.heads = heads, .n_columns = N_COLUMNS, .can_keep = true};

#define DOT " \302\267 "

/* The texts of a row that nobody else has. */
struct model_text {
	char context[COLUMN_MAX], type[COLUMN_MAX], size[AMOUNT_TEXT_MAX], speed[AMOUNT_TEXT_MAX];
	struct buf name, note, value;
};

static struct model_text *next_text(struct model_rows *rows)
{
	struct model_text *text = &rows->texts[rows->n];

	buf_init(&text->name, KIB(4));
	buf_init(&text->note, KIB(64));
	buf_init(&text->value, KIB(4));
	return text;
}

static void put_context(struct model_text *text, uint32_t n_ctx)
{
	if (n_ctx)
		snprintf(text->context, sizeof text->context, "%u", n_ctx);
}

/* ---- files ---- */

bool model_rows_can_load(const struct catalog_entry *entry)
{
	return entry->state <= MODEL_TOO_LARGE;
}

/* All there is to say about it, the most important first, since it may be cut. */
static void write_note(const struct catalog *catalog, const struct catalog_entry *entry, struct buf *out)
{
	char text[AMOUNT_TEXT_MAX], free_text[AMOUNT_TEXT_MAX], date[DATE_TEXT_MAX];

	if (entry->why)
		buf_printf(out, "%s" DOT, entry->why);
	else if (entry->memory)
		buf_printf(out, "needs %s of %s free for %u tokens" DOT, amount_bytes(text, entry->memory),
		           catalog->available ? amount_bytes(free_text, catalog->available) : "unknown",
		           entry->n_ctx);
	if (entry->n_params)
		buf_printf(out, "%s, %s parameters", entry->architecture,
		           amount_count(text, entry->n_params));
	if (entry->n_params && entry->has_experts)
		buf_printf(out, ", %s of them for each token", amount_count(text, entry->n_active));
	if (entry->n_params)
		buf_puts(out, DOT);
	if (entry->n_parts > 1)
		buf_printf(out, "in %u files" DOT, entry->n_parts);
	if (entry->used) {
		date_text(entry->used, date);
		buf_printf(out, "last loaded %s" DOT, date);
	}
	if (stored_put_name(out, entry->path, catalog)) /* for /model, and to delete it */
		buf_puts(out, DOT);
	buf_puts(out, entry->path);
}

static void add_file(struct model_rows *rows, const struct catalog *catalog, const struct catalog_entry *entry,
                     bool is_loaded)
{
	struct model_text *text = next_text(rows);

	write_note(catalog, entry, &text->note);
	amount_bytes(text->size, entry->file_bytes);
	if (entry->speed > 0)
		amount_estimate(text->speed, entry->speed);
	put_context(text, entry->n_ctx_train);
	rows->items[rows->n++] = (struct list_item){
		.text = entry->name, .value = entry->path, .note = buf_text(&text->note),
		.is_broken = !model_rows_can_load(entry),
		.columns = {text->context, entry->type, text->size, text->speed,
		            is_loaded ? "loaded" : catalog_state_name(entry->state)}};
}

static void add_files(struct model_rows *rows, const struct catalog *catalog, bool usual, const struct model_info *model)
{
	for (size_t i = 0; catalog && i < catalog->n; i++) {
		const struct catalog_entry *entry = &catalog->entries[i];
		bool is_usual = model_rows_can_load(entry) && !entry->is_guide;

		if (is_usual == usual)
			add_file(rows, catalog, entry, entry->is_current && model && !model->identity.server[0]);
	}
}

/* ---- servers ---- */

static void put_prices(struct buf *out, const struct remote_model *model)
{
	if (model->price_in >= 0)
		buf_printf(out, "$%g in", model->price_in);
	if (model->price_out >= 0)
		buf_printf(out, "%s$%g out", model->price_in >= 0 ? ", " : "", model->price_out);
	if (model->price_in >= 0 || model->price_out >= 0)
		buf_puts(out, " for a million tokens" DOT);
}

static void write_server_note(struct buf *out, const struct remote_model *model, bool is_printed)
{
	char text[AMOUNT_TEXT_MAX];

	if (model->state == REMOTE_OFFERED) {
		buf_printf(out, "a server runs on this machine: something listens at %s%s%s%s; Enter writes it into "
		           "servers.yaml as %s, and uses it", model->where, model->title ? ", as " : "",
		           model->title ? model->title : "", model->title ? " does" : "", model->server);
		return;
	}
	if (model->why)
		buf_puts(out, model->why);
	if (model->state == REMOTE_FAILED && !model->id[0])
		return;
	if (model->why)
		buf_puts(out, DOT);
	buf_printf(out, "on %s (%s)%s%s" DOT, model->server, model->where, model->title ? ", " : "",
	           model->title ? model->title : "");
	if (model->n_ctx && !is_printed) /* a narrow screen has no column for it */
		buf_printf(out, "context of %u tokens" DOT, model->n_ctx);
	if (model->is_unverified)
		buf_puts(out, "its certificate is not verified" DOT);
	put_prices(out, model);
	if (model->n_params)
		buf_printf(out, "%s parameters" DOT, amount_count(text, model->n_params));
	buf_puts(out, model->path);
}

static void add_server(struct model_rows *rows, const struct remote_model *model, bool is_used, bool is_printed)
{
	struct model_text *text = next_text(rows);

	if (model->state == REMOTE_OFFERED)
		buf_printf(&text->name, "%s on this machine", model->title ? model->title : model->where);
	else
		buf_printf(&text->name, "%s%s%s", remote_model_name(model->id), model->id[0] ? " on " : "", model->server);
	write_server_note(&text->note, model, is_printed);
	if (model->n_bytes)
		amount_bytes(text->size, model->n_bytes);
	put_context(text, model->n_ctx);
	rows->items[rows->n++] = (struct list_item){
		.text = buf_text(&text->name), .value = model->path, .note = buf_text(&text->note),
		.is_broken = model->state == REMOTE_FAILED,
		.columns = {text->context, model->type, text->size, NULL,
		            is_used ? "in use" : remote_state_name(model->state)}};
}

static bool is_used(const struct remote_model *item, const struct model_info *model)
{
	return model && model->identity.server[0] && strcmp(model->identity.server, item->server) == 0 &&
	       strcmp(model->identity.model, item->id) == 0;
}

/* Those of three groups: models, offered servers, and what cannot be used. */
static int group_of(const struct remote_model *item)
{
	return item->state == REMOTE_OFFERED ? 1 : item->state == REMOTE_FAILED ? 2 : 0;
}

static void add_servers(struct model_rows *rows, const struct remote_list *remote, const struct model_info *model,
                        bool is_printed)
{
	for (int group = 0; remote && group < 3; group++)
		for (size_t i = 0; i < remote->n; i++)
			if (group_of(&remote->items[i]) == group && !is_used(&remote->items[i], model))
				add_server(rows, &remote->items[i], false, is_printed);
}

/* ---- published models ---- */

bool model_rows_is_published(const char *value)
{
	return strncmp(value, MODEL_ROWS_PUBLISHED, strlen(MODEL_ROWS_PUBLISHED)) == 0;
}

static bool is_here(const struct catalog *catalog, const struct recommended_model *model)
{
	for (size_t i = 0; i < catalog->n; i++) {
		const char *slash = strrchr(catalog->entries[i].path, '/');

		if (strcasecmp(slash ? slash + 1 : catalog->entries[i].path, model->file) == 0)
			return true;
	}
	return false;
}

static void add_one_published(struct model_rows *rows, const struct catalog *catalog,
                              const struct recommended_model *model, bool is_best, const char *fetched)
{
	struct model_text *text = next_text(rows);
	const char *name, *type;
	char amount[AMOUNT_TEXT_MAX];
	bool is_fetched;

	buf_puts(&text->value, MODEL_ROWS_PUBLISHED);
	recommended_pull_name(model, &text->value);
	name = buf_text(&text->value) + strlen(MODEL_ROWS_PUBLISHED);
	type = strchr(name, ':');
	is_fetched = fetched && strcmp(fetched, name) == 0;
	buf_puts(&text->name, model->name);
	if (pull_lacks())
		buf_printf(&text->note, "not on this machine, and this sotto was built without %s, so that it fetches nothing" DOT,
		           pull_lacks());
	else
		buf_printf(&text->note, is_fetched ? "not on this machine: choose it, and see how far it is" DOT
		                                   : "not on this machine: choose it, and it is fetched (%s)" DOT,
		           amount_thousands(amount, (uint64_t)model->file_mb * 1000000)); /* as the hub and /pull show it */
	if (is_best)
		buf_puts(&text->note, "the one that suits this machine" DOT);
	else if (model->purpose)
		buf_printf(&text->note, "%s" DOT, model->purpose);
	buf_printf(&text->note, "needs %s", amount_bytes(amount, recommended_memory(model)));
	if (catalog->available)
		buf_printf(&text->note, " of %s free", amount_bytes(amount, catalog->available));
	if (pull_lacks())
		buf_printf(&text->note, DOT "%s" DOT "huggingface.co/%s: %s", model->licence, model->repository, model->file);
	else
		buf_printf(&text->note, DOT "%s" DOT "sotto pull %s", model->licence, name);
	snprintf(text->type, sizeof text->type, "%s", type ? type + 1 : "");
	amount_bytes(text->size, (uint64_t)model->file_mb * 1000000);
	if (catalog->weight_rate > 0)
		amount_estimate(text->speed, recommended_speed(model, catalog->weight_rate));
	rows->items[rows->n++] = (struct list_item){
		.text = buf_text(&text->name), .value = buf_text(&text->value), .note = buf_text(&text->note),
		.is_broken = pull_lacks() != NULL,
		.columns = {NULL, text->type, text->size, text->speed,
		            is_fetched ? "on its way" : pull_lacks() ? "published" : "to fetch"}};
}

/* The one that suits this machine first, then those near it that fit. */
static void add_published(struct model_rows *rows, const struct catalog *catalog, const char *fetched)
{
	const struct recommended_model *best;
	size_t n = 0, at;

	if (!catalog)
		return;
	best = recommended_choose(catalog->available, catalog->weight_rate);
	at = (size_t)(best - recommended);
	if (!is_here(catalog, best))
		add_one_published(rows, catalog, best, true, fetched);
	for (size_t i = 1; i < n_recommended && n + 1 < PUBLISHED_MAX; i++) { /* around it, the larger ones last */
		size_t to = i <= at ? at - i : i;
		const struct recommended_model *model = &recommended[to];

		if (!recommended_fits(model, catalog->available) || is_here(catalog, model))
			continue;
		add_one_published(rows, catalog, model, false, fetched);
		n++;
	}
}

/* ---- all of them ---- */

static bool is_whole(const struct model_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		if (buf_status(&rows->texts[i].name) || buf_status(&rows->texts[i].note) ||
		    buf_status(&rows->texts[i].value))
			return false;
	return true;
}

bool model_rows_make(struct model_rows *out, const struct catalog *catalog, const struct remote_list *remote,
                     const struct model_info *model, const char *fetched, bool is_printed)
{
	size_t most = (catalog ? catalog->n : 0) + (remote ? remote->n : 0) + PUBLISHED_MAX;

	*out = (struct model_rows){.items = alloc_array(most, sizeof *out->items),
	                           .texts = alloc_array(most, sizeof *out->texts)};
	if (!out->items || !out->texts)
		return false;
	for (size_t i = 0; remote && i < remote->n; i++)
		if (is_used(&remote->items[i], model))
			add_server(out, &remote->items[i], true, is_printed);
	add_files(out, catalog, true, model);
	add_servers(out, remote, model, is_printed);
	add_published(out, catalog, fetched);
	add_files(out, catalog, false, model);
	return is_whole(out);
}

void model_rows_free(struct model_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		buf_free(&rows->texts[i].name);
		buf_free(&rows->texts[i].note);
		buf_free(&rows->texts[i].value);
	}
	free(rows->texts);
	free(rows->items);
	*rows = (struct model_rows){.n = 0};
}
