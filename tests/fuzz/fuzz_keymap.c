/* keys.yaml of any bytes: what can be followed applies, the rest is told of, and each key still does
 * one thing. */
#include <string.h>

#include "base/limits.h"
#include "fuzz/fuzz.h"
#include "sampler/params.h"
#include "ui/commands.h"
#include "ui/keymap.h"

static void check_rows(const struct keymap *map)
{
	FUZZ_CHECK(map->n_changes <= KEYMAP_CHANGES_MAX && map->n <= KEYMAP_ROWS_MAX);
	for (size_t i = 0; i < map->n; i++) {
		const struct binding *row = &map->rows[i], *found;

		FUZZ_CHECK(!row->is_users || row->name);
		if (!row->name && !row->run)
			continue;
		found = keymap_find(map, row->key, true);
		FUZZ_CHECK(found && key_equals(found->key, row->key));
	}
	for (size_t i = 0; i < bindings.n; i++) {
		const char *name = bindings.rows[i].name;

		if (name)
			FUZZ_CHECK(keymap_hint(map, name + (name[0] == '/'))[0]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sampler_params params = {0};
	struct option_table table = {sampler_options, sampler_n_options, &params};
	struct settings *settings;
	struct buf problems = {.max = MIB(64)};
	struct keymap map;

	FUZZ_CHECK(settings_create(&settings, &table, 1, NULL) == STATUS_OK);
	keymap_init(&map, &bindings);
	keymap_read(&map, "keys.yaml", (const char *)data, size, &commands, settings, &problems);
	FUZZ_CHECK(buf_status(&problems) == STATUS_OK);
	check_rows(&map);
	keymap_deinit(&map);
	buf_free(&problems);
	settings_free(settings);
	return 0;
}
