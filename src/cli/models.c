/* sotto models: the model files on this machine, a line each. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/amount.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "catalog/catalog.h"
#include "catalog/recommended_models.h"
#include "catalog/speed.h"
#include "cli/models_change.h"
#include "cli/print.h"
#include "cli/setup.h"
#include "cli/subcommands.h"
#include "config/servers.h"
#include "pull/pull.h"
#include "pull/stored.h"

struct models_params {
	bool json, advice, parts, yes;
};

#define ROW(field, more_flags) CLI_ROW(models_params, field, more_flags)

static const struct option models_options[] = {
	{"json", NULL, OPTION_BOOL, ROW(json, 0), .def = "no",
	 .help = "print a JSON object for each model"},
	{"advice", NULL, OPTION_BOOL, ROW(advice, 0), .def = "no",
	 .help = "print which model to download for this machine's memory and speed, and how"},
	{"parts", NULL, OPTION_BOOL, ROW(parts, 0), .def = "no",
	 .help = "with rm: what stopped fetches have left"},
	{"yes", "y", OPTION_BOOL, ROW(yes, 0), .def = "no", .help = "with rm: without a question"},
};

/* Unknown numbers are null. */
static void put_known(struct json_writer *json, const char *key, uint64_t value)
{
	if (value)
		json_put_number(json, key, "%" PRIu64, value);
	else
		json_put_null(json, key);
}

/* Tokens a second, estimated. */
static void put_speed(struct json_writer *json, double speed)
{
	if (speed > 0)
		json_put_number(json, "tokens_per_second", "%.3g", speed);
	else
		json_put_null(json, "tokens_per_second");
}

static void put_json(struct buf *out, const struct catalog *catalog, const struct catalog_entry *entry)
{
	struct json_writer json = {.out = out};
	struct buf published = {.max = KIB(8)};
	bool is_published = stored_put_name(&published, entry->path, catalog);

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "name", entry->name);
	json_put_string(&json, "published", is_published ? buf_text(&published) : NULL);
	json_put_string(&json, "path", entry->path);
	json_put_string(&json, "state", catalog_state_name(entry->state));
	json_put_string(&json, "why", entry->why);
	json_put_string(&json, "architecture", entry->architecture[0] ? entry->architecture : NULL);
	json_put_string(&json, "type", entry->type[0] ? entry->type : NULL);
	put_known(&json, "bytes", entry->file_bytes);
	put_known(&json, "parts", entry->n_parts);
	put_known(&json, "parameters", entry->n_params);
	put_known(&json, "active_parameters", entry->n_active);
	put_known(&json, "context_trained", entry->n_ctx_train);
	put_known(&json, "context", entry->n_ctx);
	put_known(&json, "memory", entry->memory);
	put_speed(&json, entry->speed);
	put_known(&json, "last_used", entry->used > 0 ? (uint64_t)entry->used : 0);
	json_put_bool(&json, "built_in", entry->is_guide);
	json_put_end(&json, '}');
	buf_putc(out, '\n');
	buf_free(&published);
}

static void put_json_recommended(struct buf *out, const struct recommended_model *model,
                                 bool is_best, const struct catalog *catalog)
{
	struct json_writer json = {.out = out};

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "name", model->name);
	json_put_string(&json, "architecture", model->architecture);
	json_put_string(&json, "repository", model->repository);
	json_put_string(&json, "file", model->file);
	json_put_string(&json, "licence", model->licence);
	put_known(&json, "bytes", (uint64_t)model->file_mb * 1000000);
	put_known(&json, "memory", recommended_memory(model));
	put_speed(&json, recommended_speed(model, catalog->weight_rate));
	json_put_bool(&json, "fits", recommended_fits(model, catalog->available));
	json_put_bool(&json, "recommended", is_best);
	json_put_end(&json, '}');
	buf_putc(out, '\n');
}

/* Which model to get: text for people, or a JSON object for each. */
static void put_advice(struct buf *out, const struct catalog *catalog, bool json)
{
	const struct recommended_model *best = recommended_choose(catalog->available,
	                                                           catalog->weight_rate);

	if (!json)
		catalog_advice(out, catalog->available, catalog->weight_rate);
	if (!json && pull_lacks())
		buf_printf(out, "\nThis sotto was built without %s, and cannot fetch it. The file is to be had at\n  "
		           "https://huggingface.co/%s/resolve/main/%s\n", pull_lacks(), best->repository, best->file);
	for (size_t i = 0; json && i < n_recommended; i++)
		put_json_recommended(out, &recommended[i], &recommended[i] == best, catalog);
}

static void put_heads(struct buf *out)
{
	buf_printf(out, "%-11s  %9s  %-7s  %8s  %8s  %8s  %-8s  %s\n", "STATE", "SIZE", "TYPE", "PARAMS",
	           "TOKENS/S", "CONTEXT", "ARCH", "NAME  PATH");
}

static void put_safe(struct buf *out, const char *text)
{
	sanitize_line(out, text, strlen(text));
}

/* The one that it is fetched and deleted by, if there is one, as ollama's are. */
static void put_name(struct buf *out, const struct catalog *catalog, const struct catalog_entry *entry)
{
	struct buf name = {.max = KIB(8)};

	put_safe(out, stored_put_name(&name, entry->path, catalog) ? buf_text(&name) : entry->name);
	buf_free(&name);
}

/* The name and the path come last, as they may be long. */
static void put_line(struct buf *out, const struct catalog *catalog, const struct catalog_entry *entry)
{
	char size[AMOUNT_TEXT_MAX], count[AMOUNT_TEXT_MAX], speed[AMOUNT_TEXT_MAX], context[16] = "-";
	struct buf arch = {.max = KIB(1)};

	put_safe(&arch, entry->architecture[0] ? entry->architecture : "-");
	if (entry->n_ctx_train)
		snprintf(context, sizeof context, "%" PRIu32, entry->n_ctx_train);
	buf_printf(out, "%-11s  %9s  %-7s  %8s  %8s  %8s  %-8s  ", catalog_state_name(entry->state),
	           amount_bytes(size, entry->file_bytes), entry->type[0] ? entry->type : "-",
	           entry->n_params ? amount_count(count, entry->n_params) : "-",
	           entry->speed > 0 ? amount_estimate(speed, entry->speed) : "-", context, buf_text(&arch));
	put_name(out, catalog, entry);
	buf_puts(out, "  ");
	put_safe(out, entry->path);
	if (entry->why) {
		buf_puts(out, "  (");
		put_safe(out, entry->why);
		buf_putc(out, ')');
	} else if (entry->n_parts > 1) {
		buf_printf(out, "  (%" PRIu32 " files)", entry->n_parts);
	}
	buf_putc(out, '\n');
	buf_free(&arch);
}

/* They are not asked here: that may take a while. */
static void tell_servers(const char *path)
{
	struct buf problems = {.max = MIB(1)};
	struct servers servers;

	if (servers_read(&servers, path, &problems, NULL) == STATUS_OK && servers.n)
		cli_note("%zu server%s configured: `sotto servers` lists %s models", servers.n,
		         servers.n == 1 ? " is" : "s are", servers.n == 1 ? "its" : "their");
	buf_free(&problems);
	servers_free(&servers);
}

/* What the list does not show, on standard error. */
static void tell_rest(const struct catalog *catalog, const struct models_params *params, const char *servers)
{
	struct buf text = {.max = KIB(64)};

	if (catalog->n_unreadable)
		cli_note("%zu folder%s could not be read", catalog->n_unreadable,
		         catalog->n_unreadable == 1 ? "" : "s");
	if (catalog->is_cut)
		cli_note("there are too many files; not all were looked at");
	if (!params->json)
		tell_servers(servers);
	if (catalog->n_found || params->json)
		return;
	buf_printf(&text, "No model was found on this machine%s.\n\n",
	           catalog->n ? " but the guide" : "");
	put_advice(&text, catalog, false);
	if (!buf_status(&text))
		fputs(buf_text(&text), stderr);
	buf_free(&text);
}

static int show(struct cli_setup *setup, const struct models_params *params)
{
	struct catalog *catalog;
	struct error err;
	struct buf out = {.max = MIB(64)};
	int rc;

	if (catalog_scan(&catalog, &setup->engine, NULL, NULL, &err))
		return cli_fail(&err);
	catalog_set_weight_rate(catalog, speed_measure(&setup->engine, NULL, NULL));
	if (params->advice)
		put_advice(&out, catalog, params->json);
	else if (catalog->n && !params->json && isatty(STDOUT_FILENO))
		put_heads(&out);
	for (size_t i = 0; i < catalog->n && !params->advice; i++)
		(params->json ? put_json : put_line)(&out, catalog, &catalog->entries[i]);
	rc = cli_print_buf(&out, "the list");
	if (!rc && !params->advice)
		tell_rest(catalog, params, setup->engine.servers);
	if (!rc && !params->advice && !params->json)
		models_tell_parts();
	catalog_free(catalog);
	return rc;
}

static int change(const struct cli_setup *setup, const struct models_params *params)
{
	const char *what = setup->words[0], *name = setup->n_words == 2 ? setup->words[1] : NULL;
	bool removes = strcmp(what, "rm") == 0, is_known = removes || strcmp(what, "verify") == 0 || strcmp(what, "licence") == 0 ||
	               strcmp(what, "license") == 0;

	if (!is_known)
		return cli_fail_with(STATUS_USAGE, "found '%.60s', expected rm, verify or licence, and the name of a model", what);
	if (removes && params->parts && setup->n_words == 1)
		return models_remove_parts(params->yes);
	if (!name || params->parts)
		return cli_fail_with(STATUS_USAGE, "`sotto models %.20s` takes the name of one model%s", what,
		                     removes ? ", or --parts" : "");
	if (removes)
		return models_remove(name, params->yes);
	return what[0] == 'v' ? models_verify(name) : models_licence(name);
}

static int run(struct cli_setup *setup, void *own)
{
	const struct models_params *params = own;
	bool removes = setup->n_words && strcmp(setup->words[0], "rm") == 0;

	if (!removes && (params->parts || params->yes))
		return cli_fail_with(STATUS_USAGE, "--parts and --yes go with `sotto models rm`");
	if (setup->n_words && (params->json || params->advice))
		return cli_fail_with(STATUS_USAGE, "--json and --advice are for the list");
	return setup->n_words ? change(setup, params) : show(setup, params);
}

const struct cli_command cli_models = {
	.synopsis = "sotto models [OPTION]...\n       sotto models rm|verify|licence [OPTION]... NAME",
	.text = "Lists the model files on this machine, a line each: recently loaded ones first, then\n"
	        "those where llama.cpp, Hugging Face, LM Studio, ollama and sotto keep them, and in the\n"
	        "current folder. Says whether they fit in the memory that is free now, with the\n"
	        "context of --ctx-size, and estimates how many tokens a second they generate, for which\n"
	        "it measures the machine. If there is none, it says which one to get, and how.\n\n"
	        "rm deletes a model that was fetched, by its name or the path of its file: its names, and the\n"
	        "files that no other model needs. On a terminal it asks before. verify reads its files again\n"
	        "and compares them with the digests that they are named by. licence prints its licence.",
	CLI_OWN(models_options, models_params),
	.takes_words = true,
	.acts = "servers ctx-size batch-size threads cache-type-k cache-type-v",
	.run = run,
};
