/* The names of files in the hub's cache, from their paths alone. */
#include <limits.h>
#include <string.h>

#include "base/limits.h"
#include "pull/quant_name.h"
#include "pull/stored_model.h"

/* A path of the hub's cache, taken apart; borrowed. */
struct hub_path {
	const char *text;
	size_t repository; /* bytes of ".../models--OWNER--REPO" */
	const char *owner; /* "OWNER--REPO/snapshots..." */
	const char *within;
};

static bool split(struct hub_path *out, const char *path)
{
	static const char start[] = "/models--";
	size_t within, at;

	*out = (struct hub_path){.text = path};
	if (!stored_hub_split(path, &out->repository, &within))
		return false;
	for (at = out->repository; path[at - 1] != '/'; at--)
		;
	out->owner = path + at - 1 + strlen(start);
	out->within = path + within;
	return true;
}

/* "owner/repo". Names of the hub have no "--", so that the first one stands for the slash; those without an owner cannot be
 * typed. */
static bool put_repository(struct buf *out, const struct hub_path *path)
{
	const char *end = path->text + path->repository, *dashes = strstr(path->owner, "--");

	if (!dashes || dashes == path->owner || dashes + 2 >= end)
		return false;
	buf_printf(out, "%.*s/%.*s", (int)(dashes - path->owner), path->owner, (int)(end - dashes - 2), dashes + 2);
	return true;
}

/* Whether another file here, of this repository, has the same tag. */
static bool is_shared(const struct hub_path *path, const char *tag, const struct catalog *catalog)
{
	struct buf other_tag = {.max = PATH_MAX};
	bool is = false;

	for (size_t i = 0; catalog && i < catalog->n && !is; i++) {
		struct hub_path other;

		if (!split(&other, catalog->entries[i].path) || other.repository != path->repository ||
		    strncmp(other.text, path->text, path->repository) != 0 || strcmp(other.within, path->within) == 0)
			continue;
		buf_clear(&other_tag);
		is = quant_name_put(&other_tag, other.within) || strcmp(buf_text(&other_tag), tag) == 0;
	}
	buf_free(&other_tag);
	return is;
}

bool stored_put_name(struct buf *out, const char *path, const struct catalog *catalog)
{
	struct buf repository = {.max = PATH_MAX}, tag = {.max = PATH_MAX};
	struct hub_path parts;
	bool ok = split(&parts, path) && put_repository(&repository, &parts);

	if (ok && !quant_name_put(&tag, parts.within) && !is_shared(&parts, buf_text(&tag), catalog))
		buf_printf(out, "%s:%s", buf_text(&repository), buf_text(&tag));
	else if (ok) /* without the host it would be a path */
		buf_printf(out, "hf.co/%s/%s", buf_text(&repository), parts.within);
	buf_free(&repository);
	buf_free(&tag);
	return ok;
}
