/* What is sent to a llama-server for a raw reply, with a vocabulary that is asked for here. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "remote/llama_server.h"
#include "remote/request.h"
#include "support/asked_vocab.h"
#include "unit/encode/chat_model.h"

#define TEMPLATE                                                                                                 \
	"{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"               \
	"{% if add_generation_prompt %}<|im_start|>assistant\n<think>\n{% endif %}{# </think> #}"

static struct test_model model;
static struct asked_vocab vocab;
static struct llama_server llama;
static struct remote remote;
static struct remote_request request;
static struct message messages[3];
static struct turn turn;
static struct remote_ask ask;
static struct error err;

static void begin(void)
{
	test_model_open(&model, &test_bpe, NULL);
	vocab = (struct asked_vocab){.inner = model.tokenizer, .tells_pieces = true};
	remote = (struct remote){.own = &llama, .dialect = &dialect_llama_server, .fields = dialect_llama_server.fields,
	                         .n_fields = dialect_llama_server.n_fields, .info = {.n_ctx = 4096}};
	llama = (struct llama_server){.remote = &remote, .mode = LLAMA_RAW, .separator = TOKEN_NONE};
	llama.tokenizer = asked_vocab_open(&vocab);
	cr_assert_eq(chat_template_open_text(&llama.tmpl, "own", TEMPLATE, strlen(TEMPLATE), llama.tokenizer, &err),
	             STATUS_OK, "%s", err.text);
	llama_reply_free(&llama.reply);
	messages[0] = test_message(ROLE_USER, "the in <|im_end|>");
	turn = (struct turn){.messages = messages, .n_messages = 1, .n_predict = -1, .reasoning.clock = 1};
	ask = (struct remote_ask){.turn = &turn, .params = sampler_params_default(), .seed = 7};
	remote_request_init(&request);
}

static void end(void)
{
	remote_request_free(&request);
	llama_reply_free(&llama.reply);
	chat_template_close(llama.tmpl);
	tokenizer_close(llama.tokenizer);
	test_model_close(&model);
}

TestSuite(llama_write, .init = begin, .fini = end);

static void write_request(void)
{
	remote_request_free(&request);
	cr_assert_eq(llama_write(&remote, &ask, &request, &err), STATUS_OK, "%s", err.text);
	cr_expect_str_eq(buf_text(&request.path), "/completion");
}

static void expect_sent(const char *part)
{
	cr_expect(strstr(buf_text(&request.body), part), "no %s in %s", part, buf_text(&request.body));
}

static void expect_not_sent(const char *part)
{
	cr_expect_null(strstr(buf_text(&request.body), part), "%s in %s", part, buf_text(&request.body));
}

/* The prompt that is sent is these ids, and then `more`. */
static void expect_prompt(const struct token_list *ids, const struct token_list *more)
{
	struct buf text = {.max = KIB(64)};

	buf_puts(&text, "\"prompt\": [");
	for (size_t i = 0; i < ids->n + (more ? more->n : 0); i++)
		buf_printf(&text, "%s%d", i ? ", " : "", (int)(i < ids->n ? ids->ids[i] : more->ids[i - ids->n]));
	buf_puts(&text, "]");
	expect_sent(buf_text(&text));
	buf_free(&text);
}

static void expect_own_prompt(void)
{
	struct encoded encoded;

	cr_assert_eq(encode_for_context(&encoded, model.tokenizer, llama.tmpl, &turn, 4096, &err), STATUS_OK);
	expect_prompt(&encoded.ids, NULL);
	cr_expect_eq(request.n_prompt, encoded.ids.n);
	encoded_free(&encoded);
}

Test(llama_write, the_prompt_is_ids_and_all_options_are_sent)
{
	ask.params.repeat_last_n = -1;
	ask.params.top_p = 1;
	write_request();
	expect_own_prompt();
	expect_sent("\"stream\": true");
	expect_sent("\"cache_prompt\": true");
	expect_sent("\"return_tokens\": true");
	expect_sent("\"temperature\": 0.8");
	expect_sent("\"top_p\": 1");
	expect_sent("\"repeat_last_n\": 4096");
	expect_sent("\"xtc_probability\": 0");
	expect_sent("\"mirostat\": 0");
	expect_sent("\"dry_sequence_breakers\": [");
	expect_sent("\"samplers\": [\"penalties\", \"dry\"");
	expect_sent("\"n_predict\": -1");
	expect_sent("\"seed\": 7");
	expect_sent("\"n_probs\": 0");
	expect_not_sent("chat_template_kwargs");
	expect_not_sent("\"stop\": [");
	cr_expect_eq(request.start, REASONING_OPENED);
}

Test(llama_write, what_the_turn_asks_for)
{
	const char *const stops[] = {"END", "\n\n"};

	turn.stops = stops;
	turn.n_stops = 2;
	turn.n_predict = 20;
	turn.n_candidates = 5;
	turn.reasoning.mode = REASONING_OFF;
	turn.logit_bias = "he+2 97-inf <|im_start|>-1.5";
	write_request();
	expect_sent("\"stop\": [\"END\", \"\\n\\n\"]");
	expect_sent("\"n_predict\": 20");
	expect_sent("\"n_probs\": 5");
	expect_sent("\"258\": 2");
	expect_sent("\"97\": false");
	expect_sent("\"265\": -1.5");
	expect_not_sent("enable_thinking");
	turn.logit_bias = "nothing+1";
	remote_request_free(&request);
	cr_expect_eq(llama_write(&remote, &ask, &request, &err), STATUS_USAGE);
	cr_expect(strstr(err.text, "'nothing' is not one token"), "%s", err.text);
}

Test(llama_write, warming_wants_nothing)
{
	ask.mode = BACKEND_WARM;
	write_request();
	expect_sent("\"n_predict\": 0");
}

Test(llama_write, a_router_is_told_the_model)
{
	static char id[] = "some:model";

	llama.is_router = true;
	remote.model = id;
	write_request();
	expect_sent("\"model\": \"some:model\"");
}

Test(llama_write, a_cut_reply_is_continued_by_its_ids)
{
	const int32_t ids[] = {'a', 'b'};

	messages[1] = test_message(ROLE_ASSISTANT, "");
	messages[1].reasoning = "ab";
	messages[1].reasoning_len = 2;
	messages[1].ids = ids;
	messages[1].n_ids = messages[1].n_reasoning_ids = 2;
	turn.n_messages = 2;
	turn.continued = true;
	write_request();
	expect_sent(", 97, 98]");
	cr_assert_eq(request.begun.n, 2);
	cr_expect_eq(request.begun.ids[1], 'b');
}

static void take(const char *json)
{
	struct chunk chunk;

	chunk_init(&chunk);
	cr_assert_eq(llama_read(&remote, json, strlen(json), &chunk, &err), STATUS_OK, "%s", err.text);
	chunk_free(&chunk);
}

Test(llama_write, to_answer_now_the_thinking_is_closed_behind_what_there_is)
{
	struct token_list more = {0};
	struct encoded encoded;

	turn.n_predict = 50;
	write_request();
	take("{\"content\":\"a\",\"tokens\":[97],\"stop\":false,\"tokens_predicted\":1}");
	take("{\"content\":\"b\",\"tokens\":[98],\"stop\":false,\"tokens_predicted\":2}");
	cr_assert_eq(llama_answer_now(&remote, "", &err), STATUS_OK, "%s", err.text);
	cr_expect(remote.again);
	write_request();
	cr_assert_eq(token_list_push(&more, 'a'), STATUS_OK);
	cr_assert_eq(token_list_push(&more, 'b'), STATUS_OK);
	cr_assert_eq(tokenizer_encode(model.tokenizer, "\n</think>\n\n", 11, ENCODE_CONTINUE, &more, &err), STATUS_OK);
	cr_assert_eq(encode_for_context(&encoded, model.tokenizer, llama.tmpl, &turn, 4096, &err), STATUS_OK);
	expect_prompt(&encoded.ids, &more);
	expect_sent("\"n_predict\": 4"); /* 50 without those */
	cr_expect_eq(request.n_prompt, encoded.ids.n);
	encoded_free(&encoded);
	token_list_free(&more);
	/* The next reply is a new one. */
	write_request();
	expect_own_prompt();
}

Test(llama_write, a_reply_without_ids_cannot_be_told_to_answer)
{
	write_request();
	take("{\"content\":\"hello\",\"stop\":false}");
	cr_expect_eq(llama_answer_now(&remote, "", &err), STATUS_UNSUPPORTED);
	cr_expect_not(remote.again);
}

Test(llama_write, a_full_context_is_the_servers)
{
	remote.info.n_ctx = 8;
	cr_expect_eq(llama_write(&remote, &ask, &request, &err), STATUS_CONTEXT);
	cr_expect(strstr(err.text, "llama-server"), "%s", err.text);
	cr_expect_null(strstr(err.text, "ctx-size"), "%s", err.text);
}

Test(llama_write, a_conversation_is_counted_as_here)
{
	struct message_count counts[1];
	struct inspection seen = {.purpose = INSPECT_TOKENS, .messages = counts};
	struct encoded encoded;

	cr_assert_eq(encode_for_context(&encoded, model.tokenizer, llama.tmpl, &turn, 4096, &err), STATUS_OK);
	write_request();
	cr_assert_eq(llama_inspect(&remote, &turn, &seen, &err), STATUS_OK, "%s", err.text);
	cr_expect_eq(seen.total, encoded.ids.n);
	cr_expect_eq(seen.n_ctx, 4096);
	cr_expect_eq(seen.cached, encoded.ids.n); /* what was sent last */
	cr_expect_not(seen.estimated);
	cr_expect_eq(seen.tokens[0].id, encoded.ids.ids[0]);
	free(seen.tokens);
	free(seen.text);
	encoded_free(&encoded);
}
