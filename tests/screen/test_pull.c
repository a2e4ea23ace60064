/* Fetching published models from the chat, from a server in this process that plays Hugging Face and ollama's registry:
 * the newcomer's way, choosing, stopping and going on, two at once, and what goes wrong. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sys.h"
#include "screen/chat.h"
#include "support/hub_server/hub_server.h"
#include "support/tiny_checkpoint.h"

#define OFFER "Enter fetches Qwen3.5 4B (2.74 GB, about 6 tokens a second here)"
#define NAME "unsloth/Qwen3.5-4B-GGUF:Q4_K_M" /* what is recommended for this memory and rate */
#define TINY "tiny answers" /* all models of the server are this one */
#define MEMORY "SOTTO_TEST_MEMORY=8589934592"
#define IN_BAR "\u2193 45 %"
#define HALF 30000 /* bytes of a model, which has 65568: 45 % */

static struct hub_server *hub;

static const char *endpoint(void)
{
	static char text[100];

	snprintf(text, sizeof text, "HF_ENDPOINT=%s", hub_server_url(hub));
	return text;
}

static void start_hub(void)
{
	hub = hub_server_start(&(struct hub_options){0});
	hub_server_put_usual(hub, 0);
}

/* After HALF of its bytes a model stands still, `n` times (0: always). */
static void hold(unsigned n)
{
	hub_server_fault(hub, &(struct hub_fault){.place = HUB_BYTES, .kind = HUB_STANDS_STILL, .at = HALF, .n = n});
}

#define CHAT_HUB(...) \
	CHAT_START(.env = {MEMORY, endpoint(), "SOTTO_TEST_PULL_SECOND=1", "HF_TOKEN"}, __VA_ARGS__)

/* As for somebody who has just begun: the guide, and nothing else. */
static struct screen *open_newcomer(int rows, int cols)
{
	struct screen *s = CHAT_HUB(.names_no_model = true, .rows = rows, .cols = cols);

	chat_wait_ready(s);
	WAIT_TEXT(s, "Enter fetches Qwen3.5 4B");
	return s;
}

static size_t n_requests(void)
{
	return hub_server_n_requests(hub, HUB_ANYTHING);
}

/* First screen, Enter, a chat with the fetched model: nothing is read, nothing typed but the message. */
static void test_newcomer(void)
{
	struct screen *s;

	start_hub();
	s = open_newcomer(24, 80);
	EXPECT(screen_has(s, OFFER) && screen_has(s, "You are talking to the guide"), " ");
	EXPECT(n_requests() == 0, "no network without a word of the user");
	PRESS_SHOWS(s, "<Enter>", TINY);
	EXPECT(!screen_has(s, "Enter fetches"), "it is done");
	SAY_WAIT(s, "hello", chat_is_ready(s) && chat_journal_has("assistant"));
	chat_quit(s);
	EXPECT(!hub_server_is_leaked(hub), " ");
	/* From now on it is there. */
	s = CHAT_HUB(.names_no_model = true);
	WAIT_TEXT(s, TINY);
	chat_quit(s);
}

/* Without the guide, and with a file that cannot be loaded, it is the same. */
static void test_no_guide(void)
{
	struct screen *s;

	start_hub();
	test_make_directory(screen_home("data/sotto/models"));
	test_write_text(screen_home("data/sotto/models/broken.gguf"), "GGUF, it says");
	s = CHAT_HUB(.rows = 24, .cols = 80);
	WAIT_TEXT(s, OFFER);
	PRESS_SHOWS(s, "<Enter>", TINY);
	chat_wait_ready(s);
	chat_quit(s);
}

/* The guide answers while it comes; Esc keeps what is there, and the same goes on from there. */
static void test_stopped_and_gone_on(void)
{
	const struct hub_request *request;
	struct screen *s;

	start_hub();
	hold(1);
	s = open_newcomer(24, 80);
	PRESS_SHOWS(s, "<Enter>", NAME " is being fetched: 45 % of 66 kB");
	EXPECT(hub_server_wait_still(hub), " ");
	EXPECT(screen_has(s, "answers meanwhile.") && screen_has(s, IN_BAR), "the bar");
	chat_expect_fresh(s);
	SAY_SHOWS(s, "how do I quit?", "/quit leaves sotto");
	WAIT(s, screen_has(s, IN_BAR));
	SAY_SHOWS(s, "/pull", "Fetching " NAME, "It is loaded as soon as it is there.");
	PRESS_HIDES(s, "<Enter>", "Fetching " NAME);
	EXPECT(screen_has(s, IN_BAR), "it goes on");
	SAY_SHOWS(s, "/pull " NAME, "Fetching " NAME);
	PRESS_SHOWS(s, "<Esc>", "What is there of " NAME " is kept");
	EXPECT(!screen_has(s, "\u2193") && !screen_has(s, "Fetching"), "it is stopped");
	SAY_SHOWS(s, "/pull", "/pull " NAME " goes on with what is there");
	screen_keys(s, "<C-a><C-k>");
	chat_expect_fresh(s);
	SAY_SHOWS(s, "/pull " NAME, "has no chat template");
	chat_wait_ready(s);
	request = hub_server_request(hub, HUB_BYTES, 1);
	EXPECT(request && strstr(request->headers, "range: bytes=30000-"), "%s", request ? request->headers : "none");
	SAY_WAIT(s, "hello", chat_is_ready(s));
	chat_quit(s);
}

/* Enter again goes on, too; and what was on its way when sotto ended is there the next time. */
static void test_ended_and_gone_on(void)
{
	const struct hub_request *request;
	struct screen *s;

	start_hub();
	hold(2);
	s = open_newcomer(24, 80);
	PRESS_SHOWS(s, "<Enter>", "being fetched: 45 %");
	PRESS_SHOWS(s, "/pull stop<Enter>", "Enter goes on fetching Qwen3.5 4B");
	hub_server_heal(hub);
	hub_server_fault(hub, &(struct hub_fault){.place = HUB_BYTES, .kind = HUB_STANDS_STILL, .at = 10000});
	PRESS_SHOWS(s, "<Enter>", "being fetched: 6");
	EXPECT(!screen_has(s, "is kept"), "that is over");
	PRESS_SHOWS(s, "<C-c>", "press Ctrl+C again to quit; what is there of the model is kept");
	PRESS_SHOWS(s, "<C-c>", NAME " is not whole (6", "with:  sotto pull " NAME);
	screen_finish(s, 0);
	hub_server_heal(hub);
	s = open_newcomer(24, 80);
	PRESS_SHOWS(s, "<Enter>", TINY);
	request = hub_server_request(hub, HUB_BYTES, 2);
	EXPECT(request && strstr(request->headers, "range: bytes=40000-"), "%s", request ? request->headers : "none");
	chat_quit(s);
}

/* Who has a model chooses, and is told how to load it. */
static void test_choices(void)
{
	struct screen *s;

	start_hub();
	s = CHAT_HUB(.model = "synthetic:rate=1000,tokens=10", .rows = 30, .cols = 100);
	chat_wait_ready(s);
	SAY_SHOWS(s, "/pull tiny/toy-GGUF", "(best here)", "bits a weight");
	EXPECT(screen_count(s, "BF16") == 1, "a split model is one row");
	EXPECT(screen_has(s, "licence: apache-2.0") && screen_has(s, "mmproj") && screen_has(s, "Enter fetch"), " ");
	chat_expect_fresh(s);
	PRESS_SHOWS(s, "Q2", "Filter: Q2");
	hold(1);
	PRESS_SHOWS(s, "<Enter>", "Fetching tiny/toy-GGUF:Q2_K", "You are told when it is there.");
	PRESS_QUIET(s, "<Enter>", 50);
	SAY_SHOWS(s, "/pull tiny/toy-GGUF:Q8_0", "tiny/toy-GGUF:Q2_K is being fetched: /pull shows how far it is");
	screen_keys(s, "<C-a><C-k>");
	hub_server_release(hub);
	WAIT_TEXT(s, "tiny/toy-GGUF:Q2_K is on this machine now: /model tiny/toy-GGUF:Q2_K loads it.");
	EXPECT(screen_has(s, "synthetic (words) answers"), "who is in use stays");
	SEND_SHOWS(s, "/model tiny/toy-GGUF:Q2_K<Enter>", TINY);
	SAY_SHOWS(s, "/model tiny/toy-GGUF:Q4_K_M", "is not on this machine: /pull tiny/toy-GGUF:Q4_K_M fetches it");
	screen_keys(s, "<C-a><C-k>");
	/* with its parts, by its tag, without a question */
	SAY_SHOWS(s, "/pull tiny/toy-GGUF:BF16", "tiny/toy-GGUF:BF16 is on this machine now");
	SAY_SHOWS(s, "/pull tiny/toy-GGUF", "on this machine");
	PRESS_HIDES(s, "<Esc>", "Filter:");
	chat_quit(s);
}

static void test_picker(void)
{
	struct screen *s;

	start_hub();
	hold(1);
	s = open_newcomer(30, 100);
	PRESS_SHOWS(s, "<F6>", "to fetch", "not on this machine: choose it, and it is fetched");
	EXPECT(n_requests() == 0, "no network without a word of the user");
	PRESS_SHOWS(s, "<Enter>", "Fetching " NAME, "45 % of 66 kB");
	PRESS_QUIET(s, "<Enter>", 50);
	PRESS_SHOWS(s, "<F6>", "on its way");
	PRESS_SHOWS(s, "<Enter>", "Fetching " NAME);
	hub_server_release(hub);
	WAIT_TEXT(s, TINY);
	EXPECT(!screen_has(s, "Fetching"), "its panel is gone");
	screen_keys(s, "<F6>");
	WAIT(s, screen_has(s, "loaded") && !screen_has(s, "Qwen3.5 4B ")); /* what is here is not to fetch */
	WAIT(s, screen_has(s, NAME)); /* by which it can be named and deleted */
	PRESS_HIDES(s, "<Esc>", "Filter:");
	chat_quit(s);
}

/* A row to fetch is chosen beside a reply, which goes on; a row to load is not. */
static void test_picker_beside_a_reply(void)
{
	struct screen *s;

	start_hub();
	hold(1);
	s = CHAT_HUB(.model = "synthetic:rate=20,tokens=100000", .rows = 30, .cols = 100);
	chat_wait_ready(s);
	SAY_SHOWS(s, "hello", "warm 2");
	PRESS_SHOWS(s, "<F6>", "to fetch", "guide (built in)");
	PRESS_SHOWS(s, "guide", "Filter: guide");
	PRESS_SHOWS(s, "<Enter>", "a reply is under way");
	PRESS_SHOWS(s, "<F6>", "to fetch");
	PRESS_SHOWS(s, "that suits", "the one that suits this machine");
	PRESS_SHOWS(s, "<Enter>", "Fetching ", "45 % of 66 kB");
	PRESS_HIDES(s, "<Enter>", "Fetching ");
	EXPECT(hub_server_wait_still(hub) && screen_has(s, IN_BAR), "the bar");
	EXPECT(!chat_is_ready(s), "the reply goes on");
	PRESS_WAIT(s, "<Esc>", chat_is_ready(s));
	chat_quit(s);
}

/* What comes beside a model of ollama's is used, and said. */
static void test_ollama(void)
{
	struct screen *s;
	char line[200];

	start_hub();
	s = CHAT_HUB(.names_no_model = true, .rows = 40, .cols = 100);
	chat_wait_ready(s);
	snprintf(line, sizeof line, "/pull ollama:%s/library/toy:1b", hub_server_url(hub));
	SAY_SHOWS(s, line, TINY);
	chat_wait_ready(s);
	EXPECT(screen_has(s, "recommends temp 0.3") && screen_has(s, "comes with a system message"), " ");
	snprintf(line, sizeof line, "/pull ollama:%s/library/mlx", hub_server_url(hub));
	SAY_SHOWS(s, line, "safetensors for MLX");
	chat_quit(s);
}

/* The listing of a model of 4.9 TB, in parts. */
static void put_listing(struct buf *out)
{
	for (unsigned i = 1; i <= 100; i++)
		buf_printf(out, "%c{\"type\":\"file\",\"path\":\"big-Q4_K_M-%05u-of-00100.gguf\",\"size\":49000000000,\"oid\":"
		           "\"%040u\",\"lfs\":{\"oid\":\"%064u\",\"size\":49000000000,\"pointerSize\":130}}", i > 1 ? ',' : '[',
		           i, i, i);
	buf_puts(out, "]");
}

/* A disk that has less room than is wanted is said before the first byte. */
static void test_no_room(void)
{
	struct buf listing = {.max = MIB(1)};
	struct screen *s;

	start_hub();
	put_listing(&listing);
	hub_server_fault(hub, &(struct hub_fault){.place = HUB_TREE, .kind = HUB_ANSWERS, .code = 200,
	                                          .headers = "Content-Type: application/json\n", .text = buf_text(&listing)});
	s = CHAT_HUB(.model = "synthetic:rate=1000,tokens=10", .rows = 30, .cols = 100);
	chat_wait_ready(s);
	SAY_SHOWS(s, "/pull tiny/toy-GGUF", "Error: no room in ", "GB are missing");
	EXPECT(hub_server_n_requests(hub, HUB_BYTES) == 0, "not a byte");
	chat_quit(s);
	buf_free(&listing);
}

/* Who looks at another window is told when it is there. */
static void test_notified(void)
{
	struct screen *s;

	start_hub();
	hold(1);
	s = CHAT_HUB(.model = "synthetic:rate=1000,tokens=10", .args = {"--notify", "osc9", "--notify-after", "0"});
	s->checker.wants_notices = true;
	chat_wait_ready(s);
	SAY_SHOWS(s, "/pull tiny/toy-GGUF:Q2_K", "Fetching tiny/toy-GGUF:Q2_K");
	screen_bytes(s, "\033[O", 3);
	screen_sync(s);
	hub_server_release(hub);
	WAIT(s, s->checker.n_notices == 1);
	EXPECT(strcmp(s->checker.notice, "9;tiny/toy-GGUF:Q2_K is on this machine now") == 0, "%s", s->checker.notice);
	screen_bytes(s, "\033[I", 3);
	WAIT_TEXT(s, "loads it.");
	chat_quit(s);
}

/* A small checkpoint, as a repository. */
static void put_checkpoint(const char *repository)
{
	struct dirent *entry;
	DIR *dir;

	tiny_checkpoint_write(&(struct tiny_checkpoint){.family = tiny_family_find("qwen3"), .dtype = "BF16", .n_shards = 2},
	                      test_path("laboratory"));
	dir = opendir(test_path("laboratory"));
	EXPECT(dir, " ");
	while ((entry = readdir(dir))) {
		char path[600], *bytes;
		struct error err;
		size_t n;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s", test_path("laboratory"), entry->d_name);
		EXPECT(!sys_read_file(path, MIB(64), &bytes, &n, &err), "%s", err.text);
		hub_server_put(hub, repository, entry->d_name, bytes, n, 0);
		free(bytes);
	}
	closedir(dir);
}

/* What a laboratory publishes becomes a model: fetched, converted, loaded. */
static void test_safetensors(void)
{
	struct screen *s;

	start_hub();
	put_checkpoint("laboratory/tiny");
	s = CHAT_HUB(.names_no_model = true, .rows = 30, .cols = 100);
	chat_wait_ready(s);
	SAY_SHOWS(s, "/pull laboratory/tiny", "laboratory/tiny:safetensors`");
	SAY_SHOWS(s, "/pull laboratory/tiny:safetensors", "as its laboratory publishes it", "Make ");
	PRESS_HIDES(s, "<Esc>", "Make ");
	SAY_SHOWS(s, "/model laboratory/tiny:safetensors", "as its laboratory publishes it", "Make ");
	PRESS_WAIT(s, "<Enter>", !screen_has(s, "Make ") && !screen_has(s, "guide") && screen_has(s, " answers. F6"));
	SAY_WAIT(s, "hello", chat_is_ready(s) && chat_journal_has("assistant"));
	chat_quit(s);
}

/* The second waits for the first, and both have it. */
static void test_two_at_once(void)
{
	struct screen *first, *second;

	start_hub();
	hold(1);
	first = open_newcomer(24, 80);
	PRESS_SHOWS(first, "<Enter>", "being fetched: 45 %");
	second = open_newcomer(24, 80);
	PRESS_SHOWS(second, "<Enter>", "another sotto fetches it");
	hub_server_release(hub);
	WAIT_TEXT(first, TINY);
	WAIT_TEXT(second, TINY);
	EXPECT(hub_server_n_requests(hub, HUB_BYTES) == 1, "it came once");
	chat_quit(first);
	chat_quit(second);
}

/* The message and the words that tell what to do; the chat is as it was. */
static void test_errors(void)
{
	static const struct {
		const char *line, *shows;
	} rows[] = {
		{"/pull tiny/gated-GGUF", "accept its licence"},
		{"/pull tiny/nobody-GGUF", "was not found"},
		{"/pull tiny/toy-GGUF:Q9_X", "Q4_K_M"},
		{"/pull tiny/pickles", "pickle"},
		{"/pull tiny/toy", "safetensors"},
		{"/pull ../x", "../x"},
		{"/pull stop", "nothing is being fetched"},
		{"/pull", "/pull NAME fetches"},
	};
	struct screen *s;

	start_hub();
	s = CHAT_HUB(.model = "synthetic:rate=1000,tokens=10", .rows = 50, .cols = 100);
	chat_wait_ready(s);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		SAY_SHOWS(s, rows[i].line, rows[i].shows);
		WAIT(s, !screen_has(s, "Looking for") && !screen_has(s, "\u2193"));
		screen_keys(s, "<C-a><C-k>");
		EXPECT(screen_has(s, "synthetic (words)"), "%s", rows[i].line);
	}
	SAY_SHOWS(s, "hello", "warm 9");
	chat_wait_ready(s);
	chat_quit_fresh(s);
}

static void test_no_network(void)
{
	struct screen *s;

	start_hub();
	s = CHAT_START(.names_no_model = true, .rows = 30, .cols = 100,
	               .env = {MEMORY, "HF_ENDPOINT=http://127.0.0.1:1", "SOTTO_TEST_PULL_SECOND=1"});
	WAIT_TEXT(s, "Enter fetches");
	PRESS_SHOWS(s, "<Enter>", "Error: ", "127.0.0.1:1");
	WAIT_TEXT(s, "Enter fetches");
	ASK_SHOWS(s, "how do I quit?", "/quit leaves sotto");
	chat_quit(s);
	s = CHAT_START(.names_no_model = true, .rows = 30, .cols = 100, .env = {MEMORY, endpoint(), "HF_HUB_OFFLINE=1"});
	WAIT_TEXT(s, "Enter fetches");
	PRESS_SHOWS(s, "<Enter>", "HF_HUB_OFFLINE is set");
	EXPECT(n_requests() == 0, " ");
	chat_quit(s);
}

/* Where servers have models, and no file is here, nobody is urged to fetch one. */
static void test_not_offered(void)
{
	struct screen *s;

	test_write_text(test_path("servers.yaml"), "box:\n  url: http://127.0.0.1:1\n");
	s = CHAT_START(.names_no_model = true, .env = {MEMORY}, .args = {"--servers", test_path("servers.yaml")});
	WAIT_TEXT(s, "You are talking to the guide");
	chat_wait_ready(s);
	PRESS_SHOWS(s, "<F6>", "to fetch");
	PRESS_HIDES(s, "<Esc>", "Filter:");
	EXPECT(!screen_has(s, "Enter fetches"), " ");
	PRESS_QUIET(s, "<Enter>", 50);
	EXPECT(!screen_has(s, "\u2193"), " ");
	chat_quit(s);
}

static void test_small(void)
{
	struct screen *s;

	start_hub();
	hold(1);
	s = open_newcomer(20, 40);
	PRESS_SHOWS(s, "<Enter>", IN_BAR, "fetched: 45 % of 66 kB");
	SAY_SHOWS(s, "/pull", "Enter chat on  Esc stop");
	chat_expect_fresh(s);
	for (int rows = 24; rows >= 4; rows -= 4) {
		screen_resize(s, rows, 4 * rows);
		screen_quiet(s, 30);
		chat_expect_fresh(s);
	}
	screen_resize(s, 20, 40);
	PRESS_SHOWS(s, "<Esc>", "is kept: /pull");
	screen_resize(s, 15, 40);
	PRESS_SHOWS(s, "<F6>", "to fetch", "not on this machine"); /* as much of the note as there is room for */
	chat_expect_fresh(s);
	PRESS_HIDES(s, "<Esc>", "Filter:");
	screen_resize(s, 20, 40);
	SAY_SHOWS(s, "/pull tiny/toy-GGUF", "(best here)");
	chat_expect_fresh(s);
	PRESS_HIDES(s, "<Esc>", "Filter:");
	chat_quit(s);
}

static void in_lines(const char *option, const char *prompt)
{
	struct screen *s;

	start_hub();
	hold(1);
	s = CHAT_HUB(.names_no_model = true, .rows = 60, .cols = 100, .args = {option});
	WAIT_TEXT(s, OFFER "; F6 shows others.");
	screen_sync(s);
	EXPECT(n_requests() == 0, "no network without a word of the user");
	PRESS_SHOWS(s, "<Enter>", "fetching " NAME "; Ctrl+C stops it and keeps what is there", NAME ": 45 % of 66 kB");
	PRESS_SHOWS(s, "/pull<Enter>", "Fetching " NAME ": 45 %", "Ctrl+C stops it");
	PRESS_SHOWS(s, "<C-c>", "What is there of " NAME " is kept");
	PRESS_SHOWS(s, "/pull tiny/toy-GGUF<Enter>", "(best here): size", "A number chooses");
	EXPECT(screen_count(s, "licence: apache-2.0") == 1, "said once, not of each");
	PRESS_SHOWS(s, "1<Enter>", "is on this machine now, and is loaded", "tiny is ready");
	WAIT(s, strncmp(screen_row(s, screen_cursor(s).row), prompt, strlen(prompt)) == 0);
	screen_keys(s, "/quit<Enter>");
	screen_finish(s, 0);
}

static void test_inline(void)
{
	in_lines("--inline", ">");
}

static void test_accessible(void)
{
	in_lines("--accessible", "You:");
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"newcomer", test_newcomer, 0},
		{"no-guide", test_no_guide, 0},
		{"stopped-and-gone-on", test_stopped_and_gone_on, 0},
		{"ended-and-gone-on", test_ended_and_gone_on, 0},
		{"choices", test_choices, 0},
		{"picker", test_picker, 0},
		{"picker-beside-a-reply", test_picker_beside_a_reply, 0},
		{"ollama", test_ollama, 0},
		{"no-room", test_no_room, 0},
		{"notified", test_notified, 0},
		{"safetensors", test_safetensors, 0},
		{"two-at-once", test_two_at_once, 0},
		{"errors", test_errors, 0},
		{"no-network", test_no_network, 0},
		{"not-offered", test_not_offered, 0},
		{"small", test_small, 0},
		{"inline", test_inline, 0},
		{"accessible", test_accessible, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
