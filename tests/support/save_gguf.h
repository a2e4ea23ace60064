/* Saves what a writer has as a file; one that is there is replaced by another, not written into. */
#ifndef SOTTO_TESTS_SUPPORT_SAVE_GGUF_H
#define SOTTO_TESTS_SUPPORT_SAVE_GGUF_H

#include "gguf/writer.h"

enum status gguf_writer_save(struct gguf_writer *w, const char *path, struct error *err) MUST_CHECK;

#endif
