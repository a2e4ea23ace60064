# HTTP. libcurl lives here: its headers when this is built, the library itself when it is first needed.
noinst_LIBRARIES += src/net/libnet.a
src_net_libnet_a_CPPFLAGS = $(AM_CPPFLAGS) $(CURL_CFLAGS)
src_net_libnet_a_SOURCES = \
	src/net/http.h \
	src/net/port.c \
	src/net/url.c src/net/url.h
if HAVE_CURL
src_net_libnet_a_SOURCES += \
	src/net/curl.c src/net/curl.h \
	src/net/handle.c \
	src/net/head.c src/net/head.h \
	src/net/headers.c src/net/headers.h \
	src/net/http.c \
	src/net/pipe_guard.c src/net/pipe_guard.h \
	src/net/stranger.c src/net/stranger.h \
	src/net/transfer.c src/net/transfer.h \
	src/net/trouble.c src/net/trouble.h
else
src_net_libnet_a_SOURCES += src/net/without_curl.c
endif
