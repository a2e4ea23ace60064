#include "screen/turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "journal/journal.h"

struct tree *chat_tree(void)
{
	char *text = chat_journal();
	struct tree *tree = NULL;
	size_t n_damaged = 0;
	struct error err;

	EXPECT(text && journal_parse(text, strlen(text), &tree, &n_damaged, NULL, &err) == STATUS_OK &&
	       n_damaged == 0, "%zu damaged", n_damaged);
	free(text);
	return tree;
}

struct chat_counts chat_counts(struct screen *s)
{
	static unsigned n_marks;
	struct chat_counts c = {0, 0, 0};
	char mark[20];
	int n = 0;

	chat_say(s, "/stats");
	/* Older ones may be above it. What is answered later than it is drawn later, too. */
	snprintf(mark, sizeof mark, "/mark%u", ++n_marks);
	screen_keys(s, mark);
	WAIT(s, chat_line_has(s, mark));
	screen_keys(s, "<Enter>");
	WAIT(s, chat_shows(s, mark));
	screen_keys(s, "<C-a><C-k>");
	WAIT(s, chat_line_is_empty(s));
	for (const char *at = screen_text(s); (at = strstr(at, "prompt   ")); at++)
		n = sscanf(at, "prompt %u tokens, %u of them in the cache; %u tokens", &c.prompt,
		           &c.cached, &c.evaluated);
	EXPECT(n == 3, " ");
	printf("prompt %u, cached %u, evaluated %u\n", c.prompt, c.cached, c.evaluated);
	EXPECT(c.prompt == c.cached + c.evaluated, " ");
	return c;
}
