/* Fetching a published model, waited for. The screen uses a puller instead (puller.h). */
#ifndef SOTTO_PULL_PULL_H
#define SOTTO_PULL_PULL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/io.h"
#include "pull/fetch.h"
#include "pull/offer.h"

struct pull_host {
	bool (*cancelled)(void *ctx); /* any thread */
	void (*waiting)(void *ctx, const char *text); /* any thread */
	void *ctx;
	const struct io_ops *io;
};

/* All of the choice's files together. Any thread may read it while pull_fetch runs. */
struct pull_progress {
	struct fetch_progress file; /* the one under way */
	atomic_ullong done, fresh;  /* of those before it */
	atomic_ullong all;
};

/* The library that this program was built without, so that nothing can be fetched; NULL: it can be. */
const char *pull_lacks(void);

/* What there is under a name. No network without a word of the user: HF_HUB_OFFLINE is heeded. */
enum status pull_look(struct pull_offer *out, const char *name, const struct pull_machine *machine,
                      const struct pull_host *host, struct error *err) MUST_CHECK;
/* Fetches a choice and publishes it. Room for all of it is asked for before the first byte. `model`: the path to load. */
enum status pull_fetch(struct buf *model, const struct pull_offer *offer, size_t choice, struct pull_progress *progress,
                       const struct pull_host *host, struct error *err) MUST_CHECK;

#endif
