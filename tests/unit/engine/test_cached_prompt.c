/* Why a turn had to evaluate more than what is new in it. */
#include "engine/cached_prompt.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "engine/backend.h"
#include "engine/options.h"
#include "support/tiny_model.h"

/* With a date, a variable, and thoughts of the replies after the last question only. */
static const char chat[] =
	"day {{ strftime_now('%d') }} {{ style }}\n"
	"{% set ns = namespace(last=-1) %}"
	"{% for m in messages %}{% if m.role == 'user' %}{% set ns.last = loop.index0 %}{% endif %}{% endfor %}"
	"{% for m in messages %}{{ m.role }}: "
	"{% if m.reasoning_content and loop.index0 > ns.last %}<think>{{ m.reasoning_content }}</think>{% endif %}"
	"{{ m.content }}<|endoftext|>\n{% endfor %}"
	"{% if add_generation_prompt %}assistant: {% endif %}";

enum { MESSAGES_MAX = 8 };

/* A message: 's', 'u' or 'a', its text, what the reply was thought with; 't' a reply with ids of single letters. */
struct said {
	char who;
	const char *text, *reasoning;
};

struct asked {
	struct said said[MESSAGES_MAX]; /* ends with who == 0 */
	const char *kwargs;
	int64_t clock_days;
};

static char dir[] = "/tmp/sotto-test-XXXXXX", path[300];
static struct backend *backend;
static struct model_info info;
static struct error err;
static int32_t told[256];
static size_t n_told;
static struct buf told_text = {.max = KIB(64)};

static bool never(void *ctx)
{
	(void)ctx;
	return false;
}

static void give_params(void *ctx, uint32_t n, struct sampler_params *out)
{
	(void)ctx;
	(void)n;
	*out = sampler_params_default();
	out->temp = 0;
}

static enum status take(void *ctx, const struct event *event, struct error *error)
{
	(void)ctx;
	(void)error;
	if (event->kind == EVENT_TOKEN && n_told < sizeof told / sizeof told[0]) {
		if (!event->u.token.rest)
			told[n_told++] = event->u.token.id;
		buf_append(&told_text, event->u.token.bytes, event->u.token.len);
	}
	return STATUS_OK;
}

static const struct backend_host host = {.cancelled = never, .params = give_params, .event = take};

static void load(int32_t n_ctx)
{
	struct engine_params params = engine_params_default();

	backend_close(backend);
	params.model = path;
	params.n_ctx = n_ctx;
	params.n_threads = 1;
	cr_assert_eq(backend_open(&backend, &params, &host, &info, &err), STATUS_OK, "%s", err.text);
}

static void init(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct gguf_writer *w;

	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/model.gguf", dir);
	tiny.vocab = TINY_BPE;
	tiny.n_ctx = 1024;
	w = tiny_model_writer(&tiny);
	gguf_writer_set_string(w, "tokenizer.chat_template", chat, strlen(chat));
	cr_assert_eq(gguf_writer_save(w, path, &err), STATUS_OK, "%s", err.text);
	gguf_writer_free(w);
	load(0);
}

static void fini(void)
{
	backend_close(backend);
	buf_free(&told_text);
	unlink(path);
	rmdir(dir);
}

TestSuite(cached_prompt, .init = init, .fini = fini, .timeout = 120);

/* Single letters, which the tokenizer would have joined. */
static size_t letters(const char *text, int32_t *ids)
{
	size_t n = strlen(text);

	for (size_t i = 0; i < n; i++)
		ids[i] = (unsigned char)text[i];
	return n;
}

static struct message message_of(const struct said *said, int32_t *ids)
{
	struct message m = {.role = said->who == 's' ? ROLE_SYSTEM : said->who == 'u' ? ROLE_USER : ROLE_ASSISTANT,
	                    .text = said->text, .len = strlen(said->text), .reasoning = said->reasoning ? said->reasoning : "",
	                    .reasoning_len = said->reasoning ? strlen(said->reasoning) : 0};

	if (said->who == 't') {
		m.ids = ids;
		m.n_ids = letters(said->text, ids);
	}
	return m;
}

static void run(const struct asked *asked, enum backend_mode mode, struct backend_result *result)
{
	static int32_t ids[MESSAGES_MAX][64];
	struct message messages[MESSAGES_MAX];
	struct turn turn = {.messages = messages, .n_predict = 4,
	                    .reasoning = {.clock = (1 + asked->clock_days) * 86400 * 1000000,
	                                  .template_kwargs = asked->kwargs}};

	for (; asked->said[turn.n_messages].who; turn.n_messages++)
		messages[turn.n_messages] = message_of(&asked->said[turn.n_messages], ids[turn.n_messages]);
	cr_assert_eq(backend_run(backend, &turn, mode, &host, result, &err), STATUS_OK, "%s", err.text);
}

#define S(text) {'s', text, NULL}
#define U(text) {'u', text, NULL}
#define A(text) {'a', text, NULL}

static const struct {
	const char *name;
	struct asked before, now;
	const char *words;
} rows[] = {
	{"goes-on", {{U("one"), A("two"), U("three")}, 0, 0}, {{U("one"), A("two"), U("three"), A("four"), U("five")}, 0, 0}, ""},
	{"again", {{U("one"), A("two"), U("three")}, 0, 0}, {{U("one"), A("two"), U("three")}, 0, 0}, ""},
	{"edited", {{S("be"), U("one"), A("two"), U("three")}, 0, 0}, {{S("be"), U("other"), A("two"), U("three")}, 0, 0},
	 "your message 1 is another one: it reads \"user: other<|endoftext|>\", and was \"user: one<|endoftext|>\""},
	{"edited-last", {{U("one"), A("two"), U("three")}, 0, 0}, {{U("one"), A("two"), U("other")}, 0, 0},
	 "your message 2 is another one: it reads \"user: other<|endoftext|>\", and was \"user: three<|endoftext|>\""},
	{"system", {{S("be"), U("one"), A("two"), U("three")}, 0, 0}, {{S("do"), U("one"), A("two"), U("three")}, 0, 0},
	 "the system message is another one: it reads \"system: do<|endoftext|>\", and was \"system: be<|endoftext|>\""},
	{"template", {{U("one"), A("two"), U("three")}, "{\"style\": \"terse\"}", 0},
	 {{U("one"), A("two"), U("three")}, "{\"style\": \"long\"}", 0},
	 "the template writes something else around your message 1: it reads \"day 02 long\", and was \"day 02 terse\""},
	{"date", {{U("one"), A("two"), U("three")}, 0, 0}, {{U("one"), A("two"), U("three")}, 0, 1},
	 "the template writes something else around your message 1: it reads \"day 03 \", and was \"day 02 \""},
	{"removed", {{U("one"), A("two"), U("three"), A("four"), U("five")}, 0, 0}, {{U("three"), A("four"), U("five")}, 0, 0},
	 "your message 1 is not sent any more: it reads \"user: three<|endoftext|>\", and was \"user: one<|endoftext|>\""},
	{"added", {{U("one"), A("two"), U("three")}, 0, 0}, {{S("be"), U("one"), A("two"), U("three")}, 0, 0},
	 "the system message is sent now, and was not: it reads \"system: be<|endoftext|>\", and was \"user: one<|endoftext|>\""},
	{"other-take", {{U("one"), A("two"), U("three")}, 0, 0}, {{U("one"), A("other"), U("three")}, 0, 0},
	 "reply 1 is another one: it reads \"assistant: other<|endoftext|>\", and was \"assistant: two<|endoftext|>\""},
	{"other-chat", {{S("be"), U("one"), A("two"), U("three")}, 0, 0}, {{S("be"), U("x"), A("y"), U("z")}, 0, 0},
	 "another chat was in the cache, up to your message 1: it reads \"user: x<|endoftext|>\", and was \"user: one<|endoftext|>\""},
	{"tokens", {{U("one"), {'t', "the hen", NULL}, U("three")}, 0, 0}, {{U("one"), A("the hen"), U("three")}, 0, 0},
	 "reply 1 is the same text in other tokens"},
	{"reasoning", {{U("one"), {'a', "two", "why not"}}, 0, 0}, {{U("one"), {'a', "two", "why not"}, U("three")}, 0, 0},
	 "the template does not repeat the thoughts of reply 1: it reads \"assistant: two<|endoftext|>\", and was "
	 "\"assistant: <think>why not</think>two<|endoftext|>\""},
};

/* Lines are part of the words; a difference of tokens alone reads the same, as far as it is shown. */
Test(cached_prompt, says_what_differed)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct backend_result result;
		struct buf words = {.max = KIB(4)};

		load(0);
		run(&rows[i].before, BACKEND_WARM, &result);
		cr_expect_eq(result.difference.kind, CACHE_SAME, "%s: the first turn", rows[i].name);
		run(&rows[i].now, BACKEND_WARM, &result);
		cache_difference_put(&result.difference, true, &words);
		cr_expect_str_eq(buf_text(&words), rows[i].words, "%s: %s", rows[i].name, buf_text(&words));
		buf_free(&words);
	}
}

/* The reply that the history ends with, and another one in its place. */
Test(cached_prompt, knows_the_reply_that_was_just_made)
{
	struct asked asked = {{U("one")}, 0, 0};
	struct message messages[3];
	struct turn turn = {.messages = messages, .n_messages = 3, .reasoning = {.clock = 86400000000}};
	struct backend_result result;
	int32_t ids[64];

	run(&asked, BACKEND_REPLY, &result);
	cr_assert_eq(n_told, 4);
	messages[0] = message_of(&(struct said)U("one"), ids);
	messages[2] = message_of(&(struct said)U("two"), ids);
	messages[1] = (struct message){.role = ROLE_ASSISTANT, .text = buf_text(&told_text), .len = told_text.len, .ids = told,
	                               .n_ids = n_told};
	cr_assert_eq(backend_run(backend, &turn, BACKEND_WARM, &host, &result, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(result.difference.kind, CACHE_SAME);
	run(&asked, BACKEND_REPLY, &result);
	cr_assert_eq(result.difference.kind, CACHE_SAME, "the same question again");
	messages[1] = (struct message){.role = ROLE_ASSISTANT, .text = "x", .len = 1, .ids = told, .n_ids = n_told,
	                               .reasoning = buf_text(&told_text), .reasoning_len = told_text.len / 2,
	                               .n_reasoning_ids = n_told / 2};
	cr_assert_eq(backend_run(backend, &turn, BACKEND_WARM, &host, &result, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(result.difference.kind, CACHE_REASONING, "it thought before it answered");
	run(&asked, BACKEND_REPLY, &result);
	messages[1] = message_of(&(struct said)A("other"), ids);
	cr_assert_eq(backend_run(backend, &turn, BACKEND_WARM, &host, &result, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(result.difference.kind, CACHE_TEXT);
	cr_assert(result.difference.role == ROLE_ASSISTANT && result.difference.number == 1);
}

/* A full context leaves out the first turn, and a short question brings it back. */
Test(cached_prompt, knows_what_was_left_out)
{
	static const char longer[] = "a question with very many letters, which takes so much room that the first turn has to go "
	                             "out of the context, since they do not fit in it together";
	const struct asked all = {{U("one"), A("two"), U("three"), A("four"), U("five")}, 0, 0};
	const struct asked full = {{U("one"), A("two"), U("three"), A("four"), U(longer)}, 0, 0};
	struct backend_result result;
	struct cache_difference difference = {.kind = CACHE_SAME};
	struct inspection inspected = {.purpose = INSPECT_TOKENS, .difference = &difference};
	struct message_count counts[MESSAGES_MAX];
	struct message messages[MESSAGES_MAX];
	struct turn turn = {.messages = messages, .n_messages = 5, .reasoning = {.clock = 86400000000}};
	struct buf words = {.max = KIB(4)};

	load(208);
	run(&all, BACKEND_WARM, &result);
	cr_assert_eq(result.stats.n_dropped, 0);
	run(&full, BACKEND_WARM, &result);
	cr_assert_gt(result.stats.n_dropped, 0);
	cache_difference_put(&result.difference, false, &words);
	cr_assert_str_eq(buf_text(&words), "your message 1 is left out, as the context is full");
	for (size_t i = 0; i < 5; i++)
		messages[i] = message_of(&all.said[i], NULL);
	inspected.messages = counts;
	cr_assert_eq(backend_inspect(backend, &turn, &host, &inspected, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(difference.kind, CACHE_BACK, "what the next turn would be is known beforehand");
	free(inspected.tokens);
	free(inspected.text);
	run(&all, BACKEND_WARM, &result);
	buf_clear(&words);
	cache_difference_put(&result.difference, false, &words);
	cr_assert_str_eq(buf_text(&words), "your message 1 was left out, and is sent again");
	buf_free(&words);
}
