/* JSON by paths: for texts of which a few values are wanted, wherever they stand.
 *
 *     static const struct json_place places[] = {
 *             {"usage.prompt_tokens", JSON_PLACE_U32, offsetof(struct usage, n_prompt)},
 *             {"data.*.id", JSON_PLACE_TEXT, offsetof(struct usage, id), sizeof usage.id},
 *     };
 *     status = json_take(text, len, places, 2, &usage, err);
 *
 * A path joins keys and indices by dots, "choices.0.delta.content"; "" is the document itself. In a pattern "*" stands
 * for any one of them. What is under a key that is empty or has a dot in it, or deeper than a path has room for, is passed over. */
#ifndef SOTTO_BASE_JSON_WALK_H
#define SOTTO_BASE_JSON_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json_reader.h"

enum { JSON_PATH_MAX = 255 };

/* Told each value: scalars, and where objects and arrays begin (JSON_OBJECT, JSON_ARRAY) and end. Its error ends the
 * walk. */
typedef enum status json_visit(void *ctx, const char *path, const struct json_item *item, struct error *err);

/* Walks exactly one document. STATUS_FORMAT: it is none, or something follows. */
enum status json_walk(const char *text, size_t len, json_visit *visit, void *ctx, struct error *err) MUST_CHECK;

/* The same with json_reader.keeps_bytes: for texts that go on in another document. */
enum status json_walk_bytes(const char *text, size_t len, json_visit *visit, void *ctx, struct error *err) MUST_CHECK;

bool json_path_is(const char *path, const char *pattern);
/* A number of tokens, bytes or the like: from 0 on, without a fraction, `most` where it is larger. False: it is none. */
bool json_read_count(const struct json_item *item, uint64_t most, uint64_t *out);

enum json_place_kind {
	JSON_PLACE_BUF,    /* struct buf: a string is appended */
	JSON_PLACE_TEXT,   /* char[size]: a string, cut at whole characters */
	JSON_PLACE_U32,    /* uint32_t: a number from 0 on, without a fraction; larger ones: UINT32_MAX */
	JSON_PLACE_U64,
	JSON_PLACE_DOUBLE, /* a number, also in a string ("0.0000004") */
	JSON_PLACE_BOOL,
};

struct json_place {
	const char *pattern;
	enum json_place_kind kind;
	size_t offset; /* in the struct to fill in */
	size_t size;   /* of TEXT */
};

/* Puts a value where its path belongs; true: some place took it. Values of another kind change nothing. */
bool json_put_place(const struct json_place *places, size_t n, void *out, const char *path,
                    const struct json_item *item);
/* Walks a document and takes what the places want. */
enum status json_take(const char *text, size_t len, const struct json_place *places, size_t n, void *out,
                      struct error *err) MUST_CHECK;

#endif
