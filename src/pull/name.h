/* Names of published models, as users type them. No network and no disk: only what the text says, and the
 * environment (HF_ENDPOINT).
 *
 *   OWNER/REPO[:QUANT], hf.co/..., huggingface.co/..., a page's or a file's URL there   Hugging Face
 *   NAME[:TAG], ollama:[HOST/][NAMESPACE/]NAME[:TAG], registry.ollama.ai/...            ollama's registry
 *   https://.../x.gguf                                                                  a file that nobody vouches for */
#ifndef SOTTO_PULL_NAME_H
#define SOTTO_PULL_NAME_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"

enum pull_source { PULL_HUB, PULL_OLLAMA, PULL_URL };

struct pull_name { /* strings are owned */
	enum pull_source source;
	char *base;       /* "https://huggingface.co", "https://registry.ollama.ai", "http://127.0.0.1:8080": no slash at the end */
	char *repository; /* "owner/repo", "library/llama3.2"; of a URL: its path and query, "/x.gguf" */
	char *revision;   /* of the hub: "main", a branch or a commit; else NULL */
	char *file;       /* of the hub: the path of one file; NULL: by its tag */
	char *tag;        /* QUANT or TAG as typed; NULL: none was (of ollama: "latest" is meant) */
};

/* STATUS_USAGE: what is wrong with it. pull_name_free in every case. */
enum status pull_name_parse(struct pull_name *out, const char *text, struct error *err) MUST_CHECK;
void pull_name_free(struct pull_name *name);
/* Whether a text that names no file is meant as a published model: "llama3.2:3b", "owner/repo". Not for "guide",
 * "server:...", paths that begin with . / ~, or names that end with .gguf and have no host. */
bool pull_name_looks_so(const char *text);
/* As it is typed, the shortest form: "owner/repo:Q4_K_M", "llama3.2:3b", "ollama:http://host:80/library/x:y". */
void pull_name_put(const struct pull_name *name, struct buf *out);

#endif
