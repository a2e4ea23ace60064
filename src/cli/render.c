/* sotto render: what a chat template makes of a conversation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/number.h"
#include "base/sanitize.h"
#include "base/utf8.h"
#include "cli/context.h"
#include "cli/input.h"
#include "cli/print.h"
#include "cli/setup.h"
#include "cli/subcommands.h"
#include "config/yaml.h"
#include "encode/chat_template.h"
#include "encode/template_kwargs.h"
#include "engine/engine.h"
#include "jinja/jinja.h"

struct render_params {
	char *context, *now; /* owned */
	bool marks;
};

#define ROW(field, more_flags) CLI_ROW(render_params, field, more_flags)

static const struct option render_options[] = {
	{"context", NULL, OPTION_STRING, ROW(context, OPTION_PATH), .arg = "FILE",
	 .help = "the template's variables in YAML: messages, tools, bos_token ..."},
	{"now", NULL, OPTION_STRING, ROW(now, 0), .arg = "TIME",
	 .help = "the time that strftime_now shows, such as 2026-11-21T09:30:00 or "
	         "2026-11-21T09:30:00.25; by default now"},
	{"marks", NULL, OPTION_BOOL, ROW(marks, 0), .def = "no",
	 .help = "show which parts of the text come from the template and which from the context"},
};

/* Up to six digits, behind a point. */
static bool parse_fraction(const char *text, uint32_t *us)
{
	*us = 0;
	for (uint32_t unit = 100000; unit && number_is_digit(text[1]); unit /= 10)
		*us += unit * number_digit(*++text);
	return number_is_digit(*text) && !text[1];
}

static enum status parse_time(const char *text, struct jinja_options *out, struct error *err)
{
	struct tm tm = {0};
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	char again[96];
	int len;

	/* The 30th of February becomes another day, which is seen in what is written again. */
	out->now = timegm(&tm);
	len = snprintf(again, sizeof again, "%04d-%02d-%02dT%02d:%02d:%02d", tm.tm_year + 1900, tm.tm_mon + 1,
	               tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
	if (rest && len == rest - text && strncmp(again, text, (size_t)len) == 0 && tm.tm_year > -1900 &&
	    (!*rest || (*rest == '.' && parse_fraction(rest, &out->now_us))))
		return STATUS_OK;
	return error_set(err, STATUS_USAGE, "--now needs a time like 2026-11-21T09:30:00, not '%s'",
	                 text);
}

/* A template that is named needs no model, so the default model is not opened. */
static const char *model_of(const struct cli_setup *setup)
{
	bool by_default = settings_is_from(setup->settings, "model", ORIGIN_DEFAULT);

	return setup->engine.chat_template && by_default ? NULL : setup->engine.model;
}

/* The named template, or the model's own. Returns the exit status. */
static int read_template(const struct cli_setup *setup, char **text, size_t *len)
{
	const struct engine_params *params = &setup->engine;
	const char *model = model_of(setup);
	struct gguf *gguf = NULL;
	struct error err;
	int rc = 0;

	if (model && engine_open_file(&gguf, model, params, &err))
		return cli_fail_model(&err);
	if (chat_template_read(text, len, params->chat_template, gguf, &err))
		rc = params->chat_template ? cli_fail(&err) : cli_fail_model(&err);
	gguf_close(gguf);
	return rc;
}

static enum status check_utf8(const char *name, const char *text, size_t len, struct error *err)
{
	size_t line = 1, at = 0;
	int32_t cp = 0;

	while (at < len) {
		size_t n = utf8_decode(text + at, len - at, &cp);

		if (cp < 0)
			return error_set(err, STATUS_USAGE, "%s:%zu: not UTF-8 (byte 0x%02x)", name,
			                 line, (unsigned)(unsigned char)text[at]);
		line += cp == '\n';
		at += n;
	}
	return STATUS_OK;
}

/* A YAML list with an entry for each stretch: where it comes from, and its text. */
static void put_marks(struct buf *out, const struct context *context,
                      const struct jinja_output *output)
{
	size_t at = 0;

	for (size_t i = 0; i < output->n_spans; i++) {
		const struct jinja_span *span = &output->spans[i];

		if (span->source == SOURCE_TEMPLATE)
			buf_puts(out, "- template: ");
		else
			buf_printf(out, "- line %zu: ", context->lines[span->source - 1]);
		yaml_put_quoted(out, output->text + at, span->end - at, 4);
		buf_putc(out, '\n');
		at = span->end;
	}
}

/* Unchanged to a pipe, sanitised to a terminal. */
static int print_output(const struct context *context, const struct jinja_output *output,
                        bool marks)
{
	struct buf out = {.max = SIZE_MAX / 2};

	if (!marks && !isatty(STDOUT_FILENO))
		return cli_print(output->text, output->len);
	if (marks)
		put_marks(&out, context, output);
	else
		sanitize_text(&out, output->text, output->len);
	return cli_print_buf(&out, "the text");
}

static int render(const char *name, const char *text, size_t len, struct context *context,
                  struct jinja_options *options, bool marks)
{
	struct jinja_template *tmpl = NULL;
	struct jinja_output output = {0};
	struct error err;
	int rc = 1; /* for any fault of the template: it is not a missing model */

	options->limits = &context->limits;
	if (jinja_parse(&tmpl, name, text, len, options->limits, &err) ||
	    jinja_render(tmpl, context->variables, options, &output, &err))
		cli_fail(&err);
	else
		rc = print_output(context, &output, marks);
	jinja_output_free(&output);
	jinja_free(tmpl);
	return rc;
}

static int run(struct cli_setup *setup, void *own)
{
	const struct render_params *params = own;
	struct jinja_options options = {.has_now = params->now != NULL};
	struct context context = {0};
	struct error err;
	struct buf yaml = {.max = LIMIT_CONTEXT_BYTES};
	char *tmpl = NULL;
	size_t len = 0;
	const char *path =
		setup->engine.chat_template ? setup->engine.chat_template : setup->engine.model;
	const char *name = params->context ? params->context : "";
	int rc;

	if (!path)
		return cli_fail_with(STATUS_USAGE,
		                     "there is no template: give --chat-template FILE or -m MODEL");
	rc = read_template(setup, &tmpl, &len);
	if (!rc &&
	    ((params->now && parse_time(params->now, &options, &err)) ||
	     check_utf8(path, tmpl, len, &err) ||
	     (params->context && input_read_file(params->context, &yaml, &err)) ||
	     yaml_as_config(context_read(&context, name, buf_text(&yaml), yaml.len, &err), &err) ||
	     template_kwargs_set(context.variables, setup->engine.template_kwargs, &err)))
		rc = cli_fail(&err);
	else if (!rc)
		rc = render(path, tmpl, len, &context, &options, params->marks);
	context_free(&context);
	buf_free(&yaml);
	free(tmpl);
	return rc;
}

const struct cli_command cli_render = {
	.synopsis = "sotto render --chat-template FILE|NAME [--context FILE] [OPTION]...",
	.text = "Prints what a chat template makes of a conversation, byte for byte and without\n"
	        "an added newline. The template is Jinja, from a file, a built-in one or, with -m, one\n"
	        "of the model's own; its variables are a YAML mapping.",
	CLI_OWN(render_options, render_params),
	.more = "With --marks the text is a YAML list: stretches of the template's own text, and\n"
	        "stretches from messages, tools and documents, with the line of the context file\n"
	        "on which they begin.\n\n"
	        "Exit status: 0 done, 1 the template fails or raises an error, 2 bad command line\n"
	        "or context, 3 model missing or corrupt.\n",
	.acts = "model override-kv chat-template chat-template-kwargs",
	.run = run,
};
