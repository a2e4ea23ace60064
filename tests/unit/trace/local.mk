check_PROGRAMS += tests/unit/trace/test_trace
TESTS += tests/unit/trace/test_trace
tests_unit_trace_test_trace_SOURCES = \
	tests/unit/trace/definitions.c tests/unit/trace/definitions.h \
	tests/unit/trace/test_attention.c \
	tests/unit/trace/test_layers.c \
	tests/unit/trace/test_routes.c \
	tests/unit/trace/test_states.c
tests_unit_trace_test_trace_CPPFLAGS = $(TEST_CPPFLAGS) -I$(top_srcdir)/tests/unit/trace
tests_unit_trace_test_trace_LDADD = tests/support/libsupport.a src/trace/libtrace.a $(ENGINE_LIBS) $(TEST_KERNEL_LIBS) \
	src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
