#include "crash/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "crash/scenario_chats.h"
#include "crash/scenario_files.h"
#include "crash/scenario_models.h"

#define JOURNAL "src/journal/journal_file.c"
#define TAKEN_BACK .n_steps = CHAT_TAKE_BACK_STEPS, .end = chat_end, \
	.step = chat_take_back_step, .retry = chat_take_back_retry, .describe = chat_describe, .go_on = chat_go_on

const struct scenario scenarios[] = {
	{.name = "a new chat", .sources = JOURNAL, .n_steps = CHAT_STEPS,
	 .begin = chat_begin_new, .step = chat_step, .retry = chat_retry, .end = chat_end,
	 .describe = chat_describe, .go_on = chat_go_on},
	{.name = "a chat that is there", .sources = JOURNAL, .n_steps = CHAT_STEPS,
	 .begin = chat_begin_opened, .step = chat_step, .retry = chat_retry, .end = chat_end,
	 .describe = chat_describe, .go_on = chat_go_on},
	{.name = "a chat with half a record", .sources = JOURNAL, .n_steps = CHAT_STEPS,
	 .begin = chat_begin_torn, .step = chat_step, .retry = chat_retry, .end = chat_end,
	 .describe = chat_describe, .go_on = chat_go_on},
	{.name = "a chat with a byte order mark", .sources = JOURNAL, .n_steps = CHAT_STEPS,
	 .begin = chat_begin_edited, .step = chat_step, .retry = chat_retry, .end = chat_end,
	 .describe = chat_describe, .go_on = chat_go_on},
	{.name = "a copy of a chat", .sources = JOURNAL, .n_steps = CHAT_STEPS,
	 .in_part = true, .begin = chat_begin_copy, .step = chat_step, .retry = chat_retry,
	 .end = chat_end, .describe = chat_describe, .go_on = chat_go_on},
	{.name = "a full disk", .sources = JOURNAL, .n_steps = CHAT_FULL_STEPS,
	 .begin = chat_begin_full, .step = chat_full_step, .retry = chat_full_retry, .end = chat_end,
	 .describe = chat_describe, .go_on = chat_go_on},
	{.name = "taken back in a new chat", .sources = JOURNAL, .begin = chat_begin_new, TAKEN_BACK},
	{.name = "taken back in a chat that is there", .sources = JOURNAL, .begin = chat_begin_opened,
	 TAKEN_BACK},
	{.name = "taken back in a chat with half a record", .sources = JOURNAL, .begin = chat_begin_torn,
	 TAKEN_BACK},
	{.name = "taken back in a chat with a byte order mark", .sources = JOURNAL,
	 .begin = chat_begin_edited, TAKEN_BACK},
	{.name = "a fork", .sources = JOURNAL, .n_steps = CHAT_TREE_STEPS,
	 .in_part = true, .begin = chat_begin_new, .step = chat_tree_step, .retry = chat_retry,
	 .end = chat_end, .describe = chat_describe, .go_on = chat_go_on},
	{.name = "imported chats", .sources = "src/base/file.c", .n_steps = CHAT_IMPORTS,
	 .begin = chat_begin_import, .step = chat_import_step, .end = chat_end,
	 .describe = chat_describe_all, .go_on = chat_go_on},
	{.name = "an exported chat", .sources = "src/base/file.c", .n_steps = CHAT_EXPORTS,
	 .begin = chat_begin_import, .step = chat_export_step, .end = chat_end,
	 .describe = chat_describe_export},
	{.name = "the trash", .sources = "src/journal/trash.c src/journal/beside.c", .n_steps = CHAT_TRASH_STEPS,
	 .between = "in both", .begin = chat_begin_trash, .step = chat_trash_step,
	 .end = chat_end, .describe = chat_describe_trash},
	{.name = "a file for the user", .sources = "src/base/file.c", .n_steps = FILE_STEPS,
	 .begin = files_begin, .step = file_step, .retry = file_retry, .end = files_end,
	 .describe = file_describe},
	{.name = "a file behind a link", .sources = "src/base/file.c", .n_steps = FILE_STEPS,
	 .begin = file_begin_link, .step = file_link_step, .end = files_end,
	 .describe = file_describe},
	{.name = "presets", .sources = "src/config/preset.c", .n_steps = PRESET_STEPS,
	 .begin = files_begin, .step = preset_step, .end = files_end,
	 .describe = preset_describe_all},
	{.name = "recent models", .sources = "src/base/file.c", .n_steps = RECENT_STEPS,
	 .weak = true, .begin = recent_begin, .step = recent_step, .end = files_end,
	 .describe = recent_describe},
	{.name = "the line's history", .sources = "src/base/file.c", .n_steps = HISTORY_STEPS,
	 .weak = true, .begin = history_begin, .step = history_step, .end = files_end,
	 .describe = history_describe},
	{.name = "models of ollama's", .sources = "src/pull/ollama_store.c src/pull/stored_remove.c",
	 .n_steps = OLLAMA_STEPS, .begin = ollama_begin, .step = ollama_step, .end = files_end,
	 .describe = ollama_describe},
};
const size_t n_scenarios = sizeof scenarios / sizeof scenarios[0];

static char home[200];

void scenario_home(const char *folder)
{
	static const struct {
		const char *variable, *name;
	} folders[] = {{"HOME", "home"}, {"XDG_CONFIG_HOME", "config"}, {"XDG_DATA_HOME", "share"},
	               {"XDG_STATE_HOME", "state"}, {"XDG_CACHE_HOME", "cache"},
	               {"SOTTO_DATA_DIR", "data/sotto"}};

	snprintf(home, sizeof home, "%s", folder);
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
		setenv(folders[i].variable, scenario_path(folders[i].name), 1);
}

const char *scenario_path(const char *name)
{
	static char paths[8][300];
	static size_t next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof paths[0], "%s/%s", home, name);
	return path;
}

void found_init(struct found *found)
{
	*found = (struct found){.n = 0};
	for (size_t i = 0; i < FOUND_MAX; i++)
		buf_init(&found->texts[i], MIB(16));
	buf_init(&found->trouble, KIB(64));
}

void found_free(struct found *found)
{
	for (size_t i = 0; i < FOUND_MAX; i++)
		buf_free(&found->texts[i]);
	buf_free(&found->trouble);
}

struct buf *found_add(struct found *found)
{
	if (found->n == FOUND_MAX)
		abort();
	buf_clear(&found->texts[found->n]);
	return &found->texts[found->n++];
}
