#include "guide/facts.h"

#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "config/yaml.h"

static const struct yaml_limits limits = {
	LIMIT_GUIDE_FACTS, LIMIT_YAML_EVENTS, LIMIT_YAML_DEPTH
};

/* What is read of a fact; its other keys are for the training and the tests. */
enum { FIELD_ID = FACT_LISTS, FIELD_TEXT, FIELD_LATER, FIELD_ALONE, FIELD_AGAIN, FIELDS };

static const struct {
	const char *name;
	enum yaml_kind kind; /* of a map the keys count */
} fields[FIELDS] = {
	[FACT_DO] = {"do", YAML_LIST_BEGIN},
	[FACT_ABOUT] = {"about", YAML_LIST_BEGIN},
	[FACT_ASK] = {"ask", YAML_LIST_BEGIN},
	[FACT_KEYS] = {"keys", YAML_LIST_BEGIN},
	[FACT_COMMANDS] = {"commands", YAML_LIST_BEGIN},
	[FACT_OPTIONS] = {"options", YAML_MAP_BEGIN},
	[FACT_SUBCOMMANDS] = {"subcommands", YAML_LIST_BEGIN},
	[FIELD_ID] = {"id", YAML_SCALAR},
	[FIELD_TEXT] = {"text", YAML_SCALAR},
	[FIELD_LATER] = {"later", YAML_SCALAR},
	[FIELD_ALONE] = {"alone", YAML_SCALAR},
	[FIELD_AGAIN] = {"again", YAML_SCALAR},
};

const char *facts_text(const struct facts *facts, size_t at)
{
	return facts->pool.data + at;
}

const char *facts_item(const struct facts *facts, size_t n)
{
	return facts_text(facts, facts->texts[n]);
}

void facts_deinit(struct facts *facts)
{
	buf_free(&facts->pool);
	free(facts->texts);
	free(facts->items);
	free(facts->synonyms);
	*facts = (struct facts){0};
}

static enum status no_memory(struct error *err)
{
	return error_set(err, STATUS_NOMEM, "not enough memory for the guide's facts");
}

static enum status keep_text(struct facts *facts, const struct yaml_item *item, size_t *at,
                             struct error *err)
{
	*at = facts->pool.len;
	return buf_append(&facts->pool, item->text, item->len + 1) ? no_memory(err) : STATUS_OK;
}

static enum status add_text(struct facts *facts, const struct yaml_item *item, struct error *err)
{
	if (!alloc_grow(&facts->texts, &facts->cap_texts, facts->n_texts + 1, sizeof *facts->texts,
	                LIMIT_YAML_EVENTS))
		return no_memory(err);
	return keep_text(facts, item, &facts->texts[facts->n_texts++], err);
}

/* The rest of a list of texts, or the keys of a map of texts, until its end. */
static enum status read_texts(struct yaml_reader *yaml, struct facts *facts, bool is_map,
                              struct fact_texts *out, struct error *err)
{
	struct yaml_item item;
	enum status status = STATUS_OK;

	out->first = facts->n_texts;
	while (!status) {
		status = yaml_next(yaml, &item, err);
		if (status || item.kind == YAML_LIST_END || item.kind == YAML_MAP_END)
			break;
		if (item.kind != YAML_SCALAR)
			return yaml_fail(yaml, item.line, STATUS_FORMAT, err, "a text expected here");
		status = add_text(facts, &item, err);
		if (!status && is_map)
			status = yaml_expect(yaml, YAML_SCALAR, "a value", &item, err);
	}
	out->n = facts->n_texts - out->first;
	return status;
}

static enum status skip_value(struct yaml_reader *yaml, struct error *err)
{
	struct yaml_item item;
	enum status status = yaml_next(yaml, &item, err);

	return status ? status : yaml_skip(yaml, &item, err);
}

static enum status read_field(struct yaml_reader *yaml, struct facts *facts, struct fact *fact,
                              const char *key, bool *later, struct error *err)
{
	struct yaml_item item;
	enum status status;
	size_t i = 0;

	while (i < FIELDS && strcmp(fields[i].name, key) != 0)
		i++;
	if (i == FIELDS)
		return skip_value(yaml, err);
	status = yaml_expect(yaml, fields[i].kind, fields[i].name, &item, err);
	if (status)
		return status;
	switch (i) {
	case FIELD_ID:
		return keep_text(facts, &item, &fact->id, err);
	case FIELD_TEXT:
		return keep_text(facts, &item, &fact->text, err);
	case FIELD_ALONE:
		fact->alone = item.len > 0;
		return STATUS_OK;
	case FIELD_AGAIN:
		fact->again = item.len > 0;
		return STATUS_OK;
	case FIELD_LATER:
		*later = item.len > 0;
		return STATUS_OK;
	default:
		return read_texts(yaml, facts, fields[i].kind == YAML_MAP_BEGIN, &fact->lists[i], err);
	}
}

static enum status read_fact(struct yaml_reader *yaml, struct facts *facts, size_t line,
                             struct error *err)
{
	struct fact fact = {0};
	struct yaml_item item;
	bool later = false;

	for (;;) {
		enum status status = yaml_next(yaml, &item, err);

		if (!status && item.kind == YAML_MAP_END)
			break;
		if (!status)
			status = read_field(yaml, facts, &fact, item.text, &later, err);
		if (status)
			return status;
	}
	if (!*facts_text(facts, fact.id) || !fact.text)
		return yaml_fail(yaml, line, STATUS_FORMAT, err, "a fact needs an id and a text");
	if (later)
		return STATUS_OK;
	if (!alloc_grow(&facts->items, &facts->cap, facts->n + 1, sizeof *facts->items,
	                LIMIT_YAML_EVENTS))
		return no_memory(err);
	facts->items[facts->n++] = fact;
	return STATUS_OK;
}

static enum status read_synonyms(struct yaml_reader *yaml, struct facts *facts, struct error *err)
{
	if (!alloc_grow(&facts->synonyms, &facts->cap_synonyms, facts->n_synonyms + 1,
	                sizeof *facts->synonyms, LIMIT_YAML_EVENTS))
		return no_memory(err);
	return read_texts(yaml, facts, false, &facts->synonyms[facts->n_synonyms++], err);
}

static enum status read_rows(struct yaml_reader *yaml, struct facts *facts, bool are_facts,
                             struct error *err)
{
	struct yaml_item item;
	enum status status = STATUS_OK;

	while (!status) {
		status = yaml_next(yaml, &item, err);
		if (status || item.kind == YAML_LIST_END)
			break;
		if (item.kind != (are_facts ? YAML_MAP_BEGIN : YAML_LIST_BEGIN))
			return yaml_fail(yaml, item.line, STATUS_FORMAT, err, "%s expected here",
			                 are_facts ? "a fact" : "a list of synonyms");
		status = are_facts ? read_fact(yaml, facts, item.line, err)
		                   : read_synonyms(yaml, facts, err);
	}
	return status;
}

/* One of the file's parts; `key` is gone with the next item. */
static enum status read_part(struct yaml_reader *yaml, struct facts *facts, const char *key,
                             struct error *err)
{
	bool are_facts = strcmp(key, "facts") == 0, are_synonyms = strcmp(key, "synonyms") == 0;
	bool are_noise = strcmp(key, "noise") == 0;
	struct yaml_item item;
	enum status status;

	if (!are_facts && !are_synonyms && !are_noise && strcmp(key, "elsewhere") != 0)
		return skip_value(yaml, err);
	status = yaml_expect(yaml, YAML_LIST_BEGIN, "a part of the facts", &item, err);
	if (status)
		return status;
	if (are_facts || are_synonyms)
		return read_rows(yaml, facts, are_facts, err);
	return read_texts(yaml, facts, false, are_noise ? &facts->noise : &facts->elsewhere, err);
}

static enum status read_document(struct yaml_reader *yaml, struct facts *facts, struct error *err)
{
	struct yaml_item item;
	enum status status = yaml_expect(yaml, YAML_MAP_BEGIN, "the facts", &item, err);

	while (!status) {
		status = yaml_next(yaml, &item, err);
		if (status || item.kind == YAML_MAP_END)
			break;
		status = read_part(yaml, facts, item.text, err);
	}
	return status ? status : yaml_expect(yaml, YAML_END, "the facts", &item, err);
}

enum status facts_read(struct facts *facts, const char *name, const char *text, size_t len,
                       struct error *err)
{
	struct yaml_reader *yaml;
	enum status status;

	*facts = (struct facts){0};
	buf_init(&facts->pool, 2 * LIMIT_GUIDE_FACTS);
	if (buf_append(&facts->pool, "", 1))
		return no_memory(err);
	status = yaml_open(&yaml, name, text, len, 1, &limits, err);
	if (status)
		return status;
	status = read_document(yaml, facts, err);
	yaml_close(yaml);
	return status;
}
