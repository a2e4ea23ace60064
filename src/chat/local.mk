noinst_LIBRARIES += src/chat/libchat.a
src_chat_libchat_a_SOURCES = \
	src/chat/commands.c src/chat/commands.h \
	src/chat/tree.c src/chat/tree.h
