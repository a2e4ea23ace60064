/* Shared by the files of the test backend. */
#ifndef SOTTO_ENGINE_SYNTHETIC_INTERNAL_H
#define SOTTO_ENGINE_SYNTHETIC_INTERNAL_H

#include "base/buf.h"
#include "engine/backend.h"

/* The first rows of the table. */
enum { SYNTHETIC_WORDS, SYNTHETIC_ECHO, SYNTHETIC_SYSTEM, SYNTHETIC_REASONING };

struct synthetic_mode {
	const char *name;
	const char *const *pieces; /* NULL: made by next_piece */
};
extern const struct synthetic_mode synthetic_modes[];
extern const size_t synthetic_n_modes;

enum { SYNTHETIC_NEVER = -1 };

/* How much of a server it plays. */
enum { SYNTHETIC_HERE, SYNTHETIC_CHAT_SERVER, SYNTHETIC_ID_SERVER };

struct synthetic {
	struct backend base;
	long rate, n_tokens, n_reasoning, load_ms, prefill_ms, n_ctx, fail_after, is_guide, aside_every;
	long hold_after, unopened, count_holds, is_changed, is_here;
	long remote, wait_load, wait, learns, is_unverified, has_no_ctx, cannot_continue, cost;
	bool needs_all_memory, fails_as_server, has_learnt;
	enum done_reason end;
	size_t mode;
	struct model_info info; /* as the host was told */
	uint32_t n_cached; /* words of the last conversation, which count as cached in the next */
};

/* Sleeps until `deadline` (sys_now_us), in slices; false if it was cancelled. */
bool synthetic_sleep_until(uint64_t deadline, const struct backend_host *host);

/* ---- what it plays of a server (synthetic_remote.c); nothing unless s->remote ---- */

/* Takes away what such a server cannot. */
void synthetic_be_remote(const struct synthetic *s, struct model_info *info);
/* Waits so long, and tells what for; false if it was cancelled. */
bool synthetic_wait(const struct synthetic *s, long ms, const char *what, const struct backend_host *host);
/* What is told before a reply; STATUS_IO: it is made to fail. */
enum status synthetic_ask(struct synthetic *s, const struct backend_host *host, struct error *err) MUST_CHECK;
void synthetic_count_as_remote(const struct synthetic *s, struct turn_stats *stats);
/* The conversation as a chat request, to be freed; NULL without memory. */
char *synthetic_request(const struct synthetic *s, const struct turn *turn);

/* BACKEND_EXAMINE, of such a turn. */
enum status synthetic_examine(struct synthetic *s, const struct turn *turn, const struct backend_host *host,
                              struct backend_result *result, struct error *err) MUST_CHECK;
/* The reply to a turn whose prompt has been counted. */
enum status synthetic_generate(struct synthetic *s, const struct turn *turn,
                               const struct backend_host *host, struct backend_result *result,
                               struct error *err) MUST_CHECK;
/* BACKEND_SCORE, of such a turn. */
enum status synthetic_score(struct synthetic *s, const struct turn *turn, const struct backend_host *host,
                            struct backend_result *result) MUST_CHECK;

#endif
