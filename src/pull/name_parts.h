/* The parts of a name, one file for each place that names come from: name_hub.c, name_ollama.c. Only for name*.c. */
#ifndef SOTTO_PULL_NAME_PARTS_H
#define SOTTO_PULL_NAME_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "pull/name.h"

/* A URL or a name that begins with a host: "https://", "hf.co", "/owner/repo". */
struct name_address {
	const char *text;        /* all of it */
	size_t scheme;           /* bytes of "https://"; 0: there is none */
	size_t host;             /* bytes of the host behind it, with its port */
	const char *rest;        /* from the slash behind the host on; "" if there is none */
};

/* Whether the host is the hub's, by one of its names or that of the endpoint. */
bool name_is_hub(const struct name_address *address);
/* `rest`: "owner/repo:Q4_K_M", "owner/repo/resolve/main/x.gguf"; behind a host: percent-encoded, with query and fragment. */
enum status name_parse_hub(struct pull_name *out, const char *rest, bool is_url, struct error *err) MUST_CHECK;
void name_put_hub(const struct pull_name *name, struct buf *out);

bool name_is_ollama(const struct name_address *address);
/* `text`: "llama3.2:3b", "namespace/model", "host/namespace/model:tag", "http://host:80/namespace/model". */
enum status name_parse_ollama(struct pull_name *out, const char *text, struct error *err) MUST_CHECK;
void name_put_ollama(const struct pull_name *name, struct buf *out);

/* Appends a text as it stands in a URL's path; a slash is kept, or is %2F. */
void name_put_encoded(struct buf *out, const char *text, bool keeps_slash);
/* Whether the `len` bytes at `text` are this word, such as a host, whatever the case of its letters. */
bool name_word_is(const char *text, size_t len, const char *word);
/* Splits a URL, or a text whose part before the first slash may be a host. */
void name_split(struct name_address *out, const char *text);
char *name_copy(const char *text, size_t n, struct error *err); /* NULL: STATUS_NOMEM */

#endif
