noinst_LIBRARIES += src/import/libimport.a
src_import_libimport_a_SOURCES = \
	src/import/again.c \
	src/import/build.c \
	src/import/content.c \
	src/import/date.c \
	src/import/formats.c \
	src/import/import.c src/import/import.h \
	src/import/message.c \
	src/import/reading.c src/import/reading.h \
	src/import/reasoning.c \
	src/import/takes.c \
	src/import/value.c src/import/value.h
