/* What was taken and what was not, in words. */
#include "import/import.h"

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
	if (!n)
		return;
	buf_printf(out, "%s%zu %s", *before, n, n == 1 ? one : many);
	*before = ", ";
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

bool import_took_all(const struct import_counts *counts)
{
	for (int i = IMPORT_FIRST_LEFT_OUT; i < IMPORT_N_KINDS; i++)
		if (counts->n[i])
			return false;
	return true;
}

void import_put_counts(struct buf *out, const struct import_counts *counts)
{
	const char *before = import_took_all(counts) ? "Imported. You may delete the file. Taken: "
	                                             : "Imported, but not all of it: keep the file. Taken: ";

	put(out, &before, counts->n_chats > 1 ? counts->n_chats : 0, "chat", "chats");
	put_kinds(out, before, counts, IMPORT_MESSAGES, IMPORT_EMPTY);
	put_kinds(out, " Empty: ", counts, IMPORT_EMPTY, IMPORT_FIRST_LEFT_OUT);
	put_kinds(out, " Left out: ", counts, IMPORT_FIRST_LEFT_OUT, IMPORT_N_KINDS);
}
