#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "config/yaml.h"
#include "guide/guide_internal.h"

static const struct yaml_limits limits = {LIMIT_GUIDE_FACTS, LIMIT_YAML_EVENTS, LIMIT_YAML_DEPTH};

/* What is read of a fact; its other keys are for the training and the tests. */
enum field { FIELD_ID, FIELD_TEXT, FIELD_ALONE, FIELD_AGAIN, FIELD_PHRASES };

static const struct {
	const char *key;
	enum field field;
	enum yaml_kind kind; /* of a map the keys are phrases */
	const char *before;  /* each of its phrases */
} fields[] = {
	{"id", FIELD_ID, YAML_SCALAR, ""}, {"text", FIELD_TEXT, YAML_SCALAR, ""},
	{"alone", FIELD_ALONE, YAML_SCALAR, ""}, {"again", FIELD_AGAIN, YAML_SCALAR, ""},
	{"do", FIELD_PHRASES, YAML_LIST_BEGIN, ""}, {"about", FIELD_PHRASES, YAML_LIST_BEGIN, ""},
	{"ask", FIELD_PHRASES, YAML_LIST_BEGIN, ""}, {"keys", FIELD_PHRASES, YAML_LIST_BEGIN, ""},
	{"commands", FIELD_PHRASES, YAML_LIST_BEGIN, "/"},
	{"options", FIELD_PHRASES, YAML_MAP_BEGIN, "--"},
	{"subcommands", FIELD_PHRASES, YAML_LIST_BEGIN, "sotto "},
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

const char *facts_id(const struct guide_facts *facts, size_t fact)
{
	return facts->pool.data + facts->items[fact].id;
}

const char *facts_text(const struct guide_facts *facts, size_t fact)
{
	return facts->pool.data + facts->items[fact].text;
}

void facts_deinit(struct guide_facts *facts)
{
	buf_free(&facts->pool);
	buf_free(&facts->lists);
	free(facts->items);
	*facts = (struct guide_facts){0};
}

/* Where a text begins that is added to the pool. */
static size_t keep_text(struct guide_facts *facts, const struct yaml_item *item)
{
	size_t at = facts->pool.len;

	buf_append(&facts->pool, item->text, item->len + 1);
	return at;
}

/* Appends the rest of a list of texts, or the keys of a map of texts, a line each. */
static enum status read_texts(struct yaml_reader *yaml, struct guide_facts *facts, bool is_map,
                              const char *before, struct error *err)
{
	for (;;) {
		struct yaml_item item;
		enum status status = yaml_next(yaml, &item, err);

		if (status || item.kind == YAML_LIST_END || item.kind == YAML_MAP_END)
			return status;
		if (item.kind != YAML_SCALAR)
			return yaml_fail(yaml, item.line, STATUS_FORMAT, err, "a text expected here");
		buf_printf(&facts->lists, "%s%s\n", before, item.text);
		if (is_map)
			status = yaml_expect(yaml, YAML_SCALAR, "a value", &item, err);
		if (status)
			return status;
	}
}

static enum status skip_value(struct yaml_reader *yaml, struct error *err)
{
	struct yaml_item item;
	enum status status = yaml_next(yaml, &item, err);

	return status ? status : yaml_skip(yaml, &item, err);
}

static enum status read_field(struct yaml_reader *yaml, struct guide_facts *facts,
                              struct guide_fact *fact, const char *key, struct error *err)
{
	struct yaml_item item;
	enum status status;
	size_t i = 0;

	while (i < FIELDS && strcmp(fields[i].key, key) != 0)
		i++;
	if (i == FIELDS)
		return skip_value(yaml, err);
	status = yaml_expect(yaml, fields[i].kind, fields[i].key, &item, err);
	if (status)
		return status;
	switch (fields[i].field) {
	case FIELD_ID:
		fact->id = keep_text(facts, &item);
		break;
	case FIELD_TEXT:
		fact->text = keep_text(facts, &item);
		break;
	case FIELD_ALONE:
		fact->alone = item.len > 0;
		break;
	case FIELD_AGAIN:
		fact->again = item.len > 0;
		break;
	case FIELD_PHRASES:
		return read_texts(yaml, facts, fields[i].kind == YAML_MAP_BEGIN, fields[i].before, err);
	}
	return STATUS_OK;
}

static enum status read_fact(struct yaml_reader *yaml, struct guide_facts *facts, size_t line,
                             struct error *err)
{
	struct guide_fact fact = {.phrases = facts->lists.len};
	struct yaml_item item;

	for (;;) {
		enum status status = yaml_next(yaml, &item, err);

		if (!status && item.kind == YAML_MAP_END)
			break;
		if (!status)
			status = read_field(yaml, facts, &fact, item.text, err);
		if (status)
			return status;
	}
	if (!buf_text(&facts->pool)[fact.id] || !fact.text)
		return yaml_fail(yaml, line, STATUS_FORMAT, err, "a fact needs an id and a text");
	buf_putc(&facts->lists, '\0');
	if (!alloc_grow(&facts->items, &facts->cap, facts->n + 1, sizeof fact, LIMIT_YAML_EVENTS))
		return error_no_memory(err, "for the guide's facts");
	facts->items[facts->n++] = fact;
	return STATUS_OK;
}

static enum status read_facts(struct yaml_reader *yaml, struct guide_facts *facts,
                              struct error *err)
{
	for (;;) {
		struct yaml_item item;
		enum status status = yaml_next(yaml, &item, err);

		if (status || item.kind == YAML_LIST_END)
			return status;
		if (item.kind != YAML_MAP_BEGIN)
			return yaml_fail(yaml, item.line, STATUS_FORMAT, err, "a fact expected here");
		status = read_fact(yaml, facts, item.line, err);
		if (status)
			return status;
	}
}

/* One of the file's parts; `key` is gone with the next item. */
static enum status read_part(struct yaml_reader *yaml, struct guide_facts *facts, const char *key,
                             struct error *err)
{
	bool are_facts = strcmp(key, "facts") == 0;
	size_t *list = strcmp(key, "noise") == 0      ? &facts->noise
	               : strcmp(key, "declines") == 0 ? &facts->declines
	               : strcmp(key, "no_question") == 0 ? &facts->no_question
	               : strcmp(key, "unsure") == 0   ? &facts->unsure : NULL;
	struct yaml_item item;
	enum status status;

	if (!are_facts && !list)
		return skip_value(yaml, err);
	status = yaml_expect(yaml, YAML_LIST_BEGIN, "a part of the facts", &item, err);
	if (status || are_facts)
		return status ? status : read_facts(yaml, facts, err);
	*list = facts->lists.len;
	status = read_texts(yaml, facts, false, "", err);
	buf_putc(&facts->lists, '\0');
	return status;
}

static enum status read_document(struct yaml_reader *yaml, struct guide_facts *facts,
                                 struct error *err)
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

enum status facts_read(struct guide_facts *facts, const char *name, const char *text, size_t len,
                       struct error *err)
{
	struct yaml_reader *yaml;
	enum status status;

	*facts = (struct guide_facts){.pool = {.max = 2 * LIMIT_GUIDE_FACTS},
	                              .lists = {.max = 2 * LIMIT_GUIDE_FACTS}};
	buf_putc(&facts->pool, '\0');
	buf_putc(&facts->lists, '\0');
	status = yaml_open(&yaml, name, text, len, 1, &limits, err);
	if (status)
		return status;
	status = read_document(yaml, facts, err);
	yaml_close(yaml);
	return buf_status(&facts->pool) || buf_status(&facts->lists) ? error_no_memory(err, "for the guide's facts")
	                                                             : status;
}
