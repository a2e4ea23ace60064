check_PROGRAMS += tests/unit/remote/test_remote
TESTS += tests/unit/remote/test_remote
tests_unit_remote_test_remote_SOURCES = \
	tests/unit/remote/served.c \
	tests/unit/remote/served.h \
	tests/unit/remote/test_characters.c \
	tests/unit/remote/test_chunk.c \
	tests/unit/remote/test_estimate.c \
	tests/unit/remote/test_explain.c \
	tests/unit/remote/test_fields.c \
	tests/unit/remote/test_list_parse.c \
	tests/unit/remote/test_lister.c \
	tests/unit/remote/test_messages.c \
	tests/unit/remote/test_ollama.c \
	tests/unit/remote/test_probe.c \
	tests/unit/remote/test_route.c \
	tests/unit/remote/test_stream.c \
	tests/unit/remote/test_vllm.c
tests_unit_remote_test_remote_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/unit/remote
tests_unit_remote_test_remote_LDADD = tests/support/libsupport.a $(SERVER_LIBS) $(REMOTE_LIBS) $(ENGINE_LIBS) \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)

check_PROGRAMS += tests/unit/remote/test_llama_server
TESTS += tests/unit/remote/test_llama_server
tests_unit_remote_test_llama_server_SOURCES = \
	tests/unit/encode/chat_model.c tests/unit/encode/chat_model.h \
	tests/unit/remote/test_llama_read.c \
	tests/unit/remote/test_llama_write.c
tests_unit_remote_test_llama_server_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_remote_test_llama_server_LDADD = tests/support/libsupport.a $(REMOTE_LIBS) $(ENGINE_LIBS) \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)

# With a client that talks to nobody in the place of net's.
check_PROGRAMS += tests/unit/remote/test_ask
TESTS += tests/unit/remote/test_ask
tests_unit_remote_test_ask_SOURCES = \
	tests/unit/remote/fake_http.c tests/unit/remote/fake_http.h \
	tests/unit/remote/test_ask.c \
	tests/unit/remote/test_call.c \
	tests/unit/remote/test_llama_open.c \
	tests/unit/remote/test_open.c \
	tests/unit/remote/test_openai.c
tests_unit_remote_test_ask_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_remote_test_ask_LDADD = tests/support/libsupport.a src/remote/libremote.a $(ENGINE_LIBS) \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
