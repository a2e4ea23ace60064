/* The models of all servers, asked at once. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "base/thread.h"
#include "remote/call.h"
#include "remote/list.h"
#include "remote/list_items.h"
#include "remote/offers.h"

/* Servers that are asked at once: each thread takes the next that nobody has taken. */
struct listing {
	const struct servers *servers;
	const char *name;          /* the only one that is asked; NULL: all */
	struct remote_list *lists; /* [servers->n]: of each */
	bool (*cancelled)(void *ctx);
	void *ctx;
	atomic_size_t next;
	atomic_int status; /* of the first that ended all */
};

enum { LISTING_THREADS = 8, SERVER_MS = 2 * REMOTE_CALL_MS };

/* All that one server is asked has an end, however many requests it takes. */
struct deadline {
	const struct listing *listing;
	uint64_t end; /* sys_now_ms */
};

static bool is_stopped(const struct listing *listing)
{
	return listing->cancelled && listing->cancelled(listing->ctx);
}

static bool is_over(void *ctx)
{
	const struct deadline *deadline = ctx;

	return sys_now_ms() >= deadline->end || is_stopped(deadline->listing);
}

static enum status ask_one(struct listing *listing, size_t i)
{
	const struct server_config *server = &listing->servers->items[i];
	struct deadline deadline = {.listing = listing};
	struct remote remote;
	struct error err;
	enum status status = remote_connect(&remote, server, listing->cancelled, listing->ctx, &err);
	bool is_connected = !status;

	deadline.end =
		sys_now_ms() + SERVER_MS; /* after the key, which a person may have to unlock */
	remote.cancelled = is_over;
	remote.cancel_ctx = &deadline;
	if (is_connected)
		status = remote_list_server(&remote, &listing->lists[i], &err);
	if (is_connected && status == STATUS_CANCELLED && !is_stopped(listing))
		status = error_set(&err, STATUS_IO, "%s: its list of models takes too long",
		                   server->name);
	if (status && status != STATUS_CANCELLED && status != STATUS_NOMEM)
		status = remote_list_failure(&listing->lists[i], server, &err, &err);
	remote_disconnect(&remote);
	return status;
}

static void *ask_some(void *arg)
{
	struct listing *listing = arg;

	for (size_t i; (i = atomic_fetch_add(&listing->next, 1)) < listing->servers->n;) {
		enum status status = STATUS_OK;

		if (!listing->name || strcmp(listing->name, listing->servers->items[i].name) == 0)
			status = ask_one(listing, i);
		if (status)
			atomic_store(&listing->status, (int)status);
	}
	return NULL;
}

/* Each server in a thread; one thread is this one, which asks them all if there are no others. */
static void ask_all(struct listing *listing)
{
	pthread_t threads[LISTING_THREADS];
	size_t n = 0;

	while (!listing->name && n < LISTING_THREADS && n + 1 < listing->servers->n &&
	       thread_start(&threads[n], ask_some, listing) == 0)
		n++;
	(void)ask_some(listing);
	while (n > 0)
		(void)pthread_join(threads[--n], NULL);
}

static enum status join(struct listing *listing, struct remote_list *list, struct error *err)
{
	enum status status = (enum status)atomic_load(&listing->status);

	for (size_t i = 0; i < listing->servers->n; i++) {
		if (!status)
			status = list_append(list, &listing->lists[i], err);
		list_empty(&listing->lists[i]);
	}
	list->n_servers = listing->servers->n;
	if (status == STATUS_CANCELLED)
		return error_set(err, status, "stopped");
	return status == STATUS_NOMEM ? error_no_memory(err, "for the list of models") : status;
}

/* What is wrong in servers.yaml is a row as well. */
static enum status add_problems(struct remote_list *list, const struct buf *problems,
                                struct error *err)
{
	struct remote_model *model;

	if (problems->len == 0)
		return STATUS_OK;
	model = list_add(list, "");
	if (!model || !(model->server = strdup("servers.yaml")) || !(model->path = strdup("")) ||
	    !(model->where = strdup("")) ||
	    !(model->why = alloc_strndup(problems->data, strcspn(problems->data, "\n"))))
		return error_no_memory(err, "for the list of models");
	model->state = REMOTE_FAILED;
	model->status = STATUS_CONFIG;
	return STATUS_OK;
}

static enum status ask_servers(struct listing *listing, struct remote_list *list, const char *file,
                               bool offers, struct error *err)
{
	struct buf path = {.max = KIB(8)};
	enum status status;

	listing->lists = alloc_array(listing->servers->n, sizeof *listing->lists);
	if (!listing->lists)
		return error_no_memory(err, "for the list of models");
	ask_all(listing);
	status = join(listing, list, err);
	if (!status && offers)
		status = servers_path(&path, file, err);
	if (!status && offers)
		status = offers_add(list, listing->servers, buf_text(&path), http_listens, err);
	buf_free(&path);
	free(listing->lists);
	return status;
}

enum status remote_list_ask(struct remote_list **out, const char *file, const char *name,
                            bool offers, bool (*cancelled)(void *ctx), void *ctx, struct error *err)
{
	struct servers servers = {.n = 0};
	struct listing listing = {
		.servers = &servers, .name = name, .cancelled = cancelled, .ctx = ctx};
	struct buf problems = {.max = KIB(64)};
	struct remote_list *list = calloc(1, sizeof *list);
	const struct server_config *one;
	enum status status = list ? STATUS_OK : error_no_memory(err, "for the list of models");

	*out = NULL;
	if (!status)
		status = servers_read(&servers, file, &problems, err);
	if (!status && name)
		status = servers_find(&servers, name, strlen(name), &one, err);
	if (!status)
		status = ask_servers(&listing, list, file, offers, err);
	if (!status)
		status = add_problems(list, &problems, err);
	servers_free(&servers);
	buf_free(&problems);
	if (status)
		remote_list_free(list);
	else
		*out = list;
	return status;
}
