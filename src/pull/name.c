#include "pull/name.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "base/server_path.h"
#include "catalog/catalog.h"
#include "pull/name_parts.h"

void pull_name_free(struct pull_name *name)
{
	free(name->base);
	free(name->repository);
	free(name->revision);
	free(name->file);
	free(name->tag);
	*name = (struct pull_name){0};
}

char *name_copy(const char *text, size_t n, struct error *err)
{
	char *copy = alloc_strndup(text, n);

	if (!copy)
		(void)!error_no_memory(err, "for the name of a model");
	return copy;
}

bool name_word_is(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && strncasecmp(text, word, len) == 0;
}

void name_split(struct name_address *out, const char *text)
{
	size_t scheme = 0;

	if (strncasecmp(text, "https://", 8) == 0)
		scheme = 8;
	else if (strncasecmp(text, "http://", 7) == 0)
		scheme = 7;
	*out = (struct name_address){.text = text, .scheme = scheme, .host = strcspn(text + scheme, "/?#")};
	out->rest = text + scheme + out->host;
}

static bool ends_with(const char *text, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len > n && strncasecmp(text + len - n, end, n) == 0;
}

/* A file at an address of which nothing else is known. */
static enum status parse_url(struct pull_name *out, const struct name_address *address, struct error *err)
{
	size_t path = strcspn(address->rest, "?#"), all = strcspn(address->rest, "#");

	if (!address->host || memchr(address->text, '@', address->scheme + address->host))
		return error_set(err, STATUS_USAGE, "the address has no host, or a password in it: "
		                 "https://HOST/FILE.gguf is wanted");
	if (!ends_with(address->rest, path, ".gguf"))
		return error_set(err, STATUS_USAGE, "'%.200s' is not the address of a GGUF file: it has to end with .gguf",
		                 address->text);
	out->source = PULL_URL;
	out->base = name_copy(address->text, address->scheme + address->host, err);
	out->repository = name_copy(address->rest, all, err);
	return out->base && out->repository ? STATUS_OK : STATUS_NOMEM;
}

static const char *skip_slash(const char *rest)
{
	return *rest == '/' ? rest + 1 : rest;
}

static enum status parse_address(struct pull_name *out, const struct name_address *address, struct error *err)
{
	if (name_is_hub(address))
		return name_parse_hub(out, skip_slash(address->rest), true, err);
	if (name_is_ollama(address))
		return name_parse_ollama(out, address->text, err);
	return parse_url(out, address, err);
}

static const char ollama_prefix[] = "ollama:";

static bool is_of_ollama(const char *text)
{
	return strncmp(text, ollama_prefix, strlen(ollama_prefix)) == 0 && text[strlen(ollama_prefix)];
}

static enum status parse(struct pull_name *out, const char *text, struct error *err)
{
	struct name_address address;

	if (is_of_ollama(text))
		return name_parse_ollama(out, text + strlen(ollama_prefix), err);
	name_split(&address, text);
	if (address.scheme || name_is_hub(&address) || name_is_ollama(&address))
		return parse_address(out, &address, err);
	if (strchr(text, '/'))
		return name_parse_hub(out, text, false, err);
	if (ends_with(text, strlen(text), ".gguf"))
		return error_set(err, STATUS_USAGE, "'%.200s' is the name of a file: that of a published model is wanted, "
		                 "as owner/repo:Q4_K_M", text);
	return name_parse_ollama(out, text, err);
}

enum status pull_name_parse(struct pull_name *out, const char *text, struct error *err)
{
	*out = (struct pull_name){0};
	if (!*text)
		return error_set(err, STATUS_USAGE, "the name of a published model is wanted, as owner/repo:Q4_K_M or llama3.2:3b");
	if (strlen(text) > LIMIT_PULL_NAME)
		return error_set(err, STATUS_USAGE, "the name of the model has %zu bytes: %d at the most", strlen(text),
		                 LIMIT_PULL_NAME);
	if (sanitize_has_controls(text, strlen(text)) || strchr(text, ' '))
		return error_set(err, STATUS_USAGE, "the name of the model has blanks or control characters in it");
	if (strcmp(text, CATALOG_GUIDE) == 0)
		return error_set(err, STATUS_USAGE, "the guide comes with sotto: there is nothing to fetch");
	if (server_path_is(text))
		return error_set(err, STATUS_USAGE, "'%.100s' is a model on a server, which is used from there: nothing is fetched", text);
	return parse(out, text, err);
}

/* Paths, and what has another meaning wherever a model may be named. */
static bool is_other(const char *text)
{
	return !*text || strchr("./~", *text) || server_path_is(text) || strcmp(text, CATALOG_GUIDE) == 0;
}

bool pull_name_looks_so(const char *text)
{
	struct pull_name name;
	struct name_address address;
	bool looks_so;

	name_split(&address, text);
	if (is_other(text))
		return false;
	if (!address.scheme && !is_of_ollama(text) && !name_is_hub(&address) && !name_is_ollama(&address) &&
	    ends_with(text, strlen(text), ".gguf"))
		return false;
	looks_so = !pull_name_parse(&name, text, NULL);
	pull_name_free(&name);
	return looks_so;
}

void pull_name_put(const struct pull_name *name, struct buf *out)
{
	switch (name->source) {
	case PULL_HUB:
		name_put_hub(name, out);
		break;
	case PULL_OLLAMA:
		name_put_ollama(name, out);
		break;
	case PULL_URL:
		buf_printf(out, "%s%s", name->base, name->repository);
		break;
	}
}
