/* A session as a restless user would have it: loading, asking, cancelling,
 * moving sliders, changing models and quitting at random moments, with the
 * real engine on a tiny model and with the test backend. Says what was wrong
 * with the answers; ThreadSanitizer says what was wrong with the threads.
 *
 * SOTTO_TEST_LONG: three minutes. Under a sanitizer 20 s, else 3 s.
 * SOTTO_TEST_SEED repeats a run (but for the timing). */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"
#include "catalog/searcher.h"
#include "engine/options.h"
#include "engine/worker.h"
#include "support/fake_server.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/tiny_model.h"

enum { ACTS = 3000, ACTS_LONG = 100000, ACTS_MOST = 1000000, ANSWER_LIMIT_MS = 120000, N_MODELS = 8, WARM_MAX = 64 };

/* What is known from what was posted and taken. */
struct user {
	struct worker *worker;
	struct test_random random;
	char models[N_MODELS][512];
	char template[128];
	uint64_t reply;        /* a turn without an answer yet; 0 = none */
	uint64_t warm[WARM_MAX]; /* likewise, some of them pre-empted */
	size_t n_warm;
	bool loading, has_model;
	unsigned n_inspect;    /* inspections without an answer */
	struct searcher searcher; /* for models, beside all that */
	unsigned n_searched;
	unsigned counts[EVENT_DONE + 1]; /* of each kind of event, to show that all happen */
	unsigned reasons[DONE_ERROR + 1];   /* of each reason */
	unsigned n_quits;
};

static int failures;

static void fail(const char *what, uint64_t n)
{
	printf("FAIL: %s (%" PRIu64 ")\n", what, n);
	failures++;
}

/* True when the turn is a warming up that is not over; which then ends. */
static bool is_warm(struct user *user, uint64_t turn, bool ends)
{
	for (size_t i = 0; i < user->n_warm; i++) {
		if (user->warm[i] != turn)
			continue;
		if (ends)
			user->warm[i] = user->warm[--user->n_warm];
		return true;
	}
	return false;
}

static void take(struct user *user)
{
	struct event *events = worker_take_events(user->worker);

	for (const struct event *e = events; e; e = e->next) {
		user->counts[e->kind]++;
		switch (e->kind) {
		case EVENT_LOADING:
			if (!user->loading)
				fail("progress of a load that is over", e->turn);
			break;
		case EVENT_MODEL:
		case EVENT_LOAD_FAILED:
			if (!user->loading)
				fail("an answer to no load", e->turn);
			if (e->kind == EVENT_LOAD_FAILED && !e->error->text[0])
				fail("a failure without a word", e->turn);
			user->loading = false;
			user->has_model = e->kind == EVENT_MODEL;
			break;
		case EVENT_WAITING:
		case EVENT_LEARNT:
			if (!e->turn) /* a load, or counting */
				break;
			/* fall through */
		case EVENT_SENT:
		case EVENT_PREFILLING:
		case EVENT_FITTED:
		case EVENT_TOKEN:
		case EVENT_NOTE:
		case EVENT_ASIDE:
		case EVENT_SCORED:
		case EVENT_BEGIN:
		case EVENT_PARAMS:
			if (e->turn != user->reply && !is_warm(user, e->turn, false))
				fail("news of a turn that is over", e->turn);
			break;
		case EVENT_INSPECTED:
			user->n_inspect--;
			break;
		case EVENT_DONE:
			user->reasons[e->u.done.reason]++;
			if (e->turn == user->reply)
				user->reply = 0;
			else if (!is_warm(user, e->turn, true))
				fail("an end of no turn", e->turn);
			break;
		}
	}
	worker_events_free(events);
	if (worker_is_busy(user->worker) != (user->reply || user->loading || user->n_warm))
		fail("busy and not, or the reverse", user->reply);
}

static void take_catalog(struct user *user)
{
	struct catalog *catalog;
	struct error err;

	if (searcher_take(&user->searcher, &catalog, &err))
		fail(err.text, 0);
	else if (catalog->n < 2)
		fail("a search that found too little", catalog->n);
	else
		user->n_searched++;
	catalog_free(catalog);
}

/* Waits for events at most so long, then takes them. */
static void wait_and_take(struct user *user, int ms)
{
	struct pollfd fds[] = {{.fd = worker_fd(user->worker), .events = POLLIN},
	                       {.fd = job_fd(&user->searcher.job), .events = POLLIN}};

	poll(fds, 2, ms);
	if (fds[1].revents)
		take_catalog(user);
	take(user);
}

static void load(struct user *user)
{
	struct engine_params params = engine_params_default();
	struct error err;
	enum status status;

	/* Mostly one that there is. */
	params.model = user->models[test_random_below(&user->random, N_MODELS - 1)];
	if (test_random_below(&user->random, 8) == 0)
		params.model = user->models[N_MODELS - 1];
	params.n_threads = 2;
	params.n_batch = (int32_t)test_random_below(&user->random, 32) + 1;
	params.kv_cache = test_random_below(&user->random, 4) != 0;
	if (test_random_below(&user->random, 2))
		params.chat_template = user->template;
	status = worker_post_load(user->worker, &params, &err);
	if ((status == STATUS_BUSY) != (user->reply || user->loading))
		fail("busy at the wrong time (load)", status);
	user->loading |= status == STATUS_OK;
}

static void post_turn(struct user *user, int kind)
{
	char text[200];
	size_t len = test_random_below(&user->random, sizeof text);
	int32_t ids[4] = {5, 6, 1000000, -1};
	struct message messages[] = {
		{.role = ROLE_SYSTEM, .text = "be brief", .len = 8},
		{.role = ROLE_USER, .text = text, .len = len / 2},
		{.role = ROLE_ASSISTANT, .text = text, .len = len / 3, .ids = ids, .n_ids = 4},
		{.role = ROLE_USER, .text = text, .len = len},
	};
	const char *const stops[] = {"a", "the"}, *const answers[] = {"yes", "no, never"};
	struct turn turn = {.messages = messages, .n_messages = 4,
	                    .stops = stops, .n_stops = test_random_below(&user->random, 3),
	                    .reasoning.mode =
	                                   (enum reasoning_mode)test_random_below(&user->random, 3),
	                           .sampler = sampler_params_default(), .n_predict = -1,
	                           .n_candidates = test_random_below(&user->random, 21)};
	struct error err;
	enum status status;
	uint64_t id = 0;

	test_random_bytes(&user->random, text, sizeof text);
	if (kind == 2) {
		if (worker_post_inspect(user->worker, &turn,
		                        (enum inspect_purpose)test_random_below(&user->random, 3), &err))
			fail("an inspection was refused", 0);
		else
			user->n_inspect++;
		return;
	}
	if (kind == 3) {
		turn.answers = answers;
		turn.n_answers = 2;
	}
	status = kind == 0 ? worker_post_generate(user->worker, &turn, &id, &err)
	         : kind == 1 ? worker_post_prefill(user->worker, &turn, &id, &err)
	                     : worker_post_score(user->worker, &turn, &id, &err);
	if ((status == STATUS_BUSY) != (user->reply || user->loading))
		fail("busy at the wrong time (turn)", status);
	if (status == STATUS_OK && kind != 1)
		user->reply = id;
	else if (status == STATUS_OK)
		user->warm[user->n_warm++] = id;
}

static void search(struct user *user)
{
	struct engine_params params = engine_params_default();
	struct error err;
	enum status status;
	bool was_running;

	params.model = user->models[0];
	was_running = user->searcher.job.is_running;
	status = searcher_start(&user->searcher, &params, !worker_is_busy(user->worker), &err);
	if (status != (was_running ? STATUS_BUSY : STATUS_OK))
		fail("busy at the wrong time (search)", status);
}

/* Everything accepted is answered, if need be after a cancellation, or when something else is wanted. */
static void settle(struct user *user)
{
	uint64_t limit = sys_now_ms() + ANSWER_LIMIT_MS;

	while (user->reply || user->loading || user->n_warm || user->n_inspect ||
	       user->searcher.job.is_running) {
		if (sys_now_ms() > limit) {
			fail("no answer", user->reply);
			return;
		}
		if (user->n_inspect && !user->reply && !user->loading && !user->n_warm)
			post_turn(user, 1); /* counting gives way to it */
		worker_cancel(user->worker, user->reply);
		for (size_t i = 0; i < user->n_warm; i++)
			worker_cancel(user->worker, user->warm[i]);
		worker_cancel(user->worker, 0);
		wait_and_take(user, 50);
	}
}

static bool quit_and_begin_anew(struct user *user)
{
	struct error err;

	searcher_end(&user->searcher);
	worker_destroy(user->worker);
	user->worker = NULL;
	user->reply = user->n_warm = user->n_inspect = 0;
	user->loading = user->has_model = false;
	user->n_quits++;
	if (worker_create(&user->worker, NULL, fake_servers, &err)) {
		fail(err.text, 0);
		return false;
	}
	return true;
}

static bool act(struct user *user)
{
	struct sampler_params params = sampler_params_default();

	/* Without a model most turns would be the same error. */
	if (!user->has_model && !user->loading && test_random_below(&user->random, 4)) {
		load(user);
		return true;
	}
	switch (test_random_below(&user->random, 16)) {
	case 0:
		if (test_random_below(&user->random, 4) == 0)
			load(user);
		break;
	case 1:
	case 2:
	case 3:
	case 4:
		post_turn(user, 0);
		break;
	case 5:
		post_turn(user, 3);
		break;
	case 6:
		if (user->n_warm == WARM_MAX)
			settle(user);
		post_turn(user, 1);
		break;
	case 7:
		post_turn(user, 2);
		break;
	case 8:
		worker_cancel(user->worker, test_random_below(&user->random, 100));
		break;
	case 9:
		if (user->reply || test_random_below(&user->random, 4) == 0)
			worker_cancel(user->worker, user->reply); /* 0: the load */
		break;
	case 10:
	case 11:
		params.temp = (float)test_random_below(&user->random, 3);
		params.top_k = (int32_t)test_random_below(&user->random, 50);
		worker_post_params(user->worker, &params);
		break;
	case 12:
		worker_answer_now(user->worker, user->reply);
		if (test_random_below(&user->random, 2) == 0)
			search(user);
		if (test_random_below(&user->random, 8) == 0)
			return quit_and_begin_anew(user);
		break;
	case 13:
		if (test_random_below(&user->random, 4) == 0)
			settle(user);
		break;
	case 14: /* for once, the user waits for the answer */
		for (int i = 0; i < 20 && user->reply; i++)
			wait_and_take(user, 20);
		break;
	default:
		wait_and_take(user, (int)test_random_below(&user->random, 60));
		break;
	}
	return true;
}

static bool make_models(struct user *user, const char *dir)
{
	/* Takes no system message, so that conversations are changed and notes come. */
	static const char template[] =
		"{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}"
		"{% endif %}{{ m.role }}: {{ m.content }}\n{% endfor %}";
	struct tiny_model tiny = tiny_model_default();
	struct error err;

	snprintf(user->template, sizeof user->template, "%s/template.jinja", dir);
	write_text(user->template, template);
	snprintf(user->models[0], sizeof user->models[0], "%s/spm.gguf", dir);
	snprintf(user->models[1], sizeof user->models[1], "%s/bpe.gguf", dir);
	snprintf(user->models[2], sizeof user->models[2],
	         "synthetic:rate=2000,tokens=100,load_ms=30,prefill_ms=20,aside=3,remote=1,wait=3,learns=1");
	snprintf(user->models[3], sizeof user->models[3], "server:early,count");
	snprintf(user->models[4], sizeof user->models[4], "server:filtered,think");
	snprintf(user->models[5], sizeof user->models[5], "server:broken");
	snprintf(user->models[6], sizeof user->models[6], "server:load");
	snprintf(user->models[7], sizeof user->models[7], "%s/none.gguf", dir);
	tiny.n_ctx = 512;
	if (tiny_model_save(&tiny, user->models[0], &err)) {
		fail(err.text, 0);
		return false;
	}
	tiny.vocab = TINY_BPE;
	if (tiny_model_save(&tiny, user->models[1], &err)) {
		fail(err.text, 0);
		return false;
	}
	return true;
}

static bool saw_every_kind(const struct user *user)
{
	for (size_t kind = 0; kind <= EVENT_DONE; kind++)
		if (!user->counts[kind])
			return false;
	return user->n_searched > 0;
}

static void tell_counts(const struct user *user)
{
	printf("events by kind:");
	for (size_t kind = 0; kind <= EVENT_DONE; kind++)
		printf(" %u", user->counts[kind]);
	for (int reason = 0; reason <= DONE_ERROR; reason++)
		printf("%s %u %s", reason ? "," : "; ends:", user->reasons[reason],
		       done_reason_name((enum done_reason)reason));
	printf("; quits %u searches %u\n", user->n_quits, user->n_searched);
}

int main(void)
{
	char dir[] = "/tmp/sotto-test-XXXXXX";
	const char *seed = getenv("SOTTO_TEST_SEED"), *is_long = getenv("SOTTO_TEST_LONG");
	struct user user = {.random = {seed ? strtoull(seed, NULL, 10) : sys_now_us()}};
	size_t n_acts = is_long ? ACTS_LONG : ACTS;
	struct error err;

	printf("SOTTO_TEST_SEED=%" PRIu64 "\n", user.random.state);
	if (!mkdtemp(dir) || !make_models(&user, dir) || worker_create(&user.worker, NULL, fake_servers, &err))
		return 1;
	setenv("LLAMA_CACHE", dir, 1); /* where models are looked for */
	for (size_t i = 0; i < n_acts || (!saw_every_kind(&user) && i < ACTS_MOST); i++)
		if (failures >= 10 || !act(&user))
			break;
	settle(&user);
	searcher_end(&user.searcher);
	worker_destroy(user.worker);
	for (size_t i = 0; i < 2; i++)
		unlink(user.models[i]);
	unlink(user.template);
	rmdir(dir);
	tell_counts(&user);
	for (size_t kind = 0; kind <= EVENT_DONE; kind++)
		if (!user.counts[kind])
			fail("an event that never came", kind);
	printf("%d failed\n", failures);
	return failures != 0;
}
