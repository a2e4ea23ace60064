/* Rungs that look at the file alone: what its weights are, and whether one tensor is another's copy. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "doctor/rung.h"
#include "kernels/quant.h"

enum { CHUNK = 8192, SAMPLES = 16, SAMPLE_BYTES = 256 };
/* Root mean square of a matrix's weights beyond which no product makes sense; trained ones are below 1. */
static const double most_rms = 1000;

struct tensor_sum {
	double square;
	uint64_t n, n_wrong; /* weights, and those that are not numbers */
	uint64_t first_wrong;
};

/* Whole blocks at a time: CHUNK is a multiple of every block's length. */
static struct tensor_sum sum_tensor(const struct gguf_tensor *tensor, const struct quant *quant)
{
	struct tensor_sum sum = {.n = gguf_tensor_n_elements(tensor)};
	float floats[CHUNK];

	for (uint64_t at = 0; at < sum.n; at += CHUNK) {
		size_t n = sum.n - at < CHUNK ? (size_t)(sum.n - at) : CHUNK;
		float square = 0;

		quant->dequantize((const char *)tensor->data + quant_row_bytes(quant, at), floats, n);
		for (size_t i = 0; i < n; i++)
			square += floats[i] * floats[i];
		if (isfinite(square)) {
			sum.square += (double)square;
			continue;
		}
		for (size_t i = 0; i < n; i++)
			if (!isfinite(floats[i]) && sum.n_wrong++ == 0)
				sum.first_wrong = at + i;
		sum.square += sum.n_wrong ? 0 : (double)INFINITY;
	}
	return sum;
}

static bool is_matrix(const struct gguf_tensor *tensor)
{
	return tensor->ne[0] > 1 && tensor->ne[1] > 1;
}

/* Whether a tensor is sound; what is not goes to `out`. */
static bool judge_tensor(const struct patient *p, const struct gguf_tensor *tensor, const struct tensor_sum *sum,
                         struct diagnosis *out)
{
	double rms = sqrt(sum->square / (double)sum->n);
	int len = (int)tensor->name.len;
	const char *name = tensor->name.data, *model = p->params.model;

	if (sum->n_wrong) {
		diagnose_number(out, (double)sum->n_wrong, "weights that are not numbers");
		diagnose_finding(out, "The file is damaged: it has weights that are not numbers (NaN or infinite).",
		                 "In the tensor %.*s, %" PRIu64 " of %" PRIu64 " weights are not, the first is number %" PRIu64
		                 ". Fetch the file again.", len, name, sum->n_wrong, sum->n, sum->first_wrong);
		diagnose_show(out, "sotto trace -m %s -p Hello --layers", model);
	} else if (is_matrix(tensor) && !(rms < most_rms)) {
		diagnose_number(out, rms, "root mean square of a tensor's weights");
		diagnose_finding(out, "The file is damaged: a tensor has a huge scale.",
		                 "The weights of %.*s have a root mean square of %.3g; those of models are below 1. "
		                 "Fetch the file again.", len, name, rms);
		diagnose_show(out, "sotto info %s", model);
	}
	return out->verdict == VERDICT_FINE;
}

/* Matrices of zeros do nothing. Some models have them on purpose, so this is no finding. */
static void note_zeros(const struct gguf_tensor *zero, size_t n_zeros, size_t n, struct diagnosis *out)
{
	if (n_zeros)
		diagnose_remark(out, "%zu matrices are all zeros, among them %.*s.", n_zeros, (int)zero->name.len, zero->name.data);
	else
		diagnose_fine(out, "%zu tensors.", n);
}

enum status check_tensors(struct patient *p, struct diagnosis *out, struct error *err)
{
	const struct gguf_tensor *zero = NULL;
	size_t n = gguf_n_tensors(p->gguf), n_zeros = 0;

	(void)err;
	diagnose_number(out, 0, "weights that are not numbers");
	for (size_t i = 0; i < n; i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(p->gguf, i);
		const struct quant *quant = quant_find(tensor->type);
		struct tensor_sum sum;

		if (!quant)
			continue;
		sum = sum_tensor(tensor, quant);
		gguf_release(p->gguf, tensor->data, tensor->n_bytes);
		if (!judge_tensor(p, tensor, &sum, out))
			return STATUS_OK;
		if (is_matrix(tensor) && !(sum.square > 0)) {
			zero = tensor;
			n_zeros++;
		}
	}
	note_zeros(zero, n_zeros, n, out);
	return STATUS_OK;
}

/* ---- copies ---- */

/* A cheap sign of what a tensor holds; 0: nothing that says anything, as it is the same byte everywhere. */
static uint64_t sample(const struct gguf_tensor *tensor)
{
	const unsigned char *data = tensor->data;
	uint64_t hash = 14695981039346656037u;
	bool varies = false;

	for (size_t i = 0; i < SAMPLES; i++) {
		size_t at = (size_t)((tensor->n_bytes - SAMPLE_BYTES) / (SAMPLES - 1) * i);

		for (size_t k = at; k < at + SAMPLE_BYTES; k++) {
			varies |= data[k] != data[0];
			hash = (hash ^ data[k]) * 1099511628211u;
		}
	}
	return varies ? hash | 1 : 0;
}

static bool is_same(const struct gguf_tensor *a, const struct gguf_tensor *b)
{
	return a->type == b->type && memcmp(a->ne, b->ne, sizeof a->ne) == 0 && memcmp(a->data, b->data, a->n_bytes) == 0;
}

/* Output matrices are often the embeddings again, and some models keep two names for one thing outside layers. */
static bool may_be_same(const struct gguf_tensor *a, const struct gguf_tensor *b)
{
	struct gguf_string of_a = a->name, of_b = b->name;
	uint64_t layer;

	return !gguf_split_layer(&of_a, &layer) || !gguf_split_layer(&of_b, &layer);
}

/* Whether all tensors of two layers are copies, but for those whose types differ. Layers that are copied as a whole are
 * a way to make models larger. */
static bool layers_are_copies(const struct gguf *gguf, const struct gguf_tensor *a, const struct gguf_tensor *b)
{
	struct gguf_string of_a = a->name, of_b = b->name, name;
	uint64_t layer_a = 0, layer_b = 0, layer;
	char other[160];

	if (!gguf_split_layer(&of_a, &layer_a) || !gguf_split_layer(&of_b, &layer_b) || layer_a == layer_b)
		return false;
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *one = gguf_tensor_at(gguf, i), *two;

		name = one->name;
		if (!gguf_split_layer(&name, &layer) || layer != layer_a || !is_matrix(one))
			continue;
		snprintf(other, sizeof other, "blk.%" PRIu64 ".%.*s", layer_b, (int)name.len, name.data);
		two = gguf_find_tensor(gguf, other);
		if (!two || (one->type == two->type && !is_same(one, two)))
			return false;
	}
	return true;
}

static void tell_copy(const struct patient *p, const struct gguf_tensor *a, const struct gguf_tensor *b,
                      struct diagnosis *out)
{
	if (layers_are_copies(p->gguf, a, b)) {
		diagnose_remark(out, "Whole layers are copies of others, as in models that were made larger: that of %.*s is "
		                "that of %.*s.", (int)b->name.len, b->name.data, (int)a->name.len, a->name.data);
		return;
	}
	diagnose_number(out, (double)a->n_bytes, "bytes that are the same");
	diagnose_finding(out, "The file is damaged: a tensor was copied over another.",
	                 "The tensors %.*s and %.*s are the same, all %" PRIu64 " bytes, and the rest of their layers is not. "
	                 "Fetch the file again.", (int)a->name.len, a->name.data, (int)b->name.len, b->name.data, a->n_bytes);
	diagnose_show(out, "sotto info %s", p->params.model);
}

enum status check_copies(struct patient *p, struct diagnosis *out, struct error *err)
{
	size_t n = gguf_n_tensors(p->gguf), n_seen = 0;
	struct seen {
		uint64_t sample;
		const struct gguf_tensor *tensor;
	} *seen = alloc_array(n, sizeof *seen);

	if (!seen)
		return error_no_memory(err, NULL);
	diagnose_number(out, 0, "bytes that are the same");
	diagnose_fine(out, "%s", "");
	for (size_t i = 0; i < n && out->verdict != VERDICT_FINDING; i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(p->gguf, i);
		uint64_t sign = is_matrix(tensor) && tensor->n_bytes >= 2 * SAMPLE_BYTES ? sample(tensor) : 0;

		for (size_t k = 0; k < n_seen && sign && out->verdict != VERDICT_FINDING; k++)
			if (seen[k].sample == sign && is_same(seen[k].tensor, tensor) && !may_be_same(seen[k].tensor, tensor))
				tell_copy(p, seen[k].tensor, tensor, out);
		if (sign)
			seen[n_seen++] = (struct seen){sign, tensor};
	}
	free(seen);
	return STATUS_OK;
}
