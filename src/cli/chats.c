/* sotto chats: the saved chats in a shell: a list, those that have a text, one in another format. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "base/sys.h"
#include "base/text_find.h"
#include "chat/export.h"
#include "cli/chats_change.h"
#include "cli/input.h"
#include "cli/print.h"
#include "cli/setup.h"
#include "cli/subcommands.h"
#include "journal/journal.h"
#include "journal/trash.h"
#include "search/search.h"

enum { HITS_SHOWN = 3, LINE_BYTES = 120, UPDATE_MS = 1000 };

struct chats_params {
	bool import, json, delete, restore, trash, empty_trash;
	char *export, *rename; /* owned by the settings */
};

#define ROW(field) CLI_ROW(chats_params, field, 0)

static const struct option chats_options[] = {
	{"delete", NULL, OPTION_BOOL, ROW(delete), .def = "no", .help = "move a chat to the trash"},
	{"empty-trash", NULL, OPTION_BOOL, ROW(empty_trash), .def = "no",
	 .help = "delete all chats in the trash for good"},
	{"export", NULL, OPTION_STRING, ROW(export), .arg = "FORMAT",
	 .help = "print a chat as " EXPORT_NAMES("")},
	{"import", NULL, OPTION_BOOL, ROW(import), .def = "no",
	 .help = "add the chats of other programs' files"},
	{"json", NULL, OPTION_BOOL, ROW(json), .def = "no",
	 .help = "print a JSON object for each chat"},
	{"rename", NULL, OPTION_STRING, ROW(rename), .arg = "TITLE",
	 .help = "give a chat a title; an empty TITLE stands for its first line"},
	{"restore", NULL, OPTION_BOOL, ROW(restore), .def = "no",
	 .help = "take a chat out of the trash"},
	{"trash", NULL, OPTION_BOOL, ROW(trash), .def = "no",
	 .help = "list the chats in the trash"},
};

static void put_entry(struct buf *out, const struct journal_entry *entry)
{
	const time_t when = (time_t)entry->modified;
	const char *title = entry->title ? entry->title : "";
	char date[32] = "";
	struct tm tm;

	if (localtime_r(&when, &tm))
		strftime(date, sizeof date, "%Y-%m-%d %H:%M", &tm);
	sanitize_line(out, entry->id, strlen(entry->id)); /* a file's name, which may be anything */
	buf_printf(out, "  %s  ", date);
	if (entry->n_messages)
		buf_printf(out, "%5zu  ", entry->n_messages);
	else
		buf_puts(out, "    -  ");
	sanitize_line(out, title, strlen(title));
	if (entry->model) {
		buf_puts(out, "  (");
		sanitize_line(out, entry->model, strlen(entry->model));
		buf_putc(out, ')');
	}
	buf_putc(out, '\n');
}

/* What is not known is null. */
static void put_json(struct buf *out, const struct journal_entry *entry)
{
	struct json_writer json = {.out = out};

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "id", entry->id);
	json_put_string(&json, "path", entry->path);
	json_put_string(&json, "title", entry->title ? entry->title : "");
	json_put_string(&json, "model", entry->model);
	if (entry->n_messages)
		json_put_number(&json, "messages", "%zu", entry->n_messages);
	else
		json_put_null(&json, "messages");
	json_put_number(&json, "modified", "%" PRId64, entry->modified);
	json_put_end(&json, '}');
	buf_putc(out, '\n');
}

static void put_hit(struct buf *out, const struct node *node, size_t start, size_t end)
{
	size_t n, from = search_line(node->text, node->len, start, end, LINE_BYTES, &n);

	buf_printf(out, "    %s: ", role_name(node->role));
	sanitize_line(out, node->text + from, n);
	buf_putc(out, '\n');
}

/* The matches in a chat, on all branches: the first ones, and how many more there are. */
static void put_hits(struct buf *out, const struct tree *tree, const struct buf *folded)
{
	size_t n = 0;

	for (uint32_t id = 1; id <= tree_n(tree); id++) {
		const struct node *node = tree_node(tree, id);
		size_t start, end = 0;

		while (text_find(folded, node->text, node->len, end, &start, &end))
			if (n++ < HITS_SHOWN)
				put_hit(out, node, start, end);
	}
	if (n > HITS_SHOWN)
		buf_printf(out, "    and %zu more\n", n - HITS_SHOWN);
}

/* The chats that contain the words, as they are found. */
struct finding {
	const struct journal_entry *entries;
	const struct buf *folded;
	bool json;
	size_t n_found;
	struct buf out;
};

static bool print_found(const struct search_hit *hit, void *context)
{
	struct finding *finding = context;
	const struct journal_entry *entry = &finding->entries[hit->entry];
	struct tree *tree = NULL;
	struct error err;
	size_t n_damaged;

	finding->n_found++;
	(finding->json ? put_json : put_entry)(&finding->out, entry);
	if (!finding->json && journal_load(entry->path, &tree, &n_damaged, NULL, &err))
		cli_warn("%s", err.text);
	else if (tree)
		put_hits(&finding->out, tree, finding->folded);
	tree_free(tree);
	return !buf_status(&finding->out);
}

/* What the index lacks is searched, too, only more slowly: so updating it gets a second each time. */
static bool is_late(void *context)
{
	return sys_now_ms() >= *(uint64_t *)context;
}

static int find(const struct chats_params *params, const struct buf *words)
{
	struct finding finding = {.json = params->json};
	struct search_use use = {.found = print_found, .context = &finding};
	uint64_t deadline = sys_now_ms() + UPDATE_MS;
	struct journal_entry *entries;
	struct index *index = NULL;
	struct buf folded = {.max = LIMIT_MESSAGE};
	struct error err;
	size_t n, n_left;
	int rc;

	if (index_open(&index, NULL)) /* then all files are read */
		index = NULL;
	if (index_list(index, &entries, &n, &err)) {
		index_close(index);
		return cli_fail(&err);
	}
	if (index) /* search_chats sees how far it came */
		(void)!index_update(index, entries, n, is_late, &deadline, &n_left, NULL);
	buf_init(&finding.out, MIB(256));
	finding.entries = entries;
	finding.folded = &folded;
	if (text_find_fold(&folded, buf_text(words), words->len) ||
	    search_chats(index, entries, n, buf_text(words), words->len, &use, &err))
		rc = cli_fail_with(STATUS_NOMEM, "not enough memory for the search");
	else
		rc = cli_print_safe(&finding.out, "the list");
	if (!rc && !finding.n_found)
		rc = cli_fail_with(STATUS_IO, "no chat contains that text");
	buf_free(&finding.out);
	buf_free(&folded);
	index_close(index);
	journal_list_free(entries, n);
	return rc;
}

static int list(const struct chats_params *params)
{
	struct journal_entry *entries;
	struct error err;
	struct buf out = {.max = MIB(256)};
	size_t n;
	int rc;

	if ((params->trash ? trash_list : journal_list)(&entries, &n, &err))
		return cli_fail(&err);
	for (size_t i = 0; i < n; i++)
		(params->json ? put_json : put_entry)(&out, &entries[i]);
	rc = cli_print_safe(&out, "the list");
	if (!rc && !n)
		cli_note("%s", params->trash ? "the trash is empty" : "no chats are saved yet");
	journal_list_free(entries, n);
	return rc;
}

static int export(const char *format_name, const char *name)
{
	const struct export_format *format = export_find(format_name, strlen(format_name));
	struct tree *tree = NULL;
	struct buf text = {.max = LIMIT_TRANSCRIPT}, title = {.max = LIMIT_RECORD};
	struct error err;
	size_t n_damaged;
	char *path;
	int rc = 0;

	if (!format)
		return cli_fail_with(STATUS_USAGE, "--export takes " EXPORT_NAMES("") ", not '%s'",
		                     format_name);
	if (journal_resolve(name, &path, &err))
		return cli_fail_usage(&err);
	if (journal_load(path, &tree, &n_damaged, &title, &err))
		rc = cli_fail_usage(&err);
	else if (format->write(tree, buf_text(&title), &text))
		rc = cli_fail_with(STATUS_NOMEM, "not enough memory for the chat");
	if (!rc && n_damaged)
		cli_note("parts of the chat's file are damaged and could not be read");
	if (!rc)
		rc = cli_print_safe(&text, "the chat");
	tree_free(tree);
	buf_free(&text);
	buf_free(&title);
	free(path);
	return rc;
}

/* What is done with one chat, by its option. */
static int act_on(const struct chats_params *params, const char *name)
{
	if (params->export)
		return export(params->export, name);
	return params->restore ? chats_restore(name) : chats_change(name, params->rename);
}

static int act(const struct chats_params *params, struct cli_setup *setup, const struct buf *words)
{
	struct error err;
	const int n_acts = (params->export != NULL) + (params->rename != NULL) + params->delete +
	                   params->restore;
	const bool is_trash = params->trash || params->empty_trash;
	const bool lists = !n_acts && !params->empty_trash && !params->import;

	if (n_acts + params->import + params->trash + params->empty_trash > 1)
		return cli_fail_with(STATUS_USAGE, "only one of --delete, --empty-trash, --export, --import, "
		                     "--rename, --restore and --trash at a time");
	if (params->json && !lists)
		return cli_fail_with(STATUS_USAGE, "--json is for lists of chats; --export json prints one");
	if (n_acts && !words->len)
		return cli_fail_with(STATUS_USAGE, "--%s needs a chat: its id, title or path",
		                     params->export ? "export" : params->rename ? "rename"
		                     : params->delete ? "delete" : "restore");
	if (is_trash && words->len)
		return cli_fail_with(STATUS_USAGE, "the trash is listed and emptied as a whole: leave out '%.60s'",
		                     buf_text(words));
	if (params->import && !words->len)
		return cli_fail_with(STATUS_USAGE, "--import needs the files of chats, or - for standard input");
	if (params->import && cli_word_paths(setup, setup->n_words, &err))
		return cli_fail(&err);
	if (params->import)
		return chats_import(setup->words, setup->n_words);
	if (n_acts)
		return act_on(params, buf_text(words));
	if (params->empty_trash)
		return chats_empty_trash();
	return words->len ? find(params, words) : list(params);
}

static int run(struct cli_setup *setup, void *own)
{
	struct buf words = {.max = LIMIT_MESSAGE};
	int rc;

	input_put_words(setup, &words);
	if (buf_status(&words))
		rc = cli_fail_with(STATUS_LIMIT, "the text is too long");
	else
		rc = act(own, setup, &words);
	buf_free(&words);
	return rc;
}

const struct cli_command cli_chats = {
	.synopsis = "sotto chats [OPTION]... [TEXT]...",
	.text = "Lists the saved chats, a line each, the latest first: id, last use, messages, title,\n"
	        "model. With TEXT, only those that contain it, on any branch, ignoring case and accents,\n"
	        "with some of the lines. With --export, --rename, --delete or --restore, the words name a\n"
	        "chat by its id, title or path. With --import they are files: JSON as other programs export\n"
	        "it; of each all chats are added, or none, and what was taken is said.",
	CLI_OWN(chats_options, chats_params),
	.takes_words = true,
	.more = "Exit status: 0 done, 1 failure, or no chat has the text, 2 bad command line or\n"
	        "configuration, or no such chat.\n",
	.acts = "",
	.run = run,
};
