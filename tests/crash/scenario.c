#include "crash/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "crash/scenario_chats.h"
#include "crash/scenario_files.h"

#define JOURNAL "src/journal/journal_file.c"

const struct scenario scenarios[] = {
	{"a new chat", JOURNAL, CHAT_STEPS, false, false, chat_begin_new, chat_step, chat_retry, chat_end,
	 chat_describe, chat_go_on},
	{"a chat that is there", JOURNAL, CHAT_STEPS, false, false, chat_begin_opened, chat_step, chat_retry,
	 chat_end, chat_describe, chat_go_on},
	{"a chat with half a record", JOURNAL, CHAT_STEPS, false, false, chat_begin_torn, chat_step, chat_retry,
	 chat_end, chat_describe, chat_go_on},
	{"a copy of a chat", JOURNAL, CHAT_STEPS, false, true, chat_begin_copy, chat_step, chat_retry, chat_end,
	 chat_describe, chat_go_on},
	{"a fork", JOURNAL, CHAT_TREE_STEPS, false, true, chat_begin_new, chat_tree_step, chat_retry, chat_end,
	 chat_describe, chat_go_on},
	{"imported chats", "src/journal/journal_export.c", CHAT_IMPORTS, false, false, chat_begin_import,
	 chat_import_step, NULL, chat_end, chat_describe_all, chat_go_on},
	{"an exported chat", "src/journal/journal_export.c", CHAT_EXPORTS, false, false, chat_begin_import,
	 chat_export_step, NULL, chat_end, chat_describe_export, NULL},
	{"a file for the user", "src/base/file.c", FILE_STEPS, false, false, files_begin, file_step,
	 file_retry, files_end, file_describe, NULL},
	{"a file behind a link", "src/base/file.c", FILE_STEPS, false, false, file_begin_link, file_link_step,
	 NULL, files_end, file_describe, NULL},
	{"presets", "src/config/preset.c", PRESET_STEPS, false, false, files_begin, preset_step,
	 NULL, files_end, preset_describe_all, NULL},
	{"recent models", "src/base/file.c", RECENT_STEPS, true, false, recent_begin,
	 recent_step, NULL, files_end, recent_describe, NULL},
	{"the line's history", "src/base/file.c", HISTORY_STEPS, true, false, history_begin, history_step,
	 NULL, files_end, history_describe, NULL},
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
