noinst_LIBRARIES += src/markdown/libmarkdown.a
src_markdown_libmarkdown_a_SOURCES = \
	src/markdown/highlight.c src/markdown/highlight.h \
	src/markdown/markdown.c src/markdown/markdown.h \
	src/markdown/markdown_block.c src/markdown/markdown_block.h \
	src/markdown/markdown_cjk.c \
	src/markdown/markdown_inline.c \
	src/markdown/markdown_internal.h \
	src/markdown/markdown_links.c src/markdown/markdown_links.h \
	src/markdown/markdown_prepare.c \
	src/markdown/markdown_segment.c \
	src/markdown/markdown_styled.c \
	src/markdown/markdown_table.c
