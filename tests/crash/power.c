#include "crash/power.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"

enum { SECTOR = 512 };

_Noreturn static void stop(const char *why)
{
	fprintf(stderr, "a state after a power cut: %s: %s\n", why, strerror(errno));
	abort();
}

static bool is_open(const struct disk_op *op, size_t cut)
{
	return op->kind <= DISK_UNLINK && op->durable_at >= cut;
}

static size_t sectors(const struct disk_op *op)
{
	return op->n ? (op->offset + op->n - 1) / SECTOR - op->offset / SECTOR + 1 : 0;
}

/* Of a write each sector, and before those the length that it gives the file. */
static size_t parts(const struct disk_op *op)
{
	return op->kind == DISK_WRITE ? 1 + sectors(op) : 1;
}

size_t power_n_open(const struct disk_op *ops, size_t cut)
{
	size_t n = 0;

	for (size_t i = 0; i < cut; i++)
		n += is_open(&ops[i], cut) ? parts(&ops[i]) : 0;
	return n;
}

static struct power_file *file(struct power_state *state, int number)
{
	size_t n = (size_t)number + 1;

	if (n > state->n_files) {
		state->files = realloc(state->files, n * sizeof *state->files);
		if (!state->files)
			stop("memory");
		memset(state->files + state->n_files, 0, (n - state->n_files) * sizeof *state->files);
		state->n_files = n;
	}
	return &state->files[number];
}

static void set_len(struct power_file *of, size_t len)
{
	if (len > of->cap) {
		of->cap = len * 2;
		of->bytes = realloc(of->bytes, of->cap);
		if (!of->bytes)
			stop("memory");
	}
	if (len > of->len)
		memset(of->bytes + of->len, 0, len - of->len);
	of->len = len;
}

static void put_write(struct power_state *state, const struct disk_op *op, const unsigned char *bits)
{
	struct power_file *to = file(state, op->file);
	size_t end = op->offset + op->n, from = op->offset;

	if ((!bits || bits[0]) && end > to->len)
		set_len(to, end);
	for (size_t i = 1; from < end; i++) {
		size_t next = (from / SECTOR + 1) * SECTOR;

		next = next < end ? next : end;
		if (!bits || bits[i]) {
			if (next > to->len)
				set_len(to, next);
			memcpy(to->bytes + from, op->bytes + (from - op->offset), next - from);
		}
		from = next;
	}
}

static struct power_name *find(struct power_state *state, const char *path)
{
	for (size_t i = 0; i < state->n_names; i++)
		if (strcmp(state->names[i].path, path) == 0)
			return &state->names[i];
	return NULL;
}

static void put_name(struct power_state *state, const char *path, int number, bool is_folder)
{
	struct power_name *name = find(state, path);

	if (!name) {
		if (state->n_names == POWER_NAMES)
			stop("too many names");
		name = &state->names[state->n_names++];
	}
	*name = (struct power_name){path, is_folder, number};
}

static int take_name(struct power_state *state, const char *path)
{
	struct power_name *name = find(state, path);
	int number = name ? name->file : -1;

	if (name)
		*name = state->names[--state->n_names];
	return number;
}

static void put_op(struct power_state *state, const struct disk_op *op, const unsigned char *bits,
                   int moved)
{
	if (op->kind == DISK_WRITE) {
		put_write(state, op, bits);
		return;
	}
	if (bits && !bits[0])
		return;
	switch (op->kind) {
	case DISK_MAKE_FOLDER:
		put_name(state, op->path, -1, true);
		break;
	case DISK_MAKE_FILE:
		file(state, op->file);
		put_name(state, op->path, op->file, false);
		break;
	case DISK_CUT:
		set_len(file(state, op->file), op->n);
		break;
	case DISK_RENAME: /* at once: the one name goes, the other comes */
		take_name(state, op->path);
		put_name(state, op->to, moved, false);
		break;
	case DISK_LINK:
		put_name(state, op->to, moved, false);
		break;
	case DISK_UNLINK:
		take_name(state, op->path);
		break;
	default:
		break;
	}
}

/* Which file the rename or link at `at` has named. */
static int moved_by(const struct disk_op *ops, size_t at)
{
	const char *path = ops[at].path;

	while (at-- > 0) {
		if (ops[at].kind == DISK_MAKE_FILE && strcmp(ops[at].path, path) == 0)
			return ops[at].file;
		if ((ops[at].kind == DISK_RENAME || ops[at].kind == DISK_LINK) &&
		    strcmp(ops[at].to, path) == 0)
			path = ops[at].path;
	}
	stop("a rename of what is no file of this disk");
	return -1;
}

/* Whether all folders above it are there. */
static bool is_reached(const struct power_state *state, const char *path)
{
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		size_t n = (size_t)(slash - path), i = 0;

		while (i < state->n_names && !(state->names[i].is_folder &&
		                               strlen(state->names[i].path) == n &&
		                               strncmp(state->names[i].path, path, n) == 0))
			i++;
		if (i == state->n_names)
			return false;
	}
	return true;
}

static int compare_names(const void *a, const void *b)
{
	const struct power_name *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static void remove_unreached(struct power_state *state)
{
	size_t n = 0;

	if (state->n_names)
		qsort(state->names, state->n_names, sizeof state->names[0], compare_names);
	for (size_t i = 0; i < state->n_names; i++) /* sorted: folders come before what is in them */
		if (is_reached(state, state->names[i].path))
			state->names[n++] = state->names[i];
	state->n_names = n;
}

static uint64_t hash_of(const struct power_state *state)
{
	uint64_t hash = HASH_BEGIN;

	for (size_t i = 0; i < state->n_names; i++) {
		const struct power_name *name = &state->names[i];

		hash = hash_more(hash, name->path, strlen(name->path) + 1);
		if (!name->is_folder)
			hash = hash_more(hash, state->files[name->file].bytes,
			                 state->files[name->file].len);
	}
	return hash;
}

void power_build(struct power_state *state, const struct disk_op *ops, size_t cut,
                 const unsigned char *bits)
{
	bool is_there = true; /* what the op before did */
	size_t bit = 0;

	state->n_names = 0;
	for (size_t i = 0; i < state->n_files; i++)
		state->files[i].len = 0;
	for (size_t i = 0; i < cut; i++) {
		bool open = is_open(&ops[i], cut);

		is_there = (!open || bits[bit]) && (!ops[i].needs_previous || is_there);
		if (!ops[i].needs_previous || is_there)
			put_op(state, &ops[i], open ? bits + bit : NULL,
			       ops[i].to ? moved_by(ops, i) : -1);
		bit += open ? parts(&ops[i]) : 0;
	}
	remove_unreached(state);
	state->hash = hash_of(state);
}

void power_free(struct power_state *state)
{
	for (size_t i = 0; i < state->n_files; i++)
		free(state->files[i].bytes);
	free(state->files);
	*state = (struct power_state){0};
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st, (void)kind;
	return at->level == 0 ? 0 : remove(path);
}

void power_empty(const char *folder)
{
	if (nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS) != 0)
		stop(folder);
}

void power_put(const struct power_state *state, const char *folder)
{
	char path[1024];

	power_empty(folder);
	for (size_t i = 0; i < state->n_names; i++) {
		const struct power_name *name = &state->names[i];
		const struct power_file *from;
		int fd;

		snprintf(path, sizeof path, "%s/%s", folder, name->path);
		if (name->is_folder) {
			if (mkdir(path, 0700) != 0)
				stop(path);
			continue;
		}
		from = &state->files[name->file];
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
		if (fd < 0 || (from->len && write(fd, from->bytes, from->len) != (ssize_t)from->len) ||
		    close(fd) != 0)
			stop(path);
	}
}

enum { ALL_SUBSETS = 20 }; /* of more things than this there are never all subsets */

size_t power_n_choices(size_t n, size_t most)
{
	return n < ALL_SUBSETS && (size_t)1 << n <= most ? (size_t)1 << n : most;
}

static uint64_t next_random(uint64_t *random)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return *random >> 33;
}

void power_choose(unsigned char *bits, size_t n, size_t choice, size_t n_choices, uint64_t *random)
{
	size_t first_alone = 2 + n, first_row = 2 + 2 * n, first_random = 2 + 3 * n;
	uint64_t density;

	if (n < ALL_SUBSETS && n_choices == (size_t)1 << n) {
		for (size_t i = 0; i < n; i++)
			bits[i] = choice >> i & 1;
	} else if (choice < 2) {
		memset(bits, (int)choice, n);
	} else if (choice < first_alone) {
		memset(bits, 1, n);
		bits[choice - 2] = 0;
	} else if (choice < first_random) {
		for (size_t i = 0; i < n; i++)
			bits[i] = choice < first_row ? i == choice - first_alone : i <= choice - first_row;
	} else {
		density = 1 + next_random(random) % 15;
		for (size_t i = 0; i < n; i++)
			bits[i] = next_random(random) % 16 < density;
	}
}
