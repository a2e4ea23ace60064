noinst_LIBRARIES += src/trace/libtrace.a
src_trace_libtrace_a_SOURCES = \
	src/trace/attention.c src/trace/attention.h \
	src/trace/layers.c src/trace/layers.h \
	src/trace/recorder.c src/trace/recorder.h \
	src/trace/rotation.c src/trace/rotation.h \
	src/trace/routes.c src/trace/routes.h \
	src/trace/states.c src/trace/states.h
