#include "guide/guide_model.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "support/logits.h"

enum { REPLY_MAX = 96 }; /* tokens */

const struct guide_question guide_questions[] = {
	{"You are the guide of sotto, a tiny model.\n\nHelp:\n"
	 "- F2 opens the sampler sliders: temperature, top-p and the rest; a change acts on the next"
	 " token, even in mid-reply.",
	 "How do I open the sampler sliders?",
	 "F2 opens the sampler sliders: temperature, top-p and the rest; a change acts on the next"
	 " token, even in mid-reply.",
	 "F2"},
	{"You are the guide of sotto, a tiny model.\n\nHelp:\n"
	 "- /quit leaves sotto, and so does Ctrl+D on an empty line or Ctrl+C twice; the chat is"
	 " saved.",
	 "How do I quit?",
	 "/quit leaves sotto, and so does Ctrl+D on an empty line or Ctrl+C twice; the chat is saved.",
	 "/quit"},
	{"You are a friendly guide.\n\nHelp:\n"
	 "- F7 turns the mouse on and off; while it is off the terminal selects text.",
	 "which key is for the mouse?",
	 "F7 turns the mouse on and off; while it is off the terminal selects text.", "F7"},
	{"You are the guide of sotto, a tiny model.\n\nHelp:\n"
	 "- F2 opens the sampler sliders: temperature, top-p and the rest; a change acts on the next"
	 " token, even in mid-reply. Or did you mean this? F7 turns the mouse on and off; while it is"
	 " off the terminal selects text.",
	 "and which key is that",
	 "F2 opens the sampler sliders: temperature, top-p and the rest; a change acts on the next"
	 " token, even in mid-reply. Or did you mean this? F7 turns the mouse on and off; while it is"
	 " off the terminal selects text.",
	 "Or did you mean this? F7 turns"},
	{"You are the guide of sotto, a tiny model.\n\nHelp:\n"
	 "- Quantisation stores a model's weights in fewer bits: the file gets smaller and faster, the"
	 " model a little less exact.",
	 "What is quantisation?",
	 "Quantisation stores a model's weights in fewer bits: the file gets smaller and faster, the"
	 " model a little less exact.",
	 NULL},
};
const size_t guide_n_questions = sizeof guide_questions / sizeof guide_questions[0];

struct token_list guide_encode(const struct tokenizer *tokenizer,
                               const struct guide_question *asked, bool answered)
{
	struct token_list ids = {0};
	struct error err = {0};
	char text[2048];

	snprintf(text, sizeof text,
	         "<|im_start|>system\n%s<|im_end|>\n<|im_start|>user\n%s<|im_end|>\n"
	         "<|im_start|>assistant\n%s%s",
	         asked->system, asked->question, answered ? asked->answer : "",
	         answered ? "<|im_end|>\n" : "");
	must(tokenizer_encode(tokenizer, text, strlen(text), ENCODE_SPECIAL, &ids, &err), &err);
	return ids;
}

void guide_reply(const struct model *model, const struct tokenizer *tokenizer,
                 const struct guide_question *asked, char *reply, size_t size)
{
	struct session *session = logits_open_session(model, &(struct logits_options){0});
	struct token_list ids = guide_encode(tokenizer, asked, false);
	size_t n_vocab = model_plan(model)->n_vocab;
	struct error err = {0};
	struct buf text = {.max = KIB(4)};
	int32_t next;

	must(session_eval(session, ids.ids, ids.n, 0, NULL, &err), &err);
	for (size_t i = 0; i < REPLY_MAX; i++) {
		next = logits_best(session_logits(session), n_vocab);
		if (tokenizer_is_eog(tokenizer, next))
			break;
		must(tokenizer_piece(tokenizer, next, &text), &err);
		must(session_eval(session, &next, 1, session_n_past(session), NULL, &err), &err);
	}
	snprintf(reply, size, "%s", buf_text(&text));
	buf_free(&text);
	token_list_free(&ids);
	session_free(session);
}
