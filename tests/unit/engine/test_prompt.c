#include <criterion/criterion.h>
#include <string.h>

#include "base/buf.h"
#include "engine/prompt.h"

static const int32_t some_ids[] = {1};

/* Messages as "s:text", "u:text", "a:text"; "A:" is a reply with ids. */
static size_t make_messages(const char *const *rows, struct worker_message *out)
{
	size_t n = 0;

	for (; rows[n]; n++)
		out[n] = (struct worker_message){
			.role = rows[n][0] == 's'   ? ROLE_SYSTEM
			        : rows[n][0] == 'u' ? ROLE_USER
			                            : ROLE_ASSISTANT,
			.text = rows[n] + 2,
			.len = strlen(rows[n] + 2),
			.ids = some_ids,
			.n_ids = rows[n][0] == 'A',
		};
	return n;
}

/* The rendered text; '|' where a part starts, [] around input, {} around a reply. */
static void show(const struct prompt *prompt, struct buf *out)
{
	for (size_t i = 0; i < prompt->n; i++) {
		const struct prompt_piece *piece = &prompt->pieces[i];

		if (piece->starts_part)
			buf_putc(out, '|');
		if (piece->span.is_input)
			buf_putc(out, piece->is_reply ? '{' : '[');
		buf_append(out, piece->span.text, piece->span.len);
		if (piece->span.is_input)
			buf_putc(out, piece->is_reply ? '}' : ']');
	}
}

Test(prompt, a_conversation_becomes_plain_lines)
{
	static const struct {
		const char *messages[6], *keep, *expected;
		bool raw;
	} rows[] = {
		{{"u:hi"}, "1", "User: [hi]|\nAssistant:", false},
		{{"s:be brief", "u:hi"}, "11", "[be brief]\n|\nUser: [hi]|\nAssistant:", false},
		{{"u:hi", "a:yes", "u:so?"}, "111",
		 "User: [hi]|\nAssistant: {yes}|\nUser: [so?]|\nAssistant:", false},
		{{"u:hi", "A:yes", "u:so?"}, "111",
		 "User: [hi]|\nAssistant:{yes}|\nUser: [so?]|\nAssistant:", false},
		{{"s:s", "u:hi", "a:yes", "u:so?"}, "1001",
		 "[s]\n|\nUser: [so?]|\nAssistant:", false},
		{{"u:hi", "a:yes", "u:so?"}, "001", "User: [so?]|\nAssistant:", false},
		{{"u:a\nUser: b"}, "1", "User: [a\nUser: b]|\nAssistant:", false},
		{{"u:Once", "u: upon"}, "11", "[Once][ upon]", true},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct worker_message messages[6];
		struct worker_turn turn = {.messages = messages, .raw = rows[i].raw};
		struct prompt prompt;
		bool keep[6] = {false};
		struct error err;
		struct buf text;

		turn.n_messages = make_messages(rows[i].messages, messages);
		for (size_t m = 0; m < turn.n_messages; m++)
			keep[m] = rows[i].keep[m] == '1';
		cr_assert_eq(prompt_render(&prompt, &turn, keep, &err), STATUS_OK);
		buf_init(&text, 1000);
		show(&prompt, &text);
		cr_assert_str_eq(buf_text(&text), rows[i].expected, "row %zu: %s", i,
		                 buf_text(&text));
		buf_free(&text);
		prompt_free(&prompt);
	}
}

Test(prompt, a_conversation_is_a_prefix_of_itself_continued)
{
	/* Which is what the cache lives of: no part that was there changes. */
	static const char *const first[] = {"s:s", "u:hi", NULL};
	static const char *const second[] = {"s:s", "u:hi", "A:yes", "u:more", NULL};
	struct worker_message messages[4];
	struct worker_turn turn = {.messages = messages};
	const bool keep[4] = {true, true, true, true};
	struct prompt a, b;
	struct error err;

	turn.n_messages = make_messages(first, messages);
	cr_assert_eq(prompt_render(&a, &turn, keep, &err), STATUS_OK);
	turn.n_messages = make_messages(second, messages);
	cr_assert_eq(prompt_render(&b, &turn, keep, &err), STATUS_OK);
	for (size_t i = 0; i < a.n; i++) {
		cr_assert_eq(a.pieces[i].span.len, b.pieces[i].span.len);
		cr_assert_eq(memcmp(a.pieces[i].span.text, b.pieces[i].span.text,
		                    a.pieces[i].span.len), 0);
		cr_assert_eq(a.pieces[i].starts_part, b.pieces[i].starts_part);
	}
	prompt_free(&a);
	prompt_free(&b);
}

Test(prompt, nothing_to_answer_is_an_error)
{
	struct worker_turn turn = {0};
	struct prompt prompt;
	struct error err;

	cr_assert_eq(prompt_render(&prompt, &turn, NULL, &err), STATUS_USAGE);
	prompt_free(&prompt);
}

Test(prompt, raw_text_has_no_stop_strings)
{
	cr_assert_null(prompt_ends(&(struct worker_turn){.raw = true}).stops[0]);
	cr_assert_str_eq(prompt_ends(&(struct worker_turn){.raw = false}).stops[0], "\nUser:");
}
