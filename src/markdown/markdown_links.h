/* The links and images of a Markdown text, and their targets. Definitions ("[name]: target") count
 * wherever they are. */
#ifndef SOTTO_MARKDOWN_MARKDOWN_LINKS_H
#define SOTTO_MARKDOWN_MARKDOWN_LINKS_H

#include <stddef.h>

#include "base/error.h"

struct markdown_link {
	size_t start, end; /* bytes of the text that are shown as the link */
	char *target;      /* owned; foreign text */
};

/* Zeroed: empty. */
struct markdown_links {
	struct markdown_link *items; /* owned; in the order of the text */
	size_t n, cap;
};

/* Adds them; on failure, some of them. */
enum status markdown_links_find(struct markdown_links *links, const char *text, size_t len) MUST_CHECK;
void markdown_links_free(struct markdown_links *links);

#endif
