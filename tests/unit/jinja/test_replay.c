/* Renders recorded cases and compares with what Jinja2 made of them: the output,
 * or the line of the error. The file is tools/jinja-cases'; see there for its form.
 *
 * usage: test_replay [FILE [MOST]]   shows the first MOST differences (20) */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sys.h"
#include "cli/context.h"
#include "jinja/jinja.h"

enum { NOW = 1795253400 }; /* 2026-11-21T09:30:00Z */

struct text {
	const char *data;
	size_t len;
};

struct replay {
	const char *at, *end;
	struct text context, template;
	size_t n, n_different, most;
};

/* Takes a section's line and bytes; false at the end of the file. */
static bool take_section(struct replay *replay, char word[16], unsigned *line, struct text *text)
{
	const char *newline = memchr(replay->at, '\n', (size_t)(replay->end - replay->at));
	char head[64];

	if (!newline || (size_t)(newline - replay->at) >= sizeof head)
		return false;
	memcpy(head, replay->at, (size_t)(newline - replay->at));
	head[newline - replay->at] = '\0';
	*line = 0;
	if (sscanf(head, "error %u %zu", line, &text->len) == 2)
		snprintf(word, 16, "error");
	else if (sscanf(head, "%15s %zu", word, &text->len) != 2)
		return false;
	text->data = newline + 1;
	if (text->len >= (size_t)(replay->end - text->data))
		return false;
	replay->at = text->data + text->len + 1;
	return true;
}

static void show(const char *what, const char *text, size_t len)
{
	printf("--- %s\n%.*s%s", what, (int)len, text, len && text[len - 1] == '\n' ? "" : "\n");
}

static bool same(const struct text *text, const char *data, size_t len)
{
	return text->len == len && memcmp(text->data, data, len) == 0;
}

static void compare(struct replay *replay, const char *word, unsigned line,
                    const struct text *expected)
{
	struct context context = {0};
	struct jinja_template *tmpl = NULL;
	struct jinja_output output = {0};
	struct jinja_options options = {.has_now = true, .now = NOW};
	struct error err = {0};
	char message[ERROR_TEXT_MAX + 32];
	bool ok, equal;

	if (context_read(&context, "context", replay->context.data, replay->context.len, &err)) {
		printf("%s\n", err.text);
		exit(1);
	}
	ok = !jinja_parse(&tmpl, "t", replay->template.data, replay->template.len,
	                 &jinja_limits_default, &err) &&
	     !jinja_render(tmpl, context.variables, &options, &output, &err);
	if (strcmp(word, "output") == 0) {
		equal = ok && same(expected, output.text, output.len);
	} else {
		/* The words are our own, but for those of raise_exception. */
		snprintf(message, sizeof message, line ? "t:%u: " : "%.0u%.*s", line,
		         (int)expected->len, expected->data);
		message[ERROR_TEXT_MAX - 1] = '\0';
		equal = !ok && strncmp(err.text, message, line ? strlen(message) : sizeof message) == 0;
	}
	replay->n++;
	if (!equal && replay->n_different++ < replay->most) {
		printf("=== case %zu\n", replay->n);
		show("template", replay->template.data, replay->template.len);
		if (strcmp(word, "output") == 0)
			show("expected", expected->data, expected->len);
		else
			show("expected error", message, strlen(message));
		if (ok)
			show("got", output.text, output.len);
		else
			show("got error", err.text, strlen(err.text));
	}
	jinja_output_free(&output);
	jinja_free(tmpl);
	context_free(&context);
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "tests/unit/jinja/cases.txt";
	struct replay replay = {.most = argc > 2 ? strtoul(argv[2], NULL, 10) : 20};
	struct text text;
	struct error err;
	unsigned line;
	char word[16], *data;
	size_t len;

	if (sys_read_file(path, MIB(512), &data, &len, &err)) {
		printf("%s\n", err.text);
		return 1;
	}
	replay.at = data;
	replay.end = data + len;
	while (take_section(&replay, word, &line, &text)) {
		if (strcmp(word, "context") == 0)
			replay.context = text;
		else if (strcmp(word, "template") == 0)
			replay.template = text;
		else
			compare(&replay, word, line, &text);
	}
	if (replay.at != replay.end)
		printf("%s: no section at byte %td\n", path, replay.at - data);
	printf("%zu cases, %zu differ\n", replay.n, replay.n_different);
	free(data);
	return replay.n == 0 || replay.n_different || replay.at != replay.end;
}
