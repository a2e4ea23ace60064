noinst_LIBRARIES += src/dialog/libdialog.a
src_dialog_libdialog_a_SOURCES = \
	src/dialog/dialog.c src/dialog/dialog.h \
	src/dialog/draft.h \
	src/dialog/events.c src/dialog/events.h \
	src/dialog/facts.c src/dialog/facts.h \
	src/dialog/files.c src/dialog/files.h \
	src/dialog/leaf.c src/dialog/leaf.h \
	src/dialog/marks.c src/dialog/marks.h \
	src/dialog/model.c src/dialog/model.h \
	src/dialog/open.c src/dialog/open.h \
	src/dialog/outgoing.c src/dialog/outgoing.h \
	src/dialog/queue.c src/dialog/queue.h \
	src/dialog/reply.c src/dialog/reply.h \
	src/dialog/send.c src/dialog/send.h \
	src/dialog/store.c src/dialog/store.h \
	src/dialog/summary.c src/dialog/summary.h \
	src/dialog/template.c src/dialog/template.h
