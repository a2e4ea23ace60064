#include "ui/listers.h"

#include <stddef.h>
#include <string.h>

#include "base/limits.h"
#include "base/server_path.h"
#include "catalog/recommended_models.h"
#include "chat/export.h"
#include "config/preset.h"
#include "config/servers.h"
#include "config/theme.h"
#include "journal/journal.h"
#include "prompts/prompt_template.h"

struct listing {
	const char *from;
	listed_fn *listed;
	void *context;
};

static void hand_on(const struct listing *to,
                    enum status (*list)(struct name_list *names, struct error *err))
{
	struct name_list names = {.n = 0};

	list(&names, NULL);
	for (size_t i = 0; i < names.n; i++)
		to->listed(to->context, names.items[i], NULL);
	name_list_free(&names);
}

static void list_themes(const struct listing *to)
{
	hand_on(to, theme_list);
}

static void list_presets(const struct listing *to)
{
	hand_on(to, preset_list);
}

static void list_templates(const struct listing *to)
{
	struct prompt_library *library;

	if (prompt_library_open(&library, to->from, NULL))
		return;
	for (size_t i = 0; i < prompt_library_n(library); i++) {
		const struct prompt_template *tmpl = prompt_library_at(library, i);

		if (!tmpl->is_broken)
			to->listed(to->context, tmpl->name, tmpl->description);
	}
	prompt_library_close(library);
}

static void list_chats(const struct listing *to)
{
	struct journal_entry *entries;
	size_t n;

	if (journal_list(&entries, &n, NULL))
		return;
	for (size_t i = 0; i < n; i++)
		to->listed(to->context, entries[i].id, entries[i].title);
	journal_list_free(entries, n);
}

static void list_formats(const struct listing *to)
{
	for (size_t i = 0; i < export_formats_n; i++)
		to->listed(to->context, export_formats[i].name, NULL);
}

static void list_server(const struct listing *to, const struct server_config *server)
{
	struct buf path = {.max = KIB(8)};

	buf_printf(&path, SERVER_PATH "%s", server->name);
	to->listed(to->context, buf_text(&path), server->url);
	for (size_t i = 0; i < server->n_models; i++) {
		buf_clear(&path);
		buf_printf(&path, SERVER_PATH "%s/%s", server->name, server->models[i].id);
		to->listed(to->context, buf_text(&path), NULL);
	}
	buf_free(&path);
}

static void list_servers(const struct listing *to)
{
	struct buf problems = {.max = MIB(1)};
	struct servers servers;

	if (servers_read(&servers, to->from, &problems, NULL) == STATUS_OK)
		for (size_t i = 0; i < servers.n; i++)
			list_server(to, &servers.items[i]);
	buf_free(&problems);
	servers_free(&servers);
}

static void list_recommended(const struct listing *to)
{
	for (size_t i = 0; i < n_recommended; i++) {
		struct buf name = {.max = KIB(4)};

		recommended_pull_name(&recommended[i], &name);
		to->listed(to->context, buf_text(&name), recommended[i].name);
		buf_free(&name);
	}
}

static void list_server_names(const struct listing *to)
{
	struct buf problems = {.max = MIB(1)};
	struct servers servers;

	if (servers_read(&servers, to->from, &problems, NULL) == STATUS_OK)
		for (size_t i = 0; i < servers.n; i++)
			to->listed(to->context, servers.items[i].name, servers.items[i].url);
	buf_free(&problems);
	servers_free(&servers);
}

static const struct {
	const char *kind;
	void (*list)(const struct listing *to);
} listers[] = {
	{"theme", list_themes}, {"preset", list_presets}, {"template", list_templates},
	{"resume", list_chats}, {"export", list_formats}, {"model", list_servers},
	{"server", list_server_names}, {"pull", list_recommended},
};

bool list_names(const char *kind, const char *from, listed_fn *listed, void *context)
{
	const struct listing to = {from, listed, context};

	for (size_t i = 0; i < sizeof listers / sizeof listers[0]; i++)
		if (strcmp(listers[i].kind, kind) == 0) {
			listers[i].list(&to);
			return true;
		}
	return false;
}
