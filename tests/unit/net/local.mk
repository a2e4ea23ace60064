check_PROGRAMS += tests/unit/net/test_net
TESTS += tests/unit/net/test_net
tests_unit_net_test_net_SOURCES = \
	tests/unit/net/test_url.c
if HAVE_CURL
tests_unit_net_test_net_SOURCES += \
	tests/unit/net/ask.c tests/unit/net/ask.h \
	tests/unit/net/test_answer.c \
	tests/unit/net/test_cancel.c \
	tests/unit/net/test_download.c \
	tests/unit/net/test_pipe_guard.c \
	tests/unit/net/test_redirect.c \
	tests/unit/net/test_request.c \
	tests/unit/net/test_trouble.c
if HAVE_MICROHTTPD
tests_unit_net_test_net_SOURCES += tests/unit/net/test_tls.c
endif
else
tests_unit_net_test_net_SOURCES += tests/unit/net/test_without_curl.c
endif
tests_unit_net_test_net_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_net_test_net_LDADD = tests/support/libsupport.a src/net/libnet.a $(SERVER_LIBS) $(TEST_LIBS) $(EXTERNAL_LIBS)
