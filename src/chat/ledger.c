#include "chat/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "chat/path.h"

enum { NAME_BYTES = 24, TEXT_BYTES = 48 };

static struct ledger_row *add(struct ledger *ledger, enum ledger_kind kind, uint32_t tokens)
{
	struct ledger_row *row = &ledger->rows[ledger->n++];

	*row = (struct ledger_row){.kind = kind, .tokens = tokens, .name = "", .text = ""};
	return row;
}

static void add_node(struct ledger *ledger, enum ledger_kind kind, const struct node *node,
                     uint32_t tokens, const char *why)
{
	struct ledger_row *row = add(ledger, kind, tokens);

	row->name = tree_speaker(node);
	row->why = why;
	row->node = kind == LEDGER_MESSAGE ? node->id : 0;
	row->pinned = node->pinned;
	row->text = node->len ? node->text : "";
	row->len = node->len;
}

/* What the message itself takes. */
static uint32_t own_tokens(const struct message_count *count)
{
	return count->tokens - count->markup - count->files;
}

/* The tokens of all its files as they were counted when they were attached; 0: one was not. */
static uint64_t attached_tokens(const struct node *node)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < node->attachments.n; i++) {
		if (!node->attachments.items[i].tokens)
			return 0;
		sum += node->attachments.items[i].tokens;
	}
	return sum;
}

static void add_file(struct ledger *ledger, uint32_t tokens, const char *kind, const char *name)
{
	struct ledger_row *row = add(ledger, LEDGER_FILES, tokens);

	row->name = kind;
	row->text = name;
	row->len = strlen(name);
}

/* A row each. What they take now, of which only the sum is known, is shared out as they were counted
 * then: their own numbers, but for a token where two of them meet, or another model's way to count. */
static void add_files(struct ledger *ledger, const struct node *node, const struct message_count *count)
{
	const struct attachments *files = node ? &node->attachments : NULL;
	uint64_t all = node ? attached_tokens(node) : 0, before = 0;

	if (!count->files)
		return;
	if (!all) {
		add_file(ledger, count->files, !node || files->n > 1 ? "  attached files" : "  attached file",
		         node && files->n ? files->items[0].name : "");
		return;
	}
	for (size_t i = 0; i < files->n; i++) {
		uint64_t upto = before + files->items[i].tokens;

		add_file(ledger, (uint32_t)((upto * count->files + all / 2) / all -
		                            (before * count->files + all / 2) / all),
		         "  attached file", files->items[i].name);
		before = upto;
	}
}

static size_t count_files(const struct tree *tree, const uint32_t *ids, size_t n)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += tree_node(tree, ids[i])->attachments.n;
	return sum;
}

static void add_counted(struct ledger *ledger, const struct tree *tree, const uint32_t *sent, size_t i,
                        const struct ledger_counts *counts)
{
	const struct node *node = tree_node(tree, sent[i]);
	const struct message_count *count = &counts->messages[i];
	enum ledger_kind kind = node->role != ROLE_SYSTEM ? LEDGER_MESSAGE
	                        : node->sums_up ? LEDGER_SUMMARY : LEDGER_SYSTEM;

	add_node(ledger, kind, node, own_tokens(count), count->left_out ? "left out" : NULL);
	add_files(ledger, node, count);
}

/* Those of the system that stand first, and what the template adds to all. Returns how many stand
 * first. */
static size_t add_system(struct ledger *ledger, const struct tree *tree, const uint32_t *sent,
                       size_t n_sent, const struct ledger_counts *counts)
{
	uint32_t markup = counts->help.markup;
	size_t n_first = 0;

	if (counts->help.tokens)
		add(ledger, LEDGER_HELP, own_tokens(&counts->help));
	for (; n_first < n_sent && tree_node(tree, sent[n_first])->role == ROLE_SYSTEM; n_first++)
		if (!counts->help.tokens)
			add_counted(ledger, tree, sent, n_first, counts);
	for (size_t i = 0; i < counts->n; i++)
		markup += counts->messages[i].markup;
	add(ledger, LEDGER_TEMPLATE, markup);
	return n_first;
}

/* What was said, in its order: what is sent of it behind the first system messages is counted. */
static void add_said(struct ledger *ledger, const struct tree *tree, const uint32_t *said,
                     size_t n_said, const uint32_t *sent, size_t n_sent,
                     size_t n_first, const struct ledger_counts *counts)
{
	uint32_t summed_up = path_summed_up(tree);
	size_t at = n_first;

	for (size_t i = 0; i < n_said; i++) {
		const struct node *node = tree_node(tree, said[i]);

		if (at < n_sent && sent[at] == said[i]) {
			if (node->role != ROLE_SYSTEM || !counts->help.tokens)
				add_counted(ledger, tree, sent, at, counts);
			at++;
		} else if (node->role == ROLE_SYSTEM) {
			continue; /* it stands first, or another is in its place */
		} else if (node->dropped || path_is_summed_up(node, summed_up)) {
			add_node(ledger, LEDGER_MESSAGE, node, 0, node->dropped ? "dropped" : "summed up");
		} /* otherwise it is newer than what was counted */
	}
}

static void add_room(struct ledger *ledger, const struct ledger_counts *counts)
{
	uint32_t room = counts->total < counts->n_ctx ? counts->n_ctx - counts->total : 0;
	uint32_t reserve = counts->reserve < room ? counts->reserve : room;

	if (!counts->n_ctx) /* how much room there is, nobody knows */
		return;
	add(ledger, LEDGER_RESERVE, reserve);
	add(ledger, LEDGER_FREE, room - reserve);
	ledger->over = counts->total > counts->n_ctx ? counts->total - counts->n_ctx : 0;
}

bool ledger_make(struct ledger *out, const struct tree *tree, const struct ledger_counts *counts)
{
	size_t n_sent, n_said;
	uint32_t *sent = path_sent(tree, &n_sent), *said = path_said(tree, &n_said);

	*out = (struct ledger){.total = counts->total, .cached = counts->cached, .n_ctx = counts->n_ctx,
	                        .estimated = counts->estimated, .is_total_known = counts->is_total_known};
	/* Each message, a row for its files or one for each, and one row of each other kind. */
	if (sent && said)
		out->rows = alloc_array(2 * (n_said + n_sent) + count_files(tree, said, n_said) +
		                        count_files(tree, sent, n_sent) + LEDGER_FREE + 1, sizeof *out->rows);
	/* Another message may have been sent since it was counted. */
	if (out->rows && counts->n < n_sent)
		n_sent = counts->n;
	if (out->rows) {
		add_said(out, tree, said, n_said, sent, n_sent, add_system(out, tree, sent, n_sent, counts), counts);
		if (counts->n > n_sent) {
			add(out, LEDGER_DRAFT, own_tokens(&counts->messages[n_sent]));
			add_files(out, NULL, &counts->messages[n_sent]);
		}
		add_room(out, counts);
	}
	free(sent);
	free(said);
	return out->rows != NULL;
}

void ledger_free(struct ledger *ledger)
{
	free(ledger->rows);
	*ledger = (struct ledger){.n = 0};
}

/* How a row that has no message is named; "": it has one. */
static const char *words_of(enum ledger_kind kind)
{
	switch (kind) {
	case LEDGER_HELP: return "System, with the guide's help for the last question (F8)";
	case LEDGER_TEMPLATE: return "Chat template, around the messages";
	case LEDGER_DRAFT: return "Draft in the input line";
	case LEDGER_RESERVE: return "Reserved for the reply";
	case LEDGER_FREE: return "Free";
	default: return "";
	}
}

void ledger_put_what(struct buf *out, const struct ledger_row *row, size_t name_max,
                     size_t text_max)
{
	const char *newline = row->len ? memchr(row->text, '\n', row->len) : NULL;
	size_t line = newline ? (size_t)(newline - row->text) : row->len;
	size_t shown = utf8_cut(row->text, line, text_max);

	buf_puts(out, words_of(row->kind));
	if (words_of(row->kind)[0])
		return;
	buf_append(out, row->name, utf8_cut(row->name, strlen(row->name), name_max));
	buf_printf(out, "%s%s%.*s%s", row->pinned ? " (pinned)" : "",
	           row->len || row->kind != LEDGER_FILES ? ": " : "", (int)shown, row->text,
	           shown < row->len ? "\342\200\246" : "");
}

void ledger_put_sum(struct buf *out, const struct ledger *ledger)
{
	bool is_estimate = ledger->estimated && !ledger->is_total_known;

	buf_printf(out, "%s%u ", is_estimate ? "~" : "", ledger->total);
	if (ledger->n_ctx)
		buf_printf(out, "of %u ", ledger->n_ctx);
	buf_puts(out, "tokens");
	if (ledger->estimated && !is_estimate)
		buf_puts(out, ", as the server counts; a message's part is an estimate");
	else if (is_estimate)
		buf_puts(out, ", as far as it can be estimated: the server does not count");
	else
		buf_printf(out, ", %u of them in the cache", ledger->cached);
	if (ledger->over)
		buf_printf(out, "; too long by %u", ledger->over);
}

const char *ledger_count(const struct ledger_row *row, bool estimated, char text[LEDGER_COUNT_MAX])
{
	snprintf(text, LEDGER_COUNT_MAX, "%s%u", estimated && row->tokens ? "~" : "", row->tokens);
	return row->why ? row->why : text;
}

void ledger_put_text(struct buf *out, const struct ledger *ledger)
{
	for (size_t i = 0; i < ledger->n; i++) {
		const struct ledger_row *row = &ledger->rows[i];

		buf_printf(out, "%s%9s  ", i ? "\n" : "", ledger_count(row, ledger->estimated, (char[LEDGER_COUNT_MAX]){0}));
		ledger_put_what(out, row, NAME_BYTES, TEXT_BYTES);
	}
}
