#include "facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/yaml.h"

/* `kind` is what the field's value has to be. */
static const struct field {
	const char *name;
	enum yaml_kind kind;
} fields[FACT_FIELD_COUNT] = {
	[FACT_ID] = {"id", YAML_SCALAR},
	[FACT_TOPIC] = {"topic", YAML_SCALAR},
	[FACT_TEXT] = {"text", YAML_SCALAR},
	[FACT_BACK] = {"back", YAML_SCALAR},
	[FACT_ALONE] = {"alone", YAML_SCALAR},
	[FACT_AGAIN] = {"again", YAML_SCALAR},
	[FACT_SAYS] = {"says", YAML_LIST_BEGIN},
	[FACT_SEE] = {"see", YAML_LIST_BEGIN},
	[FACT_KEYS] = {"keys", YAML_LIST_BEGIN},
	[FACT_COMMANDS] = {"commands", YAML_LIST_BEGIN},
	[FACT_OPTIONS] = {"options", YAML_MAP_BEGIN},
	[FACT_SUBCOMMANDS] = {"subcommands", YAML_LIST_BEGIN},
	[FACT_THEMES] = {"themes", YAML_LIST_BEGIN},
	[FACT_PROMPTS] = {"prompts", YAML_LIST_BEGIN},
	[FACT_FOREIGN] = {"foreign", YAML_LIST_BEGIN},
	[FACT_DO] = {"do", YAML_LIST_BEGIN},
	[FACT_ABOUT] = {"about", YAML_LIST_BEGIN},
	[FACT_ASK] = {"ask", YAML_LIST_BEGIN},
};

static const struct yaml_limits limits = {4 << 20, 100000, 8};

const char *fact_text(const struct guide_fact *fact, enum fact_field field)
{
	return fact->fields[field].n ? fact->fields[field].items[0] : "";
}

static enum status add_text(struct texts_list *list, const struct yaml_item *item,
                            struct error *err)
{
	char **items = realloc(list->items, (list->n + 1) * sizeof *items);
	char *copy = strdup(yaml_is_null(item) ? "" : item->text);

	if (items)
		list->items = items;
	if (!items || !copy) {
		free(copy);
		return error_set(err, STATUS_NOMEM, "no memory for the facts");
	}
	list->items[list->n++] = copy;
	return STATUS_OK;
}

static enum status read_field(struct yaml_reader *yaml, struct guide_fact *fact,
                              const struct yaml_item *key, struct error *err)
{
	struct yaml_item item;
	struct texts_list *list;
	enum status status;
	size_t i = 0;

	while (i < FACT_FIELD_COUNT && strcmp(fields[i].name, key->text) != 0)
		i++;
	if (i == FACT_FIELD_COUNT)
		return yaml_fail(yaml, key->line, STATUS_FORMAT, err, "a fact has no '%s'", key->text);
	list = &fact->fields[i];
	status = yaml_expect(yaml, fields[i].kind, fields[i].name, &item, err);
	if (status || fields[i].kind == YAML_SCALAR)
		return status ? status : add_text(list, &item, err);
	for (;;) {
		status = yaml_next(yaml, &item, err);
		if (status || item.kind == YAML_LIST_END || item.kind == YAML_MAP_END)
			return status;
		if (item.kind != YAML_SCALAR)
			return yaml_fail(yaml, item.line, STATUS_FORMAT, err, "'%s' is to hold texts",
			                 fields[i].name);
		status = add_text(list, &item, err);
		if (status)
			return status;
	}
}

static enum status read_fact(struct yaml_reader *yaml, struct guide_facts *facts, size_t line,
                             struct error *err)
{
	struct guide_fact *items = realloc(facts->items, (facts->n + 1) * sizeof *items);
	struct yaml_item key;
	enum status status;

	if (!items)
		return error_set(err, STATUS_NOMEM, "no memory for the facts");
	facts->items = items;
	items[facts->n] = (struct guide_fact){.line = line};
	facts->n++;
	for (;;) {
		status = yaml_next(yaml, &key, err);
		if (status || key.kind == YAML_MAP_END)
			return status;
		/* the key's text is gone once the value is read */
		status = read_field(yaml, &items[facts->n - 1], &key, err);
		if (status)
			return status;
	}
}

static enum status read_document(struct yaml_reader *yaml, struct guide_facts *facts,
                                 struct error *err)
{
	struct yaml_item item;
	enum status status = yaml_expect(yaml, YAML_MAP_BEGIN, "the facts", &item, err);
	bool is_facts;

	for (;;) {
		if (!status)
			status = yaml_next(yaml, &item, err);
		if (status || item.kind == YAML_MAP_END)
			return status;
		is_facts = strcmp(item.text, "facts") == 0;
		status = yaml_next(yaml, &item, err);
		if (status)
			return status;
		if (!is_facts) {
			status = yaml_skip(yaml, &item, err);
			continue;
		}
		for (;;) {
			status = yaml_next(yaml, &item, err);
			if (status || item.kind != YAML_MAP_BEGIN)
				break;
			status = read_fact(yaml, facts, item.line, err);
			if (status)
				return status;
		}
	}
}

enum status facts_load(struct guide_facts *facts, const char *path, struct error *err)
{
	struct yaml_reader *yaml = NULL;
	static char text[4 << 20];
	FILE *file = fopen(path, "r");
	enum status status;
	size_t len;

	*facts = (struct guide_facts){0};
	if (!file)
		return error_set(err, STATUS_IO, "%s cannot be opened", path);
	len = fread(text, 1, sizeof text, file);
	fclose(file);
	status = yaml_open(&yaml, "facts.yaml", text, len, 1, &limits, err);
	if (!status)
		status = read_document(yaml, facts, err);
	yaml_close(yaml);
	return status;
}

void facts_free(struct guide_facts *facts)
{
	for (size_t i = 0; i < facts->n; i++)
		for (size_t j = 0; j < FACT_FIELD_COUNT; j++) {
			struct texts_list *list = &facts->items[i].fields[j];

			for (size_t k = 0; k < list->n; k++)
				free(list->items[k]);
			free(list->items);
		}
	free(facts->items);
	*facts = (struct guide_facts){0};
}
