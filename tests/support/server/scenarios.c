/* What the server does, by name, and who plays which dialect. A scenario is a row. */
#include <string.h>

#include "support/server/internal.h"

#define OPENAI_PATHS {"/v1/chat/completions", "/v1/completions"}

const struct play server_plays[] = {
	{"llama-server", {"/completion", "/v1/chat/completions"}, play_llama},
	{"vllm", OPENAI_PATHS, play_vllm},
	{"sglang", OPENAI_PATHS, play_sglang},
	{"ollama", {"/api/chat", "/api/generate"}, play_ollama},
	{"openai", OPENAI_PATHS, play_openai},
	{"lmstudio", OPENAI_PATHS, play_openai},
	{"tabby", OPENAI_PATHS, play_openai},
	{"kobold", OPENAI_PATHS, play_openai},
	{"hosted", OPENAI_PATHS, play_openai},
	{0},
};

const struct play *play_find(const char *dialect)
{
	for (const struct play *play = server_plays; play->dialect; play++)
		if (strcmp(play->dialect, dialect) == 0)
			return play;
	server_fatal(dialect);
}

#define BUSY "{\"error\":{\"code\":503,\"message\":\"Server is busy\",\"type\":\"unavailable_error\"}}"

const struct scenario server_scenarios[] = {
	{.name = "loads", .spec = "dialect=llama-server,loading=3"},
	{.name = "all-slots-busy", .spec = "dialect=llama-server,busy=1"},
	{.name = "router", .spec = "dialect=llama-server,router=1"},
	{.name = "key", .spec = "dialect=llama-server,keys=1"},
	{.name = "breaks", .spec = "dialect=openai,hold=3",
	 .acts = {{.at = 1, .end = SERVER_CUTS,
	           .body = "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"half of\"}}]}\n\n"}}},
	{.name = "asked-again", .spec = "dialect=openai",
	 .acts = {{.at = 1, .code = 503, .headers = "Retry-After: 0\n", .body = BUSY},
	          {.at = 2, .code = 429, .headers = "Retry-After: 0\n", .body = BUSY}}},
	{.name = "early", .spec = "dialect=openai",
	 .acts = {{.at = 1, .body = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"half of\"}}]}\n\ndata: [DONE]\n\n"}}},
	{.name = "web-page", .spec = "dialect=openai",
	 .acts = {{.path = "/v1/models", .body = "<html><title>Router login</title></html>"}}},
	{0},
};

const struct scenario *scenario_find(const char *name)
{
	for (const struct scenario *scenario = server_scenarios; scenario->name; scenario++)
		if (strcmp(scenario->name, name) == 0)
			return scenario;
	return NULL;
}
