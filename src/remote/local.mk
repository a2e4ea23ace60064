# Models that run on servers: a file for each dialect.
noinst_LIBRARIES += src/remote/libremote.a
src_remote_libremote_a_SOURCES = \
	src/remote/ask.c src/remote/ask.h \
	src/remote/ask_internal.h \
	src/remote/ask_judge.c \
	src/remote/call.c src/remote/call.h \
	src/remote/characters.c src/remote/characters.h \
	src/remote/chunk.c src/remote/chunk.h \
	src/remote/chunk_error.c \
	src/remote/chunk_openai.c \
	src/remote/dialect.h \
	src/remote/dialect_llama_server.c \
	src/remote/dialect_ollama.c src/remote/dialect_ollama.h \
	src/remote/dialect_openai.c \
	src/remote/dialect_vllm.c \
	src/remote/dialects.c \
	src/remote/echo.c src/remote/echo.h \
	src/remote/estimate.c src/remote/estimate.h \
	src/remote/explain.c \
	src/remote/fields.c src/remote/fields.h \
	src/remote/fields_words.c src/remote/fields_words.h \
	src/remote/hosts.c src/remote/hosts.h \
	src/remote/hosts_count.c \
	src/remote/list.c src/remote/list.h \
	src/remote/list_all.c \
	src/remote/list_items.c src/remote/list_items.h \
	src/remote/list_parse.c src/remote/list_parse.h \
	src/remote/list_server.c \
	src/remote/lister.c src/remote/lister.h \
	src/remote/llama_bias.c \
	src/remote/llama_chat.c \
	src/remote/llama_event.c src/remote/llama_event.h \
	src/remote/llama_open.c \
	src/remote/llama_read.c \
	src/remote/llama_server.h \
	src/remote/llama_vocab.c \
	src/remote/llama_write.c \
	src/remote/messages.c src/remote/messages.h \
	src/remote/offers.c src/remote/offers.h \
	src/remote/ollama_show.c \
	src/remote/probe.c src/remote/probe.h \
	src/remote/raw.c src/remote/raw.h \
	src/remote/remote.c src/remote/remote.h \
	src/remote/reply.c src/remote/reply.h \
	src/remote/reply_count.c \
	src/remote/reply_divide.c \
	src/remote/reply_internal.h \
	src/remote/request.c src/remote/request.h \
	src/remote/retry.c src/remote/retry.h \
	src/remote/route.c src/remote/route.h \
	src/remote/stream.c src/remote/stream.h \
	src/remote/thoughts.c src/remote/thoughts.h \
	src/remote/vllm.h \
	src/remote/vllm_cut.c \
	src/remote/vllm_spell.c \
	src/remote/vllm_vocab.c \
	src/remote/vllm_write.c \
	src/remote/waiting.c src/remote/waiting.h
