/* What it costs to collect the candidates of each token: a reply goes on by a few tokens, by turns with all candidates,
 * which are copied and kept as in a chat, and with none.
 * usage: bench/candidates MODEL [PAIRS [THREADS]] */
#include "bench.h"
#include "engine/backend.h"
#include "engine/options.h"
#include "kept/kept.h"

enum { PAIRS_MAX = 4096, TOKENS = 8 };

struct run {
	struct kept *kept;
	struct sampler_params sampler;
	double first, last; /* of processor, when these tokens were told */
	uint32_t n;
};

static bool cancelled(void *ctx)
{
	(void)ctx;
	return false;
}

static void params(void *ctx, uint32_t n, struct sampler_params *out)
{
	const struct run *run = ctx;

	(void)n;
	*out = run->sampler;
}

/* As the worker and the chat do. */
static enum status take(void *ctx, const struct event *event, struct error *err)
{
	struct run *run = ctx;
	struct event *copy;
	enum status status = STATUS_OK;

	if (event->kind == EVENT_BEGIN)
		return kept_begin(run->kept, 1, 0, "model", &event->u.begin, err);
	if (event->kind != EVENT_TOKEN)
		return STATUS_OK;
	copy = event_copy(event);
	if (!copy)
		return STATUS_NOMEM;
	if (copy->u.token.n_candidates)
		status = kept_add(run->kept, 1, &copy->u.token, 0, err);
	free(copy);
	run->last = processor_s();
	if (!run->n++)
		run->first = run->last;
	return status;
}

/* Milliseconds of processor a token. */
static double measure(struct backend *backend, struct run *run, size_t n_candidates)
{
	const struct backend_host host = {.ctx = run, .cancelled = cancelled, .params = params, .event = take};
	const struct message message = {.role = ROLE_USER, .text = "Once upon a time", .len = 16};
	const struct turn turn = {.messages = &message, .n_messages = 1, .raw = true, .n_predict = TOKENS + 1,
	                          .n_candidates = n_candidates};
	struct backend_result result;
	struct error err;

	run->n = 0;
	if (backend_run(backend, &turn, BACKEND_REPLY, &host, &result, &err))
		fail(err.text);
	if (run->n < 2)
		fail("the reply ends at once");
	return 1e3 * (run->last - run->first) / (run->n - 1);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sort(double *x, size_t n)
{
	qsort(x, n, sizeof *x, compare);
}

int main(int argc, char **argv)
{
	static double with[PAIRS_MAX], without[PAIRS_MAX], ratios[PAIRS_MAX];
	struct run run = {.kept = kept_create(), .sampler = sampler_params_default()};
	const struct backend_host host = {.ctx = &run, .cancelled = cancelled, .params = params, .event = take};
	struct engine_params engine = engine_params_default();
	size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 100;
	struct backend *backend;
	struct model_info info;
	struct error err;

	if (argc < 2 || !n || n > PAIRS_MAX || !run.kept)
		fail("usage: bench/candidates MODEL [PAIRS [THREADS]]");
	engine.model = argv[1];
	engine.n_threads = argc > 3 ? atoi(argv[3]) : 1;
	engine.n_ctx = 256;
	run.sampler.seed = 1;
	if (backend_open(&backend, &engine, &host, &info, &err))
		fail(err.text);
	measure(backend, &run, 0);
	for (size_t i = 0; i < n; i++) {
		bool is_first = i % 2; /* what comes second may have a warmer cache */

		if (is_first)
			with[i] = measure(backend, &run, TOKEN_CANDIDATES_MAX);
		without[i] = measure(backend, &run, 0);
		if (!is_first)
			with[i] = measure(backend, &run, TOKEN_CANDIDATES_MAX);
		ratios[i] = with[i] / without[i];
	}
	sort(ratios, n);
	sort(with, n);
	sort(without, n);
	printf("with / without: median %.4f, quartiles %.4f and %.4f; of the least of each %.4f\n", ratios[n / 2],
	       ratios[n / 4], ratios[3 * n / 4], with[0] / without[0]);
	printf("ms of processor a token: median %.3f with, %.3f without\n", with[n / 2], without[n / 2]);
	backend_close(backend);
	kept_free(run.kept);
	return 0;
}
