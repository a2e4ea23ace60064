/* Options that are words, as JSON: each as the member `key`. */
#ifndef SOTTO_REMOTE_FIELDS_WORDS_H
#define SOTTO_REMOTE_FIELDS_WORDS_H

#include "base/json.h"
#include "turn/turn.h"

/* The turn's stop strings, at most `max` of them; 0: all. */
void words_put_stops(struct json_writer *json, const char *key, const struct turn *turn, size_t max);
/* {"15043": 1.5}. STATUS_USAGE: words that make no sense, or a text where only ids are taken. */
enum status words_put_biases(struct json_writer *json, const char *key, const char *words, bool takes_texts,
                             struct error *err) MUST_CHECK;
/* The samplers' order; NULL: llama.cpp's. */
void words_put_order(struct json_writer *json, const char *key, const char *order);
/* DRY's sequence breakers; NULL: llama.cpp's. */
enum status words_put_breakers(struct json_writer *json, const char *key, const char *words,
                               struct error *err) MUST_CHECK;
/* The members of a JSON object, as members of the open one. */
enum status words_put_kwargs(struct json_writer *json, const char *object, struct error *err) MUST_CHECK;

#endif
