noinst_LIBRARIES += src/engine/libengine.a
src_engine_libengine_a_SOURCES = \
	src/engine/backend.c src/engine/backend.h \
	src/engine/builtin_templates.c src/engine/builtin_templates.h \
	src/engine/catalog.c src/engine/catalog.h \
	src/engine/catalog_internal.h \
	src/engine/catalog_ollama.c \
	src/engine/catalog_read.c \
	src/engine/catalog_walk.c \
	src/engine/chat_probe.c src/engine/chat_probe.h \
	src/engine/chat_render.c \
	src/engine/chat_template.c src/engine/chat_template.h \
	src/engine/describe.c src/engine/describe.h \
	src/engine/encode.c src/engine/encode.h \
	src/engine/engine.c src/engine/engine.h \
	src/engine/generate.c src/engine/generate.h \
	src/engine/harmony.c src/engine/harmony.h \
	src/engine/loaded.c src/engine/loaded.h \
	src/engine/match.c src/engine/match.h \
	src/engine/memory.c src/engine/memory.h \
	src/engine/offers.c src/engine/offers.h \
	src/engine/params.c src/engine/params.h \
	src/engine/prompt.c src/engine/prompt.h \
	src/engine/reasoning.c src/engine/reasoning.h \
	src/engine/recent.c src/engine/recent.h \
	src/engine/recommended.c src/engine/recommended.h \
	src/engine/session.c src/engine/session.h \
	src/engine/speed.c src/engine/speed.h \
	src/engine/speed_measure.c \
	src/engine/stop.c src/engine/stop.h \
	src/engine/synthetic.c src/engine/synthetic.h \
	src/engine/turn.c src/engine/turn.h \
	src/engine/worker.c src/engine/worker.h
