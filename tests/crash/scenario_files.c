#include "crash/scenario_files.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/sys.h"
#include "catalog/recent.h"
#include "config/preset.h"
#include "line/line_history.h"

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "scenario: %s\n", what);
	abort();
}

/* The file's bytes, if it is there. */
static void put_file(const char *path, const char *name, struct found *found)
{
	struct error err;
	enum status status;
	char *text;
	size_t len;

	status = sys_read_file(path, MIB(8), &text, &len, &err);
	if (status == STATUS_NOTFOUND)
		return;
	if (status) {
		buf_printf(&found->trouble, "%s", err.text);
		return;
	}
	if (!found->n)
		found_add(found);
	buf_printf(&found->texts[0], "%s: ", name);
	buf_append(&found->texts[0], text, len);
	free(text);
}

void *files_begin(void)
{
	must(mkdir(scenario_path("out"), 0700) == 0, "a folder");
	return NULL;
}

void files_end(void *state)
{
	(void)state;
}

/* 3,000 bytes that differ from step to step. */
static const char *content(size_t step)
{
	static char text[3001];

	for (size_t i = 0; i < sizeof text - 1; i++)
		text[i] = (char)('a' + (i * 7 + i / 31 + step) % 26);
	return text;
}

enum status file_step(void *state, size_t step, struct error *err)
{
	const char *text = content(step);

	(void)state;
	return file_write(&io_system, scenario_path("out/file.md"), text, strlen(text), step > 0, 0600, err);
}

/* The file may be there, and only its folder not synced: then it has to be written over. */
enum status file_retry(void *state, size_t step, struct error *err)
{
	const char *text = content(step);

	(void)state;
	return file_write(&io_system, scenario_path("out/file.md"), text, strlen(text), true, 0600, err);
}

void file_describe(struct found *found)
{
	put_file(scenario_path("out/file.md"), "file", found);
}

void *file_begin_link(void)
{
	files_begin();
	must(file_step(NULL, 0, NULL) == STATUS_OK, "the file");
	return NULL;
}

/* The folder is there: so little is promised of this list that it would not matter. */
void *recent_begin(void)
{
	struct error err;

	must(sys_make_dirs(scenario_path("state/sotto"), &err) == STATUS_OK, err.text);
	return NULL;
}

/* The link itself is no file of the recorded disk: it stands beside it. */
enum status file_link_step(void *state, size_t step, struct error *err)
{
	const char *text = content(step + 5);
	char link[] = "/tmp/sotto-link-XXXXXX";
	enum status status;
	int fd = mkstemp(link);

	(void)state;
	must(fd >= 0 && unlink(link) == 0 && symlink(scenario_path("out/file.md"), link) == 0, "a link");
	close(fd);
	status = file_write(&io_system, link, text, strlen(text), true, 0600, err);
	unlink(link);
	return status;
}

enum status preset_step(void *state, size_t step, struct error *err)
{
	static const char *const names[] = {"one", "two", "one"};
	struct preset preset = {.n = 2, .values = {{"temp", "0.5"}, {"top-k", "7"}}};
	enum status status;
	struct buf path = {.max = KIB(8)};

	(void)state;
	if (step == 2)
		preset.n = 1;
	status = preset_save(&preset, names[step], true, &io_system, &path, err);
	buf_free(&path);
	return status;
}

void preset_describe_all(struct found *found)
{
	put_file(scenario_path("config/sotto/presets/one.yaml"), "one", found);
	put_file(scenario_path("config/sotto/presets/two.yaml"), "two", found);
}

enum status recent_step(void *state, size_t step, struct error *err)
{
	char path[600];

	(void)state;
	snprintf(path, sizeof path, "/models/%.500s-%zu.gguf", content(step), step);
	return recent_add(&io_system, path, "", (int64_t)step, err);
}

void recent_describe(struct found *found)
{
	put_file(scenario_path("state/sotto/models"), "models", found);
}

enum { OLD_LINES = 2 * LINE_HISTORY_KEPT + 1, LONG_BYTES = OLD_LINES * 9 };

void *history_begin(void)
{
	struct error err;
	struct buf text;
	int fd;

	clear_history();
	must(sys_make_dirs(scenario_path("state/sotto"), &err) == STATUS_OK, err.text);
	buf_init(&text, MIB(1));
	for (size_t i = 0; i < OLD_LINES; i++)
		buf_printf(&text, "line %zu\n", i);
	fd = open(scenario_path("state/sotto/history"), O_WRONLY | O_CREAT, 0600);
	must(fd >= 0 && write(fd, text.data, text.len) == (ssize_t)text.len, "a history");
	close(fd);
	buf_free(&text);
	return NULL;
}

enum status history_step(void *state, size_t step, struct error *err)
{
	enum status status;
	struct stat st;

	(void)state;
	if (step > 0)
		return line_history_add("a new line", true, err);
	clear_history();
	status = line_history_load(err);
	if (!status && stat(scenario_path("state/sotto/history"), &st) == 0 && st.st_size > LONG_BYTES)
		return error_set(err, STATUS_IO, "it was not cut"); /* which is not told: it still works */
	return status;
}

/* The lines that were there and are to be kept, and of the new ones those that are whole: a
 * history is worth no sync, since what was said is in the chat. */
void history_describe(struct found *found)
{
	char *text, expected[32];
	struct error err;
	size_t len, n = 0;

	if (sys_read_file(scenario_path("state/sotto/history"), MIB(8), &text, &len, &err)) {
		buf_printf(&found->trouble, "%s", err.text);
		return;
	}
	for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
		snprintf(expected, sizeof expected, "line %zu\n", OLD_LINES - LINE_HISTORY_KEPT + n);
		if (strncmp(at, expected, strlen(expected)) == 0)
			n++;
	}
	buf_printf(found_add(found), "%zu of the old lines%s", n,
	           strstr(text, "\na new line\n") ? ", a new one" : "");
	buf_printf(&found->texts[0], len > LONG_BYTES ? ", all" : "");
	free(text);
}
