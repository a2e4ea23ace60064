# A server that plays Hugging Face and ollama's registry.
check_LIBRARIES += tests/support/hub_server/libhub_server.a
tests_support_hub_server_libhub_server_a_SOURCES = \
	tests/support/hub_server/connection.c \
	tests/support/hub_server/content.c \
	tests/support/hub_server/hub_server.c tests/support/hub_server/hub_server.h \
	tests/support/hub_server/internal.h \
	tests/support/hub_server/models.c \
	tests/support/hub_server/play_hub.c \
	tests/support/hub_server/play_ollama.c \
	tests/support/hub_server/play_storage.c
tests_support_hub_server_libhub_server_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
HUB_SERVER_LIBS = tests/support/hub_server/libhub_server.a tests/support/libsupport.a $(ENGINE_LIBS) src/base/libbase.a $(EXTERNAL_LIBS)

check_PROGRAMS += tests/support/hub_server/hub_server_main
tests_support_hub_server_hub_server_main_SOURCES = tests/support/hub_server/hub_server_main.c
tests_support_hub_server_hub_server_main_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_support_hub_server_hub_server_main_LDADD = $(HUB_SERVER_LIBS)
