/* Prompt templates: any file is read or refused with a reason; what is read can
 * be filled in, or fails with one. */
#include <string.h>

#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "prompts/prompt_template.h"

static void fill_in(const struct prompt_template *tmpl)
{
	struct prompt_values values = {0};
	struct prompt_rendered rendered;
	struct error err = {0};

	for (size_t i = 0; i < tmpl->n_variables; i++)
		if (!tmpl->variables[i].def)
			FUZZ_CHECK(prompt_values_set(&values, tmpl->variables[i].name,
			                             strlen(tmpl->variables[i].name), "a 'b' \"c\"", 9,
			                             &err) == STATUS_OK);
	FUZZ_CHECK(!prompt_template_missing(tmpl, &values));
	if (prompt_template_render(&rendered, tmpl, &values, "model", &err)) {
		FUZZ_CHECK(err.text[0]);
	} else {
		FUZZ_CHECK(!rendered.system || utf8_valid(rendered.system, strlen(rendered.system)));
		FUZZ_CHECK(rendered.n_messages == tmpl->n_messages);
		prompt_rendered_free(&rendered);
	}
	prompt_values_free(&values);
}

/* What a person typed behind /template, and back. */
static void take_apart(const char *text, size_t len)
{
	struct prompt_values values = {0}, again = {0};
	struct buf name, line, name_again;
	struct error err = {0};

	buf_init(&name, len + 1);
	buf_init(&name_again, len + 1);
	buf_init(&line, 4 * len + 64);
	if (prompt_parse_call(text, len, &name, &values, &err)) {
		FUZZ_CHECK(err.text[0]);
	} else if (name.len && !memchr(text, '\0', len)) {
		FUZZ_CHECK(prompt_format_call(&line, buf_text(&name), &values) == STATUS_OK);
		FUZZ_CHECK(prompt_parse_call(buf_text(&line), line.len, &name_again, &again, &err) ==
		           STATUS_OK);
		FUZZ_CHECK(strcmp(buf_text(&name), buf_text(&name_again)) == 0);
		FUZZ_CHECK(values.n == again.n);
		for (size_t i = 0; i < values.n; i++)
			FUZZ_CHECK(strcmp(values.items[i].value, again.items[i].value) == 0);
	}
	prompt_values_free(&values);
	prompt_values_free(&again);
	buf_free(&name);
	buf_free(&name_again);
	buf_free(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prompt_template tmpl;
	struct error err = {0};

	take_apart((const char *)data, size);
	if (prompt_template_parse(&tmpl, "p.yaml", (const char *)data, size, &err))
		return 0;
	FUZZ_CHECK(tmpl.name && tmpl.path && tmpl.description);
	if (tmpl.is_broken)
		FUZZ_CHECK(tmpl.error.text[0]);
	else
		fill_in(&tmpl);
	prompt_template_deinit(&tmpl);
	return 0;
}
