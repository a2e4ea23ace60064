noinst_LIBRARIES += src/catalog/libcatalog.a
src_catalog_libcatalog_a_SOURCES = \
	src/catalog/beside.c src/catalog/beside.h \
	src/catalog/beside_internal.h \
	src/catalog/beside_params.c \
	src/catalog/catalog.c src/catalog/catalog.h \
	src/catalog/catalog_internal.h \
	src/catalog/catalog_ollama.c \
	src/catalog/catalog_read.c \
	src/catalog/catalog_walk.c \
	src/catalog/describe.c src/catalog/describe.h \
	src/catalog/memory.c src/catalog/memory.h \
	src/catalog/ollama_folder.c \
	src/catalog/ollama_manifest.c src/catalog/ollama_manifest.h \
	src/catalog/recommended_models.c src/catalog/recommended_models.h \
	src/catalog/recent.c src/catalog/recent.h \
	src/catalog/searcher.c src/catalog/searcher.h \
	src/catalog/speed.c src/catalog/speed.h
