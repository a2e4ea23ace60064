/* Names of ollama's registry: [scheme://][host/][namespace/]model[:tag] (types/model/name.go of ollama, August 2026). */
#include <stdlib.h>
#include <string.h>

#include "pull/name_parts.h"

static const char registry[] = "https://registry.ollama.ai";
static const char site[] = "ollama.com", registry_host[] = "registry.ollama.ai", library[] = "library/";

enum { PART_MAX = 80, HOST_MAX = 350 };

bool name_is_ollama(const struct name_address *address)
{
	const char *host = address->text + address->scheme;

	return name_word_is(host, address->host, registry_host) || name_word_is(host, address->host, site);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Letters, digits, "_", and of `more` any but the first. */
static bool is_part(const char *text, size_t len, const char *more, size_t max)
{
	if (!len || len > max || !is_letter(text[0]))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!is_letter(text[i]) && !strchr(more, text[i]))
			return false;
	return true;
}

static size_t count(const char *text, size_t len, char c)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += text[i] == c;
	return n;
}

static enum status wrong(const char *what, const char *text, size_t len, struct error *err)
{
	return error_set(err, STATUS_USAGE, "'%.*s' is not %s of ollama's: [NAMESPACE/]MODEL[:TAG] of letters, digits, "
	                 "'_', '-' and '.' is wanted", (int)(len < 100 ? len : 100), text, what);
}

static enum status set_base(struct pull_name *out, const char *host, size_t scheme, size_t len, struct error *err)
{
	struct buf base = {.max = HOST_MAX + 16};
	const char *at = host + scheme;

	if ((len || scheme) && !is_part(at, len, ".:-", HOST_MAX))
		return wrong("a host", at, len, err);
	if (!len || name_word_is(at, len, site) || name_word_is(at, len, registry_host))
		buf_puts(&base, registry);
	else
		buf_printf(&base, "%.*s%.*s", scheme ? (int)scheme : 8, scheme ? host : "https://", (int)len, at);
	out->base = buf_take(&base, NULL);
	return out->base ? STATUS_OK : error_no_memory(err, "for the name of a model");
}

/* [namespace/]model[:tag]; `len` bytes. */
static enum status set_model(struct pull_name *out, const char *text, size_t len, struct error *err)
{
	const char *slash = memchr(text, '/', len), *model = slash ? slash + 1 : text;
	const char *colon = memchr(model, ':', len - (size_t)(model - text)), *end = text + len;
	size_t model_len = (size_t)((colon ? colon : end) - model);
	struct buf repository = {.max = 2 * PART_MAX + 2};

	if (slash && !is_part(text, (size_t)(slash - text), "-", PART_MAX))
		return wrong("a namespace", text, (size_t)(slash - text), err);
	if (!is_part(model, model_len, "-.", PART_MAX))
		return wrong("a model", model, model_len, err);
	if (colon && !is_part(colon + 1, (size_t)(end - colon - 1), "-.", PART_MAX))
		return wrong("a tag", colon + 1, (size_t)(end - colon - 1), err);
	buf_printf(&repository, "%s%.*s", slash ? "" : library, (int)(model + model_len - text), text);
	out->repository = buf_take(&repository, NULL);
	out->tag = colon ? name_copy(colon + 1, (size_t)(end - colon - 1), err) : NULL;
	return out->repository && (out->tag || !colon) ? STATUS_OK : error_no_memory(err, "for the name of a model");
}

enum status name_parse_ollama(struct pull_name *out, const char *text, struct error *err)
{
	struct name_address address;
	const char *rest = text;
	size_t len, host = 0;
	enum status status;

	out->source = PULL_OLLAMA;
	name_split(&address, text);
	len = strcspn(text, "?#");
	/* The first part is a host where it is written as one, or where there are three. */
	if (address.scheme || name_is_ollama(&address) || count(text, len, '/') >= 2) {
		host = address.host;
		rest = *address.rest == '/' ? address.rest + 1 : address.rest;
	}
	len -= (size_t)(rest - text);
	if (count(rest, len, '/') > 1)
		return wrong("a model", rest, len, err);
	status = set_base(out, text, address.scheme, host, err);
	return status ? status : set_model(out, rest, len, err);
}

/* Whether a model of the library needs no "ollama:": its name could be a file's, a host, or the guide. */
static bool is_clear(const struct pull_name *name, const char *text)
{
	struct pull_name read = {0};
	bool is = pull_name_looks_so(text) && !pull_name_parse(&read, text, NULL) && read.source == PULL_OLLAMA &&
	          strcmp(read.repository, name->repository) == 0;

	pull_name_free(&read);
	return is;
}

void name_put_ollama(const struct pull_name *name, struct buf *out)
{
	bool is_usual = strcmp(name->base, registry) == 0;
	bool is_library = is_usual && strncmp(name->repository, library, strlen(library)) == 0;
	struct buf text = {.max = out->max};

	buf_puts(&text, is_library ? name->repository + strlen(library) : name->repository);
	if (name->tag)
		buf_printf(&text, ":%s", name->tag);
	if (!is_usual)
		buf_printf(out, "ollama:%s/%s", name->base, buf_text(&text));
	else
		buf_printf(out, "%s%s", is_library && is_clear(name, buf_text(&text)) ? "" : "ollama:", buf_text(&text));
	buf_free(&text);
}
