/* Reading a transcript: our own framing first, YAML inside one record at a
 * time, so that damage stays where it is. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/option_value.h"
#include "config/yaml.h"
#include "journal/journal_internal.h"
#include "journal/journal_runs.h"

/* A message that cannot be read keeps its place, so that those after it keep theirs. */
#define UNREADABLE "[this message could not be read from the chat's file]"

enum { GAP_MAX = 1000 }; /* places kept for lost messages in one gap */

enum record_type { RECORD_META, RECORD_MESSAGE, RECORD_PART, RECORD_REPLY, RECORD_LEAF,
	RECORD_TITLE, RECORD_DRAFT, RECORD_MARK_SET, RECORD_OTHER };

/* One record read. Texts are owned, NULL: not given. */
struct record {
	enum record_type type;
	int64_t id, parent; /* -1: not given */
	int64_t from, reasoning_from, reasoning_tokens, created, sums_up;
	enum role role; /* ROLE_COUNT: not given */
	enum node_state state;
	bool has_params, whole, pinned, dropped, ids_unknown;
	char *text, *title, *origin, *model, *reasoning;
	size_t len, reasoning_len;
	int32_t *ids;
	size_t n_ids, cap_ids;
	struct sampler_params params;
	struct attachments attachments;
	struct journal_runs runs;
};

struct journal_parser {
	const char *bytes;
	size_t len;
	struct tree *tree;
	struct buf *title;
	struct parse_report *report;
	/* The reply whose parts are being read, and how much of it has been read. */
	uint32_t part_node;
};

/* Where a line that begins a record starts, from `at` (a line's beginning) on;
 * len when there is none. */
static size_t find_mark(const struct journal_parser *parser, size_t at)
{
	const char *bytes = parser->bytes;
	size_t n = sizeof RECORD_MARK - 1;

	while (at < parser->len) {
		const char *newline;

		if (parser->len - at >= n && memcmp(bytes + at, RECORD_MARK, n) == 0)
			return at;
		newline = memchr(bytes + at, '\n', parser->len - at);
		if (!newline)
			break;
		at = (size_t)(newline - bytes) + 1;
	}
	return parser->len;
}

static bool starts_at(const struct journal_parser *parser, size_t at, const char *word)
{
	size_t n = strlen(word);

	return at <= parser->len && parser->len - at >= n &&
	       memcmp(parser->bytes + at, word, n) == 0;
}

static enum record_type type_of(const char *name)
{
	static const struct {
		const char *name;
		enum record_type type;
	} types[] = {{"meta", RECORD_META}, {"message", RECORD_MESSAGE},
	             {"assistant-part", RECORD_PART}, {"assistant-end", RECORD_REPLY},
	             {"leaf", RECORD_LEAF}, {"title", RECORD_TITLE},
	             {"draft", RECORD_DRAFT}, {"mark", RECORD_MARK_SET}};

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (strcmp(types[i].name, name) == 0)
			return types[i].type;
	return RECORD_OTHER;
}

static bool parse_count(const char *text, int64_t *value)
{
	return number_parse_int(text, value) && *value >= 0;
}

static bool parse_tokens(struct record *record, const char *text)
{
	while (*text) {
		char *end;
		long id = strtol(text, &end, 10);

		if (end == text || id < 0 || id > INT32_MAX || (*end && *end != ' ') ||
		    !alloc_grow(&record->ids, &record->cap_ids, record->n_ids + 1,
		                sizeof *record->ids, LIMIT_NODE_IDS))
			return false;
		record->ids[record->n_ids++] = (int32_t)id;
		text = end + strspn(end, " ");
	}
	return true;
}

static bool set_string(char **field, const struct yaml_item *item)
{
	free(*field);
	*field = alloc_strndup(item->text, item->len);
	return *field != NULL;
}

/* Reads one scalar of a record; false if it is not valid. Unknown keys, which a later version may
 * add, are ignored. */
static bool set_field(struct record *record, const char *key, const struct yaml_item *value)
{
	struct tm tm = {0};

	if (strcmp(key, "type") == 0) {
		record->type = type_of(value->text);
	} else if (strcmp(key, "id") == 0) {
		return parse_count(value->text, &record->id);
	} else if (strcmp(key, "parent") == 0) {
		return parse_count(value->text, &record->parent);
	} else if (strcmp(key, "role") == 0) {
		return role_parse(value->text, &record->role);
	} else if (strcmp(key, "time") == 0) {
		if (strptime(value->text, "%Y-%m-%dT%H:%M:%SZ", &tm))
			record->created = timegm(&tm);
	} else if (strcmp(key, "state") == 0) {
		record->state = strcmp(value->text, "complete") == 0 ? NODE_COMPLETE
		                                                     : NODE_INTERRUPTED;
	} else if (strcmp(key, "from") == 0) {
		return parse_count(value->text, &record->from);
	} else if (strcmp(key, "text") == 0) {
		record->len = value->len;
		return set_string(&record->text, value);
	} else if (strcmp(key, "reasoning") == 0) {
		record->reasoning_len = value->len;
		return set_string(&record->reasoning, value);
	} else if (strcmp(key, "reasoning_from") == 0) {
		return parse_count(value->text, &record->reasoning_from);
	} else if (strcmp(key, "reasoning_tokens") == 0) {
		return parse_count(value->text, &record->reasoning_tokens);
	} else if (strcmp(key, "whole") == 0) {
		record->whole = strcmp(value->text, "yes") == 0;
	} else if (strcmp(key, "sums_up") == 0) {
		return parse_count(value->text, &record->sums_up);
	} else if (strcmp(key, "pinned") == 0) {
		record->pinned = strcmp(value->text, "yes") == 0;
	} else if (strcmp(key, "dropped") == 0) {
		record->dropped = strcmp(value->text, "yes") == 0;
	} else if (strcmp(key, "origin") == 0) {
		return set_string(&record->origin, value);
	} else if (strcmp(key, "model") == 0) {
		return set_string(&record->model, value);
	} else if (strcmp(key, "title") == 0) {
		return set_string(&record->title, value);
	} else if (strcmp(key, "tokens_unknown") == 0) {
		record->ids_unknown = strcmp(value->text, "yes") == 0;
	} else if (strcmp(key, "tokens") == 0) {
		return parse_tokens(record, value->text);
	}
	return true;
}

static void set_param(struct record *record, const char *name, const struct yaml_item *value)
{
	struct option_value parsed;

	for (size_t i = 0; i < sampler_n_options; i++)
		if (strcmp(sampler_options[i].name, name) == 0 &&
		    option_parse(&sampler_options[i], value->text, &parsed, NULL) == STATUS_OK &&
		    option_store(&sampler_options[i], &record->params, &parsed, NULL) == STATUS_OK)
			record->has_params = true;
}

static bool read_params(struct yaml_reader *reader, struct record *record)
{
	struct yaml_item item;
	char name[YAML_KEY_MAX];
	bool ok;

	record->params = sampler_params_default();
	while (yaml_next_scalar(reader, name, &item, &ok))
		set_param(record, name, &item);
	return ok;
}

/* One file of a message. Whether it is where the entry says is seen when the text is known. */
static bool read_attachment(struct yaml_reader *reader, struct attachments *list)
{
	struct attachment *into;
	struct yaml_item item;
	char key[YAML_KEY_MAX];
	int64_t value;
	bool ok;

	if (!alloc_grow(&list->items, &list->cap, list->n + 1, sizeof *list->items, LIMIT_ATTACHMENTS))
		return false;
	into = &list->items[list->n++];
	*into = (struct attachment){.len = 0};
	while (yaml_next_scalar(reader, key, &item, &ok)) {
		if (strcmp(key, "name") == 0 && !set_string(&into->name, &item))
			return false;
		if (strcmp(key, "from") == 0 && parse_count(item.text, &value))
			into->from = (size_t)value;
		if (strcmp(key, "bytes") == 0 && parse_count(item.text, &value))
			into->len = (size_t)value;
		if (strcmp(key, "tokens") == 0 && parse_count(item.text, &value) && value <= UINT32_MAX)
			into->tokens = (uint32_t)value;
		if (strcmp(key, "hidden") == 0 && parse_count(item.text, &value))
			into->n_hidden = (size_t)value;
	}
	return ok && into->name;
}

static bool read_attachments(struct yaml_reader *reader, struct record *record)
{
	struct yaml_item item;

	attachments_free(&record->attachments);
	for (;;) {
		if (yaml_next(reader, &item, NULL))
			return false;
		if (item.kind == YAML_LIST_END)
			return true;
		if (item.kind != YAML_MAP_BEGIN || !read_attachment(reader, &record->attachments))
			return false;
	}
}

static bool read_fields(struct yaml_reader *reader, struct record *record)
{
	struct yaml_item item;
	char key[YAML_KEY_MAX];
	bool ok;

	while (yaml_next_entry(reader, key, &item, &ok)) {
		if (item.kind == YAML_SCALAR)
			ok = set_field(record, key, &item);
		else if (item.kind == YAML_LIST_BEGIN && strcmp(key, "runs") == 0)
			ok = journal_read_runs(reader, &record->runs);
		else if (item.kind == YAML_MAP_BEGIN && strcmp(key, "params") == 0)
			ok = read_params(reader, record);
		else if (item.kind == YAML_LIST_BEGIN && strcmp(key, "attachments") == 0)
			ok = read_attachments(reader, record);
		else
			ok = yaml_skip(reader, &item, NULL) == STATUS_OK;
		if (!ok)
			return false;
	}
	return ok && yaml_next(reader, &item, NULL) == STATUS_OK;
}

/* False for bytes that are not a record. *nothing: comments or blank lines. */
static bool read_record(const char *bytes, size_t len, struct record *record, bool *nothing)
{
	static const struct yaml_limits limits = {LIMIT_RECORD, RECORD_EVENTS, RECORD_DEPTH};
	struct yaml_reader *reader;
	struct yaml_item item;
	bool ok = false;

	*record = (struct record){.type = RECORD_OTHER, .id = -1, .parent = -1, .role = ROLE_COUNT,
	                          .state = NODE_INTERRUPTED};
	*nothing = false;
	if (yaml_open(&reader, "record", bytes, len, 1, &limits, NULL))
		return false;
	if (yaml_next(reader, &item, NULL) == STATUS_OK) {
		*nothing = item.kind == YAML_END || yaml_is_null(&item);
		ok = item.kind == YAML_MAP_BEGIN && read_fields(reader, record);
	}
	yaml_close(reader);
	return ok;
}

static void free_record(struct record *record)
{
	free(record->text);
	free(record->title);
	free(record->origin);
	free(record->model);
	free(record->reasoning);
	free(record->ids);
	attachments_free(&record->attachments);
	journal_free_runs(&record->runs);
}

bool record_read_text(const char *bytes, size_t len, struct journal_text *found, struct buf *text)
{
	struct record record;
	bool nothing, ok;

	ok = read_record(bytes, len, &record, &nothing) && record.text &&
	     (record.type == RECORD_MESSAGE || record.type == RECORD_PART || record.type == RECORD_REPLY);
	if (ok) {
		found->id = record.id > 0 ? record.id : 0;
		found->role = record.role < ROLE_COUNT ? record.role : ROLE_USER;
		ok = buf_append(text, record.text, record.len) == STATUS_OK;
	}
	free_record(&record);
	return ok;
}

/* Makes places for lost messages, each an answer to the one before. */
static bool fill_gap(struct tree *tree, int64_t id)
{
	while ((int64_t)tree_n(tree) + 1 < id) {
		uint32_t last = (uint32_t)tree_n(tree);
		const struct node *before = tree_node(tree, last);
		enum role role = before && before->role == ROLE_USER ? ROLE_ASSISTANT : ROLE_USER;
		uint32_t made;

		if (tree_add(tree, last, role, UNREADABLE, sizeof UNREADABLE - 1, &made, NULL))
			return false;
		tree_node(tree, made)->state = NODE_INTERRUPTED;
	}
	return true;
}

/* Those of a record replace what an older one has said. */
static bool take_runs(struct node *node, struct record *record)
{
	if (node->role != ROLE_ASSISTANT || !record->runs.n)
		return true;
	tree_drop_runs(node);
	for (size_t i = 0; i < record->runs.n; i++)
		if (tree_add_run(node, &record->runs.items[i]))
			return false;
	return true;
}

/* The node that a record is about, made if it is new; NULL when the record does not fit the
 * tree. */
static struct node *node_of(struct journal_parser *parser, struct record *record)
{
	struct tree *tree = parser->tree;
	int64_t n = (int64_t)tree_n(tree);
	struct node *node;
	uint32_t id;

	if (record->id < 1 || record->parent < 0 || record->role == ROLE_COUNT || !record->text ||
	    record->parent >= record->id || record->id > n + 1 + GAP_MAX)
		return NULL;
	if (record->id > n) {
		if (!fill_gap(tree, record->id) ||
		    tree_add(tree, (uint32_t)record->parent, record->role, "", 0, &id, NULL))
			return NULL;
	} else {
		tree_set_leaf(tree, (uint32_t)record->id);
	}
	node = tree_node(tree, (uint32_t)record->id);
	tree_set_parent(tree, node->id, (uint32_t)record->parent);
	node->role = record->role;
	node->created = record->created;
	if (record->has_params) {
		node->has_params = true;
		node->params = record->params;
	}
	if (!take_runs(node, record))
		return NULL;
	if (record->model && node->role == ROLE_ASSISTANT && tree_set_model(node, record->model))
		return NULL;
	return node;
}

static void empty_node(struct node *node)
{
	node->len = node->reasoning_len = 0;
	if (node->text)
		node->text[0] = '\0';
	node->n_ids = node->n_reasoning_ids = 0;
	node->ids_unknown = false;
	if (node->reasoning)
		node->reasoning[0] = '\0';
	attachments_free(&node->attachments);
}

/* Appends a record's text, reasoning and tokens. */
static bool append_record(struct node *node, const struct record *record)
{
	if (tree_append(node, record->text, record->len) ||
	    (record->reasoning &&
	     tree_append_reasoning(node, record->reasoning, record->reasoning_len)))
		return false;
	if (record->ids_unknown)
		tree_forget_ids(node);
	for (size_t i = 0; i < record->n_ids; i++)
		if (tree_append_id(node, record->ids[i]))
			return false;
	/* There are fewer if a part was lost. */
	if (record->reasoning_tokens > (int64_t)node->n_reasoning_ids)
		node->n_reasoning_ids = record->reasoning_tokens < (int64_t)node->n_ids
		                                ? (size_t)record->reasoning_tokens : node->n_ids;
	return true;
}

static bool apply_message(struct journal_parser *parser, struct record *record)
{
	struct node *node = node_of(parser, record);

	if (!node)
		return false;
	empty_node(node);
	node->state = record->type == RECORD_REPLY ? record->state : NODE_COMPLETE;
	if (parser->part_node == node->id)
		parser->part_node = 0;
	node->whole = record->whole && node->role == ROLE_SYSTEM;
	node->sums_up = node->role == ROLE_SYSTEM && record->sums_up < record->id
	                ? (uint32_t)record->sums_up : 0;
	node->pinned = record->pinned;
	node->dropped = record->dropped;
	free(node->origin);
	node->origin = NULL;
	if (record->origin && tree_set_origin(node, record->origin))
		return false;
	if (!append_record(node, record))
		return false;
	return node->role != ROLE_USER || !tree_set_attachments(node, &record->attachments);
}

/* A part continues where the last one ended; one from the beginning starts over; one after a lost
 * part is appended to what there is. */
static bool apply_part(struct journal_parser *parser, struct record *record)
{
	struct node *node = node_of(parser, record);

	if (!node)
		return false;
	if ((record->from == 0 && record->reasoning_from == 0) || parser->part_node != node->id)
		empty_node(node);
	parser->part_node = node->id;
	attachments_free(&node->attachments); /* a reply has none */
	node->state = NODE_INTERRUPTED;
	return append_record(node, record);
}

static bool apply_mark(struct journal_parser *parser, const struct record *record)
{
	struct node *node = record->id >= 0 && record->id <= (int64_t)tree_n(parser->tree)
	                            ? tree_node(parser->tree, (uint32_t)record->id) : NULL;

	if (!node)
		return false;
	node->pinned = record->pinned;
	node->dropped = record->dropped;
	return true;
}

/* A user's message ends the draft. */
static void end_draft(struct journal_parser *parser)
{
	free(parser->report->draft);
	parser->report->draft = NULL;
	attachments_free(&parser->report->draft_files);
}

static bool set_draft(struct journal_parser *parser, const struct record *record)
{
	end_draft(parser);
	parser->report->draft = alloc_strndup(record->text, record->len);
	return parser->report->draft &&
	       !attachments_copy(&parser->report->draft_files, &record->attachments);
}

/* After an edit by hand the files may be elsewhere in the text: then it is all the user's own words,
 * and nothing is lost. */
static void check_attachments(struct record *record)
{
	if (record->attachments.n && (!record->text ||
	    !attachments_fit(&record->attachments, record->text, record->len)))
		attachments_free(&record->attachments);
}

static bool apply(struct journal_parser *parser, struct record *record)
{
	bool ok = true;

	switch (record->type) {
	case RECORD_MESSAGE:
	case RECORD_REPLY:
		ok = apply_message(parser, record);
		if (ok && record->role == ROLE_USER)
			end_draft(parser);
		break;
	case RECORD_PART:
		ok = apply_part(parser, record);
		break;
	case RECORD_MARK_SET:
		ok = apply_mark(parser, record);
		break;
	case RECORD_DRAFT:
		ok = record->text && set_draft(parser, record);
		break;
	case RECORD_LEAF:
		ok = record->id >= 0 && record->id <= (int64_t)tree_n(parser->tree);
		if (ok)
			tree_set_leaf(parser->tree, (uint32_t)record->id);
		break;
	default:
		break;
	}
	if (ok && record->title && parser->title) {
		buf_clear(parser->title);
		buf_append(parser->title, record->title, strlen(record->title));
	}
	return ok;
}

/* Reads the bytes as a record's body; counts them as whole, edited or damaged. */
static bool try_body(struct journal_parser *parser, size_t at, size_t end, bool as_written)
{
	struct record record;
	bool nothing, ok;

	ok = read_record(parser->bytes + at, end - at, &record, &nothing);
	if (ok)
		check_attachments(&record);
	ok = ok && apply(parser, &record);
	free_record(&record);
	if (nothing)
		return true;
	if (!ok)
		parser->report->n_damaged++;
	else if (!as_written)
		parser->report->n_edited++;
	return ok;
}

/* What is between two records and should not be: records without their frames, a note by the user,
 * or rubbish. YAML's own lines, `---` and `...`, divide it. */
static void try_stray(struct journal_parser *parser, size_t at, size_t end)
{
	bool divided = false, found = false;
	size_t start = at;

	while (at < end) {
		const char *newline = memchr(parser->bytes + at, '\n', end - at);
		size_t next = newline ? (size_t)(newline - parser->bytes) + 1 : end;

		if (starts_at(parser, at, "---") || starts_at(parser, at, "...")) {
			if (start < at)
				found |= try_body(parser, start, at, false);
			divided = true;
			start = next;
		}
		at = next;
	}
	if (start < end)
		try_body(parser, start, end, false);
	else if (divided && !found) /* a frame without contents */
		parser->report->n_damaged++;
}

/* The number after `name` in the line at `at`. */
static bool frame_number(const struct journal_parser *parser, size_t at, size_t end,
                         const char *name, int base, uint64_t *value)
{
	char line[128], *found, *stop;
	size_t n = end - at < sizeof line - 1 ? end - at : sizeof line - 1;

	memcpy(line, parser->bytes + at, n);
	line[n] = '\0';
	found = strstr(line, name);
	if (!found)
		return false;
	found += strlen(name);
	if (*found == '-' || *found == ' ')
		return false;
	*value = strtoull(found, &stop, base);
	return stop != found;
}

/* Whether the line that ends a record is at `at`; the last one of a file may lack its newline. *end
 * is the byte after it. If that newline is damaged, the next record still begins there; it would
 * not be found in the middle of a line. */
static bool ends_at(const struct journal_parser *parser, size_t at, size_t *end)
{
	if (starts_at(parser, at, "...") &&
	    starts_at(parser, at + sizeof RECORD_END - 1, RECORD_MARK)) {
		*end = at + sizeof RECORD_END - 1;
		return true;
	}
	if (!starts_at(parser, at, RECORD_END) &&
	    !(starts_at(parser, at, "...") && parser->len - at == 3))
		return false;
	*end = parser->len - at == 3 ? parser->len : at + sizeof RECORD_END - 1;
	return true;
}

/* Reads the record whose mark is at `at`; returns where it ends. */
static size_t read_framed(struct journal_parser *parser, size_t at)
{
	const char *newline = memchr(parser->bytes + at, '\n', parser->len - at);
	size_t line_end = newline ? (size_t)(newline - parser->bytes) : parser->len;
	size_t body = newline ? line_end + 1 : parser->len, next, end;
	uint64_t seq, len, crc;

	if (frame_number(parser, at, line_end, " seq=", 10, &seq) &&
	    seq >= parser->report->next_seq && seq < UINT64_MAX)
		parser->report->next_seq = seq + 1;
	if (newline && frame_number(parser, at, line_end, " len=", 10, &len) &&
	    frame_number(parser, at, line_end, " crc32c=", 16, &crc) && len <= parser->len - body &&
	    ends_at(parser, body + (size_t)len, &end) &&
	    crc32c(parser->bytes + body, (size_t)len) == crc) {
		if (try_body(parser, body, body + (size_t)len, true))
			parser->report->good_len = end;
		parser->report->n_edited += end < parser->len && parser->bytes[end - 1] != '\n';
		return end;
	}
	/* It is not as it was written: it ends at its own end line, or the next mark. */
	next = find_mark(parser, body);
	for (size_t line = body; line < next;) {
		const char *stop = memchr(parser->bytes + line, '\n', next - line);

		if (ends_at(parser, line, &end)) {
			if (try_body(parser, body, line, false))
				parser->report->good_len = end;
			return end;
		}
		line = stop ? (size_t)(stop - parser->bytes) + 1 : next;
	}
	parser->report->n_damaged++; /* torn */
	return next;
}

enum status transcript_parse(const char *bytes, size_t len, struct tree **tree, struct buf *title,
                             struct parse_report *report, struct error *err)
{
	struct journal_parser parser = {.bytes = bytes, .len = len, .title = title, .report = report};
	size_t at = 0;

	*report = (struct parse_report){.next_seq = 1};
	parser.tree = tree_create();
	if (!parser.tree)
		return error_no_memory(err, NULL);
	while (at < len) {
		size_t mark = find_mark(&parser, at);

		if (mark > at)
			try_stray(&parser, at, mark);
		at = mark < len ? read_framed(&parser, mark) : len;
	}
	/* Only a record can be torn: anything else at the end is not ours. */
	report->torn = report->good_len < len && find_mark(&parser, report->good_len) < len;
	*tree = parser.tree;
	return STATUS_OK;
}

enum status transcript_check(const char *path, const struct tree *tree,
                             const struct parse_report *report, size_t len, struct error *err)
{
	if (tree_n(tree) || report->good_len || !len)
		return STATUS_OK;
	return error_set(err, STATUS_FORMAT, "%s: not a chat saved by sotto", path);
}

enum status journal_parse(const char *bytes, size_t len, struct tree **tree, size_t *n_damaged,
                          struct buf *title, struct error *err)
{
	struct parse_report report;
	enum status status = transcript_parse(bytes, len, tree, title, &report, err);

	if (!status && n_damaged)
		*n_damaged = report.n_damaged;
	free(report.draft);
	attachments_free(&report.draft_files);
	return status;
}
