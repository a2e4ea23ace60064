/* Errors in a stream: what came stays, and the server's words are told. */
#include "remote/traps.h"

#define BREAKS(json, words) ANSWERS(TEXT("Hi") "data: " json "\n\n"), .want = {.text = "Hi", .reason = DONE_ERROR, .error = words}

const struct trap traps_error[] = {
	{.name = "llama-server", BREAKS("{\"error\":{\"code\":500,\"message\":\"Compute error.\",\"type\":\"server_error\"}}", "Compute error")},
	{.name = "llama-server: a shared cache is full", ANSWERS(TEXT("Hi") "data: {\"error\":{\"code\":500,\"message\":\"Context size has been exceeded.\",\"type\":\"server_error\"}}\n\n"),
	 .want = {.text = "Hi", .reason = DONE_CONTEXT}},
	{.name = "vLLM: an error, then [DONE]", ANSWERS(TEXT("Hi") "data: {\"error\":{\"message\":\"EngineCore died\",\"type\":\"InternalServerError\",\"param\":null,\"code\":500}}\n\n" DONE),
	 .want = {.text = "Hi", .reason = DONE_ERROR, .error = "EngineCore died"}},
	{.name = "OpenRouter: the provider's words", BREAKS("{\"id\":\"x\",\"error\":{\"code\":502,\"message\":\"Provider returned error\",\"metadata\":{\"raw\":\"upstream overloaded\"}},\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"},\"finish_reason\":\"error\"}]}", "upstream overloaded")},
	{.name = "a text as error", BREAKS("{\"error\":\"out of memory\"}", "out of memory")},
	{.name = "TabbyAPI: with a trace", BREAKS("{\"error\":{\"message\":\"CUDA error\",\"trace\":\"Traceback ...\"}}", "CUDA error")},
	{.name = "Groq", BREAKS("{\"x_groq\":{\"id\":\"r\",\"error\":\"over capacity\"},\"choices\":[]}", "over capacity")},
	{.name = "choices null, error_type beside", BREAKS("{\"choices\":null,\"error_type\":\"rate_limit\",\"error_message\":\"slow down\"}", "slow down")},
	{.name = "an error beside a choice", BREAKS("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"}}],\"error\":{\"message\":\"overloaded\"}}", "overloaded")},
	{.name = "an error of null is none", ANSWERS("data: {\"error\":null,\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\n" FINISH("stop") DONE), .want = {.text = "Hi"}},
	{.name = "an error without a message", BREAKS("{\"error\":{\"code\":17}}", "")},
	{.name = "an empty error", BREAKS("{\"error\":{}}", "")},
	{.name = "detail", BREAKS("{\"detail\":\"model gone\"}", "model gone")},
	{.name = "an event of this name", ANSWERS(TEXT("Hi") "event: error\ndata: {\"error\":{\"message\":\"overloaded\"}}\n\n"), .want = {.text = "Hi", .reason = DONE_ERROR, .error = "overloaded"}},
	{.name = "before any text", ANSWERS("data: {\"error\":{\"message\":\"overloaded\"}}\n\n"), .want = {.text = "", .reason = DONE_ERROR, .error = "overloaded", .requests = ~0u}},
	{.name = "before any text: 200 and JSON", .acts = {{.body = "{\"error\":{\"message\":\"no credits\",\"code\":402}}"}}, .want = {.text = "", .reason = DONE_ERROR, .error = "no credits", .requests = ~0u}},
	{.name = "Ollama's /v1: an empty delta instead", ANSWERS(TEXT("Hi") DELTA("")), .want = {.text = "Hi", .reason = DONE_EARLY}},
	{.name = "an error over many lines", BREAKS("{\"error\":{\"message\":\"first\\nsecond\\n\\u001b[31mthird\"}}", "first")},
	{.name = "a long error", BREAKS("{\"error\":{\"message\":\"begin xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}}", "begin x")},
	{.name = "the connection is cut", .acts = {{.body = TEXT("Hi"), .end = SERVER_CUTS}}, .want = {.text = "Hi", .reason = DONE_ERROR, .status = STATUS_IO, .error = "connection"}},
	{.name = "the connection is reset", .acts = {{.body = TEXT("Hi"), .end = SERVER_RESETS}}, .want = {.text = "Hi", .reason = DONE_ERROR, .status = STATUS_IO, .error = "connection"}},
	{.name = "cut behind the reason", .acts = {{.body = TEXT("Hi") FINISH("stop"), .end = SERVER_CUTS}}, .want = {.text = "Hi", .reason = ANY_REASON}},
	{.name = "cut behind [DONE]", .acts = {{.body = TEXT("Hi") FINISH("stop") DONE, .end = SERVER_CUTS}}, .want = {.text = "Hi"}},
	{.name = "thoughts, then cut", .acts = {{.body = DELTA("\"reasoning_content\":\"Hm\""), .end = SERVER_CUTS}}, .want = {.text = "", .reasoning = "Hm", .reason = DONE_ERROR, .status = STATUS_IO, .error = "connection"}},
	{.name = "Ollama: cut", .spec = "dialect=ollama", .acts = {{.body = "{\"message\":{\"content\":\"Hi\"},\"done\":false}\n", .end = SERVER_CUTS}},
	 .want = {.text = "Hi", .reason = DONE_ERROR, .status = STATUS_IO, .error = "connection"}},
	{.name = "chunks that lie", .acts = {{.verbatim = true, .body = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
	                                      "30\r\n" "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n" "\r\nzz\r\nrubbish"}},
	 .want = {.text = "Hi", .reason = DONE_ERROR, .status = STATUS_IO, .error = ""}},
	{.name = "longer than it says", .acts = {{.verbatim = true, .body = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 10000\r\n\r\n" TEXT("Hi")}},
	 .want = {.text = "Hi", .reason = DONE_ERROR, .status = STATUS_IO, .error = "connection"}},
	{.name = "no length, no chunks", .acts = {{.verbatim = true, .body = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" TEXT("Hi") FINISH("stop") DONE}}, .want = {.text = "Hi"}},
	{.name = "HTTP/1.0", .acts = {{.verbatim = true, .body = "HTTP/1.0 200 OK\r\n\r\n" TEXT("Hi") FINISH("stop") DONE}}, .want = {.text = "Hi"}},
	{.name = "a 100 first", .acts = {{.verbatim = true, .body = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n" TEXT("Hi") FINISH("stop") DONE}}, .want = {.text = "Hi"}},
	{0},
};
