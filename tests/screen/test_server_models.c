/* Servers' models beside the files: the list of models with servers that answer, that do not, and that nobody
 * has configured. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "screen/chat.h"
#include "support/server/server.h"
#include "support/tiny_model.h"

#define MODEL "synthetic:tokens=5"

static struct test_server *start(const char *spec)
{
	struct test_server *server = test_server_start(&(struct server_options){.spec = spec});

	if (!server)
		test_skip("built without libmicrohttpd");
	return server;
}

static const char *servers_file(void)
{
	return screen_home("config/sotto/servers.yaml");
}

/* A server "box", and one where nothing listens. */
static void write_servers(const struct test_server *server)
{
	char text[512];

	snprintf(text, sizeof text, "box: {url: \"%s\", models: {toy: {price-in: 0.4, price-out: 1.2}}}\n"
	         "down: {url: \"http://127.0.0.1:1\"}\n", test_server_url(server));
	test_make_directory(screen_home("config/sotto"));
	test_write_text(servers_file(), text);
}

static void test_rows(void)
{
	struct test_server *server = start("dialect=lmstudio");
	struct screen *s;

	write_servers(server);
	s = CHAT_OPEN(.model = MODEL, .rows = 30, .cols = 120);
	PRESS_SHOWS(s, "<F6>", "toy on box", "idle on box", "down");
	EXPECT(screen_has(s, "loaded") && screen_has(s, "not loaded") && screen_has(s, "failed"), " ");
	EXPECT(screen_row_of(s, "toy on box") < screen_row_of(s, "down"), "what cannot be used is last");
	PRESS_SHOWS(s, "toy", "on box (127.0.0.1:", "$0.4 in, $1.2 out for a million tokens", "server:box/toy");
	PRESS_SHOWS(s, "<C-u>down", "nothing listens at 127.0.0.1:1");
	PRESS_SHOWS(s, "<Enter>", "down cannot be used. down: nothing listens");
	EXPECT(chat_is_ready(s), "the loaded model stays");
	chat_quit_fresh(s);
	test_server_stop(server);
}

static void test_completion(void)
{
	struct test_server *server = start("dialect=lmstudio");
	struct screen *s;

	write_servers(server);
	s = CHAT_OPEN(.model = MODEL, .cols = 120);
	PRESS_SHOWS(s, "/model se<Tab>", "server:box/toy", "server:down");
	PRESS_QUIET(s, "<C-a><C-k>", 50);
	chat_quit(s);
	test_server_stop(server);
}

static void test_no_model_but_servers(void)
{
	struct test_server *server = start("dialect=lmstudio");
	struct screen *s;

	write_servers(server);
	s = CHAT_START(.cols = 120, .args = {"--start-with", "last"}, .env = {"SOTTO_PKGDATADIR=/nonexistent"});
	WAIT_TEXT(s, "No model file was found on this machine: F6 shows the models of your servers.");
	PRESS_SHOWS(s, "<F6>", "toy on box");
	EXPECT(!screen_has(s, "download"), "no advice");
	screen_keys(s, "<Esc>");
	WAIT_GONE(s, "Filter:");
	screen_keys(s, "/quit<Enter>");
	screen_finish(s, 0);
	test_server_stop(server);
}

/* In lines they are printed once all are known. */
static void test_rows_in_lines(void)
{
	struct test_server *server = start("dialect=lmstudio");
	struct screen *s;

	write_servers(server);
	s = CHAT_START(.model = MODEL, .rows = 40, .cols = 120, .args = {"--inline"});
	WAIT_TEXT(s, "is ready");
	PRESS_SHOWS(s, "/model<Enter>", "toy on box: context 4096", "state loaded", "state failed",
	            "A number chooses");
	screen_keys(s, "<Enter>");
	screen_quiet(s, 50);
	screen_keys(s, "/quit<Enter>");
	screen_finish(s, 0);
	test_server_stop(server);
}

/* One of the ports where servers usually listen; 0: all are taken. */
static uint16_t free_usual_port(const char **title)
{
	static const struct {
		uint16_t port;
		const char *title;
	} usual[] = {{5001, "KoboldCpp"}, {30000, "SGLang"}, {5000, "TabbyAPI"}, {1234, "LM Studio"}};

	for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
		struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(usual[i].port),
		                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
		int fd = socket(AF_INET, SOCK_STREAM, 0);
		bool is_free = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0;

		close(fd);
		*title = usual[i].title;
		if (is_free)
			return usual[i].port;
	}
	return 0;
}

/* What runs on this machine is offered, and used only when it is chosen. */
static void test_offer(void)
{
	const char *title;
	uint16_t port = free_usual_port(&title);
	struct test_server *server;
	char name[64], url[64], *file;
	struct screen *s;
	size_t len;

	if (!port)
		test_skip("all ports where servers usually listen are taken");
	server = test_server_start(&(struct server_options){.spec = "dialect=openai,tokens=5", .port = port});
	if (!server)
		test_skip("built without libmicrohttpd");
	snprintf(name, sizeof name, "%s on this machine", title);
	snprintf(url, sizeof url, "url: http://127.0.0.1:%u\n", (unsigned)port);
	s = CHAT_OPEN(.model = MODEL, .rows = 30, .cols = 120, .env = {"SOTTO_OFFER_SERVERS=yes"});
	PRESS_SHOWS(s, "<F6>", name, "offered");
	EXPECT(test_server_n_requests(server, NULL) == 0, "nothing is sent before it is chosen");
	PRESS_SHOWS(s, title, "a server runs on this machine: something listens at 127.0.0.1:");
	EXPECT(access(servers_file(), F_OK) != 0, "nothing is written before it is chosen");
	PRESS_SHOWS(s, "<Enter>", "is one of your servers now: it was written into ~/config/sotto/servers.yaml");
	file = test_read_file(servers_file(), &len);
	EXPECT(file && strstr(file, url), "%s", file ? file : "no file");
	free(file);
	chat_wait_ready(s);
	chat_quit(s);
	test_server_stop(server);
}

/* ---- talking to one ---- */

static const char *const dialects[] = {"llama-server", "vllm", "sglang", "ollama", "openai", "lmstudio", "tabby",
                                       "kobold", "hosted"};

static struct test_server *start_as(const char *dialect, const char *more)
{
	struct test_server *server;
	char spec[128];

	snprintf(spec, sizeof spec, "dialect=%s%s", dialect, more);
	server = start(spec);
	write_servers(server);
	return server;
}

/* Whatever it is, it is talked to, and shown for what it is. */
static void test_talk(void)
{
	for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
		struct test_server *server = start_as(dialects[i], ",tokens=5");
		struct screen *s = CHAT_OPEN(.model = "server:box", .rows = 30, .cols = 120);

		EXPECT(screen_has(s, "answers, on box (127.0.0.1:"), "%s", dialects[i]);
		ASK_SHOWS(s, "first", "warm 4");
		SAY_WAIT(s, "second", screen_count(s, "warm 4") == 2);
		PRESS_SHOWS(s, "<F8>", "What the model sees", "first", "second");
		PRESS_HIDES(s, "<Esc>", "What the model sees");
		PRESS_SHOWS(s, "<F9>", "You: first", "You: second");
		PRESS_HIDES(s, "<Esc>", "What fills the context");
		SAY_SHOWS(s, "/stats", "reply ", "server   box (127.0.0.1:");
		chat_quit_fresh(s);
		test_server_stop(server);
	}
}

/* In mid-conversation from a file to a server, chosen in the list, and back. */
static void test_switch(void)
{
	struct test_server *server = start_as("openai", ",tokens=5");
	struct tiny_model tiny = tiny_model_default();
	const struct server_request *asked;
	struct screen *s;
	struct error err;

	tiny.n_ctx = 512;
	EXPECT(tiny_model_save(&tiny, test_path("tiny.gguf"), &err) == STATUS_OK, "%s", err.text);
	s = CHAT_OPEN(.model = "tiny.gguf", .rows = 40, .cols = 120, .args = {"-n", "4", "--seed", "1"});
	ASK_SHOWS(s, "first of all", "Stopped after 4 tokens");
	PRESS_SHOWS(s, "<F6>", "toy on box");
	PRESS_HIDES(s, "toy", "down");
	SEND_WAIT(s, "<Enter>", !screen_has(s, "Filter:") && screen_has(s, "toy  on box"));
	ASK_SHOWS(s, "then this", "warm 3");
	asked = test_server_asked(server);
	EXPECT(strstr(asked->body, "first of all") && strstr(asked->body, "then this"), "%s", asked->body);
	ASK_WAIT(s, "/model tiny.gguf", !screen_has(s, "  on box  "));
	ASK_WAIT(s, "and at last", screen_count(s, "Stopped after 4 tokens") >= 1 && chat_journal_has("and at last"));
	SAY_SHOWS(s, "/context", "You: first of all", "You: then this", "You: and at last");
	PRESS_HIDES(s, "<Esc>", "Chat template");
	chat_quit_fresh(s);
	test_server_stop(server);
}

/* Prices of servers.yaml are what a reply costs. */
static void test_cost(void)
{
	struct test_server *server = start_as("openai", ",tokens=5");
	struct screen *s = CHAT_OPEN(.model = "server:box/toy", .rows = 40, .cols = 120);

	ASK_SHOWS(s, "hello", "warm 4");
	SAY_SHOWS(s, "/stats", "cost     $0.0000");
	chat_quit(s);
	test_server_stop(server);
}

/* What a hosted model refuses is left out from then on, and its slider is dimmed. */
static void test_refused_field(void)
{
	static const struct server_act refuses = {
		.at = 1, .code = 400,
		.body = "{\"error\":{\"message\":\"Unsupported parameter: 'temperature' is not supported with this model.\","
		        "\"type\":\"invalid_request_error\",\"param\":\"temperature\",\"code\":\"unsupported_parameter\"}}"};
	struct test_server *server = test_server_start(&(struct server_options){
		.spec = "dialect=hosted,tokens=5", .acts = &refuses, .n_acts = 1});
	struct screen *s;

	if (!server)
		test_skip("built without libmicrohttpd");
	write_servers(server);
	s = CHAT_OPEN(.model = "server:box", .rows = 40, .cols = 120);
	ASK_SHOWS(s, "hello", "m 4", "The model's server does not take temp: from now on it is left out.");
	EXPECT(!strstr(test_server_asked(server)->body, "temperature"), "%s", test_server_asked(server)->body);
	PRESS_SHOWS(s, "<F2>", "the server ignores it: refused by this model");
	PRESS_HIDES(s, "<Esc>", "refused by");
	chat_quit(s);
	test_server_stop(server);
}

/* Esc closes the connection, and what has come stays. */
static void test_stop(void)
{
	for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
		struct test_server *server = start_as(dialects[i], ",tokens=9,hold=3");
		struct screen *s = CHAT_OPEN(.model = "server:box", .rows = 30, .cols = 120);

		SAY_SHOWS(s, "hello", "warm 2");
		SEND_SHOWS(s, "<Esc>", "(interrupted)");
		EXPECT(test_server_wait_finished(server, test_server_asked(server)) && test_server_asked(server)->closed,
		       "%s", dialects[i]);
		chat_quit_fresh(s);
		test_server_stop(server);
	}
}

/* Thoughts are a channel of their own, however they come. */
static void test_think(void)
{
	static const char *const ways[] = {"", ",inline=1", ",inline=2"};

	for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++)
		for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
			char spec[64];
			struct test_server *server;
			struct screen *s;

			snprintf(spec, sizeof spec, ",tokens=5,mode=think,think=6%s", ways[w]);
			server = start_as(dialects[i], spec);
			s = CHAT_OPEN(.model = "server:box", .rows = 30, .cols = 120);
			ASK_SHOWS(s, "hello", "Alt+T unfolds", "warm 4");
			EXPECT(!screen_has(s, "thought 3"), "%s%s", dialects[i], ways[w]);
			PRESS_SHOWS(s, "<M-t>", "thought 3");
			EXPECT(chat_journal_has("reasoning: \"thought 0 thought 1"), "%s%s", dialects[i], ways[w]);
			chat_quit(s);
			test_server_stop(server);
		}
}

/* A server that is not there is one sentence, which says what to do; the chat goes on with another model. */
static void test_not_there(void)
{
	struct test_server *server = start_as("openai", ",tokens=5");
	struct screen *s = CHAT_OPEN(.model = MODEL, .rows = 30, .cols = 120);

	SAY_SHOWS(s, "/model server:down", "Error: down: nothing listens at 127.0.0.1:1", "stays loaded");
	screen_keys(s, "<C-a><C-k>");
	SAY_SHOWS(s, "/model server:bax", "bax", "box");
	screen_keys(s, "<C-a><C-k>");
	ASK_SHOWS(s, "/model server:box", "  on box");
	ASK_SHOWS(s, "hello", "warm 4");
	chat_quit(s);
	test_server_stop(server);
}

/* There is no guide either. */
static struct screen *start_without_model(const char *arg)
{
	return CHAT_START(.names_no_model = true, .rows = 30, .cols = 120, .env = {"SOTTO_PKGDATADIR=/nonexistent"},
	                  .args = {"--start-with", "last", arg});
}

/* The model used last, and a chat's, may be a server's; whether it is there is seen when it is opened. */
static void test_used_last(void)
{
	struct test_server *server = start_as("openai", ",tokens=5");
	struct screen *s = CHAT_OPEN(.model = "server:box", .rows = 30, .cols = 120);

	ASK_SHOWS(s, "hello", "toy on box", "warm 4");
	chat_quit(s);
	s = start_without_model(NULL);
	WAIT_TEXT(s, "answers, on box (127.0.0.1:");
	SAY_SHOWS(s, "/model " MODEL, "synthetic (words)");
	chat_quit(s); /* which has no file, and so is not recorded */
	s = start_without_model("-C");
	WAIT(s, screen_has(s, "warm 4") && screen_has(s, "  on box"));
	chat_wait_ready(s);
	SAY_WAIT(s, "and then?", screen_count(s, "warm 4") == 2);
	chat_quit(s);
	test_write_text(servers_file(), "other: {url: \"http://127.0.0.1:1\"}\n");
	s = start_without_model("-C");
	WAIT_TEXT(s, "there is no server 'box'");
	screen_keys(s, "/quit<Enter>");
	screen_finish(s, 0);
	s = start_without_model(NULL);
	WAIT_TEXT(s, "there is no server 'box'");
	screen_keys(s, "/quit<Enter>");
	screen_finish(s, 0);
	test_server_stop(server);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"rows", test_rows, 0},
		{"rows-in-lines", test_rows_in_lines, 0},
		{"no-model-but-servers", test_no_model_but_servers, 0},
		{"completion", test_completion, 0},
		{"talk", test_talk, 0},
		{"switch", test_switch, 0},
		{"refused-field", test_refused_field, 0},
		{"cost", test_cost, 0},
		{"stop", test_stop, 0},
		{"think", test_think, 0},
		{"not-there", test_not_there, 0},
		{"used-last", test_used_last, 0},
		{"offer", test_offer, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
