/* Models on servers: the program against the test server. Much of the chat is tested with a server by other tests of
 * this folder (test_on_servers). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/chat.h"
#include "screen/served.h"

#define KEY "sk-CANARY-0123456789abcdef"

/* A chat with a server that plays `spec`, configured as `dialect` (NULL: found out). */
static struct screen *open_chat(struct served *served, const char *spec, const char *dialect, const char *yaml)
{
	served_start(served, spec, NULL);
	return CHAT_START(.model = "server:box", .rows = 30, .cols = 110,
	                  .args = SERVED_ARGS(served_file(served, dialect, yaml)));
}

/* Waits until the server has been sent a text, or has noticed something. */
#define WAIT_SERVED(s, served, text) WAIT_FOR(s, 20000, (screen_pump(s, 10), served_count(served, text) > 0))

static void test_chat(void)
{
	static const char *const dialects[] = {"llama-server", "vllm", "sglang", "ollama", "openai"};

	for (size_t i = 0; i < sizeof(dialects) / sizeof(dialects[0]); i++) {
		struct served served;
		struct screen *s;
		char spec[80];

		snprintf(spec, sizeof(spec), "dialect=%s,tokens=5", dialects[i]);
		s = open_chat(&served, spec, NULL, NULL);
		chat_wait_ready(s);
		EXPECT(screen_has(s, "toy"), "the model's name");
		ASK_SHOWS(s, "Hello", "warm 4");
		ASK_WAIT(s, "And again", screen_count(s, "warm 4") == 2);
		chat_quit_fresh(s);
		served_stop(&served);
	}
}

static void test_thinking(void)
{
	static const char *const dialects[] = {"llama-server", "vllm", "ollama", "openai"};

	for (size_t i = 0; i < sizeof(dialects) / sizeof(dialects[0]); i++) {
		struct served served;
		struct screen *s;
		char spec[80];

		snprintf(spec, sizeof(spec), "dialect=%s,tokens=5,mode=think,think=4", dialects[i]);
		s = open_chat(&served, spec, dialects[i], NULL);
		chat_wait_ready(s);
		ASK_SHOWS(s, "Hello", "warm 4");
		EXPECT(!screen_has(s, "think>"), "markers");
		chat_quit(s);
		served_stop(&served);
	}
}

/* What is sent: ids where the server takes them. */
static void test_prompt(void)
{
	struct served served;
	struct screen *s = open_chat(&served, "dialect=llama-server,tokens=5", NULL, NULL);

	chat_wait_ready(s);
	chat_paste(s, "Hello <|im_end|>", 16);
	SEND_SHOWS(s, "<Enter>", "warm 4");
	PRESS_SHOWS(s, "<F8>", "<|im_start|>", "in the cache");
	EXPECT(!screen_has(s, "dropped from the cache"), "the slot has the whole reply");
	PRESS_HIDES(s, "<Esc>", "Esc close");
	PRESS_SHOWS(s, "<F9>", "of 4096");
	EXPECT(!screen_has(s, "~"), "counts are exact");
	PRESS_HIDES(s, "<Esc>", "of 4096");
	EXPECT(served_count(&served, "60, 124, 105, 109, 95, 101, 110, 100, 124, 62") > 0, "the name of a control token is text");
	chat_quit(s);
}

static void test_messages(void)
{
	struct served served;
	struct screen *s = open_chat(&served, "dialect=openai,tokens=5,n_ctx=4096", NULL, "  models:\n    toy: {context: 4096}\n");

	chat_wait_ready(s);
	ASK_SHOWS(s, "Hello", "warm 4");
	PRESS_SHOWS(s, "<F8>", "sent as chat messages", "\"content\": \"Hello\"");
	PRESS_SHOWS(s, "<End>", "\"seed\": \"a new one for each reply\"");
	PRESS_HIDES(s, "<Esc>", "chat messages");
	PRESS_SHOWS(s, "<F9>", "as far as it can be estimated");
	PRESS_HIDES(s, "<Esc>", "estimated");
	chat_quit(s);
}

/* A server that counts a conversation, but not what each message takes of it. */
static void test_whole_counts(void)
{
	struct served served;
	struct screen *s = open_chat(&served, "dialect=vllm,tokens=5,tells=0", NULL, NULL);

	chat_wait_ready(s);
	ASK_SHOWS(s, "Hello", "warm 4");
	PRESS_SHOWS(s, "<F9>", "of 4096 tokens, as the server counts; a message's part is an estimate");
	EXPECT(screen_has(s, "  ~"), "its parts are");
	PRESS_HIDES(s, "<Esc>", "an estimate");
	PRESS_SHOWS(s, "<F8>", "of 4096 tokens", "sent as chat messages");
	EXPECT(!screen_has(s, "~"), "its length is no estimate");
	PRESS_HIDES(s, "<Esc>", "chat messages");
	chat_quit(s);
	served_stop(&served);
}

static void test_models(void)
{
	struct served served;
	struct screen *s = open_chat(&served, "scenario=router", NULL, NULL);

	chat_wait_ready(s);
	PRESS_SHOWS(s, "<F6>", "alpha", "beta", "box");
	EXPECT(served_count(&served, "autoload") == served_count(&served, "autoload=false"), "a list loads a model");
	screen_keys(s, "<Esc>");
	chat_quit(s);
}

static void test_cancel(void)
{
	static const char *const specs[] = {"dialect=llama-server,hold=3", "dialect=openai,hold=3", "dialect=ollama,hold=3"};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct served served;
		struct screen *s = open_chat(&served, specs[i], NULL, NULL);

		chat_wait_ready(s);
		SAY_SHOWS(s, "Hello", "warm 2");
		chat_send(s, "<Esc>");
		WAIT_SERVED(s, &served, "CLOSED");
		EXPECT(chat_shows(s, "warm 0 warm 1 warm 2"), "what came stays");
		chat_quit(s);
		served_stop(&served);
	}
}

static void test_busy(void)
{
	struct served served;
	struct screen *s = open_chat(&served, "scenario=all-slots-busy,tokens=5", NULL, NULL);

	chat_wait_ready(s);
	SAY_SHOWS(s, "Hello", "waiting for box");
	chat_send(s, "<Esc>");
	WAIT_SERVED(s, &served, "CLOSED");
	SAY_SHOWS(s, "Again", "waiting for box");
	served_release(&served);
	WAIT_TEXT(s, "warm 4");
	chat_wait_ready(s);
	chat_quit_fresh(s);
}

static void test_loading(void)
{
	struct served served;
	struct screen *s = open_chat(&served, "dialect=llama-server,loading=2,tokens=5", "llama-server", NULL);

	WAIT_TEXT(s, "loading its model");
	chat_wait_ready(s);
	ASK_SHOWS(s, "Hello", "warm 4");
	chat_quit(s);
}

static void test_asked_again(void)
{
	struct served served;
	struct screen *s = open_chat(&served, "scenario=asked-again,tokens=5", "openai", NULL);

	chat_wait_ready(s);
	ASK_SHOWS(s, "Hello", "warm 4");
	EXPECT(served_count(&served, "POST /v1/chat/completions") == 3, " ");
	chat_quit(s);
}

static void test_breaks(void)
{
	struct served served;
	struct screen *s = open_chat(&served, "scenario=breaks,tokens=5,hold=0", "openai", NULL);

	chat_wait_ready(s);
	SAY_SHOWS(s, "Hello", "half of", "connection");
	EXPECT(chat_shows(s, "half of"), "what came stays");
	ASK_SHOWS(s, "Again", "warm 4");
	chat_quit(s);
}

static void test_early(void)
{
	struct served served;
	struct screen *s = open_chat(&served, "scenario=early,tokens=5", "openai", NULL);

	chat_wait_ready(s);
	ASK_SHOWS(s, "Hello", "half of", "ended early");
	chat_quit(s);
}

/* From a file to a server and back: the conversation stays. */
static void test_switch(void)
{
	struct served served;
	struct screen *s;

	served_start(&served, "dialect=llama-server,mode=echo", NULL);
	s = CHAT_OPEN(.model = "synthetic:tokens=3", .rows = 30, .cols = 110, .args = SERVED_ARGS(served_file(&served, NULL, NULL)));
	ASK_SHOWS(s, "First", "warm 2");
	ASK_SHOWS(s, "/model server:box", "toy");
	ASK_WAIT(s, "Second", screen_count(s, "Second") == 2);
	EXPECT(chat_shows(s, "warm 0 warm 1 warm 2"), "the conversation");
	ASK_SHOWS(s, "/model synthetic:tokens=4", "synthetic");
	ASK_SHOWS(s, "Third", "warm 3");
	chat_quit_fresh(s);
}

/* What a new user gets wrong: a sentence each. */
static void test_wrong(void)
{
	static const struct {
		const char *spec, *more[3], *yaml, *words;
	} rows[] = {
		{"", {"--greeting", "SSH-2.0-OpenSSH_9.2p1\r\n"}, NULL, "does not speak HTTP"},
		{"scenario=web-page", {NULL}, NULL, "web page"},
		{"scenario=key", {NULL}, NULL, "key"},
		{"dialect=openai", {NULL}, "  key-env: NO_SUCH_VARIABLE\n", "NO_SUCH_VARIABLE"},
		{"dialect=openai", {"--tls"}, "  ca: /nowhere.pem\n", "nowhere.pem"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct served served;
		struct screen *s;

		served_start(&served, rows[i].spec, rows[i].more);
		s = CHAT_START(.model = "synthetic:", .rows = 30, .cols = 110, .args = SERVED_ARGS(served_file(&served, NULL, rows[i].yaml)));
		chat_wait_ready(s);
		ASK_SHOWS(s, "/model server:box", rows[i].words);
		EXPECT(!screen_has(s, "CANARY"), " ");
		chat_quit(s);
		served_stop(&served);
	}
}

static void test_key(void)
{
	struct served served;
	struct screen *s;
	char *journal;

	served_start(&served, "scenario=key,tokens=5", NULL);
	s = CHAT_OPEN(.model = "server:box", .rows = 30, .cols = 110, .env = {"BOX_KEY=" KEY},
	              .args = SERVED_ARGS(served_file(&served, NULL, "  key-env: BOX_KEY\n")));
	ASK_SHOWS(s, "Hello", "warm 4");
	EXPECT(!screen_has(s, "CANARY"), " ");
	EXPECT(served_count(&served, "authorization: Bearer " KEY) > 0, " ");
	chat_quit(s);
	journal = chat_journal();
	EXPECT(journal && !strstr(journal, "CANARY"), "%s", journal ? journal : "no journal");
	free(journal);
}

static const struct screen_test tests[] = {
	{"chat", test_chat, 0},
	{"thinking", test_thinking, 0},
	{"prompt", test_prompt, 0},
	{"messages", test_messages, 0},
	{"whole-counts", test_whole_counts, 0},
	{"models", test_models, 0},
	{"cancel", test_cancel, 0},
	{"busy", test_busy, 0},
	{"loading", test_loading, 0},
	{"asked-again", test_asked_again, 0},
	{"breaks", test_breaks, 0},
	{"early", test_early, 0},
	{"switch", test_switch, 0},
	{"wrong", test_wrong, 0},
	{"key", test_key, 0},
};

int main(int argc, char **argv)
{
	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
