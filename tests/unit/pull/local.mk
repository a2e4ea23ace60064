check_PROGRAMS += tests/unit/pull/test_pull
TESTS += tests/unit/pull/test_pull
tests_unit_pull_test_pull_SOURCES = \
	tests/unit/pull/offers.c \
	tests/unit/pull/offers.h \
	tests/unit/pull/test_choose.c \
	tests/unit/pull/test_hub_cache.c \
	tests/unit/pull/test_hub_key.c \
	tests/unit/pull/test_hub_listing.c \
	tests/unit/pull/test_hub_notes.c \
	tests/unit/pull/test_name.c \
	tests/unit/pull/test_progress.c \
	tests/unit/pull/test_puller.c \
	tests/unit/pull/test_quant_name.c \
	tests/unit/pull/test_rate.c
tests_unit_pull_test_pull_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/unit/pull
tests_unit_pull_test_pull_LDADD = tests/support/libsupport.a $(SERVER_LIBS) $(PULL_LIBS) $(CHECKPOINT_LIBS) $(REMOTE_LIBS) $(ENGINE_LIBS) \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)

# What asks and fetches, against the test hub (tests/support/hub_server): needs libcurl and libcrypto.
PULL_TEST_LIBS = $(PULL_LIBS) $(CHECKPOINT_LIBS) $(REMOTE_LIBS) $(ENGINE_LIBS) src/config/libconfig.a $(HUB_SERVER_LIBS) \
	src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
if HAVE_CURL
if HAVE_CRYPTO
PULL_TESTS = tests/unit/pull/test_fetch tests/unit/pull/test_hub tests/unit/pull/test_ollama tests/unit/pull/test_traps
check_PROGRAMS += $(PULL_TESTS)
TESTS += $(PULL_TESTS)
endif
endif
tests_unit_pull_test_fetch_SOURCES = \
	tests/unit/pull/fetching.c tests/unit/pull/fetching.h \
	tests/unit/pull/test_fetch.c \
	tests/unit/pull/test_fetch_others.c \
	tests/unit/pull/test_fetch_versions.c \
	tests/unit/pull/test_spans.c \
	tests/unit/pull/test_web.c
tests_unit_pull_test_fetch_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/unit/pull
tests_unit_pull_test_fetch_LDADD = $(PULL_TEST_LIBS)
tests_unit_pull_test_hub_SOURCES = \
	tests/unit/pull/test_hub.c
tests_unit_pull_test_hub_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/unit/pull
tests_unit_pull_test_hub_LDADD = $(PULL_TEST_LIBS)
tests_unit_pull_test_ollama_SOURCES = \
	tests/unit/pull/places.c tests/unit/pull/places.h \
	tests/unit/pull/test_ollama.c \
	tests/unit/pull/test_stored.c
tests_unit_pull_test_ollama_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/unit/pull
tests_unit_pull_test_ollama_LDADD = $(PULL_TEST_LIBS)
tests_unit_pull_test_traps_SOURCES = \
	tests/unit/pull/test_traps.c \
	tests/unit/pull/test_traps_cut.c \
	tests/unit/pull/test_traps_listing.c \
	tests/unit/pull/trap_bench.c tests/unit/pull/trap_bench.h
if HAVE_MICROHTTPD
tests_unit_pull_test_traps_SOURCES += tests/unit/pull/test_traps_https.c
endif
tests_unit_pull_test_traps_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/unit/pull
tests_unit_pull_test_traps_LDADD = $(SERVER_LIBS) $(PULL_TEST_LIBS)
