noinst_LIBRARIES += src/models/libmodels.a
src_models_libmodels_a_SOURCES = \
	src/models/catalog.c src/models/catalog.h \
	src/models/catalog_internal.h \
	src/models/catalog_ollama.c \
	src/models/catalog_read.c \
	src/models/catalog_walk.c \
	src/models/describe.c src/models/describe.h \
	src/models/memory.c src/models/memory.h \
	src/models/offers.c src/models/offers.h \
	src/models/recent.c src/models/recent.h \
	src/models/recommended.c src/models/recommended.h \
	src/models/searcher.c src/models/searcher.h \
	src/models/speed.c src/models/speed.h \
	src/models/speed_measure.c
