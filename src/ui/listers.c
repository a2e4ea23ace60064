#include "ui/listers.h"

#include <stddef.h>
#include <string.h>

#include "chat/export.h"
#include "config/preset.h"
#include "config/theme.h"
#include "journal/journal.h"
#include "prompts/prompt_template.h"

struct listing {
	const char *prompt_dir;
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

	if (prompt_library_open(&library, to->prompt_dir, NULL))
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

static const struct {
	const char *kind;
	void (*list)(const struct listing *to);
} listers[] = {
	{"theme", list_themes}, {"preset", list_presets}, {"template", list_templates},
	{"resume", list_chats}, {"export", list_formats},
};

bool list_names(const char *kind, const char *prompt_dir, listed_fn *listed, void *context)
{
	const struct listing to = {prompt_dir, listed, context};

	for (size_t i = 0; i < sizeof listers / sizeof listers[0]; i++)
		if (strcmp(listers[i].kind, kind) == 0) {
			listers[i].list(&to);
			return true;
		}
	return false;
}
