noinst_LIBRARIES += src/kept/libkept.a
src_kept_libkept_a_SOURCES = \
	src/kept/kept.c src/kept/kept.h src/kept/kept_internal.h \
	src/kept/kept_file.c src/kept/kept_file.h \
	src/kept/kept_put.c src/kept/kept_record.h \
	src/kept/kept_take.c \
	src/kept/measures.c src/kept/measures.h \
	src/kept/texts.c src/kept/texts.h \
	src/kept/what_if.c src/kept/what_if.h
	src/kept/packed.h \
	src/kept/texts.c src/kept/texts.h
src_kept_libkept_a_CFLAGS = $(AM_CFLAGS) $(SOTTO_KERNEL_CFLAGS)
