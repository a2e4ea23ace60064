/* How templates render conversations, and how those that they do not support are changed. */
#include <criterion/criterion.h>
#include <string.h>

#include "encode/shape.h"
#include "gguf/writer.h"
#include "support/gguf_memory.h"

static struct buf file;
static struct gguf *gguf;
static struct chat_template *tmpl;
static struct error err;

/* A model with only a template; NULL: plain. */
static void open_template(const char *text)
{
	struct gguf_writer *w = gguf_writer_create();

	gguf_writer_set_string(w, "general.architecture", "llama", 5);
	if (text)
		gguf_writer_set_string(w, "tokenizer.chat_template", text, strlen(text));
	buf_init(&file, 1 << 20);
	cr_assert_eq(gguf_writer_write(w, &file, &err), STATUS_OK);
	gguf_writer_free(w);
	cr_assert_eq(gguf_open_memory(&gguf, file.data, file.len, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(chat_template_open(&tmpl, NULL, gguf, NULL, &err), STATUS_OK, "%s", err.text);
}

static void close_template(void)
{
	chat_template_close(tmpl);
	gguf_close(gguf);
	buf_free(&file);
}

/* Messages as "s:text", "u:text", "a:text"; "A:reasoning|text". */
static size_t make_messages(const char *const *rows, struct message *out)
{
	size_t n = 0;

	for (; rows[n]; n++) {
		const char *text = rows[n] + 2, *bar = rows[n][0] == 'A' ? strchr(text, '|') : NULL;

		out[n] = (struct message){
			.role = rows[n][0] == 's'   ? ROLE_SYSTEM
			        : rows[n][0] == 'u' ? ROLE_USER
			                            : ROLE_ASSISTANT,
			.text = bar ? bar + 1 : text,
			.len = strlen(bar ? bar + 1 : text),
			.reasoning = bar ? text : NULL,
			.reasoning_len = bar ? (size_t)(bar - text) : 0,
		};
	}
	return n;
}

/* The rendered text with [] around messages' texts and () around their reasoning, with the
 * message's number. */
static void show(const struct prompt *prompt, struct buf *out)
{
	size_t at = 0;

	for (size_t i = 0; i < prompt->n_spans; at = prompt->spans[i++].end) {
		uint32_t source = prompt->spans[i].source;
		bool reasoning = source && (source - 1) % 2;

		if (source)
			buf_printf(out, "%c%zu ", reasoning ? '(' : '[', prompt_source_message(source));
		buf_append(out, prompt->text + at, prompt->spans[i].end - at);
		if (source)
			buf_putc(out, reasoning ? ')' : ']');
	}
	cr_assert_eq(at, prompt->len);
}

static void check(const char *const *messages, const char *keep, enum reasoning_mode reasoning,
                  const char *expected, unsigned changes)
{
	struct message list[8];
	struct turn turn = {.messages = list, .reasoning = {.mode = reasoning}};
	bool kept[8] = {false};
	struct prompt prompt;
	struct buf text;

	turn.n_messages = make_messages(messages, list);
	for (size_t i = 0; i < turn.n_messages; i++)
		kept[i] = !keep || keep[i] == '1';
	cr_assert_eq(prompt_render(&prompt, tmpl, &turn, kept, &err), STATUS_OK, "%s", err.text);
	buf_init(&text, 4000);
	show(&prompt, &text);
	cr_expect_str_eq(buf_text(&text), expected, "%s", buf_text(&text));
	cr_expect_eq(prompt.changes, changes, "%s: %u", expected, prompt.changes);
	buf_free(&text);
	prompt_free(&prompt);
}

Test(shape, a_conversation_becomes_plain_lines)
{
	static const struct {
		const char *messages[6], *keep, *expected;
	} rows[] = {
		{{"u:hi"}, "1", "User: [0 hi]\nAssistant:"},
		{{"s:be brief", "u:hi"}, "11", "[0 be brief]\n\nUser: [1 hi]\nAssistant:"},
		{{"u:hi", "a:yes", "u:so?"}, "111",
		 "User: [0 hi]\nAssistant: [1 yes]\nUser: [2 so?]\nAssistant:"},
		{{"s:s", "u:hi", "a:yes", "u:so?"}, "1001", "[0 s]\n\nUser: [3 so?]\nAssistant:"},
		{{"u:hi", "a:yes", "u:so?"}, "001", "User: [2 so?]\nAssistant:"},
		{{"u:a\nUser: b"}, "1", "User: [0 a\nUser: b]\nAssistant:"},
		{{"s:s", "s:t", "u:hi", "s:v", "u:so?"}, "11111",
		 "[0 s]\n\n[1 t]\n\nUser: [2 hi]\n[3 v]\n\nUser: [4 so?]\nAssistant:"},
	};

	open_template(NULL);
	cr_assert_str_eq(tmpl->name, "plain");
	cr_assert_str_eq(tmpl->stops[0], "\nUser:");
	cr_assert_str_eq(tmpl->lead, " ");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		check(rows[i].messages, rows[i].keep, REASONING_AUTO, rows[i].expected, 0);
	close_template();
}

/* Alternating roles, as Mistral's and Gemma's templates require. */
#define STRICT \
	"{% for m in messages %}" \
	"{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}" \
	"{{ raise_exception('roles must alternate') }}{% endif %}" \
	"{{ '<' + m.role[0] + '>' + m.content }}{% endfor %}"
/* One system message at the start, strict after that. */
#define STRICT_WITH_SYSTEM \
	"{% if messages[0].role == 'system' %}{{ '<s>' + messages[0].content }}" \
	"{% set turns = messages[1:] %}{% else %}{% set turns = messages %}{% endif %}" \
	"{% for m in turns %}" \
	"{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}" \
	"{{ raise_exception('roles must alternate') }}{% endif %}" \
	"{{ '<' + m.role[0] + '>' + m.content }}{% endfor %}"
/* Silently leaves out a system message. */
#define DEAF "{% for m in messages if m.role != 'system' %}{{ '<' + m.role[0] + '>' + m.content }}{% endfor %}"
/* Like Ministral's. */
#define NO_EMPTY \
	"{% for m in messages if m.role == 'assistant' and not m.content %}" \
	"{{ raise_exception('a reply must have content') }}{% endfor %}"
#define PARTS \
	"{% for m in messages %}{{ '<' + m.role[0] + '>' }}" \
	"{% for p in m.content %}{% if p.type == 'text' %}{{ p.text }}{% endif %}{% endfor %}{% endfor %}"

Test(shape, is_changed_where_the_template_cannot_take_it)
{
	static const struct {
		const char *text, *messages[8], *expected;
		unsigned changes;
	} rows[] = {
		{STRICT, {"u:a", "a:b", "u:c"}, "<u>[0 a]<a>[1 b]<u>[2 c]", 0},
		{STRICT, {"s:x", "u:a", "a:b", "u:c"}, "<u>[0 x]\n\n[1 a]<a>[2 b]<u>[3 c]",
		 PROMPT_SYSTEM_FOLDED},
		{STRICT, {"s:x", "s:y", "u:a"}, "<u>[0 x]\n\n[1 y]\n\n[2 a]", PROMPT_SYSTEM_FOLDED},
		{STRICT, {"u:a", "u:b", "a:c", "a:d", "u:e"}, "<u>[0 a]\n\n[1 b]<a>[2 c]\n\n[3 d]<u>[4 e]",
		 PROMPT_JOINED},
		{STRICT, {"u:a", "a:b", "s:x", "u:c"}, "<u>[0 a]<a>[1 b]<u>[2 x]\n\n[3 c]",
		 PROMPT_LATE_SYSTEM},
		{STRICT, {"a:hello", "u:a"}, "<u><a>[0 hello]<u>[1 a]", PROMPT_EMPTY_USER},
		{STRICT, {"s:x", "a:hello", "u:a"}, "<u>[0 x]<a>[1 hello]<u>[2 a]", PROMPT_SYSTEM_FOLDED},
		{STRICT, {"u:a", "s:x"}, "<u>[0 a]\n\n[1 x]", PROMPT_LATE_SYSTEM},
		{STRICT_WITH_SYSTEM, {"s:x", "u:a"}, "<s>[0 x]<u>[1 a]", 0},
		{STRICT_WITH_SYSTEM, {"s:x", "s:y", "u:a"}, "<s>[0 x]\n\n[1 y]<u>[2 a]",
		 PROMPT_SYSTEMS_JOINED},
		{STRICT_WITH_SYSTEM, {"s:x", "a:b", "u:a"}, "<s>[0 x]<u><a>[1 b]<u>[2 a]",
		 PROMPT_EMPTY_USER},
		{STRICT_WITH_SYSTEM, {"s:x", "u:a", "a:b", "s:y", "u:c", "u:d"},
		 "<s>[0 x]<u>[1 a]<a>[2 b]<u>[3 y]\n\n[4 c]\n\n[5 d]",
		 PROMPT_LATE_SYSTEM | PROMPT_JOINED},
		{DEAF, {"s:x", "u:a"}, "<u>[0 x]\n\n[1 a]", PROMPT_SYSTEM_FOLDED},
		{DEAF, {"u:a", "u:b", "s:x", "a:c"}, "<u>[0 a]<u>[1 b]<u>[2 x]<a>[3 c]",
		 PROMPT_LATE_SYSTEM},
		{PARTS, {"s:x", "u:a", "a:b"}, "<s>[0 x]<u>[1 a]<a>[2 b]", 0},
		/* stopped during the reasoning */
		{STRICT, {"u:a", "A:hmm|", "u:c"}, "<u>[0 a]<a><u>[2 c]", 0},
		{STRICT NO_EMPTY, {"u:a", "a:b", "u:c"}, "<u>[0 a]<a>[1 b]<u>[2 c]", 0},
		{STRICT NO_EMPTY, {"u:a", "A:hmm|", "u:c", "a:d", "u:e"},
		 "<u>[0 a]\n\n[2 c]<a>[3 d]<u>[4 e]", PROMPT_EMPTY_REPLY | PROMPT_JOINED},
		{DEAF NO_EMPTY, {"u:a", "A:hmm|", "u:c"}, "<u>[0 a]<u>[2 c]", PROMPT_EMPTY_REPLY},
		{DEAF NO_EMPTY, {"u:a", "A:hmm|"}, "<u>[0 a]", PROMPT_EMPTY_REPLY},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		open_template(rows[i].text);
		cr_assert_str_eq(tmpl->name, "model's own", "%s", tmpl->note);
		check(rows[i].messages, NULL, REASONING_AUTO, rows[i].expected, rows[i].changes);
		close_template();
	}
}

Test(shape, says_what_was_changed)
{
	struct buf text = {.max = 1000};

	prompt_describe_changes(0, &text);
	cr_assert_str_eq(buf_text(&text), "");
	prompt_describe_changes(PROMPT_SYSTEM_FOLDED | PROMPT_JOINED, &text);
	cr_assert_str_eq(buf_text(&text),
	                 "to suit the chat template, the system message became part of the first user message, "
	                 "consecutive messages of one role were joined");
	buf_free(&text);
}

#define THINKS \
	"{% for m in messages %}{{ '<' + m.role[0] + '>' }}" \
	"{% if m.reasoning_content %}{{ '<think>' + m.reasoning_content + '</think>' }}{% endif %}" \
	"{{ m.content }}{% endfor %}<a>"

Test(shape, reasoning_is_shown_asked_for_and_closed)
{
	static const char *const conversation[] = {"u:a", "A:hm|b", "u:c", NULL};
	static const char *const question[] = {"u:a", NULL};

	open_template(THINKS);
	cr_assert(tmpl->knows_reasoning);
	cr_assert_not(tmpl->can.reasoning);
	check(conversation, NULL, REASONING_AUTO, "<u>[0 a]<a><think>(1 hm)</think>[1 b]<u>[2 c]<a>", 0);
	close_template();
	open_template(THINKS "{% if enable_thinking is defined and not enable_thinking %}"
	              "{{ '<think></think>' }}{% endif %}");
	cr_assert(tmpl->can.reasoning);
	check(question, NULL, REASONING_AUTO, "<u>[0 a]<a>", 0);
	check(question, NULL, REASONING_ON, "<u>[0 a]<a>", 0);
	check(question, NULL, REASONING_OFF, "<u>[0 a]<a><think></think>", 0);
	close_template();
	/* A template that always opens the reasoning. */
	open_template(THINKS "{{ '<think>\\n' }}");
	check(question, NULL, REASONING_AUTO, "<u>[0 a]<a><think>\n", 0);
	check(question, NULL, REASONING_OFF, "<u>[0 a]<a><think>\n\n</think>\n\n", 0);
	close_template();
	open_template(THINKS "<think>");
	check(question, NULL, REASONING_OFF, "<u>[0 a]<a><think>\n\n</think>\n\n", 0);
	close_template();
}

Test(shape, knows_whether_the_reply_begins_with_reasoning)
{
	static const struct {
		const char *text;
		enum reasoning_start start;
	} rows[] = {
		{THINKS, REASONING_UNOPENED},
		{THINKS "<think>", REASONING_OPENED},
		{THINKS "<think></think>", REASONING_CLOSED},
	};
	struct message message = {.role = ROLE_USER, .text = "a <think>", .len = 9};
	struct turn turn = {.messages = &message, .n_messages = 1};
	const bool keep = true;
	struct prompt prompt;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		open_template(rows[i].text);
		cr_assert_eq(prompt_render(&prompt, tmpl, &turn, &keep, &err), STATUS_OK);
		cr_assert_eq(prompt.start, rows[i].start, "row %zu", i);
		prompt_free(&prompt);
		close_template();
	}
}

Test(shape, a_template_that_raises_says_why)
{
	struct message message = {.role = ROLE_USER, .text = "bad", .len = 3};
	struct turn turn = {.messages = &message, .n_messages = 1};
	const bool keep = true;
	struct prompt prompt;

	open_template("{% for m in messages %}{% if m.content == 'bad' %}"
	              "{{ raise_exception('no such words') }}{% endif %}{{ m.content }}{% endfor %}");
	cr_assert_eq(prompt_render(&prompt, tmpl, &turn, &keep, &err), STATUS_FORMAT);
	cr_assert_str_eq(err.text, "chat template: no such words");
	prompt_free(&prompt);
	tmpl->chosen = true;
	cr_assert_eq(prompt_render(&prompt, tmpl, &turn, &keep, &err), STATUS_CONFIG);
	cr_assert_eq(err.status, STATUS_CONFIG);
	prompt_free(&prompt);
	close_template();
	open_template("{% for m in messages %}\n{{ m.content + (1 if m.content == 'bad' else '') }}{% endfor %}");
	cr_assert_eq(prompt_render(&prompt, tmpl, &turn, &keep, &err), STATUS_FORMAT);
	cr_assert_eq(strncmp(err.text, "chat template:2: ", 17), 0, "%s", err.text);
	prompt_free(&prompt);
	close_template();
}

Test(shape, raw_text_stands_as_it_is)
{
	static const char *const rows[] = {"u:Once", "u: upon\xFF", NULL};
	struct message messages[2];
	struct turn turn = {.messages = messages, .raw = true};
	const bool keep[2] = {true, true};
	struct prompt prompt;

	turn.n_messages = make_messages(rows, messages);
	cr_assert_eq(prompt_render(&prompt, NULL, &turn, keep, &err), STATUS_OK);
	cr_assert_str_eq(prompt.text, "Once upon\xFF");
	cr_assert_eq(prompt.n_spans, 2);
	cr_assert_eq(prompt.spans[1].source, prompt_source(1, false));
	prompt_free(&prompt);
}

Test(shape, nothing_to_answer_is_an_error)
{
	struct turn turn = {0};
	struct prompt prompt;

	open_template(NULL);
	cr_assert_eq(prompt_render(&prompt, tmpl, &turn, NULL, &err), STATUS_USAGE);
	prompt_free(&prompt);
	close_template();
}
