/* The quick reader of a transcript's messages, which the search uses, against the one that opens chats:
 * of a record of any bytes both must find the same text, or one of them none. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "base/limits.h"
#include "fuzz/fuzz.h"
#include "journal/journal_internal.h"

struct found {
	size_t n;
	struct buf text; /* of the last one */
};

static bool take(const struct journal_text *text, void *context)
{
	struct found *found = context;

	FUZZ_CHECK(text->from < text->to && (unsigned)text->role < ROLE_COUNT);
	FUZZ_CHECK(text->text[text->len] == '\0');
	found->n++;
	buf_clear(&found->text);
	buf_append(&found->text, text->text, text->len);
	return true;
}

static bool begins_line(const char *bytes, size_t len, const char *mark)
{
	for (size_t at = 0; at < len;) {
		const char *newline = memchr(bytes + at, '\n', len - at);

		if (len - at >= 3 && memcmp(bytes + at, mark, 3) == 0)
			return true;
		at = newline ? (size_t)(newline - bytes) + 1 : len;
	}
	return false;
}

/* As the journal frames it. */
static void put_record(struct buf *out, const char *body, size_t len)
{
	buf_printf(out, RECORD_MARK "seq=1 len=%zu crc32c=%08" PRIx32 "\n", len, crc32c(body, len));
	buf_append(out, body, len);
	buf_puts(out, RECORD_END);
	FUZZ_CHECK(buf_status(out) == STATUS_OK);
}

static void compare(const char *body, size_t len)
{
	struct found found = {.n = 0};
	struct parse_report report;
	const struct node *node;
	struct tree *tree;
	struct buf file = {.max = LIMIT_TRANSCRIPT};

	buf_init(&found.text, LIMIT_RECORD);
	put_record(&file, body, len);
	FUZZ_CHECK(journal_texts(file.data, file.len, take, &found) == file.len);
	FUZZ_CHECK(found.n <= 1);
	FUZZ_CHECK(transcript_parse(file.data, file.len, &tree, NULL, &report, NULL) == STATUS_OK);
	/* A gap before the message is filled with others. */
	node = report.n_damaged ? NULL : tree_node(tree, (uint32_t)tree_n(tree));
	if (node && node->len) {
		FUZZ_CHECK(found.n == 1 && found.text.len == node->len);
		FUZZ_CHECK(memcmp(found.text.data, node->text, node->len) == 0);
	} else if (!report.n_damaged) { /* a damaged message may be found by what is left of it */
		FUZZ_CHECK(found.text.len == 0);
	}
	tree_free(tree);
	free(report.draft);
	attachments_free(&report.draft_files);
	buf_free(&found.text);
	buf_free(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *body = (const char *)data;
	struct found found = {.n = 0};

	buf_init(&found.text, LIMIT_RECORD);
	FUZZ_CHECK(journal_texts(body, size, take, &found) <= size);
	buf_free(&found.text);
	/* One record, and nothing but it. */
	if (size && body[size - 1] == '\n' && !begins_line(body, size, "---") && !begins_line(body, size, "..."))
		compare(body, size);
	return 0;
}
