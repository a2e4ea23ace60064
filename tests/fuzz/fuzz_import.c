/* Files of other programs' chats, of any bytes: what is read of them are trees. */
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "chat/export.h"
#include "import/import.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct import import;
	struct error err;

	if (import_read(&import, "file", (const char *)data, size, NULL, &err) == STATUS_OK)
		FUZZ_CHECK(import.n > 0);
	for (size_t i = 0; i < import.n; i++) {
		const struct tree *tree = import.chats[i].tree;

		FUZZ_CHECK(tree_n(tree) > 0 && tree_leaf(tree) > 0 && tree_leaf(tree) <= tree_n(tree));
		for (uint32_t id = 1; id <= tree_n(tree); id++) {
			const struct node *node = tree_node(tree, id);

			FUZZ_CHECK(node->id == id && node->parent < id);
			FUZZ_CHECK(node->text[node->len] == '\0' && utf8_valid(node->text, node->len));
			FUZZ_CHECK(utf8_valid(node->reasoning ? node->reasoning : "", node->reasoning_len));
		}
		for (size_t format = 0; format < export_formats_n; format++) {
			struct buf out = {.max = LIMIT_TRANSCRIPT};

			FUZZ_CHECK(export_formats[format].write(tree, import.chats[i].title, &out) == STATUS_OK);
			FUZZ_CHECK(utf8_valid(buf_text(&out), out.len));
			buf_free(&out);
		}
	}
	import_free(&import);
	return 0;
}
