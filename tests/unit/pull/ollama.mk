# ollama's registry, and models that are on the disk: what needs libcurl and libcrypto.
if HAVE_CURL
if HAVE_CRYPTO
check_PROGRAMS += tests/unit/pull/test_ollama
TESTS += tests/unit/pull/test_ollama
tests_unit_pull_test_ollama_SOURCES = \
	tests/unit/pull/places.c tests/unit/pull/places.h \
	tests/unit/pull/test_ollama.c
tests_unit_pull_test_ollama_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/unit/pull
tests_unit_pull_test_ollama_LDADD = tests/support/hub_server/libhub_server.a tests/support/libsupport.a $(SERVER_LIBS) $(PULL_LIBS) $(CHECKPOINT_LIBS) $(REMOTE_LIBS) $(ENGINE_LIBS) \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
endif
endif
