/* A line of words, some of them quoted, as a shell has them: a word ends at a
 * blank outside quotes; in "double quotes", and outside of any, a backslash
 * takes the next character as it is; 'single quotes' take everything. */
#ifndef SOTTO_BASE_WORDS_H
#define SOTTO_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

bool words_is_blank(char c);
/* Without the blanks at both ends. */
void words_trim(const char **text, size_t *len);

/* Lists of plain words, separated by blanks; NULL has none. Moves *list to where the next word begins, of
 * *len bytes: `for (size_t n; words_list_next(&list, &n); list += n)`. False at the end. */
bool words_list_next(const char **list, size_t *len);
/* Whether such a list has this word. */
bool words_have(const char *list, const char *word, size_t len);

/* Takes the first word off *text into `word` (cleared before). *found says if
 * there was one. STATUS_USAGE for a quote that is not closed. */
enum status words_next(const char **text, size_t *len, struct buf *word, bool *found,
                       struct error *err) MUST_CHECK;
/* The same with \n and \t as what they are in C, also where a flag's have been quoted by words_put;
 * a quote that is not closed goes on to the end. False at the end of the text. */
bool words_next_escaped(const char **text, struct buf *word);
/* Appends a word, after a blank if something is there, quoted where it must be. */
enum status words_put(struct buf *out, const char *word, size_t len);

#endif
