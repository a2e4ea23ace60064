/* sotto with a real llama-server: the same file, there and here, says the same. Skipped where SOTTO_LLAMA_SERVER names no program. Models
 * are the test's own; those of ../shared/testdata are tried, too, where they are. */
#include <criterion/criterion.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/json.h"
#include "llama_server/program.h"
#include "llama_server/talk.h"
#include "support/folder.h"
#include "support/testdata.h"
#include "support/tiny_model.h"

#define USER "{% for m in messages %}<|{{ m.role }}|>\n{{ m.content }}\n{% endfor %}"
#define CHAT USER "{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
#define THINKING                                                                                                     \
	USER "{% if add_generation_prompt %}<|assistant|>\n{% if enable_thinking is defined and not enable_thinking %}" \
	     "<think>\n\n</think>\n\n{% else %}<think>\n{% endif %}{% endif %}"

enum { N_CTX = 2048, LARGE_CTX = 32768, TURNS = 200 };

static char folder[] = "/tmp/sotto-llama-server-XXXXXX", small[64], spm[64], large[64], thinking[64];
/* Nothing but ASCII, because a server ends a reply that is no UTF-8, as random weights write it; and no end. */
static struct buf bpe_bias = {.max = 1 << 16}, spm_bias = {.max = 1 << 16};
static struct program program;
static struct talk here, there;

static void save(char path[64], const char *name, const struct tiny_model *tiny, const char *chat_template)
{
	struct gguf_writer *writer = tiny_model_writer(tiny);

	snprintf(path, 64, "%s/%s.gguf", folder, name);
	cr_assert_not_null(writer);
	gguf_writer_set_string(writer, "tokenizer.chat_template", chat_template, strlen(chat_template));
	cr_assert_eq(gguf_writer_save(writer, path, NULL), STATUS_OK);
	gguf_writer_free(writer);
}

static void begin(void)
{
	struct tiny_model tiny = tiny_model_default();

	cr_assert_not_null(mkdtemp(folder));
	buf_puts(&bpe_bias, "<|endoftext|>-inf");
	buf_puts(&spm_bias, "<unk>-inf");
	for (int byte = 128; byte < 256; byte++) {
		buf_printf(&bpe_bias, " %d-inf", byte);
		buf_printf(&spm_bias, " %d-inf", byte + 3);
	}
	tiny.n_embd = 64;
	tiny.n_ff = 128;
	tiny.n_ctx = N_CTX;
	save(spm, "spm", &tiny, CHAT);
	tiny.vocab = TINY_BPE;
	save(small, "small", &tiny, CHAT);
	/* So large that a long reply takes a while. */
	tiny.n_embd = 256;
	tiny.n_ff = 768;
	tiny.n_layer = 12;
	tiny.n_ctx = LARGE_CTX;
	save(large, "large", &tiny, CHAT);
	save(thinking, "thinking", &tiny, THINKING);
}

static void end(void)
{
	const char *const paths[] = {small, spm, large, thinking};

	talk_close(&here);
	talk_close(&there);
	program_stop(&program);
	for (size_t i = 0; i < 4; i++)
		unlink(paths[i]);
	rmdir(folder);
	buf_free(&bpe_bias);
	buf_free(&spm_bias);
}

TestSuite(llama_server, .init = begin, .fini = end, .timeout = 900);

/* With the same cache as here. */
static void start(const char *model, const char *more, const char *value)
{
	const char *const arguments[] = {"-m", model, "--jinja", "-np", "1", "-ctk", "f32", "-ctv", "f32", "-fa", "off",
	                                 "--slots", more, value, NULL};

	program_start(&program, arguments);
}

static void connect_to(void)
{
	program_wait(&program);
	cr_assert_eq(talk_open(&there, "", program.url, NULL), STATUS_OK, "%s", there.err.text);
}

static struct message say(enum role role, const char *text)
{
	return (struct message){.role = role, .text = text, .len = strlen(text)};
}

static void run(struct talk *talk, const struct turn *turn)
{
	struct turn biased = *turn;

	if (!biased.logit_bias)
		biased.logit_bias = buf_text(&bpe_bias);
	cr_assert_eq(talk_run(talk, &biased), STATUS_OK, "%s", talk->err.text);
}

/* The same ids, up to where the two likeliest tokens are about equally likely, so that rounding decides. */
static void expect_same_reply(const char *what)
{
	size_t n = here.ids.n < there.ids.n ? here.ids.n : there.ids.n, i = 0;
	double gap;

	while (i < n && here.ids.ids[i] == there.ids.ids[i])
		i++;
	gap = i < here.ids.n && i < TALK_TOKENS_MAX ? here.candidates[i][0].logit - here.candidates[i][1].logit : 1;
	if (gap < 0.01) {
		printf("%s: the same for %zu tokens, where two are equally likely\n", what, i);
		return;
	}
	cr_expect(i == here.ids.n && i == there.ids.n, "%s: %zu and %zu tokens, the same up to %zu (%g)", what, here.ids.n,
	          there.ids.n, i, gap);
	cr_expect_str_eq(buf_text(&here.text), buf_text(&there.text), "%s", what);
	cr_expect_eq(here.result.reason, there.result.reason, "%s: %s, %s", what, done_reason_name(here.result.reason),
	             done_reason_name(there.result.reason));
	cr_expect_eq(here.result.stats.n_prompt, there.result.stats.n_prompt, "%s", what);
}

static void run_both(const struct turn *turn, const char *what)
{
	run(&here, turn);
	run(&there, turn);
	expect_same_reply(what);
}

static void open_both(const char *model, const char *more, const char *value)
{
	start(model, more, value);
	cr_assert_eq(talk_open(&here, model, NULL, value && strcmp(more, "--chat-template-file") == 0 ? value : NULL),
	             STATUS_OK, "%s", here.err.text);
	connect_to();
}

static void compare_two_replies(const char *model, const char *bias)
{
	struct message messages[] = {say(ROLE_SYSTEM, "Be brief."), say(ROLE_USER, "Hello there"), {0}, say(ROLE_USER, "And?")};
	struct turn turn = {.messages = messages, .n_messages = 2, .n_predict = 80, .n_candidates = 2, .logit_bias = bias};

	open_both(model, NULL, NULL);
	cr_expect(there.info.capabilities & CAPABILITY_IDS);
	cr_expect(there.info.capabilities & CAPABILITY_COUNTS);
	cr_expect_eq(there.info.n_ctx, N_CTX);
	run_both(&turn, "the first reply");
	/* The next turn has the reply's ids. */
	messages[2] = say(ROLE_ASSISTANT, buf_text(&here.text));
	messages[2].text = alloc_strndup(here.text.data, here.text.len);
	messages[2].ids = here.ids.ids;
	messages[2].n_ids = here.ids.n;
	here.ids = (struct token_list){0};
	turn.n_messages = 4;
	run_both(&turn, "the second reply");
	cr_expect_gt(there.result.stats.n_cached, 20);
	free((char *)(size_t)messages[2].text);
	free((int32_t *)(size_t)messages[2].ids);
}

Test(llama_server, greedy_replies_are_those_of_the_file)
{
	compare_two_replies(small, buf_text(&bpe_bias));
}

Test(llama_server, so_they_are_with_sentence_pieces)
{
	compare_two_replies(spm, buf_text(&spm_bias));
}

Test(llama_server, a_raw_text_is_continued_as_in_the_file)
{
	const struct message message = say(ROLE_USER, "Once upon a time");
	const struct turn turn = {.messages = &message, .n_messages = 1, .n_predict = 100, .n_candidates = 2, .raw = true};

	open_both(small, NULL, NULL);
	run_both(&turn, "raw");
}

Test(llama_server, the_models_of_testdata_say_the_same)
{
	char model[4096], templates[4096], path[8192];
	struct message messages[] = {say(ROLE_USER, "Tell me a story about a little girl named Lily.")};
	struct turn turn = {.messages = messages, .n_messages = 1, .n_predict = 60, .n_candidates = 2, .logit_bias = ""};
	struct dirent *entry;
	size_t n = 0;
	DIR *dir;

	snprintf(model, sizeof model, "%s/models/stories260K-f32.gguf", testdata_root());
	snprintf(templates, sizeof templates, "%s/templates", testdata_root());
	dir = opendir(templates);
	if (!dir || access(model, R_OK))
		cr_skip_test("no %s", model);
	while ((entry = readdir(dir))) {
		size_t len = strlen(entry->d_name);

		if (len < 6 || strcmp(entry->d_name + len - 6, ".jinja") != 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", templates, entry->d_name);
		open_both(model, "--chat-template-file", path);
		if (there.info.capabilities & CAPABILITY_IDS && !strstr(here.info.n_notes ? here.info.notes[0].text : "", "fails")) {
			turn.reasoning.clock = 1764000000000000;
			if (talk_run(&here, &turn) == STATUS_CONTEXT) {
				cr_expect_eq(talk_run(&there, &turn), STATUS_CONTEXT, "%s", entry->d_name);
			} else {
				run(&there, &turn);
				expect_same_reply(entry->d_name);
				n++;
			}
		} else {
			printf("%s: %s\n", entry->d_name, there.info.n_notes ? there.info.notes[0].text : here.info.notes[0].text);
		}
		talk_close(&here);
		talk_close(&there);
		here = there = (struct talk){0};
		program_stop(&program);
		program.port = 0;
	}
	closedir(dir);
	cr_expect_geq(n, 20, "%zu templates", n);
}

Test(llama_server, types_of_testdata_say_the_same)
{
	static const char *const names[] = {"stories260K-f32", "tiny-llama-f16", "tiny-llama-bf16"};
	const struct message message = say(ROLE_USER, "Once upon a time there was a girl");
	const struct turn turn = {.messages = &message, .n_messages = 1, .n_predict = 100, .n_candidates = 2, .raw = true,
	                          .logit_bias = buf_text(&spm_bias)};
	char model[4096];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(model, sizeof model, "%s/models/%s.gguf", testdata_root(), names[i]);
		if (access(model, R_OK))
			cr_skip_test("no %s", model);
		open_both(model, NULL, NULL);
		run_both(&turn, names[i]);
		talk_close(&here);
		talk_close(&there);
		here = there = (struct talk){0};
		program_stop(&program);
		program.port = 0;
	}
}

/* What the server itself makes of the messages. */
static void expect_prompt_of_server(const struct turn *turn)
{
	struct buf body = {.max = 1 << 20}, prompt = {.max = 1 << 20}, ids = {.max = 1 << 20};
	struct json_writer json = {.out = &body};
	const struct inspection *seen = &there.inspection;
	const char *at;

	json_put_begin(&json, NULL, '{');
	json_put_begin(&json, "messages", '[');
	for (size_t i = 0; i < turn->n_messages; i++) {
		json_put_begin(&json, NULL, '{');
		json_put_string(&json, "role", role_name(turn->messages[i].role));
		json_put_text(&json, "content", turn->messages[i].text, turn->messages[i].len);
		json_put_end(&json, '}');
	}
	json_put_end(&json, ']');
	json_put_end(&json, '}');
	cr_assert(program_ask(&program, "/apply-template", buf_text(&body), &prompt));
	buf_clear(&body);
	at = strchr(buf_text(&prompt), ':') + 1; /* {"prompt": "..."}, an escaped text that can be sent on */
	buf_printf(&body, "{\"add_special\":true,\"parse_special\":true,\"content\":%s", at);
	cr_assert(program_ask(&program, "/tokenize", buf_text(&body), &ids));
	at = strchr(buf_text(&ids), '[') + 1;
	for (size_t i = 0; i < seen->total; i++) {
		char *end;
		long id = strtol(at, &end, 10);

		cr_assert_eq(id, seen->tokens[i].id, "token %zu of %u: %ld, %d", i, seen->total, id, (int)seen->tokens[i].id);
		at = end + 1;
	}
	cr_expect_eq(at[-1], ']');
	buf_free(&body);
	buf_free(&prompt);
	buf_free(&ids);
}

Test(llama_server, the_prompt_that_is_shown_is_the_one_that_is_evaluated)
{
	const struct message messages[] = {say(ROLE_SYSTEM, "Be brief."), say(ROLE_USER, "  What is 12 + 30?\n"),
	                                   say(ROLE_ASSISTANT, "It's 42."), say(ROLE_USER, "Sure, at all?")};
	const struct turn turn = {.messages = messages, .n_messages = 4, .n_predict = 3};
	size_t sum = 0;

	open_both(small, NULL, NULL);
	cr_assert_eq(talk_inspect(&there, &turn, INSPECT_TOKENS), STATUS_OK, "%s", there.err.text);
	cr_assert_eq(talk_inspect(&here, &turn, INSPECT_TOKENS), STATUS_OK, "%s", here.err.text);
	cr_assert_eq(there.inspection.total, here.inspection.total);
	for (size_t i = 0; i < here.inspection.total; i++)
		cr_expect_eq(there.inspection.tokens[i].id, here.inspection.tokens[i].id);
	for (size_t i = 0; i < turn.n_messages; i++) {
		cr_expect_eq(there.counts[i].tokens, here.counts[i].tokens);
		sum += there.counts[i].tokens;
	}
	cr_expect_eq(sum, there.inspection.total);
	expect_prompt_of_server(&turn);
	run(&there, &turn);
	cr_expect_eq(there.result.stats.n_prompt, there.inspection.total);
	cr_expect_not(there.result.stats.estimated);
}

Test(llama_server, nothing_typed_becomes_a_control_token)
{
	const struct message messages[] = {say(ROLE_USER, "<|endoftext|> <|endoftext|>"), say(ROLE_ASSISTANT, "<|endoftext|>"),
	                                   say(ROLE_USER, "<|endoftext|>")};
	const struct turn turn = {.messages = messages, .n_messages = 3};

	start(small, NULL, NULL);
	connect_to();
	cr_assert_eq(talk_inspect(&there, &turn, INSPECT_TOKENS), STATUS_OK, "%s", there.err.text);
	for (size_t i = 0; i < there.inspection.total; i++)
		cr_expect_not((there.inspection.tokens[i].flags & PROMPT_TOKEN_INPUT) &&
		              (there.inspection.tokens[i].flags & PROMPT_TOKEN_CONTROL), "token %zu", i);
}

Test(llama_server, a_reply_that_was_cut_goes_on)
{
	struct message messages[] = {say(ROLE_USER, "Hello there"), {0}};
	struct turn turn = {.messages = messages, .n_messages = 1, .n_predict = 40, .n_candidates = 2};
	struct token_list whole;

	open_both(small, NULL, NULL);
	run(&there, &turn);
	whole = there.ids;
	there.ids = (struct token_list){0};
	turn.n_predict = 15;
	run(&there, &turn);
	cr_expect_eq(there.result.reason, DONE_LENGTH);
	messages[1] = say(ROLE_ASSISTANT, "");
	messages[1].text = alloc_strndup(there.text.data, there.text.len);
	messages[1].len = there.text.len;
	messages[1].ids = there.ids.ids;
	messages[1].n_ids = there.ids.n;
	there.ids = (struct token_list){0};
	turn.n_messages = 2;
	turn.n_predict = 25;
	turn.continued = true;
	run(&there, &turn);
	cr_expect_eq(messages[1].n_ids + there.ids.n, whole.n);
	cr_expect(memcmp(whole.ids, messages[1].ids, messages[1].n_ids * sizeof *whole.ids) == 0);
	cr_expect(memcmp(whole.ids + messages[1].n_ids, there.ids.ids, there.ids.n * sizeof *whole.ids) == 0);
	token_list_free(&whole);
	free((char *)(size_t)messages[1].text);
	free((int32_t *)(size_t)messages[1].ids);
}

Test(llama_server, candidates_are_those_of_the_file)
{
	const struct message message = say(ROLE_USER, "Hello there");
	const struct turn turn = {.messages = &message, .n_messages = 1, .n_predict = 20, .n_candidates = 2};

	open_both(small, NULL, NULL);
	run_both(&turn, "with candidates");
	for (size_t i = 0; i < there.ids.n && i < here.ids.n; i++) {
		if (here.ids.ids[i] != there.ids.ids[i])
			break;
		for (size_t c = 0; c < 2; c++)
			cr_expect_float_eq(there.candidates[i][c].probability, here.candidates[i][c].probability, 1e-3);
		cr_expect_eq(there.candidates[i][0].id, here.candidates[i][0].id);
	}
}

/* It renders with llama.cpp's templates, but not here: there is nothing of this name. */
Test(llama_server, a_template_that_cannot_be_used_here_is_the_servers)
{
	const struct message messages[] = {say(ROLE_USER, "Hello there"), say(ROLE_ASSISTANT, "Yes."), say(ROLE_USER, "And?")};
	struct turn turn = {.messages = messages, .n_messages = 3, .n_predict = 20, .n_candidates = 2};
	char path[64];

	snprintf(path, sizeof path, "%s/odd.jinja", folder);
	write_text(path, "{% set x = 'a' + functions %}" CHAT);
	start(small, "--chat-template-file", path);
	connect_to();
	cr_expect_not(there.info.capabilities & CAPABILITY_IDS);
	cr_expect_geq(there.info.n_notes, 1);
	run(&there, &turn);
	cr_expect_eq(there.n_tokens, 20);
	cr_expect_eq(there.result.reason, DONE_LENGTH);
	cr_expect_gt(there.candidates[0][0].probability, 0);
	cr_assert_eq(talk_inspect(&there, &turn, INSPECT_GAUGE), STATUS_OK, "%s", there.err.text);
	cr_expect_eq(there.inspection.total, there.result.stats.n_prompt);
	cr_expect_not(there.inspection.estimated);
	turn.n_messages = 1;
	turn.raw = true;
	run(&there, &turn);
	cr_expect_eq(there.n_tokens, 20);
	unlink(path);
}

Test(llama_server, a_seed_gives_the_same_reply)
{
	const struct message message = say(ROLE_USER, "Hello there");
	const struct turn turn = {.messages = &message, .n_messages = 1, .n_predict = 30};
	struct buf first = {.max = 1 << 20};

	start(small, NULL, NULL);
	connect_to();
	there.params.temp = 1;
	there.params.seed = 4294967301; /* beyond the server's 32 bits */
	run(&there, &turn);
	buf_append(&first, buf_text(&there.text), there.text.len);
	run(&there, &turn);
	cr_expect_str_eq(buf_text(&first), buf_text(&there.text));
	buf_free(&first);
}

Test(llama_server, a_stop_string_ends_a_reply_as_in_the_file)
{
	const struct message message = say(ROLE_USER, "Hello there");
	struct turn turn = {.messages = &message, .n_messages = 1, .n_predict = 40, .n_candidates = 2};
	char stop[4] = "";
	const char *const stops[] = {stop};

	open_both(small, NULL, NULL);
	run(&here, &turn);
	cr_assert_gt(here.text.len, 20);
	memcpy(stop, here.text.data + 15, 3);
	turn.stops = stops;
	turn.n_stops = 1;
	run_both(&turn, "with a stop string");
	cr_expect_eq(there.result.reason, DONE_STOP);
}

static const struct message long_one = {.role = ROLE_USER, .text = "Hello there", .len = 11};
static const struct turn long_turn = {.messages = &long_one, .n_messages = 1, .n_predict = 20000};

static struct turn endless(struct turn turn)
{
	turn.logit_bias = buf_text(&bpe_bias);
	return turn;
}

Test(llama_server, esc_frees_the_slot)
{
	const struct turn turn = endless(long_turn);

	start(large, NULL, NULL);
	connect_to();
	for (size_t i = 0; i < 5; i++) {
		there.cancel_at = 3 + i;
		run(&there, &turn);
		cr_expect_eq(there.result.reason, DONE_CANCELLED);
		printf("the slot was free %llu ms after Esc\n", (unsigned long long)program_wait_free(&program));
	}
}

static void kill_other(void *ctx)
{
	program_kill(ctx);
}

Test(llama_server, busy_slots_are_waited_for)
{
	struct turn turn = endless(long_turn);
	struct program other = {.pid = fork()};

	if (other.pid == 0) { /* a client with a long reply */
		pause();
		_exit(0);
	}
	program_kill(&other);
	start(large, NULL, NULL);
	program_wait(&program);
	connect_to();
	other.pid = fork();
	if (other.pid == 0) {
		program_ask(&program, "/completion", "{\"prompt\":\"Hello\",\"n_predict\":20000,\"ignore_eos\":true}", NULL);
		_exit(0);
	}
	while (!program_is_busy(&program))
		usleep(10000);
	there.act = kill_other;
	there.act_ctx = &other;
	turn.n_predict = 5;
	run(&there, &turn);
	cr_expect_geq(there.n_waiting, 1);
	cr_expect_eq(there.n_tokens, 5);
	program_kill(&other);
}

Test(llama_server, a_server_that_loads_its_model_is_waited_for)
{
	const struct turn turn = endless(long_turn);

	start(large, NULL, NULL);
	for (size_t i = 0; i < 1000; i++) { /* until it listens; it answers that it loads, or that all is well */
		if (talk_open(&there, "", program.url, NULL) == STATUS_OK)
			break;
		talk_close(&there);
		there = (struct talk){0};
		usleep(10000);
	}
	there.cancel_at = 2;
	run(&there, &turn);
	cr_expect_geq(there.n_tokens, 2);
}

Test(llama_server, a_server_that_dies_leaves_the_text)
{
	struct message messages[] = {long_one, {0}};
	struct turn turn = endless(long_turn);
	const char *const arguments[] = {"-m", large, "--jinja", "-np", "1", NULL};

	start(large, NULL, NULL);
	connect_to();
	there.act = kill_other;
	there.act_ctx = &program;
	there.act_at = 5;
	cr_expect_eq(talk_run(&there, &turn), STATUS_IO);
	cr_expect_geq(there.n_tokens, 5);
	cr_expect_gt(there.text.len, 0);
	printf("%s\n", there.err.text);
	/* Started again, it goes on. */
	program_start(&program, arguments);
	program_wait(&program);
	there.act = NULL;
	messages[1] = say(ROLE_ASSISTANT, buf_text(&there.text));
	messages[1].text = alloc_strndup(there.text.data, there.text.len);
	messages[1].ids = there.ids.ids;
	messages[1].n_ids = there.ids.n;
	there.ids = (struct token_list){0};
	turn.messages = messages;
	turn.n_messages = 2;
	turn.continued = true;
	turn.n_predict = 5;
	run(&there, &turn);
	cr_expect_eq(there.n_tokens, 5);
	free((char *)(size_t)messages[1].text);
	free((int32_t *)(size_t)messages[1].ids);
}

Test(llama_server, a_server_with_another_model_is_noticed)
{
	const struct message message = say(ROLE_USER, "Hello there");
	struct turn turn = {.messages = &message, .n_messages = 1, .n_predict = 20, .n_candidates = 2};
	const char *const arguments[] = {"-m", spm, "-np", "1", "-ctk", "f32", "-ctv", "f32", "-fa", "off", NULL};

	start(small, NULL, NULL);
	connect_to();
	run(&there, &turn);
	program_stop(&program);
	program_start(&program, arguments); /* not waited for: it loads its model */
	while (!program_ask(&program, "/v1/models", NULL, NULL) && !program_ask(&program, "/health", NULL, NULL))
		usleep(1000);
	cr_assert_eq(talk_open(&here, spm, NULL, NULL), STATUS_OK, "%s", here.err.text);
	turn.logit_bias = buf_text(&spm_bias);
	run_both(&turn, "another model");
	cr_expect_geq(there.n_learnt, 1);
}

Test(llama_server, a_full_context_ends_a_reply_or_refuses_the_prompt)
{
	static char text[4 * N_CTX];
	struct message message = say(ROLE_USER, "Hello there");
	struct turn turn = endless((struct turn){.messages = &message, .n_messages = 1, .n_predict = -1});

	open_both(small, NULL, NULL);
	run(&there, &turn);
	cr_expect_eq(there.result.reason, DONE_CONTEXT, "%s", done_reason_name(there.result.reason));
	memset(text, 'a', sizeof text - 1);
	message = say(ROLE_USER, text);
	cr_expect_eq(talk_run(&there, &turn), STATUS_CONTEXT, "%s", there.err.text);
	printf("%s\n", there.err.text);
}

Test(llama_server, a_router_loads_a_model_when_it_is_asked)
{
	const char *const arguments[] = {"--models-dir", folder, "--jinja", NULL};
	const struct message message = say(ROLE_USER, "Hello there");
	const struct turn turn = {.messages = &message, .n_messages = 1, .n_predict = 5};
	struct buf models = {.max = 1 << 22};

	program_start(&program, arguments);
	program_wait(&program);
	cr_assert_eq(talk_open(&there, "small", program.url, NULL), STATUS_OK, "%s", there.err.text);
	cr_assert(program_ask(&program, "/v1/models", NULL, &models));
	cr_expect_null(strstr(buf_text(&models), "\"value\":\"loaded\""), "opening has loaded it");
	cr_expect_null(strstr(buf_text(&models), "\"value\":\"loading\""), "opening loads it");
	run(&there, &turn);
	cr_expect_eq(there.n_tokens, 5);
	cr_expect_geq(there.n_learnt, 1);
	cr_expect_eq(there.info.n_ctx, N_CTX);
	cr_expect(there.info.capabilities & CAPABILITY_IDS);
	buf_free(&models);
}

static bool is_asleep(void)
{
	struct buf props = {.max = 1 << 22};
	bool asleep;

	cr_assert(program_ask(&program, "/props", NULL, &props));
	asleep = strstr(buf_text(&props), "\"is_sleeping\":true") != NULL;
	buf_free(&props);
	return asleep;
}

Test(llama_server, a_sleeping_server_is_woken_by_a_reply_alone)
{
	const struct message message = say(ROLE_USER, "Hello there");
	const struct turn turn = {.messages = &message, .n_messages = 1, .n_predict = 5};

	start(small, "--sleep-idle-seconds", "1");
	program_wait(&program);
	while (!is_asleep())
		usleep(20000);
	connect_to();
	cr_assert_eq(talk_inspect(&there, &turn, INSPECT_GAUGE), STATUS_OK, "%s", there.err.text);
	cr_expect(there.inspection.estimated);
	cr_expect(is_asleep());
	run(&there, &turn);
	cr_expect_eq(there.n_tokens, 5);
	cr_expect_geq(there.n_learnt, 1);
	cr_expect(there.info.capabilities & CAPABILITY_IDS);
}

Test(llama_server, thoughts_are_kept_apart_and_end_when_the_answer_is_wanted)
{
	const struct message message = say(ROLE_USER, "Hello there");
	struct turn turn = {.messages = &message, .n_messages = 1, .n_predict = 60};

	turn.logit_bias = buf_text(&bpe_bias);
	start(thinking, NULL, NULL);
	connect_to();
	cr_expect(there.info.capabilities & CAPABILITY_REASONING);
	cr_expect(there.info.capabilities & CAPABILITY_SWITCH);
	run(&there, &turn);
	cr_expect_eq(there.text.len, 0);
	cr_expect_gt(there.reasoning.len, 0);
	there.answer_at = 10;
	there.cancel_at_text = true;
	turn.n_predict = 20000;
	run(&there, &turn);
	cr_expect_gt(there.reasoning.len, 0);
	cr_expect_gt(there.text.len, 0);
	cr_expect_eq(there.result.reason, DONE_CANCELLED, "%zu tokens", there.n_tokens);
	there.cancel_at_text = false;
	turn.n_predict = 20;
	there.answer_at = 0;
	turn.reasoning.mode = REASONING_OFF;
	run(&there, &turn);
	cr_expect_eq(there.reasoning.len, 0);
	cr_expect_gt(there.text.len, 0);
}

static size_t count_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

static long count_pages(void)
{
	long all = 0, resident = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	if (file && fscanf(file, "%ld %ld", &all, &resident) != 2)
		resident = 0;
	if (file)
		fclose(file);
	return resident;
}

Test(llama_server, many_turns_leak_nothing)
{
	struct message messages[] = {say(ROLE_USER, "Hello there")};
	const struct turn turn = {.messages = messages, .n_messages = 1, .n_predict = 8, .n_candidates = 3};
	char text[64];
	size_t files = 0;
	long pages = 0;

	start(small, NULL, NULL);
	connect_to();
	for (size_t i = 0; i < TURNS; i++) {
		snprintf(text, sizeof text, "Hello %zu times", i);
		messages[0] = say(ROLE_USER, text);
		there.cancel_at = i % 5 == 4 ? 3 : 0;
		run(&there, &turn);
		if (i == TURNS / 4) {
			files = count_files();
			pages = count_pages();
		}
	}
	cr_expect_leq(count_files(), files);
	cr_expect_lt(count_pages() - pages, 512, "%ld pages more", count_pages() - pages);
}

int main(int argc, char **argv)
{
	struct criterion_test_set *tests;
	int rc = 0;

	if (!program_path()) {
		printf("skipped: SOTTO_LLAMA_SERVER does not name a llama-server\n");
		return 77;
	}
	tests = criterion_initialize();
	if (criterion_handle_args(argc, argv, true))
		rc = !criterion_run_all_tests(tests);
	criterion_finalize(tests);
	return rc;
}
