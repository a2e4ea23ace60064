/* sotto servers: what the servers in servers.yaml have, and what is to be known of one. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/amount.h"
#include "base/home_path.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "cli/print.h"
#include "cli/setup.h"
#include "cli/stop.h"
#include "cli/subcommands.h"
#include "config/servers.h"
#include "remote/lister.h"

struct servers_params {
	bool json;
};

static const struct option servers_options[] = {
	{"json", NULL, OPTION_BOOL, CLI_ROW(servers_params, json, 0), .def = "no",
	 .help = "print a JSON object for each model"},
};

static bool is_stopped(void *ctx)
{
	(void)ctx;
	return stop_signal() != 0;
}

static int rc_of(const struct error *err)
{
	if (err->status == STATUS_CANCELLED && stop_signal())
		return 128 + stop_signal();
	return err->status == STATUS_NOTFOUND ? 2 : status_exit_code(err->status); /* a name, and no model's file */
}

static int fail(const struct error *err)
{
	cli_fail(err);
	return rc_of(err);
}

/* ---- lines ---- */

static void put_safe(struct buf *out, const char *text)
{
	sanitize_line(out, text, strlen(text));
}

static void put_heads(struct buf *out)
{
	buf_printf(out, "%-10s  %8s  %9s  %-24s  %s\n", "STATE", "CONTEXT", "SIZE", "DIALECT", "MODEL  WHERE");
}

/* What is wrong in the file has been told. */
static bool is_of_file(const struct remote_model *model)
{
	return !model->path || !model->path[0];
}

static bool is_offer(const struct remote_model *model)
{
	return model->state == REMOTE_OFFERED;
}

/* The path and the place come last, as they may be long. */
static void put_line(struct buf *out, const struct remote_model *model)
{
	const char *state = remote_state_name(model->state);
	char size[AMOUNT_TEXT_MAX], context[16] = "-";

	if (model->n_ctx)
		snprintf(context, sizeof context, "%" PRIu32, model->n_ctx);
	buf_printf(out, "%-10s  %8s  %9s  %-24s  ", state[0] ? state : "-", context,
	           model->n_bytes ? amount_bytes(size, model->n_bytes) : "-", model->title ? model->title : "-");
	put_safe(out, model->path);
	buf_puts(out, "  ");
	put_safe(out, model->where ? model->where : "");
	if (model->is_unverified)
		buf_puts(out, "  (its certificate is not verified)");
	if (model->why) {
		buf_puts(out, "  (");
		put_safe(out, model->why);
		buf_putc(out, ')');
	}
	buf_putc(out, '\n');
}

/* The lines that make a server that runs here one of the list's. */
static void put_offer(struct buf *out, const struct remote_model *model, const char *file)
{
	buf_printf(out, "%sA server runs on this machine, at ", out->len ? "\n" : "");
	put_safe(out, model->where);
	buf_printf(out, "%s%s%s. To use it, write into ", model->title ? ", as " : "", model->title ? model->title : "",
	           model->title ? " does" : "");
	put_safe(out, file);
	buf_puts(out, ":\n    ");
	put_safe(out, model->server);
	buf_puts(out, ":\n      url: http://");
	put_safe(out, model->where);
	buf_putc(out, '\n');
}

/* ---- JSON ---- */

/* Unknown numbers are null. */
static void put_known(struct json_writer *json, const char *key, uint64_t value)
{
	if (value)
		json_put_number(json, key, "%" PRIu64, value);
	else
		json_put_null(json, key);
}

static void put_price(struct json_writer *json, const char *key, double price)
{
	if (price >= 0)
		json_put_number(json, key, "%.6g", price);
	else
		json_put_null(json, key);
}

static void put_json(struct buf *out, const struct remote_model *model)
{
	const char *state = remote_state_name(model->state);
	struct json_writer json = {.out = out};

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "server", model->server);
	json_put_string(&json, "model", model->id && model->id[0] ? model->id : NULL);
	json_put_string(&json, "path", is_offer(model) ? NULL : model->path);
	json_put_string(&json, "state", state[0] ? state : NULL);
	json_put_string(&json, "why", model->why);
	json_put_string(&json, "where", model->where);
	json_put_string(&json, "dialect", model->title);
	json_put_string(&json, "type", model->type);
	put_known(&json, "bytes", model->n_bytes);
	put_known(&json, "parameters", model->n_params);
	put_known(&json, "context", model->n_ctx);
	put_price(&json, "price_in", model->price_in);
	put_price(&json, "price_out", model->price_out);
	json_put_bool(&json, "verified", !model->is_unverified);
	json_put_end(&json, '}');
	buf_putc(out, '\n');
}

/* ---- the list ---- */

/* Where to write, for people. */
static void put_file(struct buf *out, const char *path)
{
	struct buf whole = {.max = KIB(64)};

	if (servers_path(&whole, path, NULL))
		buf_puts(out, "servers.yaml");
	else
		home_path_put_short(out, buf_text(&whole));
	buf_free(&whole);
}

static void tell_how_to_begin(const char *file)
{
	cli_note("no servers are configured. Start one, such as `llama-server -m FILE.gguf`, and write into %s:", file);
	fputs("    box:\n"
	      "      url: http://127.0.0.1:8080\n"
	      "Then `sotto servers check box` looks at it, and `sotto -m server:box` talks to it (sotto-servers(5)).\n",
	      stderr);
}

/* Those that are configured, then those that could be. */
static void put_list(struct buf *out, const struct remote_list *list, const char *file, bool json)
{
	size_t n_offers = 0;

	for (size_t i = 0; i < list->n; i++)
		n_offers += is_offer(&list->items[i]);
	if (list->n > n_offers && !json && isatty(STDOUT_FILENO))
		put_heads(out);
	for (size_t i = 0; i < list->n; i++)
		if (is_of_file(&list->items[i]))
			continue;
		else if (json)
			put_json(out, &list->items[i]);
		else if (!is_offer(&list->items[i]))
			put_line(out, &list->items[i]);
	for (size_t i = 0; i < list->n && !json; i++)
		if (is_offer(&list->items[i]))
			put_offer(out, &list->items[i], file);
}

static int show_list(const char *path, const char *name, bool json)
{
	struct remote_list *list = NULL;
	struct error err;
	struct buf out = {.max = MIB(64)}, file = {.max = KIB(64)};
	int rc;

	if (remote_list_ask(&list, path, name, !name, is_stopped, NULL, &err))
		return fail(&err);
	put_file(&file, path);
	put_list(&out, list, buf_text(&file), json);
	rc = cli_print_buf(&out, "the list");
	if (!rc && !list->n && !json)
		tell_how_to_begin(buf_text(&file));
	remote_list_free(list);
	buf_free(&file);
	return rc;
}

/* ---- one server ---- */

static int explain(const char *path, const char *name)
{
	struct error err = {.status = STATUS_OK};
	struct buf lines = {.max = MIB(4)}, out = {.max = MIB(16)};
	enum status status = remote_explain(path, name, &lines, is_stopped, NULL, &err);
	bool has_said = lines.len > 0;
	int rc;

	sanitize_text(&out, buf_text(&lines), lines.len);
	buf_free(&lines);
	rc = cli_print_buf(&out, "the lines");
	if (rc || !status)
		return rc;
	return has_said && status != STATUS_CANCELLED ? rc_of(&err) : fail(&err);
}

/* ---- the command ---- */

/* What is wrong in the file, each a line; the other servers are there. */
static int warn_of_file(const char *path, size_t *n)
{
	struct servers servers;
	struct error err;
	struct buf problems = {.max = MIB(1)};
	enum status status = servers_read(&servers, path, &problems, &err);

	*n = servers.n;
	servers_free(&servers);
	for (char *line = problems.data, *end; line && *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		cli_warn("%s", line);
	}
	buf_free(&problems);
	return status ? cli_fail(&err) : 0;
}

static int run(struct cli_setup *setup, void *own)
{
	const struct servers_params *params = own;
	const char *path = setup->engine.servers, *name = setup->n_words ? setup->words[setup->n_words - 1] : NULL;
	bool checks = setup->n_words && strcmp(setup->words[0], "check") == 0;
	size_t n;
	int rc;

	if (setup->n_words > 1 + checks)
		return cli_fail_with(STATUS_USAGE, "one server at a time: leave out '%.60s'", setup->words[1 + checks]);
	if (checks && setup->n_words == 1)
		return cli_fail_with(STATUS_USAGE, "`sotto servers check` needs the name of a server");
	if (checks && params->json)
		return cli_fail_with(STATUS_USAGE, "--json is for the list");
	rc = warn_of_file(path, &n);
	if (rc)
		return rc;
	stop_catch_signals();
	return checks ? explain(path, name) : show_list(path, name, params->json);
}

const struct cli_command cli_servers = {
	.synopsis = "sotto servers [OPTION]... [[check] NAME]",
	.text = "Lists the models of the servers in servers.yaml, a line each, and servers that run on\n"
	        "this machine and could be written there. NAME: of that server alone. With check, tells\n"
	        "all about one: whether it is there, the key, models, contexts, what it can and cannot.\n"
	        "Nothing is asked that would have a server load a model.",
	CLI_OWN(servers_options, servers_params),
	.takes_words = true,
	.more = "Exit status: 0 listed, or the server can be used, 1 it cannot, 2 bad command line or\n"
	        "configuration, or no such server.\n",
	.acts = "servers",
	.run = run,
};
