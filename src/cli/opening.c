#include "cli/opening.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "guide/guide.h"

enum status opening_open(struct opening *opening, const struct cli_setup *setup, bool raw,
                         struct error *err)
{
	const char *name = setup->ui.prompt_template, *variables = setup->ui.variables;
	const struct prompt_variable *missing;
	enum status status;

	*opening = (struct opening){0};
	buf_init(&opening->help, 2 * LIMIT_MESSAGE);
	if (raw)
		return STATUS_OK;
	if (!name || !name[0])
		return variables && variables[0]
		               ? error_set(err, STATUS_USAGE, "-V is for a template: -T NAME")
		               : STATUS_OK;
	status = prompt_library_open_for(&opening->library, setup->ui.prompt_dir, name, strlen(name),
	                                 &opening->tmpl, err);
	if (!status && variables)
		status = prompt_parse_values(variables, strlen(variables), &opening->values, err);
	if (!status) {
		missing = prompt_template_missing(opening->tmpl, &opening->values);
		if (missing)
			status = error_set(err, STATUS_USAGE,
			                   "the template '%s' needs a value: -V %s=...%s%s%s",
			                   opening->tmpl->name, missing->name,
			                   missing->help[0] ? " (" : "", missing->help,
			                   missing->help[0] ? ")" : "");
	}
	if (!status)
		status = prompt_apply_options(opening->tmpl, setup->settings, err);
	/* Whatever is wrong with a template, no model is missing. */
	if (status == STATUS_NOTFOUND && err)
		err->status = status = STATUS_USAGE;
	if (status)
		opening_close(opening);
	return status;
}

static struct worker_message message_of(enum role role, const char *text, size_t len)
{
	return (struct worker_message){.role = role, .text = text, .len = len};
}

enum status opening_messages(struct opening *opening, const struct cli_setup *setup,
                             const char *model, const struct buf *prompt,
                             struct worker_turn *turn, struct error *err)
{
	const struct prompt_rendered *rendered = &opening->rendered;
	const char *system = turn->raw ? NULL : setup->ui.system_prompt;
	struct worker_message *messages;
	size_t n = 0;

	if (opening->tmpl) {
		enum status status = prompt_template_render(&opening->rendered, opening->tmpl,
		                                            &opening->values, model, err);

		if (status)
			return status;
		system = rendered->system;
		turn->stops = (const char *const *)opening->tmpl->stops;
		turn->n_stops = opening->tmpl->n_stops;
	}
	messages = alloc_array(rendered->n_messages + 2, sizeof *messages);
	if (!messages)
		return error_set(err, STATUS_NOMEM, "not enough memory for the prompt");
	if (system && system[0])
		messages[n++] = message_of(ROLE_SYSTEM, system, strlen(system));
	for (size_t i = 0; i < rendered->n_messages; i++)
		messages[n++] = message_of(rendered->messages[i].role, rendered->messages[i].text,
		                           strlen(rendered->messages[i].text));
	messages[n++] = message_of(ROLE_USER, buf_text(prompt), prompt->len);
	opening->messages = messages;
	turn->messages = messages;
	turn->n_messages = n;
	return STATUS_OK;
}

enum status opening_add_help(struct opening *opening, struct worker_turn *turn,
                             struct error *note, struct error *err)
{
	struct worker_message *messages;
	struct guide *guide;
	enum status status;

	if (guide_open(&guide, NULL, note))
		return STATUS_OK;
	note->status = STATUS_OK;
	status = guide_messages(guide, turn->messages, turn->n_messages, &opening->help, &messages,
	                        &turn->n_messages, err);
	guide_close(guide);
	if (status)
		return status;
	free(opening->messages);
	turn->messages = opening->messages = messages;
	return STATUS_OK;
}

void opening_close(struct opening *opening)
{
	free(opening->messages);
	buf_free(&opening->help);
	prompt_rendered_free(&opening->rendered);
	prompt_values_free(&opening->values);
	prompt_library_close(opening->library);
	*opening = (struct opening){0};
}
