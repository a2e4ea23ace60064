#include "import/import.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "import/reading.h"

/* Messages that stand in a list, or on lines, are a chat. */
static void end_alone(struct reading *reading)
{
	for (size_t i = 0; i < reading->n_drafts; i++)
		if (!reading->drafts[i].key) {
			reading_end(reading, &reading->drafts[i]);
			return;
		}
}

/* A document: an object, or a list of objects, or of lists of them. */
static enum status read_document(struct reading *reading, struct json_reader *json,
				 const struct json_item *first, struct job *job)
{
	struct json_item item = *first;
	const struct value *object;
	enum status status;

	if (item.kind == JSON_OBJECT) {
		status = values_load(&reading->values, json, &item, job, &object, reading->err);
		if (status)
			return status;
		format_read(reading, NULL, object);
		reading_count(reading, IMPORT_REPEATED_KEYS, reading->values.n_repeated);
		values_free(&reading->values);
		return reading->status;
	}
	if (item.kind != JSON_ARRAY) {
		reading_count(reading, IMPORT_UNKNOWN_ENTRIES, item.kind != JSON_NULL);
		return STATUS_OK;
	}
	for (;;) {
		status = json_next(json, &item, reading->err);
		if (status)
			return status;
		if (item.kind == JSON_ARRAY_END) {
			end_alone(reading);
			return reading->status;
		}
		status = read_document(reading, json, &item, job);
		if (status)
			return status;
	}
}

/* Files that hold an export, or another text than UTF-8, by how they begin. */
static const struct {
	const char *begins;
	size_t n;
	const char *what;
} wrapped[] = {
	{"PK\3\4", 4, "the file is a zip archive: unzip it, and import the JSON files in it (of ChatGPT and Claude conversations.json)"},
	{"\x1f\x8b", 2, "the file is compressed: unpack it with gunzip first"},
	{"\xFD" "7zXZ", 5, "the file is compressed: unpack it with unxz first"},
	{"BZh", 3, "the file is compressed: unpack it with bunzip2 first"},
	{"\x28\xB5\x2F\xFD", 4, "the file is compressed: unpack it with unzstd first"},
	{"7z\xBC\xAF", 4, "the file is an archive: unpack it first"},
	{"SQLite format 3", 15, "the file is a database: export the chats as JSON with the program that wrote it"},
	{"%PDF", 4, "the file is a PDF, not JSON: export the chats as JSON"},
	{"\xFF\xFE\0\0", 4, "the text is UTF-32; iconv -f UTF-32 -t UTF-8 converts it"},
	{"\0\0\xFE\xFF", 4, "the text is UTF-32; iconv -f UTF-32 -t UTF-8 converts it"},
	{"\xFF\xFE", 2, "the text is UTF-16; iconv -f UTF-16 -t UTF-8 converts it"},
	{"\xFE\xFF", 2, "the text is UTF-16; iconv -f UTF-16 -t UTF-8 converts it"},
};

static const char *find_wrapped(const char *text, size_t len)
{
	const bool zeros[4] = {len > 0 && !text[0], len > 1 && !text[1], len > 2 && !text[2], len > 3 && !text[3]};

	for (size_t i = 0; i < sizeof wrapped / sizeof wrapped[0]; i++)
		if (len >= wrapped[i].n && memcmp(text, wrapped[i].begins, wrapped[i].n) == 0)
			return wrapped[i].what;
	/* Without a mark: JSON begins with ASCII. */
	if (zeros[1] && zeros[2] && zeros[3])
		return "the text is UTF-32; iconv -f UTF-32LE -t UTF-8 converts it";
	if (zeros[0] && zeros[1])
		return "the text is UTF-32; iconv -f UTF-32BE -t UTF-8 converts it";
	if (zeros[1])
		return "the text is UTF-16; iconv -f UTF-16LE -t UTF-8 converts it";
	return zeros[0] && len > 1 ? "the text is UTF-16; iconv -f UTF-16BE -t UTF-8 converts it" : NULL;
}

enum status import_read(struct import *import, const char *name, const char *text, size_t len,
			struct job *job, struct error *err)
{
	struct reading reading = {.import = import, .err = err};
	struct json_reader json;
	struct json_item item;
	enum status status;
	struct buf formats = {.max = KIB(4)};
	const char *what;

	*import = (struct import){.n = 0};
	what = find_wrapped(text, len);
	if (what)
		return error_set(err, STATUS_FORMAT, "%s: %s", name, what);
	reading_count(&reading, IMPORT_BAD_BYTES, utf8_count_bad(text, len));
	json_begin(&json, name, text, len);
	for (;;) {
		status = json_next(&json, &item, err);
		if (status || item.kind == JSON_END)
			break;
		status = read_document(&reading, &json, &item, job);
		if (status)
			break;
	}
	while (!status && reading.n_drafts) {
		reading_end(&reading, &reading.drafts[0]);
		status = reading.status;
	}
	if (job)
		atomic_store_explicit(&job->done, json.at, memory_order_relaxed);
	for (size_t i = 0; i < reading.n_drafts; i++)
		draft_free(&reading.drafts[i]);
	free(reading.drafts);
	values_free(&reading.values);
	json_end(&json);
	if (status || import->n)
		return status;
	import_put_formats(&formats);
	status = error_set(err, STATUS_FORMAT,
			   "%s: has no messages that sotto can read; it reads files of %s", name,
			   buf_text(&formats));
	buf_free(&formats);
	return status;
}

void import_free(struct import *import)
{
	for (size_t i = 0; i < import->n; i++) {
		tree_free(import->chats[i].tree);
		free(import->chats[i].title);
	}
	free(import->chats);
	*import = (struct import){.n = 0};
}

/* ---- what was taken and what was not, in words ---- */

static const struct {
	const char *one, *many;
} names[IMPORT_N_KINDS] = {
	[IMPORT_MESSAGES] = {"message", "messages"},
	[IMPORT_FILES] = {"attached file", "attached files"},
	[IMPORT_EMPTY] = {"message", "messages"},
	[IMPORT_IMAGES] = {"image", "images"},
	[IMPORT_SOUNDS] = {"sound or video", "sounds or videos"},
	[IMPORT_OTHER_FILES] = {"file without text", "files without text"},
	[IMPORT_TOOL_CALLS] = {"tool call", "tool calls"},
	[IMPORT_TOOL_RESULTS] = {"tool result", "tool results"},
	[IMPORT_OTHER_TEXTS] = {"second text of a message", "second texts of messages"},
	[IMPORT_UNKNOWN_ROLES] = {"message of an unknown kind", "messages of an unknown kind"},
	[IMPORT_UNKNOWN_PARTS] = {"part of an unknown kind", "parts of an unknown kind"},
	[IMPORT_UNKNOWN_ENTRIES] = {"entry that is not a message", "entries that are not messages"},
	[IMPORT_REPEATED_KEYS] = {"key given twice", "keys given twice"},
	[IMPORT_BAD_BYTES] = {"byte that is not UTF-8", "bytes that are not UTF-8"},
};

static void put(struct buf *out, const char **before, size_t n, const char *one, const char *many)
{
	if (n)
		buf_printf(out, "%s%zu %s", *before, n, n == 1 ? one : many);
	*before = n ? ", " : *before;
}

static void put_kinds(struct buf *out, const char *title, const struct import_counts *counts, int from, int to)
{
	const char *before = title;
	const size_t len = out->len;

	for (int i = from; i < to; i++)
		put(out, &before, counts->n[i], names[i].one, names[i].many);
	if (out->len > len)
		buf_putc(out, '.');
}

size_t import_n_left_out(const struct import_counts *counts)
{
	size_t n = 0;

	for (int i = IMPORT_FIRST_LEFT_OUT; i < IMPORT_N_KINDS; i++)
		n += counts->n[i];
	return n;
}

void import_put_counts(struct buf *out, const struct import_counts *counts)
{
	const char *before = import_n_left_out(counts)
	                             ? "Imported, but not all of it: keep the file. Taken: "
	                             : "Imported. You may delete the file. Taken: ";

	put(out, &before, counts->n_chats > 1 ? counts->n_chats : 0, "chat", "chats");
	put_kinds(out, before, counts, IMPORT_MESSAGES, IMPORT_EMPTY);
	put_kinds(out, " Empty: ", counts, IMPORT_EMPTY, IMPORT_FIRST_LEFT_OUT);
	put_kinds(out, " Left out: ", counts, IMPORT_FIRST_LEFT_OUT, IMPORT_N_KINDS);
}
