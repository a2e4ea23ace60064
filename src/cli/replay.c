/* sotto replay: how each reply of a chat was made; --verify makes it again, and compares. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/option_value.h"
#include "base/sanitize.h"
#include "base/server_path.h"
#include "base/sys.h"
#include "base/words.h"
#include "catalog/catalog.h"
#include "chat/run.h"
#include "cli/print.h"
#include "cli/replay_run.h"
#include "cli/setup.h"
#include "cli/stop.h"
#include "cli/subcommands.h"
#include "cli/text_input.h"
#include "gguf/reader.h"

struct replay_params {
	bool verify;
};

static const struct option replay_options[] = {
	{.name = "verify", .type = OPTION_BOOL, .offset = offsetof(struct replay_params, verify), .def = "no",
	 .help = "make each reply again, and say whether it comes out the same", .flags = OPTION_CLI_ONLY},
};

/* ---- what is recorded ---- */

static void put_params(struct buf *out, const struct sampler_params *params,
                       const struct sampler_params *before)
{
	struct buf value, old;

	buf_init(&value, 256);
	buf_init(&old, 256);
	for (size_t i = 0; i < sampler_n_options; i++) {
		const struct option *option = &sampler_options[i];

		buf_clear(&value);
		buf_clear(&old);
		option_print(option, params, &value);
		option_print(option, before, &old);
		if (strcmp(option->name, "seed") != 0 && strcmp(buf_text(&value), buf_text(&old)) != 0)
			buf_printf(out, " %s %s", option->name, buf_text(&value));
	}
	buf_free(&value);
	buf_free(&old);
}

/* "reply 4, from token 12 on" */
static void put_name(struct buf *out, const struct node *node, const struct reply_run *run)
{
	buf_printf(out, "reply %" PRIu32, node->id);
	if (run_continues(run) && replay_is_by_text(node, run))
		buf_printf(out, ", from byte %zu on", run->from_text + run->from_reasoning);
	else if (run_continues(run))
		buf_printf(out, ", from token %zu on", run->from_id);
}

/* "qwen-72b on box, sotto 0.1.0, llama-server": who made it. Of several runs the node names the first one's model. */
static void put_maker(struct buf *out, const struct node *node, const struct reply_run *run)
{
	const struct model_identity *model = &run->model;

	if (run_is_remote(run))
		buf_printf(out, "%s on %s, %s, %s", model->model[0] ? model->model : "?", model->server, run->program,
		           model->dialect[0] ? model->dialect : "?");
	else
		buf_printf(out, "%s, %s, %s", node->model ? node->model : "?", run->program, model->isa[0] ? model->isa : "?");
}

/* What a server was sent, and whether it can be asked again. */
static void put_server(struct buf *out, const struct reply_run *run)
{
	const char *why;

	if (!run_is_remote(run))
		return;
	if (run->sent)
		buf_printf(out, "\n    sent: %s", run->sent);
	buf_printf(out, "\n    %s: ", replay_can_ask(run, &why) ? "--verify asks again" : "it cannot be checked");
	buf_puts(out, why);
}

/* A line or more about one turn; names in it come from the file. */
static void describe_run(struct buf *out, const struct node *node, const struct reply_run *run,
                         size_t n)
{
	const struct sampler_params usual = sampler_params_default();
	const struct sampler_params *before = &run->begin.params;

	put_name(out, node, run);
	buf_printf(out, ": %zu %s%s, ", n, replay_is_by_text(node, run) ? "byte" : "token", n == 1 ? "" : "s");
	put_maker(out, node, run);
	buf_printf(out, ", seed %" PRId64, run->begin.seed);
	put_params(out, before, &usual);
	if (run->options && strcmp(run->options, "none") != 0)
		buf_printf(out, "\n    options of the model: %s", run->options);
	if (run->template_kwargs)
		buf_printf(out, "\n    chat-template-kwargs: %s", run->template_kwargs);
	for (size_t i = 0; i < run->n_changes; i++) {
		buf_printf(out, "\n    from token %zu on:", run->from_id + run->changes[i].at);
		put_params(out, &run->changes[i].params, before);
		before = &run->changes[i].params;
	}
	if (run->has_first)
		buf_printf(out, "\n    its first token, %" PRId32 ", was the user's choice", run->first);
	put_server(out, run);
	buf_putc(out, '\n');
}

/* ---- finding the model ---- */

static bool is_file(const char *path, const char *fingerprint)
{
	struct gguf *gguf;
	char text[20];

	if (gguf_open(&gguf, path, NULL))
		return false;
	snprintf(text, sizeof text, "%016" PRIx64, gguf_fingerprint(gguf));
	gguf_close(gguf);
	return strcmp(text, fingerprint) == 0;
}

/* The file on this machine that made a reply, if the command line names none. The caller frees it;
 * NULL: there is none. */
static char *find_model(const struct engine_params *engine, const char *fingerprint)
{
	struct catalog *catalog;
	char *found = NULL;

	if (!fingerprint[0] || catalog_scan(&catalog, engine, NULL, NULL, NULL))
		return NULL;
	for (size_t i = 0; i < catalog->n && !found; i++)
		if (is_file(catalog->entries[i].path, fingerprint))
			found = strdup(catalog->entries[i].path);
	catalog_free(catalog);
	return found;
}

/* NULL without memory. */
static char *server_path(const struct reply_run *run)
{
	struct buf path = {.max = KIB(1)};
	char *out;

	buf_printf(&path, SERVER_PATH "%s/%s", run->model.server, run->model.model);
	out = buf_status(&path) ? NULL : buf_take(&path, NULL);
	buf_free(&path);
	return out;
}

/* ---- comparing ---- */

struct counts {
	size_t n_same, n_other, n_unknown;
};

static enum status choose_model(const struct replay *replay, const struct node *node,
                                const struct reply_run *run, char **path, struct error *err)
{
	const struct cli_setup *setup = replay->setup;
	bool named = settings_is_from(setup->settings, "model", ORIGIN_FLAG);
	bool is_loaded = replay->backend && run->model.file[0] && /* no second look at all the files */
	                 strcmp(replay->info.identity.file, run->model.file) == 0;

	*path = named ? strdup(setup->engine.model) : is_loaded ? strdup(replay->params.model)
	      : run_is_remote(run) ? server_path(run) : find_model(&setup->engine, run->model.file);
	if (*path)
		return STATUS_OK;
	return error_set(err, STATUS_NOTFOUND, "reply %" PRIu32 ": the model file that made it%s%.60s%s "
	                 "is not on this machine; -m FILE tries another", node->id, node->model ? " (" : "",
	                 node->model ? node->model : "", node->model ? ")" : "");
}

static int verify_run(struct replay *replay, struct node *node, size_t index, size_t n,
                      struct counts *counts)
{
	const struct reply_run *run = &node->runs[index];
	struct replay_result result;
	struct error err;
	const char *why;
	struct buf out;
	char *path = NULL;
	enum status status;

	buf_init(&out, MIB(1));
	put_name(&out, node, run);
	if (run_is_remote(run) && !replay_can_ask(run, &why)) {
		buf_printf(&out, ": made by %s on %s (%s), it cannot be checked: %s\n", run->model.model, run->model.server,
		           run->model.dialect, why);
		return cli_print_safe(&out, "the result");
	}
	status = choose_model(replay, node, run, &path, &err);
	result = (struct replay_result){.same = false};
	if (!status) {
		struct error why_not;

		status = replay_run(replay, path, node, index, n, &result, &why_not);
		if (status)
			error_set(&err, status, "%s: %s", buf_text(&out), why_not.text);
	}
	free(path);
	if (status) {
		replay_result_free(&result);
		buf_free(&out);
		if (stop_signal())
			return 128 + stop_signal();
		counts->n_other++;
		return cli_fail(&err);
	}
	replay_describe(&result, run, n, &out);
	counts->n_same += result.same;
	counts->n_other += !result.same;
	replay_result_free(&result);
	return cli_print_safe(&out, "the result");
}

/* In tokens, or in bytes where these are not known. A file that was edited may name more tokens than there are. */
static size_t run_length(const struct node *node, size_t index)
{
	struct replay_text text;
	size_t end;

	if (replay_is_by_text(node, &node->runs[index]))
		return replay_text_of(node, index, &text);
	end = index + 1 < node->n_runs ? node->runs[index + 1].from_id : node->n_ids;

	end = end < node->n_ids ? end : node->n_ids;
	return end > node->runs[index].from_id ? end - node->runs[index].from_id : 0;
}

static bool has_server_run(const struct node *node)
{
	for (size_t i = 0; i < node->n_runs; i++)
		if (run_is_remote(&node->runs[i]))
			return true;
	return false;
}

static int each_run(const struct replay_params *params, struct replay *replay, struct counts *counts)
{
	struct tree *tree = replay->dialog.tree;
	int worst = 0;

	for (uint32_t id = 1; id <= tree_n(tree); id++) {
		struct node *node = tree_node(tree, id);

		if (node->role != ROLE_ASSISTANT || (!node->n_ids && !node->ids_unknown && !has_server_run(node)))
			continue;
		if (!node->n_runs) {
			counts->n_unknown++;
			printf("reply %" PRIu32 ": how it was made is not recorded\n", id);
		}
		for (size_t i = 0; i < node->n_runs; i++) {
			size_t n = run_length(node, i);
			struct buf out;
			int rc;

			if (!n)
				continue;
			if (params->verify) {
				rc = verify_run(replay, node, i, n, counts);
			} else {
				buf_init(&out, MIB(1));
				describe_run(&out, node, &node->runs[i], n);
				rc = cli_print_safe(&out, "the replies");
			}
			if (rc && stop_signal())
				return rc;
			worst = rc > worst ? rc : worst;
		}
	}
	return worst;
}

static int replay_chat(struct cli_setup *setup, const struct replay_params *params, const char *name)
{
	struct counts counts = {0};
	struct replay replay;
	struct error err;
	int rc;

	replay_init(&replay, setup);
	if (text_input_hold_chat(&replay.dialog, name, &err)) {
		replay_deinit(&replay);
		return cli_fail(&err);
	}
	stop_catch_signals();
	rc = each_run(params, &replay, &counts);
	replay_deinit(&replay);
	if (params->verify && !rc)
		rc = counts.n_other || !counts.n_same;
	if (params->verify && !rc && counts.n_unknown)
		cli_note("replies that do not record how they were made were not compared");
	return rc;
}

static int run(struct cli_setup *setup, void *own)
{
	if (setup->n_words != 1)
		return cli_fail_with(STATUS_USAGE, "one chat is needed, its id, title or path: "
		                     "sotto replay CHAT");
	return replay_chat(setup, own, setup->words[0]);
}

const struct cli_command cli_replay = {
	.synopsis = "sotto replay [-m MODEL] [--verify] CHAT",
	.text = "Prints how each reply of a chat was made: its model, seed and sampling, with changes\n"
	        "made in mid-reply. With --verify makes each again and compares it, token by token.\n"
	        "If one differs, names the first token that does, and what else differs: the model\n"
	        "file, its options, the chat template and its variables, the instruction set, sotto's\n"
	        "version or the prompt. What the command line does not set is as it was then. Without\n"
	        "-m, looks for the model that made a reply among the files on this machine. A reply of a\n"
	        "server's model is shown with what the server was sent. --verify asks a llama-server\n"
	        "again, if it would be sent the same, and compares the text; of others it says why that\n"
	        "would tell nothing.",
	CLI_OWN(replay_options, replay_params),
	.takes_words = true,
	.more = "Exit status: 0 all are the same, 1 one differs or could not be made, 2 bad command\n"
	        "line, no such chat, 3 no such model.\n",
	.acts = "model servers threads batch-size isa chat-template chat-template-kwargs repack mlock " CLI_MODEL_ACTS,
	.run = run,
};
