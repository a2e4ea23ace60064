/* Taking back what was recorded last: a message that was refused is none of the chat's. The file only
 * becomes shorter by what this program has just added to it; whatever speaks against that, the record
 * stays. */
#include "journal/journal_internal.h"

struct journal_point journal_point(const struct journal *journal)
{
	return (struct journal_point){.len = journal->mirror.len, .next_seq = journal->next_seq,
	                              .last_node = journal->last_node, .n_messages = journal->n_messages};
}

bool journal_take_back(struct journal *journal, const struct journal_point *before,
                       const struct journal_point *after)
{
	struct journal_file *file = &journal->file;
	const size_t cut = before->len, written = file->written;

	if (journal->is_aside || journal->lost || cut < journal->rescued_len ||
	    journal->mirror.len != after->len)
		return false;
	if (written > cut && !journal_file_cut(journal->io, file, cut ? written - cut : SIZE_MAX))
		return false;
	buf_remove(&journal->mirror, cut, journal->mirror.len - cut);
	journal->next_seq = before->next_seq;
	journal->last_node = before->last_node;
	journal->n_messages = before->n_messages;
	if (!cut)
		journal->id[0] = '\0'; /* a chat that has not begun has no name */
	journal->failed = file->spoiled || file->written < cut;
	return true;
}
