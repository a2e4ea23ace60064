/* The row about models in ollama's folder: two are published that share a file, and one is deleted. */
#ifndef SOTTO_TESTS_SCENARIO_MODELS_H
#define SOTTO_TESTS_SCENARIO_MODELS_H

#include "crash/scenario.h"

enum { OLLAMA_STEPS = 3 };

void *ollama_begin(void);
enum status ollama_step(void *state, size_t step, struct error *err);
/* The models that there are, each with what is there of its files. */
void ollama_describe(struct found *found);

#endif
