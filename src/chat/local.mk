noinst_LIBRARIES += src/chat/libchat.a
src_chat_libchat_a_SOURCES =
