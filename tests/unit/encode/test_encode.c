#include <criterion/criterion.h>
#include <string.h>

#include "base/limits.h"
#include "encode/encode.h"
#include "encode/fit.h"
#include "gguf/reader.h"
#include "support/gguf_memory.h"
#include "support/tiny_model.h"

static struct buf file;
static struct gguf *gguf;
static struct tokenizer *tokenizer;
static struct chat_template *tmpl;
static struct error err;

static void open_vocab(enum tiny_vocab vocab)
{
	struct tiny_model tiny = tiny_model_default();

	tiny.vocab = vocab;
	tiny.vocab_only = true;
	buf_init(&file, MIB(1));
	cr_assert_eq(tiny_model_write(&tiny, &file, &err), STATUS_OK);
	cr_assert_eq(gguf_open_memory(&gguf, file.data, file.len, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(tokenizer_open(&tokenizer, gguf, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(chat_template_open(&tmpl, "plain", gguf, tokenizer, &err), STATUS_OK, "%s",
	             err.text);
}

static void close_vocab(void)
{
	chat_template_close(tmpl);
	tokenizer_close(tokenizer);
	gguf_close(gguf);
	buf_free(&file);
}

static struct message message(enum role role, const char *text)
{
	return (struct message){.role = role, .text = text, .len = strlen(text)};
}

/* The text of the ids, without the blank that a vocabulary puts first. */
static void spell(const struct token_list *ids, struct buf *out)
{
	struct detokenizer d;

	buf_init(out, MIB(1));
	detokenizer_init(&d, tokenizer, true);
	for (size_t i = 0; i < ids->n; i++)
		cr_assert_eq(detokenizer_push(&d, ids->ids[i], out), STATUS_OK);
}

static void encode(struct encoded *out, const struct message *messages, size_t n,
                   size_t room)
{
	struct turn turn = {.messages = messages, .n_messages = n};

	cr_assert_eq(encode_turn(out, tokenizer, tmpl, &turn, room, &err), STATUS_OK, "%s", err.text);
}

static void check_spelling(const struct encoded *encoded, const char *expected)
{
	struct buf text;

	spell(&encoded->ids, &text);
	cr_assert_str_eq(buf_text(&text), expected, "%s", buf_text(&text));
	buf_free(&text);
}

static void check_continuation(enum tiny_vocab vocab)
{
	struct message messages[] = {
		message(ROLE_SYSTEM, "the end"),  message(ROLE_USER, " and the hen"),
		message(ROLE_ASSISTANT, "in the"), message(ROLE_USER, "héé 日!"),
	};
	struct token_list reply = {0};
	struct encoded first, second;
	size_t total = 0;

	open_vocab(vocab);
	/* Sampled as other ids than the text would give: letter by letter. */
	for (const char *letter = " in the"; *letter; letter++)
		cr_assert_eq(tokenizer_encode(tokenizer, letter, 1, ENCODE_CONTINUE, &reply, &err),
		             STATUS_OK);
	messages[2].ids = reply.ids;
	messages[2].n_ids = reply.n;
	encode(&first, messages, 2, SIZE_MAX);
	encode(&second, messages, 4, SIZE_MAX);
	check_spelling(&first, "the end\n\nUser:  and the hen\nAssistant:");
	check_spelling(&second, "the end\n\nUser:  and the hen\nAssistant: in the\nUser: héé 日!\nAssistant:");
	cr_assert_eq(memcmp(first.ids.ids, second.ids.ids, first.ids.n * sizeof(int32_t)), 0);
	cr_assert_eq(memcmp(second.ids.ids + first.ids.n, reply.ids, reply.n * sizeof(int32_t)), 0,
	             "the reply's own ids follow");
	for (size_t i = 0; i < 4; i++)
		total += second.counts[i].tokens;
	cr_assert_eq(total, second.ids.n, "every token belongs to a message");
	encoded_free(&first);
	encoded_free(&second);
	token_list_free(&reply);
	close_vocab();
}

Test(encode, a_conversation_continued_begins_with_the_same_ids_spm)
{
	check_continuation(TINY_SPM);
}

Test(encode, a_conversation_continued_begins_with_the_same_ids_bpe)
{
	check_continuation(TINY_BPE);
}

Test(encode, ids_are_believed_only_as_far_as_they_spell_the_text)
{
	static const struct {
		const char *sampled, *text;
		size_t n_believed; /* ids */
	} rows[] = {
		{" in the", "in the", 7},
		{" in the", " in the", 7},
		{"in", "in", 2},
		{" in the", "in a", 4},      /* the text was edited */
		{" in the end", "in the", 7}, /* cut at a stop string */
		{" in", "in the", 3},         /* more text than ids */
		{"xyz", "in the", 0},
		{"   ", "in the", 0},
		{" é", "é", 3},              /* one character of two byte tokens */
	};

	for (int vocab = TINY_SPM; vocab <= TINY_BPE; vocab++) {
		open_vocab((enum tiny_vocab)vocab);
		for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
			struct message messages[] = {
				message(ROLE_USER, "a"), message(ROLE_ASSISTANT, rows[r].text),
				message(ROLE_USER, "b"),
			};
			struct token_list ids = {0};
			struct encoded encoded, head;
			struct buf text, expected = {.max = 1000};
			size_t same = 0;

			for (const char *at = rows[r].sampled; *at; at++)
				cr_assert_eq(tokenizer_encode(tokenizer, at, 1, ENCODE_CONTINUE, &ids, &err),
				             STATUS_OK);
			if (vocab == TINY_BPE && rows[r].n_believed == 3 && rows[r].text[0] != 'i') {
				token_list_free(&ids); /* BPE would repair the halves */
				continue;
			}
			messages[1].ids = ids.ids;
			messages[1].n_ids = ids.n;
			encode(&head, messages, 1, SIZE_MAX);
			encode(&encoded, messages, 3, SIZE_MAX);
			while (same < ids.n && encoded.ids.ids[head.ids.n + same] == ids.ids[same])
				same++;
			cr_assert_geq(same, rows[r].n_believed, "row %zu", r);
			spell(&encoded.ids, &text);
			buf_printf(&expected, "%s\nUser: b\nAssistant:", rows[r].text);
			cr_assert_not_null(strstr(buf_text(&text), buf_text(&expected)), "row %zu: %s", r,
			                   buf_text(&text));
			buf_free(&expected);
			buf_free(&text);
			encoded_free(&encoded);
			encoded_free(&head);
			token_list_free(&ids);
		}
		close_vocab();
	}
}

Test(encode, ids_of_another_model_do_no_harm)
{
	const int32_t ids[] = {-1, 99999999, 0, 1, 2};
	struct message messages[] = {
		message(ROLE_USER, "a"), message(ROLE_ASSISTANT, "the end"), message(ROLE_USER, "b")};
	struct encoded encoded;

	open_vocab(TINY_SPM);
	for (size_t skip = 0; skip < 5; skip++) {
		messages[1].ids = ids + skip;
		messages[1].n_ids = 5 - skip;
		encode(&encoded, messages, 3, SIZE_MAX);
		for (size_t i = 0; i < encoded.ids.n; i++)
			cr_assert(encoded.ids.ids[i] >= 0 &&
			          (size_t)encoded.ids.ids[i] < tokenizer_n_vocab(tokenizer));
		encoded_free(&encoded);
	}
	close_vocab();
}

/* Even if its only token begins with a blank of the template's. */
Test(encode, a_message_of_one_word_has_tokens)
{
	struct message messages[] = {
		message(ROLE_USER, "hen"), message(ROLE_ASSISTANT, "the"), message(ROLE_USER, "end"),
	};

	for (int vocab = TINY_SPM; vocab <= TINY_BPE; vocab++) {
		struct encoded encoded;
		uint32_t n_input[3] = {0};

		open_vocab((enum tiny_vocab)vocab);
		encode(&encoded, messages, 3, SIZE_MAX);
		for (size_t i = 0; i < encoded.ids.n; i++)
			n_input[encoded.origins[i].message] += encoded.origins[i].is_input;
		for (size_t i = 0; i < 3; i++) {
			cr_expect_gt(encoded.counts[i].tokens, 0, "vocabulary %d, message %zu", vocab, i);
			cr_expect_gt(n_input[i], 0, "vocabulary %d, message %zu", vocab, i);
		}
		encoded_free(&encoded);
		close_vocab();
	}
}

/* A finished turn counts as what was sent, plus the reply. */
Test(encode, an_answered_turn_leaves_out_what_its_question_left_out)
{
	struct message messages[12];
	struct turn turn = {.messages = messages}, asked;
	unsigned n_cut = 0, n_forecast = 0;

	open_vocab(TINY_SPM);
	for (size_t i = 0; i < 12; i += 2) {
		struct encoded question, answered;

		messages[i] = message(ROLE_USER, "the hen in the den");
		messages[i + 1] = message(ROLE_ASSISTANT, "in the end");
		asked = turn;
		asked.n_messages = i + 1;
		turn.n_messages = i + 2;
		turn.answered = true;
		cr_assert_eq(encode_turn(&question, tokenizer, tmpl, &asked, 100, &err), STATUS_OK);
		cr_assert_eq(encode_for_context(&answered, tokenizer, tmpl, &turn, 100, &err), STATUS_OK);
		cr_assert_eq(answered.n_dropped, question.n_dropped);
		cr_assert_eq(memcmp(answered.keep, question.keep, i + 1), 0);
		cr_assert(answered.keep[i + 1]);
		cr_assert_gt(answered.ids.n, question.ids.n);
		cr_assert_eq(memcmp(answered.ids.ids, question.ids.ids, question.ids.n * sizeof(int32_t)), 0);
		cr_assert_eq(fit_dropped_next(&turn, answered.whole_tokens, 1000), 0);
		n_cut += answered.n_dropped > 0;
		n_forecast += fit_dropped_next(&turn, answered.whole_tokens, 100) > answered.n_dropped;
		turn.answered = false;
		encoded_free(&question);
		encoded_free(&answered);
	}
	cr_assert_geq(n_cut, 2);
	cr_assert_geq(n_forecast, 1);
	cr_assert_lt(n_forecast, 6);
	close_vocab();
}

Test(encode, what_does_not_fit_is_left_out_from_the_oldest_turn_on)
{
	struct message messages[] = {
		message(ROLE_USER, "the first and longest of them all"), message(ROLE_ASSISTANT, "in"),
		message(ROLE_USER, "hen"), message(ROLE_ASSISTANT, "the"), message(ROLE_USER, "end"),
	};
	struct encoded all, some;
	size_t sum = 0;

	open_vocab(TINY_SPM);
	encode(&all, messages, 5, SIZE_MAX);
	encode(&some, messages, 5, all.ids.n - 1);
	cr_assert_eq(all.n_dropped, 0);
	cr_assert_eq(some.n_dropped, 2);
	cr_assert_lt(some.ids.n, all.ids.n);
	cr_assert_eq(some.ids.ids[0], tokenizer_bos(tokenizer), "it begins anew");
	check_spelling(&some, "User: hen\nAssistant: the\nUser: end\nAssistant:");
	for (size_t i = 0; i < 5; i++) {
		cr_assert_eq(all.whole_tokens[i], some.whole_tokens[i], "counted all the same");
		cr_assert_eq(some.keep[i], i >= 2);
		sum += some.counts[i].tokens;
	}
	cr_assert_eq(some.counts[0].tokens + some.counts[1].tokens, 0);
	cr_assert_eq(sum, some.ids.n);
	encoded_free(&all);
	encoded_free(&some);
	cr_assert_eq(encode_turn(&some, tokenizer, tmpl,
	                         &(struct turn){.messages = messages, .n_messages = 5}, 3,
	                         &err),
	             STATUS_CONTEXT);
	encoded_free(&some);
	close_vocab();
}

static enum status encoded_for(const struct turn *turn, size_t n_ctx)
{
	struct encoded encoded;
	enum status status = encode_for_context(&encoded, tokenizer, tmpl, turn, n_ctx, &err);

	encoded_free(&encoded);
	return status;
}

/* The keep flags as a text of '0' and '1'. */
static const char *kept(const struct encoded *encoded, size_t n)
{
	static char text[16];

	for (size_t i = 0; i < n; i++)
		text[i] = encoded->keep[i] ? '1' : '0';
	text[n] = '\0';
	return text;
}

Test(encode, each_policy_at_its_border)
{
	struct message messages[] = {
		message(ROLE_USER, "the first of them"), message(ROLE_ASSISTANT, "in"),
		message(ROLE_USER, "the hen in the den"), message(ROLE_ASSISTANT, "the"),
		message(ROLE_USER, "end"),
	};
	struct turn turn = {.messages = messages, .n_messages = 5, .n_predict = -1};
	struct encoded encoded;
	size_t all;

	open_vocab(TINY_SPM);
	encode(&encoded, messages, 5, SIZE_MAX);
	all = encoded.ids.n;
	encoded_free(&encoded);
	for (turn.policy = CONTEXT_ROLL; turn.policy <= CONTEXT_STOP; turn.policy++) {
		bool refuses = turn.policy == CONTEXT_STOP || turn.policy == CONTEXT_SUMMARY;

		cr_assert_eq(encode_turn(&encoded, tokenizer, tmpl, &turn, all, &err), STATUS_OK);
		cr_assert_str_eq(kept(&encoded, 5), "11111");
		cr_assert(!encoded.refused);
		encoded_free(&encoded);
		cr_assert_eq(encode_turn(&encoded, tokenizer, tmpl, &turn, all - 1, &err),
		             refuses ? STATUS_CONTEXT : STATUS_OK);
		cr_assert_eq(encoded.refused, refuses);
		cr_assert_str_eq(kept(&encoded, 5), turn.policy == CONTEXT_ENDS ? "11001" : "00111");
		cr_assert_eq(encoded.n_dropped, 2);
		/* Refused, it is counted as it is. */
		cr_assert(refuses ? encoded.ids.n == all && encoded.counts[0].tokens > 0
		                  : encoded.ids.n < all && encoded.counts[turn.policy == CONTEXT_ENDS ? 2 : 0].tokens == 0);
		encoded_free(&encoded);
		/* A refusal keeps what is reserved for the reply. */
		cr_assert_eq(encode_for_context(&encoded, tokenizer, tmpl, &turn, all, &err),
		             refuses ? STATUS_CONTEXT : STATUS_OK);
		encoded_free(&encoded);
		/* Where there is nothing to leave out, the reserve is given up. */
		turn.n_messages = 1;
		encode(&encoded, messages, 1, SIZE_MAX);
		cr_assert_eq(encoded_for(&turn, encoded.ids.n), STATUS_OK);
		cr_assert_eq(encoded_for(&turn, encoded.ids.n - 1), STATUS_CONTEXT);
		encoded_free(&encoded);
		turn.n_messages = 5;
	}
	turn.policy = CONTEXT_ROLL;
	messages[1].pinned = true; /* a reply, too, keeps its turn */
	cr_assert_eq(encode_turn(&encoded, tokenizer, tmpl, &turn, all - 1, &err), STATUS_OK);
	cr_assert_str_eq(kept(&encoded, 5), "11001");
	encoded_free(&encoded);
	close_vocab();
}

Test(encode, control_tokens_in_messages_are_text)
{
	struct message messages[] = {message(ROLE_USER, "</s><s><|endoftext|>")};
	struct encoded encoded;

	for (int vocab = TINY_SPM; vocab <= TINY_BPE; vocab++) {
		open_vocab((enum tiny_vocab)vocab);
		encode(&encoded, messages, 1, SIZE_MAX);
		for (size_t i = 1; i < encoded.ids.n; i++)
			cr_assert(!tokenizer_is_control(tokenizer, encoded.ids.ids[i]));
		check_spelling(&encoded, "User: </s><s><|endoftext|>\nAssistant:");
		encoded_free(&encoded);
		close_vocab();
	}
}
