/* Where a getter asks: the place that the source says, redirects from there, and anew where an address has expired. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "pull/fetch_getter.h"

enum { REFUSALS_MAX = 5 }; /* without a byte between them */

static enum status copy_place(struct getter *getter, struct error *err)
{
	const struct fetch_run *run = getter->run;
	enum status status = web_place_init(&getter->place, run->place.base, run->place.path, err);

	getter->place.key = run->place.key;
	getter->place_number = run->place_number;
	return status;
}

/* One getter asks, the others take what it was told. */
static enum status ask_place(struct getter *getter, struct error *err)
{
	struct fetch_run *run = getter->run;
	struct web_place place = {0};
	enum status status = STATUS_OK;
	bool is_known;

	pthread_mutex_lock(&run->lock);
	is_known = run->place_number > getter->place_number;
	pthread_mutex_unlock(&run->lock);
	if (!is_known)
		status = run->fetch->locate(run->fetch->ctx, &place, &getter->web, err);
	pthread_mutex_lock(&run->lock);
	if (status == STATUS_OK && !is_known) {
		web_place_free(&run->place);
		run->place = place;
		run->place_number++;
		if (!run->version[0])
			memcpy(run->version, place.etag, sizeof run->version);
	} else if (!is_known) {
		web_place_free(&place);
	}
	if (status == STATUS_OK)
		status = copy_place(getter, err);
	pthread_mutex_unlock(&run->lock);
	return status;
}

enum status getter_find_place(struct getter *getter, struct error *err)
{
	enum status status;

	if (getter->place.base)
		return STATUS_OK;
	pthread_mutex_lock(&getter->run->locate_lock);
	status = ask_place(getter, err);
	pthread_mutex_unlock(&getter->run->locate_lock);
	return status;
}

enum step getter_follow(struct getter *getter)
{
	struct error err;
	char host[WEB_HOST_MAX], *base, *path;
	bool is_same;

	getter_name_host(getter, host);
	if (++getter->n_redirects > WEB_REDIRECTS_MAX)
		return getter_fail(getter, error_set(&err, STATUS_IO, "%s sends us on and on: more than %d redirects", host, WEB_REDIRECTS_MAX),
		            &err);
	if (http_split_url(buf_text(&getter->answer.redirect), &base, &path, NULL) != STATUS_OK)
		return getter_fail(getter, error_set(&err, STATUS_IO, "%s sends us to an address that is not one", host), &err);
	if (http_leaves_tls(getter->place.base, base)) {
		free(base);
		free(path);
		return getter_fail(getter, error_set(&err, STATUS_IO,
		                              "%s sends us from https to http, where anybody may listen: not followed", host),
		            &err);
	}
	is_same = http_is_same_server(base, getter->place.base);
	free(getter->place.base);
	free(getter->place.path);
	getter->place = (struct web_place){.base = base, .path = path, .key = is_same ? getter->place.key : NULL};
	return STEP_AGAIN;
}

/* The place does not let us in any more: signed addresses expire. */
enum step getter_locate_again(struct getter *getter)
{
	struct fetch_run *run = getter->run;
	struct error err;
	char host[WEB_HOST_MAX];
	bool is_enough;

	getter_name_host(getter, host);
	pthread_mutex_lock(&run->lock);
	is_enough = ++run->n_refused > REFUSALS_MAX * run->n_getters;
	pthread_mutex_unlock(&run->lock);
	if (is_enough)
		return getter_fail(getter, error_set(&err, STATUS_IO, "%s refuses it (%d), also where the address is new: try again later",
		                              host, getter->answer.code), &err);
	web_place_free(&getter->place);
	return STEP_AGAIN;
}
