#include "pull/hub_words.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "net/http.h"

static bool is_error(const struct web_answer *answer, const char *name)
{
	const char *code = web_header(answer, "x-error-code");

	return code && strcasecmp(code, name) == 0;
}

bool hub_is_known_error(const struct web_answer *answer)
{
	return web_header(answer, "x-error-code") != NULL;
}

/* Site, repository, key: the words' parts. */
struct site {
	char host[280];
	const char *base, *repository;
	const struct secret *key; /* NULL: none */
};

static enum status explain_gated(const struct site *site, struct error *err)
{
	return error_set(err, STATUS_DECLINED, "%.200s is gated: accept its licence at %.200s/%.200s, then %s", site->repository,
	                 site->base, site->repository,
	                 site->key ? "try again (the token has to be of the account that accepted it)"
	                               : "set HF_TOKEN to a token of your account there and try again");
}

/* Forbidden, and it does not say that it is because of a licence. */
static enum status explain_forbidden(const struct site *site, struct error *err)
{
	return error_set(err, STATUS_DECLINED, "%s does not give %.150s to you (403): see %.150s/%.150s whether there is a licence to "
	                 "accept, and %s", site->host, site->repository, site->base, site->repository,
	                 site->key ? "whether the token in use (HF_TOKEN) may read it" : "set HF_TOKEN to a token of your account there");
}

static enum status explain_hidden(const struct site *site, struct error *err)
{
	if (site->key)
		return error_set(err, STATUS_NOTFOUND, "%.200s was not found on %s, or the token in use (HF_TOKEN) may not read it: "
		                 "check the name and the token", site->repository, site->host);
	return error_set(err, STATUS_NOTFOUND, "%.200s was not found on %s, or it is private: check the name; for a private one "
	                 "set HF_TOKEN", site->repository, site->host);
}

static enum status explain_missing(const struct site *site, const struct pull_file *file, const struct web_answer *answer,
                                   struct error *err)
{
	if (is_error(answer, "RevisionNotFound"))
		return error_set(err, STATUS_NOTFOUND, "%.200s has no such branch or commit on %s: name one that is there, or none",
		                 site->repository, site->host);
	if (file)
		return error_set(err, STATUS_NOTFOUND, "%.200s is no longer in %.200s: look again", file->path, site->repository);
	return error_set(err, STATUS_NOTFOUND, "%.200s was not found on %s: check the name", site->repository, site->host);
}

static enum status explain_other(const struct site *site, const struct web_answer *answer, struct error *err)
{
	const char *message = web_header(answer, "x-error-message");
	char text[151];

	snprintf(text, sizeof text, "%s", message ? message : "");
	secret_mask(site->key, text);
	return error_set(err, STATUS_IO, "%s answered %d to what was asked about %.150s%s%s", site->host, answer->code,
	                 site->repository, text[0] ? ": " : "", text);
}

enum status hub_explain(const struct pull_offer *offer, const struct pull_file *file, const struct web_answer *answer,
                        struct error *err)
{
	struct site site = {.base = offer->name.base, .repository = offer->name.repository, .key = offer->key};

	http_host(site.base, site.host, sizeof site.host);
	if (is_error(answer, "GatedRepo"))
		return explain_gated(&site, err);
	switch (answer->code) {
	case 401:
		return explain_hidden(&site, err);
	case 403:
		return explain_forbidden(&site, err);
	case 404:
	case 410:
		return is_error(answer, "RepoNotFound") ? explain_hidden(&site, err) : explain_missing(&site, file, answer, err);
	default:
		return explain_other(&site, answer, err);
	}
}
