# A server that tests talk to.
check_LIBRARIES += tests/support/server/libserver.a
tests_support_server_libserver_a_SOURCES = \
	tests/support/server/answer.c \
	tests/support/server/by_socket.c \
	tests/support/server/certificates.c \
	tests/support/server/chat.c \
	tests/support/server/internal.h \
	tests/support/server/play_llama.c \
	tests/support/server/play_ollama.c \
	tests/support/server/play_openai.c \
	tests/support/server/reply.c \
	tests/support/server/scenarios.c \
	tests/support/server/server.c tests/support/server/server.h \
	tests/support/server/tree.c tests/support/server/tree.h \
	tests/support/server/vocabulary.c tests/support/server/vocabulary.h
if HAVE_MICROHTTPD
tests_support_server_libserver_a_SOURCES += tests/support/server/by_microhttpd.c
else
tests_support_server_libserver_a_SOURCES += tests/support/server/without_microhttpd.c
endif
EXTRA_DIST += tests/support/server/without_microhttpd.c tests/support/server/by_microhttpd.c
tests_support_server_libserver_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests $(MICROHTTPD_CFLAGS)
SERVER_LIBS = tests/support/server/libserver.a src/base/libbase.a $(MICROHTTPD_LIBS)

check_PROGRAMS += tests/support/server/play
tests_support_server_play_SOURCES = tests/support/server/play.c
tests_support_server_play_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_support_server_play_LDADD = $(SERVER_LIBS)

# What says that tests are skipped.
if !HAVE_MICROHTTPD
TESTS += tests/support/server/skipped
endif
EXTRA_DIST += tests/support/server/skipped
