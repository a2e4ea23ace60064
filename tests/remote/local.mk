# Models on servers, against the test server. Plain programs.
TRAP_LIBS = tests/support/server/libserver.a tests/support/libsupport.a $(REMOTE_LIBS) $(ENGINE_LIBS) src/config/libconfig.a \
	src/base/libbase.a $(MICROHTTPD_LIBS) $(EXTERNAL_LIBS)
if HAVE_MICROHTTPD
check_PROGRAMS += tests/remote/test_traps
TESTS += tests/remote/test_traps
endif
tests_remote_test_traps_SOURCES = \
	tests/remote/traps.h \
	tests/remote/traps_before.c \
	tests/remote/traps_delta.c \
	tests/remote/traps_end.c \
	tests/remote/traps_error.c \
	tests/remote/traps_framing.c \
	tests/remote/traps_request.c \
	tests/remote/test_traps.c
tests_remote_test_traps_CPPFLAGS = $(TEST_CPPFLAGS)
tests_remote_test_traps_LDADD = $(TRAP_LIBS)

if HAVE_MICROHTTPD
check_PROGRAMS += tests/remote/test_broken
TESTS += tests/remote/test_broken
endif
tests_remote_test_broken_SOURCES = \
	tests/hostile/streams.c tests/hostile/streams.h \
	tests/remote/test_broken.c
tests_remote_test_broken_CPPFLAGS = $(TEST_CPPFLAGS)
tests_remote_test_broken_LDADD = $(TRAP_LIBS)
