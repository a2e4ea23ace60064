/* How the bytes of a stream are put together. */
#include "remote/traps.h"

#define HI TEXT("Hi") TEXT(" you")
#define END FINISH("stop") DONE
#define WANT_HI .want = {.text = "Hi you", .reasoning = ""}

const struct trap traps_framing[] = {
	{.name = "as it should be", ANSWERS(HI FINISH("stop") USAGE DONE),
	 .want = {.text = "Hi you", .n_prompt = 9, .n_generated = 3, .n_cached = 4}},
	{.name = "a byte order mark first", ANSWERS("\xef\xbb\xbf" HI END), WANT_HI},
	{.name = "CRLF", .acts = {{.body = "data: " TEXT_JSON("Hi") "\r\n\r\ndata: " TEXT_JSON(" you") "\r\n\r\ndata: " FINISH_JSON("stop")
	                                   "\r\n\r\ndata: [DONE]\r\n\r\n"}}, WANT_HI},
	{.name = "CRLF, a byte at a time",
	 .acts = {{.piece = 1, .body = "data: " TEXT_JSON("Hi you") "\r\n\r\ndata: " FINISH_JSON("stop") "\r\n\r\n"}}, WANT_HI},
	{.name = "CR alone", ANSWERS("data: " TEXT_JSON("Hi you") "\r\rdata: " FINISH_JSON("stop") "\r\rdata: [DONE]\r\r"), WANT_HI},
	{.name = "a byte at a time", .acts = {{.piece = 1, .body = TEXT("Grüße 😀") END}}, .want = {.text = "Grüße 😀"}},
	{.name = "three bytes at a time", .acts = {{.piece = 3, .body = TEXT("Grüße 😀") END}}, .want = {.text = "Grüße 😀"}},
	{.name = "comments between", ANSWERS(": OPENROUTER PROCESSING\n\n:\n\n" TEXT("Hi") ": keep-alive\n\n:x\n" TEXT(" you") END), WANT_HI},
	{.name = "a comment in an event", ANSWERS("data: {\"choices\":[{\"index\":0,\n: here\ndata: \"delta\":{\"content\":\"Hi you\"}}]}\n\n" END),
	 WANT_HI},
	{.name = "no blank behind data:", ANSWERS("data:" TEXT_JSON("Hi you") "\n\n" END), WANT_HI},
	{.name = "two blanks behind data:", ANSWERS("data:  " TEXT_JSON("Hi you") "\n\n" END), WANT_HI},
	{.name = "other fields", ANSWERS("event: message\nid: 17\nretry: 100\nfoo: bar\nlonely\n" TEXT("Hi you") END), WANT_HI},
	{.name = "events without data", ANSWERS("event: ping\n\ndata\n\ndata:\n\n\n\n" TEXT("Hi you") END), WANT_HI},
	{.name = "a document over two lines",
	 ANSWERS("data: {\"choices\":[{\"index\":0,\"delta\":{\ndata: \"content\":\"Hi you\"}}]}\n\n" END), WANT_HI},
	{.name = "two documents on two lines of an event",
	 ANSWERS("data: " TEXT_JSON("Hi") "\ndata: " TEXT_JSON(" you") "\n\n" END), WANT_HI},
	{.name = "two documents glued", ANSWERS("data: " TEXT_JSON("Hi") TEXT_JSON(" you") "\n\n" END), WANT_HI},
	{.name = "two documents glued with data:", ANSWERS("data: " TEXT_JSON("Hi") "data: " TEXT_JSON(" you") "\n\n" END), WANT_HI},
	{.name = "the end glued to [DONE]", ANSWERS(TEXT("Hi you") "data: " FINISH_JSON("stop") "\ndata: [DONE]\n\n"), WANT_HI},
	{.name = "KoboldCpp: [DONE] without line end", ANSWERS(HI FINISH("stop") "data: [DONE]"), WANT_HI},
	{.name = "the last event without line end", ANSWERS(HI "data: " FINISH_JSON("stop")), WANT_HI},
	{.name = "the last event with one line end", ANSWERS(HI "data: " FINISH_JSON("stop") "\n"), WANT_HI},
	{.name = "half an event at the end", ANSWERS(HI "data: {\"choices\":[{\"index\":0,\"finish_reason\":\"stop\",\"del"),
	 .want = {.text = "Hi you", .reason = DONE_EARLY}},
	{.name = "text and usage behind [DONE]", ANSWERS(TEXT("Hi you") END TEXT(" not this") USAGE),
	 .want = {.text = "Hi you", .n_prompt = 9}},
	{.name = "lines of JSON where events were asked for",
	 ANSWERS(TEXT_JSON("Hi") "\n" TEXT_JSON(" you") "\n" FINISH_JSON("stop") "\n"), WANT_HI},
	{.name = "... as events say their type", .acts = {{.type = "application/x-ndjson",
	 .body = TEXT_JSON("Hi") "\n" TEXT_JSON(" you") "\n" FINISH_JSON("stop") "\n"}}, WANT_HI},
	{.name = "plain text as type", .acts = {{.type = "text/plain", .body = HI END}}, WANT_HI},
	{.name = "no type", .acts = {{.type = "", .body = HI END}}, WANT_HI},
	{.name = "events that call themselves JSON", .acts = {{.type = "application/json", .body = HI END}}, WANT_HI},
	{.name = "an upper-case type", .acts = {{.type = "Text/Event-Stream; Charset=UTF-8", .body = HI END}}, WANT_HI},
	{.name = "rubbish between", ANSWERS(TEXT("Hi") "data: {nonsense\n\ndata: 17\n\ndata: \"x\"\n\ndata: [1,2]\n\ndata: null\n\n" TEXT(" you") END),
	 WANT_HI},
	{.name = "escapes", ANSWERS(TEXT("\\u0047r\\u00fc\\u00dfe \\ud83d\\ude00\\n\\t\\\"\\\\\\/") END), .want = {.text = "Grüße 😀\n\t\"\\/"}},
	{.name = "half a pair of surrogates", ANSWERS(TEXT("a\\ud83db") END), .want = {.text = "a\xef\xbf\xbd" "b"}},
	{.name = "broken UTF-8", ANSWERS(TEXT("a\xff\xc3") END), .want = {.text = "a\xef\xbf\xbd\xef\xbf\xbd"}},
	{.name = "a NUL in a text", ANSWERS(TEXT("a\\u0000b") END), .want = {.reason = DONE_END}},
	{.name = "numbers that are too large", ANSWERS("data: {\"created\":1e999,\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi you\"}}],"
	                                               "\"usage\":{\"prompt_tokens\":99999999999999999999}}\n\n" END), WANT_HI},
	{.name = "keys twice", ANSWERS("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi you\"},\"delta\":{}}]}\n\n" END),
	 .want = {.reason = DONE_END}},
	{.name = "no stream: a whole answer",
	 .acts = {{.body = "{\"id\":\"x\",\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
	                   "\"content\":\"Hi you\",\"reasoning_content\":\"Hm\"},\"finish_reason\":\"stop\"}],\"usage\":"
	                   "{\"prompt_tokens\":9,\"completion_tokens\":3}}"}},
	 .want = {.text = "Hi you", .reasoning = "Hm", .n_prompt = 9, .n_generated = 3}},
	{.name = "no stream: over several lines, behind empty ones",
	 .acts = {{.body = "\n\n\n{\n \"choices\": [\n  {\n   \"index\": 0,\n   \"message\": {\n    \"content\": \"Hi you\"\n   },\n"
	                   "   \"finish_reason\": \"length\"\n  }\n ]\n}\n", .type = "application/json"}},
	 .want = {.text = "Hi you", .reason = DONE_LENGTH}},
	{.name = "no stream: thoughts and text as parts",
	 .acts = {{.body = "{\"choices\":[{\"index\":0,\"message\":{\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\","
	                   "\"text\":\"Hm\"}]},{\"type\":\"text\",\"text\":\"Hi you\"}]},\"finish_reason\":\"stop\"}]}"}},
	 .want = {.text = "Hi you", .reasoning = "Hm"}},
	{0},
};
