#include "pull/pull.h"

#include <string.h>

#include "base/limits.h"
#include "base/text_ends.h"
#include "pull/hub_key.h"
#include "pull/source.h"

/* ---- looking ---- */

static enum status check_online(struct error *err)
{
	static const char *const variables[] = {"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"};

	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
		if (hub_is_on(variables[i]))
			return error_set(err, STATUS_DECLINED, "%s is set, so nothing is asked over the network: unset it to fetch "
			                 "models", variables[i]);
	return STATUS_OK;
}

/* Bytes of a file that are on this machine; *is_whole: all of them, under its name. */
static uint64_t kept_bytes(const struct pull_offer *offer, const struct pull_file *file, const struct io_ops *io,
                           bool *is_whole)
{
	struct buf path = {.max = KIB(64)};
	uint64_t kept = 0;
	struct stat st;

	*is_whole = false;
	if (!pull_source_of(&offer->name)->store(&path, offer, file, NULL, NULL)) {
		*is_whole = io->stat(buf_text(&path), &st) == 0 && S_ISREG(st.st_mode) &&
		            (!file->size || (uint64_t)st.st_size == file->size);
		kept = *is_whole ? (uint64_t)st.st_size : fetch_kept(buf_text(&path));
	}
	buf_free(&path);
	return kept;
}

/* Bytes of the disk that it has already. */
static uint64_t held_bytes(const struct pull_offer *offer, const struct pull_file *file, const struct io_ops *io)
{
	struct buf path = {.max = KIB(64)};
	bool is_whole;
	uint64_t held = kept_bytes(offer, file, io, &is_whole);

	if (!is_whole && !pull_source_of(&offer->name)->store(&path, offer, file, NULL, NULL))
		held = fetch_held(buf_text(&path));
	buf_free(&path);
	return held;
}

static void count_stored(struct pull_offer *offer, const struct io_ops *io)
{
	bool is_whole;

	for (size_t i = 0; i < offer->n_choices; i++) {
		struct pull_choice *choice = &offer->choices[i];

		choice->n_stored = 0;
		for (size_t j = 0; j < choice->n; j++)
			choice->n_stored += kept_bytes(offer, &offer->files[choice->first + j], io, &is_whole);
	}
}

static enum status look(struct pull_offer *out, const struct pull_host *host, struct error *err)
{
	struct web web = {.cancelled = host->cancelled, .ctx = host->ctx, .waiting = host->waiting};
	enum status status = http_create(&web.http, err);

	if (!status)
		status = pull_source_of(&out->name)->look(out, &out->name, &web, err);
	http_free(web.http);
	return status;
}

const char *pull_lacks(void)
{
	return !http_is_built() ? "libcurl" : !digest_is_built() ? "libcrypto" : NULL;
}

enum status pull_look(struct pull_offer *out, const char *name, const struct pull_machine *machine,
                      const struct pull_host *host, struct error *err)
{
	enum status status;

	*out = (struct pull_offer){0};
	status = pull_name_parse(&out->name, name, err);
	if (!status)
		status = check_online(err);
	if (!status)
		status = look(out, host, err);
	if (!status)
		status = pull_choose(out, machine, err);
	if (status)
		pull_offer_free(out);
	else
		count_stored(out, host->io);
	return status;
}

/* ---- fetching ---- */

/* A file under way, for the callbacks of its fetch. */
struct getting {
	const struct pull_source_ops *source;
	const struct pull_offer *offer;
	const struct pull_file *file;
	const struct pull_host *host;
};

static enum status locate(void *ctx, struct web_place *out, struct web *web, struct error *err)
{
	const struct getting *getting = ctx;

	return getting->source->locate(out, getting->offer, getting->file, web, err);
}

static bool is_moved(void *ctx)
{
	const struct getting *getting = ctx;
	bool is_whole;

	(void)kept_bytes(getting->offer, getting->file, getting->host->io, &is_whole);
	return is_whole;
}

static bool is_cancelled(void *ctx)
{
	const struct getting *getting = ctx;

	return getting->host->cancelled && getting->host->cancelled(getting->host->ctx);
}

static void tell_waiting(void *ctx, const char *text)
{
	const struct getting *getting = ctx;

	if (getting->host->waiting)
		getting->host->waiting(getting->host->ctx, text);
}

static bool is_gguf(const struct pull_file *file)
{
	return file->kind ? strcmp(file->kind, "application/vnd.ollama.image.model") == 0 : text_has_extension(file->path, ".gguf");
}

/* Counts the file under way among those before it. */
static void end_file(struct pull_progress *progress, uint64_t n_bytes)
{
	uint64_t fresh = atomic_exchange(&progress->file.fresh, 0);

	atomic_store(&progress->file.done, 0);
	atomic_fetch_add(&progress->fresh, fresh);
	atomic_fetch_add(&progress->done, n_bytes);
}

static enum status get_file(struct getting *getting, struct pull_progress *progress, struct error *err)
{
	struct buf path = {.max = KIB(64)};
	const struct pull_file *file = getting->file;
	enum status status = getting->source->store(&path, getting->offer, file, getting->host->io, err);
	struct fetch fetch = {
		.size = file->size, .digest = file->digest, .is_gguf = is_gguf(file), .locate = locate, .ctx = getting,
		.is_moved = is_moved, .progress = &progress->file, .cancelled = is_cancelled, .waiting = tell_waiting, .io = getting->host->io,
	};

	fetch.path = buf_text(&path);
	if (!status)
		status = fetch_file(&fetch, err);
	if (!status)
		end_file(progress, file->size ? file->size : atomic_load(&progress->file.done));
	buf_free(&path);
	return status;
}

/* The folder that a choice's files come to has room for what is missing of them; the folder is made. */
static enum status check_room(const struct pull_offer *offer, const struct pull_choice *choice,
                              const struct pull_host *host, struct error *err)
{
	struct buf path = {.max = KIB(64)};
	uint64_t missing = 0;
	enum status status;
	char *slash;

	for (size_t i = 0; i < choice->n; i++) {
		const struct pull_file *file = &offer->files[choice->first + i];
		uint64_t held = held_bytes(offer, file, host->io);

		missing += file->size > held ? file->size - held : 0;
	}
	status = pull_source_of(&offer->name)->store(&path, offer, &offer->files[choice->first], host->io, err);
	slash = status ? NULL : strrchr(path.data, '/');
	if (slash) {
		slash[slash == path.data] = '\0';
		status = fetch_check_room(path.data, missing, err);
	}
	buf_free(&path);
	return status;
}

static enum status get_files(const struct pull_offer *offer, const struct pull_choice *choice,
                             struct pull_progress *progress, const struct pull_host *host, struct error *err)
{
	enum status status = STATUS_OK;
	bool is_whole;

	for (size_t i = 0; i < choice->n && !status; i++) {
		struct getting getting = {pull_source_of(&offer->name), offer, &offer->files[choice->first + i], host};
		uint64_t kept = kept_bytes(offer, getting.file, host->io, &is_whole);

		if (is_cancelled(&getting))
			status = error_set(err, STATUS_CANCELLED, "stopped: what is there is kept, and the same command goes on");
		else if (is_whole)
			end_file(progress, kept);
		else
			status = get_file(&getting, progress, err);
	}
	return status;
}

enum status pull_fetch(struct buf *model, const struct pull_offer *offer, size_t choice, struct pull_progress *progress,
                       const struct pull_host *host, struct error *err)
{
	const struct pull_source_ops *source = pull_source_of(&offer->name);
	const struct pull_choice *chosen;
	enum status status;

	if (choice >= offer->n_choices)
		return error_set(err, STATUS_UNSUPPORTED, "%.400s", offer->notes ? offer->notes : "there is no model to fetch");
	chosen = &offer->choices[choice];
	atomic_store(&progress->all, chosen->n_bytes);
	status = check_online(err);
	if (!status)
		status = check_room(offer, chosen, host, err);
	if (!status)
		status = get_files(offer, chosen, progress, host, err);
	if (!status)
		status = source->publish(model, offer, chosen, host->io, err);
	if (status && source->tidy)
		source->tidy(offer, host->io);
	return status;
}
