/* The chat templates of ../shared/testdata with all its conversations: byte for
 * byte what Jinja2 renders, or an error where Jinja2 gives one. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "cli/context.h"
#include "jinja/jinja.h"
#include "support/testdata.h"

enum { NOW = 1795253400, PATH = 1024, NAME = 128, MOST = 512 }; /* 2026-11-21T09:30:00Z */

struct names {
	char items[MOST][NAME];
	size_t n;
};

static int failures;

/* The names in a folder that end with `suffix`, without it. */
static void list_names(const char *path, const char *suffix, struct names *out)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL && out->n < MOST) {
		size_t len = strlen(entry->d_name), n = strlen(suffix);

		if (len > n && len < NAME && strcmp(entry->d_name + len - n, suffix) == 0)
			snprintf(out->items[out->n++], NAME, "%.*s", (int)(len - n), entry->d_name);
	}
	if (dir)
		closedir(dir);
}

static char *slurp(const char *path, size_t *len)
{
	struct error err;
	char *data;

	if (sys_read_file(path, MIB(16), &data, len, &err)) {
		printf("FAIL %s\n", err.text);
		exit(1);
	}
	return data;
}

static void show_difference(const char *name, const char *expected, size_t n, const char *got,
                            size_t len)
{
	size_t at = 0, from;

	while (at < n && at < len && expected[at] == got[at])
		at++;
	from = at > 40 ? at - 40 : 0;
	printf("FAIL %s: differs at byte %zu\n  expected ...%.*s\n  got      ...%.*s\n", name, at,
	       (int)(n - from < 80 ? n - from : 80), expected + from,
	       (int)(len - from < 80 ? len - from : 80), got + from);
	failures++;
}

/* One pair; `expected` is the path of its outcome without .txt or .err. */
static void check_pair(const struct jinja_template *tmpl, const char *case_path,
                       const char *expected)
{
	const struct jinja_options options = {.has_now = true, .now = NOW};
	struct context context = {0};
	struct jinja_output output = {0};
	struct error err;
	char path[3 * PATH], *yaml, *text;
	size_t yaml_len, len;
	bool is_error;
	enum status status;

	yaml = slurp(case_path, &yaml_len);
	if (context_read(&context, case_path, yaml, yaml_len, &err)) {
		printf("FAIL %s\n", err.text);
		exit(1);
	}
	snprintf(path, sizeof path, "%s.err", expected);
	is_error = access(path, R_OK) == 0;
	if (!is_error)
		snprintf(path, sizeof path, "%s.txt", expected);
	text = slurp(path, &len);
	status = jinja_render(tmpl, context.variables, &options, &output, &err);
	if (is_error && (!status || !strstr(err.text, text))) {
		printf("FAIL %s: expected the error %s, got %s\n", expected, text,
		       status ? err.text : "none");
		failures++;
	} else if (!is_error && status) {
		printf("FAIL %s: %s\n", expected, err.text);
		failures++;
	} else if (!is_error && (output.len != len || memcmp(output.text, text, len) != 0)) {
		show_difference(expected, text, len, output.text, output.len);
	}
	jinja_output_free(&output);
	context_free(&context);
	free(text);
	free(yaml);
}

int main(void)
{
	static struct names templates, cases;
	char dir[PATH], path[PATH * 2], case_path[PATH * 2], expected[PATH * 2];
	size_t n = 0;

	snprintf(dir, sizeof dir, "%s/templates", testdata_root());
	if (access(dir, R_OK) != 0) {
		printf("skipped: looked for %s\n", dir);
		return 77;
	}
	list_names(dir, ".jinja", &templates);
	snprintf(path, sizeof path, "%s/contexts", dir);
	list_names(path, ".yaml", &cases);
	for (size_t i = 0; i < templates.n; i++) {
		struct jinja_template *tmpl = NULL;
		struct error err;
		size_t len;
		char *text;

		snprintf(path, sizeof path, "%s/%s.jinja", dir, templates.items[i]);
		text = slurp(path, &len);
		if (jinja_parse(&tmpl, templates.items[i], text, len, &jinja_limits_default, &err)) {
			printf("FAIL %s\n", err.text);
			failures++;
		}
		for (size_t k = 0; tmpl && k < cases.n; k++, n++) {
			snprintf(case_path, sizeof case_path, "%s/contexts/%s.yaml", dir, cases.items[k]);
			snprintf(expected, sizeof expected, "%s/expected/%s.%s", dir,
			         templates.items[i], cases.items[k]);
			check_pair(tmpl, case_path, expected);
		}
		jinja_free(tmpl);
		free(text);
	}
	printf("%zu pairs of %zu templates, %d failures\n", n, templates.n, failures);
	return failures || n == 0;
}
