/* What the model is told: the layout that it was trained with
 * (tools/guide/generate.py, system_message). */
#include <string.h>

#include "base/alloc.h"
#include "guide/guide_internal.h"

static const char default_system[] = "You are the guide of sotto, a tiny model.";

/* What a placeholder of `len` bytes stands for; NULL: nothing. */
static const char *value_of(const struct guide_values *values, const char *name, size_t len)
{
	const struct {
		const char *name, *value;
	} rows[] = {
		{"memory", values->memory},         {"free", values->free},
		{"fits", values->fits},             {"suggestion", values->suggestion},
		{"version", values->version},       {"turn", values->turn},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (strlen(rows[i].name) == len && memcmp(rows[i].name, name, len) == 0)
			return rows[i].value;
	return NULL;
}

void guide_fill_text(const char *text, const struct guide_values *values, struct buf *out)
{
	while (*text) {
		size_t plain = strcspn(text, "{"), len;
		const char *value;

		buf_append(out, text, plain);
		text += plain;
		if (!*text)
			break;
		len = strcspn(text + 1, "{}");
		value = text[1 + len] == '}' ? value_of(values, text + 1, len) : NULL;
		if (value) {
			buf_puts(out, value);
			text += len + 2;
		} else {
			buf_putc(out, *text++);
		}
	}
}

void guide_system_prompt(const struct guide *guide, const struct guide_values *values,
                         const char *own, size_t own_len, const struct guide_hit *hits,
                         size_t n_hits, struct buf *out)
{
	if (own_len)
		buf_append(out, own, own_len);
	else
		buf_puts(out, default_system);
	if (n_hits == 0 || hits[0].fact == GUIDE_NOTHING)
		buf_puts(out, "\n\nHelp: nothing found.");
	else
		buf_puts(out, "\n\nHelp:");
	for (size_t i = 0; i < n_hits; i++) {
		if (hits[i].fact == GUIDE_NOTHING)
			continue;
		buf_puts(out, i ? " Or did you mean this? " : "\n- ");
		if (hits[i].told)
			buf_puts(out, "As I said: ");
		guide_fill_text(facts_text(&guide->facts, hits[i].fact), values, out);
	}
}

enum status guide_messages(const struct guide *guide, const struct message *messages,
                           size_t n, struct buf *prompt, struct message **out,
                           size_t *n_out, struct error *err)
{
	struct message *copy = alloc_array(n + 1, sizeof *copy);
	struct message own = {.text = ""};
	struct guide_hit hits[GUIDE_ENTRIES];
	struct guide_values values;
	size_t n_copied = 1, n_questions = 0;

	if (!copy)
		return error_set(err, STATUS_NOMEM, "not enough memory for the messages");
	for (size_t i = 0; i < n; i++) {
		n_questions += messages[i].role == ROLE_USER;
		if (messages[i].role == ROLE_SYSTEM)
			own = messages[i];
		else
			copy[n_copied++] = messages[i];
	}
	guide_values_now(&values, n_questions, guide->weight_rate);
	buf_clear(prompt);
	guide_system_prompt(guide, &values, own.text, own.len, hits,
	                    guide_look_up_last(guide, messages, n, hits), prompt);
	if (buf_status(prompt)) {
		free(copy);
		return error_set(err, buf_status(prompt), "the guide's system prompt is too long");
	}
	copy[0] = (struct message){
		.role = ROLE_SYSTEM, .text = buf_text(prompt), .len = prompt->len};
	*out = copy;
	*n_out = n_copied;
	return STATUS_OK;
}
