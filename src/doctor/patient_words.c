/* What rungs about text ask of the model that is looked at. */
#include <string.h>

#include "doctor/rung.h"

bool patient_lacks_words(const struct patient *p, bool wants_template, struct diagnosis *out)
{
	if (!p->tokenizer) {
		diagnose_skipped(out, "The file has no vocabulary that can be read%s%.200s.", p->no_tokenizer.status ? ": " : "",
		                 p->no_tokenizer.status ? p->no_tokenizer.text : "");
		return true;
	}
	if (wants_template && !p->tmpl)
		diagnose_skipped(out, "There is no chat template that can be used%s%.200s.", p->no_template.status ? ": " : "",
		                 p->no_template.status ? p->no_template.text : "");
	return wants_template && !p->tmpl;
}

bool token_is_blank(const struct tokenizer *tokenizer, int32_t id)
{
	size_t len, n = 0;
	const char *bytes = tokenizer_bytes(tokenizer, id, &len);

	while (n < len && strchr(" \n\t", bytes[n]) && bytes[n])
		n++;
	return n == len && !tokenizer_is_control(tokenizer, id);
}

enum status patient_question(const struct patient *p, struct encoded *out, struct error *err)
{
	const struct message message = {.role = ROLE_USER, .text = "Hello", .len = 5};
	const struct turn turn = {.messages = &message, .n_messages = 1, .n_predict = 16,
	                          .reasoning = {.clock = 1700000000000000}};

	return encode_for_context(out, p->tokenizer, p->tmpl, &turn, 1 << 20, err);
}
