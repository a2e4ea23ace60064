# What several test programs share.
check_LIBRARIES += tests/support/libsupport.a
tests_support_libsupport_a_SOURCES = \
	tests/support/random.c tests/support/random.h \
	tests/support/tiny_model.c tests/support/tiny_model.h
tests_support_libsupport_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
