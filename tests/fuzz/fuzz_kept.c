/* Records of candidates (kept/kept_record.h), whose checksums keep out damage, not malice: whatever the bytes, they are
 * refused, or what they say can be written and read again. */
#include "base/limits.h"
#include "fuzz/fuzz.h"
#include "kept/kept_file.h"
#include "kept/kept_record.h"

/* Looks at all that views look at. */
static void look(const struct kept_reply *reply)
{
	const int32_t *tail;
	size_t n, len;
	bool is_whole;

	tail = kept_tail(reply, &n, &is_whole);
	for (size_t i = 0; i < n; i++)
		FUZZ_CHECK(tail[i] < 0 || !kept_n_vocab(reply) || (uint32_t)tail[i] < kept_n_vocab(reply));
	for (size_t i = 0; i < kept_n(reply); i++) {
		const struct kept_token *token = kept_token(reply, i);

		FUZZ_CHECK(token->n_candidates <= TOKEN_CANDIDATES_MAX);
		for (size_t j = 0; j < token->n_candidates; j++) {
			(void)kept_text(reply, token->candidates[j].id, &len);
			(void)kept_cut_name(token->candidates[j].cut_by);
		}
	}
}

static struct kept *begin(void)
{
	static const uint8_t model[] = {'m', 'o', 'n', 'e'};
	struct kept *kept = kept_create();

	FUZZ_CHECK(kept && kept_record_take(kept, model, sizeof model));
	return kept;
}

/* A record that was taken says as much when it is written again. */
static void write_again(struct kept *kept, struct kept_reply *reply)
{
	struct kept *other = begin();
	struct buf bytes = {.max = MIB(1)};
	size_t n;

	reply->n_saved = 0;
	FUZZ_CHECK(kept_record_put(kept, reply, KEPT_RECORD_TOKENS, 0, &bytes, &n) == STATUS_OK && n == reply->n);
	FUZZ_CHECK(kept_record_take(other, (const uint8_t *)bytes.data + KEPT_FRAME, bytes.len - KEPT_FRAME));
	FUZZ_CHECK(kept_reply(other, reply->node) && kept_n(kept_reply(other, reply->node)) == n);
	buf_free(&bytes);
	kept_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kept *kept = begin();

	if (kept_record_take(kept, data, size) && kept->n_replies) {
		look(kept->replies[0]);
		write_again(kept, kept->replies[0]);
	}
	kept_free(kept);
	return 0;
}
