# HTTP. libcurl lives here.
noinst_LIBRARIES += src/net/libnet.a
src_net_libnet_a_SOURCES = \
	src/net/http.h
