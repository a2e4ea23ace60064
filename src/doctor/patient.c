/* The model that is looked at: opened, and evaluated once with a record of what goes through it. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "doctor/rung.h"
#include "engine/engine.h"

/* Written for this; a model that knows English finds it easy. */
const char patient_text[] =
	"The house stood at the end of a long road, and behind it the hills went up to the sky. In the morning the old "
	"man opened the door, looked at the weather and said that it would rain before the evening. His daughter did not "
	"believe him. She took her coat, walked down to the village and bought bread, milk and a newspaper. When she came "
	"back, the first drops were falling. \"You see,\" said the old man, and he put the kettle on the fire. They sat at "
	"the table by the window, drank their tea and listened to the rain on the roof.";

enum {
	N_CTX = 384,           /* of the doctor's sessions */
	N_IDS = 40,            /* evaluated in the record ... */
	N_IDS_WINDOW = 256,    /* ... and at most, to see past a window */
	RECORD_FLOATS = 96 << 20, /* kept at most */
};

enum status patient_encode(const struct patient *p, unsigned flags, struct token_list *out, struct error *err)
{
	return tokenizer_encode(p->tokenizer, patient_text, sizeof patient_text - 1, flags, out, err);
}

/* Past the narrowest window, where that is near. */
static size_t wanted_ids(const struct plan *plan)
{
	size_t n = N_IDS, per_token = 1, most;

	for (size_t i = 0; i < plan->n_layer; i++) {
		const struct layer_plan *l = &plan->layers[i];

		if (l->window && l->window + 6 > n && l->window + 6 <= N_IDS_WINDOW)
			n = l->window + 6;
		per_token += 6 * plan->n_embd + 2 * (l->n_head + l->n_head_kv) * (l->head_dim_k + l->head_dim_v);
	}
	most = RECORD_FLOATS / per_token;
	if (n > most)
		n = most < 16 ? 16 : most;
	return n > plan->n_ctx_train && plan->n_ctx_train >= 4 ? plan->n_ctx_train : n;
}

/* The built-in text, as far as it goes; behind it, or without a vocabulary, ids that differ from one another. */
static enum status choose_ids(struct patient *p, struct error *err)
{
	struct token_list list = {0};
	enum status status = STATUS_OK;

	p->n_ids = wanted_ids(p->plan);
	p->ids = alloc_array(p->n_ids, sizeof *p->ids);
	if (!p->ids)
		return error_no_memory(err, NULL);
	if (p->tokenizer)
		status = patient_encode(p, ENCODE_BOS, &list, err);
	for (size_t i = 0; i < p->n_ids && !status; i++)
		p->ids[i] = i < list.n && (uint32_t)list.ids[i] < p->plan->n_vocab
		                    ? list.ids[i] : (int32_t)((i * 2654435761u + 12345) % p->plan->n_vocab);
	token_list_free(&list);
	return status;
}

enum status patient_session(const struct patient *p, bool cache, const struct compute *compute, struct session **out,
                            struct error *err)
{
	struct engine_params params = p->params;

	params.kv_cache = cache;
	return session_create(out, p->model, compute, &params, err);
}

enum status patient_open(struct patient *p, const struct engine_params *params, struct error *err)
{
	enum status status = engine_params_copy(&p->params, params, err);

	p->params.n_ctx = N_CTX;
	p->params.kv_cache = true;
	if (!status)
		status = compute_open(&p->compute, params->isa, (size_t)params->n_threads, err);
	if (!status)
		status = engine_open_model(&p->model, &p->params, &p->compute, NULL, NULL, err);
	if (status)
		return status;
	p->plan = model_plan(p->model);
	p->weights = model_weights(p->model);
	p->gguf = model_gguf(p->model);
	/* What the file lacks of these is for their rungs to tell, but not what the user named wrongly. */
	if (gguf_has(p->gguf, "tokenizer.ggml.model") && tokenizer_open(&p->tokenizer, p->gguf, &p->no_tokenizer))
		p->tokenizer = NULL;
	if (p->tokenizer &&
	    chat_template_open(&p->tmpl, params->chat_template, p->gguf, p->tokenizer, &p->no_template)) {
		p->tmpl = NULL;
		if (params->chat_template && params->chat_template[0]) {
			*err = p->no_template;
			return err->status;
		}
	}
	status = patient_session(p, true, &p->compute, &p->session, err);
	return status ? status : choose_ids(p, err);
}

/* Batches of several sizes, single tokens among them. */
enum status patient_record(struct patient *p, struct error *err)
{
	static const size_t sizes[] = {9, 5, 1, 1, 1, SIZE_MAX};
	enum status status = STATUS_OK;

	if (!record_init(&p->record, p->n_ids, p->plan->n_layer))
		return error_no_memory(err, NULL);
	session_set_probe(p->session, &p->record.probe);
	for (size_t at = 0, i = 0; at < p->n_ids && !status; i++) {
		size_t n = p->n_ids - at < sizes[i] ? p->n_ids - at : sizes[i];

		status = session_eval(p->session, p->ids + at, n, at, NULL, err);
		at += n;
	}
	session_set_probe(p->session, NULL);
	return !status && p->record.lacks_memory ? error_no_memory(err, "for what goes through the model") : status;
}

void patient_close(struct patient *p)
{
	session_free(p->session);
	compute_close(&p->compute);
	chat_template_close(p->tmpl);
	tokenizer_close(p->tokenizer);
	model_close(p->model);
	record_free(&p->record);
	engine_params_free(&p->params);
	free(p->ids);
}
