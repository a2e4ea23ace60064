noinst_LIBRARIES += src/engine/libengine.a
src_engine_libengine_a_SOURCES = \
	src/engine/answers.c src/engine/answers.h \
	src/engine/backend.c src/engine/backend.h \
	src/engine/biases.c src/engine/biases.h \
	src/engine/breakers.c src/engine/breakers.h \
	src/engine/cached_prompt.c src/engine/cached_prompt.h \
	src/engine/engine.c src/engine/engine.h \
	src/engine/examine.c \
	src/engine/generate.c src/engine/generate.h src/engine/generate_internal.h \
	src/engine/host.c \
	src/engine/inspect.c \
	src/engine/loaded.c src/engine/loaded.h \
	src/engine/options.c src/engine/options.h \
	src/engine/prefill.c \
	src/engine/score.c src/engine/score.h \
	src/engine/session.c src/engine/session.h \
	src/engine/synthetic.c src/engine/synthetic.h \
	src/engine/synthetic_internal.h \
	src/engine/synthetic_remote.c \
	src/engine/synthetic_reply.c \
	src/engine/tell.c \
	src/engine/turn_log.c src/engine/turn_log.h \
	src/engine/worker.c src/engine/worker.h \
	src/engine/worker_internal.h \
	src/engine/worker_thread.c
