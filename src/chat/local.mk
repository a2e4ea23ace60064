noinst_LIBRARIES += src/chat/libchat.a
src_chat_libchat_a_SOURCES = \
	src/chat/attach.c src/chat/attach.h \
	src/chat/attachment.c src/chat/attachment.h \
	src/chat/branch.c src/chat/branch.h \
	src/chat/code_blocks.c src/chat/code_blocks.h \
	src/chat/export.c src/chat/export.h \
	src/chat/export_html.c \
	src/chat/export_json.c \
	src/chat/export_markdown.c \
	src/chat/export_text.c \
	src/chat/ledger.c src/chat/ledger.h \
	src/chat/looks_wrong.c src/chat/looks_wrong.h \
	src/chat/markdown_html.c \
	src/chat/markdown_line.c src/chat/markdown_line.h \
	src/chat/mention.c src/chat/mention.h \
	src/chat/path.c src/chat/path.h \
	src/chat/reply_place.c src/chat/reply_place.h \
	src/chat/run.c src/chat/run.h \
	src/chat/run_marks.c src/chat/run_marks.h \
	src/chat/stops.c src/chat/stops.h \
	src/chat/takes.c src/chat/takes.h \
	src/chat/tree.c src/chat/tree.h \
	src/chat/turn.c src/chat/turn.h
