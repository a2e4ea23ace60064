#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "guide/guide_internal.h"

static const struct guide_values values = {
	.memory = "16.5 GiB", .free = "7.1 GiB", .fits = "12 GB", .suggestion = "an 8B model", .version = "1.2.3", .turn = "7",
};
static struct guide *guide;
static struct buf out;

static void set_up(void)
{
	struct error err;

	cr_assert_eq(guide_open(&guide, TEST_SRCDIR "/tests/vectors/guide-facts.yaml", &err), STATUS_OK,
	             "%s", err.text);
	buf_init(&out, KIB(64));
}

static struct helped_turn helped;

static void tear_down(void)
{
	helped_turn_free(&helped);
	guide_close(guide);
	buf_free(&out);
}

TestSuite(prompt, .init = set_up, .fini = tear_down);

static void check_fill(const char *text, const char *expected)
{
	buf_clear(&out);
	guide_fill_text(text, &values, &out);
	cr_assert_str_eq(buf_text(&out), expected);
}

Test(prompt, fills_placeholders)
{
	check_fill("", "");
	check_fill("{memory}, {free}; {fits}{suggestion} {version} {turn}.",
	           "16.5 GiB, 7.1 GiB; 12 GBan 8B model 1.2.3 7.");
	check_fill("{what} {} {memory", "{what} {} {memory");
	check_fill("{{memory}} {memory {free}", "{16.5 GiB} {memory 7.1 GiB");
}

static void check_prompt(const char *own, const char *question, const char *expected)
{
	struct guide_hit hits[GUIDE_ENTRIES];
	size_t n = guide_look_up(guide, question, strlen(question), GUIDE_NOTHING, hits);

	buf_clear(&out);
	guide_system_prompt(guide, &values, own, strlen(own), hits, n, &out);
	cr_assert_str_eq(buf_text(&out), expected, "%s", buf_text(&out));
}

Test(prompt, has_the_layout_that_was_trained)
{
	struct guide_hit hits[GUIDE_ENTRIES];
	size_t n = guide_look_up(guide, "sliders", 7, GUIDE_NOTHING, hits);
	struct buf expected = {.max = KIB(16)};

	check_prompt("", "zebra", "You are the guide of sotto, a tiny model.\n\nHelp: nothing found.");
	check_prompt("Be Bob.", "", "Be Bob.\n\nHelp: nothing found.");
	cr_assert_gt(n, 0);
	buf_puts(&expected, "You are Bob.\n\nHelp:");
	for (size_t i = 0; i < n; i++) {
		buf_puts(&expected, i ? " Or did you mean this? " : "\n- ");
		guide_fill_text(facts_text(&guide->facts, hits[i].fact), &values, &expected);
	}
	check_prompt("You are Bob.", "sliders", buf_text(&expected));
	buf_free(&expected);
}

Test(prompt, has_an_entry_behind_nothing_where_it_is_not_sure)
{
	const struct guide_hit hits[] = {{.fact = GUIDE_NOTHING, .score = 2}, {.fact = 0, .score = 1}};
	struct buf expected = {.max = KIB(16)};

	buf_puts(&expected, "You are Bob.\n\nHelp: nothing found. Or did you mean this? ");
	guide_fill_text(facts_text(&guide->facts, 0), &values, &expected);
	buf_clear(&out);
	guide_system_prompt(guide, &values, "You are Bob.", 12, hits, 2, &out);
	cr_assert_str_eq(buf_text(&out), buf_text(&expected));
	buf_free(&expected);
}

static struct message message(enum role role, const char *text)
{
	return (struct message){.role = role, .text = text, .len = strlen(text)};
}

static const struct message *convert(const struct message *messages, size_t n, size_t expected)
{
	struct turn turn = {.messages = messages, .n_messages = n, .n_predict = 7};
	struct error err;

	helped_turn_free(&helped);
	cr_assert_eq(guide_help(&helped, guide, &turn, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(helped.turn.n_messages, expected);
	cr_assert_eq(helped.turn.n_predict, 7);
	cr_assert_eq(helped.turn.messages[0].role, ROLE_SYSTEM);
	cr_assert_eq(helped.turn.messages[0].len, strlen(helped.turn.messages[0].text));
	return helped.turn.messages;
}

Test(prompt, stands_before_all_messages)
{
	const struct message messages[] = {
		message(ROLE_USER, "how do i open the sliders?"), message(ROLE_ASSISTANT, "F2 opens them."),
		message(ROLE_USER, "and what is that for?"),
	};
	const struct message *sent = convert(messages, 3, 4);

	cr_assert(strncmp(sent[0].text, "You are the guide of sotto, a tiny model.\n\nHelp:", 47) == 0);
	cr_assert_eq(memcmp(sent + 1, messages, sizeof messages), 0);
	sent = convert(messages, 2, 3); /* a reply that is continued */
	cr_assert(strstr(sent[0].text, "Help:\n- F2"), "%s", sent[0].text);
}

/* The answers to these messages, a line each; of what the machine has all is alike here. */
static const char *answers_to(const struct message *messages, size_t n, bool continued)
{
	struct turn turn = {.messages = messages, .n_messages = n, .continued = continued};
	struct error err;

	helped_turn_free(&helped);
	cr_assert_eq(guide_help(&helped, guide, &turn, &err), STATUS_OK, "%s", err.text);
	buf_clear(&out);
	for (size_t i = 0; i < helped.turn.n_answers; i++)
		buf_printf(&out, "%s\n", helped.turn.answers[i]);
	return buf_text(&out);
}

static const struct message asked = {.role = ROLE_USER, .text = "zebra", .len = 5};
static const char declines[] = "I can only talk about sotto.\nThat I do not know.\n";
static const char no_question[] = "I can only read short questions.\n";

/* In the words of the system prompt, which has the entry as it is. */
Test(prompt, has_the_entry_as_the_only_answer)
{
	struct message messages[] = {message(ROLE_USER, "how do i open the sliders?"), message(ROLE_ASSISTANT, "F2 opens"),
	                             message(ROLE_USER, "which key was that again")};
	const char *first = answers_to(messages, 1, false), *entry;

	cr_assert_eq(helped.turn.n_answers, 1);
	entry = strstr(buf_text(&helped.prompt), "Help:\n- ") + 8;
	cr_assert_eq(strncmp(first, entry, strlen(entry)), 0, "%s", first);
	cr_assert(!helped.declined);
	answers_to(messages, 3, false);
	cr_assert_eq(strncmp(buf_text(&out), "As I said: F2 opens", 19), 0, "%s", buf_text(&out));
	answers_to(messages, 2, true); /* what follows on what was said */
	cr_assert_eq(strncmp(buf_text(&out), " the sampler sliders", 20), 0, "%s", buf_text(&out));
	messages[1] = message(ROLE_ASSISTANT, "F3 opens");
	cr_assert_str_eq(answers_to(messages, 2, true), "", "it was made to say something else");
}

/* The text of small talk says what it is, not what is said. */
Test(prompt, has_no_answers_for_small_talk)
{
	const struct guide_hit hit = {.fact = 1};

	guide->facts.items[1].alone = true;
	cr_assert_eq(guide_answers(guide, &values, &asked, &hit, 1, &out), 0);
	cr_assert_eq(out.len, 0);
}

/* Also where the first is that there is none. */
Test(prompt, has_both_of_two_entries_as_one_answer)
{
	const struct guide_hit two[] = {{.fact = 1}, {.fact = 2}}, unsure[] = {{.fact = GUIDE_NOTHING}, {.fact = 1}};
	struct buf expected = {.max = KIB(16)};

	buf_clear(&out);
	guide_fill_text(facts_text(&guide->facts, 1), &values, &expected);
	buf_puts(&expected, " Or did you mean this? ");
	guide_fill_text(facts_text(&guide->facts, 2), &values, &expected);
	cr_assert_eq(guide_answers(guide, &values, &asked, two, 2, &out), 1);
	cr_assert_str_eq(buf_text(&out), buf_text(&expected));
	buf_clear(&expected);
	buf_puts(&expected, "I am not sure. Or did you mean this? ");
	guide_fill_text(facts_text(&guide->facts, 1), &values, &expected);
	buf_clear(&out);
	cr_assert_eq(guide_answers(guide, &values, &asked, unsure, 2, &out), 1);
	cr_assert_str_eq(buf_text(&out), buf_text(&expected));
	buf_free(&expected);
}

/* Nothing is looked up for what is no question: a file, a long text. The model does not get it either. */
Test(prompt, declines_what_is_no_question)
{
	struct message file = message(ROLE_USER, "F2 opens the sampler sliders.\nhow do i open the sliders?"), sent;
	struct message text = message(ROLE_USER, "how do i open the sliders?");
	struct buf long_one = {.max = KIB(64)};

	cr_assert_str_eq(answers_to(&asked, 1, false), declines);
	cr_assert(helped.declined);
	file.files_len = strlen("F2 opens the sampler sliders.\n");
	cr_assert_str_eq(answers_to(&file, 1, false), no_question);
	sent = helped.turn.messages[1];
	cr_assert_eq(sent.len, strlen("how do i open the sliders?"));
	cr_assert_eq(sent.files_len, 0);
	cr_assert_neq(strcmp(answers_to(&text, 1, false), declines), 0);
	while (long_one.len <= GUIDE_QUESTION_MAX)
		buf_puts(&long_one, "how do i open the sliders? \xE4\xBD\xA0 ");
	text = message(ROLE_USER, buf_text(&long_one));
	cr_assert_str_eq(answers_to(&text, 1, false), no_question);
	sent = helped.turn.messages[1];
	cr_assert_leq(sent.len, GUIDE_QUESTION_MAX);
	cr_assert(utf8_valid(sent.text, sent.len));
	buf_free(&long_one);
}

Test(prompt, takes_the_last_system_message_in)
{
	const struct message messages[] = {
		message(ROLE_SYSTEM, "You are Bob."), message(ROLE_USER, "hi"),
		message(ROLE_SYSTEM, "You are Kim."), message(ROLE_USER, "how do i open the sliders?"),
	};
	const struct message *sent = convert(messages, 4, 3);

	cr_assert(strncmp(sent[0].text, "You are Kim.\n\nHelp:\n- ", 22) == 0, "%s", sent[0].text);
	cr_assert_eq(sent[1].text, messages[1].text);
	cr_assert_eq(sent[2].text, messages[3].text);
}

Test(prompt, knows_the_question_before)
{
	const struct message messages[] = {
		message(ROLE_USER, "how do i open the sliders?"), message(ROLE_ASSISTANT, "F2 opens them."),
		message(ROLE_USER, "and how do i leave that?"),
	};
	const struct message *sent = convert(messages, 3, 4);

	cr_assert(strstr(sent[0].text, "Esc"), "%s", sent[0].text);
}

/* What was told is not told as if it had not been; a question in between that found nothing
 * does not matter, one that found something does. */
Test(prompt, says_of_an_entry_that_it_was_told_just_before)
{
	const struct message messages[] = {
		message(ROLE_USER, "how do i open the sliders?"), message(ROLE_USER, "zebra"),
		message(ROLE_USER, "which key was that again"),   message(ROLE_USER, "top-p"),
		message(ROLE_USER, "how do i open the sliders?"),
	};
	const bool as_said[] = {false, false, true, false, false};

	for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
		const struct message *sent = convert(messages, i + 1, i + 2);

		cr_assert_eq(strstr(sent[0].text, "Help:\n- As I said: F2") != NULL, as_said[i], "%zu: %s", i, sent[0].text);
		cr_assert_eq(strstr(sent[0].text, "As I said") != NULL, as_said[i], "%zu: %s", i, sent[0].text);
		}
}

/* What found nothing is no answer that a follow-up could lean on, and of a long conversation
 * the last questions count. */
Test(prompt, knows_the_last_question_that_found_something)
{
	struct message messages[30];
	struct guide_hit hits[GUIDE_ENTRIES];
	size_t n = sizeof messages / sizeof messages[0], alone;

	for (size_t i = 0; i < n; i++)
		messages[i] = i % 2 ? message(ROLE_ASSISTANT, "Yes.") : message(ROLE_USER, "zebra");
	messages[n - 2] = message(ROLE_USER, "and how do i leave that?");
	alone = guide_look_up_last(guide, messages, n, hits);
	cr_assert(!alone || strcmp(facts_id(&guide->facts, hits[0].fact), "close-panel") != 0);
	messages[n - 6] = message(ROLE_USER, "how do i open the sliders?");
	cr_assert_gt(guide_look_up_last(guide, messages, n, hits), 0);
	cr_assert_str_eq(facts_id(&guide->facts, hits[0].fact), "close-panel");
	messages[n - 6] = message(ROLE_USER, "zebra");
	messages[0] = message(ROLE_USER, "how do i open the sliders?"); /* too long ago */
	cr_assert_eq(guide_look_up_last(guide, messages, n, hits), alone);
	cr_assert_eq(guide_look_up_last(guide, messages + 1, 1, hits), 0); /* no question */
	cr_assert_eq(guide_look_up_last(guide, NULL, 0, hits), 0);
}

/* "And of Spain?" leans on a question that found nothing, if none did. */
Test(prompt, knows_that_nothing_was_found_so_far)
{
	const struct message messages[] = {
		message(ROLE_USER, "zebra"), message(ROLE_ASSISTANT, "No."),
		message(ROLE_USER, "how do i open the sliders?"),
	};
	const char *question = messages[2].text;
	struct guide_hit hits[GUIDE_ENTRIES], after[GUIDE_ENTRIES], first[GUIDE_ENTRIES];

	cr_assert_gt(guide_look_up_last(guide, messages, 3, hits), 0);
	cr_assert_gt(guide_look_up(guide, question, strlen(question), GUIDE_DECLINED, after), 0);
	cr_assert_gt(guide_look_up(guide, question, strlen(question), GUIDE_NOTHING, first), 0);
	cr_assert_eq(hits[0].score, after[0].score);
	cr_assert_neq(hits[0].score, first[0].score);
}

Test(prompt, that_is_too_long_is_an_error)
{
	struct buf own = {.max = 2 * LIMIT_MESSAGE};
	struct message messages[] = {message(ROLE_SYSTEM, ""), message(ROLE_USER, "hi")};
	struct turn turn = {.messages = messages, .n_messages = 2};
	struct error err;

	while (!buf_puts(&own, "You are Bob, of whom there is a lot to be told at great length. "))
		;
	messages[0].text = buf_text(&own);
	messages[0].len = own.len;
	cr_assert_eq(guide_help(&helped, guide, &turn, &err), STATUS_LIMIT);
	cr_assert(strstr(err.text, "too long"));
	buf_free(&own);
}

Test(prompt, leaves_a_raw_turn_as_it_is)
{
	const struct message messages[] = {message(ROLE_USER, "how do i open the sliders?")};
	struct turn turn = {.messages = messages, .n_messages = 1, .raw = true};
	struct error err;

	cr_assert_eq(guide_help(&helped, guide, &turn, &err), STATUS_OK);
	cr_assert_eq(helped.turn.messages, messages);
	cr_assert_null(helped.messages);
}

/* ---- around a backend ---- */

/* What the inner backend was given, told by its counts: a token a byte. */
static struct buf seen;

static enum status count_bytes(struct backend *backend, const struct turn *turn,
                               const struct backend_host *host, struct inspection *inspection,
                               struct error *err)
{
	(void)backend;
	(void)host;
	(void)err;
	for (size_t i = 0; i < turn->n_messages; i++) {
		inspection->messages[i] = (struct message_count){.tokens = (uint32_t)turn->messages[i].len};
		inspection->total += inspection->messages[i].tokens;
		buf_printf(&seen, "%s: %.*s\n", role_name(turn->messages[i].role),
		           (int)turn->messages[i].len, turn->messages[i].text);
	}
	return STATUS_OK;
}

static enum status reply_nothing(struct backend *backend, const struct turn *turn,
                                 enum backend_mode mode, const struct backend_host *host,
                                 struct backend_result *result, struct error *err)
{
	struct inspection ignored = {.messages = (struct message_count[8]){{0}}};

	(void)mode;
	(void)host;
	result->reason = DONE_END;
	return count_bytes(backend, turn, host, &ignored, err);
}

static bool is_closed;

static void close_inner(struct backend *backend)
{
	(void)backend;
	is_closed = true;
}

static const struct backend_host no_host = {.ctx = NULL};

static const struct backend_ops inner_ops = {
	.run = reply_nothing, .inspect = count_bytes, .close = close_inner};

Test(decorator, gives_each_turn_its_help)
{
	const struct message messages[] = {message(ROLE_SYSTEM, "Speak."), message(ROLE_USER, "F2?"),
	                                   message(ROLE_SYSTEM, "Be brief."), message(ROLE_USER, "so?")};
	struct turn turn = {.messages = messages, .n_messages = 4};
	struct backend inner = {.ops = &inner_ops}, *backend = &inner;
	struct model_info info = {.capabilities = CAPABILITY_LOGITS};
	struct inspection inspection = {.messages = (struct message_count[4]){{9}, {9}, {9}, {9}}};
	struct backend_result result;
	struct error err;

	setenv("SOTTO_PKGDATADIR", TEST_SRCDIR, 1); /* the facts of tools/guide */
	buf_init(&seen, 1 << 20);
	guide_decorate(&backend, &info);
	cr_assert_eq(backend, &inner, "another model");
	info.capabilities |= CAPABILITY_HELP;
	guide_decorate(&backend, &info);
	cr_assert_neq(backend, &inner);
	cr_assert_eq(info.n_notes, 0);
	cr_assert_eq(backend_run(backend, &turn, BACKEND_REPLY, &no_host, &result, &err), STATUS_OK);
	cr_assert(strncmp(buf_text(&seen), "system: Be brief.\n\nHelp: ", 25) == 0 ||
	          strncmp(buf_text(&seen), "system: Be brief.\n\nHelp:\n", 25) == 0, "%s", buf_text(&seen));
	cr_assert_not_null(strstr(buf_text(&seen), "\nuser: F2?\nuser: so?\n"));
	buf_clear(&seen);
	cr_assert_eq(backend_inspect(backend, &turn, NULL, &inspection, &err), STATUS_OK);
	cr_assert_gt(inspection.help.tokens, strlen("Be brief.\n\nHelp:"));
	cr_assert_eq(inspection.messages[0].tokens + inspection.messages[2].tokens, 0);
	cr_assert_eq(inspection.messages[1].tokens + inspection.messages[3].tokens, 6);
	cr_assert_eq(inspection.total, inspection.help.tokens + 6);
	turn.raw = true;
	buf_clear(&seen);
	inspection = (struct inspection){.messages = inspection.messages};
	cr_assert_eq(backend_inspect(backend, &turn, NULL, &inspection, &err), STATUS_OK);
	cr_assert_eq(inspection.help.tokens, 0);
	cr_assert_str_eq(buf_text(&seen), "system: Speak.\nuser: F2?\nsystem: Be brief.\nuser: so?\n");
	backend_close(backend);
	cr_assert(is_closed);
	buf_free(&seen);
}

/* In a script: what it cannot answer is an error, what it can is not. */
Test(decorator, may_refuse_what_is_no_question)
{
	struct message question = message(ROLE_USER, "what is the capital of france?");
	struct turn turn = {.messages = &question, .n_messages = 1};
	struct model_info info = {.capabilities = CAPABILITY_HELP};
	struct backend inner = {.ops = &inner_ops}, *backend = &inner;
	struct backend_result result;
	struct error err;

	setenv("SOTTO_PKGDATADIR", TEST_SRCDIR, 1);
	buf_init(&seen, 1 << 20);
	guide_decorate_strict(&backend, &info);
	cr_assert_eq(backend_run(backend, &turn, BACKEND_REPLY, &no_host, &result, &err), STATUS_DECLINED);
	cr_assert_eq(status_exit_code(err.status), 1);
	cr_assert_str_eq(buf_text(&seen), "");
	question = message(ROLE_USER, "how do i quit?");
	cr_assert_eq(backend_run(backend, &turn, BACKEND_REPLY, &no_host, &result, &err), STATUS_OK);
	backend_close(backend);
	buf_free(&seen);
}
