/* Transcripts of any bytes: they load, and a whole record behind them is never
 * lost, whatever they are. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "journal/journal_internal.h"

/* They are in order, within the text, and the words before them too. */
static void check_files(const struct node *node)
{
	size_t end = 0;

	FUZZ_CHECK(node->attachments.n <= LIMIT_ATTACHMENTS);
	FUZZ_CHECK(!node->attachments.n || node->role == ROLE_USER);
	FUZZ_CHECK(attachments_words(&node->attachments, node->len) <= node->len);
	for (size_t i = 0; i < node->attachments.n; i++) {
		const struct attachment *item = &node->attachments.items[i];

		FUZZ_CHECK(item->name && item->name[0] && !strchr(item->name, '\n'));
		FUZZ_CHECK(item->start >= end && item->from > item->start && item->from <= node->len);
		FUZZ_CHECK(item->len <= node->len - item->from);
		end = item->from + item->len;
	}
}

static void check_tree(const struct tree *tree)
{
	FUZZ_CHECK(tree_leaf(tree) <= tree_n(tree));
	for (uint32_t id = 1; id <= tree_n(tree); id++) {
		const struct node *node = tree_node(tree, id);

		FUZZ_CHECK(node->id == id && node->parent < id);
		FUZZ_CHECK(node->len <= LIMIT_MESSAGE && node->text[node->len] == '\0');
		FUZZ_CHECK(utf8_valid(node->text, node->len));
		FUZZ_CHECK(node->reasoning_len <= LIMIT_MESSAGE && node->n_reasoning_ids <= node->n_ids);
		FUZZ_CHECK(!node->ids_unknown || !node->n_ids);
		FUZZ_CHECK(!node->reasoning || node->reasoning[node->reasoning_len] == '\0');
		FUZZ_CHECK(utf8_valid(node->reasoning ? node->reasoning : "", node->reasoning_len));
		FUZZ_CHECK(!node->whole || node->role == ROLE_SYSTEM);
		FUZZ_CHECK((unsigned)node->role < ROLE_COUNT);
		check_files(node);
	}
	FUZZ_CHECK(tree_path(tree, NULL, 0) <= tree_n(tree));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char said[] = "what was said\nlast";
	const char *bytes = (const char *)data;
	struct record_source source = {.seq = 1};
	struct tree *tree, *intact = tree_create();
	struct parse_report report, after;
	struct buf title = {.max = LIMIT_RECORD}, file = {.max = LIMIT_TRANSCRIPT};
	struct error err;

	FUZZ_CHECK(intact);
	FUZZ_CHECK(transcript_parse(bytes, size, &tree, &title, &report, &err) == STATUS_OK);
	check_tree(tree);
	FUZZ_CHECK(report.good_len <= size);
	tree_free(tree);
	free(report.draft);
	attachments_free(&report.draft_files);
	buf_free(&title);

	/* A record about the first message, as the journal would go on. */
	FUZZ_CHECK(tree_add(intact, 0, ROLE_USER, said, sizeof said - 1, NULL, &err) == STATUS_OK);
	buf_append(&file, bytes, size);
	if (size && bytes[size - 1] != '\n')
		buf_putc(&file, '\n');
	record_put_message(&file, &source, tree_node(intact, 1));
	FUZZ_CHECK(buf_status(&file) == STATUS_OK);
	FUZZ_CHECK(transcript_parse(file.data, file.len, &tree, NULL, &after, &err) == STATUS_OK);
	check_tree(tree);
	FUZZ_CHECK(after.good_len == file.len && !after.torn);
	FUZZ_CHECK(tree_n(tree) >= 1);
	FUZZ_CHECK(tree_node(tree, 1)->len == sizeof said - 1);
	FUZZ_CHECK(memcmp(tree_node(tree, 1)->text, said, sizeof said - 1) == 0);
	tree_free(tree);
	free(after.draft);
	attachments_free(&after.draft_files);
	tree_free(intact);
	buf_free(&file);
	return 0;
}
