#include <criterion/criterion.h>
#include <string.h>

#include "offers.h"
#include "pull/hub_notes.h"

static const struct {
	const char *files;
	bool is_gated;
	const char *notes; /* NULL: none */
	const char *refused;
} rows[] = {
	{"x-Q4_0.gguf 1\nREADME.md 1\n", false, NULL},
	{"x-Q4_0.gguf 1\nmmproj-F16.gguf 1\n", false, "mmproj-F16.gguf is for pictures, which sotto does not read: not fetched"},
	{"x-Q4_0.gguf 1\nmmproj-F16.gguf 1\na/mmproj-F32.gguf 1\nmtp-x.gguf 1\n", false,
	 "mmproj-F16.gguf and 1 more are for pictures, which sotto does not read: not fetched\n"
	 "mtp-x.gguf is there to draft tokens, which sotto does not need: not fetched"},
	{"x-Q4_0.gguf 1\npreset.ini 1\n", false, "preset.ini has llama.cpp's command lines: not fetched and not used"},
	{"model.safetensors 1\nconfig.json 1\n", false,
	 "a/b has safetensors, from which `sotto convert` makes a GGUF: `sotto pull --safetensors a/b` (in the chat "
	 "`/pull a/b:safetensors`) fetches them. Others may have published a GGUF of it already"},
	{"README.md 1\n", false, "a/b has no GGUF file, which is what sotto runs: look for a repository with GGUF in its name"},
	{"x.onnx 1\n", false, "a/b has no GGUF file, which is what sotto runs. It is not converted: an ONNX model", "an ONNX model"},
	{"x-Q4_0.gguf 1\n", true, "it is gated: accept its licence at https://huggingface.co/a/b, then set HF_TOKEN"},
};

Test(hub_notes, nothing_is_advised_that_is_being_done)
{
	struct pull_offer offer;

	offer_make(&offer, "a/b:safetensors", "model.safetensors 1\nconfig.json 1\n");
	cr_expect_eq(hub_notes(&offer, NULL, false, NULL), STATUS_OK);
	cr_expect_null(offer.notes);
	pull_offer_free(&offer);
}

Test(hub_notes, table)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct pull_offer offer;

		offer_make(&offer, "a/b", rows[i].files);
		cr_expect_eq(hub_notes(&offer, rows[i].refused, rows[i].is_gated, NULL), STATUS_OK);
		cr_expect(rows[i].notes && offer.notes ? !strcmp(offer.notes, rows[i].notes) : offer.notes == rows[i].notes,
		          "row %zu: %s", i, offer.notes ? offer.notes : "NULL");
		pull_offer_free(&offer);
	}
}
