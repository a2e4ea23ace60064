# The built-in model's help: facts, look-up, the system prompt made of them.
noinst_LIBRARIES += src/guide/libguide.a
src_guide_libguide_a_SOURCES = \
	src/guide/facts.c \
	src/guide/guide.c src/guide/guide.h src/guide/guide_internal.h \
	src/guide/look_up.c \
	src/guide/phrases.c \
	src/guide/prompt.c \
	src/guide/ranker.c \
	src/guide/terms.c
guidedir = $(pkgdatadir)/guide
dist_guide_DATA = tools/guide/facts.yaml tools/guide/facts.weights
