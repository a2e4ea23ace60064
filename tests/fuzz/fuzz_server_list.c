/* What servers say of their models, of any bytes: what is read of it are models with ids. The same bytes as an answer
 * of Ollama's /api/show, and as the answer to the first question. */
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "remote/dialect_ollama.h"
#include "remote/list_parse.h"
#include "remote/probe.h"
#include "fuzz/fuzz.h"

static void check_text(const char *text)
{
	FUZZ_CHECK(!text || utf8_valid(text, strlen(text)));
}

static void check_model(const struct remote_model *model)
{
	FUZZ_CHECK(model->id && model->id[0] && strlen(model->id) <= LIMIT_MODEL_ID);
	check_text(model->id);
	check_text(model->type);
	check_text(model->where);
	check_text(model->why);
	FUZZ_CHECK(model->price_in >= 0 || model->price_in == -1);
	FUZZ_CHECK(model->price_out >= 0 || model->price_out == -1);
	FUZZ_CHECK(model->state != REMOTE_FAILED || model->why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct list_answer answer, again;
	struct ollama_model shown;
	struct error err;

	if (list_parse(&answer, text, size, &err) == STATUS_OK) {
		FUZZ_CHECK(answer.list.n <= LIMIT_LISTED_MODELS);
		for (size_t i = 0; i < answer.list.n; i++)
			check_model(&answer.list.items[i]);
		FUZZ_CHECK(list_parse(&again, text, size, NULL) == STATUS_OK &&
		           again.list.n == answer.list.n);
		list_overlay(&answer.list, &again.list, REMOTE_LOADED);
		list_answer_free(&again);
	} else {
		FUZZ_CHECK(answer.list.n == 0);
	}
	list_answer_free(&answer);
	ollama_read_show(&shown, text, size);
	FUZZ_CHECK(probe_describe("", text, size)[0]);
	return 0;
}
