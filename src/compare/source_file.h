/* Distributions that are in a file. */
#ifndef SOTTO_COMPARE_SOURCE_FILE_H
#define SOTTO_COMPARE_SOURCE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "compare/source.h"
#include "compare/text.h"

struct source_file {
	const char *path; /* borrowed */
	FILE *stream;     /* owned */
	size_t n_vocab;
	uint16_t *packed; /* owned: a row as llama-perplexity packs it */
	int64_t begin;    /* where its rows begin */
	size_t n_each;    /* rows of each window */
};

/* As `sotto logits` writes them (source_rows.c): a row for each token of a text that is one window. Both: STATUS_USAGE
 * for a file that is not what it should be. source_file_close in every case. It stays where it is: the source points
 * to it. */
enum status source_file_open_rows(struct source_file *out, const char *path, size_t n_vocab, size_t n_tokens,
                                  struct logits_source *source, struct error *err) MUST_CHECK;

/* As `llama-perplexity --kl-divergence-base` writes them (source_llama.c): the file says which text it is about, and
 * has distributions of the second half of each window, in 16 bits a token and only down to e^-16 of the most probable
 * one. */
bool source_file_is_llama(const char *path);
enum status source_file_open_llama(struct source_file *out, const char *path, size_t n_vocab, int32_t bos,
                                   struct compared_text *text, struct logits_source *source,
                                   struct error *err) MUST_CHECK;

/* The part that both share: a regular file, and its size. */
enum status source_file_open(struct source_file *out, const char *path, size_t n_vocab, uint64_t *size,
                             struct error *err) MUST_CHECK;
void source_file_close(struct source_file *file);

#endif
