/* sotto pull: fetches a published model by its name, or lists what there is under it. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "base/sys.h"
#include "catalog/speed.h"
#include "cli/print.h"
#include "cli/pull_table.h"
#include "cli/setup.h"
#include "cli/status_line.h"
#include "cli/stop.h"
#include "cli/subcommands.h"
#include "pull/name.h"
#include "pull/puller.h"

struct pull_params {
	bool list, json, safetensors;
};

#define ROW(field, more_flags) CLI_ROW(pull_params, field, more_flags)

static const struct option pull_options[] = {
	{"list", NULL, OPTION_BOOL, ROW(list, 0), .def = "no",
	 .help = "print what there is under the name, and fetch nothing"},
	{"json", NULL, OPTION_BOOL, ROW(json, 0), .def = "no",
	 .help = "print JSON, an object a line: how far it is; with --list what there is"},
	{"safetensors", NULL, OPTION_BOOL, ROW(safetensors, 0), .def = "no",
	 .help = "fetch the files as the laboratory published them, for `sotto convert`"},
};

enum { NAME_WIDTH = 40, PATIENCE_MS = 250, SILENCE_MS = 30000, ANSWER_MAX = 128 };

/* What the user is told while something is under way. */
struct watch {
	struct puller *puller;
	struct status_line line;
	char shown[256];      /* there */
	bool json;
	unsigned tenths;      /* of what is fetched that were told; where there is no terminal */
	uint64_t told;        /* when, sys_now_ms */
	bool is_waiting;      /* ... and why was told; the seconds that are left are not */
};

/* ---- what is told ---- */

static void put_json_progress(struct buf *out, const struct watch *watch, const struct puller_progress *progress)
{
	static const char *const phases[] = {[FETCH_ASKING] = "asking", [FETCH_OTHERS] = "another sotto fetches it",
	                                     [FETCH_GETTING] = "fetching", [FETCH_CHECKING] = "checking"};
	bool is_looking = puller_state(watch->puller) == PULLER_LOOKING;
	struct json_writer json = {.out = out};

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "status", is_looking ? "looking" : phases[progress->phase]);
	json_put_string(&json, "name", puller_name(watch->puller));
	if (!is_looking) {
		json_put_number(&json, "completed", "%" PRIu64, progress->done);
		json_put_number(&json, "total", "%" PRIu64, progress->all);
	}
	if (progress->waiting[0])
		json_put_string(&json, "waiting", progress->waiting);
	json_put_end(&json, '}');
	buf_putc(out, '\n');
}

static void put_progress(struct buf *out, const struct watch *watch, const struct puller_progress *progress)
{
	const char *name = puller_name(watch->puller);
	size_t len = strlen(name);

	/* Its end says which one it is. Names that are fetched are ASCII. */
	if (watch->line.is_shown && len > NAME_WIDTH)
		buf_printf(out, "...%s: ", name + len - NAME_WIDTH + 3);
	else
		buf_printf(out, "%s: ", name);
	if (puller_state(watch->puller) == PULLER_LOOKING && !progress->waiting[0])
		buf_puts(out, "asking what there is");
	else
		puller_progress_put(progress, out);
}

/* Where lines stay: each tenth, each half minute, and why it is waited. */
static bool is_worth_a_line(struct watch *watch, const struct puller_progress *progress)
{
	unsigned tenths = progress->all ? (unsigned)(progress->done * 10 / progress->all) : 0;
	bool is_waiting = progress->waiting[0] || progress->phase == FETCH_OTHERS, is_news = is_waiting && !watch->is_waiting;

	watch->is_waiting = is_waiting;
	if (!is_news && tenths <= watch->tenths && sys_now_ms() - watch->told < SILENCE_MS)
		return false;
	watch->tenths = tenths;
	watch->told = sys_now_ms();
	return true;
}

static void tell_progress(struct watch *watch)
{
	struct puller_progress progress;
	struct buf text = {.max = KIB(16)}, safe = {.max = KIB(64)};

	puller_progress(watch->puller, &progress);
	if (watch->json) {
		put_json_progress(&text, watch, &progress);
		fputs(buf_text(&text), stdout);
		fflush(stdout);
	} else if (watch->line.is_shown) {
		put_progress(&text, watch, &progress);
		if (strcmp(buf_text(&text), watch->shown) != 0)
			status_line_show(&watch->line, buf_text(&text));
		snprintf(watch->shown, sizeof watch->shown, "%s", buf_text(&text));
	} else if (is_worth_a_line(watch, &progress)) {
		put_progress(&text, watch, &progress);
		sanitize_line(&safe, buf_text(&text), text.len);
		fprintf(stderr, "sotto: %s\n", buf_text(&safe));
	}
	buf_free(&text);
	buf_free(&safe);
}

/* ---- what is done ---- */

static void wait_for(struct watch *watch)
{
	while (puller_state(watch->puller) == PULLER_LOOKING || puller_state(watch->puller) == PULLER_FETCHING) {
		struct pollfd fd = {.fd = puller_fd(watch->puller), .events = POLLIN};

		if (stop_signal())
			puller_stop(watch->puller);
		(void)poll(&fd, 1, PATIENCE_MS); /* a signal may have come just before */
		(void)puller_update(watch->puller);
		if (puller_state(watch->puller) == PULLER_LOOKING || puller_state(watch->puller) == PULLER_FETCHING)
			tell_progress(watch);
	}
	status_line_clear(&watch->line);
	watch->shown[0] = '\0';
}

static int fail(const struct watch *watch)
{
	const struct error *err = puller_error(watch->puller);

	if (err->status != STATUS_CANCELLED || !stop_signal())
		return cli_fail(err);
	(void)cli_fail_with(STATUS_CANCELLED, "stopped: what has come is kept, and the same command goes on with it");
	return 128 + stop_signal();
}

/* The answer to the question, a line; false: there is none. */
static bool read_answer(char answer[ANSWER_MAX])
{
	if (!stop_read_line(answer, ANSWER_MAX))
		return false;
	answer[strcspn(answer, "\r\n")] = '\0';
	return true;
}

/* Shows the table and asks. offer->n_choices: none of them. */
static size_t ask(const struct pull_offer *offer)
{
	struct buf text = {.max = MIB(4)};
	char answer[ANSWER_MAX];
	size_t choice = offer->n_choices;

	pull_table_put(&text, offer);
	fputs(buf_text(&text), stderr);
	buf_clear(&text);
	sanitize_line(&text, offer->choices[offer->chosen].quant, strlen(offer->choices[offer->chosen].quant));
	while (choice == offer->n_choices) {
		fprintf(stderr, "Which one? Its number or its name; Enter fetches %s, q nothing: ", buf_text(&text));
		fflush(stderr);
		if (!read_answer(answer) || strcmp(answer, "q") == 0)
			break;
		choice = pull_table_find(offer, answer);
	}
	buf_free(&text);
	return choice;
}

static bool wants_question(const struct pull_offer *offer, const struct pull_params *params)
{
	return offer->n_choices > 1 && !offer->is_by_tag && !params->json && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

static int print_list(const struct pull_offer *offer, const struct pull_params *params)
{
	struct buf out = {.max = MIB(16)};

	(params->json ? pull_table_put_json : pull_table_put)(&out, offer);
	return cli_print_buf(&out, "the list");
}

/* Nothing that sotto can run: why, and what to do. */
static int fail_without_choice(const struct pull_offer *offer)
{
	size_t n = offer->notes ? strcspn(offer->notes, "\n") : 0;
	int rc = cli_fail_with(STATUS_UNSUPPORTED, "%.*s", n ? (int)n : 60, n ? offer->notes : "there is no model in GGUF there");

	cli_notes(n && offer->notes[n] ? offer->notes + n + 1 : NULL);
	return rc;
}

static int print_done(const struct watch *watch)
{
	const char *path = puller_model(watch->puller);
	struct buf out = {.max = KIB(64)};
	struct json_writer json = {.out = &out};
	struct stat st;

	if (watch->json) {
		json_put_begin(&json, NULL, '{');
		json_put_string(&json, "status", "success");
		json_put_string(&json, "name", puller_name(watch->puller));
		json_put_string(&json, "path", path);
		json_put_end(&json, '}');
		buf_putc(&out, '\n');
		return cli_print_buf(&out, "the path");
	}
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		cli_note("to run it: sotto convert %s OUT.gguf", puller_name(watch->puller));
	else if (isatty(STDERR_FILENO))
		cli_note("to chat with it: sotto -m %s", puller_name(watch->puller));
	buf_printf(&out, "%s\n", path);
	return cli_print_safe(&out, "the path");
}

static int fetch(struct watch *watch, const struct pull_params *params)
{
	const struct pull_offer *offer = puller_offer(watch->puller);
	size_t choice = offer->chosen;
	struct error err;

	if (!offer->n_choices)
		return fail_without_choice(offer);
	cli_notes(offer->notes);
	if (offer->licence && !params->json)
		cli_note("its licence: %s", offer->licence);
	if (params->list)
		return print_list(offer, params);
	if (wants_question(offer, params))
		choice = ask(offer);
	if (stop_signal())
		return 128 + stop_signal();
	if (choice == offer->n_choices)
		return cli_fail_with(STATUS_CANCELLED, "nothing was fetched");
	if (puller_fetch(watch->puller, choice, &err))
		return cli_fail(&err);
	wait_for(watch);
	return puller_state(watch->puller) == PULLER_DONE ? print_done(watch) : fail(watch);
}

static int pull(const char *name, const struct pull_machine *machine, const struct pull_params *params)
{
	struct watch watch = {.line = status_line_begin(), .json = params->json && !params->list, .told = sys_now_ms()};
	struct error err;
	int rc;

	if (puller_create(&watch.puller, &err))
		return cli_fail(&err);
	if (puller_look(watch.puller, name, machine, &err)) {
		rc = cli_fail(&err);
	} else {
		wait_for(&watch);
		rc = puller_state(watch.puller) == PULLER_OFFERS ? fetch(&watch, params) : fail(&watch);
	}
	puller_free(watch.puller);
	return rc;
}

/* Whether nothing has to be chosen for this machine. */
static bool says_which(const char *text)
{
	struct pull_name name;
	bool says = !pull_name_parse(&name, text, NULL) && (name.tag || name.file);

	pull_name_free(&name);
	return says;
}

static int run(struct cli_setup *setup, void *own)
{
	const struct pull_params *params = own;
	struct buf name = {.max = KIB(8)};
	struct pull_machine machine = {.available = sys_memory_available()};
	int rc;

	if (setup->n_words != 1)
		return cli_fail_with(STATUS_USAGE, "the name of a model is needed: sotto pull NAME, such as ggml-org/gemma-3-1b-it-GGUF");
	buf_printf(&name, "%s%s", setup->words[0], params->safetensors ? ":safetensors" : "");
	stop_catch_signals();
	if (params->list || !says_which(buf_text(&name)))
		machine.weight_rate = speed_measure(&setup->engine, NULL, NULL); /* by 256 MB of its own */
	rc = buf_status(&name) ? cli_fail_with(STATUS_USAGE, "the name is too long") : pull(buf_text(&name), &machine, params);
	buf_free(&name);
	return rc;
}

const struct cli_command cli_pull = {
	.synopsis = "sotto pull [OPTION]... NAME[:QUANT]",
	.text = "Fetches a published model. NAME is OWNER/REPO on Hugging Face, a page or a file there, a model of\n"
	        "ollama's registry (llama3.2:3b; others with ollama: before the name), or the address of a .gguf.\n"
	        "Without QUANT a terminal shows what there is and asks; elsewhere the one is fetched that suits\n"
	        "this machine. Prints the path. What is stopped (Ctrl+C) is kept: the same command goes on.",
	CLI_OWN(pull_options, pull_params),
	.takes_words = true,
	.more = "Exit status: 0 done, 1 network, disk or no room, 2 bad command line or configuration, 3 no such\n"
	        "model, or what came is not what was promised, 130 interrupted.\n",
	.acts = "threads",
	.run = run,
};
