/* A reply is divided by its text alone: cut into tokens at any other bytes it gives the same answer
 * and the same reasoning, whatever its markers are. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "encode/splitter.h"
#include "support/random.h"

enum { N_REPLIES = 1000, N_CUTS = 3, PIECES_MAX = 64, TEXT_MAX = 4000 };

static const char *const stops[] = {"\nUser:", "STOP", "TOPS", NULL};

/* A piece of a reply: text, or the name of a control token, which is never cut. */
struct piece {
	char text[64];
	bool is_control;
};

struct reply {
	struct piece pieces[PIECES_MAX];
	size_t n;
};

/* What is told of a reply. */
struct told {
	struct buf answer, reasoning, aside;
	bool stopped;
	int32_t last_id;
	struct splitter splitter;
};

static enum status collect(void *ctx, const struct token *token, struct error *err)
{
	struct told *told = ctx;
	struct buf *to = !token->reasoning ? &told->answer : token->aside ? &told->aside : &told->reasoning;

	(void)err;
	cr_assert_eq(token->id, told->last_id + !token->rest, "every token once, in order");
	told->last_id = token->id;
	if (token->recants) {
		cr_assert(told->answer.len && !told->reasoning.len);
		buf_append(&told->reasoning, buf_text(&told->answer), told->answer.len);
		buf_clear(&told->answer);
	}
	if (token->aside && !told->aside.len)
		buf_puts(&told->aside, told->splitter.recipient);
	return buf_append(to, token->bytes, token->len);
}

static void told_free(struct told *told)
{
	buf_free(&told->answer);
	buf_free(&told->reasoning);
	buf_free(&told->aside);
}

/* Divides a reply that is cut into tokens of at most `longest` bytes; 0: only beside control tokens. */
static void divide(struct told *told, const struct reply *reply, const struct reasoning_markers *markers,
                   enum reasoning_start start, struct test_random *rng, size_t longest)
{
	char text[TEXT_MAX];
	struct error err;
	int32_t id = 0;

	*told = (struct told){.last_id = -1};
	buf_init(&told->answer, TEXT_MAX);
	buf_init(&told->reasoning, TEXT_MAX);
	buf_init(&told->aside, TEXT_MAX);
	splitter_init(&told->splitter, markers, start, stops, true, collect, told);
	for (size_t i = 0; i < reply->n;) {
		size_t len = 0, at = 0, n;

		if (reply->pieces[i].is_control) {
			const char *name = reply->pieces[i++].text;

			cr_assert_eq(splitter_push(&told->splitter, &(struct token){.id = id++, .bytes = ""}, name,
			                           strlen(name), &err), STATUS_OK);
			continue;
		}
		for (; i < reply->n && !reply->pieces[i].is_control; i++, len += n) {
			n = strlen(reply->pieces[i].text);
			memcpy(text + len, reply->pieces[i].text, n);
		}
		for (; at < len; at += n) {
			n = longest ? 1 + test_random_below(rng, longest) : len;
			n = n < len - at ? n : len - at;
			cr_assert_eq(splitter_push(&told->splitter, &(struct token){.id = id++, .bytes = text + at,
			                           .len = n}, NULL, 0, &err), STATUS_OK);
		}
	}
	cr_assert_eq(splitter_flush(&told->splitter, &err), STATUS_OK);
	told->stopped = told->splitter.stopped;
	if (!told->stopped)
		cr_assert_eq(told->last_id + 1, id, "no token is lost");
	splitter_deinit(&told->splitter);
}

static void add(struct reply *reply, bool is_control, const char *text, size_t len)
{
	struct piece *piece = &reply->pieces[reply->n];

	if (!len || reply->n == PIECES_MAX)
		return;
	cr_assert_lt(len, sizeof piece->text);
	*piece = (struct piece){.is_control = is_control};
	memcpy(piece->text, text, len);
	reply->n++;
}

/* A header or marker; `controls`: what stands in brackets is control tokens, and the first or last
 * byte of the words between may be a blank. */
static void add_marker(struct reply *reply, const char *text, bool controls, struct test_random *rng)
{
	while (*text) {
		size_t n = strcspn(text, *text == '<' ? ">" : "<");
		bool is_control = *text == '<' && text[n] == '>';

		n += is_control;
		if (!is_control && controls && test_random_below(rng, 3) == 0)
			add(reply, false, " ", 1);
		add(reply, is_control && controls, text, n);
		text += n;
		if (!is_control && controls && test_random_below(rng, 3) == 0)
			add(reply, false, "\n", 1);
	}
}

static const char *pick(const char *const *list, struct test_random *rng)
{
	size_t n = 0;

	while (list[n])
		n++;
	return n ? list[test_random_below(rng, n)] : "";
}

static void add_words(struct reply *reply, const struct reasoning_markers *markers, struct test_random *rng)
{
	static const char *const words[] = {
		"Hm", " so", "\n", " ", "Yes", ".", " <", "</", "\n\n", "\xE4\xBD\xA0", "`", "\"", "x<y", " STO",
		"\nUse", "\nUser", "STOPS", "to=", " final", NULL};

	for (size_t n = test_random_below(rng, 5); n; n--) {
		const char *marker = test_random_below(rng, 2) ? markers->close : markers->opens[0];

		add(reply, false, marker, test_random_below(rng, 8) ? 0 : test_random_below(rng, strlen(marker)));
		const char *word = pick(words, rng);
		add(reply, false, word, strlen(word));
	}
}

static struct reply make(const struct reasoning_markers *markers, bool controls, struct test_random *rng)
{
	static const char *const channels[] = {
		"<|channel|>analysis<|message|>", "<|channel|>commentary<|message|>",
		"<|channel|>Final<|message|>", "to=functions.x<|channel|>commentary json<|message|>",
		"<|start|>assistant to=python<|channel|>analysis code<|message|>",
		"<|start|>assistant<|channel|>final<|constrain|>json<|message|>", "<|channel|>fin", NULL};
	struct reply reply = {.n = 0};

	for (size_t parts = 1 + test_random_below(rng, 3); parts; parts--) {
		uint64_t kind = test_random_below(rng, 4);

		if (kind == 0 && markers->channels)
			add_marker(&reply, pick(channels, rng), controls, rng);
		else if (kind == 0)
			add_marker(&reply, pick(markers->answers, rng), controls, rng);
		else if (kind < 3)
			add_marker(&reply, pick(markers->opens, rng), controls, rng);
		add_words(&reply, markers, rng);
		if (test_random_below(rng, 4))
			add_marker(&reply, markers->close, controls, rng);
		add_words(&reply, markers, rng);
	}
	return reply;
}

static void show(const struct reply *reply, struct buf *out)
{
	for (size_t i = 0; i < reply->n; i++)
		buf_printf(out, reply->pieces[i].is_control ? "{%s}" : "%s", reply->pieces[i].text);
}

static void assert_same(const struct told *a, const struct told *b, const struct reply *reply,
                        const char *format, enum reasoning_start start)
{
	struct buf text = {.max = TEXT_MAX};

	if (a->stopped == b->stopped && strcmp(buf_text(&a->answer), buf_text(&b->answer)) == 0 &&
	    strcmp(buf_text(&a->reasoning), buf_text(&b->reasoning)) == 0 &&
	    strcmp(buf_text(&a->aside), buf_text(&b->aside)) == 0)
		return;
	show(reply, &text);
	cr_assert_fail("%s, start %d: \"%s\"\nwhole: \"%s\" [%s] {%s} %d\ncut:   \"%s\" [%s] {%s} %d", format,
	               (int)start, buf_text(&text), buf_text(&a->answer), buf_text(&a->reasoning),
	               buf_text(&a->aside), a->stopped, buf_text(&b->answer), buf_text(&b->reasoning),
	               buf_text(&b->aside), b->stopped);
}

Test(cuts, do_not_matter)
{
	for (size_t row = 0; row < reasoning_n_markers; row++) {
		const struct reasoning_markers *markers = &reasoning_markers[row];
		struct test_random rng;

		rng.state = row;
		for (size_t i = 0; i < N_REPLIES; i++) {
			struct reply reply = make(markers, i % 2, &rng);
			enum reasoning_start start = (enum reasoning_start)test_random_below(&rng, 3);
			struct told whole, cut;

			divide(&whole, &reply, markers, start, &rng, 0);
			for (size_t n = 0; n < N_CUTS; n++) {
				divide(&cut, &reply, markers, start, &rng, n ? 12 : 1);
				assert_same(&whole, &cut, &reply, markers->opens[0], start);
				told_free(&cut);
			}
			told_free(&whole);
		}
	}
}

/* An answer is told whatever the last token holds beside it. */
Test(cuts, nothing_vanishes_at_the_end)
{
	for (size_t row = 0; row < reasoning_n_markers; row++) {
		const struct reasoning_markers *markers = &reasoning_markers[row];
		struct reply reply = {.n = 0};
		struct told told;

		add(&reply, false, "Hm", 2);
		add(&reply, false, markers->close, strlen(markers->close));
		if (markers->parts)
			add(&reply, false, markers->answers[1], strlen(markers->answers[1]));
		add(&reply, false, "Hello", 5);
		divide(&told, &reply, markers, REASONING_OPENED, NULL, 0);
		cr_expect_str_eq(buf_text(&told.answer), "Hello", "%s", markers->close);
		cr_expect_str_eq(buf_text(&told.reasoning), "Hm", "%s", markers->close);
		told_free(&told);
	}
}

/* A closing marker without an opening one. */
Test(cuts, what_turns_out_to_be_reasoning)
{
	static const struct {
		enum reasoning_start start;
		const char *text, *reasoning, *answer;
	} rows[] = {
		{REASONING_UNOPENED, "Hm so\n\n</think>\n\nHello", "Hm so", "Hello"},
		{REASONING_UNOPENED, "Hm so</think>Hello", "Hm so", "Hello"},
		{REASONING_UNOPENED, "</think>Hello", "", "Hello"},
		{REASONING_UNOPENED, "\n Hm </think>", "Hm", ""},
		{REASONING_UNOPENED, "a</think>b</think>c", "a", "b</think>c"},
		{REASONING_UNOPENED, "a < b </thi </think>c", "a < b </thi", "c"},
		{REASONING_CLOSED, "Hm so</think>Hello", "", "Hm so</think>Hello"},
		/* Where the markers are spoken of. */
		{REASONING_UNOPENED, "With `</think>` it ends.", "", "With `</think>` it ends."},
		{REASONING_UNOPENED, "```\na\n</think>\n```", "", "```\na\n</think>\n```"},
		{REASONING_UNOPENED, "The \"</think>\" there", "", "The \"</think>\" there"},
		{REASONING_UNOPENED, "It thinks in <think>x</think>.", "", "It thinks in <think>x</think>."},
		{REASONING_UNOPENED, "a STOP b</think>c", "", "a "},
	};
	struct test_random rng;

	rng.state = 1;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (size_t longest = 0; longest < 20; longest++) {
			struct reply reply = {.n = 0};
			struct told told;

			add(&reply, false, rows[i].text, strlen(rows[i].text));
			divide(&told, &reply, reasoning_find("</think>", 8), rows[i].start, &rng, longest);
			cr_expect_str_eq(buf_text(&told.answer), rows[i].answer, "row %zu, %zu", i, longest);
			cr_expect_str_eq(buf_text(&told.reasoning), rows[i].reasoning, "row %zu, %zu", i, longest);
			told_free(&told);
		}
}
