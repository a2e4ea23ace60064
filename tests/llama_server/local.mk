# sotto with a real llama-server, which SOTTO_LLAMA_SERVER names.
check_PROGRAMS += tests/llama_server/test_llama_server
TESTS += tests/llama_server/test_llama_server
tests_llama_server_test_llama_server_SOURCES = \
	tests/llama_server/program.c tests/llama_server/program.h \
	tests/llama_server/talk.c tests/llama_server/talk.h \
	tests/llama_server/test_llama_server.c \
	tests/llama_server/test_vocabularies.c
tests_llama_server_test_llama_server_CPPFLAGS = $(TEST_CPPFLAGS)
tests_llama_server_test_llama_server_LDADD = tests/support/libsupport.a $(REMOTE_LIBS) $(ENGINE_LIBS) \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
