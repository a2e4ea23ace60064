#include "cli/replay_text.h"

#include <string.h>

#include "base/limits.h"
#include "base/sanitize.h"
#include "base/utf8.h"

enum { WORDS_MAX = 40 };

bool replay_is_by_text(const struct node *node, const struct reply_run *run)
{
	return node->ids_unknown || run_is_remote(run);
}

static struct replay_part part(const char *text, size_t len, size_t from, size_t to)
{
	to = to < len ? to : len;
	from = from < to ? from : to;
	return (struct replay_part){text ? text + from : "", to - from};
}

size_t replay_text_of(const struct node *node, size_t index, struct replay_text *out)
{
	const struct reply_run *run = &node->runs[index], *next = index + 1 < node->n_runs ? run + 1 : NULL;

	*out = (struct replay_text){.thinks = {.max = LIMIT_MESSAGE}, .says = {.max = LIMIT_MESSAGE}};
	out->thought = part(node->reasoning, node->reasoning_len, run->from_reasoning,
	                    next ? next->from_reasoning : node->reasoning_len);
	out->said = part(node->text, node->len, run->from_text, next ? next->from_text : node->len);
	return out->thought.len + out->said.len;
}

bool replay_text_goes_on(const struct replay_text *text)
{
	return text->thinks.len + text->says.len > text->thought.len + text->said.len;
}

bool replay_text_take(struct replay_text *text, const struct token *token)
{
	if (token->recants) {
		buf_append(&text->thinks, buf_text(&text->says), text->says.len);
		buf_clear(&text->says);
	}
	buf_append(token->reasoning ? &text->thinks : &text->says, token->bytes, token->len);
	return !buf_status(&text->thinks) && !buf_status(&text->says) && !replay_text_goes_on(text);
}

static size_t same(const struct replay_part *then, const struct buf *now)
{
	size_t n = then->len < now->len ? then->len : now->len, i = 0;

	while (i < n && then->text[i] == now->data[i])
		i++;
	return i;
}

size_t replay_text_same(const struct replay_text *text)
{
	size_t n = same(&text->thought, &text->thinks);
	bool thought_the_same = n == text->thought.len && n == text->thinks.len;

	return thought_the_same ? n + same(&text->said, &text->says) : n;
}

static void put_words(struct buf *out, const char *text, size_t len)
{
	size_t n = utf8_cut(text, len, WORDS_MAX);

	buf_putc(out, '"');
	sanitize_line(out, text, n);
	buf_puts(out, n < len ? "...\"" : "\"");
}

void replay_text_put_difference(const struct replay_text *text, struct buf *out)
{
	size_t at = same(&text->thought, &text->thinks);
	bool in_thought = at < text->thought.len || at < text->thinks.len;
	const struct replay_part *then = in_thought ? &text->thought : &text->said;
	const struct buf *now = in_thought ? &text->thinks : &text->says;

	at = in_thought ? at : same(then, now);
	while (at && at < then->len && (then->text[at] & 0xc0) == 0x80) /* from the character's first byte on */
		at--;
	put_words(out, buf_text(now) + at, now->len - at);
	buf_puts(out, " instead of ");
	put_words(out, then->text + at, then->len - at);
}

void replay_text_free(struct replay_text *text)
{
	buf_free(&text->thinks);
	buf_free(&text->says);
}

bool replay_can_ask(const struct reply_run *run, const char **why)
{
	static const struct {
		const char *dialect, *why;
	} rows[] = {
		{"ollama", "Ollama does not promise the same text for the same seed"},
		{"vllm", "vLLM computes several requests at once, which changes the text even at temperature 0"},
		{"sglang", "SGLang computes several requests at once, which changes the text even at temperature 0"},
	};

	*why = "the same build with one slot makes the same text again; another one may differ";
	if (strcmp(run->model.dialect, "llama-server") == 0 && run->sent)
		return true;
	*why = "nothing promises that its server makes the same text again";
	if (strcmp(run->model.dialect, "llama-server") == 0)
		*why = "what was sent is not recorded";
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (strcmp(run->model.dialect, rows[i].dialect) == 0)
			*why = rows[i].why;
	return false;
}
