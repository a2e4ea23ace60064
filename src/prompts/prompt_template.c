/* One file of a prompt template: YAML into struct prompt_template. */
#include "prompts/prompt_template.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/data_name.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/option_value.h"
#include "config/yaml.h"
#include "jinja/jinja.h"
#include "sampler/params.h"

/* A file being read. */
struct template_draft {
	struct yaml_reader *reader;
	struct prompt_template *tmpl;
	struct error *err;
	size_t last_line; /* of a key; 0: there was none yet */
};

/* The next scalar; its text is valid until the next item is read. */
static enum status read_scalar(struct template_draft *draft, const char *what,
                               struct yaml_item *item)
{
	enum status status = yaml_expect(draft->reader, YAML_SCALAR, what, item, draft->err);

	return status ? status : yaml_check_comment(draft->reader, item, draft->err);
}

static enum status copy_text(struct template_draft *draft, const char *text, size_t len, char **out)
{
	free(*out);
	*out = alloc_strndup(text, len);
	return *out ? STATUS_OK : error_no_memory(draft->err, "for the templates");
}

/* Room for one more of the n items; each list grows by one. */
static enum status grow(struct template_draft *draft, size_t line, const char *what, void *items,
                        size_t n, size_t size)
{
	size_t cap = n;

	if (n >= LIMIT_PROMPT_ITEMS)
		return yaml_fail(draft->reader, line, STATUS_LIMIT, draft->err, "more than %d %s", LIMIT_PROMPT_ITEMS,
		                 what);
	return alloc_grow(items, &cap, n + 1, size, LIMIT_PROMPT_ITEMS)
	               ? STATUS_OK : error_no_memory(draft->err, "for the templates");
}

static enum status read_text(struct template_draft *draft, const char *what, char **out)
{
	struct yaml_item item;
	enum status status = read_scalar(draft, what, &item);

	return status ? status : copy_text(draft, item.text, item.len, out);
}

/* Text in Jinja, parsed now so that an error is found when the file is read. Lines are counted from
 * the text's own first one. */
static enum status read_jinja(struct template_draft *draft, const char *what, char **out)
{
	struct jinja_template *parsed;
	struct yaml_item item;
	struct error err;
	enum status status = read_scalar(draft, what, &item);

	if (status)
		return status;
	if (jinja_parse(&parsed, what, item.text, item.len, &jinja_limits_default, &err)) {
		if (err.status == STATUS_NOMEM)
			return error_no_memory(draft->err, "for the templates");
		return yaml_fail(draft->reader, item.line, STATUS_CONFIG, draft->err, "%s", err.text);
	}
	jinja_free(parsed);
	return copy_text(draft, item.text, item.len, out);
}

static bool is_known(const struct prompt_template *tmpl, const char *name)
{
	for (size_t i = 0; i < tmpl->n_variables; i++)
		if (strcmp(tmpl->variables[i].name, name) == 0)
			return true;
	for (size_t i = 0; i < prompt_n_builtins; i++)
		if (strcmp(prompt_builtins[i].name, name) == 0)
			return true;
	return false;
}

/* A name that a text uses but nothing gives a value is a typing error. */
static enum status check_names(struct template_draft *draft, const char *what, const char *text)
{
	struct jinja_template *parsed;
	enum status status = STATUS_OK;
	const char *const *names;
	size_t n;

	if (jinja_parse(&parsed, what, text, strlen(text), &jinja_limits_default, NULL))
		return error_no_memory(draft->err, "for the templates"); /* it was parsed before */
	names = jinja_free_names(parsed, &n);
	for (size_t i = 0; i < n && !status; i++)
		if (!is_known(draft->tmpl, names[i]))
			status = error_set(draft->err, STATUS_CONFIG,
			                   "%s: %s: '%.40s' is not among the variables",
			                   draft->tmpl->path, what, names[i]);
	jinja_free(parsed);
	return status;
}

static enum status check_all_names(struct template_draft *draft)
{
	const struct prompt_template *tmpl = draft->tmpl;
	enum status status = tmpl->system ? check_names(draft, "system", tmpl->system) : STATUS_OK;

	for (size_t i = 0; i < tmpl->n_messages && !status; i++)
		status = check_names(draft, role_name(tmpl->messages[i].role), tmpl->messages[i].text);
	return status;
}

/* Variables are named like Jinja's identifiers. */
static bool is_identifier(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

	return name[0] && strchr(letters, name[0]) && name[n] == '\0';
}

static enum status read_name(struct template_draft *draft)
{
	struct yaml_item item;
	enum status status = read_scalar(draft, "name", &item);

	if (status)
		return status;
	if (!data_name_is_valid(item.text, item.len))
		return yaml_fail(draft->reader, item.line, STATUS_CONFIG, draft->err,
		                 "name: '%.40s' is not a name: letters, digits, '.', '_' and '-', at most 63",
		                 item.text);
	return copy_text(draft, item.text, item.len, &draft->tmpl->name);
}

static enum status unknown_key(struct template_draft *draft, const struct yaml_item *key,
                               const char *what, const char *const *names)
{
	struct nearest nearest;

	nearest_init(&nearest, key->text, key->len);
	for (size_t i = 0; names[i]; i++)
		nearest_offer(&nearest, names[i]);
	return yaml_fail(draft->reader, key->line, STATUS_CONFIG, draft->err,
	                 "%s has no '%.40s'%s", what, key->text, nearest_hint(&nearest));
}

/* - user: TEXT
 * - assistant: TEXT */
static enum status read_message(struct template_draft *draft, const struct yaml_item *begin)
{
	static const char *const roles[] = {"user", "assistant", NULL};
	struct prompt_template *tmpl = draft->tmpl;
	struct prompt_opening *message;
	struct yaml_item item = *begin;
	enum role role;
	enum status status = begin->kind == YAML_MAP_BEGIN ? yaml_next(draft->reader, &item, draft->err) : STATUS_OK;

	if (status)
		return status;
	if (begin->kind != YAML_MAP_BEGIN || item.kind == YAML_MAP_END)
		return yaml_fail(draft->reader, item.line, STATUS_CONFIG, draft->err,
		                 "messages: expected 'user: TEXT' or 'assistant: TEXT'");
	if (!role_parse(item.text, &role) || role == ROLE_SYSTEM)
		return unknown_key(draft, &item, "a message", roles);
	status = grow(draft, item.line, "messages", &tmpl->messages, tmpl->n_messages, sizeof *message);
	if (status)
		return status;
	message = &tmpl->messages[tmpl->n_messages++];
	*message = (struct prompt_opening){.role = role};
	status = read_jinja(draft, role_name(role), &message->text);
	if (!status)
		status = yaml_next(draft->reader, &item, draft->err);
	if (!status && item.kind != YAML_MAP_END)
		status = yaml_fail(draft->reader, item.line, STATUS_CONFIG, draft->err,
		                   "messages: one role per message; the next one begins with '- '");
	return status;
}

/* The entries of a list, or of a map: `begin` says which. */
static enum status read_entries(struct template_draft *draft, const char *what,
                                enum yaml_kind begin,
                                enum status (*read_entry)(struct template_draft *draft,
                                const struct yaml_item *first))
{
	const bool is_map = begin == YAML_MAP_BEGIN;
	struct yaml_item item;
	enum status status = yaml_next(draft->reader, &item, draft->err);

	if (status || yaml_is_null(&item))
		return status;
	if (item.kind != begin)
		return yaml_fail(draft->reader, item.line, STATUS_CONFIG, draft->err,
		                 is_map ? "%s: expected lines 'name: value'" : "%s: expected a list", what);
	for (;;) {
		status = yaml_next(draft->reader, &item, draft->err);
		if (status || item.kind == (is_map ? YAML_MAP_END : YAML_LIST_END))
			return status;
		status = read_entry(draft, &item);
		if (status)
			return status;
	}
}

static enum status read_stop(struct template_draft *draft, const struct yaml_item *item)
{
	struct prompt_template *tmpl = draft->tmpl;
	enum status status;

	if (item->kind != YAML_SCALAR || item->len == 0)
		return yaml_fail(draft->reader, item->line, STATUS_CONFIG, draft->err,
		                 "stop: expected a text that ends a reply");
	status = grow(draft, item->line, "stop strings", &tmpl->stops, tmpl->n_stops, sizeof *tmpl->stops);
	if (status)
		return status;
	tmpl->stops[tmpl->n_stops] = NULL;
	return copy_text(draft, item->text, item->len, &tmpl->stops[tmpl->n_stops++]);
}

/* name: {default: X, help: Y}, name: X for only a default, or name: with nothing for one that must
 * be given. */
static enum status read_variable_fields(struct template_draft *draft,
                                        struct prompt_variable *variable)
{
	static const char *const fields[] = {"default", "help", NULL};
	struct yaml_item item;

	for (;;) {
		enum status status = yaml_next(draft->reader, &item, draft->err);

		if (status || item.kind == YAML_MAP_END)
			return status;
		if (strcmp(item.text, "default") == 0)
			status = read_text(draft, "default", &variable->def);
		else if (strcmp(item.text, "help") == 0)
			status = read_text(draft, "help", &variable->help);
		else
			status = unknown_key(draft, &item, "a variable", fields);
		if (status)
			return status;
	}
}

static enum status read_variable(struct template_draft *draft, const struct yaml_item *key)
{
	struct prompt_template *tmpl = draft->tmpl;
	struct prompt_variable *variable;
	struct yaml_item item;
	enum status status;

	if (!is_identifier(key->text))
		return yaml_fail(draft->reader, key->line, STATUS_CONFIG, draft->err,
		                 "variables: '%.40s' is not a name: letters, digits and '_'", key->text);
	status = grow(draft, key->line, "variables", &tmpl->variables, tmpl->n_variables, sizeof *variable);
	if (status)
		return status;
	variable = &tmpl->variables[tmpl->n_variables++];
	*variable = (struct prompt_variable){.name = alloc_strndup(key->text, key->len),
	                                     .help = alloc_strndup("", 0)};
	if (!variable->name || !variable->help)
		return error_no_memory(draft->err, "for the templates");
	status = yaml_next_value(draft->reader, &item, draft->err);
	if (status || yaml_is_null(&item))
		return status;
	if (item.kind == YAML_MAP_BEGIN)
		return read_variable_fields(draft, variable);
	if (item.kind == YAML_SCALAR)
		return copy_text(draft, item.text, item.len, &variable->def);
	return yaml_fail(draft->reader, item.line, STATUS_CONFIG, draft->err,
	                 "variables: %s: expected a default, or {default: ..., help: ...}",
	                 variable->name);
}

static const struct option *find_option(const char *name, struct nearest *nearest)
{
	nearest_init(nearest, name, strlen(name));
	for (size_t i = 0; i < sampler_n_options; i++) {
		nearest_offer(nearest, sampler_options[i].name);
		nearest_offer_aliases(nearest, sampler_options[i].aliases, sampler_options[i].name);
	}
	return option_find(sampler_options, sampler_n_options, name);
}

static bool has_option(const struct prompt_template *tmpl, const char *name)
{
	for (size_t i = 0; i < tmpl->n_options; i++)
		if (strcmp(tmpl->options[i].name, name) == 0)
			return true;
	return false;
}

static enum status read_option(struct template_draft *draft, const struct yaml_item *key)
{
	struct prompt_template *tmpl = draft->tmpl;
	struct prompt_option *entry;
	struct option_value parsed;
	struct yaml_item item;
	struct nearest nearest;
	const struct option *option = find_option(key->text, &nearest);
	enum status status;

	if (!option)
		return yaml_fail(draft->reader, key->line, STATUS_CONFIG, draft->err,
		                 "options: there is no '%.40s'%s", key->text, nearest_hint(&nearest));
	if (has_option(tmpl, option->name)) /* by another of its names */
		return yaml_fail(draft->reader, key->line, STATUS_CONFIG, draft->err,
		                 "options: %s is given twice", option->name);
	status = grow(draft, key->line, "options", &tmpl->options, tmpl->n_options, sizeof *entry);
	if (status)
		return status;
	entry = &tmpl->options[tmpl->n_options++];
	*entry = (struct prompt_option){.name = alloc_strndup(option->name, strlen(option->name))};
	if (!entry->name)
		return error_no_memory(draft->err, "for the templates");
	status = read_scalar(draft, option->name, &item);
	if (status)
		return status;
	if (option_parse(option, item.text, &parsed, draft->err)) {
		error_prefix(draft->err, "options: %s", option->name);
		return yaml_locate(draft->reader, item.line, STATUS_CONFIG, draft->err);
	}
	return copy_text(draft, item.text, item.len, &entry->value);
}

enum key {
	KEY_NAME, KEY_DESCRIPTION, KEY_SYSTEM, KEY_MESSAGES, KEY_VARIABLES, KEY_OPTIONS, KEY_STOP, KEY_MODEL,
	KEY_COUNT
};
static const char *const keys[] = {"name", "description", "system", "messages", "variables",
                                   "options", "stop", "model", NULL};

static enum status read_key(void *ctx, struct yaml_reader *reader, const struct yaml_item *key,
                            struct error *err)
{
	struct template_draft *draft = ctx;
	struct prompt_template *tmpl = draft->tmpl;
	enum key i = 0;

	(void)reader;
	(void)err; /* the draft's */
	draft->last_line = key->line;
	while (keys[i] && strcmp(keys[i], key->text) != 0)
		i++;
	switch (i) {
	case KEY_NAME: return read_name(draft);
	case KEY_DESCRIPTION: return read_text(draft, keys[i], &tmpl->description);
	case KEY_SYSTEM: return read_jinja(draft, keys[i], &tmpl->system);
	case KEY_MESSAGES: return read_entries(draft, keys[i], YAML_LIST_BEGIN, read_message);
	case KEY_VARIABLES: return read_entries(draft, keys[i], YAML_MAP_BEGIN, read_variable);
	case KEY_OPTIONS: return read_entries(draft, keys[i], YAML_MAP_BEGIN, read_option);
	case KEY_STOP: return read_entries(draft, keys[i], YAML_LIST_BEGIN, read_stop);
	case KEY_MODEL: return read_text(draft, keys[i], &tmpl->model);
	case KEY_COUNT: break;
	}
	return unknown_key(draft, key, "a prompt template", keys);
}

static enum status read_file(struct template_draft *draft)
{
	static const char no_template[] = "expected a prompt template: 'system:' and a text";
	enum status status = yaml_read_map(draft->reader, no_template, read_key, draft, draft->err);

	if (!status && !draft->last_line)
		return yaml_fail(draft->reader, 1, STATUS_CONFIG, draft->err, no_template);
	if (!status && !draft->tmpl->system && !draft->tmpl->n_messages)
		return yaml_fail(draft->reader, draft->last_line, STATUS_CONFIG, draft->err,
		                 "there is neither 'system:' nor 'messages:'");
	return status ? status : check_all_names(draft);
}

enum status prompt_template_parse(struct prompt_template *out, const char *path, const char *text,
                                  size_t len, struct error *err)
{
	struct template_draft draft = {.tmpl = out, .err = &out->error};
	enum status status;
	size_t name_len;
	const char *name = data_name_of_path(path, &name_len);

	*out = (struct prompt_template){.path = alloc_strndup(path, strlen(path)),
	                                .name = alloc_strndup(name, name_len),
	                                .description = alloc_strndup("", 0)};
	if (!out->path || !out->name || !out->description) {
		status = error_no_memory(draft.err, "for the templates");
	} else {
		status = yaml_open(&draft.reader, path, text, len, 1, &yaml_limits_config, draft.err);
		if (!status)
			status = read_file(&draft);
		yaml_close(draft.reader);
	}
	if (status == STATUS_NOMEM) {
		if (err)
			*err = out->error;
		prompt_template_deinit(out);
		return status;
	}
	out->is_broken = status != STATUS_OK;
	if (out->is_broken)
		out->error.status = STATUS_CONFIG;
	return STATUS_OK;
}

static void free_options(struct prompt_option *options, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(options[i].name);
		free(options[i].value);
	}
	free(options);
}

void prompt_template_deinit(struct prompt_template *tmpl)
{
	for (size_t i = 0; i < tmpl->n_messages; i++)
		free(tmpl->messages[i].text);
	for (size_t i = 0; i < tmpl->n_variables; i++) {
		free(tmpl->variables[i].name);
		free(tmpl->variables[i].help);
		free(tmpl->variables[i].def);
	}
	for (size_t i = 0; i < tmpl->n_stops; i++)
		free(tmpl->stops[i]);
	free_options(tmpl->options, tmpl->n_options);
	free(tmpl->messages);
	free(tmpl->variables);
	free(tmpl->stops);
	free(tmpl->name);
	free(tmpl->path);
	free(tmpl->description);
	free(tmpl->system);
	free(tmpl->model);
	*tmpl = (struct prompt_template){0};
}
