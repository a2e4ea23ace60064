noinst_LIBRARIES += src/journal/libjournal.a
src_journal_libjournal_a_SOURCES = \
	src/journal/beside.c src/journal/beside.h \
	src/journal/draft_file.c src/journal/draft_file.h \
	src/journal/importer.c src/journal/importer.h \
	src/journal/journal.c src/journal/journal.h \
	src/journal/journal_export.c \
	src/journal/journal_file.c \
	src/journal/journal_internal.h \
	src/journal/journal_list.c \
	src/journal/journal_parse.c \
	src/journal/journal_record.c \
	src/journal/journal_texts.c \
	src/journal/mend.c \
	src/journal/rescue.c \
	src/journal/take_back.c \
	src/journal/trash.c src/journal/trash.h \
	src/journal/journal_runs.c src/journal/journal_runs.h
