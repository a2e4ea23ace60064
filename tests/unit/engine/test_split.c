/* A model in parts gives the same results as in one file, and is guarded as one. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/options.h"
#include "engine/session.h"
#include "gguf/reader.h"
#include "kernels/compute.h"
#include "model/model.h"
#include "support/isas.h"
#include "support/folder.h"
#include "support/split_model.h"

enum { N = 24, N_PARTS = 3 };

static char dir[64], whole[80], prefix[80];

static void make_files(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct error err = {0};

	snprintf(dir, sizeof dir, "/tmp/sotto-parts-XXXXXX");
	cr_assert_not_null(mkdtemp(dir));
	snprintf(whole, sizeof whole, "%s/whole.gguf", dir);
	snprintf(prefix, sizeof prefix, "%s/m", dir);
	cr_assert_eq(tiny_model_save(&tiny, whole, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(split_model_save(&tiny, prefix, N_PARTS, NULL, NULL, &err), STATUS_OK, "%s", err.text);
}

static void remove_files(void)
{
	remove_folder(dir);
}

TestSuite(split, .init = make_files, .fini = remove_files);

static struct model *open_model(const char *path)
{
	struct error err = {0};
	struct model *model;
	struct gguf *gguf;

	cr_assert_eq(gguf_open(&gguf, path, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(model_open(&model, gguf, NULL, &err), STATUS_OK, "%s", err.text);
	return model;
}

static enum status evaluate(const struct model *model, float *logits, struct error *err)
{
	struct engine_params params = engine_params_default();
	size_t n_vocab = model_plan(model)->n_vocab;
	struct session *session;
	int32_t ids[N];
	enum status status;

	for (size_t i = 0; i < N; i++)
		ids[i] = (int32_t)((i * 37 + 5) % n_vocab);
	cr_assert_eq(session_create(&session, model, &(struct compute){NULL, isa_generic()}, &params, err),
	             STATUS_OK, "%s", err->text);
	status = session_eval(session, ids, N, 0, logits, err);
	session_free(session);
	return status;
}

Test(split, logits_are_those_of_the_whole)
{
	struct model *one = open_model(whole);
	size_t n = N * model_plan(one)->n_vocab;
	float *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
	struct error err = {0};

	cr_assert(a && b);
	cr_assert_eq(evaluate(one, a, &err), STATUS_OK, "%s", err.text);
	cr_assert(isfinite(a[0]) && a[0] != 0.0f);
	for (uint32_t i = 0; i < N_PARTS; i++) {
		struct model *parts = open_model(split_model_path(prefix, i, N_PARTS));

		cr_assert_eq(evaluate(parts, b, &err), STATUS_OK, "%s", err.text);
		cr_expect_eq(memcmp(a, b, n * sizeof *a), 0, "opened by part %u", i + 1);
		model_close(parts);
	}
	model_close(one);
	free(a);
	free(b);
}

static bool cut_third(void *ctx, float fraction)
{
	bool *is_cut = ctx;

	(void)fraction;
	if (!*is_cut)
		*is_cut = truncate(split_model_path(prefix, 2, N_PARTS), 0) == 0;
	return true;
}

Test(split, a_part_cut_while_loading_is_named)
{
	struct error err = {0};
	struct model *model;
	struct gguf *gguf;
	bool is_cut = false;
	const struct model_load load = {.progress = cut_third, .ctx = &is_cut};

	cr_assert_eq(gguf_open(&gguf, split_model_path(prefix, 0, N_PARTS), &err), STATUS_OK);
	cr_assert_eq(model_open(&model, gguf, &load, &err), STATUS_FORMAT);
	cr_expect(is_cut && strstr(err.text, "m-00003-of-00003.gguf"), "%s", err.text);
	gguf_close(gguf);
}

/* The embeddings, which are read from the file when needed, are in the first part. */
Test(split, a_part_cut_in_use_is_named)
{
	const char *path = split_model_path(prefix, 0, N_PARTS);
	struct model *model = open_model(path);
	float *logits = calloc(N * model_plan(model)->n_vocab, sizeof *logits);
	struct error err = {0};

	cr_assert(logits && truncate(path, 0) == 0);
	cr_expect_eq(evaluate(model, logits, &err), STATUS_FORMAT);
	cr_expect(strstr(err.text, path) && strstr(err.text, "cut short"), "%s", err.text);
	model_close(model);
	free(logits);
}
