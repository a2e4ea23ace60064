#include "cli/text_input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "cli/input.h"
#include "cli/print.h"
#include "dialog/open.h"

bool text_input_is_given(const struct text_input *input)
{
	return input->text || input->file || input->ids;
}

enum status text_input_check(const struct text_input *input, size_t n_others, struct error *err)
{
	size_t n = (size_t)(!!input->text + !!input->file + !!input->ids) + n_others;

	if (n > 1)
		return error_set(err, STATUS_USAGE, "give one of these alone: -p TEXT, -f FILE, --ids IDS, chats");
	return n ? STATUS_OK : error_set(err, STATUS_USAGE, "there is nothing to evaluate: give -p TEXT, -f FILE, --ids IDS, "
	                                 "or a chat by its id, title or path");
}

enum status text_input_read(const struct text_input *input, struct buf *text, struct error *err)
{
	enum status status;

	if (!input->file)
		return buf_puts(text, input->text) ? error_set(err, STATUS_USAGE, "the text is too long") : STATUS_OK;
	status = input_read_file(input->file, text, err);
	if (!status && text->len && text->data[text->len - 1] == '\n')
		buf_remove(text, text->len - 1, 1);
	return status;
}

enum status text_input_encode(const struct text_input *input, const struct tokenizer *tokenizer,
                              struct token_list *out, struct error *err)
{
	struct buf text = {.max = LIMIT_TOKENIZE_INPUT};
	enum status status;

	if (input->ids)
		return text_input_ids(input->ids, out, err);
	status = text_input_read(input, &text, err);
	if (!status)
		status = tokenizer_encode(tokenizer, buf_text(&text), text.len, ENCODE_BOS, out, err);
	buf_free(&text);
	return status || out->n ? status : error_set(err, STATUS_USAGE, "there is nothing to evaluate: the text has no tokens");
}

enum status text_input_ids(const char *ids, struct token_list *out, struct error *err)
{
	static const char separators[] = " ,\t\n";
	char *end;

	for (const char *at = ids + strspn(ids, separators); *at; at = end + strspn(end, separators)) {
		long id;

		errno = 0;
		id = strtol(at, &end, 10);
		if (end == at || errno || id < 0 || id > INT32_MAX || (*end && !strchr(separators, *end)))
			return error_set(err, STATUS_USAGE, "--ids: found '%.20s', expected token ids separated by blanks", at);
		if (token_list_push(out, (int32_t)id))
			return error_no_memory(err, "for the token ids");
	}
	return out->n ? STATUS_OK : error_set(err, STATUS_USAGE, "--ids: there are no token ids in it");
}

enum status text_input_hold_chat(struct dialog *dialog, const char *name, struct error *err)
{
	struct opened chat;
	enum status status = dialog_open_read(name, &chat, err);

	if (status) /* no chat, rather than no model */
		return err->status = status == STATUS_NOMEM ? status : STATUS_USAGE;
	if (chat.n_damaged)
		cli_note("%s: parts of the chat's file are damaged and could not be read", name);
	dialog_hold(dialog, &chat);
	return STATUS_OK;
}
