# Asking and fetching: what needs libcurl and libcrypto.
if HAVE_CURL
if HAVE_CRYPTO
check_PROGRAMS += tests/unit/pull/test_fetch
TESTS += tests/unit/pull/test_fetch
tests_unit_pull_test_fetch_SOURCES = \
	tests/unit/pull/test_web.c
tests_unit_pull_test_fetch_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/unit/pull
tests_unit_pull_test_fetch_LDADD = tests/support/libsupport.a $(SERVER_LIBS) $(PULL_LIBS) $(CHECKPOINT_LIBS) $(REMOTE_LIBS) $(ENGINE_LIBS) \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
endif
endif
