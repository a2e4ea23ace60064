/* What the model is told: the layout that it was trained with
 * (tools/guide/generate.py, system_message). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "base/utf8.h"
#include "catalog/recommended_models.h"
#include "guide/guide_internal.h"

/* ---- what the guide says of this machine, in the words that it was trained with
 * (tools/guide/facts.py, machine) ---- */

static void put_gib(char out[32], uint64_t bytes)
{
	if (bytes)
		snprintf(out, 32, "%.1f GiB", (double)bytes / (1 << 30));
	else
		snprintf(out, 32, "an unknown amount");
}

/* The largest file that is fast enough: a quarter of the memory is for the cache, and for others. */
static void put_fits(char out[32], uint64_t available, double weight_rate)
{
	const uint64_t giga = 1000000000;
	uint64_t most = available / 4 * 3, fast = recommended_most_bytes(weight_rate);

	most = most < fast ? most : fast;
	if (!available)
		snprintf(out, 32, "1 GB");
	else if (most < giga)
		snprintf(out, 32, "%.1f GB", (double)most / (double)giga);
	else
		snprintf(out, 32, "%" PRIu64 " GB", most / giga);
}

void guide_values_now(struct guide_values *out, size_t turn, double weight_rate)
{
	uint64_t available = sys_memory_available();

	put_gib(out->memory, sys_memory_total());
	put_gib(out->free, available);
	put_fits(out->fits, available, weight_rate);
	recommended_words(recommended_choose(available, weight_rate), out->suggestion,
	                  sizeof out->suggestion);
	snprintf(out->version, sizeof out->version, "%s", PACKAGE_VERSION);
	snprintf(out->turn, sizeof out->turn, "%zu", (turn ? turn - 1 : 0) % GUIDE_TURNS + 1);
}

/* ---- the prompt ---- */

static const char default_system[] = "You are the guide of sotto, a tiny model.";

void guide_fill_text(const char *text, const struct guide_values *values, struct buf *out)
{
	const struct {
		const char *name, *value;
	} rows[] = {
		{"{memory}", values->memory},   {"{free}", values->free},
		{"{fits}", values->fits},       {"{suggestion}", values->suggestion},
		{"{version}", values->version}, {"{turn}", values->turn},
	};
	const size_t n_rows = sizeof rows / sizeof rows[0];

	while (*text) {
		size_t i = 0;

		while (i < n_rows && strncmp(text, rows[i].name, strlen(rows[i].name)) != 0)
			i++;
		if (i == n_rows) {
			buf_putc(out, *text++);
			continue;
		}
		buf_puts(out, rows[i].value);
		text += strlen(rows[i].name);
	}
}

/* The entries as they are told; where none comes first, `nothing` stands in its place. */
static void put_entries(const struct guide *guide, const struct guide_values *values,
                        const struct guide_hit *hits, size_t n_hits, const char *nothing, struct buf *out)
{
	if (guide_found(hits, n_hits) && hits[0].told)
		buf_puts(out, "As I said: ");
	if (!guide_found(hits, n_hits))
		buf_puts(out, nothing);
	else
		guide_fill_text(facts_text(&guide->facts, hits[0].fact), values, out);
	if (n_hits < 2)
		return;
	buf_puts(out, " Or did you mean this? ");
	guide_fill_text(facts_text(&guide->facts, hits[1].fact), values, out);
}

void guide_system_prompt(const struct guide *guide, const struct guide_values *values,
                         const char *own, size_t own_len, const struct guide_hit *hits,
                         size_t n_hits, struct buf *out)
{
	if (own_len)
		buf_append(out, own, own_len);
	else
		buf_puts(out, default_system);
	buf_puts(out, guide_found(hits, n_hits) ? "\n\nHelp:\n- " : "\n\nHelp: ");
	put_entries(guide, values, hits, n_hits, "nothing found.", out);
}

size_t guide_answers(const struct guide *guide, const struct guide_values *values,
                     const struct message *asked, const struct guide_hit *hits, size_t n_hits, struct buf *out)
{
	const struct guide_facts *facts = &guide->facts;
	const char *line = facts->lists.data + (n_hits ? facts->unsure : guide_is_question(asked) ? facts->declines
	                                                                                       : facts->no_question);
	struct buf nothing = {.max = LIMIT_GUIDE_FACTS};
	size_t n = 0;

	if (guide_found(hits, n_hits)) {
		if (facts->items[hits[0].fact].alone)
			return 0;
		put_entries(guide, values, hits, n_hits, "", out);
		buf_putc(out, '\0');
		return 1;
	}
	for (; *line; line += strcspn(line, "\n") + 1, n++) {
		buf_clear(&nothing);
		buf_append(&nothing, line, strcspn(line, "\n"));
		put_entries(guide, values, hits, n_hits, buf_text(&nothing), out);
		buf_putc(out, '\0');
	}
	if (buf_status(&nothing))
		out->status = buf_status(&nothing);
	buf_free(&nothing);
	return n;
}

/* Puts the answers in the turn; of those to a reply that is continued, what follows on it. */
static enum status put_answers(struct helped_turn *out, size_t n, struct error *err)
{
	const struct message *begun = &out->messages[out->turn.n_messages - 1];
	size_t begun_len = out->turn.continued ? begun->len : 0, n_kept = 0;
	const char *answer = buf_text(&out->words);

	if (buf_status(&out->words))
		return error_set(err, buf_status(&out->words), "not enough memory for the guide's answer");
	out->answers = alloc_array(n, sizeof *out->answers);
	if (n && !out->answers)
		return error_no_memory(err, "for the guide's answer");
	for (size_t i = 0; i < n; i++, answer += strlen(answer) + 1)
		if (!begun_len || strncmp(answer, begun->text, begun_len) == 0)
			out->answers[n_kept++] = answer + begun_len;
	out->turn.answers = out->answers;
	out->turn.n_answers = n_kept;
	return STATUS_OK;
}

/* A user's message as a question: what is longer is cut. */
static struct message as_question(const struct message *message)
{
	struct message question = *message;

	question.text += message->files_len;
	question.len = utf8_cut(question.text, message->len - message->files_len, GUIDE_QUESTION_MAX);
	question.files_len = 0;
	return question;
}

enum status guide_help(struct helped_turn *out, const struct guide *guide, const struct turn *turn,
                       struct error *err)
{
	struct message own = {.text = ""}, asked = own, *messages;
	struct guide_hit hits[GUIDE_ENTRIES];
	struct guide_values values;
	size_t n = turn->n_messages, n_kept = 1, n_questions = 0, n_hits;

	*out = (struct helped_turn){.turn = *turn, .prompt = {.max = 2 * LIMIT_MESSAGE},
	                            .words = {.max = 2 * LIMIT_GUIDE_FACTS}};
	if (turn->raw || !n)
		return STATUS_OK;
	messages = out->messages = alloc_array(n + 1, sizeof *messages);
	if (!messages)
		return error_no_memory(err, "for the messages");
	for (size_t i = 0; i < n; i++) {
		const struct message *message = &turn->messages[i];

		if (message->role == ROLE_USER) {
			n_questions++;
			asked = *message;
		}
		if (message->role == ROLE_SYSTEM)
			own = *message;
		else
			messages[n_kept++] = message->role == ROLE_USER ? as_question(message) : *message;
	}
	guide_values_now(&values, n_questions, turn->weight_rate);
	n_hits = guide_look_up_last(guide, turn->messages, n, hits);
	out->declined = !n_hits;
	guide_system_prompt(guide, &values, own.text, own.len, hits, n_hits, &out->prompt);
	messages[0] = (struct message){
		.role = ROLE_SYSTEM, .text = buf_text(&out->prompt), .len = out->prompt.len};
	out->turn.messages = messages;
	out->turn.n_messages = n_kept;
	if (buf_status(&out->prompt))
		return error_set(err, buf_status(&out->prompt), "the guide's system prompt is too long");
	return put_answers(out, guide_answers(guide, &values, &asked, hits, n_hits, &out->words), err);
}

void helped_turn_free(struct helped_turn *helped)
{
	free(helped->messages);
	free(helped->answers);
	buf_free(&helped->prompt);
	buf_free(&helped->words);
}
